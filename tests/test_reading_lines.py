"""The lines of a block in sequence: numbers, clauses, conditions, fallbacks, actors."""

from __future__ import annotations

from typing import Any

import pytest

from parsers.orders.lines import block_of, logical_lines
from parsers.orders.reading import BlockReading, read_orders
from rules.engine.arguments import Count, Pick, Words
from rules.engine.diagnostics import error
from rules.engine.orders import Order, clause, condition, order
from rules.engine.plan import Plan, Verdict
from rules.engine.ruleset import Kind
from rules.engine.view import View

WHO = Pick(lambda plan: {one: (one,) for one in plan.people}, "test/who", ids=False)
KIND = Kind(
    "test",
    orders=(
        order("tour", "recorrer {stops,}", stops=Count(1, 9), actors=WHO),
        order("walk", "andar {n}", n=Count(1, 9), actors=WHO),
        order(
            "write",
            "escribir {n}",
            n=Count(1, 9),
            actors=WHO,
            clauses=(
                clause("goal", "objetivo", forms=("{text}",), text=Words()),
                clause("if-good", "opción {n}", forms=("{text}",), n=Count(1, 3), text=Words()),
                clause("secret", "secreta"),
            ),
        ),
    ),
    steps=(),
    conditions=(condition("rain", "llueve", test=lambda *_: True),),
)


class TestPlan(Plan[None]):
    """A plan of a few people, which refuses to walk 9."""

    __test__ = False

    def __init__(self, *people: str) -> None:
        super().__init__(View(None, "Ana", None))
        self.people = people
        self.refusals: list[str] = []

    def accept(self, order: Order) -> Verdict:
        """Nine is too far."""
        too_far = order.name == "walk" and order["n"] == 9
        return Verdict(order, (error("test/too-far"),) if too_far else ())

    def refused(self, order: Order | None, text: str) -> None:
        """Keep what was refused."""
        self.refusals.append(text)


def read(text: str, *people: str) -> BlockReading:
    """Read a block's lines for a seat with these people."""
    plan: Plan[Any] = TestPlan(*(people or ("Ana",)))
    return read_orders(logical_lines(block_of(text)), KIND, plan)


def codes(reading: BlockReading) -> list[tuple[int, int, str]]:
    """Number, line and code of each finding."""
    return [(one.number, one.line, found.code) for one in reading.lines for found in one.findings]


def test_refused_lines_count_in_the_numbering() -> None:
    """`Ana#3` is the third order line, whatever became of the second."""
    reading = read("andar 1\n# nota\nandr 2\n\nandar 3\n")

    assert [1, 2, 3] == [one.number for one in reading.lines]
    assert [True, False, True] == [one.order is not None for one in reading.lines]
    assert [(2, 3, "parse/unknown-order")] == codes(reading)


def test_clauses_belong_to_the_order_above() -> None:
    """A clause may have an argument in its key, free text behind it, or nothing at all."""
    (line,) = read("escribir 2\nobjetivo: una carta: larga\nopción 1: breve\nsecreta\n").lines

    assert line.order is not None
    assert {"goal", "if-good", "secret"} == set(line.order.clauses)
    goal, option = line.order.clause("goal"), line.order.clause("if-good")
    assert goal is not None
    assert option is not None
    assert "una carta: larga" == goal["text"]
    assert (1, "breve") == (option["n"], option["text"])


def test_unknown_clause_refuses_the_whole_order() -> None:
    """One mistake gives one error, at the clause's own line, with the clauses that exist."""
    reading = read("escribir 2\nporqué: no sé\nandar 1\n")

    assert [(1, 2, "parse/unknown-clause")] == codes(reading)
    assert [False, True] == [one.order is not None for one in reading.lines]


def test_misspelt_clause_comes_with_the_right_one() -> None:
    """The key is a close miss, or lacks its colon; the order above isn't half carried out."""
    for written, code in (
        ("objetvo: el puente", "unknown-clause"),
        ("objetivo el puente", "clause-without-colon"),
    ):
        reading = read(f"escribir 1\n{written}", "Íñigo")

        assert [(1, 2, f"parse/{code}")] == codes(reading)
        assert ("objetivo: el puente",) == reading.lines[0].findings[0].suggest


def test_clauses_below_a_misspelt_verb_are_no_second_mistake() -> None:
    """`escrivir` was meant for `escribir`, so its clause belongs to it; the order below is one of its own."""
    reading = read("escrivir 1\nobjetivo: el puente\nandar 2", "Íñigo")

    assert [(1, 1, "parse/unknown-order")] == codes(reading)
    assert [1, 2] == [line.number for line in reading.lines]


def test_nobody_is_lost_below_an_order_with_clauses() -> None:
    """A misspelt name in front of a verb is an order of its own and not a clause of the one above."""
    reading = read("Íñigo: escribir 1\nMarta: andar 2\nÍñigoo: andar 3", "Íñigo", "Maestra")

    assert [(2, 2, "parse/unknown-actor"), (3, 3, "parse/unknown-actor")] == codes(reading)
    assert ("Íñigo: andar 3",) == reading.lines[2].findings[0].suggest
    assert reading.lines[0].order is not None


