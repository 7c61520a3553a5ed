"""Who may know what of a game of `valar`: field by field, and in every text that a turn sends."""

from __future__ import annotations

import copy
import dataclasses
import json
import typing
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from jobs.commands.rehearse import catalogue_of
from parsers.files.scenario import load_scenario
from parsers.files.toml_text import write_toml
from processor.pipeline.rehearsal import rehearse
from rules.engine.codec import dump_state, load_state
from rules.engine.registry import load_ruleset
from rules.valar import RULESET
from rules.valar.options import Options
from rules.valar.state import State
from tests.support.valar_fields import HIDDEN, KNOWN, OWN, PUBLIC

PLANTED: dict[str, Any] = {
    "houses": {
        "Aldana": {
            "reputation": 3,
            "vassals": {"Vasallo-plantado": 40417, "Otro-plantado": 1},
            "groups": {"grupo-plantado": ["Vasallo-plantado"]},
            "resources": {"recurso-plantado": 50517},
            "tokens": {
                "Token-plantado": {"keywords": ["clave-plantada"], "uses": 7, "condition": "agotado"},
                "Segundo-plantado": {"improved": True},
            },
            "missions": {
                "mision-plantada": {
                    "title": "Misión plantada",
                    "goal": "objetivo-plantado",
                    "started": 1,
                    "resolves": 3,
                    "tokens": ["Token-plantado"],
                    "recipe": "paso",
                    "consequences": ["secretos"],
                    "memories": ["recuerdo-plantado"],
                    "against": [{"house": "Brezo", "title": "contra-plantada"}],
                    "related": "relacionada-plantada",
                    "factors": [{"name": "factor-plantado"}],
                }
            },
            "modifiers": [{"value": 1, "since": 1, "mission": "modificador-plantado"}],
        },
        "Brezo": {"tokens": {"Senescal": {}}},
        "Cardo": {},
    },
    "recipes": {
        "paso": {"name": "Paso", "steps": 2},
        "marca": {"name": "Marca", "grades": {"clock": "reloj-plantado"}},
    },
    "clocks": {
        "reloj-plantado": {"name": "Reloj plantado", "size": 8, "known_to": ["Aldana"]},
        "oculto": {"name": "Oculto plantado", "size": 8},
        "publico": {
            "name": "Público",
            "size": 8,
            "event": "suceso-plantado",
            "chain": "siguiente",
            "known_to": ["public"],
        },
        "siguiente": {"name": "Siguiente plantado", "size": 4, "waits": True, "known_to": ["public"]},
    },
    "balances": {
        "corte": {
            "name": "La corte",
            "size": 4,
            "left": "izquierda-plantada",
            "right": "derecha-plantada",
            "good": {"Aldana": "derecha"},
            "known_to": ["public", "Aldana"],
        }
    },
    "memories": {
        "recuerdo-plantado": {"text": "Recuerdo plantado", "house": "Aldana"},
        "ciego": {"text": "Ciego plantado", "house": "Aldana", "hidden": True},
    },
}
"""A state in which every word with `plantad` is the house Aldana's, or the director's."""

ORDERS = """\
misión "Otra plantada": Segundo-plantado
  objetivo: más plantado
  contra: Brezo
  consecuencias: secretos
abandonar "Nada plantado"
"""


def classes_of(hint: Any) -> Iterator[type[Any]]:
    """Every dataclass that a state is made of."""
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        yield hint
        for one in typing.get_type_hints(hint).values():
            yield from classes_of(one)
    for one in typing.get_args(hint):
        yield from classes_of(one)


def test_each_field_of_the_state_is_classed() -> None:
    """Whoever adds a field decides in tests/support/valar_fields.py who may know it, once."""
    fields = {(owner, one.name) for owner in set(classes_of(State)) for one in dataclasses.fields(owner)}

    classed = [*PUBLIC, *KNOWN, *HIDDEN, *OWN]
    assert fields == set(classed)
    assert len(classed) == len(set(classed))


def look(viewer: str, data: dict[str, Any] = PLANTED) -> str:
    """A viewer's view, as text."""
    state = load_state(State, data)
    return json.dumps(dump_state(RULESET.view(state, viewer, Options()), defaults=True), ensure_ascii=False)


