"""What columns hold, meaning the same in every database."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime

from sqlalchemy import DateTime, Dialect
from sqlalchemy.types import TypeDecorator


def digest(text: str) -> str:
    """SHA-256 of a text in hex."""
    return hashlib.sha256(text.encode()).hexdigest()


class UtcDateTime(TypeDecorator[datetime]):
    """A moment: stored as UTC without zone, given back aware.

    Raises ValueError for a value without zone: an hour that nobody knows the zone of is a wrong hour.
    """

    impl = DateTime
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """To the database."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"{value} has no zone")
        return value.astimezone(UTC).replace(tzinfo=None)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """From the database."""
        return None if value is None else value.replace(tzinfo=UTC)
