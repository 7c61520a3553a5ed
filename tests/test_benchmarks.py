"""The benchmarks compare like with like: floor and product give the same records (design.md 11)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from benchmarks import dice, growth, lines, pages, turns
from benchmarks.floors.page import extract
from benchmarks.worlds import Size, make_options, make_state
from processor.pipeline.resolving import resolve_turn
from rules.conquista import RULESET
from rules.conquista.check import check
from rules.conquista.resolve.ledger import ledger_of
from rules.engine.ruleset import Step
from rules.engine.turn import Turn

SMALL = Size(4, 400, 200)
FLOORS = Path(__file__).resolve().parent.parent / "benchmarks" / "floors"


def test_a_page_and_its_floor_give_the_same_posts() -> None:
    """The obvious extraction finds the posts that the parser finds, with authors, times and texts."""
    page = pages.make_page(7)
    assert pages.read_posts(page) == extract(page)
    assert 7 == len(extract(page))


def test_order_lines_and_their_floor_say_the_same() -> None:
    """Each right line is the same order to the matcher and to the bare parser; wrong ones are no order."""
    desk = lines.Desk()
    lines.check(desk)
    assert 50 == len(desk.right)


def test_logged_rolls_fall_like_plain_ones() -> None:
    """The dice of a turn are those of the plain reference, whoever may know them."""
    logged = [(one.label, one.index, one.sides, one.value) for one in dice.roll_logged(40).rolls]
    assert dice.roll_plainly(40) == logged


def test_floors_are_short() -> None:
    """A floor that anybody can judge has at most 30 lines."""
    long = [one.name for one in FLOORS.glob("*.py") if len(one.read_text("utf-8").splitlines()) > 30]
    assert [] == long


def test_a_made_up_game_is_a_good_game() -> None:
    """What is measured is a game that `turnero check` would take, and nearly all of its orders stand."""
    for size in (SMALL, growth.FULL):
        assert () == tuple(check(make_state(size), make_options(size)))
    played = growth.play(SMALL)
    assert played.accepted > 0.9 * SMALL.orders
    assert played.texts == 4 + 2


def test_who_stands_where_is_what_the_ledger_says() -> None:
    """At the end of a big turn every army is among those that the ledger knows in its cell."""
    table = turns.set_table(SMALL)
    unknown: list[str] = []

    def look(turn: Turn) -> None:
        stood = ledger_of(turn).stood
        unknown.extend(key for key, army in turn.state.armies.items() if key not in stood[army.cell])

    kind = replace(RULESET.main_kind, steps=(*RULESET.main_kind.steps, Step("look", look)))
    play = replace(table.play, kind=kind)
    result = resolve_turn(play, turns.lock(table, turns.read(table)), turns.SECRETS)
    assert not result.held
    assert [] == unknown
