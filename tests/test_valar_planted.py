"""Planted secrets of a game of `valar` through the whole pipeline: who could read what, byte by byte."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from processor.store.tables import games
from rules.engine.codec import load_state
from rules.valar.state import State
from tests.support.secret_night import CLOSED, EARLY, LATE, SecretNight
from tests.support.valar_night import start_night
from tests.test_valar_secrets import PLANTED

pytestmark = pytest.mark.sqlite  # what is told to whom is made before it is stored

SAID = ("plantad", "40417", "50517")
"""Words and numbers that are the house Aldana's, or the director's."""

KNOWN_TO_ALDANA = (
    'crear reloj "Reloj plantado nuevo" de 6\nconocido por: Aldana',
    'tirada de fortuna "¿Suerte plantada?" factores +1 para Aldana',
    'factor +3 en "Misión plantada" de Aldana por "Luna plantada"',
    'marcar reloj "Reloj plantado" 1',
    'crear recuerdo "Deuda plantada" menor malo para Aldana',
)
HIDDEN = (
    'crear reloj "Trama oculta" de 6',
    'tirada de fortuna "¿Traición oculta?" factores +1',
    'crear recuerdo "Rencor oculto" mayor malo para Brezo\noculto',
    'crear reloj "A la vista" de 8\nconocido por: todos\nsuceso: estalla lo oculto',
)
OPEN = 'tirada de fortuna "¿Llueve en la feria?" para todos'


def planted() -> State:
    """The planted state, with Aldana's mission due in the first turn."""
    data: dict[str, Any] = copy.deepcopy(PLANTED)
    data["houses"]["Aldana"]["missions"]["mision-plantada"] |= {"started": 0, "resolves": 1}
    data["houses"]["Aldana"]["modifiers"] = []
    return load_state(State, data)


def directed(order: str, reason: str) -> dict[str, Any]:
    """An order of the director's own."""
    return {"add": "director", "order": order, "reason": reason}


def play_night(night: SecretNight, *, secret: bool) -> None:
    """A house and the director act on what others don't know; in an open game only the director does."""
    night.tick()
    if secret:
        orders = 'misión "Otra plantada": Segundo-plantado', "objetivo: más plantado", "bailar plantado"
        night.whisper("Aldana", "# plantada-nota", *orders)
    night.post("Brezo", 'misión "Contar sacos": Senescal')
    night.tick(at=EARLY)
    night.correct(
        *(directed(one, "motivo-plantado") for one in KNOWN_TO_ALDANA),
        *(directed(one, "motivo-oculto") for one in HIDDEN),
        directed(OPEN, "motivo-abierto"),
    )
    night.tick(at=LATE)
    night.tick(at=CLOSED)


@pytest.fixture(scope="module", params=[True, False], ids=["secret", "open"])
def night(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> SecretNight:
    """A whole turn and the opening of the next, with everything planted, of a secret and of an open game."""
    folder: Path = tmp_path_factory.mktemp("cronica") / "g"
    made = start_night(folder, planted(), secret=request.param)
    play_night(made, secret=request.param)
    return made


def test_the_night_was_played(night: SecretNight) -> None:
    """Opening, lock, report and next turn are public; house and director are told what is theirs."""
    public, aldana, director = night.public(), night.sent("Aldana"), night.sent("director")

    wanted = ("Sello de las órdenes", '"commitment"', "turno 2", "motivo-abierto", "¿Llueve en la feria?")
    assert [] == [one for one in wanted if one not in public]
    told = ("Reloj plantado nuevo", "¿Suerte plantada?", "Luna plantada", "Deuda plantada", "motivo-plantado")
    hidden = ("Trama oculta", "Rencor oculto", "motivo-oculto")
    assert [] == [one for one in (*told, "Misión plantada") if one not in aldana]
    assert [] == [one for one in (*told, *hidden) if one not in director]


@pytest.mark.parametrize("reader", ["public", "Brezo", "Cardo"])
def test_a_planted_secret_is_in_no_byte_for_others(night: SecretNight, reader: str) -> None:
    """No name, word or number of Aldana's, and nothing that the director keeps: posts, pages, proofs."""
    text = (night.public() if reader == "public" else night.public() + night.sent(reader)).lower()

    assert [] == [one for one in (*SAID, "ocult") if one in text]


def test_a_house_isnt_told_what_the_director_keeps(night: SecretNight) -> None:
    """Nor why; of a clock that all know of nobody reads what will happen."""
    assert "ocult" not in (night.public() + night.sent("Aldana")).lower()
    assert "«A la vista»" in night.public()


def test_everybody_hears_of_the_same_number_of_corrections(night: SecretNight) -> None:
    """How many hidden orders the director has given shows nowhere: not in the lock, nor as veiled lines."""
    (closed,) = {line for line in night.public().splitlines() if "Turno cerrado." in line}

    assert "corrección" not in closed
    assert "corrección a" not in night.public().lower()


def test_seeds_of_groups_are_in_no_public_byte(night: SecretNight) -> None:
    """Aldana's dice stand in its own proof alone, the director's in the director's; H in no byte at all."""
    with night.service.database.read() as connection:
        (secret,) = connection.execute(select(games.c.secret)).scalars()
    folder = night.folder / "reports" / "turn-001"
    proofs = {one.stem: one.read_text(encoding="utf-8") for one in sorted(folder.glob("proof*.json"))}
    every = [night.public(), *(night.sent(one) for one in ("Aldana", "Brezo", "Cardo", "director"))]

    assert [] == [one for one in every if secret in one]
    assert ["proof-Aldana"] == [name for name, text in proofs.items() if "fortune/Aldana/" in text]
    assert ["proof-Aldana"] == [name for name, text in proofs.items() if "mission/Aldana/" in text]
    assert ["proof-director"] == [name for name, text in proofs.items() if "fortune/director/" in text]
    assert ["proof"] == [name for name, text in proofs.items() if "fortune/public/" in text]
