"""Text files into which a person has copied posts: `autor:` and `fecha:` on top, then the text as posted.

Several posts stand in one file where each begins with a line `---` and its own `autor:` line. What looks
like a header and can't be read is an error: else one player's orders would be taken for another's.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from parsers.files.copied_dates import CopiedMoment, parse_copied_date
from parsers.files.errors import FileErrors, FileProblem
from parsers.files.models import quoted
from rules.engine.messages import Message, msg
from rules.engine.text import fold, unmask
from rules.play.posts import Precision

KEYS = {
    "autor": "author",
    "autora": "author",
    "author": "author",
    "fecha": "date",
    "date": "date",
    "numero": "number",
    "number": "number",
    "id": "id",
    "privado": "private",
    "private": "private",
    "editado": "edited",
    "edited": "edited",
    "enlace": "link",
    "link": "link",
}
"""What a header line may begin with, folded."""

_YES = frozenset(("si", "yes", "true"))
_NO = frozenset(("no", "false"))
_RULE = re.compile(r"-{3,}")
_LINE = re.compile(r"\s*([^\W\d_]{2,12})\s*:(.*)")
_LONGEST = 200


@dataclass(frozen=True, slots=True)
class CopiedPost:
    """One post as a text file tells it.

    line: of its author, 1-based. number: its number in the forum. id: named by the director, so that the
    same post in another file is the same. edited: when it was edited last, None where the file says nothing.
    """

    file: str
    line: int
    author: str
    date: CopiedMoment
    text: str
    number: int | None = None
    id: str | None = None
    private: bool = False
    edited: CopiedMoment | None = None
    link: str = ""

    @property
    def precision(self) -> Precision:
        """How exactly its times are known."""
        return self.date.precision


def parse_copied(text: str, name: str, zone: ZoneInfo) -> tuple[CopiedPost, ...]:
    """Read a file of copied posts. zone: of its dates.

    Raises:
        FileErrors: all that is wrong with its headers; a file without a post is wrong, too.
    """
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    starts = _find_starts(lines)
    problems: list[FileProblem] = []
    found: list[CopiedPost] = []
    for place, start in enumerate(starts):
        end = starts[place + 1] if place + 1 < len(starts) else len(lines)
        read = _Piece(name, zone, lines, start, end).read(problems)
        found += [read] if read is not None else []
    if problems:
        raise FileErrors(problems)
    return tuple(found)


def _find_starts(lines: Sequence[str]) -> list[int]:
    """Places (from 0) at which a post begins: the top, and `---` lines with a header below."""
    starts = [0]
    for place, line in enumerate(lines):
        below = _next_written(lines, place + 1)
        if _RULE.fullmatch(line.strip()) and below is not None and _header_word(lines[below]) is not None:
            starts.append(place)
    return starts


def _next_written(lines: Sequence[str], place: int) -> int | None:
    return next((at for at in range(place, len(lines)) if lines[at].strip()), None)


def _header_word(line: str) -> str | None:
    """The word in front of a colon, where it is a header's or was meant as one."""
    found = _LINE.fullmatch(line)
    if found is None:
        return None
    word = fold(found[1])
    near = difflib.get_close_matches(word, KEYS, n=1, cutoff=0.75)
    return word if near else None


