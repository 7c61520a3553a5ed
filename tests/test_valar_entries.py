"""Which entries of the catalogues of `valar` can apply, and how one is chosen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from rules.engine.dice import Dice, Ptd1Source
from rules.engine.turn import Turn, TurnInput
from rules.valar import RULESET
from rules.valar.bands import Band
from rules.valar.entries import CATALOGUES, NONE, WHOLE, Case, EntryKind
from rules.valar.options import Options
from rules.valar.resolve.consequences import bring
from rules.valar.resolve.ledger import open_ledger
from rules.valar.state import Clock, Condition, House, Mission, Recipe, State, Token

SUFFERED = "valar/consequence-suffered"
ROOT = Path(__file__).resolve().parent.parent
ORIGINAL = {EntryKind.MAJOR: 14, EntryKind.MINOR: 11, EntryKind.IMPROVEMENT: 12}
"""Lines of the original's three lists."""


def make_dice() -> Dice:
    """Dice of a turn, with a secret for the houses' own."""
    return Dice(Ptd1Source("rehearse", 3, bytes(32), secret=bytes(32)))


def make_case(
    *, success: bool = True, tokens: dict[str, Token] | None = None, dice: Dice | None = None
) -> Case:
    """A mission "Cruzar" of the house Aldana that was rolled just now."""
    band = Band.SLIGHT_SUCCESS if success else Band.FAILURE
    every = tokens if tokens is not None else {"Capitana": Token(), "Explorador": Token()}
    house = House(tokens=every, missions={"cruzar": Mission("Cruzar", tokens=tuple(every), band=band)})
    state = State({"Aldana": house, "Brezo": House(tokens={"Senescal": Token()})})
    given = TurnInput(state, {}, Options(), number=3)
    turn = Turn(RULESET, RULESET.main_kind, given, state, dice or make_dice())
    open_ledger(turn)
    return Case(turn, "Aldana", "cruzar", house.missions["cruzar"], band, success)


def targets(case: Case, kind: str, entry: str) -> tuple[str, ...]:
    """What an entry may fall on."""
    return CATALOGUES[EntryKind(kind)][entry].targets(case)


def test_the_catalogues_have_the_lines_of_the_original() -> None:
    """One entry for each line, each with a golden of its own that quotes it."""
    assert {kind: len(entries) for kind, entries in CATALOGUES.items()} == ORIGINAL
    for kind, entries in CATALOGUES.items():
        for key, entry in entries.items():
            golden = ROOT / "tests" / "golden" / "valar" / f"{kind}-{key}.toml"
            assert f"«{entry.source}»" in golden.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("kind", "entry"),
    [
        ("mayor", "contraproducente"),
        ("mayor", "reloj-marca"),
        ("mayor", "relacionada"),
        ("mayor", "vasallo"),
        ("mayor", "grupo"),
        ("menor", "reloj-marca"),
        ("menor", "relacionada"),
        ("menor", "vasallo"),
        ("menor", "grupo"),
        ("mejora", "usos-fuera"),
        ("mejora", "usos-extra"),
        ("mejora", "duracion"),
        ("mejora", "reloj-marca"),
        ("mejora", "relacionada"),
        ("mejora", "vasallo"),
        ("mejora", "grupo"),
    ],
)
def test_what_has_nothing_to_fall_on_is_not_drawn(kind: str, entry: str) -> None:
    """No vassal, no group, no clock, no Usos, no mission to come, nothing made longer; a success can't be
    counterproductive.
    """
    assert NONE == targets(make_case(), kind, entry)


def _recipe(case: Case) -> None:
    case.state.recipes["paso"] = Recipe("Paso")
    case.mission.recipe = "paso"


def _vassals(case: Case) -> None:
    case.owner.vassals = {"Orla": 1}
    case.owner.groups = {"ribera": ("Orla",)}


def _uses(uses: int) -> Callable[[Case], None]:
    def prepare(case: Case) -> None:
        case.owner.tokens["Capitana"].uses = uses

    return prepare


def _clock(sign: int) -> Callable[[Case], None]:
    def prepare(case: Case) -> None:
        case.state.clocks["asedio"] = Clock("El asedio", 8, sign=sign, known_to=("Aldana",))

    return prepare


def _longer(case: Case) -> None:
    case.longer = 1


@pytest.mark.parametrize(
    ("kind", "entry", "prepare", "expected"),
    [
        ("mayor", "relacionada", _recipe, WHOLE),
        ("mayor", "vasallo", _vassals, ("Orla",)),
        ("menor", "grupo", _vassals, ("ribera",)),
        ("mejora", "usos-fuera", _uses(3), ("Capitana",)),
        ("mejora", "usos-fuera", _uses(2), NONE),
        ("mejora", "usos-extra", _uses(2), ("Capitana",)),
        ("mejora", "usos-extra", _uses(3), NONE),
        ("mayor", "usos", _uses(2), ("Explorador",)),
        ("menor", "reloj-marca", _clock(-1), ("asedio",)),
        ("menor", "reloj-marca", _clock(1), NONE),
        ("mejora", "reloj-marca", _clock(1), ("asedio",)),
        ("mejora", "duracion", _longer, WHOLE),
    ],
)
def test_what_there_is_can_be_drawn(
    kind: str, entry: str, prepare: Callable[[Case], None], expected: tuple[str, ...]
) -> None:
    """Each condition makes its entry possible, and no other."""
    case = make_case()
    prepare(case)

    assert expected == targets(case, kind, entry)


def test_lost_tokens_and_foreign_ones_are_no_targets() -> None:
    """Only those that take part and are still there."""
    case = make_case(tokens={"Capitana": Token(), "Explorador": Token(Condition.LOST)})

    assert ("Capitana",) == targets(case, "menor", "herida")
    case.mission.supporters = {"Brezo": ("Senescal",)}
    assert ("Capitana", "Brezo: Senescal") == targets(case, "menor", "herida")


def test_a_mission_without_tokens_hurts_nobody() -> None:
    """What is about tokens isn't drawn then."""
    case = make_case(success=False, tokens={})

    about_tokens = {"heridas", "herida-grave", "usos", "retrasos"}
    assert set() == {key for key in about_tokens if targets(case, "mayor", key)}
    assert WHOLE == targets(case, "mayor", "contraproducente")


def test_no_entry_comes_twice_while_another_can_apply() -> None:
    """Each comes once before one comes again; a clock that a result makes, the same result can mark."""
    case = make_case()
    possible = {key for key, one in CATALOGUES[EntryKind.MINOR].items() if one.targets(case)}

    bring(case, EntryKind.MINOR, len(possible) + 2)
    came = Counter(str(one.data["entry"]) for one in case.turn.events if one.id == SUFFERED)
    assert possible | {"reloj-marca"} == came.keys()
    assert [1] * len(possible) + [2] == sorted(came.values())


def test_preferences_are_taken_in_their_order_while_they_can_apply() -> None:
    """One that can't is passed over; what is left is drawn."""
    dice = make_dice()
    case = make_case(dice=dice)
    case.mission.consequences = ("vasallo", "secretos", "herida")

    bring(case, EntryKind.MINOR, 2)
    came = [one.data["entry"] for one in case.turn.events if one.id == SUFFERED]
    assert ["secretos", "herida"] == came
    assert ["target/Aldana/cruzar"] == [one.label for one in case.turn._dice.rolls]
