"""The folder with the texts that a person pastes into the forum: one file each, in order.

A list beside them remembers what we wrote: which file holds which text, where it was pasted, and what we put
into it last. So a text is never written twice, and what the director changed is never overwritten.
"""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from processor.folder import write_file
from processor.pipeline.voiding import NOTICE
from rules.engine.catalogue import Catalogue
from rules.engine.messages import Message, msg
from rules.play.turns import TurnRef

LIST = ".turnero.json"
"""The list of what was written, in the folder with the texts."""

PUBLIC = ""
"""Recipient of what goes into the game's topic."""

_MARKER = re.compile(
    r"ptd1:(?P<game>[^\s:/]+)(?:/(?P<track>[^\s:]+))?:(?P<turn>\d+)\.(?P<attempt>\d+):(?P<kind>[\w-]+)"
    r":(?P<part>\d+)/(?P<parts>\d+)(?::[0-9a-f]{8})?"
)
_KINDS = (
    "open",
    "receipts",
    "receipt",
    "report",
    "digest",
    "held",
    "reminder",
    "question",
    "answers",
    "deadline",
    "void",
)
"""What texts are called in the names of their files; any other is called as its marker says."""
_TURN = re.compile(r"turn-(\d{3,})")
_NO_LETTERS = re.compile(r"[^a-z0-9]+")


class NoMarker(ValueError):
    """A text without a marker on its last line: only ours are written here."""


@dataclass(frozen=True, slots=True)
class Marker:
    """What a marker says of a text. kind: as in `Outgoing.kind`."""

    ref: TurnRef
    kind: str
    part: int
    parts: int

    @classmethod
    def of(cls, line: str) -> Marker:
        """Read a marker. Raises NoMarker."""
        found = _MARKER.fullmatch(line.strip())
        if found is None:
            raise NoMarker(line[:80])
        ref = TurnRef(found["game"], int(found["turn"]), found["track"] or "", int(found["attempt"]))
        return cls(ref, found["kind"], int(found["part"]), int(found["parts"]))


@dataclass(frozen=True, slots=True)
class Written:
    """One text. name: its file, from the folder on. to: recipient, `PUBLIC` for the topic. at: ISO, UTC.

    hashes: of everything that we ever wrote into it. url: where it was pasted, "" where that isn't known.
    posted: whether the director has said that it was pasted. stale: whether it has changed since. kept: files
    with the director's own versions. void: whether its attempt was voided before it was pasted as it stands.
    """

    name: str
    marker: str
    to: str
    title: str
    at: str
    hashes: tuple[str, ...] = ()
    url: str = ""
    posted: bool = False
    stale: bool = False
    kept: tuple[str, ...] = ()
    void: bool = False


