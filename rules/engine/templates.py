"""The small language of catalogue texts, a part of ICU's message format.

{name}                                   a parameter
{n, plural, one {# carta} other {# cartas}}
{kind, select, win {gana} other {pierde}}
{note, if, { ({note})}}                  left out where the parameter is missing, empty or 0
{note, if, {…}, {…}}                     with what stands there instead
{seat, the}  {seat, The}  {seat, of}     a name with its article: "el Imperio", "El Imperio", "del Imperio"
{seat, to}                               "al Imperio"
{seat, gender, m {solo} f {sola}}        agreement with a name
{list, or}                               a list joined by "o" instead of "y"
<b>…</b> <i>…</i> <c>…</c>               strong, light, fixed-width; <a href={url}>…</a> a link
'{' '}'                                  a brace itself
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache


class TemplateError(ValueError):
    """A catalogue text that can't be parsed: our bug, found by the catalogue test."""


@dataclass(frozen=True, slots=True)
class Words:
    """Literal text."""

    text: str


@dataclass(frozen=True, slots=True)
class Insert:
    """A parameter, perhaps in a form (`the`, `of`, `or`)."""

    name: str
    form: str = ""


@dataclass(frozen=True, slots=True)
class Choose:
    """One of several texts by a parameter. how: plural, select, gender or if."""

    name: str
    how: str
    cases: tuple[tuple[str, Template], ...]


@dataclass(frozen=True, slots=True)
class Marked:
    """Text set off. tag: b, i, c or a. url: parameter with the address of a link."""

    tag: str
    inner: Template
    url: str = ""


@dataclass(frozen=True, slots=True)
class Hash:
    """`#` in a plural: the number."""


Node = Words | Insert | Choose | Marked | Hash
Template = tuple[Node, ...]


@lru_cache(maxsize=8192)
def parse_template(text: str) -> Template:
    """Parse a catalogue text. Raises TemplateError."""
    parser = _Parser(text)
    nodes = parser.nodes("")
    if parser.at != len(text):
        raise TemplateError(f"left over at {parser.at}: {text!r}")
    return nodes


def parameters(template: Template) -> frozenset[str]:
    """Names of the parameters of a text."""
    names: set[str] = set()
    for node in template:
        if isinstance(node, Insert):
            names.add(node.name)
        elif isinstance(node, Choose):
            names |= {node.name}.union(*(parameters(case) for _, case in node.cases))
        elif isinstance(node, Marked):
            names |= parameters(node.inner) | ({node.url} if node.url else set())
    return frozenset(names)


class _Parser:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.plural = 0

    def nodes(self, closing: str) -> Template:
        found: list[Node] = []
        words: list[str] = []
        while self.at < len(self.text) and not self._closes(closing):
            node = self._node(words)
            if node is not None:
                found += self._flush(words)
                found.append(node)
        found += self._flush(words)
        return tuple(found)

    def _closes(self, closing: str) -> bool:
        return bool(closing) and self.text.startswith(closing, self.at)

    @staticmethod
    def _flush(words: list[str]) -> list[Node]:
        text = "".join(words)
        words.clear()
        return [Words(text)] if text else []

    def _node(self, words: list[str]) -> Node | None:
        char = self.text[self.at]
        if self.text[self.at : self.at + 3] in ("'{'", "'}'"):
            words.append(self.text[self.at + 1])
            self.at += 3
            return None
        if char == "{":
            return self._braces()
        if char == "<" and (tag := self._tag()):
            return tag
        self.at += 1
        if char == "#" and self.plural:
            return Hash()
        words.append(char)
        return None

    def _tag(self) -> Marked | None:
        for tag in "bic":
            if self.text.startswith(f"<{tag}>", self.at):
                self.at += 3
                return self._close_tag(tag, "")
        if self.text.startswith("<a href={", self.at):
            end = self.text.index("}>", self.at)
            url = self.text[self.at + 9 : end]
            self.at = end + 2
            return self._close_tag("a", url)
        return None

    def _close_tag(self, tag: str, url: str) -> Marked:
        inner = self.nodes(f"</{tag}>")
        self._eat(f"</{tag}>")
        return Marked(tag, inner, url)

    def _eat(self, wanted: str) -> None:
        if not self.text.startswith(wanted, self.at):
            raise TemplateError(f"{wanted!r} expected at {self.at}: {self.text!r}")
        self.at += len(wanted)

    def _braces(self) -> Node:
        self._eat("{")
        name = self._word()
        how = ""
        if self._skip(","):
            how = self._word()
        if how in ("plural", "select", "gender", "if"):
            node: Node = Choose(name, how, self._cases(how))
        else:
            node = Insert(name, how)
        self._blank()
        self._eat("}")
        return node

    def _cases(self, how: str) -> tuple[tuple[str, Template], ...]:
        cases: list[tuple[str, Template]] = []
        self._skip(",")
        self._blank()
        self.plural += how == "plural"
        while self.at < len(self.text) and self.text[self.at] != "}":
            key = "" if how == "if" else self._word()
            self._blank()
            self._eat("{")
            cases.append((key, self.nodes("}")))
            self._eat("}")
            self._skip(",")
            self._blank()
        self.plural -= how == "plural"
        if not cases:
            raise TemplateError(f"no cases at {self.at}: {self.text!r}")
        return tuple(cases)

    def _word(self) -> str:
        self._blank()
        start = self.at
        while self.at < len(self.text) and (self.text[self.at].isalnum() or self.text[self.at] in "_-"):
            self.at += 1
        if self.at == start:
            raise TemplateError(f"a word expected at {start}: {self.text!r}")
        return self.text[start : self.at]

    def _blank(self) -> None:
        while self.at < len(self.text) and self.text[self.at] in " \n":
            self.at += 1

    def _skip(self, char: str) -> bool:
        self._blank()
        if self.text.startswith(char, self.at):
            self.at += 1
            return True
        return False
