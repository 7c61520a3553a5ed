"""Who may know something: everybody, some seats, or the director alone.

The director may know everything, so no audience leaves the director out (design.md 6, *Secrecy*).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

EVERYBODY = "public"
DIRECTOR_SEAT = "director"


@dataclass(frozen=True, slots=True)
class Audience:
    """The seats that may know, sorted; `everybody` stands above the list."""

    everybody: bool
    seats: tuple[str, ...] = ()

    def sees(self, viewer: str) -> bool:
        """Whether a viewer (a seat's id, `public` or `director`) may know."""
        return self.everybody or viewer == DIRECTOR_SEAT or viewer in self.seats

    def data(self) -> str | list[str]:
        """The form of scenario files and `--json`: "public", "director" or a list of seats."""
        if self.everybody:
            return EVERYBODY
        return list(self.seats) if self.seats else DIRECTOR_SEAT


PUBLIC = Audience(everybody=True)
DIRECTOR = Audience(everybody=False)


def only(*seats: str) -> Audience:
    """Those seats (and the director)."""
    return Audience(everybody=False, seats=tuple(sorted(set(seats))))


def those_of_all(audiences: Iterable[Audience]) -> Audience:
    """Those who are in every one of the audiences; of none the director alone."""
    every = tuple(audiences)
    if not every:
        return DIRECTOR
    narrow = [set(one.seats) for one in every if not one.everybody]
    return only(*set.intersection(*narrow)) if narrow else PUBLIC


def audience_of(data: str | Iterable[str]) -> Audience:
    """The audience that `Audience.data` wrote."""
    if isinstance(data, str):
        return {EVERYBODY: PUBLIC, DIRECTOR_SEAT: DIRECTOR}.get(data) or only(data)
    return only(*data)
