"""Setups and options of `valar`: what the director reads of a mistake, where, and what play may lead to."""

from __future__ import annotations

import copy
import re
from pathlib import Path
from typing import Any

import pytest

import rules.valar
from jobs.catalogues import load_catalogue
from parsers.files.errors import FileErrors, FileProblem
from parsers.files.setup import parse_setup
from parsers.files.toml import read_toml
from parsers.files.toml_text import write_toml
from rules.engine.codec import load_state
from rules.engine.messages import msg
from rules.valar import RULESET
from rules.valar.options import Options
from rules.valar.state import State

LANGUAGES = {one: load_catalogue(one, RULESET.package) for one in ("es", "en")}
SETUP: dict[str, Any] = {
    "houses": {
        "Aldana": {
            "vassals": {"Torre": 1},
            "groups": {"ribera": ["Torre"]},
            "tokens": {"Capitana": {"uses": 1}, "Moza": {}},
            "missions": {
                "el-vado": {
                    "title": "El vado",
                    "resolves": 2,
                    "recipe": "paso",
                    "tokens": ["Capitana"],
                    "supporters": {"Brezo": ["Senescal", "Paje"]},
                    "memories": ["deuda"],
                    "against": [{"house": "Brezo", "title": "Otra"}],
                    "known_to": ["Brezo"],
                    "consequences": ["secretos"],
                    "options": {"éxito menor": {"minor": 1}},
                }
            },
        },
        "Brezo": {"tokens": {"Senescal": {}, "Paje": {}}},
    },
    "recipes": {"paso": {"name": "Paso", "factors": [{"name": "luna"}], "grades": {"unit": "usos"}}},
    "clocks": {
        "asedio": {"name": "El asedio", "size": 4, "marked": 4, "chain": "saqueo", "known_to": ["public"]},
        "saqueo": {"name": "El saqueo", "size": 12, "waits": True, "house": "Brezo"},
    },
    "balances": {"corte": {"name": "La corte", "size": 4, "at": -4, "good": {"Brezo": "derecha"}}},
    "memories": {"deuda": {"text": "Deuda", "house": "Brezo", "known_to": ["Aldana"]}},
}

MISSION = "houses/Aldana/missions/el-vado"
CIRCLE = {
    "clocks/asedio/chain": "saqueo",
    "clocks/asedio/waits": True,
    "clocks/saqueo/chain": "asedio",
}
NO_HOUSE = {
    "clocks/asedio/known_to": ["Nadie"],
    "clocks/saqueo/house": "Nadie",
    "balances/corte/good": {"Nadie": "derecha"},
    "balances/corte/known_to": ["Nadie"],
    "memories/deuda/house": "Nadie",
    "memories/deuda/known_to": ["Nadie"],
    f"{MISSION}/supporters": {"Nadie": ["Paje"]},
    f"{MISSION}/known_to": ["public"],
    f"{MISSION}/accepted": ["Nadie"],
    f"{MISSION}/refused": ["Nadie"],
    f"{MISSION}/against": [{"house": "Nadie"}],
    f"{MISSION}/opposed": [{"house": "Nadie", "mission": "una"}],
}
"""Everything that may name houses; a mission isn't known to all."""

WRONG: list[tuple[str, Any, str, str]] = [
    *((place, value, "setup-no-house", place) for place, value in NO_HOUSE.items()),
    ("houses/public", {}, "setup-house", "houses/public"),
    ("houses/director", {}, "setup-house", "houses/director"),
    ("houses/Aldana/tokens/Capitana/uses", 0, "setup-uses", "houses/Aldana/tokens/Capitana/uses"),
    ("houses/Aldana/tokens/Sen\u0303or", {}, "setup-id", "houses/Aldana/tokens/Sen\u0303or"),
    ("houses/Aldana/groups/ribera", ["Torre", "Senda"], "setup-group", "houses/Aldana/groups/ribera"),
    ("houses/Aldana/groups/ribera", [], "setup-group-empty", "houses/Aldana/groups/ribera"),
    (f"{MISSION}/title", "El puente", "setup-title", f"{MISSION}/title"),
    (f"{MISSION}/title", "!", "setup-title", f"{MISSION}/title"),
    (f"{MISSION}/recipe", "pasos", "setup-no-recipe", f"{MISSION}/recipe"),
    (f"{MISSION}/memories", ["duda"], "setup-no-memory", f"{MISSION}/memories"),
    (f"{MISSION}/tokens", ["Nadie"], "setup-no-token", f"{MISSION}/tokens"),
    (f"{MISSION}/supporters", {"Brezo": ["Moza"]}, "setup-no-token", f"{MISSION}/supporters/Brezo"),
    (f"{MISSION}/tokens", ["Capitana", "Moza"], "setup-many-tokens", f"{MISSION}/tokens"),
    (f"{MISSION}/consequences", ["secreto"], "setup-no-wish", f"{MISSION}/consequences"),
    (f"{MISSION}/improvements", ["herida"], "setup-no-wish", f"{MISSION}/improvements"),
    (f"{MISSION}/options", {"éxito": {"minor": 1}}, "setup-no-wish", f"{MISSION}/options"),
    ("recipes/paso/steps", 0, "setup-steps", "recipes/paso/steps"),
    ("recipes/paso/factors", [{"name": "luna", "sign": 3}], "setup-factor", "recipes/paso/factors"),
    ("recipes/paso/grades", {"brings": ["uno"]}, "setup-grades", "recipes/paso/grades"),
    ("recipes/paso/grades", {"clock": "saco"}, "setup-no-clock", "recipes/paso/grades/clock"),
    ("clocks/asedio/size", 5, "setup-size", "clocks/asedio/size"),
    ("balances/corte/size", 10, "setup-size", "balances/corte/size"),
    ("clocks/asedio/marked", 5, "setup-marked", "clocks/asedio/marked"),
    ("clocks/asedio/marked", -1, "setup-marked", "clocks/asedio/marked"),
    ("clocks/asedio/sign", 2, "setup-clock-sign", "clocks/asedio/sign"),
    ("clocks/saqueo/chain", "saco", "setup-chain", "clocks/saqueo/chain"),
    ("clocks/asedio/chain", "asedio", "setup-circle", "clocks/asedio/chain"),
    ("clocks/saqueo/chain", "asedio", "setup-circle", "clocks/saqueo/chain"),
    ("clocks/saqueo/waits", False, "setup-chain-runs", "clocks/asedio/chain"),
    ("clocks/otro", {"name": "Otro", "size": 4, "waits": True}, "setup-waits", "clocks/otro/waits"),
    ("clocks/asedio/closed", True, "setup-waits", "clocks/saqueo/waits"),
    ("balances/corte/at", -5, "setup-balance", "balances/corte/at"),
    ("balances/asedio", {"name": "Dos", "size": 4}, "setup-twice", "balances/asedio"),
    ("memories/deuda/sign", 0, "setup-memory-sign", "memories/deuda/sign"),
]


