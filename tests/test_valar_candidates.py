"""What each entry of `valar`'s catalogues may fall on, and what it changes, one at a time."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from rules.engine.audience import DIRECTOR, only
from rules.engine.events import Event
from rules.valar.bands import Band
from rules.valar.entries import CATALOGUES, Case, EntryKind
from rules.valar.options import Options
from rules.valar.state import (
    Balance,
    Clock,
    Condition,
    Grades,
    House,
    Memory,
    Mission,
    Modifier,
    Recipe,
    Side,
    State,
    Token,
)

MAJOR, MINOR, GOOD = (CATALOGUES[kind] for kind in EntryKind)
PUBLIC = ("public",)


def a_case(*, rolled: bool = True, success: bool = True, **mission: Any) -> Case:
    """A mission of Aldana's in the third turn, with a token; what it tells is kept in `events`."""
    state = State({"Aldana": House(tokens={"Uno": Token()}), "Brezo": House()}, {"paso": Recipe("Paso")})
    made = Mission("El vado", 1, 3, tokens=("Uno",), band=Band.SUCCESS if rolled else None, **mission)
    state.houses["Aldana"].missions["el-vado"] = made
    events: list[Event] = []
    turn: Any = SimpleNamespace(
        state=state, options=Options(), number=3, scratch={}, tell=events.append, events=events
    )
    return Case(turn, "Aldana", "el-vado", made, Band.SUCCESS, success)


def told(case: Case, event_id: str) -> dict[str, Any]:
    """The data of the one event of that id."""
    (found,) = (one for one in case.turn.events if one.id == f"valar/{event_id}")
    return dict(found.data)


CLOCKS = {
    "own": Clock("Propio", 8, house="Aldana"),
    "all": Clock("De todos", 8, known_to=PUBLIC),
    "told": Clock("Contado", 8, known_to=("Aldana", "Brezo")),
    "hidden": Clock("Oculto", 8),
    "foreign": Clock("Ajeno", 8, house="Brezo", known_to=PUBLIC),
    "other": Clock("De otra", 8, known_to=("Brezo",)),
    "closed": Clock("Cerrado", 8, closed=True, known_to=PUBLIC),
    "waits": Clock("Espera", 8, waits=True, known_to=PUBLIC),
    "full": Clock("Lleno", 8, marked=8, known_to=PUBLIC),
    "good": Clock("Bueno", 8, sign=1, known_to=PUBLIC),
    "neither": Clock("Neutro", 8, sign=0, known_to=PUBLIC),
}
BALANCES = {
    "court": Balance("Corte", 4, good={"Aldana": Side.LEFT}, known_to=PUBLIC),
    "secret": Balance("Secreta", 4, good={"Aldana": Side.LEFT}),
    "theirs": Balance("De otra", 4, good={"Brezo": Side.LEFT}, known_to=PUBLIC),
    "ended": Balance("Acabada", 4, at=4, good={"Aldana": Side.LEFT}, closed=True, known_to=PUBLIC),
}


def test_clocks_are_those_that_run_and_that_the_house_knows() -> None:
    """Of its sign, everybody's or its own; balances with a side marked for it; never what is hidden."""
    case = a_case()
    case.state.clocks, case.state.balances = dict(CLOCKS), dict(BALANCES)

    assert ("own", "all", "told", "court") == MAJOR["reloj-marca"].targets(case)
    assert ("good", "court") == GOOD["reloj-marca"].targets(case)


@pytest.mark.parametrize(("good", "bad_at", "good_at"), [(Side.LEFT, 2, -1), (Side.RIGHT, -2, 1)])
def test_a_balance_leans_by_what_is_good_for_the_house(good: Side, bad_at: int, good_at: int) -> None:
    """A consequence moves it to the other side."""
    for entry, at in ((MINOR["reloj-marca"], bad_at), (GOOD["reloj-marca"], good_at)):
        case = a_case()
        case.state.balances["court"] = Balance("Corte", 4, good={"Aldana": good}, known_to=PUBLIC)
        entry.apply(case, "court")
        assert at == case.state.balances["court"].at


def test_what_a_mission_makes_is_its_houses() -> None:
    """A clock and a memory named after it, numbered where there is one of that name, known to the house."""
    case = a_case()
    for _ in range(2):
        MAJOR["reloj-nuevo"].apply(case, "")
        MINOR["recuerdo"].apply(case, "")

    assert ["aldana-el-vado", "aldana-el-vado-2"] == list(case.state.clocks)
    assert Clock("El vado", 4, house="Aldana", known_to=("Aldana",)) == case.state.clocks["aldana-el-vado"]
    assert Memory("El vado", "Aldana", sign=-1) == case.state.memories["aldana-el-vado-2"]


def test_groups_have_members() -> None:
    """One that is empty is nobody's."""
    case = a_case()
    case.owner.vassals = {"Torre": 1}
    case.owner.groups = {"vacío": (), "ribera": ("Torre",)}

    assert ("ribera",) == MINOR["grupo"].targets(case)


@pytest.mark.parametrize(
    ("mission", "modifiers"),
    [
        ({"related": "la-torre", "recipe": "paso"}, (Modifier(-1, 3, None, "la-torre"),)),
        ({"related": "la-torre"}, (Modifier(-1, 3, None, "la-torre"),)),
        ({"recipe": "paso"}, (Modifier(-1, 3, "paso", None),)),
        ({}, ()),
    ],
)
def test_a_related_mission_is_the_one_named_else_of_the_recipe(
    mission: dict[str, Any], modifiers: tuple[Modifier, ...]
) -> None:
    """Without either there is none that it could be about."""
    case, entry = a_case(**mission), MINOR["relacionada"]
    for target in entry.targets(case):
        entry.apply(case, target)

    assert modifiers == case.owner.modifiers


