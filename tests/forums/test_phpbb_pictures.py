"""Pictures as files of phpBB's posts, over its stand-in: it can't be run here, and does as its code says."""

from __future__ import annotations

from collections.abc import Callable
from urllib.request import urlopen

import pytest
from bs4 import BeautifulSoup

from processor.forums.phpbb import PhpbbForum
from processor.ports import Uploading
from rules.engine.messages import msg
from rules.play.posts import Published, Refused, Unknown, Uploaded
from tests.support.forum_fixtures import BOT, TITLE, enter
from tests.support.forum_scene import post_id
from tests.support.phpbb_words import say
from tests.support.pictured import draw, hand_over, hand_over_all, write
from tests.support.standin import PhpbbStandIn


@pytest.fixture(params=["es", "en"])
def forum(request: pytest.FixtureRequest, phpbb_standin: PhpbbStandIn) -> PhpbbStandIn:
    """A board in Spanish, and one in English."""
    phpbb_standin.views.language = request.param
    return phpbb_standin


@pytest.fixture
def topic(phpbb_standin: PhpbbStandIn) -> str:
    """Id of the only topic."""
    return phpbb_standin.topics[TITLE]


@pytest.fixture
def bot(forum: PhpbbStandIn) -> PhpbbForum:
    """Our account, inside."""
    return connect(forum)


def connect(forum: PhpbbStandIn) -> PhpbbForum:
    """Our account, anew."""
    found = enter(forum, BOT)
    assert isinstance(found, PhpbbForum)
    found.open()
    return found


def publish(bot: PhpbbForum, topic: str, *shown: Uploaded) -> str:
    """A post that shows pictures."""
    handles = tuple(sorted(one.handle for one in shown))
    return post_id(bot.post_with(topic, write("phpbb", *shown), handles))


def see(forum: PhpbbStandIn, topic: str, post: str) -> list[str]:
    """What a reader sees in the places of a post's pictures, top down, and below the post: their numbers, or
    "" where words say that there is none.
    """
    with urlopen(f"{forum.url}/viewtopic.php?t={topic}") as answer:  # noqa: S310 - of the stand-in
        page = BeautifulSoup(answer.read(), "lxml")
    places = page.select(f"#p{post} .inline-attachment, #p{post} .attachbox dl")
    pictures = [place.select_one("img") for place in places]
    return [str(one["src"]).partition("?id=")[2] if one else "" for one in pictures]


def numbers(*shown: Uploaded) -> list[str]:
    """Their numbers in the forum."""
    return [one.handle for one in shown]


def test_each_picture_stands_in_its_place(forum: PhpbbStandIn, bot: PhpbbForum, topic: str) -> None:
    """However the report sorts them: phpBB counts the newest first."""
    one, two, three = hand_over_all(bot, topic, 3)
    post = publish(bot, topic, two, three, one)
    assert numbers(two, three, one) == see(forum, topic, post)


def test_the_pictures_of_a_long_report_are_split_as_its_posts_are(
    forum: PhpbbStandIn, bot: PhpbbForum, topic: str
) -> None:
    """Each post has those that it shows, whichever of them were handed over first."""
    one, two, three = hand_over_all(bot, topic, 3)
    first, second = publish(bot, topic, three, one), publish(bot, topic, two)
    assert [numbers(three, one), numbers(two)] == [see(forum, topic, post) for post in (first, second)]


def test_a_place_is_not_taken_for_a_number(bot: PhpbbForum, topic: str) -> None:
    """On a young board the first files have numbers as low as places."""
    one, two, three = hand_over_all(bot, topic, 3)
    text = write("phpbb", two, three)
    assert [False, True, True] == [picture.stands_in(text) for picture in (one, two, three)]


def test_an_edit_keeps_the_pictures(forum: PhpbbStandIn, bot: PhpbbForum, topic: str) -> None:
    """PhpBB shows none of a post that is sent without them."""
    shown = hand_over_all(bot, topic, 3)
    post = publish(bot, topic, *shown)
    text = f"Corregido.\n\n{write('phpbb', *shown)}"
    assert Published(post) == bot.edit(post, text)
    assert numbers(*shown) == see(forum, topic, post)
    assert text == forum.posts()[-1]["text"]


@pytest.mark.parametrize("gone", [0, 1, 2])
def test_a_picture_that_is_gone_costs_the_pictures_alone(
    forum: PhpbbStandIn, bot: PhpbbForum, topic: str, gone: int
) -> None:
    """An administrator has cleared up: phpBB takes no post with it, so that the text goes without any."""
    shown = hand_over_all(bot, topic, 3)
    forum.state.pictures.pop(gone)
    post = publish(bot, topic, *shown)
    assert ["", "", ""] == see(forum, topic, post)


