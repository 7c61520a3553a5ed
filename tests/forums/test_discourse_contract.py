"""What only Discourse does, on its stand-in; what every forum does stands in the other contracts."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest

from parsers.markup.dialect import DISCOURSE as MARKS
from parsers.markup.html import read_html
from processor.forums.api import Request
from processor.forums.discourse import DiscourseForum
from processor.forums.discourse_calls import DiscourseCalls
from processor.forums.http import Answer, Payload
from processor.ports import IncompletePage, LoginFailed, NotATopic
from rules.engine.messages import msg
from rules.play.posts import Published, Queued, Refused, Unknown, Visibility
from tests.support.forum_fixtures import ACCOUNTS, ALICE, BOT, GM, SCENE, TITLE, Adapter, enter
from tests.support.json_answers import Change, changed
from tests.support.standin import DiscourseStandIn

MARKER = "ptd1:alfa:3.1:report:1/1:8f3ac1d2"
TEXT = f"Informe del turno tres, que es largo.\n\n{MARKER}"
ALWAYS = 99


@pytest.fixture(name="forum")
def _forum(discourse_standin: DiscourseStandIn) -> DiscourseStandIn:
    return discourse_standin


@pytest.fixture
def topic(forum: DiscourseStandIn) -> str:
    """A topic of five posts on two pages."""
    found = forum.topics[TITLE]
    for number in range(2, 6):
        forum.write_post(found, ALICE.name, f"mensaje {number}")
    return found


@pytest.fixture
def bot(forum: DiscourseStandIn, topic: str) -> Adapter:
    """Our account, which has read the topic."""
    opened = enter(forum, BOT)
    opened.read_topic(topic)
    return opened


def test_a_text_that_waits_for_a_moderator_is_queued(forum: DiscourseStandIn, topic: str) -> None:
    """The forum answers 200 and names no post: nobody sees it yet, and nothing is found."""
    forum.views.queued.add(BOT.name)
    bot = enter(forum, BOT)
    assert isinstance(bot.post(topic, TEXT), Queued)
    assert isinstance(bot.send_private("alice", "Alfa", TEXT), Queued)
    assert () == bot.find_marker(topic, MARKER)


def test_the_forum_s_limits_are_told_with_their_wait() -> None:
    """A post every five seconds, and no text twice within five minutes; waiting mends only the first."""
    with DiscourseStandIn(ACCOUNTS, **SCENE, rate_limits=True) as forum:
        topic, bot = forum.topics[TITLE], enter(forum, BOT)
        assert isinstance(bot.post(topic, f"{TEXT}1"), Published)
        soon = bot.post(topic, f"{TEXT}2")
        forum.shift_clock(121)
        later = enter(forum, BOT)
        again, short = later.post(topic, f"{TEXT}1"), later.post(topic, "Nada.")
    assert isinstance(soon, Refused)
    assert soon.retry_after == 5
    assert again == Refused("Body is too similar to what you recently posted")
    assert short == Refused("Body is too short (minimum is 20 characters)")


def test_three_posts_in_a_row_are_all_that_a_guest_of_the_topic_may_send() -> None:
    """The fourth is refused in the forum's words, until somebody else has posted."""
    with DiscourseStandIn(ACCOUNTS, **SCENE, rate_limits=True) as forum:
        topic, bot = forum.topics[TITLE], enter(forum, BOT)
        sent = []
        for number in range(4):
            forum.shift_clock(10)
            sent.append(bot.post(topic, f"{TEXT}{number}"))
        forum.write_post(topic, ALICE.name, "gracias")
        forum.shift_clock(10)
        last = bot.post(topic, f"{TEXT}4")
    assert [Published] * 3 == [type(one) for one in sent[:3]]
    assert sent[3] == Refused("No more than 3 consecutive replies are allowed.")
    assert isinstance(last, Published)


def test_the_same_request_again_is_answered_with_the_same_post(
    forum: DiscourseStandIn, bot: Adapter, topic: str
) -> None:
    """Whoever lost the answer and asks again within two minutes makes no second post."""
    forum.fail("store-then-drop", "publish")
    assert isinstance(bot.post(topic, TEXT), Unknown)
    again = bot.post(topic, TEXT)
    (found,) = bot.find_marker(topic, MARKER)
    assert again == Published(found.post_id, topic)


