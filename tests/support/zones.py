"""Zones whose rules change, as an update of the system's time zone data changes them."""

from __future__ import annotations

import struct
import zoneinfo
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path


@contextmanager
def other_rules(folder: Path, zone: str, offset: timedelta) -> Iterator[None]:
    """Let a zone be always so far from UTC, while this lasts. folder: of its own."""
    file, before = folder / zone, zoneinfo.TZPATH
    file.parent.mkdir(parents=True)
    file.write_bytes(_compile(offset))
    try:
        zoneinfo.reset_tzpath((str(folder), *before))
        zoneinfo.ZoneInfo.clear_cache()
        yield
    finally:
        zoneinfo.reset_tzpath(before)
        zoneinfo.ZoneInfo.clear_cache()


def _compile(offset: timedelta) -> bytes:
    """A file of time zone data, in its oldest version (RFC 9636): one kind of time, no change."""
    name = b"XXX\0"
    head = b"TZif" + bytes(16) + struct.pack(">6l", 0, 0, 0, 0, 1, len(name))
    return head + struct.pack(">lbB", int(offset.total_seconds()), 0, 0) + name
