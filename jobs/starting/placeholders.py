"""What of a new game's folder is still to be filled in, though its files are right."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

from rules.play.game import Game

_RESERVED = re.compile(r"(?:.+\.)?(?:example\.(?:com|net|org)|example|invalid)")
"""Hosts that nobody can have (RFC 2606)."""


def has_example_address(game: Game) -> bool:
    """Whether the forum's address is one of those for examples, where no forum can be."""
    return _RESERVED.fullmatch((urlsplit(game.forum.url).hostname or "").rstrip(".")) is not None


def describe_placeholders(game: Game) -> Iterator[str]:
    """What is still to be filled in, each with what to write."""
    if has_example_address(game):
        yield (
            f"game.toml: url es una dirección de ejemplo ({game.forum.url}): pon la de tu foro, y en topic "
            "el número del tema de la partida"
        )
    if all(seat.account is None for seat in game.seats):
        yield (
            "game.toml: todos los puestos están vacantes y nadie puede dar órdenes: pon las cuentas en "
            "[seats] (`turnero seats` dice su número)"
        )
