"""Setups and options of `conquista`: what the director reads of a mistake, what is just about right, and who
sees what of a state.
"""

from __future__ import annotations

import copy
from dataclasses import fields
from typing import Any

import pytest

from jobs.catalogues import load_catalogue
from rules.conquista import RULESET
from rules.conquista.options import Options
from rules.conquista.report import template
from rules.conquista.resolve import STEPS
from rules.conquista.state import (
    Army,
    Building,
    Cell,
    Faction,
    Feature,
    Odds,
    Planet,
    State,
    free_army,
    in_block,
)
from rules.conquista.view import view
from rules.engine.audience import DIRECTOR_SEAT, EVERYBODY
from rules.engine.codec import load_state

SPANISH = load_catalogue("es", "rules.conquista")
SETUP: dict[str, Any] = {
    "planets": {"CE": {"name": "Ceniza", "exploration": {"colmena": 1}}, "VA": {"name": "Vado"}},
    "exploration": {"nada": 1},
    "cells": {
        "CE-1": {"owner": "Liga"},
        "CE-2": {"owner": "Corona", "adjacent": ["CE-1"]},
        "CE-3": {},
        "CE-4": {"unexplored": True},
        "VA-1": {"unexplored": True},
    },
    "factions": {"Liga": {"base": "CE-1"}, "Corona": {"block": 2}},
    "armies": {"E1": {"owner": "Liga", "cell": "CE-1", "troops": 1}},
}


def changed(changes: dict[str, Any]) -> State:
    """The setup with some other values, each named by its path; `...` takes one out."""
    data = copy.deepcopy(SETUP)
    for path, value in changes.items():
        *above, last = path.split("/")
        table = data
        for key in above:
            table = table.setdefault(key, {})
        table[last] = value
        if value is ...:
            del table[last]
    return load_state(State, data)


def read_faults(state: State, options: Options | None = None) -> list[str]:
    """What the director reads of a setup."""
    return [SPANISH.text(one) for one in RULESET.check(state, options or Options())]


