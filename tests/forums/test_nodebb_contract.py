"""What only NodeBB does, over its stand-in (forums.md 3 and 5)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from processor.forums.nodebb import NODEBB, NodebbForum
from processor.ports import IncompletePage, LoginFailed, NotATopic, Unreachable
from rules.engine.messages import msg
from rules.play.posts import Precision, Published, Queued, Refused, Unknown, Visibility
from tests.support.forum_fixtures import ACCOUNTS, BOT, GM, SCENE, TITLE, enter
from tests.support.forum_scene import MARKER, post_id
from tests.support.json_answers import Change, changed
from tests.support.standin import NodebbStandIn


@pytest.fixture
def forum(nodebb_standin: NodebbStandIn) -> NodebbStandIn:
    """The small forum of all contracts."""
    return nodebb_standin


@pytest.fixture
def topic(forum: NodebbStandIn) -> str:
    """Its topic."""
    return forum.topics[TITLE]


@pytest.fixture
def bot(forum: NodebbStandIn) -> NodebbForum:
    """Our account in it."""
    opened = enter(forum, BOT)
    assert isinstance(opened, NodebbForum)
    return opened


# Whose token it is.


def test_a_bad_token_makes_no_guest_of_us(forum: NodebbStandIn, topic: str) -> None:
    """NodeBB would let it read what guests read, without a word."""
    wrong = type(BOT)(BOT.name, "no-token")
    with pytest.raises(LoginFailed, match="forum/key-refused"):
        enter(forum, wrong).read_topic(topic)


def test_a_revoked_token_is_noticed_in_the_middle(forum: NodebbStandIn, bot: NodebbForum, topic: str) -> None:
    """Reading and sending alike: what guests see is never taken for what we see."""
    written = post_id(bot.post(topic, "antes"))
    forum.views.revoked = {BOT.password}
    reads: list[Callable[[], object]] = [
        lambda: bot.read_topic(topic),
        lambda: bot.read_topic("999"),
        bot.read_private,
        lambda: bot.raw_text("999", topic),
        lambda: bot.find_marker(topic, MARKER),
        lambda: bot.probe_topic(topic),
    ]
    for read in reads:
        with pytest.raises(LoginFailed, match="forum/key-refused"):
            read()
    outcomes = [bot.post(topic, "después"), bot.send_private("alice", "título", "texto")]
    outcomes.append(bot.edit(written, "otro"))
    assert [True] * 3 == [isinstance(one, Refused) for one in outcomes]
    assert 2 == len(forum.posts())


@pytest.mark.parametrize("where", ["post", "edit", "letter"])
def test_a_token_that_is_revoked_while_we_write_is_no_refusal_for_good(
    forum: NodebbStandIn, bot: NodebbForum, topic: str, where: str
) -> None:
    """Certainly not stored: with another token the text is sent."""
    written = post_id(bot.post(topic, "antes"))
    bot.send_private("alice", "título", "antes")
    send = bot._writer._session.http.send  # type: ignore[attr-defined]

    def revoking(method: str, path: str, *more: object) -> object:
        if "ping" not in path:
            forum.views.revoked = {BOT.password}
        return send(method, path, *more)

    bot._writer._session.http.send = revoking  # type: ignore[attr-defined]
    match where:
        case "post":
            refused = bot.post(topic, "después")
        case "edit":
            refused = bot.edit(written, "después")
        case _:
            refused = bot.send_private("alice", "título", "después")
    assert isinstance(refused, Refused)
    assert 60.0 == refused.retry_after
    assert not [post for post in forum.posts() if post["text"] == "después"]


def test_another_account_s_answer_is_refused(forum: NodebbStandIn, bot: NodebbForum, topic: str) -> None:
    """A cache before the forum gave us what was made for somebody else."""
    bot.open()
    forum.fail("mutate", "topic", times=9, mutate=changed(lambda answer: answer["privileges"].update(uid=2)))
    with pytest.raises(LoginFailed, match="forum/other-account"):
        bot.read_topic(topic)


def test_a_guest_s_answer_is_refused_though_the_token_counts(
    forum: NodebbStandIn, bot: NodebbForum, topic: str
) -> None:
    """A cache for guests: asked once more, then refused."""
    bot.open()
    forum.fail("mutate", "topic", times=9, mutate=changed(lambda answer: answer["privileges"].update(uid=-1)))
    with pytest.raises(LoginFailed, match="forum/login"):
        bot.read_topic(topic)


def test_somebody_else_s_token_is_refused(forum: NodebbStandIn) -> None:
    """Such as the administrator's: what we publish would stand there in that name."""
    for name, code in (("turnero", "key-other"), ("nadie", "no-account")):
        with pytest.raises(LoginFailed, match=f"forum/{code}: {name}"):
            enter(forum, type(GM)(name, GM.password)).open()


