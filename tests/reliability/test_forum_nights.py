"""A whole night of `conquista` on each forum that can be booted, whose clock follows the night's: as it
should be, and with a flood limit that is run into and a kill.

FlaskBB has no flood limit by itself: one of its host's is put before its forms.
"""

from __future__ import annotations

import re
import signal
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import select

from jobs.demo.environments import Build
from jobs.demo.flaskbb_server import FlaskbbServer
from jobs.demo.forum_server import ForumServer
from jobs.demo.misago_server import MisagoServer
from jobs.demo.postgres import PostgresServer
from jobs.demo.spirit_server import SpiritServer
from processor.checkpoints import Checkpoint
from processor.store.database import Database
from processor.store.tables import uploads
from tests.support.forum_night import ForumNight
from tests.support.real_night import ACCOUNTS, TOPICS, RealNight, TimedNight
from tests.support.standin import STANDINS
from tests.support.standin_night import CLOSED, EVENING, LATER

REPORT = 3
"""After the deadline the receipts are edited; the third request is the report's first part."""
SEATS = ("alianza", "corsarios", "hermandad", "sindicato")
ORDERED = SEATS[:3]
WHOLE = sorted(
    (
        *("digest", "open", "receipts", "report"),
        *(f"{kind}-{seat}" for kind in ("open", "report") for seat in SEATS),
        *(f"receipt-{seat}" for seat in ORDERED),
    )
)
"""What a night publishes, by its markers; Spirit's posts are short, so that some have two parts there, and
where private messages can't be edited a receipt is followed by a newer one.
"""
DISTANCE = 10.0
"""Seconds: enough for each of them."""
Boot = Callable[[], AbstractContextManager[ForumServer]]


@pytest.fixture(scope="module")
def boot(request: pytest.FixtureRequest) -> Boot:
    """Each forum with its flood limit."""
    build: Build = request.getfixturevalue(f"{request.param}_build")
    match request.param:
        case "spirit":
            return partial(SpiritServer, build, ACCOUNTS, topics=TOPICS)
        case "flaskbb":
            flood = {"flood": "1 per 3 seconds"}
            return partial(FlaskbbServer, build, ACCOUNTS, topics=TOPICS, settings=flood)
        case _:
            cluster: PostgresServer = request.getfixturevalue("cluster")
            pages = {"posts_per_page": 18, "posts_per_page_orphans": 6}
            return partial(MisagoServer, build, ACCOUNTS, topics=TOPICS, cluster=cluster, settings=pages)


on_each_forum = pytest.mark.parametrize(
    "boot", ["spirit", "flaskbb", "misago"], indirect=True, scope="module"
)


@contextmanager
def start_night(boot: Boot, folder: Path, **told: float) -> Iterator[TimedNight]:
    """A night up to the deadline: opened, ordered in the topic and in private, receipted."""
    with boot() as forum:
        night = TimedNight(folder / "g", forum, told=told)
        assert 0 == night.play_until(EVENING), night.errors()
        night.order_early()
        assert 0 == night.play_until(LATER), night.errors()
        night.order_late()
        yield night


def kinds_of(posts: list[tuple[str, str]]) -> list[str]:
    """What was published, by the markers of posts that are given by title and text, none of which is there
    twice.
    """
    markers = [text.split("\n")[-1] for _, text in posts]
    assert sorted(set(markers)) == sorted(markers)
    return sorted({marker.split(":")[3].partition("+")[0] for marker in markers})


@pytest.mark.forums
@pytest.mark.parametrize("software", ["flaskbb", "misago"])
def test_a_night_on_the_stand_in(software: str, tmp_path: Path) -> None:
    """Opening, receipts and report in public, receipts and reports in private, each once."""
    with STANDINS[software](ACCOUNTS, topics=TOPICS) as forum:
        night = RealNight(tmp_path / "g", forum)
        assert 0 == night.play(), night.errors()
        assert WHOLE == kinds_of(night.judged())


Told = tuple[list[tuple[str, str]], int]


@pytest.fixture(scope="module")
def undisturbed(boot: Boot, tmp_path_factory: pytest.TempPathFactory) -> Told:
    """What a night on the forum leaves that nothing disturbs, and how many requests published it."""
    with start_night(boot, tmp_path_factory.mktemp("whole"), min_interval=DISTANCE) as night:
        assert 0 == night.play_until(CLOSED), night.errors()
        return told_by(night), requests_of(night)


def told_by(night: TimedNight) -> list[tuple[str, str]]:
    """What a night leaves, by title and text; where a forum keeps a picture is its own choice each time, and
    the marker of a text that shows one holds that text's hash.
    """
    with closing(Database(night.database)) as database, database.read() as connection:
        addresses = connection.execute(select(uploads.c.reference)).scalars().all()

    def masked(text: str) -> str:
        shown = [one for one in addresses if one is not None and one in text]
        for one in shown:
            text = text.replace(one, "picture")
        return re.sub(r":[0-9a-f]{8}\Z", "", text) if shown else text

    return [(title, masked(text)) for title, text in night.judged()]


def requests_of(night: ForumNight) -> int:
    """How often something was sent to be published."""
    return night.reached()[Checkpoint.LEAVING]


@pytest.mark.forums
@on_each_forum
def test_a_night_on_the_real_forum(undisturbed: Told) -> None:
    """The same texts are published there, each once, at the distance that the forum wants."""
    assert WHOLE == kinds_of(undisturbed[0])


@pytest.mark.forums
@on_each_forum
@pytest.mark.parametrize("where", ["leaving", "answered"])
def test_a_night_with_a_flood_limit_and_a_kill(
    where: str, boot: Boot, tmp_path: Path, undisturbed: Told
) -> None:
    """Sent too fast and refused, killed before or after the request that publishes the report: the same
    posts, byte for byte but for the pictures' addresses, whether or not the forum takes a text twice.
    """
    with start_night(boot, tmp_path, min_interval=0.0) as night:
        codes = (night.play_until(CLOSED, kill_at=f"{where}:{REPORT}"), night.play_until(CLOSED))
        assert ((-signal.SIGKILL, 0), undisturbed[0]) == (codes, told_by(night)), night.errors()
        assert requests_of(night) > undisturbed[1]
