"""Which database a URL means, and what a host is told where it means none."""

from __future__ import annotations

from importlib.util import find_spec

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError

from rules.engine.messages import Message, msg

SQLITE, POSTGRESQL = "sqlite", "postgresql"
_DRIVERS = {"sqlite": SQLITE, "postgresql": "postgresql+psycopg", "postgres": "postgresql+psycopg"}


class DatabaseFault(Exception):
    """A database that can't be used; `said` tells the host in one line, without the URL's password."""

    def __init__(self, said: Message) -> None:
        super().__init__(f"{said.id} {dict(said.params)}")
        self.said = said


def parse_url(text: str) -> URL:
    """The URL of a SQLite or PostgreSQL database, with the driver that we use.

    Raises DatabaseFault for another kind of database, an unreadable URL, or a driver that isn't installed.
    """
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):
        raise DatabaseFault(msg("database/url")) from None  # the cause would quote the password
    driver = _DRIVERS.get(url.drivername.partition("+")[0])
    if driver is None:
        raise DatabaseFault(msg("database/kind", kind=url.drivername))
    if driver != SQLITE and find_spec("psycopg") is None:
        raise DatabaseFault(msg("database/driver"))
    return url.set(drivername=driver)


def password_of(url: str) -> str:
    """The password in a database's URL, "" where there is none; for what must not be logged."""
    try:
        password = make_url(url).password
    except (ArgumentError, ValueError):
        return ""
    return str(password or "")


def explain_error(error: DBAPIError) -> DatabaseFault:
    """What the database itself says is wrong, in its first line: full, locked, out of reach, …"""
    lines = [line.strip() for line in str(error.orig).splitlines() if line.strip()]
    return DatabaseFault(msg("database/unusable", why=lines[0] if lines else type(error.orig).__name__))


def is_in_memory(url: URL) -> bool:
    """Whether a SQLite URL names no file."""
    return url.database in (None, "", ":memory:")
