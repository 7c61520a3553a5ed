"""What only phpBB does, over its stand-in (forums.md 3 and 5): it can't be run here."""

from __future__ import annotations

import re

import pytest

from jobs.demo.spirit_server import Account
from processor.forums.phpbb import PHPBB, PhpbbForum
from processor.forums.trouble import ForeignAddress
from processor.ports import ForumError, IncompletePage, LoginFailed, NotATopic, Unreachable
from rules.engine.messages import msg
from rules.play.posts import Outcome, Published, Queued, Refused, Unknown, Visibility
from tests.support.forum_fixtures import ACCOUNTS, ALICE, BOB, BOT, GM, TITLE, enter
from tests.support.forum_scene import MARKER, post_id
from tests.support.phpbb_words import say
from tests.support.standin import PhpbbStandIn

TEXT = f"Informe\n\n{MARKER}"


@pytest.fixture(params=["es", "en"])
def forum(request: pytest.FixtureRequest, phpbb_standin: PhpbbStandIn) -> PhpbbStandIn:
    """A board in Spanish, and one in English: no outcome may depend on it."""
    phpbb_standin.views.language = request.param
    return phpbb_standin


@pytest.fixture
def topic(phpbb_standin: PhpbbStandIn) -> str:
    """Id of the only topic."""
    return phpbb_standin.topics[TITLE]


def sent(outcome: Outcome) -> Published:
    """What was published."""
    assert isinstance(outcome, Published), outcome
    return outcome


def test_a_form_is_sent_when_it_is_old_enough(forum: PhpbbStandIn, topic: str) -> None:
    """PhpBB refuses its own form in the second in which it made it: Turnero waits, once for each form."""
    waits: list[float] = []

    def sleep(seconds: float) -> None:
        waits.append(seconds)
        forum.shift_clock(seconds)

    bot = enter(forum, BOT, sleep=sleep)
    assert isinstance(bot.post(topic, TEXT), Published)
    assert [2.5, 2.5] == waits  # the form for logging in, and that for the post
    hasty = enter(forum, ALICE, sleep=lambda _: None)
    with pytest.raises(LoginFailed, match="forum/login-refused"):
        hasty.open()


def test_a_token_that_is_too_old_is_no_end(forum: PhpbbStandIn, topic: str) -> None:
    """The forum shows the form again: nothing was stored, and the next attempt takes a new one (F13)."""
    bot = enter(forum, BOT, min_interval=15.0)
    bot.open()
    made = b'name="creation_time" value="'
    forum.fail("mutate", "form", mutate=lambda page: page.replace(made + b"1", made + b"0"))
    assert Refused(say(forum.views.language, "invalid"), 15.0) == bot.post(topic, TEXT)
    assert isinstance(bot.post(topic, TEXT), Published)


def test_who_posts_too_soon_is_told_how_long_to_wait(forum: PhpbbStandIn, topic: str) -> None:
    """Posts and private messages share one distance; edits have none."""
    forum.views.flood_seconds = 15
    bot = enter(forum, BOT, min_interval=0.0)
    written = post_id(bot.post(topic, TEXT))
    said = say(forum.views.language, "flood")
    for refused in (bot.post(topic, "otra"), bot.send_private("alice", "título", "hola")):
        assert Refused(said, 60.0) == refused
    assert Published(written) == bot.edit(written, f"otra\n\n{MARKER}")
    forum.shift_clock(15)
    assert isinstance(bot.post(topic, "otra"), Published)


def test_the_distance_is_kept_before_the_forum_has_to_ask_for_it(forum: PhpbbStandIn, topic: str) -> None:
    """Three parts of a report and a private message go out without a refusal, one every fifteen seconds."""
    forum.views.flood_seconds = 15
    now = [0.0]

    def sleep(seconds: float) -> None:
        now[0] += seconds
        forum.shift_clock(seconds)

    bot = enter(forum, BOT, min_interval=PHPBB.min_interval, clock=lambda: now[0], sleep=sleep)
    made = [bot.post(topic, f"parte {n}") for n in range(3)]
    assert [True] * 4 == [
        isinstance(one, Published) for one in (*made, bot.send_private("alice", "título", "hola"))
    ]
    assert 48 <= now[0] < 70