def test_a_token_for_all_accounts_is_refused_with_the_reason(forum: NodebbStandIn, bot: NodebbForum) -> None:
    """It would need an account with each request: 400 where something is sent, 500 where it is read."""
    with forum.state.lock:
        forum.views.answer = lambda method, call: forum.views._refuse(400, "no _uid")  # type: ignore[method-assign]
    with pytest.raises(LoginFailed, match="forum/key-for-all: turnero"):
        bot.open()


def test_no_session_stands_beside_the_token(forum: NodebbStandIn, bot: NodebbForum, topic: str) -> None:
    """NodeBB would take a request with its cookie for a browser's, and want a form's token with it."""
    seen: list[str | None] = []
    identify = forum.views.identify

    def watch(headers: Mapping[str, str], session: str) -> int | None:
        seen.append(headers.get("cookie"))
        return identify(headers, session)

    forum.views.identify = watch  # type: ignore[method-assign]
    bot.read_topic(topic)
    bot.post(topic, "hola")
    assert {None} == set(seen)
    assert len(seen) > 3


@pytest.mark.parametrize(
    ("name", "login"),
    [("Marina Sol", "marina-sol"), ("Marina O'Sol.", "marina-o-sol"), ("Ñusta_2", "ñusta_2")],
)
def test_a_name_is_known_by_its_address(name: str, login: str) -> None:
    """`login` is the name as the address of the profile has it; the account's own is known as typed."""
    marina = type(BOT)(name, "m")
    with NodebbStandIn((BOT, marina), **{**SCENE, "topics": ()}) as forum:
        bot = enter(forum, BOT)
        assert isinstance(bot.send_private(login, "título", "texto"), Published)
        (reading,) = enter(forum, marina).read_private()
        assert forum.accounts[name] in reading.participants


# Reading.


def test_times_are_exact_to_the_second(forum: NodebbStandIn, bot: NodebbForum, topic: str) -> None:
    """The second in which somebody posted is known, so no deadline's minute is in doubt."""
    forum.write_post(topic, "alice", "hola")
    assert {Precision.SECOND} == {post.precision for post in bot.read_topic(topic).posts}


def test_an_edit_shows_when(bot: NodebbForum, topic: str) -> None:
    """An edited post tells when, and keeps the time at which it was written."""
    written = post_id(bot.post(topic, "mover E3"))
    bot.edit(written, "mover E4")
    post = bot.read_topic(topic).posts[-1]
    assert post.edited_at is not None
    assert post.created_at <= post.edited_at <= bot.server_time()


def test_a_deleted_post_keeps_its_place(forum: NodebbStandIn, topic: str) -> None:
    """For members and moderators alike it has no text, and the others don't move."""
    first, second = (forum.write_post(topic, "alice", f"mensaje {n}") for n in range(2))
    forum.remove_post(first)
    for account in (BOT, GM):
        _, gone, after = enter(forum, account).read_topic(topic).posts
        assert (first, Visibility.REMOVED, None, 2) == (gone.id, gone.visibility, gone.html, gone.number)
        assert (second, 3) == (after.id, after.number)


