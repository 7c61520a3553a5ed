"""Pieces of a line of text before a renderer turns them into a dialect; every `Text` is escaped there."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Text:
    """Words, of ours or of a player: renderers treat both as foreign."""

    text: str


@dataclass(frozen=True, slots=True)
class Strong:
    """Set off strongly."""

    inner: tuple[Inline, ...]


@dataclass(frozen=True, slots=True)
class Emphasis:
    """Set off lightly."""

    inner: tuple[Inline, ...]


@dataclass(frozen=True, slots=True)
class Fixed:
    """Something typed or to type, in one piece."""

    text: str


@dataclass(frozen=True, slots=True)
class Link:
    """A link to an address of our own making (never one from a player)."""

    inner: tuple[Inline, ...]
    url: str


@dataclass(frozen=True, slots=True)
class Mention:
    """A forum's account, so that it is notified. login: letters, digits and inner `.`, `_`, `-` alone."""

    login: str

    @property
    def text(self) -> str:
        """As forums write it."""
        return f"@{self.login}"


Inline = Text | Strong | Emphasis | Fixed | Link | Mention


def unwrapped(inlines: tuple[Inline, ...]) -> tuple[Inline, ...]:
    """The pieces without strong and light marks around them."""
    flat: list[Inline] = []
    for one in inlines:
        flat += unwrapped(one.inner) if isinstance(one, Strong | Emphasis) else (one,)
    return tuple(flat)


def plain(inlines: tuple[Inline, ...]) -> str:
    """The words alone."""
    return "".join(
        one.text if isinstance(one, Text | Fixed | Mention) else plain(one.inner) for one in inlines
    )
