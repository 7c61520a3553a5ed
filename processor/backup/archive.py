"""The file of a backup: a zip whose last bytes are the SHA-256 of all before them.

Whoever opens one checks that hash first, so a cut or damaged file is refused before anything in it is
believed; what is well-formed but not ours (paths that lead out, bombs) is refused after that.
"""

from __future__ import annotations

import hashlib
import os
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from processor.backup.manifest import MANIFEST, BackupError, Manifest, Member, parse_manifest
from rules.engine.messages import msg

Tell = Callable[[int, int], None]
"""Called with what is done and how much there is."""

_SEAL = b"turnero-backup/1 sha256:"
_DIGITS = 64
_CHUNK = 1 << 20
_MOST_MEMBERS = 200_000
_MOST_MANIFEST = 64 << 20
_LONGEST_LINE = 64 << 20
_SMALL = 1 << 30
"""What unpacks to less than this may be packed as tightly as it will."""
_MOST_RATIO = 200
"""Rows are packed to a tenth or a fiftieth, a bomb to a thousandth."""
_DAMAGED = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, RuntimeError, ValueError)


class Writer:
    """Writes members and remembers what the manifest will say of them."""

    def __init__(self, file: IO[bytes]) -> None:
        self._zip = zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=6)
        self._file = file
        self.members: list[Member] = []

    def add(self, name: str, chunks: Iterable[bytes], changed_at: str | None = None) -> None:
        """Write a member. changed_at: see `Member`."""
        digest, size = hashlib.sha256(), 0
        with self._zip.open(_info(name), "w", force_zip64=True) as member:
            for chunk in chunks:
                member.write(chunk)
                digest.update(chunk)
                size += len(chunk)
        self.members.append(Member(name, size, digest.hexdigest(), changed_at))

    def close(self, manifest: Manifest) -> None:
        """Write the manifest, and behind everything the hash of everything."""
        self._zip.writestr(_info(MANIFEST), manifest.dump())
        self._zip.comment = _SEAL + b"0" * _DIGITS
        self._zip.close()
        self._file.flush()
        end = self._file.seek(-_DIGITS, os.SEEK_END)
        found = _hash(self._file, end)
        self._file.seek(end)
        self._file.write(found.encode())

    def leave(self) -> None:
        """Let go of the file, whether all was written or not."""
        with suppress(OSError):
            self._zip.close()


def _info(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)  # with a fixed date: equal content is an equal file
    info.compress_type = zipfile.ZIP_DEFLATED
    info.external_attr = 0o600 << 16
    return info


@contextmanager
def write_archive(path: Path, *, replace: bool) -> Iterator[Writer]:
    """A new archive, readable by its owner alone, which appears whole or not at all. Raises BackupError.

    replace: whether a file that is there already may go. Who leaves the block has closed the writer.
    """
    if path.exists() and not replace:
        raise BackupError(msg("backup/exists", path=str(path)))
    draft = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        handle = os.open(draft, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w+b") as file:
            writer = Writer(file)
            try:
                yield writer
            finally:
                writer.leave()
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
        _sync_folder(path.parent)
    except OSError as error:
        why = error.strerror or type(error).__name__
        raise BackupError(msg("backup/unwritable", path=str(path), why=why)) from error
    finally:
        draft.unlink(missing_ok=True)


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@dataclass(frozen=True, slots=True)
class Archive:
    """An open backup whose every byte was checked."""

    manifest: Manifest
    zip: zipfile.ZipFile

    def lines(self, name: str) -> Iterator[bytes]:
        """The lines of a member."""
        with self.zip.open(name) as member:
            while line := member.readline(_LONGEST_LINE):
                yield line

    def read(self, name: str) -> bytes:
        """A whole member."""
        return self.zip.read(name)


@contextmanager
def open_archive(path: Path, tell: Tell = lambda done, total: None) -> Iterator[Archive]:
    """A backup, after every hash in it was checked. Raises BackupError."""
    try:
        with path.open("rb") as file:
            _check_seal(file, path)
            with zipfile.ZipFile(file) as opened:
                archive = Archive(_read_manifest(opened, os.fstat(file.fileno()).st_size), opened)
                _check_members(archive, tell)
                yield archive
    except OSError as error:
        why = error.strerror or type(error).__name__
        raise BackupError(msg("backup/unreadable", path=str(path), why=why)) from error
    except _DAMAGED as error:
        raise BackupError(msg("backup/damaged", path=str(path))) from error


def _check_seal(file: IO[bytes], path: Path) -> None:
    begins = file.read(2) == b"PK"
    size = file.seek(0, os.SEEK_END)
    end = size - _DIGITS
    file.seek(max(end - len(_SEAL), 0))
    seal, digits = file.read(len(_SEAL)), file.read(_DIGITS)
    if seal != _SEAL or not begins:
        raise BackupError(msg("backup/cut" if begins else "backup/foreign", path=str(path)))
    if _hash(file, end).encode() != digits:
        raise BackupError(msg("backup/damaged", path=str(path)))


def _hash(file: IO[bytes], end: int) -> str:
    """SHA-256 of a file's first `end` bytes."""
    file.seek(0)
    digest = hashlib.sha256()
    while end > 0 and (chunk := file.read(min(_CHUNK, end))):
        digest.update(chunk)
        end -= len(chunk)
    return digest.hexdigest()


def _read_manifest(opened: zipfile.ZipFile, size: int) -> Manifest:
    infos = opened.infolist()
    names = [one.filename for one in infos]
    unpacked, packed = sum(one.file_size for one in infos), sum(one.compress_size for one in infos)
    if len(infos) > _MOST_MEMBERS or packed > size or unpacked > max(_SMALL, _MOST_RATIO * size):
        raise BackupError(msg("backup/bomb"))
    if MANIFEST not in names or opened.getinfo(MANIFEST).file_size > _MOST_MANIFEST:
        raise BackupError(msg("backup/foreign"))
    manifest = parse_manifest(opened.read(MANIFEST))
    told = sorted([MANIFEST, *(one.name for one in manifest.members)])
    if sorted(names) != told:
        stray = next((one for one in names if one not in told), MANIFEST)
        raise BackupError(msg("backup/odd-member", name=stray))
    return manifest


def _check_members(archive: Archive, tell: Tell) -> None:
    """Read every member once: its size and its hash are those of the manifest."""
    total, done = sum(one.size for one in archive.manifest.members), 0
    for one in archive.manifest.members:
        digest, size = hashlib.sha256(), 0
        with archive.zip.open(one.name) as member:
            while chunk := member.read(_CHUNK):
                digest.update(chunk)
                size += len(chunk)
                tell(done + size, total)
        if (size, digest.hexdigest()) != (one.size, one.sha256):
            raise BackupError(msg("backup/odd-member", name=one.name))
        done += size
