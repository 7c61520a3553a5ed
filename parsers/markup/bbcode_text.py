"""A post's raw BBCode to the lines that its reader would see: the same as from its rendered HTML.

First it is settled which tags count, then one pass over them fills the same layout as that over HTML: quotes,
spoilers and code change what a line counts as, some tags end the line, most do nothing to the text.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from html import unescape
from typing import Literal

from parsers.markup.bbcode_tags import Closings, Tag, find_tags, pair_in_rounds
from parsers.markup.layout import LaidLine, Layout, Region, Style
from parsers.markup.raw import clean, find_raw_refusal
from parsers.markup.sorting import sort_out
from rules.play.lines import SeenText, SkipKind

Role = Literal[
    "quote", "spoiler", "struck", "heading", "code", "inline code", "plain", "dropped", "inline", "line",
    "item", "break",
]  # fmt: skip
"""What a tag does: stand apart (quote, spoiler), mark its text (struck, heading), keep tags within from
being read (code, inline code, plain), be no text (dropped), nothing (inline), stand on lines of its own
(line), begin a list's item, end the line without a closing (break).
"""

_VERBATIM = ("code", "inline code", "plain", "dropped")
_SCOPES = ("quote", "spoiler")
_NUMERIC_ENTITY = re.compile(r"&#[0-9]{1,7};")
_ADDRESS = re.compile(r"\s*[^\s\[\]]+\s*")


@dataclass(frozen=True, slots=True)
class BBCodeFlavour:
    """Which tags a forum software knows, and what it makes of broken ones.

    roles: by name in small letters; brackets with other names are text. valued: names that are no tag without
    a value. unclosed: `text` where a tag without its closing is text (MyBB, phpBB up to 3.1), `to the end`
    where it reaches to the end of the post or quote that it stands in (phpBB from 3.2, SMF).
    items: where `[*]` begins a line, `in lists` or `anywhere`. entities: whether `&#243;` is a letter.
    """

    roles: Mapping[str, Role]
    valued: frozenset[str] = frozenset()
    unclosed: Literal["text", "to the end"] = "to the end"
    items: Literal["in lists", "anywhere"] = "in lists"
    entities: bool = False


def read_bbcode(raw: str, flavour: BBCodeFlavour) -> SeenText:
    """The lines of one post's raw BBCode in reading order, with what was left out; one over the caps is
    refused whole.

    Unbalanced tags do what the software makes of them (`BBCodeFlavour`): so a `[quote]` that is never closed
    is text in MyBB, and in phpBB and SMF makes a quote of all that follows, which the receipt names. A
    closing without its opening is text everywhere. A tag that is opened within a quote ends with it. Never
    raises, whatever the text.
    """
    refusal = find_raw_refusal(raw)
    if refusal is not None:
        return SeenText(refused=refusal)
    text = clean(raw)
    return sort_out(_Walk(text, flavour).lay_out())


@dataclass(frozen=True, slots=True)
class _Verbatim:
    """A text in which no tag counts. start, end: with its tags; first, last: of the text."""

    opening: Tag
    start: int
    first: int
    last: int
    end: int


def _settle(text: str, flavour: BBCodeFlavour) -> list[Tag | _Verbatim]:
    """What may count, in order: within code and the like no tag does."""
    tags = list(find_tags(text, flavour.roles))
    closings = Closings(tags)
    kept: list[Tag | _Verbatim] = []
    at = 0
    while at < len(tags):
        tag = tags[at]
        at += 1
        if flavour.roles[tag.name] not in _VERBATIM:
            if tag.closes or tag.name not in flavour.valued or tag.value.startswith("="):
                kept.append(tag)
        elif not tag.closes:
            end = closings.find(tag.name, at - 1)
            verbatim = _delimit(text, tag, None if end is None else tags[end], flavour)
            if verbatim is not None:
                kept.append(verbatim)
                at = len(tags) if end is None else end + 1
    if flavour.unclosed == "to the end":
        return kept
    pairs = frozenset(pair_in_rounds(one for one in kept if isinstance(one, Tag)))
    alone = ("item", "break")
    return [
        one for one in kept if isinstance(one, _Verbatim) or one in pairs or flavour.roles[one.name] in alone
    ]


def _delimit(text: str, tag: Tag, closing: Tag | None, flavour: BBCodeFlavour) -> _Verbatim | None:
    """What stands between a tag and its closing, None where the tag is text."""
    is_dropped = flavour.roles[tag.name] == "dropped"
    if closing is None:
        is_text = is_dropped or flavour.unclosed == "text"
        return None if is_text else _Verbatim(tag, tag.start, tag.end, len(text), len(text))
    if is_dropped and not _ADDRESS.fullmatch(text, tag.end, closing.start):
        return None
    return _Verbatim(tag, tag.start, tag.end, closing.start, closing.end)


class _Walk:
    """One pass over what counts. An opening is known by how many scopes (quotes, spoilers) are around it."""

    def __init__(self, text: str, flavour: BBCodeFlavour) -> None:
        self._text = text
        self._flavour = flavour
        self._layout = Layout()
        self._regions = 0
        self._scopes: list[Style] = []
        self._style = Style()
        self._opened: defaultdict[str, list[int]] = defaultdict(list)
        self._struck = 0
        self._headings: list[int] = []

    def lay_out(self) -> list[LaidLine]:
        at = 0
        for one in _settle(self._text, self._flavour):
            if isinstance(one, Tag) and not self._counts(one):
                continue
            self._add(self._text[at : one.start], self._style)
            at = one.end
            if isinstance(one, _Verbatim):
                self._add_verbatim(one)
            elif one.closes:
                self._close(one.name)
            else:
                self._open(one)
        self._add(self._text[at:], self._style)
        self._layout.end_line()
        return self._layout.lines

    def _counts(self, tag: Tag) -> bool:
        role = self._flavour.roles[tag.name]
        if role == "break":
            return not tag.closes
        if role == "item":
            return self._flavour.items == "anywhere" or bool(self._opened["list"])
        return not tag.closes or self._flavour.unclosed == "text" or bool(self._opened[tag.name])

    def _add(self, text: str, style: Style) -> None:
        if self._flavour.entities:
            text = _NUMERIC_ENTITY.sub(lambda entity: unescape(entity[0]), text)
        first, *more = text.split("\n")
        self._layout.add(first, style)
        for line in more:
            self._layout.end_line()
            self._layout.add(line, style)

    def _add_verbatim(self, verbatim: _Verbatim) -> None:
        text = self._text[verbatim.first : verbatim.last]
        role = self._flavour.roles[verbatim.opening.name]
        if role == "code":
            word = verbatim.opening.value.lstrip("= ").strip("\"'").split(maxsplit=1)
            region = self._region("code", word[0] if word else "")
            style = replace(self._style, code=region, preformatted=True, heading=0)
            self._layout.end_line()
            self._add(text, style)
            self._layout.end_line()
            self._layout.end_code(style)
        elif role == "inline code":
            self._layout.add_inline_code(text.strip())
            self._add(text, replace(self._style, inline_code=True))
        elif role == "plain":
            self._add(text, self._style)

    def _open(self, tag: Tag) -> None:
        role = self._flavour.roles[tag.name]
        if role not in ("inline", "struck"):
            self._layout.end_line()
        if role in ("item", "break"):
            return
        self._opened[tag.name].append(len(self._scopes))
        if role in _SCOPES:
            self._scopes.append(self._style)
        self._mark(role, tag)

    def _mark(self, role: Role, tag: Tag) -> None:
        style = self._style
        if role == "quote" and style.left_out is None:
            self._style = replace(style, left_out=self._region("quote"))
        elif role == "spoiler":
            self._style = replace(style, spoiler=True)
        elif role == "struck":
            self._struck += 1
        elif role == "heading":
            self._headings.append(_level(tag.value))
        self._restyle()

    def _close(self, name: str) -> None:
        role = self._flavour.roles[name]
        if role not in ("inline", "struck"):
            self._layout.end_line()
        if not self._opened[name]:
            return
        if role in _SCOPES:
            self._leave_scopes(self._opened[name][-1])
        else:
            self._opened[name].pop()
            self._unmark(role)
        self._restyle()

    def _leave_scopes(self, remaining: int) -> None:
        """Leave the innermost scopes, and all that was opened in them."""
        self._style = self._scopes[remaining]
        del self._scopes[remaining:]
        for name, places in self._opened.items():
            role = self._flavour.roles[name]
            while places and (places[-1] > remaining or (role in _SCOPES and places[-1] == remaining)):
                places.pop()
                self._unmark(role)

    def _unmark(self, role: Role) -> None:
        if role == "struck":
            self._struck -= 1
        elif role == "heading":
            self._headings.pop()

    def _restyle(self) -> None:
        heading = self._headings[-1] if self._headings else 0
        self._style = replace(self._style, struck=self._struck > 0, heading=heading)

    def _region(self, kind: SkipKind, word: str = "") -> Region:
        self._regions += 1
        return Region(kind, self._regions, word)


def _level(value: str) -> int:
    """XenForo shows `[heading=1]` as a title of the second level, and so on to the fourth."""
    digit = value.lstrip("= ").strip("\"'")
    return int(digit) + 1 if digit in ("1", "2", "3") else 2
