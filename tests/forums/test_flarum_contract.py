"""What only Flarum does, on its stand-in; what every forum does stands in the other contracts."""

from __future__ import annotations

from typing import Any

import pytest

from processor.ports import IncompletePage, LoginFailed, NotATopic
from rules.engine.messages import msg
from rules.play.posts import Published, Queued, Refused, Unknown, Visibility
from tests.support.forum_fixtures import ACCOUNTS, ALICE, BOB, BOT, GM, SCENE, TITLE, Adapter, enter
from tests.support.json_answers import Change, changed
from tests.support.standin import FlarumStandIn

MARKER = "ptd1:alfa:3.1:report:1/1:8f3ac1d2"
TEXT = f"Informe\n\n{MARKER}"
ALWAYS = 99


@pytest.fixture(name="forum")
def _forum(flarum_standin: FlarumStandIn) -> FlarumStandIn:
    return flarum_standin


@pytest.fixture
def topic(forum: FlarumStandIn) -> str:
    """A topic of five posts on two pages."""
    found = forum.topics[TITLE]
    for number in range(2, 6):
        forum.write_post(found, ALICE.name, f"mensaje {number}")
    return found


@pytest.fixture
def bot(forum: FlarumStandIn, topic: str) -> Adapter:
    """Our account, which has read the topic."""
    opened = enter(forum, BOT)
    opened.read_topic(topic)
    return opened


def test_a_post_that_waits_for_approval_is_queued(forum: FlarumStandIn, topic: str) -> None:
    """The forum names the post and says that it isn't approved: nobody else sees it yet."""
    forum.views.queued.add(BOT.name)
    bot = enter(forum, BOT)
    assert isinstance(bot.post(topic, TEXT), Queued)
    ours = bot.read_topic(topic).posts[-1]
    assert (Visibility.UNAPPROVED, None, None) == (ours.visibility, ours.html, ours.raw)
    assert 5 == len(enter(forum, BOB).read_topic(topic).posts)
    assert () == bot.find_marker(topic, MARKER)


def test_the_flood_limit_has_a_known_wait() -> None:
    """One post in ten seconds; the forum names no time, so the known one is waited."""
    with FlarumStandIn(ACCOUNTS, **SCENE, rate_limits=True) as forum:
        topic, bot = forum.topics[TITLE], enter(forum, BOT, min_interval=10.0, sleep=lambda _: None)
        assert isinstance(bot.post(topic, TEXT), Published)
        refused = bot.post(topic, f"{TEXT}2")
    assert isinstance(refused, Refused)
    assert refused.retry_after == 10.0


def test_the_same_text_again_is_a_second_post(forum: FlarumStandIn, bot: Adapter, topic: str) -> None:
    """Nothing but reading back keeps Flarum from that, and both are found."""
    both = [bot.post(topic, TEXT), bot.post(topic, TEXT)]
    assert both == [Published(one.post_id, topic) for one in bot.find_marker(topic, MARKER)]
    assert 7 == len(forum.posts())


def test_a_token_that_has_run_out_is_renewed_once(forum: FlarumStandIn, bot: Adapter, topic: str) -> None:
    """The forum tells it by 401; one login more and the reading goes on."""
    forum.end_sessions()
    assert 5 == bot.read_topic(topic).last
    assert 2 == len([one for one in forum.requests() if one == "POST /api/token"])


def test_a_password_that_no_longer_holds_is_told(forum: FlarumStandIn, bot: Adapter, topic: str) -> None:
    """Where a new login is refused, too, it is the account that is wrong, not the topic."""
    forum.end_sessions()
    forum.state.by_name(BOT.name).password = "another"
    with pytest.raises(LoginFailed, match="forum/login-refused"):
        bot.read_topic(topic)


def test_a_guest_s_answer_is_no_login(forum: FlarumStandIn) -> None:
    """A forum that takes our token for nobody's lets us read as a guest: that is refused."""
    nobody = changed(lambda told: told["data"]["relationships"]["actor"].update(data=None))
    forum.fail("mutate", "preferences", times=ALWAYS, mutate=nobody)
    with pytest.raises(LoginFailed, match="forum/login"):
        enter(forum, BOT).open()