def test_a_post_that_a_moderator_has_to_approve_is_queued(forum: PhpbbStandIn, topic: str) -> None:
    """It is told in the forum's words, seen by ourselves only, and not found as if it were published."""
    forum.views.queued = {BOT.name}
    bot = enter(forum, BOT)
    assert Queued(say(forum.views.language, "queued")) == bot.post(topic, TEXT)
    mine = bot.read_topic(topic).posts
    assert [Visibility.VISIBLE, Visibility.UNAPPROVED] == [post.visibility for post in mine]
    assert (1, ()) == (enter(forum, ALICE).read_topic(topic).last, bot.find_marker(topic, MARKER))
    forum.views.waiting.clear()
    assert 1 == len(bot.find_marker(topic, MARKER))


def test_a_page_that_hides_a_post_behind_one_that_waits_is_refused(forum: PhpbbStandIn, topic: str) -> None:
    """PhpBB counts the second half of a topic from its end, and leaves out our own post that waits: then
    somebody's orders stand on no page, which is told instead of overlooked.
    """
    for n in range(2, 5):
        forum.write_post(topic, ALICE.name, f"mensaje {n}")
    forum.views.queued, forum.views.counts_from_end = {BOT.name}, True
    bot = enter(forum, BOT)
    assert isinstance(bot.post(topic, TEXT), Queued)
    with pytest.raises(IncompletePage, match="page/count"):
        bot.read_topic(topic)
    assert [1, 2, 3, 4] == [int(post.id) for post in enter(forum, ALICE).read_topic(topic).posts]
    forum.views.waiting.clear()
    assert 5 == bot.read_topic(topic).last


def test_an_edit_may_be_queued_too(forum: PhpbbStandIn, topic: str) -> None:
    """Where a moderator looks at edits."""
    bot = enter(forum, BOT)
    written = post_id(bot.post(topic, TEXT))
    forum.views.queued = {BOT.name}
    assert isinstance(bot.edit(written, f"otra\n\n{MARKER}"), Queued)


def test_whoever_posts_meanwhile_lets_the_form_come_back(forum: PhpbbStandIn, topic: str) -> None:
    """PhpBB shows what is new in place of storing: certainly not stored, and worth another try."""
    bot = enter(forum, BOT)
    assert isinstance(bot, PhpbbForum)
    answered = bot._session.http.post

    def overtaken(path: str, data: dict[str, str], referer: str) -> object:
        if "mode=reply" in path:
            forum.write_post(topic, ALICE.name, "espera")
            bot._session.http.post = answered  # type: ignore[method-assign]
        return answered(path, data, referer)

    bot._session.http.post = overtaken  # type: ignore[assignment, method-assign]
    assert Refused(msg("sent/crossed"), 60.0) == bot.post(topic, TEXT)
    assert ["Hola.", "espera"] == [post["text"] for post in forum.posts()]
    assert isinstance(bot.post(topic, TEXT), Published)


def test_a_topic_that_is_closed_meanwhile_refuses(forum: PhpbbStandIn, topic: str) -> None:
    """A page that only says why, and leads nowhere: certainly not stored, and told in the forum's words."""
    bot = enter(forum, BOT)
    assert isinstance(bot, PhpbbForum)
    answered = bot._session.http.post

    def closing(path: str, data: dict[str, str], referer: str) -> object:
        if "mode=reply" in path:
            forum.close_topic(topic)
        return answered(path, data, referer)

    bot._session.http.post = closing  # type: ignore[assignment, method-assign]
    assert Refused(say(forum.views.language, "locked")) == bot.post(topic, TEXT)
    assert 1 == len(forum.posts())


def test_the_same_text_again_is_a_second_post(forum: PhpbbStandIn, topic: str) -> None:
    """PhpBB takes an identical reply again, so only reading back keeps a report from standing twice."""
    bot = enter(forum, BOT)
    ids = [post_id(bot.post(topic, TEXT)) for _ in range(2)]
    assert ids == [found.post_id for found in bot.find_marker(topic, MARKER)]


def test_a_text_is_at_most_as_long_as_phpbb_takes_it(forum: PhpbbStandIn, topic: str) -> None:
    """It counts what HTML makes of a text: our limit leaves room for it, and its refusal is told."""
    bot, longest = enter(forum, BOT), PHPBB.max_chars
    assert isinstance(bot.post(topic, "x" * (longest - 1000) + '"' * 1000), Published)
    refused = bot.post(topic, '"' * longest)
    assert isinstance(refused, Refused)
    assert say(forum.views.language, "long") == refused.reason