@dataclass
class Shelf:
    """The texts of one turn. folder: theirs, made with the first. ending: of its files, without the dot."""

    folder: Path
    catalogue: Catalogue
    ending: str
    texts: tuple[Written, ...] = field(default=())

    @classmethod
    def open(cls, reports: Path, turn: str, catalogue: Catalogue, ending: str) -> Shelf:
        """The texts of a turn (as `TurnRef.inbox`), as the list tells. reports: of the game.

        Raises OSError, ValueError where the list can't be read.
        """
        folder = reports / turn / catalogue.text(msg("folder/paste"))
        try:
            stored = json.loads((folder / LIST).read_text(encoding="utf-8"))
        except FileNotFoundError:
            return cls(folder, catalogue, ending)
        return cls(folder, catalogue, ending, tuple(_load(one) for one in stored["texts"]))

    def find(self, marker: str) -> Written | None:
        """The text with a marker."""
        return next((one for one in self.texts if one.marker == marker), None)

    def named(self, name: str) -> Written | None:
        """The text in a file."""
        return next((one for one in self.texts if one.name == name), None)

    def content(self, one: Written) -> str | None:
        """What stands in a text's file, None where there is none."""
        try:
            return (self.folder / one.name).read_text(encoding="utf-8")
        except (FileNotFoundError, UnicodeDecodeError):
            return None

    def find_strays(self) -> tuple[Written, ...]:
        """Texts of ours that lie here and that the list doesn't know: it is older than they are.

        Which turn or attempt they are of doesn't matter; a director's own version of a known one is none.
        """
        known = {one.marker for one in self.texts}
        found = (self._read_stray(path) for path in sorted(self.folder.rglob(f"*.{self.ending}")))
        return tuple(one for one in found if one is not None and one.marker not in known)

    def _read_stray(self, path: Path) -> Written | None:
        try:
            marker = last_line(path.read_text(encoding="utf-8"))
            Marker.of(marker)
            at = datetime.fromtimestamp(path.stat().st_mtime, UTC)
        except (OSError, UnicodeDecodeError, NoMarker):
            return None
        return Written(path.relative_to(self.folder).as_posix(), marker, PUBLIC, "", at.isoformat())

    def add(self, text: str, to: str, title: str, now: datetime) -> Written:
        """Write a text; one that the list has already goes into the same file. Raises NoMarker, OSError."""
        marker = last_line(text)
        known = self.find(marker)
        if known is None:
            known = Written(self._new_name(Marker.of(marker), to), marker, to, title, now.isoformat())
        return self._put(known, text)

    def change(self, name: str, text: str) -> Written | None:
        """Write another version of a text into its file; None where there is no such text. Raises OSError."""
        known = self.named(name)
        if known is None:
            return None
        return self._put(replace(known, marker=last_line(text), stale=known.posted), text)

    def note(self, name: str, url: str) -> None:
        """Remember that a text was pasted, and where. Raises OSError."""
        known = self.named(name)
        if known is not None:
            self._keep(replace(known, posted=True, stale=False, url=url or known.url))

    def void(self, attempt: int | None = None) -> None:
        """Mark what isn't to be pasted any more: the texts up to an attempt, None: of all, but for notices of
        voided attempts, which are pasted all the same. Raises OSError.
        """
        for one in self.texts:
            marker = Marker.of(one.marker)
            over = attempt is None or marker.ref.attempt <= attempt
            if over and marker.kind != NOTICE and is_waiting(one):
                self._keep(replace(one, void=True))

    def _put(self, one: Written, text: str) -> Written:
        """The list first: whoever finds a file then knows whether it is ours."""
        content = f"{text}\n"
        path, hashed = self.folder / one.name, _hash(content)
        found = self.content(one)
        if found is not None and found != content and _hash(found) not in one.hashes:
            one = replace(one, kept=(*one.kept, self._set_aside(one, found)))
        one = replace(one, hashes=tuple(dict.fromkeys((*one.hashes, hashed))))
        self._keep(one)
        if found != content:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_file(path, content.encode())
        return one

    def _set_aside(self, one: Written, content: str) -> str:
        """Keep what the director made of a text, under another name."""
        stem, _, ending = one.name.rpartition(".")
        word = self.catalogue.text(msg("folder/yours"))
        names = (f"{stem}-{word}{count}.{ending}" for count in ("", *(f"-{n}" for n in range(2, 1000))))
        name = next(name for name in names if not (self.folder / name).exists())
        write_file(self.folder / name, content.encode())
        return name

    def _keep(self, one: Written) -> None:
        others = [other for other in self.texts if other.name != one.name]
        self.texts = tuple(sorted((*others, one), key=lambda text: text.name.rsplit("/", 1)[-1]))
        self.folder.mkdir(parents=True, exist_ok=True)
        stored = {"format": 1, "texts": [asdict(text) for text in self.texts]}
        write_file(self.folder / LIST, f"{json.dumps(stored, ensure_ascii=False, indent=1)}\n".encode())

    def _new_name(self, marker: Marker, to: str) -> str:
        taken = [int(found[0]) for one in self.texts if (found := re.findall(r"(?:^|/)(\d+)-", one.name))]
        number = max(taken, default=0) + 1
        parts = [f"{number:02}", *([_slug(to)] if to else []), self._word(marker.kind)]
        parts += [str(marker.part)] if marker.parts > 1 else []
        parts += [f"v{marker.ref.attempt}"] if marker.ref.attempt > 1 else []
        inside = f"{self.catalogue.text(msg('folder/private'))}/" if to else ""
        return f"{inside}{'-'.join(parts)}.{self.ending}"

    def _word(self, kind: str) -> str:
        word = kind.split("-", 1)[0]
        return self.catalogue.text(Message(f"folder/kind-{word}")) if word in _KINDS else _slug(kind)


def last_line(text: str) -> str:
    """A text's marker, where it has one."""
    return text.rstrip().rsplit("\n", 1)[-1].strip()


def list_later(reports: Path, turn: str) -> tuple[str, ...]:
    """The turns behind one that have a folder, ascending. turn: as `TurnRef.inbox`, like those."""
    track, _, name = turn.rpartition("/")
    found = (_TURN.fullmatch(one.name) for one in (reports / track).glob("turn-*") if one.is_dir())
    numbers = {int(one[1]): one[0] for one in found if one}
    first = int(name.removeprefix("turn-"))
    return tuple(f"{track}/{numbers[one]}".lstrip("/") for one in sorted(numbers) if one > first)


def _load(stored: Mapping[str, object]) -> Written:
    values = {name: tuple(value) if isinstance(value, list) else value for name, value in stored.items()}
    return Written(**values)  # type: ignore[arg-type]


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _slug(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return _NO_LETTERS.sub("-", plain).strip("-") or "x"


def is_waiting(one: Written) -> bool:
    """Whether a text is still to be pasted, or edited where it was pasted."""
    return (not one.posted or one.stale) and not one.void