def test_others_texts_are_read_as_they_are_shown(forum: FlarumStandIn, topic: str) -> None:
    """Only who may edit a post is given it as typed: its author, and moderators."""
    written = forum.write_post(topic, ALICE.name, "**mover** E3")
    seen = {one.name: enter(forum, one).read_topic(topic).posts[-1] for one in (ALICE, BOT, GM)}
    assert {"<p><strong>mover</strong> E3</p>"} == {post.html for post in seen.values()}
    assert ("**mover** E3", None, "**mover** E3") == tuple(
        seen[one].raw for one in ("alice", "turnero", "gamemaster")
    )
    assert enter(forum, BOT).raw_text(written, topic) is None


def test_an_edit_shows_when(forum: FlarumStandIn, topic: str) -> None:
    """Not how often, but when it was the last time."""
    written = forum.write_post(topic, ALICE.name, "uno")
    forum.shift_clock(60)
    forum.edit_post(written, "dos")
    forum.edit_post(written, "tres")
    post = enter(forum, BOT).read_topic(topic).posts[-1]
    assert post.edited_at is not None
    assert (1, True) == (post.edits, 59 <= (post.edited_at - post.created_at).total_seconds() <= 61)


def test_a_hidden_post_is_gone_for_members_and_empty_for_moderators(
    forum: FlarumStandIn, bot: Adapter, topic: str
) -> None:
    """Those behind it move up, which a reader who goes on from a known post notices."""
    forum.remove_post("2")
    assert ["1", "3", "4", "5"] == [post.id for post in bot.read_topic(topic).posts]
    with pytest.raises(IncompletePage, match="forum/shifted"):
        bot.read_topic(topic, 5, "5")
    hidden = enter(forum, GM).read_topic(topic).posts[1]
    assert (Visibility.REMOVED, None, None) == (hidden.visibility, hidden.html, hidden.raw)


def test_an_account_that_is_gone_is_nobody(forum: FlarumStandIn, bot: Adapter, topic: str) -> None:
    """A deleted account leaves posts without an author, which are nobody's orders."""

    def orphan(told: dict[str, Any]) -> None:
        for one in told["included"]:
            if one["type"] == "posts":
                one["relationships"]["user"] = {"data": None}

    forum.fail("mutate", "topic", times=ALWAYS, mutate=changed(orphan))
    assert {(None, "")} == {(post.author_id, post.author) for post in bot.read_topic(topic).posts}


def test_what_the_forum_writes_itself_is_no_post(forum: FlarumStandIn, bot: Adapter, topic: str) -> None:
    """That it was locked stands among the posts and is nobody's order."""
    forum.add_notice(topic, GM.name)
    last = bot.read_topic(topic).posts[-1]
    assert (Visibility.NOTICE, None, None) == (last.visibility, last.html, last.raw)


def test_private_messages_are_refused_without_asking(forum: FlarumStandIn, bot: Adapter) -> None:
    """Flarum has none: nothing is sent, least of all in public."""
    before = len(forum.requests())
    assert bot.send_private("alice", "Alfa", TEXT) == Refused(msg("sent/no-private"))
    assert before == len(forum.requests())


def test_a_post_s_address_holds_its_number(forum: FlarumStandIn, topic: str) -> None:
    """Also where only its id is known; what isn't there leads to the forum."""
    bot = enter(forum, BOT)
    assert f"{forum.url}/d/{topic}/5" == bot.post_url("5")
    assert f"{forum.url}/" == bot.post_url("999")


