"""Cutting a line into tokens, in one pass and in time linear in its length."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from rules.engine.folding import DOUBLE_QUOTES, fold, fold_char, is_foreign_digit

TokenKind = Literal["word", "number", "id", "string", "punct", "arrow", "mark"]
Flaw = Literal["unclosed", "digits", "symbol"]
_Class = Literal[
    "letter", "digit", "foreign", "blank", "unseen", "double", "single", "dash", "equals", "arrow",
    "picture", "punct",
]  # fmt: skip

_ID = re.compile(r"[^\W\d_]+-?[0-9]+")
_SHORTCODE = re.compile(r":[A-Za-z0-9_+-]+:")
_SMILEY = re.compile(r"[:;=]['^o-]?[)(\]DPpO/|*]+|xD+|XDD+|<3|\^_?\^")
_LONGEST_SMILEY = 40
_ORDINALS = "ºª°"
_LONG_DASHES = "—―⸺⸻"
_CLOSERS = {"«": "»", "»": "«", "“": "”“", "„": "“”", "”": "”", '"': '"'}
_CLASS_OF_FOLDED: dict[str, _Class] = {
    "": "unseen", " ": "blank", '"': "double", "'": "single", "-": "dash", "=": "equals", "->": "arrow",
    "_": "letter",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Token:
    """One word, number or mark of a line.

    kind: `word` (letters, with digits, apostrophes and hyphens inside), `number` ([0-9]+), `id` (letters, an
    optional dash, digits: `CM-1`, `E1`), `string` (in quotation marks), `punct`, `arrow` (`→`, `->`, `=>`),
    `mark` (what no order holds; `flaw` says why).
    text: as written, with its quotation marks. folded: as compared; of a string what stands inside,
    of an arrow `a`, of a number its digits (`3` for `3º`).
    start, end: [start, end) in the line. flaw: `unclosed` (a quotation mark without its other half), `digits`
    (of another script), `symbol` (an emoji in the middle of the order), else None.
    """

    kind: TokenKind
    text: str
    folded: str
    start: int
    end: int
    flaw: Flaw | None = None


def tokenize(line: str) -> tuple[Token, ...]:
    """The tokens of a line, in order; blanks, invisible characters and emoji behind the order are left out.

    The `@` of a mention is no token: `@Tau` reads as `Tau`. Never raises.
    """
    return tuple(_Scanner(line, _order_end(line)).scan())


@lru_cache(maxsize=4096)
def _class(char: str) -> _Class:
    if "0" <= char <= "9":
        return "digit"
    if is_foreign_digit(char):
        return "foreign"
    folded = fold_char(char)
    if folded in _CLASS_OF_FOLDED:
        return _CLASS_OF_FOLDED[folded]
    category = unicodedata.category(char)
    if folded[0].isalpha() or category == "Mc":
        return "letter"
    # So: emoji and other pictures; Sk: their skin tones; the rest: private, unassigned, broken.
    picture = not char.isascii() and category in ("So", "Sk", "Co", "Cn", "Cs")
    return "picture" if picture else "punct"


def _order_end(line: str) -> int:
    """Where the order ends: in front of the emoji and smileys behind it."""
    end = len(line)
    while True:
        while end and _may_follow(line[end - 1]):
            end -= 1
        start = end
        while start and end - start <= _LONGEST_SMILEY and _class(line[start - 1]) != "blank":
            start -= 1
        word = line[start:end]
        if not start or not (_SHORTCODE.fullmatch(word) or _SMILEY.fullmatch(word)):
            break
        end = start
    while end < len(line) and _class(line[end]) == "unseen":
        end += 1
    return end


def _may_follow(char: str) -> bool:
    return _class(char) in ("blank", "unseen", "picture") and char not in _ORDINALS


class _Scanner:
    """One pass over a line; each character is looked at a bounded number of times."""

    def __init__(self, line: str, end: int) -> None:
        self.line = line
        self.end = end
        self.at = 0
        self._next: dict[str, int] = {}
        self._single_closers: list[int] | None = None
        self._readers: dict[_Class, Callable[[], Token | None]] = {
            "letter": self._read_word,
            "digit": self._read_number,
            "foreign": self._read_foreign_digits,
            "double": self._read_string,
            "single": self._read_single_quoted,
            "dash": self._read_dashes,
            "equals": self._read_dashes,
            "arrow": self._read_arrow,
            "picture": self._read_picture,
            "punct": self._read_punct,
        }

    def scan(self) -> Iterator[Token]:
        while self.at < self.end:
            reader = self._readers.get(_class(self.line[self.at]))
            token = reader() if reader is not None else None
            if token is not None:
                yield token
            self.at = token.end if token is not None else self.at + 1

    def _token(self, kind: TokenKind, end: int, folded: str | None = None, flaw: Flaw | None = None) -> Token:
        text = self.line[self.at : end]
        return Token(kind, text, fold(text) if folded is None else folded, self.at, end, flaw)

    def _class_at(self, at: int) -> _Class | None:
        return _class(self.line[at]) if at < self.end else None

    def _seen_class(self, at: int) -> _Class | None:
        """The class of the next character that can be seen."""
        while self._class_at(at) == "unseen":
            at += 1
        return self._class_at(at)

    def _skip(self, at: int, *classes: _Class) -> int:
        while self._class_at(at) in classes:
            at += 1
        return at

    def _read_word(self) -> Token:
        end = self._word_end(self.at)
        token = self._token("word", end)
        return self._token("id", end, token.folded) if _ID.fullmatch(token.folded) else token

    def _word_end(self, at: int) -> int:
        before: _Class | None = None
        while at < self.end:
            here = _class(self.line[at])
            if here in ("letter", "digit"):
                before = here
            elif here != "unseen" and not self._joins(before, here, at):
                break
            at += 1
        return at

    def _joins(self, before: _Class | None, here: _Class, at: int) -> bool:
        """Whether an apostrophe or hyphen stands inside a word (`T'au`, `CM-1`) and not between two."""
        behind = self._seen_class(at + 1)
        if here == "single":
            return behind in ("letter", "digit")
        if here == "dash" and before == "letter":
            return behind == "digit" or (behind == "letter" and self.line[at] not in _LONG_DASHES)
        return False

    def _read_number(self) -> Token:
        end = self._skip(self.at, "digit", "unseen")
        if end < self.end and self.line[end] in _ORDINALS:
            end = self._skip(end + 1, "unseen")
        elif self._class_at(end) == "letter":
            return self._token("word", self._word_end(end))
        digits = [char for char in self.line[self.at : end] if "0" <= char <= "9"]
        return self._token("number", end, "".join(digits))

    def _read_foreign_digits(self) -> Token:
        return self._token("mark", self._skip(self.at, "foreign", "unseen"), flaw="digits")

    def _read_picture(self) -> Token:
        return self._token("mark", self._skip(self.at, "picture", "unseen"), flaw="symbol")

    def _read_arrow(self) -> Token:
        return self._token("arrow", self.at + 1, "a")

    def _read_dashes(self) -> Token:
        end = self._skip(self.at, "dash", "equals")
        if end < self.end and fold_char(self.line[end]) == ">":
            return self._token("arrow", end + 1, "a")
        return self._token("punct", end)

    def _read_punct(self) -> Token | None:
        if self.line[self.at] == "@" and self._class_at(self.at + 1) in ("letter", "digit"):
            return None
        return self._token("punct", self.at + 1)

    def _read_string(self) -> Token:
        own = _CLOSERS.get(self.line[self.at], "")
        close = self._find_next(own)
        return self._quoted(self._find_next(DOUBLE_QUOTES) if close is None else close)

    def _read_single_quoted(self) -> Token:
        if self._class_at(self.at + 1) in (None, "blank"):
            return self._token("punct", self.at + 1)
        if self._single_closers is None:
            self._single_closers = [at for at in range(self.end) if self._closes_single(at)]
        place = bisect_right(self._single_closers, self.at)
        return self._quoted(self._single_closers[place] if place < len(self._single_closers) else None)

    def _closes_single(self, at: int) -> bool:
        return _class(self.line[at]) == "single" and self._class_at(at + 1) not in ("letter", "digit")

    def _quoted(self, close: int | None) -> Token:
        if close is None:
            return self._token("mark", self.at + 1, flaw="unclosed")
        return self._token("string", close + 1, fold(self.line[self.at + 1 : close]))

    def _find_next(self, chars: str) -> int | None:
        """Where the first of these characters stands behind the present one."""
        places = [self._find_char(char) for char in chars]
        found = [place for place in places if place < self.end]
        return min(found) if found else None

    def _find_char(self, char: str) -> int:
        # Each answer is kept until the scan has passed it, so that all searches together cross the line once.
        known = self._next.get(char, -1)
        if known <= self.at:
            place = self.line.find(char, self.at + 1, self.end)
            known = self._next[char] = place if place >= 0 else len(self.line)
        return known
