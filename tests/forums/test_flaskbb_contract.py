"""What only FlaskBB does: over its stand-in, and over the real forum with `--forums` (forums.md 3 and 5)."""

from __future__ import annotations

import pytest

from processor.forums.flaskbb import FlaskbbForum
from processor.forums.trouble import ForeignAddress
from processor.ports import IncompletePage, LoginFailed, NotATopic, Unreachable
from rules.engine.messages import msg
from rules.play.posts import Precision, Published, Refused, Unknown
from tests.support.forum_fixtures import ACCOUNTS, ALICE, BOB, BOT, GM, SCENE, TITLE, enter
from tests.support.forum_scene import MARKER, Scene, post_id
from tests.support.standin import FlaskbbStandIn


@pytest.fixture
def scene(request: pytest.FixtureRequest, flaskbb_name: str) -> Scene:
    """The same small forum, played by the stand-in and, where it runs, real."""
    return Scene(request.getfixturevalue(flaskbb_name))


def test_the_same_text_again_is_a_second_post(scene: Scene) -> None:
    """FlaskBB takes an identical reply again, so only reading back keeps a report from standing twice."""
    bot = scene.connect(BOT)
    ids = [post_id(bot.post(scene.topic, f"Informe\n\n{MARKER}")) for _ in range(2)]
    assert ids == [found.post_id for found in bot.find_marker(scene.topic, MARKER)]


def test_times_are_exact_to_the_second(scene: Scene) -> None:
    """The second in which somebody posted is known, so no deadline's minute is in doubt."""
    scene.fill(2)
    reading = scene.connect(BOT).read_topic(scene.topic)
    assert {Precision.SECOND} == {post.precision for post in reading.posts}
    assert 0 <= (reading.server_time - reading.posts[-1].created_at).total_seconds() < 60


def test_an_edit_shows_when(scene: Scene) -> None:
    """An edited post tells when, and keeps the time at which it was written."""
    alice = scene.connect(ALICE)
    written = post_id(alice.post(scene.topic, "mover E3"))
    alice.edit(written, "mover E4")
    post = alice.read_topic(scene.topic).posts[-1]
    assert post.edited_at is not None
    assert post.created_at <= post.edited_at <= alice.server_time()


def test_a_hidden_post_is_gone_for_members_and_empty_for_moderators(scene: Scene) -> None:
    """What a moderator hid is nobody's order: members don't see that it was there, moderators see no text."""
    ids = scene.fill(3)
    scene.server.remove_post(ids[0])
    member, moderator = (scene.connect(one).read_topic(scene.topic).posts for one in (BOT, GM))
    assert [ids[1]] == [post.id for post in member[1:]]
    assert [(ids[0], None), (ids[1], "<p>mensaje 3</p>")] == [(post.id, post.html) for post in moderator[1:]]


def test_the_word_behind_a_fence_comes_with_the_raw_text(scene: Scene) -> None:
    """FlaskBB's page loses it, `/raw` keeps it."""
    alice, text = scene.connect(ALICE), "```órdenes turno 3\nmover\n```"
    written = post_id(alice.post(scene.topic, text))
    assert "turno" not in (alice.read_topic(scene.topic).posts[-1].html or "")
    assert text == alice.raw_text(written, scene.topic)


def test_a_closed_topic_is_refused_with_the_forum_s_words(scene: Scene) -> None:
    """FlaskBB leads back to the topic and says why: certainly not stored, which no waiting mends."""
    alice = scene.connect(ALICE)
    assert isinstance(alice, FlaskbbForum)
    alice.read_topic(scene.topic)
    answered = alice._session.http.post

    def closing(path: str, data: dict[str, str], referer: str) -> object:
        scene.server.close_topic(scene.topic)
        return answered(path, data, referer)

    alice._session.http.post = closing  # type: ignore[assignment, method-assign]
    assert Refused("You are not allowed to post a reply") == alice.post(scene.topic, "tarde")
    assert 1 == len(scene.server.posts())


def test_each_participant_has_own_ids(scene: Scene) -> None:
    """Sender and recipient hold copies of a conversation: each reads and answers in the own one."""
    bot, alice = scene.connect(BOT), scene.connect(ALICE)
    sent = bot.send_private("alice", "Alfa", "uno")
    assert isinstance(sent, Published)
    (theirs,) = alice.read_private()
    assert theirs.topic != sent.topic
    answer = post_id(alice.post(theirs.topic, "dos"))
    assert answer.startswith(f"{theirs.topic}m")
    (mine,) = bot.read_private()
    assert [(sent.post_id, "uno"), (mine.posts[1].id, "dos")] == [
        (post.id, bot.raw_text(post.id, mine.topic)) for post in mine.posts
    ]