def test_an_edit_soon_after_the_post_shows_by_its_text_only(forum: DiscourseStandIn, topic: str) -> None:
    """Discourse counts no version within five minutes; a later edit has its number and its time."""
    forum.views.count_soon = False
    made = forum.write_post(topic, ALICE.name, "uno")
    bot = enter(forum, BOT)
    forum.edit_post(made, "dos")
    soon = bot.read_topic(topic).posts[-1]
    forum.shift_clock(301)
    forum.edit_post(made, "tres")
    late = bot.read_topic(topic).posts[-1]
    assert ("dos", 0, None) == (soon.raw, soon.edits, soon.edited_at)
    assert ("tres", 2) == (late.raw, late.edits)
    assert late.edited_at is not None
    assert timedelta(seconds=299) < late.edited_at - late.created_at


def test_a_wrong_key_is_no_guest(forum: DiscourseStandIn) -> None:
    """Whoever brings a key that isn't any is refused, and so is a key for another account."""
    other = type(ALICE)(GM.name, ALICE.password)
    with pytest.raises(LoginFailed, match="forum/key-refused"):
        enter(forum, other).open()


def test_a_name_may_have_any_letters() -> None:
    """It goes into a header with each request."""
    account = type(BOT)("Łukasz_ñ", "clave")
    with DiscourseStandIn((BOT, account)) as forum:
        assert forum.accounts[account.name] == enter(forum, account).open()


def test_a_key_that_is_withdrawn_is_told(forum: DiscourseStandIn, bot: Adapter, topic: str) -> None:
    """Afterwards each request is forbidden: reading raises, a post is refused for good."""
    forum.state.by_name(BOT.name).password = "another"
    with pytest.raises(NotATopic, match="forum/forbidden"):
        bot.read_topic(topic)
    assert bot.post(topic, TEXT) == Refused("You are not permitted to view the requested resource.")


@pytest.mark.parametrize(
    ("what", "change"),
    [
        ("a post is missing", lambda told: told["post_stream"]["posts"].pop()),
        ("posts are swapped", lambda told: told["post_stream"]["posts"].reverse()),
        ("no posts at all", lambda told: told["post_stream"].update(posts=[])),
        ("no list of ids", lambda told: told["post_stream"].pop("stream")),
        ("an id twice", lambda told: told["post_stream"]["stream"].append(1)),
        ("another list", lambda told: told["post_stream"].update(stream=[1, 99, 3])),
        ("no name", lambda told: told["post_stream"]["posts"][0].pop("username")),
        (
            "a time without zone",
            lambda told: told["post_stream"]["posts"][0].update(created_at="2026-11-30T20:00:00"),
        ),
        ("a number as text", lambda told: told["post_stream"]["posts"][0].update(version="x")),
        ("no title", lambda told: told.pop("title")),
    ],
)
def test_an_answer_of_another_shape_is_refused_whole(
    forum: DiscourseStandIn,
    bot: Adapter,
    topic: str,
    what: str,
    change: Change,
) -> None:
    """Whatever isn't as declared makes the whole page unread, never a page with fewer posts (F16, F17)."""
    del what
    forum.fail("mutate", "topic", times=ALWAYS, mutate=changed(change))
    with pytest.raises(IncompletePage):
        bot.read_topic(topic)


def test_another_topic_s_answer_is_refused(forum: DiscourseStandIn, bot: Adapter, topic: str) -> None:
    """An answer that belongs to another topic isn't taken for this one's."""
    forum.fail("mutate", "topic", times=ALWAYS, mutate=changed(lambda told: told.update(id=77)))
    with pytest.raises(NotATopic, match="forum/other-topic"):
        bot.read_topic(topic)


def test_a_topic_that_is_too_long_is_said_to_be(forum: DiscourseStandIn, bot: Adapter, topic: str) -> None:
    """From 10,000 posts on the forum doesn't tell which there are, so nothing proves that all were read."""
    long = changed(
        lambda told: (told["post_stream"].pop("stream"), told["post_stream"].update(isMegaTopic=True))
    )
    forum.fail("mutate", "topic", times=ALWAYS, mutate=long)
    with pytest.raises(IncompletePage, match="forum/too-long"):
        bot.read_topic(topic)


