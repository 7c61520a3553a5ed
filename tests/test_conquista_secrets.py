"""Who may know what of a game of `conquista`: field by field, and word by word of all that is sent."""

from __future__ import annotations

import copy
import re
from base64 import b64decode
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import select

from processor.store.tables import games
from rules.conquista import RULESET
from rules.conquista.state import Army, Building, Cell, Faction, Feature, Odds, Planet, State
from rules.engine.audience import DIRECTOR_SEAT, EVERYBODY
from rules.engine.codec import dump_state
from tests.support.conquista_fields import PUBLIC, SECRET, change_secrets, fields_of
from tests.support.conquista_games import FACTIONS, OPTIONS, chance, make_state
from tests.support.conquista_night import CLOSED, EARLY, LATE, ConquistaNight, start_night

pytestmark = pytest.mark.sqlite  # what is told to whom is made before it is stored

SEEDS = st.integers(0, 2**32 - 1)


# fields


def test_each_field_of_the_state_is_public_or_secret() -> None:
    """Whoever adds a field decides in tests/support/conquista_fields.py who may know it."""
    fields = set(fields_of(State))

    assert fields == PUBLIC | SECRET.keys()
    assert set() == PUBLIC & SECRET.keys()


@given(SEEDS)
def test_secret_fields_of_others_show_in_no_view(seed: int) -> None:
    """Whatever foreign supplies, armies, works and finds are, a seat sees the same; so does everybody."""
    random = chance(seed)
    state, seat = make_state(random), random.choice(FACTIONS)
    other = copy.deepcopy(state)
    change_secrets(random, other, seat)

    for viewer in (seat, EVERYBODY):
        assert dump_state(RULESET.view(state, viewer, OPTIONS)) == dump_state(
            RULESET.view(other, viewer, OPTIONS)
        )
    assert RULESET.view(other, DIRECTOR_SEAT, OPTIONS) is other


@given(SEEDS)
def test_public_fields_show_in_every_view(seed: int) -> None:
    """Nothing that everybody may know is left out, whoever looks."""
    state = make_state(chance(seed))

    for viewer in (*FACTIONS, EVERYBODY):
        seen = RULESET.view(state, viewer, OPTIONS)
        for table in ("planets", "cells", "factions"):
            here, there = getattr(state, table), getattr(seen, table)
            assert {key: _public_of(one) for key, one in here.items()} == {
                key: _public_of(one) for key, one in there.items()
            }
        assert state.exploration == seen.exploration


def _public_of(one: Any) -> dict[str, Any]:
    return {name: getattr(one, name) for cls, name in PUBLIC if cls is type(one)}


def test_every_secret_field_is_tried() -> None:
    """The states that look equal differ in each field that is classed as secret, and in no public one."""
    tried = set()
    for seed in range(60):
        random = chance(seed)
        state, seat = make_state(random), random.choice(FACTIONS)
        tried |= change_secrets(random, state, seat)

    assert SECRET.keys() == tried


# the planted secrets

MANY = 86_413
TROOPS = 7_351
POINTS = 61_717
ARMY = "E1777"
WORDS = ("generador", "puesto avanzado", "manufactorum", "colmena", "base de mando")
"""How texts name what fields hold that can't be numbers: the Liga alone has any."""
PLANTED = (str(MANY), "86.413", str(TROOPS), "7.351", str(POINTS), "61.717", ARMY, *WORDS)
TOLD = tuple(f"plantado-{one}" for one in ("mal", "motivo", "velado", "valor", "dado"))
"""Words in secret orders and in reasons of corrections that aren't for everybody; their readers get them."""
SAID = (*TOLD, "plantado-nota", "plantado-tarde")
"""The same, with those that nobody is told."""


def planted() -> State:
    """A map on which the Liga's secret fields hold values that stand nowhere else."""
    cells = {
        "CE-1": Cell("Liga"),
        "CE-2": Cell("Liga", ("CE-1",), Feature.MANUFACTORUM, Building.OUTPOST, POINTS),
        "CE-3": Cell("Liga", ("CE-2",), Feature.HIVE, Building.SHIELD),
        "CE-4": Cell("Corona", ("CE-3",)),
        "CE-5": Cell("Gremio", ("CE-4",)),
        "CE-6": Cell(None, ("CE-5",), Feature.HIVE),
        "CE-7": Cell(None, ("CE-1",), unexplored=True),
    }
    factions = {
        "Liga": Faction(MANY, "CE-1", 1, known=("CE-2", "CE-3", "CE-6")),
        "Corona": Faction(2, None, 2),
        "Gremio": Faction(3, None, 3),
    }
    armies = {ARMY: Army("Liga", "CE-2", TROOPS), "E11": Army("Corona", "CE-4", 1)}
    return State({"CE": Planet("Ceniza", 2)}, cells, factions, armies, Odds(colmena=1))