def test_fewer_pictures_are_better_than_a_wrong_one(forum: PhpbbStandIn, bot: PhpbbForum, topic: str) -> None:
    """A part of those that a text shows goes along where that puts none into another's place."""
    one, two = hand_over_all(bot, topic, 2)
    text = write("phpbb", one, two)
    newest = post_id(bot.post_with(topic, text, (two.handle,)))
    oldest = post_id(bot.post_with(topic, text, (one.handle,)))
    assert [["", two.handle], ["", ""]] == [see(forum, topic, post) for post in (newest, oldest)]


@pytest.mark.parametrize("kind", ["error-before", "maintenance", "login-page"])
def test_a_forum_that_chokes_on_files_gets_the_text(
    forum: PhpbbStandIn, bot: PhpbbForum, topic: str, kind: str
) -> None:
    """A picture is worth little beside it."""
    shown = hand_over_all(bot, topic, 2)
    forum.fail(kind, "upload")
    post = publish(bot, topic, *shown)
    assert ["", ""] == see(forum, topic, post)


@pytest.mark.parametrize("kind", ["drop-before-store", "login-redirect"])
def test_an_answer_that_is_missing_is_waited_for(
    forum: PhpbbStandIn, bot: PhpbbForum, topic: str, kind: str
) -> None:
    """Nothing of the text has left by then, and the next attempt has the pictures."""
    shown, before = hand_over_all(bot, topic, 2), forum.posts()
    forum.fail(kind, "upload")
    refused = bot.post_with(topic, write("phpbb", *shown), tuple(sorted(numbers(*shown))))
    assert isinstance(refused, Refused)
    assert 60.0 == refused.retry_after
    assert before == forum.posts()
    assert numbers(*shown) == see(forum, topic, publish(bot, topic, *shown))


def test_a_board_without_files_is_asked_for_none(forum: PhpbbStandIn, bot: PhpbbForum, topic: str) -> None:
    """It has no field for them: nothing is sent."""
    forum.views.attaching = False
    assert Refused(msg("sent/no-upload")) == bot.upload(topic, *draw(bot))
    assert "POST" not in forum.requests()[-1]


def test_a_board_counts_the_files_of_a_post(forum: PhpbbStandIn, bot: PhpbbForum, topic: str) -> None:
    """Three at first: the others are refused in its own words, for good."""
    first, *_ = hand_over_all(bot, topic, 3)
    fourth = bot.upload(topic, *draw(bot), first.handle)
    assert Refused(say(forum.views.language, "many-files")) == fourth
    hand_over_all(bot, topic, 1)  # of the next turn


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [("x.svg", b"<svg/>", "bad-kind"), ("x.png", b"\x89PNG\r\n\x1a\n" + b"0" * 300_000, "big-file")],
)
def test_what_a_board_refuses_it_refuses_for_good(
    forum: PhpbbStandIn, bot: PhpbbForum, topic: str, name: str, content: bytes, said: str
) -> None:
    """In its own words."""
    assert Refused(say(forum.views.language, said)) == bot.upload(topic, name, content)


def test_a_restart_forgets_nothing_that_matters(forum: PhpbbStandIn, bot: PhpbbForum, topic: str) -> None:
    """Pictures of before are taken along, and those that are a post's already are in nobody's way."""
    one = hand_over(bot, topic)
    again = connect(forum)
    two = hand_over(again, topic, 50, one.handle)
    post = publish(again, topic, one, two)
    assert numbers(one, two) == see(forum, topic, post)
    hand_over(again, topic, 60, one.handle)
    hand_over(connect(forum), topic, 60, one.handle)


def test_a_session_that_ended_is_no_refusal(forum: PhpbbStandIn, bot: PhpbbForum, topic: str) -> None:
    """The picture waits for the next one."""
    forum.fail("login-redirect", "upload")
    assert Refused(msg("sent/session-over"), 60.0) == bot.upload(topic, *draw(bot))


CHANGES: dict[str, Callable[[bytes], bytes]] = {
    "no file": lambda page: page.replace(b"[attach_id]", b"[x]"),
    "other form": lambda page: page.replace(b'name="message"', b'name="x"'),
    "cut": lambda page: page[: len(page) // 2],
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_page_that_names_no_new_file_is_unclear(
    forum: PhpbbStandIn, bot: PhpbbForum, topic: str, change: str
) -> None:
    """Whatever it says instead: there is no picture then."""
    assert isinstance(bot, Uploading)
    forum.fail("mutate", "upload", mutate=CHANGES[change])
    assert isinstance(bot.upload(topic, *draw(bot)), Unknown)
