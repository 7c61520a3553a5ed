"""Argument types of order declarations: what may stand in a slot, and what to say where it doesn't.

An argument reads tokens at a place and yields each way to read them, longest first. What it can't
read it tells the trail, with a reason in the player's words where it knows one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol, Self, TypeVar

from rules.engine.forms import ARTICLES
from rules.engine.messages import Code, Message, msg
from rules.engine.names import NameIndex
from rules.engine.orders import Args, Order, Test, Value
from rules.engine.printing import print_form
from rules.engine.quick import Plainly, QuickSlots, plain_pattern, plain_slots, read_slots
from rules.engine.text import Token, fold
from rules.engine.wording import ANY_NOUN, Written, check_places, wordings

if TYPE_CHECKING:
    from rules.engine.matcher import Reader
    from rules.engine.plan import Plan


Own = TypeVar("Own")


class Argument(Protocol):
    """One argument type."""

    def read(self, reader: Reader, at: int) -> Iterator[tuple[int, Value]]:
        """Yield (token index behind the value, value) for each reading at `at`."""
        ...

    def show(self, value: Value, plan: Plan[Any]) -> str:
        """The value as a player would write it; what `read` reads back."""
        ...

    def plainly(self) -> Plainly | None:
        """How it reads in plain form (`rules.engine.quick`); None: only the long way reads it."""
        ...

    def in_english(self, translate: Translate) -> Argument:
        """The same where English words are shown and the others understood too; itself where it has no words.

        translate: for arguments inside of it.
        """
        ...

    @property
    def expected(self) -> Message:
        """What stands here, for messages ("una casilla")."""
        ...


Translate = Callable[[Argument], Argument]


class Expecting:
    """What argument types share. what: message id of what stands here.

    Without a `plainly` of its own an argument is read the long way only, without an `in_english` it has no
    words of its own.
    """

    what: str

    @property
    def expected(self) -> Message:
        """What stands here, for messages ("una casilla")."""
        return msg(self.what)

    def plainly(self) -> Plainly | None:
        """No plain form."""
        return None

    def in_english(self, translate: Translate) -> Self:
        """No words of its own."""
        return self


@dataclass(frozen=True, eq=False)
class Pick(Expecting):
    """One of the things that the player may name.

    of: `(plan) -> {id: names}`; the index is built once per block and after each change of the plan
    (`fixed`: never again). ids: whether the id itself may be written (never shortened).
    nouns: words that may stand in front ("ejército E3"); en: English ones. otherwise: `(plan, word) ->
    reason` where nothing fits, None for no better reason than "not known". what: message id of the
    expectation.
    """

    of: Callable[[Any], Mapping[str, tuple[str, ...]]]
    what: str
    ids: bool = True
    nouns: tuple[str, ...] = ()
    otherwise: Callable[[Any, str], Message | None] | None = None
    fixed: bool = False
    en: tuple[str, ...] = ()

    def in_english(self, translate: Translate) -> Pick:
        return replace(self, nouns=(*self.en, *self.nouns, *ANY_NOUN))

    def plainly(self) -> Plainly | None:
        return Plainly(r"[a-z0-9-]{1,40}", lambda text, plan: self.index(plan).only(text))

    def index(self, plan: Plan[Any]) -> NameIndex:
        """Names of what may be picked, for this plan."""
        return plan.index(self, lambda: NameIndex(self.of(plan), ids=self.ids, nouns=self.nouns), self.fixed)

    def read(self, reader: Reader, at: int) -> Iterator[tuple[int, Value]]:
        index = self.index(reader.plan)
        found = index.find(reader.tokens, at)
        if len(found.ids) == 1:
            yield found.end, found.ids[0]
        elif found.ids:
            reader.trail.fail(
                at, found.end, self.expected, _ambiguous(reader, at, found.end, found.ids, index)
            )
        else:
            token = reader.token(at)
            named = token is not None and token.kind not in ("punct", "arrow", "mark")
            word = reader.text(at, found.end) if named else ""
            reason = self.otherwise(reader.plan, word) if self.otherwise and word else None
            reader.trail.fail(at, found.end, self.expected, reason, index.shown)

    def show(self, value: Value, plan: Plan[Any]) -> str:
        return self.index(plan).show(str(value))


def _ambiguous(reader: Reader, at: int, end: int, ids: tuple[str, ...], index: NameIndex) -> Message:
    listed = tuple(Code(index.show(one)) for one in ids[:6])
    return msg("parse/ambiguous-name", word=Code(reader.text(at, end)), choices=listed)


@dataclass(frozen=True, eq=False)
class Choice(Expecting):
    """One of a few fixed things, each with the words for it; the first is shown.

    en: English words of each. nouns: words that may stand in front and say nothing.
    """

    words: Mapping[str, tuple[str, ...]]
    what: str
    en: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    nouns: tuple[str, ...] = ()

    def in_english(self, translate: Translate) -> Choice:
        words = {key: (*self.en.get(key, ()), *native) for key, native in self.words.items()}
        return replace(self, words=words, nouns=ANY_NOUN)

    def plainly(self) -> Plainly | None:
        ids: dict[str, set[str]] = {}
        for key, words in self.words.items():
            for word in words:
                ids.setdefault(fold(word), set()).add(key)
        known = {word: keys.copy().pop() for word, keys in ids.items() if len(keys) == 1}
        pattern = "|".join(re.escape(word) for word in sorted(known, key=lambda one: (-len(one), one)))
        return Plainly(pattern, lambda text, plan: known.get(text))

    def read(self, reader: Reader, at: int) -> Iterator[tuple[int, Value]]:
        index = reader.plan.index(
            self, lambda: NameIndex(self.words, ids=False, nouns=self.nouns), fixed=True
        )
        found = index.find(reader.tokens, at)
        if len(found.ids) == 1:
            yield found.end, found.ids[0]
        elif found.ids:
            reader.trail.fail(
                at, found.end, self.expected, _ambiguous(reader, at, found.end, found.ids, index)
            )
        else:
            reader.trail.fail(at, found.end, self.expected, None, index.shown)

    def show(self, value: Value, plan: Plan[Any]) -> str:
        return self.words[str(value)][0]


@dataclass(frozen=True, eq=False)
class Count(Expecting):
    """A whole number in ASCII digits, `minimum` to `maximum` inclusive."""

    minimum: int = 1
    maximum: int = 1_000_000
    what: str = "parse/expected-number"

    def plainly(self) -> Plainly | None:
        return Plainly(r"[0-9]{1,9}", lambda text, plan: value if self._fits(value := int(text)) else None)

    def _fits(self, value: int) -> bool:
        return self.minimum <= value <= self.maximum

    def read(self, reader: Reader, at: int) -> Iterator[tuple[int, Value]]:
        token = reader.token(at)
        if token is None or token.kind != "number":
            reader.trail.fail(at, at + 1, self.expected)
            return
        value = int(token.folded[:12])
        if self._fits(value) and len(token.folded) <= 12:
            yield at + 1, value
            return
        reader.trail.fail(
            at,
            at + 1,
            self.expected,
            msg(
                "parse/number-out-of-range", word=Code(token.text), minimum=self.minimum, maximum=self.maximum
            ),
        )

    def show(self, value: Value, plan: Plan[Any]) -> str:
        return str(value)


@dataclass(frozen=True, eq=False)
class NewId(Expecting):
    """A name that the order gives to something new (`como E9`): letters and digits, upper-cased."""

    what: str

    def plainly(self) -> Plainly | None:
        return Plainly(r"[a-z]{1,8}-?[0-9]{1,6}", lambda text, plan: text.upper())

    def read(self, reader: Reader, at: int) -> Iterator[tuple[int, Value]]:
        token = reader.token(at)
        if token is not None and token.kind == "id":
            yield at + 1, token.folded.upper()
            return
        reader.trail.fail(at, at + 1, self.expected)

    def show(self, value: Value, plan: Plan[Any]) -> str:
        return str(value)


@dataclass(frozen=True, eq=False)
class Unseen(Expecting):
    """The id of something that may exist though the player can't see it: any that fits, upper-cased.

    pattern: of the folded id. nouns: words that may stand in front ("ejército E11"), en: the English ones.
    What exists is answered like what doesn't, so the rule set decides at resolution.
    """

    pattern: str
    what: str
    nouns: tuple[str, ...] = ()
    en: tuple[str, ...] = ()

    def in_english(self, translate: Translate) -> Unseen:
        return replace(self, nouns=(*self.en, *self.nouns, *ANY_NOUN))

    def plainly(self) -> Plainly | None:
        return Plainly(self.pattern, lambda text, plan: text.upper())

    def read(self, reader: Reader, at: int) -> Iterator[tuple[int, Value]]:
        place, skipped = at, ARTICLES.union(map(fold, self.nouns))
        while (token := reader.token(place)) is not None and token.folded in skipped:
            place += 1
        if token is not None and token.kind == "id" and re.fullmatch(self.pattern, token.folded):
            yield place + 1, token.folded.upper()
            return
        reader.trail.fail(at, at + 1, self.expected)

    def show(self, value: Value, plan: Plan[Any]) -> str:
        return str(value)


@dataclass(frozen=True, eq=False)
class Title(Expecting):
    """Words in quotation marks of any kind, at most `longest` characters."""

    what: str = "parse/expected-title"
    longest: int = 120

    def read(self, reader: Reader, at: int) -> Iterator[tuple[int, Value]]:
        token = reader.token(at)
        if token is not None and token.kind == "string" and 2 < len(token.text) <= self.longest + 2:
            yield at + 1, token.text[1:-1].strip()
            return
        reader.trail.fail(at, at + 1, self.expected)

    def show(self, value: Value, plan: Plan[Any]) -> str:
        return f"«{value}»" if '"' in value else f'"{value}"'


@dataclass(frozen=True, eq=False)
class Words(Expecting):
    """Free text up to the end of the line, as written."""

    what: str = "parse/expected-text"

    def read(self, reader: Reader, at: int) -> Iterator[tuple[int, Value]]:
        if at < len(reader.tokens):
            yield len(reader.tokens), reader.text(at, len(reader.tokens))
            return
        reader.trail.fail(at, at + 1, self.expected)

    def show(self, value: Value, plan: Plan[Any]) -> str:
        return str(value)


@dataclass(frozen=True, eq=False)
class Sub(Expecting):
    """A sub-argument with forms of its own: `{n} a {cell}`; its value is `Args`.

    en: its forms in English. also: forms that are understood besides those shown, by their place.
    """

    forms: tuple[str, ...]
    args: Mapping[str, Argument]
    what: str
    en: tuple[str, ...] = ()
    also: tuple[str, ...] = ()

    def in_english(self, translate: Translate) -> Sub:
        made = replace(self, args={name: translate(one) for name, one in self.args.items()})
        return replace(made, forms=self.en, also=self.forms) if self.en else made

    @cached_property
    def _written(self) -> Written:
        return wordings(self.forms, self.also)

    def plainly(self) -> Plainly | None:
        ways: list[QuickWay] = []
        for number, form, _ in self._written:
            slots = plain_slots(form, self.args)
            if slots is None:
                return None
            ways.append((number, re.compile(plain_pattern(form, self.args, "(")), slots))
        pattern = "|".join(plain_pattern(form, self.args) for form in (*self.forms, *self.also))
        return Plainly(pattern, lambda text, plan: _read_sub(ways, text, plan))

    def read(self, reader: Reader, at: int) -> Iterator[tuple[int, Value]]:
        for number, end, values in reader.match_written(self._written, self.args, at):
            yield end, Args(values, number)

    def show(self, value: Value, plan: Plan[Any]) -> str:
        return print_form(self.forms[value.form], value, self.args, plan)


QuickWay = tuple[int, re.Pattern[str], QuickSlots]
"""Place of a form, the form as an expression, and its slots."""


def _read_sub(ways: Sequence[QuickWay], text: str, plan: Plan[Any]) -> Args | None:
    """A sub-argument in plain form, where exactly one of its forms fits."""
    found: list[Args] = []
    for number, expression, slots in ways:
        match = expression.fullmatch(text)
        values = read_slots(slots, match, plan) if match is not None else None
        if values is not None and Args(values, number) not in found:
            found.append(Args(values, number))
    return found[0] if len(found) == 1 else None


def sub(what: str, *forms: str, en: tuple[str, ...] = (), **args: Argument) -> Sub:
    """Declare a sub-argument; `en`: its forms in English."""
    if en:
        check_places(what, forms, en)
    return Sub(forms, args, what, en)


@dataclass(frozen=True, eq=False)
class AnyOf(Expecting):
    """One of several argument types, tried in order; the value is `(name, value)`."""

    kinds: Mapping[str, Argument]
    what: str

    def in_english(self, translate: Translate) -> AnyOf:
        return replace(self, kinds={name: translate(kind) for name, kind in self.kinds.items()})

    def read(self, reader: Reader, at: int) -> Iterator[tuple[int, Value]]:
        for name, kind in self.kinds.items():
            for end, value in kind.read(reader, at):
                yield end, (name, value)

    def show(self, value: Value, plan: Plan[Any]) -> str:
        name, inner = value
        return self.kinds[name].show(inner, plan)


@dataclass(frozen=True, eq=False)
class Moment(Expecting):
    """A trigger (`que Íñigo ataque`) or a condition of the kind of turn; its value is a `Test`."""

    triggers: bool = True
    what: str = "parse/expected-moment"

    def read(self, reader: Reader, at: int) -> Iterator[tuple[int, Value]]:
        for form in reader.grammar.tests(self.triggers):
            for number, end, values in reader.match_written(form.written, form.args, at):
                yield end, Test(form.name, Args(values, number), reader.text(at, end))

    def show(self, value: Value, plan: Plan[Any]) -> str:
        return str(value.text)


@dataclass(frozen=True, eq=False)
class Held(Expecting):
    """A whole order inside an order, up to the end of the line; its value is an `Order`."""

    what: str = "parse/expected-order"
    only: tuple[str, ...] = field(default=())

    def read(self, reader: Reader, at: int) -> Iterator[tuple[int, Value]]:
        for form, number, values in reader.grammar.match_order(reader, at):
            if not self.only or form.name in self.only:
                text = reader.text(at, len(reader.tokens))
                yield len(reader.tokens), Order("", 0, form.name, Args(values, number), text)

    def show(self, value: Value, plan: Plan[Any]) -> str:
        return str(value.text)


__all__ = [
    "AnyOf",
    "Argument",
    "Choice",
    "Count",
    "Held",
    "Moment",
    "NewId",
    "Pick",
    "Sub",
    "Title",
    "Token",
    "Unseen",
    "Words",
    "sub",
]