def test_every_secret_field_is_planted() -> None:
    """A field that gets classed as secret has to hold something there that would be noticed."""
    state = planted()
    things: list[Any] = [state, *state.cells.values(), *state.factions.values(), *state.armies.values()]
    held = {
        (type(one), field.name)
        for one in things
        for field in fields(one)
        if getattr(one, field.name) not in (None, field.default, (), {})
    }

    assert set() == SECRET.keys() - held


CORRECTIONS = (
    {"add": "Liga", "order": "producir", "reason": "plantado-motivo", "secret": True},
    {"replace": "Liga#2", "with": "fortificar CE-1 1", "reason": "plantado-velado"},
    {"set": "factions/Liga/supplies", "value": MANY, "reason": "plantado-valor"},
    {"die": "round/1/Liga", "value": 1, "reason": "plantado-dado"},
)


def play_night(night: ConquistaNight) -> None:
    """Secret orders of the Liga with a refused line and a note, open ones of the Corona, corrections."""
    night.tick()
    night.whisper("Liga", "# plantado-nota", f"mover {ARMY} a CE-1, CE-7", "producir", "bailar plantado-mal")
    night.post("Corona", "esperar", "esperar")
    night.tick(at=EARLY)
    night.correct(*CORRECTIONS)
    night.tick(at=LATE)
    night.tick(at=CLOSED)
    night.whisper("Liga", "producir # plantado-tarde")
    night.tick(at=CLOSED.replace(minute=30))


@pytest.fixture(scope="module")
def night(tmp_path_factory: pytest.TempPathFactory) -> ConquistaNight:
    """A whole turn and the opening of the next, with everything planted."""
    folder: Path = tmp_path_factory.mktemp("marcas") / "g"
    made = start_night(folder, planted(), options={"most_points": 99_999, "actions": [3]})
    play_night(made)
    return made


def test_the_night_was_played(night: ConquistaNight) -> None:
    """Opening, receipts, lock, report and map are public, and every planted word is in some private text."""
    public, told = night.public(), night.sent("Liga") + night.sent("director")

    assert [] == [
        one for one in ("Sello de las órdenes", '"commitment"', "turno 2", "<svg") if one not in public
    ]
    assert [] == [one for one in (*WORDS, ARMY, *TOLD) if one.lower() not in told.lower()]
    assert [] == [one for one in ("86.413", "7351", "61.717") if one not in told]
    digest = (night.folder / "reports" / "turn-001" / "digest.md").read_text(encoding="utf-8")
    assert 1 == digest.count("Liga#3")


@pytest.mark.parametrize("reader", ["public", "Corona", "Gremio"])
def test_a_planted_secret_is_in_no_byte_for_others(night: ConquistaNight, reader: str) -> None:
    """No number, name or word of the Liga's secret fields, of its orders or of secret reasons."""
    text = (night.public() if reader == "public" else night.public() + night.sent(reader)).lower()

    assert [] == [one for one in (*PLANTED, *SAID) if one.lower() in text]


def kept(night: ConquistaNight, reader: str) -> str:
    """All that the game's folder keeps for a reader: the page with the pictures in it, and the pictures."""
    folder, ending = night.folder / "reports" / "turn-001", "" if reader == "public" else f"-{reader.lower()}"
    page = (folder / f"report{ending}.html").read_text(encoding="utf-8")
    inside = re.findall(r'src="data:image/svg\+xml;base64,([^"]+)"', page)
    beside = sorted(folder.glob(f"*{ending}.svg"))
    if reader == "public":
        beside = [one for one in beside if one.stem in ("map-ce", "dominion")]
    assert len(inside) == len(beside) > 0
    return "\n".join(
        (page, *(b64decode(one).decode() for one in inside), *(one.read_text() for one in beside))
    )


@pytest.mark.parametrize("reader", ["public", "Corona", "Gremio"])
def test_a_planted_secret_is_in_no_picture_for_others(night: ConquistaNight, reader: str) -> None:
    """Nor in a page: not even where it couldn't be seen."""
    text = kept(night, reader).lower()

    assert [] == [one for one in (*PLANTED, *SAID) if one.lower() in text]


def test_pictures_of_those_who_may_know_show_it(night: ConquistaNight) -> None:
    """The Liga's own map has its army and its works, and so has the director's."""
    for reader in ("Liga", "director"):
        assert [] == [
            one
            for one in (f"{ARMY}:", "generador de escudos", "Manufactorum")
            if one not in kept(night, reader)
        ]


