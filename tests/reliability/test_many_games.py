"""Several schedulers over one database with many games: each game is played once (reliability.md F3)."""

from __future__ import annotations

from collections import Counter
from multiprocessing.connection import wait
from pathlib import Path

from sqlalchemy import select

from processor.store.tables import turns
from tests.support.databases import open_database
from tests.support.forum_night import exit_code
from tests.support.many_nights import ManyNights

GAMES = 50
EVENING, CLOSED = -60, 2
WHOLE = {
    "1.1:open:1/1": 1,
    "1.1:receipts:1/1": 1,
    "1.1:report:1/2": 1,
    "1.1:report:2/2": 1,
}


def work(nights: ManyNights, processes: int, minutes: int) -> list[int | None]:
    """Processes that do at the same time what is due then; their exit codes."""
    clock = nights.clock(minutes)
    started = [nights.start(clock, number) for number in range(processes)]
    for one in started:
        wait([one.sentinel], timeout=300)
    return [exit_code(one) for one in started]


def test_eight_schedulers_play_fifty_games_once(tmp_path: Path) -> None:
    """Two at the opening and eight at the deadline leave in each game every text once, and one turn."""
    nights = ManyNights.begin(tmp_path, GAMES)
    codes = work(nights, 2, EVENING) + work(nights, 8, CLOSED)
    with open_database(nights.database).read() as connection:
        rows = connection.execute(select(turns.c.number, turns.c.attempt, turns.c.status)).all()
    played = {name: _list_markers(nights, name) for name in nights.games()}
    assert (codes, Counter({(1, 1, "published"): GAMES, (2, 1, "open"): GAMES})) == (
        [0] * 10,
        Counter((row.number, row.attempt, row.status) for row in rows),
    )
    assert dict.fromkeys(nights.games(), WHOLE) == played


def _list_markers(nights: ManyNights, name: str) -> dict[str, int]:
    """How often each text stands in a game's forum, by marker without game and hash."""
    with nights.forum(name, nights.clock(CLOSED)).use() as forum:
        markers = [post.first_text.split("\n")[-1] for post in forum.by_bot()]
    return dict(Counter(":".join(marker.split(":")[2:5]) for marker in markers))