def test_what_the_forum_writes_itself_is_no_post(forum: DiscourseStandIn, bot: Adapter, topic: str) -> None:
    """That it was closed stands in the topic and is nobody's order; whispers among the team neither."""
    forum.add_notice(topic, GM.name)
    last = bot.read_topic(topic).posts[-1]
    assert (Visibility.NOTICE, None, None) == (last.visibility, last.html, last.raw)


def test_a_group_that_reads_along_is_one_too_many(forum: DiscourseStandIn, bot: Adapter) -> None:
    """Secrets go nowhere where somebody else could read them, so a group counts as a participant."""
    sent = bot.send_private("alice", "Alfa: Tau", TEXT)
    assert isinstance(sent, Published)
    assert sent.topic is not None
    forum.views.groups[int(sent.topic)] = ("staff",)
    (reading,) = bot.read_private()
    known = forum.accounts
    assert (known["alice"], known["turnero"], "group staff") == reading.participants


def test_a_title_that_the_forum_tidies_is_known_again(forum: DiscourseStandIn, bot: Adapter) -> None:
    """Discourse makes the first letter a capital and takes the last stop away."""
    sent = bot.send_private("alice", "alfa: Tau.", TEXT)
    (found,) = bot.find_private("alfa: Tau.", MARKER)
    assert sent == Published(found.post_id, found.topic)
    assert () == bot.find_private("beta: Tau", MARKER)


def test_a_player_s_answer_moves_the_conversation_to_the_inbox(forum: DiscourseStandIn, bot: Adapter) -> None:
    """Conversations in which only we have written stand in another list: both are read, none twice."""
    first, second = (bot.send_private("alice", title, TEXT) for title in ("Alfa: Tau", "Alfa: Sigma"))
    assert isinstance(first, Published)
    assert isinstance(second, Published)
    enter(forum, ALICE).post(first.topic or "", "[órdenes]\nproducir\n[/órdenes]")
    assert {first.topic, second.topic} == {one.topic for one in bot.read_private()}
    assert 2 == len(bot.read_private())


def test_a_quote_is_no_order(forum: DiscourseStandIn, bot: Adapter, topic: str) -> None:
    """Discourse's own quotes are known in the rendered post."""
    text = '[quote="bob, post:3, topic:1"]\nmover E3\n[/quote]\n\nmover E4'
    forum.write_post(topic, ALICE.name, text)
    html = bot.read_topic(topic).posts[-1].html or ""
    assert ["mover E4"] == [line.text for line in read_html(html, MARKS).lines]


def test_an_account_that_may_not_write_in_private_is_told(forum: DiscourseStandIn, bot: Adapter) -> None:
    """New accounts may not; who tries the forum out learns it before the game needs it."""
    bot.probe_private()
    forum.views.mute.add(BOT.name)
    with pytest.raises(NotATopic, match="forum/forbidden"):
        bot.probe_private()


@pytest.mark.parametrize(
    "change",
    [
        lambda told: told.update(topic_id=77),
        lambda told: told.update(user_id=2),
        lambda told: told.pop("id"),
        lambda told: told.pop("user_id"),
    ],
    ids=["another topic", "another author", "no id", "no author"],
)
def test_a_success_that_names_another_post_is_unknown(
    forum: DiscourseStandIn, bot: Adapter, topic: str, change: Change
) -> None:
    """Settled by reading back, and found there."""
    forum.fail("mutate", "publish", mutate=changed(change))
    assert isinstance(bot.post(topic, TEXT), Unknown)
    assert 1 == len(bot.find_marker(topic, MARKER))


@pytest.mark.parametrize(
    "change",
    [
        lambda post: post.update(user_deleted=True),
        lambda post: post.update(deleted_at="2026-11-30T20:00:00.000Z"),
        lambda post: post.update(hidden=True),
        lambda post: post.update(post_type=4),
    ],
    ids=["by its author", "by a moderator", "hidden", "a whisper"],
)
def test_what_is_taken_away_says_nothing(
    forum: DiscourseStandIn, bot: Adapter, topic: str, change: Change
) -> None:
    """Discourse shows some of it to some accounts, with its text: nobody's order all the same."""
    forum.fail("mutate", "topic", mutate=changed(lambda told: change(told["post_stream"]["posts"][1])))
    post = bot.read_topic(topic, 1, "1").posts[1]
    assert post.visibility is not Visibility.VISIBLE
    assert (None, None) == (post.html, post.raw)