SPOTS = {
    "cells/CE-1/at": [0, 0],
    "cells/CE-2/at": [100, -100],
    "cells/CE-3/at": [0, 1],
    "cells/CE-4/at": [1, 0],
}
WRONG: list[tuple[dict[str, Any], list[str]]] = [
    (
        {"cells/CE 3": {}},
        ["la casilla CE 3 tiene que llamarse con el código del planeta, un guion y un número, como CM-33"],
    ),
    (
        {"cells/\u212b-3": {}, "planets/\u212b": {"name": "Ångström"}},
        [
            (
                "la casilla \u212b-3 tiene que llamarse con el código del planeta, un guion y un número, "
                "como CM-33"
            )
        ],
    ),
    ({"cells/XX-1": {}}, ["la casilla XX-1 es de un planeta que no está en [planets]"]),
    ({"cells/XX-1": {"unexplored": True}}, ["la casilla XX-1 es de un planeta que no está en [planets]"]),
    ({"cells/CE-2/owner": "Orden"}, ["la casilla CE-2 es de Orden, que no está en [factions]"]),
    (
        {"cells/CE-2/adjacent": ["CE-9"]},
        [
            (
                "la casilla CE-2 tiene de vecina a CE-9, que no está en el mapa: "
                "corrige la clave o añade esa casilla a [cells]"
            )
        ],
    ),
    (
        {"cells/CE-2/adjacent": ["CE-2"]},
        ["la casilla CE-2 no puede ser vecina de sí misma"],
    ),
    (
        {"cells/CE-2/fortification": 4},
        ["la casilla CE-2 puede tener de 0 a 3 puntos de fortificación"],
    ),
    (
        {"cells/CE-2/fortification": -1},
        ["la casilla CE-2 puede tener de 0 a 3 puntos de fortificación"],
    ),
    (
        {"exploration/nada": -1, "cells/VA-1": {}},
        ["los pesos de exploration van de 0 en adelante y suman como mucho 1000"],
    ),
    ({"exploration/nada": 1001}, ["los pesos de exploration van de 0 en adelante y suman como mucho 1000"]),
    (
        {"planets/CE/exploration": {"manufactorum": 1, "colmena": 1000}},
        ["los pesos de planets/CE/exploration van de 0 en adelante y suman como mucho 1000"],
    ),
    (
        {"cells/CE-1/unexplored": True},
        [
            (
                "la casilla CE-1 es de Liga, así que ya está explorada: quítale unexplored y, si quieres, "
                "ponle feature"
            )
        ],
    ),
    (
        {"cells/CE-4/feature": "colmena"},
        [
            (
                "lo que hay en la casilla CE-4 se sortea cuando alguien entra: quítale unexplored, o bien "
                "feature, charted y su lugar en known"
            )
        ],
    ),
    (
        {"planets/CE/exploration": {}},
        [
            (
                "la casilla CE-4 está por explorar y no hay de dónde sortear: pon pesos en [exploration], o "
                "exploration en su planeta"
            )
        ],
    ),
    (
        {**SPOTS, "cells/CE-2/at": [1]},
        ["en la casilla CE-2, at son dos números, columna y fila, de −100 a 100: por ejemplo at = [2, 1]"],
    ),
    (
        {**SPOTS, "cells/CE-2/at": [1, -101]},
        ["en la casilla CE-2, at son dos números, columna y fila, de −100 a 100: por ejemplo at = [2, 1]"],
    ),
    (
        {**SPOTS, "cells/CE-4/at": ...},
        ["la casilla CE-4 no dice dónde se dibuja, y otras de su planeta sí: pon at en todas o en ninguna"],
    ),
    (
        {**SPOTS, "cells/CE-4/at": [0, 0]},
        ["las casillas CE-1 y CE-4 se dibujan en el mismo sitio: cambia el at de una"],
    ),
    ({"factions/Liga/base": "CE-2"}, ["la Base de Mando de Liga está en CE-2, que no es una casilla suya"]),
    ({"factions/Liga/base": "CE-9"}, ["la Base de Mando de Liga está en CE-9, que no es una casilla suya"]),
    (
        {"cells/CE-1/building": "generador"},
        ["la casilla CE-1 es una Base de Mando y no puede tener otro edificio"],
    ),
    ({"factions/Liga/known": ["CE-9", "CE-3"]}, ["Liga conoce la casilla CE-9, que no está en el mapa"]),
    ({"factions/Liga/supplies": -1}, ["Liga no puede empezar con suministros negativos"]),
    (
        {"factions/Corona/block": 1},
        ["la serie 1 de Corona está repetida o no vale: usa un número del 1 al 100 para cada facción"],
    ),
    (
        {"factions/Corona/block": 0},
        ["la serie 0 de Corona está repetida o no vale: usa un número del 1 al 100 para cada facción"],
    ),
    (
        {"factions/Corona/block": 101},
        ["la serie 101 de Corona está repetida o no vale: usa un número del 1 al 100 para cada facción"],
    ),
    (
        {"factions/I\u0301n": {"block": 3}},
        ["el nombre I\u0301n está escrito con acentos sueltos: vuelve a teclearlo"],
    ),
    (
        {"factions/director": {"block": 3}},
        ["una facción no puede llamarse director: es un nombre del programa"],
    ),
    (
        {"armies/E1/troops": 0},
        ["el ejército E1 necesita una facción, una casilla del mapa y al menos una tropa"],
    ),
    (
        {"armies/E1/owner": "Orden"},
        ["el ejército E1 necesita una facción, una casilla del mapa y al menos una tropa"],
    ),
    (
        {"armies/E1/cell": "CE-9"},
        ["el ejército E1 necesita una facción, una casilla del mapa y al menos una tropa"],
    ),
    (
        {"armies/E1/cell": "CE-2"},
        [
            (
                "el ejército E1 está en CE-2, que no es de su facción: "
                "ponlo en una suya o di en esa casilla de quién es (owner)"
            )
        ],
    ),
    (
        {"armies/E9": {"owner": "Corona", "cell": "CE-2", "troops": 1}},
        ["el ejército E9 no lleva un número de su facción: los suyos van de E11 a E19"],
    ),
    (
        {"cells/XX-1": {}, "factions/Liga/supplies": -1, "armies/E1/troops": 0},
        [
            "la casilla XX-1 es de un planeta que no está en [planets]",
            "Liga no puede empezar con suministros negativos",
            "el ejército E1 necesita una facción, una casilla del mapa y al menos una tropa",
        ],
    ),
]


