"""The short way for lines in plain form, nearly all that players copy from templates and guides.

Each form is compiled to one regular expression over the folded line. A line that fits exactly one form
of its verb, with ids and words in full, is understood by that; everything else (articles, names,
shortened words, left-out words, mistakes) goes the long way through the matcher. A property test holds
the two to the same result.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from rules.engine.forms import SEPARATORS, Element, Literal, Maybe, Slot, compile_form
from rules.engine.orders import Args, Order, OrderForm, Value

if TYPE_CHECKING:
    from rules.engine.arguments import Argument
    from rules.engine.plan import Plan

_PLAIN = re.compile(r"[a-z0-9áéíóúüñ ,:;()-]{1,500}")
"""Lines that the short way looks at: folding them changes letter by letter."""

_FOLDED = str.maketrans("áéíóúüñ", "aeiouun")

STOPS = " .!;"
"""What may end a line and means nothing behind an order."""

SEPARATOR = r"(?: ?[,;] ?| y | and )"
_SPLIT = re.compile(SEPARATOR)

QuickValue = Callable[[str, "Plan[Any]"], Value]
QuickSlots = tuple[tuple[str, bool, QuickValue], ...]
"""Name, whether a list, and reader of each slot of a form, in order."""


@dataclass(frozen=True, slots=True)
class Plainly:
    """How an argument reads in plain form.

    pattern: without groups. value: what a text of it means; None sends the line the long way.
    """

    pattern: str
    value: QuickValue


@dataclass(frozen=True, slots=True)
class _QuickForm:
    form: OrderForm
    number: int
    expression: re.Pattern[str]
    slots: QuickSlots


class QuickForms:
    """The forms of a grammar whose arguments all have a plain form, by their verb's words."""

    def __init__(self, forms: Sequence[tuple[str, Sequence[OrderForm]]]) -> None:
        self._by_word: dict[str, tuple[_QuickForm, ...]] = {}
        for word, declared in forms:
            compiled = [_compile(form, number, text) for form in declared for number, text, _ in form.written]
            if all(one is not None for one in compiled) and not any(_needs_more(form) for form in declared):
                self._by_word[word] = tuple(one for one in compiled if one is not None)

    def knows(self, word: str) -> bool:
        """Whether a word as written, in small letters without accents, is a verb with plain forms."""
        return word in self._by_word

    def read(self, line: str, plan: Plan[Any]) -> tuple[Order, OrderForm] | None:
        """The order in plain form, or None where the line has to go the long way."""
        lowered = line.strip().rstrip(STOPS).lower()
        if _PLAIN.fullmatch(lowered) is None or "  " in lowered:
            return None
        folded = lowered.translate(_FOLDED)
        word, _, rest = folded.partition(" ")
        found: tuple[OrderForm, int, Mapping[str, Value]] | None = None
        for quick in self._by_word.get(word, ()):
            match = quick.expression.fullmatch(rest)
            if match is None:
                continue
            values = read_slots(quick.slots, match, plan)
            if values is None or (found is not None and (found[0], found[2]) != (quick.form, values)):
                return None
            found = found or (quick.form, quick.number, values)
        if found is None:
            return None
        form, number, values = found
        return Order("", 0, form.name, Args(values, number), line.strip()), form


def _needs_more(form: OrderForm) -> bool:
    """Orders with actors, marks or for some seats only are judged the long way."""
    return form.actors is not None or bool(form.marks) or form.who is not None


def read_slots(slots: QuickSlots, match: re.Match[str], plan: Plan[Any]) -> Mapping[str, Value] | None:
    """Values by slot of a form that fits; None where one of them isn't plain."""
    values: dict[str, Value] = {}
    for (name, many, read), text in zip(slots, match.groups(), strict=True):
        if text is None:
            continue
        value = tuple(read(part, plan) for part in _SPLIT.split(text)) if many else read(text, plan)
        if value is None or (many and None in value):
            return None
        values[name] = value
    return values


def _compile(form: OrderForm, number: int, text: str) -> _QuickForm | None:
    slots = plain_slots(text, form.args)
    if slots is None:
        return None
    elements = compile_form(text)[1:]
    return _QuickForm(form, number, re.compile(_pattern(elements, form.args, "(")), slots)


def plain_slots(text: str, args: Mapping[str, Argument]) -> QuickSlots | None:
    """Name, whether a list, and reader of each slot of a form; None where an argument has no plain form."""
    if _splits_in_several_ways(compile_form(text)):
        return None
    slots: list[tuple[str, bool, QuickValue]] = []
    for slot in _slots(compile_form(text)):
        plain = args[slot.name].plainly()
        if plain is None:
            return None
        slots.append((slot.name, slot.many, plain.value))
    return tuple(slots)


def plain_pattern(text: str, args: Mapping[str, Argument], group: str = "(?:") -> str:
    """A form as a pattern; `group` opens what stands for a slot."""
    return _pattern(compile_form(text), args, group)


def _splits_in_several_ways(elements: Sequence[Element]) -> bool:
    """Whether what ends a list may also separate its things (`{a,} y {b,}`): a pattern finds one way only."""
    flat = tuple(_flat(elements))
    return any(
        isinstance(one, Slot) and one.many and (isinstance(behind, Slot) or set(behind.words) & SEPARATORS)
        for one, behind in pairwise(flat)
    )


def _flat(elements: Sequence[Element]) -> Iterator[Literal | Slot]:
    for element in elements:
        if isinstance(element, Maybe):
            yield from _flat(element.elements)
        else:
            yield element


def _slots(elements: Sequence[Element]) -> Iterator[Slot]:
    for element in elements:
        if isinstance(element, Slot):
            yield element
        elif isinstance(element, Maybe):
            yield from _slots(element.elements)


def _pattern(elements: Sequence[Element], args: Mapping[str, Argument], group: str) -> str:
    """Elements with one blank between them, none in front of a mark; optional ones bring their own."""
    text = ""
    for element in elements:
        if isinstance(element, Maybe):
            inner = _pattern(element.elements, args, group)
            text += f"(?: {inner})?" if text else f"(?:{inner} )?"
            continue
        one = _one(element, args, group)
        glued = not text or text.endswith(" )?") or (isinstance(element, Literal) and element.shown in ":,;")
        text += one if glued else f" {one}"
    return text


def _one(element: Literal | Slot, args: Mapping[str, Argument], group: str) -> str:
    if isinstance(element, Literal):
        words = "|".join(re.escape(word) for word in element.words)
        return f" ?{words}" if element.shown in ":,;" else f"(?:{words})"
    plain = args[element.name].plainly()
    one = f"(?:{plain.pattern})" if plain is not None else "(?!)"
    return f"{group}{one}(?:{SEPARATOR}{one})*)" if element.many else f"{group}{one})"
