"""What a backup says about itself: its format, its games, and every member with its hash."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from functools import cache

from pydantic import TypeAdapter, ValidationError

from processor.forums.folder_shelf import LIST
from rules.engine.codec import canonical_json
from rules.engine.messages import Message, msg

FORMAT = 2
"""Raised when older programs couldn't restore what a newer one writes; all earlier ones can be read."""
MANIFEST = "manifest.json"
KEPT = ("game.toml", "setup.toml", "overrides", "inbox", "reports")
"""What of a game's folder belongs to the game (design.md 3); nothing else is taken or put back."""

_SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_TABLE = re.compile(r"tables/([a-z_]+)\.jsonl")
_PART = re.compile(r"[^./\\:\x00-\x1f\x7f][^/\\:\x00-\x1f\x7f]*")


class BackupError(Exception):
    """A backup that can't be made or restored; `said` tells the host why and what to do instead."""

    def __init__(self, said: Message) -> None:
        super().__init__(f"{said.id} {dict(said.params)}")
        self.said = said


@dataclass(frozen=True, slots=True)
class Member:
    """A file of the backup. size: bytes. sha256: in hex.

    changed_at: when it was changed last, ISO, UTC, None where nothing follows from that.
    """

    name: str
    size: int
    sha256: str
    changed_at: str | None = None


@dataclass(frozen=True, slots=True)
class SavedGame:
    """A game of the backup. folder: where it lay. found: whether that folder was there.

    left_out: paths that were not taken, each with the code of the reason.
    """

    id: str
    title: str
    folder: str
    found: bool
    left_out: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Manifest:
    """The whole backup. made_at: ISO, UTC. program: version of Turnero. schema: newest migration of its rows.

    rows: number of rows by table. settings: the host's, without secrets, for whoever looks into the file.
    """

    format: int
    made_at: str
    program: str
    schema: str
    rows: dict[str, int]
    games: tuple[SavedGame, ...]
    members: tuple[Member, ...]
    settings: dict[str, str]

    def dump(self) -> str:
        """As canonical JSON."""
        return canonical_json(asdict(self))

    def files_of(self, game_id: str) -> tuple[tuple[Member, str], ...]:
        """The members of a game's folder, each with its path inside of it."""
        start = f"games/{game_id}/"
        mine = (one for one in self.members if one.name.startswith(start))
        return tuple((one, one.name.removeprefix(start)) for one in mine)


def table_member(table: str) -> str:
    """The member that holds a table's rows."""
    return f"tables/{table}.jsonl"


def file_member(game_id: str, path: str) -> str:
    """The member that holds a file of a game's folder."""
    return f"games/{game_id}/{path}"


@cache
def _adapter() -> TypeAdapter[Manifest]:
    return TypeAdapter(Manifest)


def parse_manifest(data: bytes) -> Manifest:
    """Read and check a manifest. Raises BackupError for a newer format, and for what none of ours says."""
    try:
        manifest = _adapter().validate_json(data, strict=True)
    except (ValidationError, RecursionError) as error:
        raise BackupError(msg("backup/foreign")) from error
    if not 1 <= manifest.format <= FORMAT:
        raise BackupError(msg("backup/newer-format", program=manifest.program))
    odd = next((one for one in _names(manifest) if not one[1]), None)
    if odd is not None:
        raise BackupError(msg("backup/odd-member", name=odd[0]))
    return manifest


def _names(manifest: Manifest) -> list[tuple[str, bool]]:
    """Each name in the manifest, and whether it is one that we give."""
    games = {one.id for one in manifest.games}
    found = [(one, _SLUG.fullmatch(one) is not None) for one in sorted(games)]
    tables = {table_member(one) for one in manifest.rows}
    found += [(one.name, one.name in tables or _is_file(one.name, games)) for one in manifest.members]
    members = {one.name for one in manifest.members}
    found += [(one, one in members and _TABLE.fullmatch(one) is not None) for one in sorted(tables)]
    return found


def _is_file(name: str, games: set[str]) -> bool:
    """Whether a member is a file of one of these games that belongs into its folder; none leads out of it."""
    top, *path = name.split("/")
    return (
        top == "games"
        and len(path) > 1
        and path[0] in games
        and path[1] in KEPT
        and all(_PART.fullmatch(part) or part == LIST for part in path[1:])
    )
