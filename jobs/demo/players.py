"""The people of the demo's games: their accounts, whatever is played."""

from __future__ import annotations

from dataclasses import dataclass

PASSWORD = "clave-de-{name}-para-una-noche"  # noqa: S105 - of a forum that lives for one night on loopback
BOT = "turnero"
DIRECTOR = "elena"


@dataclass(frozen=True, slots=True)
class Person:
    """A player. seat: in the game. habit: what is worth watching about how this one orders."""

    name: str
    seat: str
    habit: str


def password_of(name: str) -> str:
    """The forum password of an account of the demo."""
    return PASSWORD.format(name=name)
