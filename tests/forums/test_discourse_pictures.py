"""Pictures on Discourse, on its stand-in."""

from __future__ import annotations

from datetime import timedelta
from typing import Protocol, cast

import pytest
from bs4 import BeautifulSoup

from jobs.demo.forum_server import Account
from processor.ports import Uploading
from rules.engine.messages import msg
from rules.play.posts import Published, Refused, Unknown, Uploaded
from tests.support.forum_fixtures import BOT, GM, TITLE, Adapter, enter
from tests.support.forum_scene import post_id
from tests.support.json_answers import changed
from tests.support.pictured import draw, hand_over, write
from tests.support.standin import DiscourseStandIn

DAYS = timedelta(days=2).total_seconds()


class Bot(Adapter, Uploading, Protocol):
    """A forum's adapter that takes pictures."""


@pytest.fixture(name="forum")
def _forum(discourse_standin: DiscourseStandIn) -> DiscourseStandIn:
    return discourse_standin


@pytest.fixture
def bot(forum: DiscourseStandIn) -> Bot:
    """Our account, inside."""
    return come_in(forum, BOT)


def come_in(forum: DiscourseStandIn, account: Account) -> Bot:
    """An account, inside."""
    opened = enter(forum, account)
    opened.open()
    return cast("Bot", opened)


def pictures_of(bot: Bot, topic: str, made: str) -> list[str]:
    """Where the pictures of a post lie."""
    post = next(one for one in bot.read_topic(topic).posts if one.id == made)
    return [str(one["src"]) for one in BeautifulSoup(post.html or "", "lxml").select("img")]


def test_a_text_shows_a_picture_by_its_short_name(forum: DiscourseStandIn, bot: Bot) -> None:
    """Discourse makes an address of it, which an edit leaves as it is; nothing goes along with the post."""
    topic = forum.topics[TITLE]
    picture = hand_over(bot, topic)
    assert (True, "") == (picture.reference.startswith("upload://"), picture.handle)
    text = write("discourse", picture)
    assert f"![El mapa]({picture.reference})" in text
    made = post_id(bot.post_with(topic, text, ()))
    (address,) = pictures_of(bot, topic, made)
    assert address.startswith("/uploads/default/original/")
    assert Published(made) == bot.edit(made, text.replace("Informe", "El informe"))
    assert [address] == pictures_of(bot, topic, made)


def test_a_picture_that_is_there_already_is_the_same(forum: DiscourseStandIn, bot: Bot) -> None:
    """Whoever hands it over once more, behind a lost answer, is told its name."""
    forum.fail("store-then-drop", "upload")
    assert isinstance(bot.upload("1", *draw(bot)), Unknown)
    first, other = hand_over(bot, "1"), hand_over(bot, "1", 50)
    assert (2, True) == (len(forum.state.pictures), first != other)


def test_a_newcomer_hands_nothing_over(forum: DiscourseStandIn) -> None:
    """Its posts may show one picture, and a report with two would be refused as a whole; the team is free."""
    forum.views.newcomers = {BOT.name, GM.name}
    bot, team = come_in(forum, BOT), come_in(forum, GM)
    assert Refused(msg("sent/newcomer")) == bot.upload("1", *draw(bot))
    assert [] == forum.state.pictures
    shown = [hand_over(team, "1"), hand_over(team, "1", 50)]
    topic, text = forum.topics[TITLE], write("discourse", *shown)
    said = "Sorry, new users can only put one embedded media item in a post."
    assert Refused(said) == bot.post_with(topic, text, ())
    assert isinstance(team.post_with(topic, text, ()), Published)


def test_limits_are_told_in_the_forum_s_words(forum: DiscourseStandIn, bot: Bot) -> None:
    """The kind of file, its size, and what a key is for are no matter of time; how many a minute is."""
    name, content = draw(bot)
    forum.views.pictures, forum.views.kilobytes = ("jpg", "png"), 1
    kind = bot.upload("1", "map-cm.gif", content)
    size = bot.upload("1", name, content.ljust(1024, b"\0"))
    forum.views.keyless = {BOT.name}
    key = bot.upload("1", name, content)
    forum.views.keyless, forum.views.a_minute = set(), 2
    often = bot.upload("1", name, content)
    assert [
        Refused("Sorry, that kind of file isn't authorized (authorized: jpg, png)."),
        Refused("Sorry, the image is too big (maximum size is 1 KB)."),
        Refused("You are not permitted to view the requested resource."),
        Refused("You've performed this action too many times, wait 5 seconds.", 5.0),
    ] == [kind, size, key, often]


def test_a_report_that_is_held_back_for_days_goes_without_its_pictures(
    forum: DiscourseStandIn, bot: Bot
) -> None:
    """Discourse deletes what no post shows; a blank picture stands there then."""
    topic = forum.topics[TITLE]
    gone, kept = hand_over(bot, topic), hand_over(bot, topic, 50)
    bot.post_with(topic, write("discourse", kept), ())
    forum.shift_clock(DAYS)
    forum.views.clear_files()
    made = post_id(bot.post_with(topic, write("discourse", gone, kept), ()))
    blank, address = pictures_of(bot, topic, made)
    assert ("/images/transparent.png", True) == (blank, address.startswith("/uploads/"))


@pytest.mark.parametrize("name", ["https://elsewhere.example.org/x.png", ""])
def test_a_picture_of_no_name_is_unclear(forum: DiscourseStandIn, bot: Bot, name: str) -> None:
    """What texts can't show is as good as not there."""
    forum.fail("mutate", "upload", mutate=changed(lambda body: body.update(short_url=name)))
    assert Unknown(msg("sent/unclear")) == bot.upload("1", *draw(bot))
    assert isinstance(bot.upload("1", *draw(bot)), Uploaded)


def test_an_answer_of_another_shape_is_unclear(forum: DiscourseStandIn, bot: Bot) -> None:
    """Such as a newer version's might be."""
    forum.fail("mutate", "upload", mutate=changed(lambda body: body.pop("short_url")))
    unclear = bot.upload("1", *draw(bot))
    assert isinstance(unclear, Unknown)
    assert "page/other-shape" in str(unclear.reason)


def test_what_fails_without_a_rule_is_told_as_well(forum: DiscourseStandIn, bot: Bot) -> None:
    """Discourse names no errors then, but a message."""

    def fail(body: dict[str, object]) -> None:
        del body["errors"]
        body.update(failed="FAILED", message="No space left on device")

    forum.fail("mutate", "upload", mutate=changed(fail))
    assert Refused("No space left on device") == bot.upload("1", "map-cm.bmp", draw(bot)[1])