@pytest.mark.parametrize("viewer", ["public", "Brezo", "Cardo"])
def test_nothing_of_a_house_is_in_the_view_of_others(viewer: str) -> None:
    """No planted word or number, not even as a key."""
    seen = look(viewer).lower()

    assert [] == [one for one in ("plantad", "40417", "50517") if one in seen]
    assert "la corte" in seen
    assert "público" in seen


def test_a_house_sees_its_own_and_nothing_of_the_director() -> None:
    """What fills a clock, what waits behind it, hidden clocks and hidden memories stay the director's."""
    seen = look("Aldana")

    hidden = ("suceso-plantado", "Siguiente", "Oculto", "Ciego", "izquierda-plantada", "derecha-plantada")
    assert [] == [one for one in hidden if one in seen]
    own = ("Token-plantado", "Vasallo-plantado", "Misión plantada", "Reloj plantado", "Recuerdo plantado")
    assert [] == [one for one in own if one not in seen]


def test_who_only_knows_of_a_mission_sees_what_it_is_for() -> None:
    """A house that is let know sees title, goal and end; a supporter who takes part; neither the rest."""
    state = load_state(State, PLANTED)
    state.houses["Aldana"].missions["mision-plantada"].known_to = ("Brezo", "Cardo")
    state.houses["Aldana"].missions["mision-plantada"].supporters = {"Cardo": ("Nadie",)}

    for viewer, tokens in (("Brezo", ()), ("Cardo", ("Token-plantado",))):
        seen = RULESET.view(state, viewer, Options()).houses["Aldana"].missions["mision-plantada"]
        assert ("Misión plantada", "objetivo-plantado", 3) == (seen.title, seen.goal, seen.resolves)
        assert tokens == seen.tokens
        assert (viewer,) == seen.known_to
        assert ((), (), None, ()) == (seen.against, seen.consequences, seen.related, seen.factors)


def reports(state: dict[str, Any], orders: str = ORDERS) -> Mapping[str, str]:
    """What each reader is sent of a turn in which Aldana's missions are rolled."""
    scenario = {"title": "Secretos", "ruleset": "valar", "number": 3, "state": state}
    text = write_toml(scenario | {"orders": {"Aldana": orders}})
    (turn,) = rehearse(load_scenario(text, "secretos.toml"), load_ruleset, catalogue_of).turns
    assert not turn.result.resolution.held
    return turn.reports


@pytest.mark.parametrize("reader", ["public", "Brezo", "Cardo"])
def test_a_planted_secret_is_in_no_report_of_others(reader: str) -> None:
    """Two missions are rolled, consequences fall, an order is refused: nobody else hears of it."""
    sent = reports(PLANTED)

    assert "plantad" not in sent[reader].lower()
    assert "Misión plantada" in sent["Aldana"]
    assert "Otra plantada" in sent["director"]


def changed() -> dict[str, Any]:
    """The same to everybody else: Aldana has other things of all kinds, and there is another hidden clock."""
    state: dict[str, Any] = copy.deepcopy(PLANTED)
    aldana = state["houses"]["Aldana"]
    aldana |= {"vassals": {}, "groups": {}, "resources": {}, "missions": {}, "modifiers": []}
    aldana["tokens"] = {"Segundo-plantado": {"condition": "dañado", "uses": 1}}
    state["memories"] = {}
    del state["clocks"]["reloj-plantado"]
    state["recipes"]["marca"]["grades"] = {"clock": "otro-oculto"}
    state["clocks"]["otro-oculto"] = {"name": "Otro", "size": 4, "marked": 3}
    state["clocks"]["publico"]["event"] = "otra cosa"
    state["balances"]["corte"]["good"] = {}
    return state


@pytest.mark.parametrize("reader", ["public", "Brezo", "Cardo"])
def test_states_that_look_equal_give_equal_reports(reader: str) -> None:
    """Whatever Aldana has and does, byte for byte."""
    alike, other = changed(), ORDERS.replace("Otra plantada", "Algo distinto")

    assert look(reader) == look(reader, alike)
    assert reports(PLANTED)[reader] == reports(alike, other)[reader]
