"""What was read of a turn comes back from the store as it was."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from processor.pipeline.locking import freeze
from rules.conquista.state import Building
from rules.engine.diagnostics import Diagnostic, Severity, Span
from rules.engine.messages import Code, Message, Name, Quoted
from rules.engine.orders import Args, Order
from rules.engine.orders import Test as Condition
from rules.engine.turn import Facts
from rules.play.archive import ArchiveError, dump_reading, dump_value, load_reading, load_value
from rules.play.reading import LineRead, PostRef, SeatReading, SkippedText, Submission, TurnReading
from tests.support.fair import BOT, SECRETS, Topic, block, make_play

words = st.text(max_size=8)
keys = st.text(min_size=1, max_size=8)
numbers = st.integers(-(2**70), 2**70)
scalars = words | numbers | st.booleans() | st.none()
spans = st.builds(Span, st.integers(0, 50), st.integers(0, 50))
names = st.builds(Name, words, words, st.booleans(), words)
params = st.recursive(
    words | numbers | st.none() | st.builds(Quoted, words) | st.builds(Code, words) | names,
    lambda inner: (
        st.builds(Message, keys, st.dictionaries(keys, inner, max_size=3))
        | st.lists(inner, max_size=3).map(tuple)
    ),
    max_leaves=6,
)
messages = st.builds(Message, keys, st.dictionaries(keys, params, max_size=3))
diagnostics = st.builds(
    Diagnostic, messages, st.sampled_from(Severity), st.none() | spans, st.lists(words, max_size=3).map(tuple)
)


def _tables(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Args]:
    return st.builds(Args, st.dictionaries(keys, inner, max_size=3), st.integers(0, 3))


values = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=3).map(tuple)
        | _tables(inner)
        | st.builds(Condition, keys, _tables(inner), words)
    ),
    max_leaves=8,
)
conditions = st.builds(Condition, keys, _tables(values), words)
orders = st.recursive(
    st.builds(
        Order,
        seat=words,
        number=st.integers(0, 200),
        name=keys,
        args=_tables(values),
        text=words,
        actor=st.none() | words,
        clauses=st.dictionaries(keys, st.lists(_tables(values), max_size=2).map(tuple), max_size=2),
        marks=st.frozensets(words, max_size=3),
        condition=st.none() | conditions,
        post=st.none() | words,
        secret=st.booleans(),
        assigned=st.dictionaries(keys, words, max_size=2),
    ),
    lambda inner: st.builds(
        Order,
        seat=words,
        number=st.integers(1, 9),
        name=keys,
        args=_tables(inner),
        text=words,
        otherwise=inner,
    ),
    max_leaves=3,
)
moments = st.datetimes(datetime(2020, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001 - UTC is added
posts = st.builds(PostRef, words, st.none() | st.integers(1, 999), words, moments, st.booleans())
lines = st.builds(
    LineRead,
    st.integers(0, 200),
    st.integers(1, 999),
    words,
    st.none() | orders,
    st.none() | messages,
    st.lists(diagnostics, max_size=2).map(tuple),
)
blocks = st.builds(
    Submission,
    seat=words,
    post=posts,
    lines=st.lists(lines, max_size=3).map(tuple),
    valid=st.booleans(),
    withdrawal=st.booleans(),
    append=st.booleans(),
    standing=st.booleans(),
    ready=st.booleans(),
    problems=st.lists(diagnostics, max_size=2).map(tuple),
    replies=st.lists(st.tuples(words, words), max_size=2).map(tuple),
    text=words,
    salt=words,
)
several = st.lists(blocks, max_size=2).map(tuple)
seats = st.builds(SeatReading, words, several, st.none() | blocks, several)
skipped = st.lists(
    st.builds(SkippedText, posts, words, st.none() | words, words, st.none() | st.integers(1, 99), words),
    max_size=2,
).map(tuple)
readings = st.builds(
    TurnReading,
    st.lists(seats, max_size=2).map(tuple),
    skipped,
    skipped,
    st.dictionaries(
        words, st.builds(Facts, st.integers(0, 999), st.lists(words, max_size=2).map(tuple)), max_size=2
    ),
)


@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])  # a reading is large
@given(readings)
def test_any_reading_comes_back(reading: TurnReading) -> None:
    """Orders in orders, arguments of every type, messages in messages: equal, and written equally again."""
    text = dump_reading(reading)

    back = load_reading(text)

    assert reading == back
    assert text == dump_reading(back)


@given(values)
def test_values_keep_their_types(value: Any) -> None:
    """True stays True and isn't 1, a tuple stays a tuple."""
    assert repr(value) == repr(load_value(dump_value(value)))


def test_a_real_turn_comes_back() -> None:
    """A frozen turn with private, refused, conditional and held orders."""
    topic = Topic()
    held = "esperar a que Bea juegue: jugar en Tómbola"
    topic.post("Ana", block(held, "si no: trabajar", "bailar"), 60)
    topic.post(
        "Bea", block("si llueve: trabajar", "si no: jugar en Tiro al blanco", "casi: tirar"), 50, private=True
    )
    topic.post("Ciro", "> [órdenes]\n\n[órdenes]\ntrabajar", 40)
    reading = freeze(make_play(secret=True), topic.versions, BOT, "", SECRETS).reading

    assert reading == load_reading(dump_reading(reading))
    assert 3 == len(reading.seat("Ana").lines) + len(reading.seat("Bea").lines)


def test_enumerations_of_rule_sets_are_kept_as_their_text() -> None:
    """A member of a text enumeration equals its text, and that is what comes back."""
    assert Building.OUTPOST == load_value(dump_value(Building.OUTPOST))
    assert str is type(load_value(dump_value(Building.OUTPOST)))


@pytest.mark.parametrize("value", [1.5j, [1], object(), b"x"])
def test_other_types_are_refused(value: object) -> None:
    """What couldn't come back isn't written."""
    with pytest.raises(ArchiveError):
        dump_value(value)


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "3", '{"Order":{}}', '{"Code":{"text":"x"}}', '{"Nobody":{}}', '{"a":1,"b":2}']
)
def test_other_texts_are_refused(text: str) -> None:
    """Only what was written so is a reading."""
    with pytest.raises(ArchiveError):
        load_reading(text)
