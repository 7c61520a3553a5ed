"""Forms of orders in the words of a players' guide: `mover ‹uno de tus ejércitos› a ‹una casilla›, …`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from rules.engine.arguments import AnyOf, Argument, Choice, Sub
from rules.engine.catalogue import Catalogue
from rules.engine.forms import Element, Literal, Maybe, compile_form
from rules.engine.inline import Fixed, plain
from rules.engine.orders import OrderForm
from rules.engine.text import fold
from rules.engine.verbs import forms_of

_SPACED = ((" :", ":"), (" ,", ","), (" ;", ";"), ("( ", "("), (" )", ")"), ("[ ", "["), (" ]", "]"))
_INFINITIVES = ("ar", "er", "ir", "ír")


class FormWriter:
    """Forms in the words of one catalogue."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue

    def write(self, form: str, args: Mapping[str, Argument]) -> str:
        """A form with its arguments in words; what may be left out stands in square brackets."""
        text = " ".join(self._words(compile_form(form), args))
        for wide, narrow in _SPACED:
            text = text.replace(wide, narrow)
        return text

    def _words(self, elements: Iterable[Element], args: Mapping[str, Argument]) -> Iterator[str]:
        for element in elements:
            if isinstance(element, Literal):
                yield element.shown
            elif isinstance(element, Maybe):
                yield from ("[", *self._words(element.elements, args), "]")
            else:
                yield self.name(args[element.name]) + (", …" if element.many else "")

    def name(self, argument: Argument) -> str:
        """What stands in an argument's place."""
        return f"‹{self.expectation(argument)}›"

    def expectation(self, argument: Argument) -> str:
        """What an argument expects, without the example that follows it in error messages."""
        pieces = self._catalogue.say(argument.expected)
        at = next((place for place, piece in enumerate(pieces) if isinstance(piece, Fixed)), len(pieces))
        before = plain(pieces[:at])
        if at == len(pieces) or "," not in before:
            return plain(pieces)
        return before.rpartition(",")[0]

    def explain(self, args: Iterable[Argument]) -> dict[str, tuple[str, ...]]:
        """The arguments that have forms or choices of their own, with these, inner ones included."""
        found: dict[str, tuple[str, ...]] = {}
        waiting = list(args)
        while waiting:
            argument = waiting.pop(0)
            ways = self._ways(argument)
            if ways:
                found.setdefault(self.name(argument), ways)
            waiting += _inner(argument)
        return found

    def _ways(self, argument: Argument) -> tuple[str, ...]:
        if isinstance(argument, Sub):
            return tuple(self.write(form, argument.args) for form in argument.forms)
        if isinstance(argument, AnyOf):
            return tuple(self.name(kind) for kind in argument.kinds.values())
        if isinstance(argument, Choice):
            words = tuple(words[0] for words in argument.words.values())
            told = self.expectation(argument)
            return () if all(word in told for word in words) else words
        return ()


def _inner(argument: Argument) -> tuple[Argument, ...]:
    if isinstance(argument, Sub):
        return tuple(argument.args.values())
    return tuple(argument.kinds.values()) if isinstance(argument, AnyOf) else ()


def spoken_forms(forms: Sequence[OrderForm]) -> tuple[str, ...]:
    """Other words for the verb that orders share: those declared where it is irregular, else those derived.

    Declared words keep their accents, and aliases stand behind. English verbs have one form.
    """
    verb = forms[0].verb
    if any(form.also is not None for form in forms):
        return tuple(dict.fromkeys(word for form in forms for word in form.verbs))
    declared = dict.fromkeys(word for form in forms for word in form.verbs)
    aliases = [word for word in declared if _is_infinitive(word)]
    spoken = {fold(word): word for word in declared if word not in aliases}
    derived = {word: _accented(word) for word in sorted(forms_of(verb))}
    words = {**derived, **spoken} if spoken.keys() <= derived.keys() else spoken
    return tuple(word for word in (*words.values(), *aliases) if fold(word) != fold(verb))


def _is_infinitive(word: str) -> bool:
    return len(word) >= 4 and word.endswith(_INFINITIVES)


def _accented(word: str) -> str:
    """The imperative of vos as it is written; accents don't matter where it is read."""
    return f"{word[:-1]}í" if word.endswith("i") else word