@pytest.mark.parametrize(("changes", "expected"), WRONG, ids=lambda one: str(one)[:50])
def test_a_director_reads_what_is_wrong_with_a_setup(changes: dict[str, Any], expected: list[str]) -> None:
    """Each mistake has its answer, and no other answer comes with it."""
    assert expected == read_faults(changed(changes))


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"cells/CE-2/fortification": 3},
        {"cells/CE-2/building": "generador"},
        {"factions/Liga/base": "CE-1", "factions/Liga/supplies": 0},
        {"factions/Liga/base": ...},
        {"factions/Corona/block": 100},
        {**SPOTS, "cells/VA-1/at": [0, 0]},
        {"exploration/nada": 1000},
        {"exploration": {"manufactorum": 0, "colmena": 0, "nada": 1}},
        {"cells/CE-3": {"feature": "colmena", "charted": True}, "factions/Liga/known": ["CE-1", "CE-3"]},
    ],
    ids=str,
)
def test_what_is_just_about_right_is_accepted(changes: dict[str, Any]) -> None:
    """The least and the most of each value are allowed."""
    assert [] == read_faults(changed(changes))


NUMBERS = [one.name for one in fields(Options) if not isinstance(getattr(Options(), one.name), (bool, str))]
FROM_ONE = {
    "cells_per_action",
    "cells_per_supply",
    "steps",
    "troops_per_supply",
    "troops_per_bonus",
    "sabotage_die",
    "bombardment_die",
    "bombardment_reach",
}


@pytest.mark.parametrize("name", NUMBERS)
def test_each_option_has_its_least(name: str) -> None:
    """What divides, or is sides of a die, is at least 1, other numbers are from 0, in tables too."""
    least = int(name in FROM_ONE)
    table = isinstance(getattr(Options(), name), tuple)
    legal: Any = (least,) if table else least
    below: Any = (5, least - 1) if table else least - 1

    assert [] == read_faults(changed({}), Options(**{name: legal}))
    assert f"la opción {name} vale como poco {least}" == read_faults(changed({}), Options(**{name: below}))[0]


def test_options_that_can_end_the_game_before_it_begins() -> None:
    """Tables of costs need an entry; the last faction standing needs two to begin with."""
    assert ["la opción sabotage_costs necesita al menos un número"] == read_faults(
        changed({}), Options(sabotage_costs=())
    )
    assert [
        (
            "con last_standing la partida acaba cuando queda una sola facción con casillas: "
            "hacen falta al menos dos para empezar"
        )
    ] == read_faults(changed({"cells/CE-2/owner": ...}), Options(last_standing=True))
    assert [] == read_faults(changed({}), Options(last_standing=True))


@pytest.mark.parametrize(
    ("block", "numbers"),
    [
        (1, ((1, 9), (1001, 1999), (101_000, 199_999))),
        (2, ((11, 19), (2001, 2999), (201_000, 299_999))),
        (100, ((991, 999), (100_001, 100_999), (10_001_000, 10_099_999))),
    ],
)
def test_a_faction_has_three_ranges_of_army_numbers(block: int, numbers: tuple[tuple[int, int], ...]) -> None:
    """First and last of each belong to it, what stands before and behind doesn't; they are given in order."""
    used: set[str] = set()
    for first, last in numbers:
        assert f"E{first}" == free_army(block, used)
        used.update(f"E{number}" for number in range(first, last + 1))
        ends = (first - 1, first, last, last + 1)
        assert [False, True, True, False] == [in_block(f"E{number}", block) for number in ends]
    with pytest.raises(StopIteration):
        free_army(block, used)


def test_a_turn_goes_as_the_original_says() -> None:
    """The steps of a turn in their order, each with where it stands."""
    assert [
        ("open_ledger", "003: IMPORTANTE, lo que se tenía al empezar"),
        ("rounds", "003: EJEMPLO DE TURNO, 1 - Acciones"),
        ("production", "003: PRODUCCIÓN"),
        ("works", "003: CONSTRUIR"),
        ("cessions", "conquista.md: «production, works, cessions, dominion»"),
        ("bases", "conquista.md: «no new base (option)»"),
        ("dominion", "003: 3. Fase Final"),
    ] == [(step.name, step.source) for step in STEPS]


def test_what_a_setup_may_leave_out() -> None:
    """A cell is nobody's and empty, a faction has nothing and is called by its id."""
    state = load_state(State, {"planets": {}, "cells": {"CE-1": {}}, "factions": {"Liga": {}}})
    bare = Cell(None, (), None, None, 0, "", None, charted=False, unexplored=False)
    poor = Faction(0, None, 1, 0, (), (), shown="", article="", gender="", plural=False)
    assert ({"CE-1": bare}, {"Liga": poor}, {}) == (state.cells, state.factions, state.armies)


# who sees what