@pytest.mark.parametrize(
    "change",
    [
        lambda told: told["included"].clear(),
        lambda told: told["data"]["relationships"].pop("posts"),
        lambda told: told["data"]["relationships"]["posts"]["data"].append({"type": "posts", "id": "1"}),
        lambda told: told["included"][0]["attributes"].pop("createdAt"),
        lambda told: told["included"][0]["relationships"].pop("discussion"),
        lambda told: told["included"][-1]["attributes"].pop("displayName"),
        lambda told: told["data"]["attributes"].pop("title"),
    ],
    ids=["no posts", "no list", "an id twice", "no time", "no discussion", "no name", "no title"],
)
def test_an_answer_of_another_shape_is_refused_whole(
    forum: FlarumStandIn, bot: Adapter, topic: str, change: Change
) -> None:
    """Whatever isn't as declared makes the whole page unread, never a page with fewer posts (F16, F17)."""
    forum.fail("mutate", "topic", times=ALWAYS, mutate=changed(change))
    with pytest.raises(IncompletePage):
        bot.read_topic(topic)


def test_a_post_that_is_missing_among_those_that_came_is_noticed(
    forum: FlarumStandIn, bot: Adapter, topic: str
) -> None:
    """The list has it and the page doesn't."""

    def drop(told: dict[str, Any]) -> None:
        told["included"] = [one for one in told["included"] if one["id"] != "2" or one["type"] != "posts"]

    forum.fail("mutate", "topic", times=ALWAYS, mutate=changed(drop))
    with pytest.raises(IncompletePage):
        bot.read_topic(topic)


def test_another_discussion_s_answer_is_refused(forum: FlarumStandIn, bot: Adapter, topic: str) -> None:
    """An answer that belongs to another discussion isn't taken for this one's."""
    forum.fail("mutate", "topic", times=ALWAYS, mutate=changed(lambda told: told["data"].update(id="77")))
    with pytest.raises(NotATopic, match="forum/other-topic"):
        bot.read_topic(topic)


def test_fewer_posts_at_a_time_are_still_all(topic: str) -> None:
    """An extension may change how many posts come at once: the adapter learns it, and reads all."""
    del topic
    for size in (1, 2, 4, 7):
        with FlarumStandIn(ACCOUNTS, **{**SCENE, "comments_per_page": size}) as forum:
            found = forum.topics[TITLE]
            for number in range(2, 10):
                forum.write_post(found, ALICE.name, f"mensaje {number}")
            bot = enter(forum, BOT)
            assert list(range(1, 10)) == [post.number for post in bot.read_topic(found).posts]
            assert [9] == [post.number for post in bot.read_topic(found, 9).posts]
            assert [9] == [post.number for post in enter(forum, ALICE).read_topic(found, 9).posts]


@pytest.mark.parametrize(
    "change",
    [
        lambda told: told["data"]["relationships"]["discussion"]["data"].update(id="77"),
        lambda told: told["data"]["relationships"]["user"]["data"].update(id="2"),
        lambda told: told["data"]["relationships"].pop("user"),
        lambda told: told["data"].pop("id"),
    ],
    ids=["another discussion", "another author", "no author", "no id"],
)
def test_a_success_that_names_another_post_is_unknown(
    forum: FlarumStandIn, bot: Adapter, topic: str, change: Change
) -> None:
    """Settled by reading back, and found there."""
    forum.fail("mutate", "publish", mutate=changed(change))
    assert isinstance(bot.post(topic, TEXT), Unknown)
    assert 1 == len(bot.find_marker(topic, MARKER))


def test_a_post_that_was_moved_is_not_looked_for(forum: FlarumStandIn, bot: Adapter, topic: str) -> None:
    """It stands in another discussion by now: nothing is said of this one."""
    assert bot.read_post("99", "2", 2) is None
    assert bot.read_post(topic, "2", 2) is not None


def test_an_edit_of_another_post_is_unknown(forum: FlarumStandIn, bot: Adapter, topic: str) -> None:
    """The id in the answer has to be that of the post."""
    made = bot.post(topic, TEXT)
    assert isinstance(made, Published)
    forum.fail("mutate", "edit", mutate=changed(lambda told: told["data"].update(id="77")))
    assert isinstance(bot.edit(made.post_id, f"Otra cosa\n\n{MARKER}"), Unknown)