def test_the_same_title_again_is_another_conversation(scene: Scene) -> None:
    """Where FlaskBB doesn't say which conversation it made, the new one is told from the older."""
    bot = scene.connect(BOT)
    sent = [bot.send_private("alice", "título", text) for text in ("uno", "uno", "dos")]
    topics = [one.topic for one in sent if isinstance(one, Published)]
    assert 3 == len(set(topics))


def test_others_read_no_conversation(scene: Scene) -> None:
    """A number that belongs to somebody else's copy is missing."""
    sent = scene.connect(BOT).send_private("alice", "título", "uno")
    assert isinstance(sent, Published)
    assert sent.topic is not None
    refused = scene.connect(BOB).post(sent.topic, "hola")
    assert isinstance(refused, Refused)
    assert refused.retry_after is None


# What the stand-in alone can do.


def test_a_signature_is_no_part_of_the_post(flaskbb_standin: FlaskbbStandIn) -> None:
    """FlaskBB writes it into the body; a new signature doesn't make old posts look edited."""
    bot, topic = enter(flaskbb_standin, BOT), flaskbb_standin.topics[TITLE]
    bot.post(topic, f"Informe\n\n{MARKER}")
    before = bot.read_topic(topic).posts
    flaskbb_standin.views.signatures = {"turnero": "<p>[órdenes]<br />atacar<br />[/órdenes]</p>"}
    assert before == bot.read_topic(topic).posts
    assert 1 == len(bot.find_marker(topic, MARKER))


def test_the_login_limit_counts_forms_and_names_no_wait() -> None:
    """Twenty requests in a quarter of an hour, forms included; the 429 is believed at once."""
    with FlaskbbStandIn(ACCOUNTS, **SCENE, rate_limits=True) as forum:
        for _ in range(10):
            enter(forum, ALICE).open()
        before = len(forum.requests())
        with pytest.raises(LoginFailed, match="forum/login-limit") as refusal:
            enter(forum, BOB).open()
        assert 900 == refusal.value.retry_after
        assert ["GET /user/settings/general", "GET /auth/login"] == forum.requests()[before:]


def test_a_full_message_box_is_refused_in_the_forum_s_words(flaskbb_standin: FlaskbbStandIn) -> None:
    """The quota is told, and an answer in a conversation is refused as a new one is."""
    bot = enter(flaskbb_standin, BOT)
    sent = bot.send_private("alice", "título", "uno")
    assert isinstance(sent, Published)
    assert sent.topic is not None
    flaskbb_standin.views.quota = 1
    full = Refused("You cannot send any messages anymore because you have reached your message limit.")
    assert [full, full] == [bot.send_private("alice", "otro", "dos"), bot.post(sent.topic, "dos")]


@pytest.mark.parametrize(
    ("kind", "stored"),
    [
        ("drop-before-store", 0),
        ("error-before", 0),
        ("login-redirect", 0),
        ("maintenance", 0),
        ("store-then-drop", 1),
        ("error-after", 1),
    ],
)
@pytest.mark.parametrize("where", ["publish", "private", "answer"])
def test_an_unclear_answer_is_unknown_and_nothing_is_sent_twice(
    flaskbb_standin: FlaskbbStandIn, kind: str, stored: int, where: str
) -> None:
    """Posts, new conversations and answers alike: what can't be told is settled by reading back (F10-F13)."""
    bot, topic = enter(flaskbb_standin, BOT), flaskbb_standin.topics[TITLE]
    sent = bot.send_private("alice", "título", "antes")
    assert isinstance(sent, Published)
    flaskbb_standin.fail(kind, where)
    text = f"Informe\n\n{MARKER}"
    match where:
        case "publish":
            outcome = bot.post(topic, text)
        case "private":
            outcome = bot.send_private("alice", "título", text)
        case _:
            outcome = bot.post(sent.topic or "", text)
    assert isinstance(outcome, Unknown), outcome
    assert stored == len([post for post in flaskbb_standin.posts() if post["text"] == text])
    found = bot.find_marker(topic, MARKER) if where == "publish" else bot.find_private("título", MARKER)
    assert stored == len(found)


@pytest.mark.parametrize(
    "kind", ["maintenance", "login-page", "truncate", "short", "error-before", "limited"]
)
def test_another_page_is_never_an_empty_topic(flaskbb_standin: FlaskbbStandIn, kind: str) -> None:
    """Maintenance, a cut page, an error: a named refusal, never fewer posts (F8, F9, F14, F15)."""
    bot, topic = enter(flaskbb_standin, BOT), flaskbb_standin.topics[TITLE]
    bot.open()
    flaskbb_standin.fail(kind, "topic", times=99, at=900)
    with pytest.raises((IncompletePage, Unreachable, LoginFailed, NotATopic)):
        bot.read_topic(topic)


