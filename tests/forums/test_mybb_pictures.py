"""Pictures as files of MyBB's posts, over its stand-in: it can't be run here, and does as its code says."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from bs4 import BeautifulSoup

from processor.forums.mybb import MybbForum
from rules.engine.messages import msg
from rules.play.posts import Merged, Published, Queued, Refused, Unknown, Uploaded
from tests.support.forum_fixtures import BOT, TITLE, enter
from tests.support.pictured import draw, hand_over_all, write
from tests.support.standin import MybbStandIn


@pytest.fixture
def forum(mybb_standin: MybbStandIn) -> MybbStandIn:
    """The stand-in, shorter."""
    return mybb_standin


@pytest.fixture
def topic(forum: MybbStandIn) -> str:
    """The game's topic."""
    return forum.topics[TITLE]


@pytest.fixture
def bot(forum: MybbStandIn) -> MybbForum:
    """Our account, inside."""
    found = enter(forum, BOT)
    assert isinstance(found, MybbForum)
    found.open()
    return found


def see(bot: MybbForum, topic: str) -> tuple[list[str], str]:
    """The numbers of the pictures that the newest post shows, top down, and its words."""
    page = BeautifulSoup(bot.read_topic(topic).posts[-1].html or "", "lxml")
    return [str(one["src"]).rpartition("=")[2] for one in page.select("img")], page.get_text()


def numbers(*shown: Uploaded) -> list[str]:
    """Their numbers in the forum."""
    return [one.reference.rpartition(":")[2] for one in shown]


def test_pictures_of_a_turn_go_together(bot: MybbForum, topic: str) -> None:
    """All are handed over under one name, that of the post's form; each stands where the text has it."""
    one, two, three = hand_over_all(bot, topic, 3)
    assert {one.handle} == {two.handle, three.handle}
    text = write("mybb", three, one, two)
    assert isinstance(bot.post_with(topic, text, (one.handle,)), Published)
    assert numbers(three, one, two) == see(bot, topic)[0]


def test_an_edit_keeps_the_pictures(forum: MybbStandIn, bot: MybbForum, topic: str) -> None:
    """They are the post's, whatever its form says."""
    one, two = hand_over_all(bot, topic, 2)
    made = bot.post_with(topic, write("mybb", one, two), (one.handle,))
    assert isinstance(made, Published)
    text = f"Corregido.\n\n{write('mybb', one, two)}"
    assert Published(made.post_id) == bot.edit(made.post_id, text)
    assert numbers(one, two) == see(bot, topic)[0]
    assert text == forum.posts()[-1]["text"]


def test_a_report_that_is_appended_takes_its_pictures_along(bot: MybbForum, topic: str) -> None:
    """To the post that has become of the two."""
    assert isinstance(bot.post(topic, "Acuses del turno tres."), Published)
    (one,) = hand_over_all(bot, topic, 1)
    assert isinstance(bot.post_with(topic, write("mybb", one), (one.handle,)), Merged)
    assert numbers(one) == see(bot, topic)[0]


def test_a_report_that_waits_for_a_moderator_keeps_its_pictures(
    forum: MybbStandIn, bot: MybbForum, topic: str
) -> None:
    """They are its own while it waits."""
    (one,) = hand_over_all(bot, topic, 1)
    forum.views.queued.add(BOT.name)
    assert Queued() == bot.post_with(topic, write("mybb", one), (one.handle,))
    assert [forum.state.stored[-1].id] == [picture.post for picture in forum.state.pictures]


def test_in_another_post_words_stand_in_a_picture_s_place(
    forum: MybbStandIn, bot: MybbForum, topic: str
) -> None:
    """A post has one name, and its pictures are no other's."""
    one, two = hand_over_all(bot, topic, 2)
    assert isinstance(bot.post_with(topic, write("mybb", one), (one.handle,)), Published)
    assert numbers(one, two) == see(bot, topic)[0]
    forum.shift_clock(2 * 3600)
    assert isinstance(bot.post(topic, write("mybb", two)), Published)
    shown, words = see(bot, topic)
    assert [] == shown
    assert f"[attachment={numbers(two)[0]}]" in words


def test_pictures_that_are_gone_keep_nothing(forum: MybbStandIn, bot: MybbForum, topic: str) -> None:
    """An administrator has cleared up: the text goes as it is."""
    one, two = hand_over_all(bot, topic, 2)
    forum.state.pictures.clear()
    assert isinstance(bot.post_with(topic, write("mybb", one, two), (one.handle,)), Published)
    assert [] == see(bot, topic)[0]


