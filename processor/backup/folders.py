"""The folders of games: what of them is taken, and how it is put back."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from processor.backup.archive import Archive
from processor.backup.manifest import KEPT, BackupError, Member, SavedGame
from processor.folder import write_file
from processor.forums.folder_inbox import INBOX
from processor.forums.folder_shelf import LIST
from rules.engine.messages import msg

MOST_BYTES = 64 << 20
"""A larger file is left where it lies."""
INBOX_FILES = f"{INBOX}/"
"""Files of which it counts when they were changed: a saved page shows the forum of that moment."""
SHORT_SECRET = 8
"""A password shorter than this is looked for as a whole file only: it may stand in any text."""


@dataclass(frozen=True, slots=True)
class Secrets:
    """What must not get into a backup. files: that hold secrets. texts: the secrets themselves."""

    files: tuple[Path, ...] = ()
    texts: tuple[str, ...] = ()

    def are_in(self, path: Path, data: bytes) -> bool:
        """Whether a file is one of those, or holds one of those texts."""
        return path.resolve() in {one.resolve() for one in self.files} or any(
            data.strip() == one.encode() or (len(one) >= SHORT_SECRET and one.encode() in data)
            for one in self.texts
            if one
        )


@dataclass(frozen=True, slots=True)
class TakenFile:
    """A file of a game's folder. name: its path from there. changed_at: as in `Member`."""

    name: str
    data: bytes
    changed_at: str | None


@dataclass
class Taken:
    """A walk through a game's folder. left_out: what wasn't taken so far, with the code of the reason."""

    folder: Path
    secrets: Secrets
    left_out: list[tuple[str, str]] = field(default_factory=list)

    def files(self) -> Iterator[TakenFile]:
        """Each file that belongs to the game, in order. Links are never followed."""
        for name in KEPT:
            yield from self._walk(self.folder / name)

    def _walk(self, path: Path) -> Iterator[TakenFile]:
        try:
            mode = path.lstat().st_mode
        except FileNotFoundError:
            return
        if stat.S_ISDIR(mode):
            for inner in sorted(path.iterdir()):
                yield from self._walk(inner)
        elif not path.name.startswith(".") or path.name == LIST:  # others are drafts of ours, or an editor's
            yield from self._file(path)

    def _file(self, path: Path) -> Iterator[TakenFile]:
        name = path.relative_to(self.folder).as_posix()
        try:
            changed = path.lstat().st_mtime
            data = _read_plainly(path)
        except OSError as error:
            self.left_out.append((name, "link" if error.errno == errno.ELOOP else "unreadable"))
            return
        if data is None:
            self.left_out.append((name, "no-file"))
        elif len(data) > MOST_BYTES:
            self.left_out.append((name, "too-big"))
        elif self.secrets.are_in(path, data):
            self.left_out.append((name, "secret"))
        else:
            yield TakenFile(name, data, _say_moment(changed) if name.startswith(INBOX_FILES) else None)


def _say_moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat()


def _read_plainly(path: Path) -> bytes | None:
    """A file's content, one byte more than `MOST_BYTES` at most; None for what is no plain file."""
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    with os.fdopen(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            return None
        return file.read(MOST_BYTES + 1)


@dataclass(frozen=True, slots=True)
class Placement:
    """Where a game's files go. differing: paths that are there already with another content."""

    game: SavedGame
    folder: Path
    files: tuple[tuple[Member, str], ...]
    differing: tuple[str, ...]


def plan_placement(archive: Archive, game: SavedGame, folder: Path) -> Placement:
    """Look at where a game's files would go. Raises BackupError where something bars the way."""
    files = archive.manifest.files_of(game.id)
    differing = []
    for member, name in files:
        path = folder / name
        for above in (path, *path.parents):
            if above.is_symlink() and above.is_relative_to(folder) and above != folder:
                raise BackupError(msg("backup/in-the-way", path=str(above)))
        if path.exists() and (not path.is_file() or path.read_bytes() != archive.read(member.name)):
            differing.append(name)
    return Placement(game, folder, files, tuple(differing))


class Placing:
    """Writes files of games, and can take all of it back."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._made: list[Path] = []
        self._changed: list[tuple[Path, bytes]] = []

    def place(self, placement: Placement, *, keep: bool) -> None:
        """Write a game's files; keep: what is there with another content stays. Raises BackupError."""
        kept = set(placement.differing) if keep else set()
        try:
            self._make_folder(placement.folder)
            for member, name in placement.files:
                if name not in kept:
                    self._write(placement.folder / name, self._archive.read(member.name))
                    _date(placement.folder / name, member)
        except OSError as error:
            path, why = str(error.filename or placement.folder), error.strerror or type(error).__name__
            raise BackupError(msg("backup/unwritable", path=path, why=why)) from error

    def undo(self) -> None:
        """Have everything as it was."""
        for path, data in self._changed:
            write_file(path, data)
        for path in reversed(self._made):
            path.rmdir() if path.is_dir() else path.unlink(missing_ok=True)
        self._made.clear()
        self._changed.clear()

    def _write(self, path: Path, data: bytes) -> None:
        self._make_folder(path.parent)
        if not path.exists():
            self._made.append(path)
        elif (old := path.read_bytes()) != data:
            self._changed.append((path, old))
        else:
            return
        write_file(path, data)

    def _make_folder(self, path: Path) -> None:
        missing = [one for one in (path, *path.parents) if not one.exists()]
        path.mkdir(parents=True, exist_ok=True)
        self._made += reversed(missing)


def _date(path: Path, member: Member) -> None:
    """Make a file as old as it was: what a director brought proves something by when it was saved."""
    if member.changed_at is not None:
        changed = datetime.fromisoformat(member.changed_at).timestamp()
        os.utime(path, (changed, changed))


def find_differing(placements: Iterable[Placement]) -> tuple[str, ...]:
    """Every file that is there already with another content."""
    return tuple(str(one.folder / name) for one in placements for name in one.differing)