def test_seeds_of_groups_and_salts_are_in_no_public_byte(night: ConquistaNight) -> None:
    """Nor is the secret that all of them are made from in any byte at all, before the game is over."""
    with night.service.database.read() as connection:
        (secret,) = connection.execute(select(games.c.secret)).scalars()
    public, liga = night.public(), night.sent("Liga")
    proofs = sorted((night.folder / "reports" / "turn-001").glob("proof-*.json"))
    every = [public, *(night.sent(one) for one in ("Liga", "Corona", "Gremio", "director"))]

    assert 1 == len({one for one in every if secret in one} | {""})
    assert "Qué hay en CE-7: sale **Ciudad Colmena** (1 de 1) · `exploration/CE-7`" in liga
    assert "exploration" not in public + night.sent("Corona") + night.sent("Gremio")
    assert ["proof-Liga.json"] == [one.name for one in proofs if "exploration/CE-7" in one.read_text()]


def test_an_open_order_tells_no_more_than_it_says(tmp_path: Path) -> None:
    """Orders in the topic are read by all; what they came to, cost and left is told to their seat alone."""
    night = start_night(
        tmp_path / "g", planted(), secret=False, options={"most_points": 99_999, "actions": [3]}
    )
    night.tick()
    night.post("Liga", "producir", "fortificar CE-4 1", "mover E1 a CE-7")
    night.post("Corona", "esperar", "esperar")
    night.tick(at=EARLY)
    night.tick(at=CLOSED)
    public, liga = night.public(), night.sent("Liga")

    assert "**Liga** — ha publicado órdenes ([mensaje #" in public
    assert [] == [one for one in PLANTED if one.lower() in (public + night.sent("Corona")).lower()]
    assert "No tienes ningún ejército `E1`" in liga
    assert "**hay 2 líneas que no valen**" in liga
    assert "Copia, completa y publica en el tema:" in liga


def test_acts_of_war_are_read_by_those_whom_they_concern(tmp_path: Path) -> None:
    """Of a sabotage that fails nobody hears, of a bombardment both sides; their dice are the attacker's."""
    acting = {"actions": [3], "most_points": 99_999}
    chances = {"sabotage_target": 7, "bombardment_target": 1, "bombardment_die": 1}
    night = start_night(tmp_path / "g", planted(), options=acting | chances)
    night.tick()
    night.whisper(
        "Liga",
        "reclutar 1 en CE-1",
        "sabotear Corona con 1 en CE-4",
        f"bombardear CE-4 con 1 desde {ARMY}",
    )
    night.post("Corona", "esperar")
    night.tick(at=EARLY)
    night.tick(at=CLOSED)
    public, liga, corona, gremio = (
        one.lower() for one in (night.public(), *map(night.sent, ("Liga", "Corona", "Gremio")))
    )
    own = (
        "tu sabotaje contra corona fracasa",
        "tu bombardeo de `ce-4` tiene éxito",
        "se presentan 2 tropas en `ce-1`",
    )

    assert [] == [one for one in own if one not in liga]
    assert "liga bombardea `ce-4`: pierdes 1 tropa (`e11`)" in corona
    assert [] == [one for one in ("sabot", "se presenta", ARMY.lower()) if one in corona]
    assert [] == [one for one in ("sabot", "bombard", "recluta", "se presenta") if one in public + gremio]
    proofs = sorted((night.folder / "reports" / "turn-001").glob("proof*.json"))
    assert ["proof-Liga.json"] == [one.name for one in proofs if "sabotage/Corona/Liga" in one.read_text()]
    assert ["proof-Liga.json"] == [one.name for one in proofs if "bombardment/CE-4/Liga" in one.read_text()]


def test_orders_sent_in_private_to_an_open_game_are_answered(tmp_path: Path) -> None:
    """They count for nothing, and whoever sent them is told where orders belong."""
    night = start_night(tmp_path / "g", planted(), secret=False, options={"most_points": 99_999})
    night.tick()
    night.whisper("Liga", "producir")
    night.post("Corona", "esperar")
    night.post("Gremio", "esperar")
    night.whisper("Gremio", "esperar")
    night.tick(at=EARLY)
    night.tick(at=CLOSED)

    assert "publica el bloque en el tema" in night.sent("Liga")
    assert "No tenía órdenes tuyas" in night.sent("Liga")
    assert "**Liga** — sin órdenes" in night.public()
    assert "**Gremio** — ha publicado órdenes ([mensaje #4]" in night.public()


def test_the_views_leave_out_what_they_hide() -> None:
    """Everybody sees owners, the map and dominion; the Corona that, and its own; the Liga its own."""
    state = planted()
    public = RULESET.view(state, EVERYBODY, OPTIONS)

    assert {key: (one.owner, one.adjacent) for key, one in state.cells.items()} == {
        key: (one.owner, one.adjacent) for key, one in public.cells.items()
    }
    assert {} == public.armies
    assert {"E11": state.armies["E11"]} == RULESET.view(state, "Corona", OPTIONS).armies
    assert state.cells["CE-3"] == RULESET.view(state, "Liga", OPTIONS).cells["CE-3"]
    assert state.cells["CE-6"] == RULESET.view(state, "Liga", OPTIONS).cells["CE-6"]
    assert replace(state.cells["CE-7"], unexplored=False) == public.cells["CE-7"]