@pytest.mark.parametrize(
    ("written", "code", "right"),
    [
        ("si llueve, andar 2", "condition-without-colon", ("si llueve: andar 2",)),
        ("si llueve andar 2", "condition-without-colon", ()),
        ("sino: andar 2", "misspelt-fallback", ("si no: andar 2",)),
        ("si no andar 2", "misspelt-fallback", ("si no: andar 2",)),
        ("responder P1", "incomplete-reply", ()),
    ],
)
def test_a_line_that_lacks_its_colon_is_told_where(written: str, code: str, right: tuple[str, ...]) -> None:
    """The line above stands; this one counts with its own number and says what to write."""
    reading = read(f"andar 1\n{written}", "Íñigo")

    assert [(2, 2, f"parse/{code}")] == codes(reading)
    assert right == reading.lines[1].findings[0].suggest


@pytest.mark.parametrize("name", ["", "\u200b", "\u00a0", "😀", "@", "«", "…", "1"])
def test_nobody_in_front_of_a_colon_is_told(name: str) -> None:
    """Nothing to see, a picture, a mark: one error, whatever it is."""
    assert 1 == len(codes(read(f"{name}: andar 1", "Íñigo", "Maestra")))


def test_words_said_with_emphasis_are_the_same_words() -> None:
    """`¡Listo!`, `ninguna.`, an answer with its full stop."""
    assert read("andar 1\n¡Listo!", "Íñigo").ready
    assert read("Ninguna.").nothing
    assert (("P7", "abandonar"),) == read("Responder p7: abandonar.").replies


def test_a_directors_line_has_the_same_limit() -> None:
    """A correction isn't read as a block, and its lines may be as long as its file allows."""
    assert [(1, 1, "parse/line-too-long")] == codes(read("recorrer " + "1, " * 2000 + "1", "Íñigo"))


def test_hostile_lines_below_an_order_end_in_an_order_or_an_error() -> None:
    """A clause, a condition, a name or a list made to backtrack is told; none is an exception."""
    hostile = "recorrer " + "1, " * 160 + "fin"
    for line in (
        hostile,
        f"objetivo: {hostile}",
        f"opción {hostile}: x",
        f"si {hostile}: andar 1",
        f"{hostile}: andar 1",
    ):
        reading = read(f"escribir 1\n{line}", "Íñigo", "Maestra")

        assert all(one.order is not None or one.findings for one in reading.lines)


def test_refused_clause_is_shown_as_it_was_written() -> None:
    """The carets point into the line that holds the mistake, under the order's number."""
    (line,) = read("escribir 2\nopción 7: breve\n").lines

    assert (1, 2, "opción 7: breve") == (line.number, line.line, line.text)


def test_mistake_in_a_continued_line_is_placed_where_it_stands() -> None:
    """A line that ends in a comma goes on in the next, which has a number of its own."""
    assert [(1, 2, "parse/number-out-of-range")] == codes(read("recorrer 1, 2,\n77, 3\n"))


def test_clauses_of_a_refused_order_give_no_further_errors() -> None:
    """The verb commits: what follows belongs to it even where it is refused."""
    reading = read("escribir 77\nobjetivo: una carta\nandar 1\n")

    assert [(1, 1, "parse/number-out-of-range")] == codes(reading)


def test_clause_given_twice_is_an_error() -> None:
    """Which of the two counts is not guessed."""
    assert [(1, 3, "parse/clause-twice")] == codes(read("escribir 2\nobjetivo: a\nobjetivo: b\n"))


def test_condition_and_fallback_make_one_order() -> None:
    """`si …:` and `si no:` are one order with one number."""
    (line,) = read("si llueve: andar 1\nsi no: escribir 2\nobjetivo: una carta\n").lines

    assert line.order is not None
    assert line.order.condition is not None
    assert "rain" == line.order.condition.name
    assert line.order.otherwise is not None
    assert "write" == line.order.otherwise.name
    assert line.order.otherwise.clause("goal") is not None


def test_fallback_without_an_order_above_is_an_error() -> None:
    """`si no` needs something that may fail."""
    assert [(1, 1, "parse/fallback-alone")] == codes(read("si no: andar 1\n"))


def test_unknown_condition_names_those_that_exist() -> None:
    """A condition that the game doesn't know refuses its line alone."""
    reading = read("si nieva: andar 1\nandar 2\n")

    assert [(1, 1, "parse/unknown-condition")] == codes(reading)


def test_actor_in_front_is_read_and_may_be_left_out_where_only_one_could_act() -> None:
    """Who acts is named with a colon; with one character nobody needs to say so."""
    assert ["Ana"] == [one.order.actor for one in read("andar 1\n").lines if one.order]
    named = read("Bea: andar 1\nsi no: andar 2\n", "Ana", "Bea").lines[0].order
    assert named is not None
    assert named.otherwise is not None
    assert ("Bea", "Bea") == (named.actor, named.otherwise.actor)
    assert [(1, 1, "parse/who-acts")] == codes(read("andar 1\n", "Ana", "Bea"))


def test_order_that_the_plan_refuses_is_told_to_the_plan() -> None:
    """Names that it would have made count as known below it."""
    plan = TestPlan("Ana")
    reading = read_orders(logical_lines(block_of("andar 9\nandar 1\n")), KIND, plan)

    assert [(1, 1, "test/too-far")] == codes(reading)
    assert ["andar 9"] == plan.refusals


def test_ready_withdrawal_and_replies_are_no_orders() -> None:
    """`listo`, `ninguna` and `responder P1 …` are read without taking a number."""
    reading = read("andar 1\nlisto\nresponder p1 me rindo\n")

    assert reading.ready
    assert not reading.nothing
    assert (("P1", "me rindo"),) == reading.replies
    assert [1] == [one.number for one in reading.lines]
    assert read("ninguna\n").nothing
    assert not read("andar 1\nninguna\n").nothing
