"""A whole night of `conquista` on FlaskBB: on its stand-in, and with `--forums` on the real one."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from jobs.demo import players
from jobs.demo.environments import Build
from jobs.demo.flaskbb_server import FlaskbbServer
from jobs.demo.plays import conquista
from tests.support.forum_night import ForumNight
from tests.support.real_night import ACCOUNTS, SETTINGS, TOPICS, RealNight, write_bruma
from tests.support.served_night import ServedNight
from tests.support.standin import FlaskbbStandIn

REPORT = 3
"""After the deadline the receipts are edited; the third request is the report's first part."""


@dataclass
class FlaskbbNight(ServedNight):
    """The demo's game on a real FlaskBB."""

    def write_game(self) -> None:
        """See `ForumNight.write_game`."""
        write_bruma(self.folder, self.forum, {**SETTINGS, "lease": "3s", "quiet": "1s"})

    def write_settings(self, **told: Any) -> None:
        """See `ForumNight.write_settings`."""
        super().write_settings(pipeline="real", password=players.password_of(players.BOT), **told)


@contextmanager
def start_night(build: Build, folder: Path) -> Iterator[FlaskbbNight]:
    """A night up to the deadline: opened, ordered in the topic and in private, receipted."""
    accounts = {one.name: one for one in ACCOUNTS}
    with FlaskbbServer(build, ACCOUNTS, topics=TOPICS) as forum:
        night = FlaskbbNight(folder / "g", forum)
        night.run_free(-120)
        assert 0 == night.play()
        night.whisper_text(accounts["marta"], conquista.MARTA_ORDERS)
        night.whisper_text(accounts["quique"], conquista.QUIQUE_ORDERS)
        forum.write_post(forum.topics[conquista.TOPIC], "ines", conquista.INES_ORDERS)
        night.run_free(-60)
        assert 0 == night.play()
        night.whisper_text(accounts["quique"], conquista.QUIQUE_AGAIN)
        night.run_free(2)
        yield night


def kinds(night: ForumNight) -> list[str]:
    """What the bot has published, by its markers: kind and part."""
    return kinds_of(night.judged())


def kinds_of(posts: list[tuple[str, str]]) -> list[str]:
    """Of posts by title and text."""
    return sorted(":".join(text.split("\n")[-1].split(":")[3:5]) for _, text in posts)


SEATS = ("alianza", "corsarios", "hermandad", "sindicato")
ORDERED = SEATS[:3]
WHOLE = [
    "digest:1/1",
    *(f"open-{seat}:1/1" for seat in SEATS),
    "open:1/1",
    *(f"receipt-{seat}:1/1" for seat in ORDERED),
    "receipts:1/1",
    *(f"report-{seat}:1/1" for seat in SEATS),
    "report:1/1",
]
"""What a night publishes, by its markers."""


@pytest.mark.forums
def test_a_night_on_the_stand_in(tmp_path: Path) -> None:
    """Opening, receipts and report in public, receipts and reports in private, each once; what FlaskBB would
    show as an entity stands in none.
    """
    with FlaskbbStandIn(ACCOUNTS, topics=TOPICS) as forum:
        night = RealNight(tmp_path / "g", forum)
        assert 0 == night.play(), night.errors()
        assert WHOLE == kinds(night)
        assert [] == [text for _, text in night.judged() if "&#" in text]


@pytest.fixture(scope="module")
def undisturbed(flaskbb_build: Build, tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, str]]:
    """What a night on the real forum leaves that nothing disturbs."""
    with start_night(flaskbb_build, tmp_path_factory.mktemp("whole")) as night:
        assert 0 == night.play(), night.errors()
        return night.judged()


@pytest.mark.forums
def test_a_night_on_the_real_forum(undisturbed: list[tuple[str, str]]) -> None:
    """The same texts are published there, each once."""
    assert WHOLE == kinds_of(undisturbed)
    assert [] == [text for _, text in undisturbed if "&#" in text]


@pytest.mark.forums
@pytest.mark.parametrize("where", ["leaving", "answered"])
def test_a_night_that_is_killed_and_played_on(
    where: str, flaskbb_build: Build, tmp_path: Path, undisturbed: list[tuple[str, str]]
) -> None:
    """Killed before and after the request that publishes the report: the same posts, byte for byte, though
    FlaskBB itself would take each of them twice.
    """
    with start_night(flaskbb_build, tmp_path) as night:
        codes = (night.play(kill_at=f"{where}:{REPORT}"), night.play())
        assert ((-signal.SIGKILL, 0), undisturbed) == (codes, night.judged())