def test_a_renamed_player_is_the_same_and_a_deleted_one_nobody(
    forum: NodebbStandIn, bot: NodebbForum, topic: str
) -> None:
    """The number stays with the account; of one that is gone only the text is left."""
    forum.write_post(topic, "alice", "hola")
    forum.state.accounts[2].name = "alicia"
    post = bot.read_topic(topic).posts[-1]
    assert ("2", "alicia") == (post.author_id, post.author)
    forum.views.gone = {"alicia"}
    assert bot.read_topic(topic).posts[-1].author_id is None


def test_a_blocked_account_s_posts_make_the_topic_incomplete(
    forum: NodebbStandIn, bot: NodebbForum, topic: str
) -> None:
    """NodeBB leaves them out; whether an order is among them nobody knows."""
    for n in range(2):
        forum.write_post(topic, "alice", f"mensaje {n}")
    bot.open()
    forum.fail("mutate", "topic", times=2, mutate=changed(lambda answer: answer["posts"].pop(1)))
    with pytest.raises(IncompletePage, match="page/gap"):
        bot.read_topic(topic)


def test_a_topic_is_read_in_its_order_whatever_the_account_chose(
    forum: NodebbStandIn, bot: NodebbForum, topic: str
) -> None:
    """An account may want to see the newest posts first; we ask for the oldest."""
    bot.read_topic(topic)
    assert f"GET /api/topic/{topic}?page=1&sort=oldest_to_newest" in forum.requests()


def test_nothing_new_costs_one_request(forum: NodebbStandIn, bot: NodebbForum, topic: str) -> None:
    """Read on from the newest known post."""
    for n in range(9):
        forum.write_post(topic, "alice", f"mensaje {n}")
    newest = bot.read_topic(topic).posts[-1]
    before = len(forum.requests())
    assert newest == bot.read_topic(topic, newest.number, newest.id).posts[-1]
    assert 1 == len(forum.requests()) - before


def test_load_is_survived(forum: NodebbStandIn, bot: NodebbForum, topic: str) -> None:
    """Under load NodeBB sends 503 and a page, not JSON: it is asked again."""
    bot.open()
    forum.fail("error-before", "topic", times=2)
    assert 1 == len(bot.read_topic(topic).posts)
    forum.fail("error-before", "topic", times=9)
    with pytest.raises(Unreachable, match="503"):
        bot.read_topic(topic)


def read(bot: NodebbForum, topic: str, where: str) -> object:
    """What asks for answers of that kind."""
    if where == "raw":
        return bot.raw_text("1", topic)
    return bot.read_topic(topic) if where == "topic" else bot.read_private()


@pytest.mark.parametrize(
    "kind", ["maintenance", "login-page", "login-redirect", "truncate", "short", "error-before", "limited"]
)
@pytest.mark.parametrize("where", ["topic", "list", "room", "messages", "raw"])
def test_another_answer_is_never_an_empty_topic(
    forum: NodebbStandIn, bot: NodebbForum, topic: str, kind: str, where: str
) -> None:
    """Maintenance, a cut answer, an error: a named refusal, never fewer posts (F8, F9, F14, F15)."""
    assert isinstance(bot.send_private("alice", "título", f"texto\n\n{MARKER}"), Published)
    forum.fail(kind, where, times=99, at=30)
    with pytest.raises((IncompletePage, Unreachable, LoginFailed, NotATopic)):
        read(bot, topic, where)


@pytest.mark.parametrize("where", ["topic", "messages", "list", "room"])
def test_a_cut_at_any_place_is_noticed(
    forum: NodebbStandIn, bot: NodebbForum, topic: str, where: str
) -> None:
    """An answer that ends early is refused wherever it ends (F15)."""
    bot.send_private("alice", "título", "texto")
    for at in range(0, 400, 40):
        forum.fail("truncate", where, times=2, at=at)
        with pytest.raises((IncompletePage, NotATopic)):
            read(bot, topic, where)


def test_a_stale_answer_is_noticed(forum: NodebbStandIn, bot: NodebbForum, topic: str) -> None:
    """A cached answer without the newest known post proves itself old (F18)."""
    forum.write_post(topic, "alice", "dos")
    newest = bot.read_topic(topic).posts[-1]
    forum.fail("stale", "topic", times=9, at=1)
    with pytest.raises(IncompletePage, match="forum/shifted"):
        bot.read_topic(topic, 2, newest.id)


