"""Two small renderers of BBCode, each after the manner of a family of forums, to judge our reader by.

One replaces pairs of tags by regular expressions, again and again, as MyBB does; the other goes through the
tags once with a stack and closes at the end what is still open, as phpBB from 3.2 and SMF do.
"""

from __future__ import annotations

import re
from html import escape

from parsers.markup.dialect import HtmlDialect

RENDERED = HtmlDialect(
    quotes=("blockquote",),
    spoilers=("div.spoiler",),
    code=("div.codebox",),
    dropped=("cite", ".codebox > p"),
)
"""How both of them write HTML."""

_FRAMES = {
    "quote": ("<blockquote>", "</blockquote>"), "spoiler": ("<div class='spoiler'>", "</div>"),
}  # fmt: skip
_SIMPLE = {"b": "b", "i": "i", "u": "u", "s": "del"}


def render_pairs(text: str) -> str:
    """HTML after the manner of MyBB: a tag without its counterpart stays as it was typed."""
    codes: list[str] = []

    def put_aside(code: re.Match[str]) -> str:
        codes.append(_box(code[1]))
        return f"\x01{len(codes) - 1}\x02"

    html = re.sub(r"&amp;(#[0-9]+;)", r"&\1", escape(text, quote=False))
    html = re.sub(r"\[code\](.*?)\[/code\]", put_aside, html, flags=re.DOTALL | re.IGNORECASE)
    html = _replace(r"\[quote(?:=[^\]\n]*)?\](.*?)\[/quote\]", r"<blockquote>\1</blockquote>", html)
    for name, tag in _SIMPLE.items():
        html = _replace(rf"\[{name}\](.*?)\[/{name}\]", rf"<{tag}>\1</{tag}>", html)
    html = _replace(r"\[color=[^\]\n]*\](.*?)\[/color\]", r"<span>\1</span>", html)
    html = _replace(r"\[url(?:=[^\]\n]*)?\](.*?)\[/url\]", r"<a href='x'>\1</a>", html)
    html = _replace(r"\[img\](https?://[^\s\[\]]+)\[/img\]", r"<img src='\1' alt='mapa'>", html)
    html = _replace(r"\[list\](.*?)\[/list\]", lambda found: _list(found[1]), html)
    html = html.replace("[hr]", "<hr>").replace("\n", "<br>\n")
    return re.sub("\x01([0-9]+)\x02", lambda place: codes[int(place[1])], html)


def _replace(pattern: str, by: object, html: str) -> str:
    """Replace until nothing is left to replace."""
    while True:
        replaced = re.sub(pattern, by, html, flags=re.DOTALL | re.IGNORECASE)  # type: ignore[call-overload]
        if replaced == html:
            return html
        html = replaced


def _list(content: str) -> str:
    before, *items = content.split("[*]")
    return f"<ul>{before}" + "".join(f"<li>{item}</li>" for item in items) + "</ul>"


def _box(code: str) -> str:
    lines = code.replace("\n", "<br>\n")
    return f"<div class='codebox'><p>Código: Seleccionar todo</p><code>{lines}</code></div>"


_TAG = re.compile(r"\[(/?)(quote|spoiler|b|i|u|s|color|url|list|\*|code|img)(=[^\]\n]*)?\]", re.IGNORECASE)


def render_stack(text: str) -> str:
    """HTML after the manner of phpBB from 3.2, with `[s]` and `[spoiler]` as boards add them."""
    return _Stack(text).render()


class _Stack:
    """The frames that are open from outside in, each with the marks that are open within a line of it.

    Marks are closed before a quote, opened anew in it, and go on behind it unless they ended there.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._out: list[str] = []
        self._frames: list[tuple[str, list[str]]] = [("", [])]
        self._lists: list[int] = []

    def render(self) -> str:
        while (found := _TAG.search(self._text, self._at)) is not None:
            self._put(self._text[self._at : found.start()])
            self._at = found.end()
            if not self._take(found[2].lower(), closes=bool(found[1]), has_value=bool(found[3])):
                self._put(found[0])
        self._put(self._text[self._at :])
        while len(self._frames) > 1:
            self._leave_frame()
        self._end(self._frames[0][1])
        return "".join(self._out)

    def _put(self, text: str) -> None:
        self._out.append(escape(text).replace("\n", "<br>"))

    def _take(self, name: str, *, closes: bool, has_value: bool) -> bool:
        """Deal with a tag; False where it is text."""
        if name in ("code", "img"):
            return not closes and self._take_content(name)
        if name in ("list", "*"):
            return self._take_list(name, closes=closes)
        if closes:
            return self._leave(name) if name in _FRAMES else self._unmark(name)
        if name in _FRAMES:
            self._enter(name)
            return True
        if name != "color" or has_value:
            self._frames[-1][1].append(name)
            self._start([name])
            return True
        return False

    def _take_content(self, name: str) -> bool:
        end = self._text.lower().find(f"[/{name}]", self._at)
        content = self._text[self._at : end if end >= 0 else None]
        if name == "img" and (end < 0 or not re.fullmatch(r"\s*[^\s\[\]]+\s*", content)):
            return False
        self._out.append("<img src='x' alt='mapa'>" if name == "img" else _box(escape(content)))
        self._at = end + len(name) + 3 if end >= 0 else len(self._text)
        return True

    def _take_list(self, name: str, *, closes: bool) -> bool:
        is_text = not self._lists and (name == "*" or closes)
        if name == "list" and closes and self._lists:
            self._lists.pop()
        elif name == "list" and not closes:
            self._lists.append(len(self._frames))
        self._out.append("" if is_text else "<br>")
        return not is_text

    def _enter(self, name: str) -> None:
        marks = self._frames[-1][1]
        self._end(marks)
        self._out.append(_FRAMES[name][0])
        self._start(marks)
        self._frames.append((name, list(marks)))

    def _leave(self, name: str) -> bool:
        if name not in (frame for frame, _ in self._frames):
            return False
        while self._leave_frame() != name:
            pass
        return True

    def _leave_frame(self) -> str:
        name, marks = self._frames.pop()
        self._lists = [depth for depth in self._lists if depth <= len(self._frames)]
        self._end(marks)
        self._out.append(_FRAMES[name][1])
        self._start(self._frames[-1][1])
        return name

    def _unmark(self, name: str) -> bool:
        """End a mark here, and in the frames around that it came from."""
        open_marks = self._frames[-1][1]
        if name not in open_marks:
            return False
        place = len(open_marks) - 1 - open_marks[::-1].index(name)
        after = open_marks[place + 1 :]
        self._end(open_marks[place:])
        self._start(after)
        for _, marks in self._frames:
            del marks[place : place + 1]
        return True

    def _start(self, marks: list[str]) -> None:
        self._out += [f"<{_SIMPLE.get(name, 'span')}>" for name in marks]

    def _end(self, marks: list[str]) -> None:
        self._out += [f"</{_SIMPLE.get(name, 'span')}>" for name in reversed(marks)]