class _Piece:
    """The lines of one post; `at` is the place of the next one."""

    def __init__(self, file: str, zone: ZoneInfo, lines: Sequence[str], start: int, end: int) -> None:
        self._file, self._zone = file, zone
        self._lines, self._end = lines, end
        behind = start + 1 if _RULE.fullmatch(lines[start].strip()) else start
        written = _next_written(lines, behind)
        self._at = end if written is None else min(written, end)
        self._start = self._at
        self._problems: list[FileProblem] = []
        self._given: dict[str, tuple[int, str]] = {}

    def read(self, problems: list[FileProblem]) -> CopiedPost | None:
        """The post; None with a problem more for each thing that is wrong with it."""
        self._read_header()
        post = self._build()
        self._check_body()
        problems += self._problems
        return None if self._problems else post

    def _read_header(self) -> None:
        while self._at < self._end:
            line = self._lines[self._at]
            word = _header_word(line)
            if word is None:
                break
            if word not in KEYS:
                near = difflib.get_close_matches(word, KEYS, n=1, cutoff=0.75)[0]
                self._wrong("word", msg("files/copied-word", word=word), msg("files/meant", word=near))
                self._given.setdefault(KEYS[near], (self._at, _value(line)))  # one mistake gives one error
            elif KEYS[word] in self._given:
                self._wrong("twice", msg("files/copied-twice", word=word), msg("files/copied-rule"))
            else:
                self._given[KEYS[word]] = (self._at, _value(line))
            self._at += 1

    def _build(self) -> CopiedPost | None:
        missing = [word for word in ("author", "date") if not self._given.get(word, (0, ""))[1]]
        if len(missing) > 1:
            self._wrong("header", msg("files/copied-no-header"), msg("files/copied-header"), self._start)
            missing = []
        for word in missing:
            right = msg("files/copied-author" if word == "author" else "files/copied-date")
            self._wrong("missing", msg("files/copied-missing", word=_say(word)), right, self._start)
        date, edited = self._date("date"), self._date("edited")
        number, private = self._number(), self._truth("private")
        if self._problems or date is None:
            return None
        place, author = self._given["author"]
        return CopiedPost(
            self._file,
            place + 1,
            author[:_LONGEST],
            date,
            self._body(),
            number,
            self._given.get("id", (0, ""))[1][:_LONGEST] or None,
            private,
            edited,
            self._given.get("link", (0, ""))[1],
        )

    def _body(self) -> str:
        return "\n".join(self._lines[self._at : self._end]).strip("\n")

    def _check_body(self) -> None:
        """A second header inside the text would give one player's orders to another."""
        for place in range(self._at, self._end - 1):
            word, below = (_key(self._lines[place]), _key(self._lines[place + 1]))
            if {word, below} == {"author", "date"}:
                self._wrong("inside", msg("files/copied-inside"), msg("files/copied-rule"), place)

    def _date(self, word: str) -> CopiedMoment | None:
        place, text = self._given.get(word, (0, ""))
        if not text:
            return None
        try:
            return parse_copied_date(text, self._zone)
        except (ValueError, OverflowError):
            wrong = msg("files/copied-no-date", text=text[:60], zone=self._zone.key)
            self._wrong("date", wrong, msg("files/copied-date"), place)
            return None

    def _number(self) -> int | None:
        place, text = self._given.get("number", (0, ""))
        plain = text.removeprefix("#").strip()
        if not plain:
            return None
        if plain.isascii() and plain.isdecimal() and 0 < int(plain[:12]) < 10**9:
            return int(plain)
        self._wrong(
            "number", msg("files/copied-no-number", text=text[:60]), msg("files/copied-number"), place
        )
        return None

    def _truth(self, word: str) -> bool:
        place, text = self._given.get(word, (0, "no"))
        if fold(text) in _YES:
            return True
        if fold(text) not in _NO:
            wrong = msg("files/copied-no-truth", text=text[:60])
            self._wrong("truth", wrong, msg("files/copied-truth"), place)
        return False

    def _wrong(self, code: str, wrong: Message, right: Message, place: int | None = None) -> None:
        line = min(self._at if place is None else place, len(self._lines) - 1) + 1
        self._problems.append(FileProblem(self._file, line, "", f"copied/{code}", wrong, right))


def _value(line: str) -> str:
    return line.split(":", 1)[1].strip()


def _key(line: str) -> str | None:
    found = _LINE.fullmatch(line)
    return None if found is None or line[:1].isspace() else KEYS.get(fold(found[1]))


def _say(key: str) -> str:
    """A header's word as Spanish files write it."""
    return next(word for word in KEYS if KEYS[word] == key)


def unknown_author(post: CopiedPost, known: Sequence[str]) -> FileProblem | None:
    """What is wrong with an author's name that looks like a player's and isn't (reliability.md F34).

    known: names by which the seats' players are found, each exactly. Others' names are nobody's business.
    """
    if post.author in known:
        return None
    folded = {fold(unmask(name)): name for name in known}
    near = difflib.get_close_matches(fold(unmask(post.author)), folded, n=1, cutoff=0.85)
    if not near:
        return None
    wrong = msg("files/copied-other", author=post.author, meant=folded[near[0]])
    right = msg("files/copied-exactly", words=quoted(known))
    return FileProblem(post.file, post.line, "", "copied/author", wrong, right)