def test_another_page_or_topic_is_noticed(forum: NodebbStandIn, bot: NodebbForum, topic: str) -> None:
    """What was asked for is what is read."""
    for n in range(6):
        forum.write_post(topic, "alice", f"mensaje {n}")
    forum.fail("other-page", "topic", times=9, at=2)
    with pytest.raises(IncompletePage, match="forum/other-page"):
        bot.read_topic(topic)
    forum.state.faults.clear()
    forum.fail("mutate", "topic", times=9, mutate=changed(lambda answer: answer.update(tid=77)))
    with pytest.raises(NotATopic, match="forum/other-topic"):
        bot.read_topic(topic)


# Publishing.


def test_a_post_that_waits_for_a_moderator_is_none(
    forum: NodebbStandIn, bot: NodebbForum, topic: str
) -> None:
    """NodeBB answers 200 and no id; once it is let through it has the time of its sending."""
    forum.views.queued = {BOT.name}
    text = f"Informe\n\n{MARKER}"
    assert isinstance(bot.post(topic, text), Queued)
    assert () == bot.find_marker(topic, MARKER)
    sent_at = forum.views.waiting[0].date
    forum.shift_clock(600)
    made = forum.views.let_through()
    assert [made] == [found.post_id for found in bot.find_marker(topic, MARKER)]
    assert sent_at.replace(microsecond=0) == bot.read_topic(topic).posts[-1].created_at


@pytest.mark.parametrize(("newbies", "wait"), [((), 10.0), ((BOT.name,), 120.0)])
def test_who_is_too_early_is_told_to_wait(newbies: tuple[str, ...], wait: float) -> None:
    """400 and not 429: the seconds stand in the words; nothing was stored, and later it is taken."""
    with NodebbStandIn(ACCOUNTS, **SCENE, rate_limits=True) as forum:
        bot, topic = enter(forum, BOT), forum.topics[TITLE]
        forum.views.newbies = set(newbies)
        assert isinstance(bot.post(topic, "uno"), Published)
        refused = bot.post(topic, "dos")
        assert isinstance(refused, Refused)
        assert (wait, True) == (refused.retry_after, "second(s)" in str(refused.reason))
        assert 2 == len(forum.posts())
        forum.shift_clock(wait)
        assert isinstance(bot.post(topic, "dos"), Published)


@pytest.mark.parametrize(
    ("words", "wait"),
    [
        ("Hasta que hayas ganado 3 de reputación sólo puedes publicar cada 120 segundos", 120.0),
        ("Espera antes de volver a publicar", 10.0),
        ("como mucho 32767 caracteres", 10.0),
        ("0", 10.0),
    ],
)
def test_a_wait_in_another_language_is_understood(
    forum: NodebbStandIn, bot: NodebbForum, topic: str, words: str, wait: float
) -> None:
    """By its number, or by what NodeBB is known for."""
    bot._writer._sender._capabilities = NODEBB  # type: ignore[attr-defined]
    bot._writer._calls._capabilities = NODEBB  # type: ignore[attr-defined]
    forum.views.flood = lambda call: forum.views._refuse(400, words)  # type: ignore[method-assign]
    forum.fail("flood", "publish")
    assert Refused(words, wait) == bot.post(topic, "hola")


def test_a_distance_is_kept_between_posts(forum: NodebbStandIn, topic: str) -> None:
    """Ten seconds from one to the next, so that the forum seldom has to refuse."""
    waits: list[float] = []
    bot = enter(forum, BOT, min_interval=NODEBB.min_interval, clock=lambda: sum(waits), sleep=waits.append)
    for n in range(3):
        assert isinstance(bot.post(topic, f"parte {n}"), Published)
    assert [10.0, 10.0] == waits