def test_edits_of_the_newest_post_and_moderators_edits_leave_no_mark(forum: PhpbbStandIn, topic: str) -> None:
    """What is read is the text as it stands now, so nothing is missed."""
    alice = enter(forum, ALICE)
    written = post_id(alice.post(topic, "mover E3"))
    alice.edit(written, "mover E4")
    newest = alice.read_topic(topic).posts[-1]
    assert (0, True) == (newest.edits, "mover E4" in (newest.html or ""))
    forum.write_post(topic, BOB.name, "hola")
    enter(forum, GM).edit(written, "mover E5")
    assert 0 == alice.read_topic(topic).posts[1].edits
    alice.edit(written, "mover E6")
    marked = alice.read_topic(topic).posts[1]
    assert (1, None) == (marked.edits, marked.edited_at)


def test_an_edit_keeps_what_else_belongs_to_the_post(forum: PhpbbStandIn, topic: str) -> None:
    """Its subject and its ticked boxes are sent along: phpBB takes what is missing for emptied."""
    bot = enter(forum, BOT)
    assert isinstance(bot, PhpbbForum)
    written = post_id(bot.post(topic, TEXT))
    answered, seen = bot._session.http.post, dict[str, str]()

    def watch(path: str, data: dict[str, str], referer: str) -> object:
        seen.update(data)
        return answered(path, data, referer)

    bot._session.http.post = watch  # type: ignore[assignment, method-assign]
    bot.edit(written, f"otra\n\n{MARKER}")
    assert (f"Re: {TITLE}", "on", False) == (
        seen["subject"],
        seen["attach_sig"],
        "disable_bbcode" in seen or "preview" in seen,
    )


def test_what_is_forbidden_or_under_repair_is_told(forum: PhpbbStandIn, topic: str) -> None:
    """Forbidden is forbidden; repairs pass, so that they are worth another try, and are told in its words."""
    bot = enter(forum, BOT)
    bot.open()
    forum.views.forbidden = {int(topic)}
    with pytest.raises(NotATopic, match="forum/forbidden"):
        bot.read_topic(topic)
    refused = bot.post(topic, TEXT)
    assert isinstance(refused, Refused)
    assert ("forum/forbidden" in str(refused.reason), None) == (True, refused.retry_after)
    forum.views.forbidden = set()
    forum.views.disabled = True
    said = say(forum.views.language, "disabled")
    with pytest.raises(NotATopic, match=f"page/notice: {said}"):
        bot.read_topic(topic)
    assert Refused(msg("page/notice", detail=said, words=said.removesuffix(".")), 60.0) == bot.post(
        topic, TEXT
    )


def test_removed_posts_are_gone_for_members_and_empty_for_moderators(forum: PhpbbStandIn, topic: str) -> None:
    """Those behind move up, and nobody takes an order from what a moderator took away."""
    ids = [forum.write_post(topic, ALICE.name, f"mensaje {n}") for n in range(2)]
    forum.remove_post(ids[0])
    member, moderator = (enter(forum, one).read_topic(topic).posts[1:] for one in (BOT, GM))
    assert [(ids[1], 2)] == [(post.id, post.number) for post in member]
    assert [(ids[0], Visibility.REMOVED, None)] == [
        (post.id, post.visibility, post.html) for post in moderator[:1]
    ]


def test_an_account_that_is_gone_is_nobody(forum: PhpbbStandIn, topic: str) -> None:
    """Its name may belong to somebody else by now: it is shown and never matched."""
    forum.write_post(topic, ALICE.name, "mover E3")
    forum.views.gone = {int(forum.accounts[ALICE.name])}
    post = enter(forum, BOT).read_topic(topic).posts[-1]
    assert (None, ALICE.name) == (post.author_id, post.author)


def test_preferences_of_the_account_change_nothing(forum: PhpbbStandIn, topic: str) -> None:
    """Who likes the newest post first reads the oldest first all the same, and still posts."""
    for n in range(6):
        forum.write_post(topic, ALICE.name, f"mensaje {n}")
    forum.views.newest_first = {int(forum.accounts[BOT.name])}
    bot = enter(forum, BOT)
    assert list(range(1, 8)) == [int(post.id) for post in bot.read_topic(topic).posts]
    assert isinstance(bot.post(topic, TEXT), Published)


