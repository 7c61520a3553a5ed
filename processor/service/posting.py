"""The director's word for what no program can see: texts were pasted, an inbox is complete."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from sqlalchemy import select, update

from processor.folder import write_file
from processor.forums.folder import FolderForum
from processor.forums.folder_inbox import INBOX
from processor.ports import Unready
from processor.service.bundle import Service
from processor.service.timing import closing_at
from processor.service.waking import read_soon
from processor.store.rows import OutboxRow, SendState, TurnRow
from processor.store.tables import outbox, turns
from rules.engine.catalogue import Catalogue
from rules.engine.messages import msg
from rules.play.game import Game
from rules.play.turns import TurnStatus


def list_unposted(service: Service, game_id: str) -> tuple[OutboxRow, ...]:
    """Texts of a game that lie there to be pasted, in the order in which they were written."""
    mine = (outbox.c.game_id == game_id, outbox.c.state == SendState.WRITTEN)
    with service.database.read() as connection:
        rows = connection.execute(select(outbox).where(*mine).order_by(outbox.c.id))
        return tuple(OutboxRow.of(row) for row in rows)


def find_unposted(rows: Sequence[OutboxRow], file: str) -> OutboxRow | None:
    """The text that a director means: by its file's name, with or without folders, or by its number."""
    wanted = file.replace("\\", "/").strip("/")
    for row in reversed(rows):
        name = row.forum_post_id or ""
        if f"/{name}".endswith(f"/{wanted}") or f"/{wanted}".endswith(f"/{name}"):
            return row
    number = wanted.lstrip("0")
    numbered = [row for row in rows if _number_of(row) == number]
    return numbered[-1] if wanted.isdecimal() and numbered else None


def _number_of(row: OutboxRow) -> str:
    return (row.forum_post_id or "").rsplit("/", 1)[-1].split("-", 1)[0].lstrip("0")


def note_posted(service: Service, game: Game, rows: Sequence[OutboxRow], url: str = "") -> None:
    """Note that texts were pasted: they are published now, and their turns go on.

    url: where the first of them stands, "" where nobody cares. Raises Unready, FolderFault.
    """
    forum, now = service.open_forum(game), service.clock.now()
    addresses = [url if at == 0 else "" for at in range(len(rows))]
    if isinstance(forum, FolderForum):
        for row, address in zip(rows, addresses, strict=True):
            forum.note_posted(row.forum_post_id or "", address)
    with service.database.write() as connection:
        for row, address in zip(rows, addresses, strict=True):
            known = address or _known_url(forum, row)
            values = {"state": SendState.SENT, "sent_at": now, "url": known}
            still = (outbox.c.id == row.id, outbox.c.state == SendState.WRITTEN)
            connection.execute(update(outbox).where(*still).values(**values))
        for turn_id in {row.turn_id for row in rows}:
            connection.execute(update(turns).where(turns.c.id == turn_id).values(next_at=now))


def _known_url(forum: object, row: OutboxRow) -> str | None:
    written = forum.find_written(row.forum_post_id or "") if isinstance(forum, FolderForum) else None
    return (written.url or None) if written is not None else None


class TooEarly(Exception):
    """An inbox can't be complete before the turn closes; `turn` is the one."""

    def __init__(self, turn: TurnRow) -> None:
        super().__init__(f"turn {turn.ref.turn} closes at {turn.due_at}")
        self.turn = turn


def needs_word(turn: TurnRow, forum: FolderForum, now: datetime) -> bool:
    """Whether an open turn waits for the director to say that its inbox is complete."""
    running = turn.status is TurnStatus.OPEN and not turn.paused
    closing = closing_at(turn.due_at, forum.capabilities)
    if not running or now < closing:
        return False
    until = forum.read_inbox(turn.ref.inbox).until
    return until is None or until < closing


def say_complete(service: Service, game: Game, turn: TurnRow, catalogue: Catalogue) -> Path:
    """Write the file that says that nothing is missing in a turn's inbox, and have it read at once.

    Raises TooEarly before the turn closes (while it asks, it may be said at any time), Unready.
    """
    forum, now = service.open_forum(game), service.clock.now()
    if turn.status is not TurnStatus.ASKING and now < closing_at(turn.due_at, forum.capabilities):
        raise TooEarly(turn)
    path = Path(game.forum.folder) / INBOX / turn.ref.inbox / catalogue.text(msg("folder/complete"))
    local = now.astimezone(ZoneInfo(game.zone))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_file(path, f"{local.isoformat(timespec='seconds')}\n".encode())
    except OSError as fault:
        raise Unready("folder/cant-note", str(fault)) from fault
    read_soon(service, game.id)
    return path
