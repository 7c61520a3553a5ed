"""Passwords and keys never stand in the files of a game: they are refused by name, unread and unsaid."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from parsers.files.errors import FileProblem
from parsers.files.positions import KeyPath
from parsers.files.toml import TomlFile
from rules.engine.messages import msg
from rules.engine.text import fold

_SLUG = re.compile(r"[a-z0-9-]+")
_NAMED = re.compile(
    r"pass(?:word|wd|phrase)?|contrasena|clave|pwd|pin"
    r"|(?:[a-z]+[-_ ]?)?(?:api[-_ ]?key|secret[-_ ]?key|token|cookie|credentials?|credenciales)"
    r"|(?:[a-z]+[-_ ])(?:password|passwd|contrasena)"
)


def variable_of(game_id: str) -> str:
    """The environment variable of a game's forum password; with `_FILE` behind, of the file that holds it."""
    return f"TURNERO_{game_id.upper().replace('-', '_')}_PASSWORD"


def find_secrets(file: TomlFile, below: Iterable[str]) -> list[FileProblem]:
    """A problem for each key of a game's file that is named like a secret, at the top and inside `below`."""
    slug = file.data.get("id")
    variable = variable_of(slug if isinstance(slug, str) and _SLUG.fullmatch(slug) else "…")
    found: list[FileProblem] = []
    for path in _paths(file.data, frozenset(below)):
        key = str(path[-1])
        wrong = msg("files/secret", key=key)
        right = msg("files/move-secret", variable=variable, variable2=variable)
        found.append(file.problem(path, "game/secret", wrong, right))
    return found


def without_secrets(data: Mapping[str, Any], below: Iterable[str]) -> dict[str, Any]:
    """The data without those keys: they have been named once."""
    tables = frozenset(below)
    kept = {key: value for key, value in data.items() if not is_secret(key)}
    return {
        key: {inner: one for inner, one in value.items() if not is_secret(inner)}
        if key in tables and isinstance(value, Mapping)
        else value
        for key, value in kept.items()
    }


def is_secret(key: str) -> bool:
    """Whether a key is named like a password, a token or the like."""
    return _NAMED.fullmatch(fold(key)) is not None


def _paths(data: Mapping[str, Any], below: frozenset[str]) -> Iterable[KeyPath]:
    for key, value in data.items():
        if is_secret(key):
            yield (key,)
        elif key in below and isinstance(value, Mapping):
            yield from ((key, inner) for inner in value if is_secret(inner))
