"""Matching a line against declared forms.

A small backtracking matcher over tokens: the verb selects the declarations, each form is tried
strictly first and then with argument words left out; several different readings are an error, and
where nothing fits the furthest failure tells what was expected (design.md 2 and 8).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rules.engine.forms import ARTICLES, SEPARATORS, Element, Literal, Maybe, Slot, compile_form
from rules.engine.messages import Message
from rules.engine.orders import OrderForm, Value
from rules.engine.plan import Plan
from rules.engine.text import Token
from rules.engine.wording import Written

if TYPE_CHECKING:
    from rules.engine.arguments import Argument
    from rules.engine.grammar import Grammar

MOST_STEPS = 20_000
"""Elements tried for one line before the matcher gives up: foreign text must not cost more."""

ARROWS = frozenset(("a", "to"))
"""Words that an arrow may stand for."""

Values = dict[str, Value]


@dataclass(frozen=True, slots=True)
class Failure:
    """Something that was expected at a place and not found.

    at, end: token indexes. expected: a message, or None for a literal word.
    reason: why it can't stand here, None for no better reason. candidates: what could stand here.
    """

    at: int
    end: int
    expected: Message | None
    reason: Message | None = None
    candidates: tuple[str, ...] = ()


@dataclass(slots=True)
class Trail:
    """The furthest failures of one line, those with a reason apart.

    quiet: above 0 while forms are tried that aren't shown: what they expect counts only where it is further.
    """

    furthest: int = -1
    failures: list[Failure] = field(default_factory=list)
    quiet: int = 0

    def fail(
        self,
        at: int,
        end: int,
        expected: Message | None,
        reason: Message | None = None,
        candidates: tuple[str, ...] = (),
    ) -> None:
        """Note a failure; nearer ones are forgotten."""
        if at > self.furthest:
            self.furthest, self.failures = at, []
        elif self.quiet:
            return
        if at == self.furthest:
            self.failures.append(Failure(at, end, expected, reason, candidates))

    @property
    def reason(self) -> Failure | None:
        """The first failure at the furthest place that knows why."""
        return next((one for one in self.failures if one.reason is not None), None)


class TooLong(Exception):
    """The line needs more steps than any sensible order does."""


@dataclass(slots=True)
class Reader:
    """One line being read: its tokens, the plan that names come from, and what went wrong so far."""

    line: str
    tokens: Sequence[Token]
    plan: Plan[object]
    grammar: Grammar
    loose: bool = False
    trail: Trail = field(default_factory=Trail)
    steps: int = 0

    def token(self, at: int) -> Token | None:
        """The token at a place, None behind the last."""
        return self.tokens[at] if at < len(self.tokens) else None

    def text(self, at: int, end: int) -> str:
        """The line's own words from token `at` up to before token `end`."""
        end = min(end, len(self.tokens))
        return self.line[self.tokens[at].start : self.tokens[end - 1].end] if at < end else ""

    def match(
        self, elements: tuple[Element, ...], args: Mapping[str, Argument], at: int
    ) -> Iterator[tuple[int, Values]]:
        """Each way to read the elements from `at` on: token index behind them, and the values."""
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise TooLong
        if not elements:
            yield at, {}
            return
        for end, values in self._match_one(elements[0], args, at):
            for last, rest in self.match(elements[1:], args, end):
                yield last, values | rest

    def match_written(
        self, written: Written, args: Mapping[str, Argument], at: int, skip: int = 0
    ) -> Iterator[tuple[int, int, Values]]:
        """Each way to read one of several forms without its first `skip` elements: the form's place, the
        token index behind it, and the values.
        """
        for number, text, is_shown in written:
            elements = compile_form(text)[skip:]
            for end, values in (
                self.match(elements, args, at) if is_shown else self._quietly(elements, args, at)
            ):
                yield number, end, values

    def _quietly(
        self, elements: tuple[Element, ...], args: Mapping[str, Argument], at: int
    ) -> list[tuple[int, Values]]:
        self.trail.quiet += 1
        found = list(self.match(elements, args, at))
        self.trail.quiet -= 1
        return found

    def _match_one(
        self, element: Element, args: Mapping[str, Argument], at: int
    ) -> Iterator[tuple[int, Values]]:
        if isinstance(element, Literal):
            yield from self._match_literal(element, at)
        elif isinstance(element, Maybe):
            yield from self.match(element.elements, args, at)
            yield at, {}
        elif element.many:
            yield from self._match_list(element, args[element.name], at, ())
        else:
            for end, value in args[element.name].read(self, at):
                yield end, {element.name: value}

    def _match_literal(self, element: Literal, at: int) -> Iterator[tuple[int, Values]]:
        place = at
        token = self.token(place)
        while token is not None and token.folded in ARTICLES and token.folded not in element.words:
            place += 1
            token = self.token(place)
        if token is not None and (
            token.folded in element.words or (token.kind == "arrow" and not ARROWS.isdisjoint(element.words))
        ):
            yield place + 1, {}
        elif element.droppable and self.loose:
            yield at, {}
        else:
            self.trail.fail(place, place + 1, None, candidates=(element.shown,))

    def _match_list(
        self, slot: Slot, argument: Argument, at: int, before: tuple[Value, ...]
    ) -> Iterator[tuple[int, Values]]:
        for end, value in argument.read(self, at):
            values = (*before, value)
            separator = self.token(end)
            if separator is not None and separator.folded in SEPARATORS:
                behind = self.token(end + 1)
                both = separator.kind == "punct" and behind is not None and behind.folded in ("y", "e", "and")
                yield from self._match_list(slot, argument, end + 2 if both else end + 1, values)
            elif separator is not None:
                self.trail.fail(end, end + 1, None, candidates=(",",))
            yield end, {slot.name: values}


def match_forms(reader: Reader, forms: Sequence[OrderForm], at: int) -> list[tuple[OrderForm, int, Values]]:
    """Different complete readings of the tokens from `at` on (the verb included), strict ones first."""
    for loose in (False, True):
        reader.loose = loose
        found: list[tuple[OrderForm, int, Values]] = []
        for form in forms:
            _match_whole(reader, form, at, found)
        if found:
            return found
    return []


def _match_whole(
    reader: Reader, form: OrderForm, at: int, found: list[tuple[OrderForm, int, Values]]
) -> None:
    for number, end, values in reader.match_written(form.written, form.args, at + 1, skip=1):
        if end < len(reader.tokens):
            reader.trail.fail(end, len(reader.tokens), None)
            continue
        reading = (form, number, values)
        if not any(one[0] is form and one[2] == values for one in found):
            found.append(reading)
