"""Pictures on XenForo, over its stand-in: files of the post that shows them first."""

from __future__ import annotations

from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from jobs.catalogues import load_catalogue
from processor.forums.xenforo import XenforoForum
from processor.service.trial_lines import Line, try_uploading
from reporters.pictures.drawing import DRAW
from rules.engine.messages import msg
from rules.play.posts import PictureKind, Published, Refused, Unknown, Uploaded
from tests.support.forum_fixtures import BOT, TITLE, enter
from tests.support.forum_scene import post_id
from tests.support.json_answers import Change, changed
from tests.support.small_game import load_game, write_folder
from tests.support.standin import XenforoStandIn

ES = load_catalogue("es")
PNG = DRAW[PictureKind.PNG]('<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"/>')


@pytest.fixture
def forum(xenforo_standin: XenforoStandIn) -> XenforoStandIn:
    """The small forum of all contracts."""
    return xenforo_standin


@pytest.fixture
def topic(forum: XenforoStandIn) -> str:
    """Its thread."""
    return forum.topics[TITLE]


@pytest.fixture
def bot(forum: XenforoStandIn) -> XenforoForum:
    """Our account, inside."""
    opened = enter(forum, BOT)
    assert isinstance(opened, XenforoForum)
    opened.open()
    return opened


def hand_over(bot: XenforoForum, topic: str, beside: str = "") -> Uploaded:
    """Hand over a map."""
    outcome = bot.upload(topic, "map-cm.png", PNG, beside)
    assert isinstance(outcome, Uploaded), outcome
    return outcome


def shown(bot: XenforoForum, topic: str) -> list[tuple[int, int]]:
    """How many pictures each post shows, and how many it leads to."""
    pages = [BeautifulSoup(post.html or "", "lxml") for post in bot.read_topic(topic).posts]
    return [(len(page.select("img")), len(page.select("a"))) for page in pages]


def test_a_turn_s_pictures_have_one_key(forum: XenforoStandIn, bot: XenforoForum, topic: str) -> None:
    """Made for a post of that thread, with the first of them; so one post can show them all."""
    first = hand_over(bot, topic)
    second = hand_over(bot, topic, first.handle)
    assert first.handle == second.handle != ""
    assert ["attachment:1", "attachment:2"] == [first.reference, second.reference]
    assert ["POST /api/attachments/new-key", "POST /api/attachments/"] == forum.requests()[-2:]


def test_a_key_is_for_the_thread_of_the_game(forum: XenforoStandIn, bot: XenforoForum) -> None:
    """With that of another one nothing is posted."""
    other = str(forum.state.add_topic("Otro tema", None).id)
    forum.write_post(other, "alice", "hola")
    handle = hand_over(bot, other).handle
    assert isinstance(bot.post_with(other, "[ATTACH=full]1[/ATTACH]", (handle,)), Published)
    assert [(0, 0), (1, 0)] == shown(bot, other)


def test_a_conversation_has_no_pictures(forum: XenforoStandIn, bot: XenforoForum) -> None:
    """Nothing is sent for what isn't a thread."""
    before = forum.requests()
    for outcome in (bot.upload("c5", "map-cm.png", PNG), bot.post_with("c5", "hola", ("x",))):
        assert isinstance(outcome, Refused)
        assert outcome.retry_after is None
    assert before == forum.requests()


def test_only_the_first_post_shows_pictures_and_the_others_lead_to_them(
    bot: XenforoForum, topic: str
) -> None:
    """XenForo shows a post's own files in it, and of others a link."""
    one = hand_over(bot, topic)
    two = hand_over(bot, topic, one.handle)
    maps = [f"[ATTACH=full]{number}[/ATTACH]" for number in (1, 2)]
    assert isinstance(bot.post_with(topic, f"Informe {maps[0]}", (two.handle,)), Published)
    assert isinstance(bot.post(topic, f"Segunda parte {maps[1]}"), Published)
    assert [(0, 0), (1, 0), (0, 1)] == shown(bot, topic)


