"""The words of a block's opening: `turno 3 como Tau permanentes`, in any order."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from rapidfuzz.distance import OSA

from parsers.orders.keywords import (
    APPEND_WORDS,
    HEADER_WORDS,
    KEYWORDS,
    SEAT_WORDS,
    STANDING_WORDS,
    TURN_WORDS,
    Keywords,
)
from parsers.orders.numbers import NUMBER_WORDS
from rules.engine.diagnostics import Diagnostic, Span
from rules.engine.messages import Code, Message, msg
from rules.engine.text import Token, confusables, fold, foreign_digits, tokenize, unmask
from rules.engine.wording import NATIVE, Language
from rules.play.blocks import Header

LONGEST_HEADER = 200
"""Characters; longer ones are prose, and reading words looks ahead."""

MOST_TURN_DIGITS = 6
# What players write for header words, by what they mean; close misses of these are told.
_MEANT = (("turno", "turn"), ("permanentes", "standing"), ("anade", "anadir", "anado", "append"))
_FILLERS = frozenset(("de", "del", "el", "la", "las", "los", "para", "y", "of", "for", "the", "and"))
_BEFORE_NUMBER = frozenset((
    ":", ".", "-", "#", "=", "n", "no", "nº", "o", "º", "°", "num", "numero", "number", "nr",
))  # fmt: skip
_GLUED_TURN = re.compile(r"turno?-?([0-9]{1,6})")


@dataclass(frozen=True, slots=True)
class HeaderRead:
    """A header with what is wrong with it; spans and suggested lines are those of the whole line."""

    header: Header
    findings: tuple[Diagnostic, ...]


def parse_header(
    line: str, start: int, end: int, tracks: Sequence[str] = (), language: Language = NATIVE
) -> HeaderRead:
    """Read the header words in characters [start, end) of a line. Never raises.

    `tracks` are the game's names of tracks, as far as they are known: a word of theirs ends a seat's name and
    is never taken for a misspelt header word. `language`: what suggestions are written in.
    """
    if end - start > LONGEST_HEADER:
        message = msg("parse/header-too-long", size=end - start, limit=LONGEST_HEADER)
        return HeaderRead(Header(), (Diagnostic(message, span=Span(start, end)),))
    known = frozenset(token.folded for track in tracks for token in tokenize(track))
    reader = _HeaderReader(line, start, tokenize(line[start:end]), known, KEYWORDS[language])
    return reader.read()


def says_header(line: str, tracks: Sequence[str] = ()) -> bool:
    """Whether a whole line, the first of an order fence, is header words: `turno 3`, `como Tau`,
    `permanentes`.

    What could be an order is one: words that name nothing known make a header only in front of `turno N`.
    """
    tokens = tokenize(line) if len(line) <= LONGEST_HEADER else ()
    if not tokens:
        return False
    read = parse_header(line, 0, len(line), tracks)
    if tokens[0].folded in TURN_WORDS:
        return True
    if read.findings or not read.header.words:
        return False
    is_known = read.header.track is None or fold(read.header.track) in {fold(track) for track in tracks}
    return is_known or (read.header.turn is not None and fold(line).startswith(fold(read.header.track or "")))


@dataclass(slots=True)
class _HeaderReader:
    line: str
    offset: int
    tokens: Sequence[Token]
    known: frozenset[str]
    keywords: Keywords
    at: int = 0
    turn: int | None = None
    seat_name: str | None = None
    track: str | None = None
    said: set[str] = field(default_factory=set)
    findings: list[Diagnostic] = field(default_factory=list)

    def read(self) -> HeaderRead:
        while self.at < len(self.tokens):
            self._read_next(self.tokens[self.at])
        words = tuple(token.text for token in self.tokens if token.kind != "punct")
        said = self.said
        words_of = self.keywords
        is_standing, appends = words_of.standing in said, words_of.append in said
        header = Header(self.turn, self.seat_name, is_standing, appends, self.track, words)
        return HeaderRead(header, tuple(self.findings))

    def _read_next(self, token: Token) -> None:
        self.at += 1
        word = token.folded
        if token.kind in ("punct", "arrow") or token.flaw == "symbol" or self._is_filler(word):
            return
        if word in TURN_WORDS:
            self._say(self.keywords.turn, token)
            self._read_turn(token)
        elif word in SEAT_WORDS:
            self._say(self.keywords.seat, token)
            self._read_seat(token)
        elif word in STANDING_WORDS:
            self._say(self.keywords.standing, token)
        elif word in APPEND_WORDS:
            self._say(self.keywords.append, token)
        else:
            self._read_rest(token)

    def _is_filler(self, word: str) -> bool:
        following = next((one.folded for one in self.tokens[self.at :] if one.folded not in _FILLERS), "")
        return word in _FILLERS and following in HEADER_WORDS

    def _say(self, word: str, token: Token) -> None:
        if word in self.said:
            self._find(msg("parse/header-twice", word=Code(word)), token, token)
        self.said.add(word)

    def _read_turn(self, turn: Token) -> None:
        while self.at < len(self.tokens) and self.tokens[self.at].folded in _BEFORE_NUMBER:
            self.at += 1
        token = self.tokens[self.at] if self.at < len(self.tokens) else None
        if token is None or token.folded in HEADER_WORDS:
            self._find(msg("parse/turn-without-number"), turn, turn)
            return
        self.at += 1
        if token.kind != "number":
            self._find_no_number(token)
        elif len(token.folded) > MOST_TURN_DIGITS:
            limit = 10**MOST_TURN_DIGITS - 1
            self._find(msg("parse/turn-too-big", word=Code(token.text[:20]), maximum=limit), token, token)
        else:
            self.turn = int(token.folded)

    def _find_no_number(self, token: Token) -> None:
        if foreign_digits(token.text):
            message, plain = self._digits(token)
            self._find(message, token, token, plain)
            return
        number = NUMBER_WORDS.get(token.folded)
        instead = None if number is None else str(number)
        self._find(msg("parse/bad-turn", word=Code(token.text)), token, token, instead)

    def _read_seat(self, como: Token) -> None:
        first = self.at
        while self.at < len(self.tokens) and not self._ends_name(
            self.tokens[self.at], has_name=self.at > first
        ):
            self.at += 1
        name = self.tokens[first : self.at]
        if not any(token.kind in ("word", "id", "number", "string") for token in name):
            self._find(msg("parse/seat-without-name"), como, como)
        elif len(name) == 1 and name[0].kind == "string":
            self.seat_name = name[0].text[1:-1].strip()
        else:
            self.seat_name = self._text(name)

    def _ends_name(self, token: Token, *, has_name: bool) -> bool:
        return token.folded in HEADER_WORDS or (
            has_name and (token.folded in self.known or token.text in ",;")
        )

    def _text(self, tokens: Sequence[Token]) -> str:
        written = self.line[self.offset + tokens[0].start : self.offset + tokens[-1].end]
        return " ".join(written.split())

    def _read_rest(self, token: Token) -> None:
        """A word that is none of the header's: a track's name, or something misspelt."""
        wrong = self._wrong_word(token)
        if wrong is not None:
            self._find(wrong[0], token, token, wrong[1])
            if wrong[1] == self.keywords.turn and self._is_number():
                self.at += 1  # the misspelt word's
            return
        first = self.at - 1
        while self.at < len(self.tokens) and self._goes_on(self.tokens[self.at]):
            self.at += 1
        name = self.tokens[first : self.at]
        if self.track is None:
            self.track = name[0].text[1:-1] if name[0].kind == "string" else self._text(name)
        else:
            self._find(msg("parse/header-word", word=Code(self._text(name))), name[0], name[-1])

    def _is_number(self) -> bool:
        return self.at < len(self.tokens) and self.tokens[self.at].kind == "number"

    def _goes_on(self, token: Token) -> bool:
        is_word = token.kind in ("word", "id") and token.folded not in HEADER_WORDS
        return is_word and not self._is_filler(token.folded) and self._wrong_word(token) is None

    def _wrong_word(self, token: Token) -> tuple[Message, str | None] | None:
        """What is wrong with a word that may be a track's name, and what should stand there."""
        word = token.folded
        if word in self.known:
            return None
        unmasked = fold(unmask(token.text))
        if unmasked in HEADER_WORDS:
            letter = confusables(token.text)[0]
            script = msg(f"parse/script-{letter.script}")
            return msg("parse/look-alike", letter=Code(letter.looks_like), script=script), unmasked
        if foreign_digits(token.text):
            plain = foreign_digits(token.text)[0].plain
            return msg(
                "parse/foreign-digits", word=Code(token.text), plain=Code(plain) if plain else None
            ), plain
        glued = _GLUED_TURN.fullmatch(word)
        meant = f"{self.keywords.turn} {glued.group(1)}" if glued else _near_word(word, self.keywords)
        if token.kind == "number":
            meant = f"{self.keywords.turn} {token.folded}"
        if meant is not None or token.flaw is not None:
            return msg("parse/header-word", word=Code(token.text)), meant
        return None

    def _digits(self, token: Token) -> tuple[Message, str | None]:
        plain = foreign_digits(token.text)[0].plain
        shown = Code(plain) if plain else None
        return msg("parse/foreign-digits", word=Code(token.text), plain=shown), plain

    def _find(self, message: Message, first: Token, last: Token, instead: str | None = None) -> None:
        start, end = self.offset + first.start, self.offset + last.end
        suggest = () if instead is None else (self.line[:start] + instead + self.line[end:],)
        self.findings.append(Diagnostic(message, span=Span(start, end), suggest=suggest))


def _near_word(word: str, keywords: Keywords) -> str | None:
    """The header word that was probably meant, as it is written."""
    for written, rights in zip((keywords.turn, keywords.standing, keywords.append), _MEANT, strict=True):
        if any(len(word) >= 4 and _is_near(word, right) for right in rights):
            return written
    return None


def _is_near(word: str, right: str) -> bool:
    allowed = 1 if len(right) <= 5 else 2
    return bool(OSA.distance(word, right, score_cutoff=allowed) <= allowed)
