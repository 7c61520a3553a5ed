"""Pictures for a post: what every forum does that takes them, and that the others say so; the same tests over
real forums and stand-ins.
"""

from __future__ import annotations

import pytest
from bs4 import BeautifulSoup

from jobs.adapters import ADAPTERS
from processor.ports import Uploading
from rules.engine.messages import msg
from rules.play.posts import Limit, Post, Published, Refused, Unknown, Uploaded
from tests.support.forum_fixtures import BOT
from tests.support.forum_scene import MARKER, Scene, post_id
from tests.support.pictured import draw, hand_over, write
from tests.support.standin import STANDINS, StandIn

TAKING = [name for name, adapter in ADAPTERS.items() if adapter.capabilities.uploads is not None]


@pytest.fixture
def scene(request: pytest.FixtureRequest, forum_name: str) -> Scene:
    """The same small forum, played by stand-ins and real."""
    return Scene(request.getfixturevalue(forum_name))


@pytest.fixture(params=TAKING)
def forum(request: pytest.FixtureRequest) -> StandIn:
    """Each stand-in that takes pictures."""
    found: StandIn = request.getfixturevalue(f"{request.param}_standin")
    return found


def takes_none(scene: Scene) -> bool:
    """Whether the forum takes no pictures; its adapter has no way to send any then."""
    bot = scene.connect(BOT)
    if bot.capabilities.uploads is not None:
        return False
    assert not isinstance(bot, Uploading)
    return True


def test_a_post_shows_the_pictures_that_were_handed_over(scene: Scene) -> None:
    """Two pictures in one post, each where the text has it; the text is found as it was written."""
    if takes_none(scene):
        return
    bot, software = scene.connect(BOT), scene.server.software
    bot.open()
    first = hand_over(bot, scene.topic)
    second = hand_over(bot, scene.topic, 50, first.handle)
    text = write(software, first, second)
    assert first.reference != second.reference
    assert [True, True] == [one.stands_in(text) for one in (first, second)]
    assert isinstance(bot, Uploading)
    handles = tuple(sorted({one.handle for one in (first, second) if one.handle}))
    made = post_id(bot.post_with(scene.topic, text, handles))
    (found,) = bot.find_marker(scene.topic, MARKER)
    assert (made, text) == (found.post_id, found.text)
    post = next(one for one in bot.read_topic(scene.topic).posts if one.id == made)
    assert 2 == count_pictures(scene, post) or Limit.RAW_TEXT in bot.capabilities.limits


def count_pictures(scene: Scene, post: Post) -> int:
    """Those that a post shows; those that are its own where the adapter leaves them out of what it reads."""
    shown = {str(one["src"]) for one in BeautifulSoup(post.html or "", "lxml").select("img")}
    server = scene.server
    return len(shown) or (server.count_files(post.id) if isinstance(server, StandIn) else 0)


def test_what_is_no_picture_is_refused_for_good(scene: Scene) -> None:
    """In the forum's own words; nobody tries again."""
    if takes_none(scene):
        return
    bot = scene.connect(BOT)
    bot.open()
    assert isinstance(bot, Uploading)
    refused = bot.upload(scene.topic, draw(bot)[0], b"%PDF-1.7 no picture at all")
    assert isinstance(refused, Refused)
    assert refused.retry_after is None
    assert refused.reason


def test_every_forum_is_asked_whether_it_takes_pictures() -> None:
    """By its adapter's capabilities, which some have and some haven't; else these tests show nothing."""
    assert TAKING
    assert set(TAKING) < set(STANDINS)


@pytest.mark.parametrize(
    ("kind", "stored"),
    [("drop-before-store", 0), ("error-before", 0), ("store-then-drop", 1), ("error-after", 1)],
)
def test_an_unclear_answer_is_unknown(forum: StandIn, kind: str, stored: int) -> None:
    """A picture is handed over once; whether it arrived nobody can see, and a second one does no harm."""
    bot = enter_forum(forum)
    forum.fail(kind, "upload")
    topic = next(iter(forum.topics.values()))
    assert isinstance(bot, Uploading)
    assert isinstance(bot.upload(topic, *draw(bot)), Unknown)
    assert stored == len(forum.state.pictures)
    assert isinstance(bot.upload(topic, *draw(bot)), Uploaded)


@pytest.mark.parametrize("kind", ["login-page", "maintenance", "captcha", "consent"])
def test_a_page_that_says_neither_yes_nor_no_is_no_picture(forum: StandIn, kind: str) -> None:
    """Whatever stands in place of an answer."""
    bot = enter_forum(forum)
    forum.fail(kind, "upload")
    assert isinstance(bot, Uploading)
    outcome = bot.upload(next(iter(forum.topics.values())), *draw(bot))
    assert isinstance(outcome, Unknown)


def test_too_many_requests_name_a_wait(forum: StandIn) -> None:
    """The picture is handed over again then."""
    bot = enter_forum(forum)
    forum.fail("limited", "upload", retry_after="7")
    assert isinstance(bot, Uploading)
    assert Refused(msg("sent/too-many"), 7.0) == bot.upload(next(iter(forum.topics.values())), *draw(bot))


def test_pictures_wait_for_nothing(forum: StandIn) -> None:
    """The forum's distance is one between posts."""
    waits: list[float] = []

    def sleep(seconds: float) -> None:
        waits.append(seconds)
        forum.shift_clock(seconds)

    bot = Scene(forum).connect(BOT, min_interval=10.0, clock=lambda: 0.0, sleep=sleep)
    bot.open()
    topic = next(iter(forum.topics.values()))
    for _ in range(2):
        hand_over(bot, topic)
    assert isinstance(bot.post(topic, "hola a todos"), Published)
    assert 10.0 not in waits


def test_a_text_that_is_too_long_is_refused_with_its_pictures(forum: StandIn) -> None:
    """As one without any: nothing is sent."""
    bot = enter_forum(forum)
    assert isinstance(bot, Uploading)
    most = bot.capabilities.max_chars  # type: ignore[attr-defined]
    topic = next(iter(forum.topics.values()))
    assert [True, True] == [
        isinstance(bot.post_with(topic, text, ()), Refused) for text in ("x" * (most + 1), " ")
    ]
    assert 1 == len(forum.posts())


def enter_forum(forum: StandIn) -> object:
    """Our account, inside."""
    bot = Scene(forum).connect(BOT)
    bot.open()
    return bot