@pytest.mark.parametrize(
    ("rolled", "resolves", "longer", "possible"),
    [
        (True, 3, 0, False),
        (True, 3, 1, True),
        (True, 4, 0, True),
        (False, 3, 0, False),
        (False, 4, 0, False),
        (False, 5, 0, True),
    ],
)
def test_a_duration_can_be_shortened_where_some_is_left(
    rolled: bool, resolves: int, longer: int, possible: bool
) -> None:
    """What is rolled ends with this turn; what isn't can be rolled in the next one at the earliest."""
    case = a_case(rolled=rolled)
    case.mission.resolves, case.longer = resolves, longer

    assert possible is bool(GOOD["duracion"].targets(case))


@pytest.mark.parametrize(("rolled", "longer"), [(True, True), (False, False)])
def test_a_longer_duration_says_whether_the_dice_have_fallen(rolled: bool, longer: bool) -> None:
    """Only then the effect comes later; a shorter one never says so."""
    case = a_case(rolled=rolled)
    MINOR["duracion"].apply(case, "")
    first = told(case, "duration-changed")
    case.turn.events.clear()
    GOOD["duracion"].apply(case, "")
    second = told(case, "duration-changed")

    assert (1, 1, longer) == (first["change"], first["longer"], first["rolled"])
    assert (-1, 0, False) == (second["change"], second["longer"], second["rolled"])


@pytest.mark.parametrize(
    ("entry", "said", "shifted"),
    [(MINOR["efecto"], "smaller-effect", -1), (GOOD["efecto"], "greater-effect", 1)],
)
def test_an_effect_without_grades_is_told_to_the_director(entry: Any, said: str, shifted: int) -> None:
    """With grades it is the grade that moves, and nobody has to say more."""
    case = a_case()
    entry.apply(case, "")
    assert (shifted, said) == (case.shifted, told(case, "open-item")["what"])
    assert {DIRECTOR} == {one.audience for one in case.turn.events}

    graded = a_case(recipe="paso")
    graded.state.recipes["paso"].grades = Grades()
    entry.apply(graded, "")
    assert (shifted, []) == (graded.shifted, graded.turn.events)


@pytest.mark.parametrize(
    ("condition", "uses"), [(Condition.RESTED, 3), (Condition.TIRED, 2), (Condition.HURT, 1)]
)
def test_uses_go_by_condition(condition: Condition, uses: int) -> None:
    """004: "Ileso 3, Agotado 2, Dañado 1"."""
    case = a_case()
    case.owner.tokens["Uno"].condition = condition
    MAJOR["usos"].apply(case, "Uno")

    assert uses == case.owner.tokens["Uno"].uses
    assert {"Uno"} == case.gained


@pytest.mark.parametrize(
    ("uses", "extra", "away", "new"),
    [
        (None, (), (), ("Uno",)),
        (0, (), (), ()),
        (1, ("Uno",), (), ()),
        (2, ("Uno",), (), ()),
        (3, (), ("Uno",), ()),
        (4, (), ("Uno",), ()),
    ],
)
def test_uses_grow_below_three_and_go_from_three_on(
    uses: int | None, extra: tuple[str, ...], away: tuple[str, ...], new: tuple[str, ...]
) -> None:
    """004: "con Usos (3 o más) se pierde la regla", "con Usos (1 ó 2) gana 1 uno extra"."""
    case = a_case()
    case.owner.tokens["Uno"].uses = uses

    assert (extra, away, new) == tuple(
        entry.targets(case) for entry in (GOOD["usos-extra"], GOOD["usos-fuera"], MAJOR["usos"])
    )
    GOOD["usos-extra"].apply(case, "Uno")
    assert (uses or 0) + 1 == case.owner.tokens["Uno"].uses


@pytest.mark.parametrize(("busy", "then"), [(None, 4), (3, 3), (6, 6)])
def test_a_delay_makes_a_free_token_busy(busy: int | None, then: int) -> None:
    """One that is busy has its turn added when its mission ends."""
    case = a_case()
    case.owner.tokens["Uno"].busy_until = busy
    MINOR["retraso"].apply(case, "Uno")

    assert (then, 1) == (case.owner.tokens["Uno"].busy_until, case.owner.tokens["Uno"].delay)


def test_lost_tokens_suffer_no_more() -> None:
    """They are no targets, and without others nothing falls on tokens."""
    case = a_case()
    case.owner.tokens["Uno"].condition = Condition.LOST

    on_tokens = ("heridas", "herida-grave", "usos", "retrasos")
    assert {()} == {MAJOR[one].targets(case) for one in on_tokens}


def test_damage_stops_at_lost() -> None:
    """Two levels on one that is hurt are one."""
    for condition, left in (
        (Condition.RESTED, Condition.HURT),
        (Condition.TIRED, Condition.LOST),
        (Condition.HURT, Condition.LOST),
    ):
        case = a_case()
        case.owner.tokens["Uno"].condition = condition
        MAJOR["herida-grave"].apply(case, "Uno")
        assert left is case.owner.tokens["Uno"].condition


def test_what_needs_no_target_names_none() -> None:
    """Secrets are the house's as a whole; what is against it is for failures, effects for successes."""
    won, lost = a_case(), a_case(success=False)

    assert ("",) == MAJOR["secretos"].targets(won)
    assert ((), ("",)) == (MAJOR["contraproducente"].targets(won), MAJOR["contraproducente"].targets(lost))
    assert (("",), ()) == (MINOR["efecto"].targets(won), MINOR["efecto"].targets(lost))
    assert (0, only("Aldana")) == (won.total, won.own)