def test_pages_of_another_length_are_learnt(forum: PhpbbStandIn, topic: str) -> None:
    """PhpBB counts posts, not pages: reading on guesses ten a page, and asks once more where it is wrong."""
    ids = [forum.write_post(topic, ALICE.name, f"mensaje {n}") for n in range(2, 41)]
    bot = enter(forum, BOT)
    bot.open()
    before = len(forum.requests())
    reading = bot.read_topic(topic, 40, ids[-1])
    assert (40, 40, ids[-1]) == (reading.first, reading.last, reading.posts[-1].id)
    assert len(forum.requests()) - before <= 6
    before = len(forum.requests())
    assert 40 == bot.read_topic(topic, 40, ids[-1]).last
    assert 1 == len(forum.requests()) - before


def test_a_signature_is_no_part_of_the_post(forum: PhpbbStandIn, topic: str) -> None:
    """A new signature doesn't make old posts look edited, and gives no orders."""
    bot = enter(forum, BOT)
    bot.post(topic, TEXT)
    before = bot.read_topic(topic).posts
    forum.views.signatures = {BOT.name: "[órdenes]<br>atacar<br>[/órdenes]"}
    assert before == bot.read_topic(topic).posts


def test_three_wrong_passwords_lead_to_a_captcha_that_is_told(forum: PhpbbStandIn) -> None:
    """No machine passes it, and trying again makes it no better: the director logs in once with a browser."""
    wrong = Account(ALICE.name, "no es ésta")
    for _ in range(3):
        with pytest.raises(LoginFailed, match=re.escape(say(forum.views.language, "password"))) as refused:
            enter(forum, wrong).open()
        assert refused.value.retry_after is None
    with pytest.raises(LoginFailed, match="captcha: log in to this account once with a browser") as captcha:
        enter(forum, ALICE).open()
    assert (None, "forum/login-refused") == (captcha.value.retry_after, captcha.value.code)


def test_a_quote_of_another_post_is_no_text(phpbb_standin: PhpbbStandIn, topic: str) -> None:
    """Nobody's orders are read from somebody else's post."""
    written = phpbb_standin.write_post(topic, ALICE.name, "mover E3")
    bot = enter(phpbb_standin, BOT)
    assert "mover E3" == bot.raw_text(written, topic)
    number = f"post_id={written}".encode()
    phpbb_standin.fail("mutate", "raw", mutate=lambda page: page.replace(number, b"post_id=1"))
    assert bot.raw_text(written, topic) is None


def test_a_login_that_would_lead_back_to_its_form_is_one(phpbb_standin: PhpbbStandIn) -> None:
    """Where the form leads to the page that shows it, we don't take that for a refusal."""
    phpbb_standin.views.leads_back = "./ucp.php?mode=login"
    assert phpbb_standin.accounts[BOT.name] == enter(phpbb_standin, BOT).open()


def test_a_login_is_remembered(phpbb_standin: PhpbbStandIn) -> None:
    """PhpBB is asked to keep the session, so that logging in stays rare."""
    bot = enter(phpbb_standin, BOT)
    assert isinstance(bot, PhpbbForum)
    answered, seen = bot._session.http.post, dict[str, str]()

    def watch(path: str, data: dict[str, str], referer: str) -> object:
        seen.update(data)
        return answered(path, data, referer)

    bot._session.http.post = watch  # type: ignore[assignment, method-assign]
    bot.open()
    assert ("on", False) == (seen["autologin"], "viewonline" in seen)


@pytest.mark.parametrize(
    ("kind", "stored"),
    [
        ("drop-before-store", 0),
        ("error-before", 0),
        ("login-page", 0),
        ("login-redirect", 0),
        ("maintenance", 0),
        ("store-then-drop", 1),
        ("error-after", 1),
    ],
)
@pytest.mark.parametrize("where", ["publish", "private"])
def test_an_unclear_answer_is_unknown_and_nothing_is_sent_twice(
    phpbb_standin: PhpbbStandIn, topic: str, kind: str, stored: int, where: str
) -> None:
    """Posts and private messages alike: what can't be told is settled by reading back (F10-F13)."""
    bot = enter(phpbb_standin, BOT)
    bot.open()
    phpbb_standin.fail(kind, where)
    outcome = bot.post(topic, TEXT) if where == "publish" else bot.send_private("alice", "título", TEXT)
    assert isinstance(outcome, Unknown), outcome
    assert stored == len([post for post in phpbb_standin.posts() if post["text"] == TEXT])
    found = bot.find_marker(topic, MARKER) if where == "publish" else bot.find_private("título", MARKER)
    assert stored == len(found)