def test_an_account_that_is_gone_is_nobody(forum: DiscourseStandIn, bot: Adapter, topic: str) -> None:
    """A post without an account is nobody's order."""

    def orphan(told: dict[str, dict[str, list[dict[str, object]]]]) -> None:
        told["post_stream"]["posts"][1].update(user_id=None)

    forum.fail("mutate", "topic", mutate=changed(orphan))
    assert [None] == [post.author_id for post in bot.read_topic(topic, 1, "1").posts[1:2]]


def test_an_inbox_that_grows_by_a_page_is_read_whole(forum: DiscourseStandIn, bot: Adapter) -> None:
    """Where it ended last time is no measure: what players write is on any of its pages."""
    sent = [bot.send_private("alice", f"Alfa: {number}", TEXT) for number in range(4)]
    assert 4 == len(bot.read_private())
    alice = enter(forum, ALICE)
    for number, one in enumerate(sent):
        assert isinstance(one, Published)
        assert isinstance(alice.post(one.topic or "", f"[órdenes]\nmover E{number}\n[/órdenes]"), Published)
    assert [2] * 4 == [len(reading.posts) for reading in bot.read_private()]


def test_a_topic_that_leads_elsewhere_is_not_missing(
    forum: DiscourseStandIn, bot: Adapter, topic: str
) -> None:
    """A way to the login form doesn't say that the topic is gone."""
    forum.fail("login-redirect", "topic", times=ALWAYS)
    with pytest.raises(NotATopic, match="forum/elsewhere"):
        bot.read_topic(topic)


def test_nobody_else_s_post_is_asked_to_be_edited(forum: DiscourseStandIn, bot: Adapter, topic: str) -> None:
    """The forum says who may; nothing is sent."""
    assert isinstance(bot.edit("2", TEXT), Refused)
    assert [] == [one for one in forum.requests() if one.startswith("PUT")]


def test_one_post_is_read_as_what_it_is(forum: DiscourseStandIn, bot: Adapter, topic: str) -> None:
    """A private one as private, and one that stands in another topic by now not at all."""
    sent = bot.send_private("alice", "Alfa: Tau", TEXT)
    assert isinstance(sent, Published)
    assert sent.topic is not None
    bot.read_topic(sent.topic)
    private, public = bot.read_post(sent.topic, sent.post_id, 1), bot.read_post(topic, "2", 2)
    assert private is not None
    assert public is not None
    assert (True, False) == (private.private, public.private)
    assert bot.read_post(sent.topic, "2", 2) is None


def test_an_edit_of_another_post_is_unknown(forum: DiscourseStandIn, bot: Adapter, topic: str) -> None:
    """The id in the answer has to be that of the post."""
    made = bot.post(topic, TEXT)
    assert isinstance(made, Published)
    forum.fail("mutate", "edit", mutate=changed(lambda told: told["post"].update(id=77)))
    assert isinstance(bot.edit(made.post_id, f"Otra cosa\n\n{MARKER}"), Unknown)


def test_a_limit_of_our_address_is_told_in_plain_text(
    forum: DiscourseStandIn, bot: Adapter, topic: str
) -> None:
    """Before Discourse itself is asked: no JSON, only a header that says how long."""
    bot.open()
    forum.fail("limited", "publish", retry_after="7")
    assert Refused(msg("sent/too-many"), 7.0) == bot.post(topic, TEXT)


def test_the_wait_is_known_without_the_header(discourse_standin: DiscourseStandIn) -> None:
    """Where a proxy takes `Retry-After` away the answer itself still says how long."""
    bot = enter(discourse_standin, BOT)
    assert isinstance(bot, DiscourseForum)
    told = {"errors": ["Too often."], "error_type": "rate_limit", "extras": {"wait_seconds": 17}}
    answer = Answer(429, "", json.dumps(told).encode(), "application/json", None, None)
    request = Request("POST", "posts.json", Payload())
    assert ("Too often.", 17) == DiscourseCalls(bot._session, bot._pages).explain(request, answer)  # type: ignore[arg-type]
