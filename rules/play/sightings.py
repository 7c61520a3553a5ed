"""What became of the post that published a turn's commitment (reliability.md 1.4, *edited or deleted*)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Flaw(StrEnum):
    """How that post isn't as it was published.

    UNPUBLISHED: there is none. GONE: readers no longer see it. CHANGED: it says something else. EDITED: it
    says the same and the forum marks it as edited. LATE: the forum dates it after the deadline. UNREAD: it
    could not be read again.
    """

    UNPUBLISHED = "unpublished"
    GONE = "gone"
    CHANGED = "changed"
    EDITED = "edited"
    LATE = "late"
    UNREAD = "unread"


class Moment(StrEnum):
    """When it was looked at: as the turn was closed, or as the report that shows the seed was made."""

    LOCK = "lock"
    REPORT = "report"


@dataclass(frozen=True, slots=True)
class Sighting:
    """A flaw of the commitment's post, and when it was seen."""

    flaw: Flaw
    moment: Moment