def test_a_topic_that_is_closed_is_not_asked_again(
    forum: NodebbStandIn, bot: NodebbForum, topic: str
) -> None:
    """NodeBB's own refusal couldn't be told from being too early: nothing is sent."""
    forum.close_topic(topic)
    refused = bot.post(topic, "tarde")
    assert isinstance(refused, Refused)
    assert refused.retry_after is None
    assert not [one for one in forum.requests() if one.startswith("POST /api/v3/topics")]
    with pytest.raises(NotATopic, match="forum/closed"):
        bot.probe_topic(topic)
    enter(forum, GM).probe_topic(topic)


@pytest.mark.parametrize("text", ["corto", "x" * 61])
def test_the_forum_s_own_lengths_count(forum: NodebbStandIn, bot: NodebbForum, topic: str, text: str) -> None:
    """A post of 8 to 60 characters here; others are refused before they are sent, which no waiting mends."""
    forum.views.least, forum.views.most = 8, 60
    assert Refused(msg("sent/length", size=len(text), least=8, most=60)) == bot.post(topic, text)
    assert isinstance(bot.post(topic, "x" * 60), Published)


def test_a_banned_account_is_refused_in_the_forum_s_words(
    forum: NodebbStandIn, bot: NodebbForum, topic: str
) -> None:
    """No waiting mends it."""
    bot.read_topic(topic)
    forum.views.banned = {BOT.name}
    assert Refused("Sorry, your account has been banned") == bot.post(topic, "hola")


def test_an_edit_that_comes_too_late_is_refused_for_good(
    forum: NodebbStandIn, bot: NodebbForum, topic: str
) -> None:
    """New accounts may edit for an hour; the hour in the refusal is nothing to wait for."""
    forum.views.newbies = {BOT.name}
    written = post_id(bot.post(topic, "uno"))
    forum.shift_clock(3700)
    refused = bot.edit(written, "dos")
    assert Refused("You are only allowed to edit posts for 1 hour(s) after posting") == refused


@pytest.mark.parametrize(
    "change",
    [
        lambda answer: answer["response"].update(tid=77),
        lambda answer: answer["response"].update(uid=2),
        lambda answer: answer["response"].pop("pid"),
        lambda answer: answer.update(response=[]),
        lambda answer: answer.pop("response"),
    ],
    ids=["another topic", "another author", "no id", "another shape", "no answer"],
)
def test_a_success_that_names_another_post_is_unknown(
    forum: NodebbStandIn, bot: NodebbForum, topic: str, change: Change
) -> None:
    """Settled by reading back, and found there."""
    forum.fail("mutate", "publish", mutate=changed(change))
    assert isinstance(bot.post(topic, f"Informe\n\n{MARKER}"), Unknown)
    assert 1 == len(bot.find_marker(topic, MARKER))


def test_an_edit_of_another_post_is_unknown(forum: NodebbStandIn, bot: NodebbForum, topic: str) -> None:
    """The id in the answer has to be that of the post."""
    written = post_id(bot.post(topic, "uno"))
    forum.fail("mutate", "edit", mutate=changed(lambda answer: answer["response"].update(pid=77)))
    assert isinstance(bot.edit(written, "dos"), Unknown)


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
@pytest.mark.parametrize("where", ["post", "letter", "answer"])
def test_an_unclear_answer_is_unknown_and_nothing_is_sent_twice(
    forum: NodebbStandIn, bot: NodebbForum, topic: str, kind: str, stored: int, where: str
) -> None:
    """Posts, new conversations and answers alike: what can't be told is settled by reading back (F10-F13)."""
    sent = bot.send_private("alice", "título", "antes")
    assert isinstance(sent, Published)
    forum.fail(kind, "publish" if where == "post" else "private")
    text = f"Informe\n\n{MARKER}"
    match where:
        case "post":
            outcome = bot.post(topic, text)
        case "letter":
            outcome = bot.send_private("bob", "título", text)
        case _:
            outcome = bot.post(sent.topic or "", text)
    assert isinstance(outcome, Unknown), outcome
    assert stored == len([post for post in forum.posts() if post["text"] == text])
    found = bot.find_marker(topic, MARKER) if where == "post" else bot.find_private("título", MARKER)
    assert stored == len(found)
