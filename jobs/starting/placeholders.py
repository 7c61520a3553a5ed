"""What of a new game's folder is still to be filled in, though its files are right."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

from jobs.speech import say
from rules.play.game import UMBRIA, Game

_RESERVED = re.compile(r"(?:.+\.)?(?:example\.(?:com|net|org)|example|invalid)")
"""Hosts that nobody can have (RFC 2606)."""


def has_example_address(game: Game) -> bool:
    """Whether the forum's address is one of those for examples, where no forum can be."""
    return _RESERVED.fullmatch((urlsplit(game.forum.url).hostname or "").rstrip(".")) is not None


def describe_placeholders(game: Game) -> Iterator[str]:
    """What is still to be filled in, each with what to write."""
    if has_example_address(game):
        scene = int(game.forum.software == UMBRIA)
        yield say("cli/example-address", url=game.forum.url, scene=scene)
    if all(seat.account is None for seat in game.seats):
        yield say("cli/all-vacant")
