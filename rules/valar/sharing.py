"""Options of a band as players write them and as texts show them: "mejora y 3 menores"."""

from __future__ import annotations

from collections.abc import Iterable

from rules.engine.messages import Message, msg
from rules.engine.orders import Args
from rules.valar.bands import BANDS, Band, Share
from rules.valar.state import Wanted


def share_of(parts: Iterable[Args]) -> Share:
    """What a list of parts adds up to."""
    counts = {"major": 0, "minor": 0, "improvements": 0, "nothing": 0}
    for part in parts:
        counts[str(part["good"])] += int(part.get("n", 1))
    return Share(counts["major"], counts["minor"], counts["improvements"])


def stored(share: Share) -> Wanted:
    """As a mission keeps it."""
    return Wanted(share.major, share.minor, share.improvements)


def wanted(kept: Wanted | None) -> Share | None:
    """As it was stored."""
    return None if kept is None else Share(kept.major, kept.minor, kept.improvements)


def band_words(band: Band) -> Message:
    """A band for texts."""
    return msg(f"valar/band-{BANDS.index(band)}")


def words_of(share: Share) -> Message:
    """For texts."""
    numbers = {"major": share.major, "minor": share.minor, "improvements": share.improvements}
    parts = tuple(msg(f"valar/share-{kind}", n=n) for kind, n in numbers.items() if n)
    return msg("valar/share", parts=parts)
