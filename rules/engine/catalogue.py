"""Messages to inline text in a language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rules.engine.inline import Emphasis, Fixed, Inline, Link, Strong, Text, plain
from rules.engine.messages import Code, Message, Name, Param, Quoted
from rules.engine.templates import Choose, Hash, Insert, Marked, Template, Words, parse_template

_AND = {"es": ("y", "o"), "en": ("and", "or")}
_POINT = {"es": ".", "en": ","}
_BEFORE_NAMES = {"of": {"es": "de", "en": "of"}, "to": {"es": "a", "en": "to"}}
"""Words in front of a name with its article, by form; Spanish draws `de el` and `a el` together."""


class MissingText(KeyError):
    """A message without a text in the language: our bug, found by the catalogue test."""


class Catalogue:
    """The texts of one language by message id. language: `es` or `en`."""

    def __init__(self, language: str, texts: Mapping[str, str]) -> None:
        self.language = language
        self._texts = texts

    def __contains__(self, message_id: str) -> bool:
        return message_id in self._texts

    def say(self, message: Message) -> tuple[Inline, ...]:
        """A message as inline pieces. Raises MissingText, or KeyError for a parameter that isn't there."""
        text = self._texts.get(message.id)
        if text is None:
            raise MissingText(message.id)
        return tuple(self._render(parse_template(text), message.params, None))

    def text(self, message: Message) -> str:
        """A message as bare words, for files, logs and the terminal."""
        return plain(self.say(message))

    def number(self, value: int) -> str:
        """A number with the language's separators (four digits stay together in Spanish)."""
        digits = str(abs(value))
        if len(digits) > 4 or self.language != "es":
            digits = f"{abs(value):,}".replace(",", _POINT.get(self.language, ","))
        return f"−{digits}" if value < 0 else digits

    def _render(
        self, template: Template, params: Mapping[str, Param], number: int | None
    ) -> Iterable[Inline]:
        for node in template:
            if isinstance(node, Words):
                yield Text(node.text)
            elif isinstance(node, Hash):
                yield Text(self.number(number or 0))
            elif isinstance(node, Insert):
                yield from self._insert(params[node.name], node.form)
            elif isinstance(node, Choose):
                yield from self._choose(node, params, number)
            else:
                yield from self._mark(node, params, number)

    def _mark(self, node: Marked, params: Mapping[str, Param], number: int | None) -> Iterable[Inline]:
        inner = tuple(self._render(node.inner, params, number))
        if node.tag == "a":
            yield Link(inner, str(params[node.url]))
        elif node.tag == "c":
            yield Fixed(plain(inner))
        else:
            yield (Strong if node.tag == "b" else Emphasis)(inner)

    def _choose(self, node: Choose, params: Mapping[str, Param], number: int | None) -> Iterable[Inline]:
        value = params.get(node.name)
        cases = dict(node.cases)
        if node.how == "if":
            chosen = node.cases[0][1] if value else (node.cases[1][1] if len(node.cases) > 1 else ())
            return self._render(chosen, params, number)
        if node.how == "plural":
            count = len(value) if isinstance(value, tuple) else value
            many = value.plural if isinstance(value, Name) else count != 1
            number = count if isinstance(count, int) else None
            return self._render(cases.get("other", ()) if many else cases["one"], params, number)
        key = value.gender if isinstance(value, Name) and node.how == "gender" else str(value)
        return self._render(cases.get(key, cases.get("other", ())), params, number)

    def _insert(self, value: Param, form: str) -> Iterable[Inline]:
        if isinstance(value, Message):
            return self.say(value)
        if isinstance(value, tuple):
            return self._listed(value, form)
        if isinstance(value, Name):
            return (Text(self._named(value, form)),)
        if isinstance(value, Code):
            return (Fixed(value.text),)
        return (Text(self._words(value, form)),)

    def _words(self, value: str | int | Quoted | None, form: str) -> str:
        if isinstance(value, Quoted):
            return value.text
        if isinstance(value, int):
            sign = "+" if form == "signed" and value > 0 else ""
            return sign + self.number(value)
        return value or ""

    def _named(self, name: Name, form: str) -> str:
        with_article = f"{name.article} {name.text}" if name.article else name.text
        if form == "the":
            return with_article
        if form == "The":
            return with_article[:1].upper() + with_article[1:]
        if form in _BEFORE_NAMES:
            joined = f"{_BEFORE_NAMES[form].get(self.language, form)} {with_article}"
            return joined.replace(" el ", "l ", 1) if joined.startswith(("de el ", "a el ")) else joined
        return name.text

    def _listed(self, values: tuple[Param, ...], form: str) -> Iterable[Inline]:
        joined, either = _AND.get(self.language, _AND["en"])
        word = either if form == "or" else joined
        inner_form = "" if form in ("or", "plain") else form
        for place, value in enumerate(values):
            pieces = tuple(self._insert(value, inner_form))
            if place and place == len(values) - 1 and form != "plain":
                yield Text(f" {_before(word, plain(pieces), self.language)} ")
            elif place:
                yield Text(", ")
            yield from pieces


def _before(word: str, following: str, language: str) -> str:
    """The joining word as Spanish wants it before what follows (e instead of y, u instead of o)."""
    start = following.lstrip('«"¿¡').lower()
    if (
        language == "es"
        and word == "y"
        and start.startswith(("i", "í", "hi"))
        and not start.startswith(("hie", "hia"))
    ):
        return "e"
    if language == "es" and word == "o" and start.startswith(("o", "ó", "ho")):
        return "u"
    return word
