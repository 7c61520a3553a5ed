"""How much is still to be published on each forum, and until when that takes at the forum's own pace."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from urllib.parse import urlsplit

from processor.service.bundle import FolderFault, Service
from processor.store import outbox_rows
from processor.store.outbox_rows import Waiting
from rules.play.game import ForumSettings


@dataclass(frozen=True, slots=True)
class Tempo:
    """How fast a forum's program lets us publish. between: seconds between two posts of one account.

    each: seconds that the requests for one post take at least, whoever makes them.
    """

    between: float
    each: float


@dataclass(frozen=True, slots=True)
class Backlog:
    """What is to be sent to one host. games: how many it comes from. until: when the last of it is expected
    to stand there, UTC, where nothing is refused.
    """

    url: str
    games: int
    texts: int
    until: datetime


def measure_backlogs(
    service: Service, tempo_of: Callable[[ForumSettings], Tempo | None]
) -> Mapping[str, Backlog]:
    """By game, what is to be sent to its host by all games there; games that a person carries are left out.

    tempo_of: of a game's forum, None for one that a person carries.
    """
    with service.database.read() as connection:
        waiting = outbox_rows.list_waiting(connection)
    hosts: dict[str, list[tuple[Waiting, ForumSettings, Tempo]]] = defaultdict(list)
    for one in waiting:
        try:
            forum = service.pipeline.load_game(Path(one.folder)).game.forum
        except FolderFault:  # it is parked, or will be, and nothing of it leaves
            continue
        tempo = tempo_of(forum)
        if tempo is not None:
            hosts[urlsplit(forum.url).netloc].append((one, forum, tempo))
    now = service.clock.now()
    made = {host: _measure(now, found) for host, found in hosts.items()}
    return {one.game: made[host] for host, found in hosts.items() for one, _, _ in found}


def _measure(now: datetime, found: list[tuple[Waiting, ForumSettings, Tempo]]) -> Backlog:
    """Posts of one account keep their distance, requests of all of them the host's."""
    by_account: dict[str, float] = defaultdict(float)
    for one, forum, tempo in found:
        by_account[forum.account] += one.texts * tempo.between
    requests = sum(one.texts * tempo.each for one, _, tempo in found)
    until = now + timedelta(seconds=max(requests, *by_account.values()))
    put_off = [one.not_before for one, _, _ in found if one.not_before is not None]
    return Backlog(
        url=found[0][1].url,
        games=len(found),
        texts=sum(one.texts for one, _, _ in found),
        until=max(until, *put_off) if put_off else until,
    )