LIGA = Faction(supplies=4, base="CE-1", dominion=2, known=("CE-3", "CE-4"), shown="la Liga")
CORONA = Faction(supplies=7, base="CE-2", block=2, dominion=3, known=("CE-1",), shown="la Corona")
STATE = State(
    {"CE": Planet("Ceniza", 2)},
    {
        "CE-1": Cell("Liga", (), Feature.HIVE, None, 1),
        "CE-2": Cell("Corona", ("CE-1",), Feature.HIVE, None, 2),
        "CE-3": Cell("Corona", ("CE-2",), Feature.MANUFACTORUM, Building.SHIELD, 3, "El Puerto"),
        "CE-4": Cell(None, ("CE-2",), Feature.HIVE),
        "CE-5": Cell(None, ("CE-2",), Feature.HIVE, charted=True),
        "CE-6": Cell(None, ("CE-2",), unexplored=True),
    },
    {"Liga": LIGA, "Corona": CORONA},
    {"E1": Army("Liga", "CE-1", 3), "E11": Army("Corona", "CE-2", 5)},
    Odds(nada=3, colmena=1),
)


def test_a_player_sees_what_is_public_and_what_they_found() -> None:
    """Owners, names and dominion of all; features they know or the map shows; of others nothing else."""
    seen = view(STATE, "Liga", Options())

    assert {
        "CE-1": Cell("Liga", (), Feature.HIVE, None, 1),
        "CE-2": Cell("Corona", ("CE-1",)),
        "CE-3": Cell("Corona", ("CE-2",), Feature.MANUFACTORUM, name="El Puerto"),
        "CE-4": Cell(None, ("CE-2",), Feature.HIVE),
        "CE-5": Cell(None, ("CE-2",), Feature.HIVE, charted=True),
        "CE-6": Cell(None, ("CE-2",)),
    } == seen.cells
    assert {"Liga": LIGA, "Corona": Faction(block=2, dominion=3, shown="la Corona")} == seen.factions
    assert {"E1": Army("Liga", "CE-1", 3)} == seen.armies
    assert (STATE.planets, STATE.exploration) == (seen.planets, seen.exploration)


def test_everybody_sees_what_is_public_alone_and_the_director_all() -> None:
    """The public report is made of what everybody sees."""
    seen = view(STATE, EVERYBODY, Options())

    assert {key: Cell(one.owner, one.adjacent, name=one.name) for key, one in STATE.cells.items()} | {
        "CE-5": Cell(None, ("CE-2",), Feature.HIVE, charted=True)
    } == seen.cells
    assert {
        "Liga": Faction(dominion=2, shown="la Liga"),
        "Corona": Faction(block=2, dominion=3, shown="la Corona"),
    } == seen.factions
    assert {} == seen.armies
    assert STATE == view(STATE, DIRECTOR_SEAT, Options())


# what stands in a template

TEMPLATES = State(
    {"CE": Planet("Ceniza")},
    {
        "CE-1": Cell("Liga"),
        "CE-2": Cell("Liga", ("CE-1",)),
        "CE-9": Cell(None, ("CE-1",)),
        "CE-10": Cell(None, ("CE-1",)),
        "CE-11": Cell("Corona", ("CE-10",)),
        "CE-12": Cell("Gremio", ("CE-11",)),
        "CE-13": Cell("Gremio", ("CE-12",)),
    },
    {
        "Liga": Faction(supplies=4, base="CE-1", shown="la Liga"),
        "Corona": Faction(block=2),
        "Gremio": Faction(block=3),
    },
    {
        "E1001": Army("Liga", "CE-1", 3),
        "E9": Army("Liga", "CE-2", 2),
        "E2": Army("Liga", "CE-1", 5),
        "E21": Army("Gremio", "CE-13", 5),
    },
)


@pytest.mark.parametrize(
    ("seat", "comment", "examples"),
    [
        (
            "Liga",
            ["la Liga: 1 acción, 4 suministros. E2 (CE-1, 5), E9 (CE-2, 2), E1001 (CE-1, 3)"],
            ["mover E2 a CE-9", "producir"],
        ),
        ("Corona", ["Corona: 1 acción, 0 suministros."], []),
        ("Gremio", ["Gremio: 1 acción, 0 suministros. E21 (CE-13, 5)"], ["mover E21 a CE-12"]),
        (EVERYBODY, [], []),
    ],
)
def test_a_template_starts_from_what_one_has(seat: str, comment: list[str], examples: list[str]) -> None:
    """Actions, supplies and armies; a move to land of nobody, else to own land; producing with a base."""
    view = RULESET.look(TEMPLATES, seat, Options(), kind="turn", track="", number=1)
    told = template(view)

    assert comment == [SPANISH.text(one) for one in told.comments]
    assert examples == [SPANISH.text(one) for one in told.examples]