def test_a_cut_at_any_place_is_noticed(flaskbb_standin: FlaskbbStandIn) -> None:
    """A topic page that ends early is refused wherever it ends (F15)."""
    topic = flaskbb_standin.topics[TITLE]
    bot = enter(flaskbb_standin, BOT)
    assert isinstance(bot, FlaskbbForum)
    whole = len(bot._session.http.get(f"topic/{topic}").body)
    for at in range(0, whole, 150):
        flaskbb_standin.fail("truncate", "topic", times=2, at=at)
        with pytest.raises((IncompletePage, NotATopic)):
            bot.read_topic(topic)


def test_a_stale_page_is_noticed(flaskbb_standin: FlaskbbStandIn) -> None:
    """A cached page without the newest known post proves itself old (F18)."""
    topic = flaskbb_standin.topics[TITLE]
    flaskbb_standin.write_post(topic, "alice", "dos")
    bot = enter(flaskbb_standin, BOT)
    newest = bot.read_topic(topic).posts[-1]
    flaskbb_standin.fail("stale", "topic", times=9, at=1)
    with pytest.raises(IncompletePage, match="forum/shifted"):
        bot.read_topic(topic, 2, newest.id)


def test_a_token_that_is_too_old_is_no_end(flaskbb_standin: FlaskbbStandIn) -> None:
    """FlaskBB answers 400: nothing was stored, and the next attempt takes a new form (F13)."""
    bot, topic = enter(flaskbb_standin, BOT), flaskbb_standin.topics[TITLE]
    bot.open()
    flaskbb_standin.fail("mutate", "topic", mutate=lambda page: page.replace(b'value="', b'value="old'))
    refused = bot.post(topic, "uno")
    assert Refused(msg("sent/stale-form", status=400), 60.0) == refused
    assert isinstance(bot.post(topic, "uno"), Published)


def test_a_game_goes_nowhere_else(flaskbb_standin: FlaskbbStandIn) -> None:
    """A redirect to another host is never followed, with a session least of all (F41)."""
    with FlaskbbStandIn(ACCOUNTS) as other:
        bot = enter(flaskbb_standin, BOT)
        bot.open()
        flaskbb_standin.fail("redirect", "topic", times=9, text=f"{other.url}/topic/1")
        with pytest.raises(ForeignAddress):
            bot.read_topic(flaskbb_standin.topics[TITLE])
        assert [] == other.requests()


def test_two_own_answers_in_a_row_are_told_apart(scene: Scene) -> None:
    """The new message is the one behind the newest that was there, ours or not."""
    bot = scene.connect(BOT)
    sent = bot.send_private("alice", "título", "uno")
    assert isinstance(sent, Published)
    answers = [post_id(bot.post(sent.topic or "", text)) for text in ("dos", "dos", "tres")]
    assert ["dos", "dos", "tres"] == [bot.raw_text(one, sent.topic or "") for one in answers]
    assert 3 == len({sent.post_id, *answers}) - 1


def test_an_older_conversation_is_not_taken_for_the_new_one(flaskbb_standin: FlaskbbStandIn) -> None:
    """The forum says that it sent, and lists it later: one with the same title and text isn't the new one."""
    bot = enter(flaskbb_standin, BOT)
    assert isinstance(bot.send_private("alice", "título", "uno"), Published)
    flaskbb_standin.fail("late", "private", visible_after=60.0)
    outcome = bot.send_private("alice", "título", "uno")
    assert Unknown(msg("sent/several", count=0, title="título")) == outcome


def test_an_edit_is_sent_only_with_the_form_for_edits(flaskbb_standin: FlaskbbStandIn) -> None:
    """A form for replies that stands in its place would make a new post of a correction."""
    bot, topic = enter(flaskbb_standin, BOT), flaskbb_standin.topics[TITLE]
    written = post_id(bot.post(topic, "uno"))
    flaskbb_standin.fail("mutate", "form", mutate=lambda page: page.replace(b"track_topic", b"subscribe"))
    assert isinstance(bot.edit(written, "dos"), Refused)
    assert ["Hola.", "uno"] == [post["text"] for post in flaskbb_standin.posts()]
    assert not [one for one in flaskbb_standin.requests() if one == f"POST /post/{written}/edit"]


def test_another_post_s_form_is_not_ours(flaskbb_standin: FlaskbbStandIn) -> None:
    """Led to the form of a post that has the text already, we don't believe that ours has it."""
    bot, topic = enter(flaskbb_standin, BOT), flaskbb_standin.topics[TITLE]
    written, other = (post_id(bot.post(topic, text)) for text in ("uno", "dos"))
    flaskbb_standin.fail("redirect", "form", text=f"/post/{other}/edit")
    assert isinstance(bot.edit(written, "dos"), Refused)
    assert ["Hola.", "uno", "dos"] == [post["text"] for post in flaskbb_standin.posts()]