def test_a_flood_told_as_an_error_is_a_refusal(phpbb_standin: PhpbbStandIn, topic: str) -> None:
    """The form again, or a proxy's 429."""
    bot = enter(phpbb_standin, BOT, min_interval=0.0)
    bot.open()
    phpbb_standin.fail("flood", "publish")
    assert isinstance(bot.post(topic, TEXT), Refused)
    phpbb_standin.fail("limited", "publish", retry_after="7")
    assert Refused(msg("sent/too-many"), 7.0) == bot.post(topic, TEXT)


@pytest.mark.parametrize("where", ["topic", "list", "letter", "raw"])
@pytest.mark.parametrize(
    "kind", ["maintenance", "login-page", "truncate", "short", "error-before", "limited"]
)
def test_another_page_is_never_an_empty_one(
    phpbb_standin: PhpbbStandIn, topic: str, kind: str, where: str
) -> None:
    """Maintenance, a cut page, an error: a refusal with its name, never fewer of them (F8, F9, F14, F15)."""
    enter(phpbb_standin, ALICE).send_private(BOT.name, "Órdenes", "mover")
    bot = enter(phpbb_standin, BOT)
    bot.open()
    phpbb_standin.fail(kind, where, times=99, at=900)
    with pytest.raises((IncompletePage, Unreachable, LoginFailed, NotATopic)):
        bot.read_topic(topic) if where == "topic" else bot.read_private()


@pytest.mark.parametrize("where", ["topic", "list"])
def test_a_cut_at_any_place_is_noticed(phpbb_standin: PhpbbStandIn, topic: str, where: str) -> None:
    """A page that ends early is refused wherever it ends (F15)."""
    enter(phpbb_standin, ALICE).send_private(BOT.name, "Órdenes", "mover")
    bot = enter(phpbb_standin, BOT)
    bot.read_private()
    assert isinstance(bot, PhpbbForum)
    path = f"viewtopic.php?t={topic}" if where == "topic" else "ucp.php?i=pm&folder=outbox"
    whole = bot._session.http.get(path).body.index(b'id="page-footer"')
    for at in range(0, whole, 150):
        phpbb_standin.fail("truncate", where, times=99, at=at)
        with pytest.raises(ForumError):
            bot.read_topic(topic) if where == "topic" else bot.read_private()
        phpbb_standin.state.faults.clear()


def test_a_stale_page_is_noticed(phpbb_standin: PhpbbStandIn, topic: str) -> None:
    """A cached page without the newest known post proves itself old (F18)."""
    phpbb_standin.write_post(topic, "alice", "dos")
    bot = enter(phpbb_standin, BOT)
    newest = bot.read_topic(topic).posts[-1]
    phpbb_standin.fail("stale", "topic", times=9, at=1)
    with pytest.raises(IncompletePage, match="forum/shifted"):
        bot.read_topic(topic, 2, newest.id)


@pytest.mark.parametrize(("number", "code"), [(1, "forum/other-page"), (2, "forum/other-page")])
def test_another_page_than_asked_for_is_noticed(
    phpbb_standin: PhpbbStandIn, topic: str, number: int, code: str
) -> None:
    """Where a cache gives one page for all addresses."""
    for n in range(8):
        phpbb_standin.write_post(topic, "alice", f"mensaje {n}")
    bot = enter(phpbb_standin, BOT)
    bot.read_topic(topic)
    phpbb_standin.fail("other-page", "topic", times=99, at=number)
    with pytest.raises(IncompletePage, match=code):
        bot.read_topic(topic)


def test_a_session_that_ends_is_entered_again(forum: PhpbbStandIn, topic: str) -> None:
    """Guests are shown what everybody may read: what isn't ours leads to a login, not to a reading."""
    bot = enter(forum, BOT)
    account = bot.open()
    forum.end_sessions()
    assert account == bot.read_topic(topic).account
    forum.end_sessions()
    assert isinstance(bot.post(topic, TEXT), Published)


def test_a_game_goes_nowhere_else(phpbb_standin: PhpbbStandIn, topic: str) -> None:
    """A redirect to another host is never followed, with a session least of all (F41)."""
    with PhpbbStandIn(ACCOUNTS) as other:
        bot = enter(phpbb_standin, BOT)
        bot.open()
        phpbb_standin.fail("redirect", "topic", times=9, text=f"{other.url}/viewtopic.php?t=1")
        with pytest.raises(ForeignAddress):
            bot.read_topic(topic)
        assert [] == other.requests()
