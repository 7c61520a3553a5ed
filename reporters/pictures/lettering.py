"""How wide words are in a picture, and words cut so that they fit.

Widths are those of DejaVu Sans, in which the PNG is set; the faces that a browser may take instead are
narrower, so what fits here fits there.
"""

from __future__ import annotations

import unicodedata

from reporters.cleaning import clean_line

_WIDTHS = (
    (30, "'IJijl"),
    (36, " ,-./:;\\f|"),
    (42, "!()[]rt"),
    (48, '"'),
    (54, "*?_`sz"),
    (60, "FLPckvxy"),
    (66, "$0123456789EKSTYabdeghnopqu{}"),
    (72, "ABCRVXZ"),
    (78, "&DGHNU"),
    (84, "#+<=>OQ^w~"),
    (90, "M"),
    (96, "%"),
    (102, "@Wm"),
)
"""Hundredths of the size, a little rounded up."""

_WIDTH_OF = {char: wide for wide, chars in _WIDTHS for char in chars}
_BOLD = 1.14
_OTHER = 85
_WIDE = 120
_FORBIDDEN = frozenset((0xFFFE, 0xFFFF))
"""Besides controls and halves of pairs, what XML has no place for."""


def clean_words(text: str) -> str:
    """Foreign words as one line that XML can hold."""
    kept = "".join(char for char in clean_line(text) if ord(char) & 0xFFFF not in _FORBIDDEN)
    return kept.strip()


_DRAWABLE = ((0x20, 0x24F), (0x370, 0x52F), (0x5D0, 0x6FF), (0x1E00, 0x1EFF))
"""Letters that the faces of the PNG have: European, Greek, Cyrillic, Hebrew, Arabic."""


def is_drawable(text: str) -> bool:
    """Whether a picture can show all of a text wherever it is looked at."""
    return all(any(first <= ord(char) <= last for first, last in _DRAWABLE) for char in text)


def measure(text: str, size: int, *, bold: bool = False) -> int:
    """How wide words are at most, in the picture's units."""
    total = sum(_width(char) for char in unicodedata.normalize("NFC", text))
    return int(total * size * (_BOLD if bold else 1) / 100) + 1


def _width(char: str) -> int:
    if char in _WIDTH_OF:
        return _WIDTH_OF[char]
    if unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0
    if unicodedata.east_asian_width(char) in "WF" or ord(char) > 0xFFFF:
        return _WIDE
    return _WIDTH_OF.get(unicodedata.normalize("NFD", char)[0], _OTHER)


def fit(text: str, size: int, room: int, *, bold: bool = False) -> str:
    """Foreign words, cut with an ellipsis where they are wider than the room."""
    words = clean_words(text)
    if measure(words, size, bold=bold) <= room:
        return words
    low, high = 0, len(words)
    while low < high:
        middle = (low + high + 1) // 2
        fits = measure(f"{words[:middle]}…", size, bold=bold) <= room
        low, high = (middle, high) if fits else (low, middle - 1)
    return f"{words[:low].rstrip()}…"
