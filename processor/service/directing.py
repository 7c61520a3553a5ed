"""What the director's commands write into the override file, so that a file and a command do the same."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from parsers.files.toml_text import write_entry
from processor.pipeline.following import Followed
from processor.service.bundle import Service
from processor.service.looking import choose_turn, is_movable, play_stored
from processor.service.waking import read_soon
from processor.store import turns
from processor.store.rows import GameRow, TurnRow


class TurnClosed(Exception):
    """The game's turn isn't open any more, so its deadline can't be moved."""

    def __init__(self, turn: TurnRow) -> None:
        super().__init__(f"turn {turn.ref.turn} is {turn.status}")
        self.turn = turn


def move_deadline(service: Service, row: GameRow, entry: Mapping[str, Any]) -> tuple[TurnRow, Followed]:
    """Append a schedule entry to the override file of a game's turn, unless there is a problem with it.

    entry: keys and values as in the file. The turn and what the file makes of its clock.

    Raises TurnClosed, FolderFault.
    """
    folder, loaded = Path(row.folder), service.pipeline.load_game(Path(row.folder))
    with service.database.read() as connection:
        turn = choose_turn(turns.list_turns(connection, row.id))
    if not is_movable(turn):
        raise TurnClosed(turn)
    text = append_entry(service.folder.read_overrides(folder, turn.ref), entry)
    play = play_stored(service, row, loaded, turn)
    followed = service.pipeline.follow_clock(play, turn.clock, text, service.clock.now())
    if not followed.problems:
        service.folder.write_overrides(folder, turn.ref, text)
        read_soon(service, row.id)
    return turn, followed


def append_entry(text: str, entry: Mapping[str, Any]) -> str:
    """An override file with one more entry at its end; whatever stood there stays as it was."""
    if not text.strip():
        return text + write_entry(entry)
    return f"{text}{'' if text.endswith(chr(10)) else chr(10)}\n{write_entry(entry)}"