def test_an_edited_post_keeps_its_pictures(bot: XenforoForum, topic: str) -> None:
    """An edit says nothing of files."""
    made = post_id(bot.post_with(topic, "[ATTACH=full]1[/ATTACH]", (hand_over(bot, topic).handle,)))
    assert Published(made) == bot.edit(made, "Corregido: [ATTACH=full]1[/ATTACH]")
    assert (1, 0) == shown(bot, topic)[-1]


def test_a_key_without_the_right_hands_over_no_picture(forum: XenforoStandIn, topic: str) -> None:
    """For good, and without asking the forum; the report goes all the same."""
    forum.views.scopes = ["thread:read", "thread:write"]
    bot = enter(forum, BOT)
    assert isinstance(bot, XenforoForum)
    bot.open()
    before = forum.requests()
    refused = Refused(msg("forum/key-rights", detail="attachment:write"))
    assert refused == bot.upload(topic, "map-cm.png", PNG)
    assert before == forum.requests()
    assert isinstance(bot.post(topic, "Informe"), Published)


def test_trying_the_forum_out_tells_the_right_that_is_missing(
    forum: XenforoStandIn, tmp_path: Path, topic: str
) -> None:
    """Before the first report, in which maps would be missed."""
    forum.views.scopes = ["thread:read", "thread:write"]
    seats = {"norte": [forum.accounts["alice"], "alice"], "sur": [forum.accounts["bob"], "bob"]}
    told = {"url": forum.url, "software": "xenforo", "topic": topic, "accounts": seats}
    game = load_game(write_folder(tmp_path, director="gamemaster", **told)).game
    lines = list(try_uploading(Line(game, enter(forum, BOT), ES, "13:05:09"), topic))
    assert [False] == [one.good for one in lines]
    assert "A la clave de Turnero le faltan estos permisos: attachment:write" in ES.text(lines[0].said)


def test_a_file_that_the_forum_does_not_want_is_refused_in_its_words(
    forum: XenforoStandIn, bot: XenforoForum, topic: str
) -> None:
    """Too large, of another kind, in a thread that is closed: nothing that waiting could mend."""
    outcomes = [bot.upload(topic, "map-cm.webp", PNG)]
    forum.views.files.most = 10
    outcomes.append(bot.upload(topic, "map-cm.png", PNG))
    forum.close_topic(topic)
    outcomes.append(bot.upload(topic, "map-cm.png", PNG))
    assert [
        Refused("That kind of file is not allowed."),
        Refused("The uploaded file is too large."),
        Refused("You do not have permission to do that."),
    ] == outcomes


def test_a_key_that_is_gone_takes_no_pictures(bot: XenforoForum, topic: str) -> None:
    """The forum says so; those that it has already stay."""
    assert Refused("The requested attachment_key could not be found.") == bot.upload(
        topic, "map-cm.png", PNG, "0" * 32
    )


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda answer: answer.pop("attachment"), Refused(msg("sent/no-picture"))),
        (lambda answer: answer["attachment"].pop("attachment_id"), None),
        (lambda answer: answer.pop("key"), None),
        (lambda answer: answer.update(key=""), None),
    ],
    ids=["no file", "no number", "no key", "an empty key"],
)
def test_a_key_says_whether_it_has_the_file(
    forum: XenforoStandIn, bot: XenforoForum, topic: str, change: Change, expected: Refused | None
) -> None:
    """Without the file the forum didn't take it, as it publishes; another answer says nothing."""
    forum.fail("mutate", "upload", mutate=changed(change))
    outcome = bot.upload(topic, "map-cm.png", PNG)
    assert isinstance(outcome, Unknown) if expected is None else expected == outcome


def test_a_revoked_key_is_no_refusal_of_the_picture(
    forum: XenforoStandIn, bot: XenforoForum, topic: str
) -> None:
    """The next attempt begins with another session."""
    forum.views.revoked = {BOT.password}
    assert Refused(msg("sent/session-over"), 60.0) == bot.upload(topic, "map-cm.png", PNG)
    assert [] == forum.state.pictures
