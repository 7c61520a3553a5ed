"""Folding: what doesn't matter in a player's text is taken out of it, before anything is compared.

Case, accents, kinds of quotation marks, dashes, arrows and blanks, invisible characters, full-width and
ligature letters don't matter. Digits of other scripts do: they stay as they are, so that they can be named
(design.md 2; pitfalls.md, *Order syntax, names and Unicode*).
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

DOUBLE_QUOTES = '"“”„‟«»″〝〞〟＂❝❞'
"""Characters that fold to `"`."""

SINGLE_QUOTES = "'’‘‚‛‹›′`´ʼʹʻ＇❛❜"
"""Characters that fold to `'`."""

_DASHES = "-‐‑‒–—―−⁃⸺⸻﹘﹣－➖"
_ARROWS = "→⇒⇨➔➙➛➜➝➞➡⟶⟹⟼↦↣⇢⇾⮕🡒🠖🡆"
_STROKES = {
    "ø": "o", "Ø": "o", "ł": "l", "Ł": "l", "đ": "d", "Đ": "d", "ð": "d", "Ð": "d", "ħ": "h", "Ħ": "h",
    "ŧ": "t", "Ŧ": "t", "ı": "i", "æ": "ae", "Æ": "ae", "œ": "oe", "Œ": "oe",
}  # fmt: skip
# Letters by their category, yet nothing to see: Hangul fillers, the blank Braille pattern.
_UNSEEN = "ᅟᅠㅤﾠ⠀"
_TABLE_ROOM = 20_000


def is_foreign_digit(char: str) -> bool:
    """Whether a character stands for digits without being one of 0-9: `３`, `٣`, `²`, `½`, `⑤`."""
    if char.isascii():
        return False
    if unicodedata.category(char) in ("Nd", "No") or char.isdigit():
        return True
    return any("0" <= one <= "9" for one in unicodedata.normalize("NFKD", char))


def _fold_char(char: str) -> str:
    category = unicodedata.category(char)
    if char.isspace() or category in ("Zs", "Zl", "Zp"):
        return " "
    if category in ("Cc", "Cf", "Mn", "Me"):
        return ""
    if is_foreign_digit(char):
        return char
    simpler = unicodedata.normalize("NFKD", char)
    if simpler == char:
        simpler = char.casefold()
    return char if simpler == char else simpler.translate(_TABLE)


class _Table(dict[int, str]):
    """Character to what it folds to, filled as texts come in and bounded, since texts are foreign."""

    def __missing__(self, code: int) -> str:
        folded = _fold_char(chr(code))
        if len(self) < _TABLE_ROOM:
            self[code] = folded
        return folded


_TABLE = _Table({ord(char): '"' for char in DOUBLE_QUOTES})
_TABLE.update({ord(char): "'" for char in SINGLE_QUOTES})
_TABLE.update({ord(char): "-" for char in _DASHES})
_TABLE.update({ord(char): "->" for char in _ARROWS})
_TABLE.update({ord(char): "" for char in _UNSEEN})
_TABLE.update({ord(char): plain for char, plain in _STROKES.items()})


def fold_char(char: str) -> str:
    """What one character folds to: `""` for what can't be seen, `" "` for blanks, else what is compared."""
    return _TABLE[ord(char)]


def fold(text: str) -> str:
    """The text as it is compared: equal for texts that differ only in what doesn't matter.

    Runs of blanks become one, blanks at the ends go. Folding twice is folding once.
    """
    return " ".join(text.translate(_TABLE).split())


@dataclass(frozen=True, slots=True)
class Folded:
    """A folded text that knows where each character came from.

    positions: for each character of `text` the index in `origin`, ascending, never past its end.
    """

    text: str
    positions: tuple[int, ...]
    origin: str

    def span(self, start: int, end: int) -> tuple[int, int]:
        """[start, end) of the folded text as [start, end) of the original, accents that follow included."""
        if start >= end:
            place = self.positions[start] if start < len(self.positions) else len(self.origin)
            return place, place
        last = self.positions[end - 1] + 1
        while last < len(self.origin) and not fold_char(self.origin[last]):
            last += 1
        return self.positions[start], last


def fold_with_positions(text: str) -> Folded:
    """`fold`, with the way back to the original's characters."""
    chars: list[str] = []
    positions: list[int] = []
    blank: int | None = None
    for index, char in enumerate(text):
        folded = _TABLE[ord(char)]
        if folded == " ":
            blank = index if blank is None else blank
            continue
        if folded and blank is not None and chars:
            chars.append(" ")
            positions.append(blank)
        if folded:
            blank = None
        chars.extend(folded)
        positions.extend([index] * len(folded))
    return Folded("".join(chars), tuple(positions), text)


@dataclass(frozen=True, slots=True)
class ForeignDigits:
    """A run of digits that aren't 0-9. plain: the same number in 0-9, None where there is none (`½`)."""

    text: str
    plain: str | None
    start: int
    end: int


def foreign_digits(text: str) -> tuple[ForeignDigits, ...]:
    """Runs of full-width, Arabic, superscript and other digits: an error, they are never read as numbers."""
    if text.isascii():
        return ()
    found: list[ForeignDigits] = []
    at = 0
    while at < len(text):
        end = at
        while end < len(text) and is_foreign_digit(text[end]):
            end += 1
        if end > at:
            found.append(ForeignDigits(text[at:end], _plain(text[at:end]), at, end))
        at = max(end, at + 1)
    return tuple(found)


def _plain(digits: str) -> str | None:
    plain = [unicodedata.digit(digit, None) for digit in digits]
    return None if None in plain else "".join(str(digit) for digit in plain)


def same_letters(one: str, other: str) -> bool:
    """Whether two names are the same but for capitals, stops and blanks."""
    return _letters(one) == _letters(other)


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text)).casefold()
