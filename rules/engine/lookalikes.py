"""Letters of other scripts that look like Latin ones: an `о` from a Cyrillic keyboard in `órdenes`."""

from __future__ import annotations

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
_FOREIGN = ("CYRILLIC", "GREEK", "ARMENIAN")


@dataclass(frozen=True, slots=True)
class Lookalike:
    """A letter that isn't the one it looks like. script: Spanish name; index: its place in the word."""

    char: str
    looks_like: str
    script: str
    index: int


def confusables(word: str) -> tuple[Lookalike, ...]:
    """The word's letters of another script that look like Latin ones.

    Empty too where a letter of those scripts looks like none: such a word is really written in that script.
    """
    if word.isascii():
        return ()
    plain = unicodedata.normalize("NFD", word)
    if any(_is_foreign(char) and char not in _LOOKALIKES for char in plain):
        return ()
    found: list[Lookalike] = []
    for index, char in enumerate(word):
        base = unicodedata.normalize("NFD", char)[0]
        if base in _LOOKALIKES:
            found.append(Lookalike(char, *_LOOKALIKES[base], index))
    return tuple(found)


def unmask(text: str) -> str:
    """The text with such letters replaced by the Latin ones they look like; only ever to suggest with."""
    if text.isascii():
        return text
    plain = unicodedata.normalize("NFD", text)
    return unicodedata.normalize("NFC", "".join(_LOOKALIKES.get(char, (char, ""))[0] for char in plain))


def _is_foreign(char: str) -> bool:
    return char.isalpha() and unicodedata.name(char, "").startswith(_FOREIGN)
