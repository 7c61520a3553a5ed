"""What columns hold, meaning the same in every database."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime

from sqlalchemy import DateTime, Dialect
from sqlalchemy import Text as PlainText
from sqlalchemy.types import TypeDecorator

from rules.engine.legible import make_legible


def digest(text: str) -> str:
    """SHA-256 of a text in hex."""
    return hashlib.sha256(text.encode()).hexdigest()


class Text(TypeDecorator[str]):
    """A text that every database takes. What comes from posts and files is legible already; this is for the
    rest, such as what a forum's error page or the system says of a failure.
    """

    impl = PlainText
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        """To the database."""
        return None if value is None else make_legible(value)


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