def changed(*changes: tuple[str, Any]) -> dict[str, Any]:
    """The setup with some other values, each named by its path."""
    data = copy.deepcopy(SETUP)
    for path, value in changes:
        *above, last = path.split("/")
        table = data
        for key in above:
            table = table.setdefault(key, {})
        table[last] = value
    return data


def find(data: dict[str, Any]) -> tuple[FileProblem, ...]:
    """What is wrong with a setup's file."""
    try:
        parse_setup(write_toml(data), RULESET, Options())
    except FileErrors as found:
        return tuple(found.problems)
    return ()


def test_a_right_setup_has_nothing_wrong() -> None:
    """A clock that is full already, a clock that waits, a balance at its end, missions under way."""
    assert () == find(SETUP)


@pytest.mark.parametrize(("path", "value", "code", "place"), WRONG)
def test_each_mistake_is_found_where_it_stands(path: str, value: Any, code: str, place: str) -> None:
    """Its line and key, what is wrong, and what would be right, in both languages."""
    data = changed((path, value))
    found = [one for one in find(data) if one.code == f"valar/{code}"]
    read = read_toml(write_toml(data), "setup.toml")
    wanted = read.problem(place.split("/"), "", msg(""))

    assert (wanted.line, wanted.key) in [(one.line, one.key) for one in found]
    for catalogue in LANGUAGES.values():
        said = "\n".join(one.say(catalogue) for one in found)
        assert f"valar/{code}" not in said
        assert wanted.key in said


def test_chains_in_a_circle_are_found_at_each_clock() -> None:
    """None of them would ever start."""
    found = find(changed(*CIRCLE.items()))

    assert ["valar/setup-circle", "valar/setup-circle"] == [one.code for one in found]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (Options(roleo_words=0), "la opción roleo_words tiene que ser al menos 1"),
        (Options(disposition_limit=-1), "la opción disposition_limit tiene que ser al menos 0"),
        (Options(reputation_limit=-1), "la opción reputation_limit tiene que ser al menos 0"),
        (Options(advantage=(1, 3)), "la opción advantage lleva 3 números de 0 en adelante: "),
        (Options(advantage=(1, 3, -1)), "la opción advantage lleva 3 números de 0 en adelante: "),
    ],
)
def test_options_have_bounds(options: Options, said: str) -> None:
    """A post without prose earns nothing; an advantage takes nothing off."""
    (found,) = RULESET.check(load_state(State, SETUP), options)

    assert LANGUAGES["es"].text(found).startswith(said)


def test_every_finding_of_setups_is_tried() -> None:
    """Whoever adds one adds a mistake that has it."""
    tried = {code for _, _, code, _ in WRONG} | {"setup-option", "setup-advantage"}
    texts = Path(rules.valar.__file__).parent / "locale" / "es.po"
    told = set(re.findall(r'msgid "valar/(setup-[^"]+)"', texts.read_text(encoding="utf-8")))

    assert told == tried


def test_what_play_leads_to_is_a_setup() -> None:
    """A token lost with its last use, a chain that has been followed, rivals whose mission has ended."""
    data = changed(
        ("houses/Aldana/tokens/Capitana", {"uses": 0, "condition": "perdido"}),
        ("clocks/asedio/closed", True),
        ("clocks/saqueo/waits", False),
        (f"{MISSION}/opposed", [{"house": "Brezo", "mission": "terminada"}]),
    )

    assert () == find(data)
