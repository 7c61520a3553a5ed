"""A game's folder on the disk: the override files are read, the reports are written."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from processor.service.bundle import FolderFault
from reporters.pictures.drawing import draw_png
from rules.engine.messages import msg
from rules.play.outgoing import ReportFile
from rules.play.turns import TurnRef

_TURN = re.compile(r"turn-([0-9]{3,9})")
SETTLED = 3_000_000_000
"""Nanoseconds, as the coarsest clocks of file systems need: younger files may change under the same stamp."""
MAX_BYTES = 256 * 1024
"""Larger files are refused unread."""


class DiskFolder:
    """Reads and writes game folders."""

    def __init__(self, now: Callable[[], int] = time.time_ns) -> None:
        """now: the file system's clock, in nanoseconds."""
        self._now = now

    def read_overrides(self, folder: Path, ref: TurnRef) -> str:
        """The text of `overrides/[TRACK/]turn-NNN.toml`, "" where there is none, read at once.

        Raises FolderFault for a file that is too large, unreadable or no UTF-8.
        """
        path = _override_path(folder, ref)
        try:
            with path.open("rb") as file:
                data = file.read(MAX_BYTES + 1)
            if len(data) > MAX_BYTES:
                raise FolderFault(msg("folder/too-big", path=str(path), size=MAX_BYTES // 1024))
            return data.decode("utf-8-sig")
        except FileNotFoundError:
            return ""
        except (OSError, UnicodeDecodeError) as error:
            raise FolderFault(msg("folder/unreadable", path=str(path), why=str(error))) from error

    def find_overrides(self, folder: Path, track: str) -> Mapping[int, str]:
        """The turns of a track that have an override file, by number, with the file's stamp.

        Two stamps are the same only where the file is; "" for one so new that it could change unseen.
        """
        paths = (folder / "overrides" / track).glob("turn-*.toml")
        found = ((_TURN.fullmatch(path.stem), path) for path in paths)
        return {int(name[1]): self._stamp(path) for name, path in found if name}

    def _stamp(self, path: Path) -> str:
        """What changes with a file, whoever sets its times: nobody can set when its entry was changed."""
        try:
            now, stat = self._now(), path.stat()
        except OSError:
            return ""  # it is gone again, or can't be read, and is looked at
        settled = now - stat.st_ctime_ns > SETTLED
        return f"{stat.st_ino}-{stat.st_size}-{stat.st_mtime_ns}-{stat.st_ctime_ns}" if settled else ""

    def write_overrides(self, folder: Path, ref: TurnRef, text: str) -> None:
        """Write the turn's override file; it appears whole or not at all. Raises FolderFault."""
        path = _override_path(folder, ref)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_file(path, text.encode())
        except OSError as error:
            raise FolderFault(msg("folder/unwritable", path=str(path), why=str(error))) from error

    def write_reports(
        self,
        folder: Path,
        ref: TurnRef,
        files: tuple[ReportFile, ...],
        voided: Mapping[int, tuple[ReportFile, ...]],
    ) -> None:
        """Write `reports/[TRACK/]turn-NNN/`; each file appears whole or not at all.

        voided: files of earlier attempts, which go to `attempt-N/` in it.
        """
        target = _report_folder(folder, ref)
        for attempt, older in voided.items():
            write_files(_aside(folder, ref, attempt), older)
            for name in _names(older) - _names(files):
                (target / name).unlink(missing_ok=True)
        write_files(target, files)

    def read_reports(self, folder: Path, ref: TurnRef) -> Mapping[str, bytes]:
        """The files in `reports/[TRACK/]turn-NNN/` by name, none where it isn't there; of an attempt that has
        made room for a later one those put aside. Raises FolderFault.
        """
        target, aside = _report_folder(folder, ref), _aside(folder, ref, ref.attempt)
        target = aside if aside.is_dir() else target
        try:
            found = sorted(target.iterdir()) if target.is_dir() else []
            return {one.name: one.read_bytes() for one in found if one.is_file()}
        except OSError as error:
            raise FolderFault(msg("folder/unreadable", path=str(target), why=str(error))) from error


def _override_path(folder: Path, ref: TurnRef) -> Path:
    return folder / "overrides" / ref.track / f"turn-{ref.turn:03}.toml"


def _names(files: Iterable[ReportFile]) -> frozenset[str]:
    """What stands in a folder behind `write_files`."""
    names = {one.name for one in files}
    return frozenset(names | {f"{one.removesuffix('.svg')}.png" for one in names if one.endswith(".svg")})


def _report_folder(folder: Path, ref: TurnRef) -> Path:
    return folder / "reports" / ref.track / f"turn-{ref.turn:03}"


def _aside(folder: Path, ref: TurnRef, attempt: int) -> Path:
    """Where the files of an attempt lie once a later one is published."""
    return _report_folder(folder, ref) / f"attempt-{attempt}"


def write_files(target: Path, files: Iterable[ReportFile]) -> None:
    """Write files into a folder, made where needed; each SVG also as PNG, which forums show."""
    target.mkdir(parents=True, exist_ok=True)
    for one in files:
        write_file(target / one.name, one.content.encode())
        if one.name.endswith(".svg"):
            write_file(target / f"{one.name.removesuffix('.svg')}.png", draw_png(one.content))


def write_file(path: Path, content: bytes) -> None:
    """Write a file, which appears whole or not at all and keeps its permissions. Raises OSError."""
    draft = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with draft.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            draft.chmod(path.stat().st_mode & 0o777)
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
