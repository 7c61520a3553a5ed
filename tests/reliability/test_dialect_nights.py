"""A whole night of `conquista`, with the real pipeline, on the stand-in of each forum program.

Then once more with a process that is killed when the forum has the first text and the answer isn't used yet.
"""

from __future__ import annotations

import re
import signal
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from jobs.adapters import ADAPTERS
from jobs.demo.plays import conquista
from processor.store.database import Database
from processor.store.rows import SendState
from processor.store.tables import outbox
from processor.store.tables import uploads as table
from rules.play.posts import Uploaded
from tests.support.real_night import ACCOUNTS, SETTINGS, TOPICS, RealNight, write_bruma
from tests.support.standin import STANDINS, StandIn
from tests.support.standin_night import ANSWERED

MINUTE = 60.0
SEATS = ("alianza", "corsarios", "hermandad", "sindicato")
ORDERED = SEATS[:3]
SECRET = "-(director|alianza|corsarios|hermandad|sindicato)$"
HASH = r"-[0-9a-f]{12}$"
"""What a forum's adapter may put behind a file's name."""
PUBLIC = {"open", "receipts", "report"}
PRIVATE = {
    "digest",
    *(f"open-{seat}" for seat in SEATS),
    *(f"receipt-{seat}" for seat in ORDERED),
    *(f"report-{seat}" for seat in SEATS),
}


@dataclass
class DialectNight(RealNight):
    """Where a forum has no private messages the game has no secrets, and everybody orders in the topic."""

    @property
    def private(self) -> bool:
        """Whether the forum has private messages."""
        return ADAPTERS[self.forum.software].capabilities.private

    def write_game(self) -> None:
        """See `ForumNight.write_game`. The lease is longer than the minute that MyBB wants between texts."""
        write_bruma(self.folder, self.forum, {**SETTINGS, "lease": "90s"})
        path = self.folder / "game.toml"
        if not self.private:
            path.write_text(
                path.read_text(encoding="utf-8").replace("secret = true", "secret = false"), "utf-8"
            )

    def write_settings(self, **told: Any) -> None:
        """See `ForumNight.write_settings`. At a text a minute all of them take until past the last moment."""
        if "moments" in told:
            more = [(ANSWERED + timedelta(minutes=10 * n)).isoformat() for n in (1, 2)]
            told["moments"] = [*told["moments"], *more]
        super().write_settings(**told)

    def whisper_text(self, name: str, text: str) -> None:
        """See `StandInNight.whisper_text`."""
        if self.private:
            super().whisper_text(name, text)
        else:
            self.forum.write_post(self.forum.topics[conquista.TOPIC], name, text)


def held(night: DialectNight) -> list[str]:
    """Texts that wait for the director, by their markers."""
    database = Database(night.database)
    with database.read() as connection:
        found = connection.execute(select(outbox.c.marker).where(outbox.c.state == SendState.HELD))
        markers = [row.marker for row in found]
    database.close()
    return markers


def parts(night: DialectNight) -> dict[str, list[str]]:
    """What Turnero has published, by its markers: the parts of each kind."""
    found: dict[str, list[str]] = {}
    for _, text in night.judged():
        for line in text.split("\n"):
            if line.startswith("ptd1:"):
                found.setdefault(line.split(":")[3], []).append(line.split(":")[4])
    return {kind: sorted(shown) for kind, shown in found.items()}


def shows_pictures(night: DialectNight) -> None:
    """Where the forum takes pictures, it has those of the public report and no others, as many as a post may
    have, and the report shows them; where it ties them to posts, each to one.
    """
    kept = [re.sub(HASH, "", one.name.partition(".")[0]) for one in night.forum.state.pictures]
    uploads = ADAPTERS[night.forum.software].capabilities.uploads
    folder = night.folder / "reports" / "turn-001"
    public = sorted(path.stem for path in folder.glob("*.svg") if not re.search(SECRET, path.stem))
    assert public
    assert len(public[: night.forum.views.most_files] if uploads else []) == len(set(kept)) == len(kept)
    assert set(kept) <= set(public)
    with Database(night.database).read() as connection:
        places = select(table.c.reference, table.c.handle).where(table.c.reference.is_not(None))
        shown = [Uploaded(*one) for one in connection.execute(places)]
    report = "\n".join(text for _, text in night.judged() if ":report:" in text.split("\n")[-1])
    assert [True] * len(kept) == [one.stands_in(report) for one in shown]
    tied = any(one.handle for one in shown)
    assert not tied or [] == [one.name for one in night.forum.state.pictures if one.post is None]


@pytest.mark.sqlite  # what a forum speaks is no matter of the database; test_real_kills.py has a night
@pytest.mark.parametrize("kind", STANDINS.values(), ids=list(STANDINS))
def test_a_night_on_each_forum(kind: type[StandIn], tmp_path: Path) -> None:
    """Opening, receipts and report in public, receipts and reports in private, each once, killed or not."""
    with kind(ACCOUNTS, topics=TOPICS) as forum:
        whole = DialectNight(tmp_path / "whole", forum)
        assert 0 == whole.play(), whole.errors()
    found = parts(whole)
    shows_pictures(whole)
    assert [] == held(whole)
    # Where nobody can edit a private message, a receipt's next edition is a message of its own.
    assert PUBLIC | (PRIVATE if whole.private else set()) == {kind.partition("+")[0] for kind in found}
    assert {kind: [f"{n}/{len(of)}" for n in range(1, len(of) + 1)] for kind, of in found.items()} == found
    with kind(ACCOUNTS, topics=TOPICS) as forum:
        killed = DialectNight(tmp_path / "killed", forum)
        codes = [killed.play(kill_at="answered:1"), killed.play()]
        assert [-signal.SIGKILL, 0] == codes, killed.errors()
    assert found == parts(killed)
    # At a text a minute a lost one moves the opening behind players' posts, which then have other ids.
    if ADAPTERS[kind.software].capabilities.min_interval < MINUTE:
        assert whole.judged() == killed.judged()
