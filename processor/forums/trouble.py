"""What may go wrong between us and a server, and what its answers say of time."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

import requests
from urllib3.exceptions import ConnectTimeoutError, IncompleteRead, NameResolutionError, NewConnectionError

from processor.ports import ForumError, Unreachable

MAX_WAIT = 3600.0
_NEVER_SENT = (
    *(NewConnectionError, ConnectTimeoutError, NameResolutionError),
    *(requests.exceptions.SSLError, requests.exceptions.InvalidURL),
)


class NotSent(Unreachable):
    """The request certainly never reached the forum: no address, refused, no connection in time."""


class Doubtful(Unreachable):
    """The request may have reached the forum: time-out, reset or broken answer after sending."""


class ForeignAddress(ForumError):
    """Somebody wants us to go elsewhere; neither the request nor a credential leaves the forum's origin."""


def classify(error: requests.RequestException, overdue: bool, deadline: float) -> ForumError:
    """Tell what certainly never arrived from what may have; the wording carries no header and no form."""
    if overdue or isinstance(error, requests.ReadTimeout):
        return Doubtful("forum/timeout", f"no whole answer within {deadline:g} seconds")
    for cause in _causes(error):
        if isinstance(cause, _NEVER_SENT):
            return NotSent("forum/no-connection", f"no connection to the forum: {type(cause).__name__}")
        if isinstance(cause, IncompleteRead):
            return Doubtful("forum/cut", "the answer breaks off before its announced end")
    return Doubtful("forum/broken-answer", f"the connection broke: {type(error).__name__}")


def _causes(error: BaseException) -> Iterator[BaseException]:
    """The error and what it wraps: requests and urllib3 put causes into `reason` or among the arguments."""
    yield error
    for inner in (getattr(error, "reason", None), *error.args):
        if isinstance(inner, BaseException):
            yield from _causes(inner)


def parse_date(value: str | None) -> datetime | None:
    """A moment of a header in UTC, None where it is missing or senseless."""
    try:
        return parsedate_to_datetime(value).astimezone(UTC) if value else None
    except (ValueError, TypeError):
        return None


def parse_retry_after(value: str | None, now: datetime | None) -> float | None:
    """Seconds to wait from a Retry-After header, 0 to one hour; None where it is missing or senseless.

    now: the forum's clock, to which a date in the header refers.
    """
    if value is None:
        return None
    if value.strip().isdecimal():
        return min(float(value.strip()[:9]), MAX_WAIT)
    at = parse_date(value)
    if at is None or now is None:
        return None
    return min(max((at - now).total_seconds(), 0.0), MAX_WAIT)
