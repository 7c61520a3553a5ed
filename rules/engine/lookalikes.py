"""Letters of other scripts that look like Latin ones: an `о` from a Cyrillic keyboard in `órdenes`."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

_SCRIPTS = {
    "cirílico": (
        "АВЕІЈКМНОРСТУХЅҺԌԚԜаеіјкосрухѕһԁԛԝгпт",
        "ABEIJKMHOPCTYXSHGQWaeijkocpyxshdqwrnt",
    ),
    "griego": (
        "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧαγικνορτυχηω",
        "ABEZHIKMNOPTYXayikvoptuxnw",
    ),
    "armenio": ("ՕՍՏօսոհցզյ", "OUSounhgqj"),
}
_LOOKALIKES = {
    char: (plain, script)
    for script, (chars, plains) in _SCRIPTS.items()
    for char, plain in zip(chars, plains, strict=True)
}
_WORD = re.compile(r"[\w\u0300-\u036f]+")
_FOREIGN = ("CYRILLIC", "GREEK", "ARMENIAN")


@dataclass(frozen=True, slots=True)
class Lookalike:
    """A letter that isn't the one it looks like. script: Spanish name; index: its place in the text."""

    char: str
    looks_like: str
    script: str
    index: int


def confusables(text: str) -> tuple[Lookalike, ...]:
    """A word's (or each of a line's words') letters of another script that look like Latin ones.

    A word with a letter of those scripts that looks like none is really written in that script and has none.
    """
    if text.isascii():
        return ()
    return tuple(one for word in _WORD.finditer(text) for one in _find(word.group(), word.start()))


def _find(word: str, start: int) -> list[Lookalike]:
    found: list[Lookalike] = []
    for index, char in enumerate(word, start):
        base = unicodedata.normalize("NFD", char)[0]
        if base in _LOOKALIKES:
            found.append(Lookalike(char, *_LOOKALIKES[base], index))
        elif base.isalpha() and unicodedata.name(base, "").startswith(_FOREIGN):
            return []
    return found


def unmask(text: str) -> str:
    """The text with such letters replaced by the Latin ones they look like; only ever to suggest with."""
    if text.isascii():
        return text
    plain = unicodedata.normalize("NFD", text)
    return unicodedata.normalize("NFC", "".join(_LOOKALIKES.get(char, (char, ""))[0] for char in plain))
