"""Many accounts and games on one host ask it as one polite visitor would."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest

from jobs.demo.forum_server import Account
from jobs.wiring import OnlineForums
from processor.forums.http import Limits
from processor.forums.pace import Pace, origin_of
from processor.forums.trouble import NotSent
from processor.gate import Gate
from rules.play.game import Game
from rules.play.posts import Published
from tests.support.forum_fixtures import ACCOUNTS, ALICE, BOB, BOT, QUICK, SCENE, TITLE, enter
from tests.support.hand_clock import HandClock
from tests.support.small_game import PIPELINE, write_folder
from tests.support.standin import STANDINS, StandIn

GAP = 2.0


def game_of(folder: Path, forum: StandIn, account: Account, url: str = "") -> Game:
    """A game that an account plays on a forum."""
    told = {"software": forum.software, "account": account.name, "forum_zone": account.zone}
    where = write_folder(folder / account.name, url=url or forum.url, topic=forum.topics[TITLE], **told)
    return PIPELINE.load_game(where).game


def passwords(game: Game) -> str:
    """Those of the scene."""
    return next(one.password for one in ACCOUNTS if one.name == game.forum.account)


@pytest.mark.parametrize("kind", STANDINS.values(), ids=STANDINS)
def test_accounts_on_one_host_share_its_pace(kind: type[StandIn], tmp_path: Path) -> None:
    """Three accounts log in and read by turns: no request comes sooner than the gap after another's."""
    clock = HandClock()
    with kind(ACCOUNTS, **SCENE) as forum:
        forum.follow_clock(clock.now)
        opener = OnlineForums(tmp_path, Gate(), clock, passwords, Limits(gap=GAP))
        forums = [opener(game_of(tmp_path, forum, one)) for one in (ALICE, BOB, BOT)]
        for _ in range(3):
            for one in forums:
                one.read_topic(forum.topics[TITLE])
        moments = [event.at for event in forum.events("request")]
    assert len(set(moments)) == len(moments) > 9
    times = [datetime.fromisoformat(moment) for moment in moments]
    waits = [later - sooner for sooner, later in pairwise(times)]
    assert timedelta(seconds=GAP) == min(waits)  # some wait longer: a form that has to age before it is sent


def test_an_account_keeps_its_distance_over_all_of_its_games(tmp_path: Path) -> None:
    """Two games whose files say different things of the forum are one account there: one session, and their
    posts are as far apart as the account's.
    """
    clock = HandClock()
    with StandIn(ACCOUNTS, **SCENE) as forum:
        forum.follow_clock(clock.now)
        opener = OnlineForums(tmp_path, Gate(), clock, passwords, Limits(gap=0.0))
        game = game_of(tmp_path, forum, BOT)
        other = replace(game, forum=replace(game.forum, max_chars=2000))
        one, two = opener(game), opener(other)
        for n, by in enumerate((one, two, one)):
            assert isinstance(by.post(forum.topics[TITLE], f"texto {n}"), Published)
        moments = [datetime.fromisoformat(event.at) for event in forum.events("stored")][1:]
        logins = [asked for asked in forum.requests() if asked == "POST /user/login/"]
    apart = [(after - before).total_seconds() for before, after in pairwise(moments)]
    assert (1, [10.0, 10.0]) == (len(logins), apart)
    assert one is not two


def test_what_one_account_is_told_to_wait_all_wait(tmp_path: Path) -> None:
    """A 429 with Retry-After is for our address: the other account waits too, and other hosts don't."""
    clock = HandClock()
    with StandIn(ACCOUNTS, **SCENE) as forum, StandIn(ACCOUNTS, **SCENE) as other:
        opener = OnlineForums(tmp_path, Gate(), clock, passwords, Limits(gap=0.0, longest=20.0))
        alice, bob = (opener(game_of(tmp_path, forum, one)) for one in (ALICE, BOB))
        elsewhere = opener(game_of(tmp_path, other, BOT))
        for one in (alice, bob, elsewhere):
            one.open()
        forum.fail("limited", "publish", retry_after="15")
        alice.post(forum.topics[TITLE], "hola")
        before = clock.monotonic()
        elsewhere.read_topic(other.topics[TITLE])
        at_once = clock.monotonic()
        bob.read_topic(forum.topics[TITLE])
    assert (before, before + 15) == (at_once, clock.monotonic())


def test_a_long_rest_is_told_and_not_waited(tmp_path: Path) -> None:
    """A quarter of an hour keeps nobody waiting in a process: the forum isn't asked, and that is said."""
    clock = HandClock()
    pace = Pace(0.0, clock.monotonic, clock.sleep)
    with StandIn(ACCOUNTS, **SCENE) as forum:
        alice, bob = (enter(forum, one, limits=QUICK, pace=pace) for one in (ALICE, BOB))
        alice.open()
        forum.fail("limited", "publish", retry_after="900")
        alice.post(forum.topics[TITLE], "hola")
        asked = len(forum.requests())
        with pytest.raises(NotSent, match="forum/busy") as told:
            bob.open()
        assert asked == len(forum.requests())
    assert (900.0, 0.0) == (told.value.retry_after, clock.monotonic())


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("http://foro.example.org/a/", "http://FORO.example.org:80/b", True),
        ("https://foro.example.org/", "http://foro.example.org/", False),
        ("http://127.0.0.1:8001/", "http://127.0.0.1:8002/", False),
        ("https://foro.example.org", "https://foro.example.org:443/x?y", True),
    ],
)
def test_a_host_is_known_by_scheme_name_and_port(one: str, other: str, same: bool) -> None:
    """Wherever below it the forum stands, and however its address is written."""
    assert same == (origin_of(one) == origin_of(other))