def test_a_name_that_is_used_up_keeps_no_text(forum: MybbStandIn, bot: MybbForum, topic: str) -> None:
    """MyBB takes no second post under it: refused for good, so that the text goes without its pictures."""
    (one,) = hand_over_all(bot, topic, 1)
    forum.views._hashes[one.handle] = True
    text = write("mybb", one)
    assert Refused("Ya has enviado esta respuesta.") == bot.post_with(topic, text, (one.handle,))
    assert isinstance(bot.post(topic, text), Published)
    assert [] == see(bot, topic)[0]


def test_a_text_that_has_to_wait_keeps_its_pictures(forum: MybbStandIn, bot: MybbForum, topic: str) -> None:
    """Whatever else it was refused for."""
    (one,) = hand_over_all(bot, topic, 1)
    text = write("mybb", one)
    forum.fail("flood", "publish")
    refused = bot.post_with(topic, text, (one.handle,))
    assert isinstance(refused, Refused)
    assert 61.0 == refused.retry_after
    assert isinstance(bot.post_with(topic, text, (one.handle,)), Published)
    assert numbers(one) == see(bot, topic)[0]


def test_a_lost_answer_leaves_no_picture_twice(forum: MybbStandIn, bot: MybbForum, topic: str) -> None:
    """What lies there already is put there once more, under its number; another picture is another file."""
    (one,) = hand_over_all(bot, topic, 1)
    forum.fail("store-then-drop", "upload")
    name, content = draw(bot, 77)
    assert isinstance(bot.upload(topic, name, content, one.handle), Unknown)
    again = bot.upload(topic, name, content, one.handle)
    assert Uploaded("attachment:2", one.handle) == again
    assert [1, 2] == [picture.id for picture in forum.state.pictures]


def test_a_board_without_files_is_asked_for_none(forum: MybbStandIn, bot: MybbForum, topic: str) -> None:
    """It has no field for them: nothing is sent."""
    forum.views.attaching = False
    assert Refused(msg("sent/no-upload")) == bot.upload(topic, *draw(bot))
    assert "POST" not in forum.requests()[-1]


def test_an_account_that_may_not_attach_is_told_nothing(
    forum: MybbStandIn, bot: MybbForum, topic: str
) -> None:
    """MyBB answers with an empty list, and keeps nothing."""
    forum.views.permitted = False
    assert Refused(msg("sent/no-upload")) == bot.upload(topic, *draw(bot))


def test_a_board_counts_the_files_of_a_post(bot: MybbForum, topic: str) -> None:
    """Five at first: the others are refused in its own words, for good."""
    first, *_ = hand_over_all(bot, topic, 5)
    assert Refused("Un mensaje no puede tener más de 5.") == bot.upload(topic, *draw(bot, 99), first.handle)
    hand_over_all(bot, topic, 1)  # of the next turn


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("x.svg", b"<svg/>", "Este tipo de archivo no se admite."),
        ("x.png", b"\x89PNG\r\n\x1a\n" + b"0" * 600_000, "demasiado grande"),
    ],
)
def test_what_a_board_refuses_it_refuses_for_good(
    bot: MybbForum, topic: str, name: str, content: bytes, said: str
) -> None:
    """In its own words, without their markup."""
    refused = bot.upload(topic, name, content)
    assert isinstance(refused, Refused)
    assert refused.retry_after is None
    assert said in str(refused.reason)


def test_a_session_that_ended_is_no_refusal(forum: MybbStandIn, bot: MybbForum, topic: str) -> None:
    """The picture waits for the next one."""
    forum.fail("login-redirect", "upload")
    assert Refused(msg("sent/session-over"), 60.0) == bot.upload(topic, *draw(bot))


CHANGES: dict[str, Callable[[bytes], object]] = {
    "cut": lambda body: body[: len(body) // 2],
    "other": lambda body: b'"ok"',
    "two": lambda body: json.dumps({"success": [[1], [2]]}).encode(),
    "none": lambda body: json.dumps({"success": [[]]}).encode(),
    "no number": lambda body: json.dumps({"success": [["x1"]]}).encode(),
    "both": lambda body: json.dumps({"success": [[1]], "errors": ["no"]}).encode(),
}


@pytest.mark.parametrize("change", CHANGES)
def test_an_answer_that_names_no_file_is_unclear(
    forum: MybbStandIn, bot: MybbForum, topic: str, change: str
) -> None:
    """Whatever it says instead."""
    forum.fail("mutate", "upload", mutate=CHANGES[change])
    assert isinstance(bot.upload(topic, *draw(bot)), Unknown)


def test_handing_over_posts_nothing(forum: MybbStandIn, bot: MybbForum, topic: str) -> None:
    """Not even on a board that has never heard of how it is asked."""
    before = forum.posts()
    hand_over_all(bot, topic, 2)
    assert before == forum.posts()
