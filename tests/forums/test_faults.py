"""What goes wrong between us and a forum (reliability.md F8-F18, F41), on the stand-in, whose list of posts
judges.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from email.utils import formatdate
from zoneinfo import ZoneInfo

import pytest

from jobs.demo.spirit_server import SpiritServer
from parsers.pages.guard import IncompletePageError
from parsers.pages.spirit import parse_topic
from parsers.pages.topics import TopicPage, read_page
from processor.forums.session import Session
from processor.forums.spirit import SpiritForum
from processor.forums.trouble import ForeignAddress
from processor.ports import ForumError, IncompletePage, LoginFailed, NotATopic, Unreachable
from rules.engine.messages import msg
from rules.play.posts import Found, Published, Refused, Unknown
from tests.support.forum_fixtures import ACCOUNTS, ALICE, BOT, QUICK, SCENE, TITLE, connect
from tests.support.standin import StandIn

MARKER = "ptd1:alfa:3.1:informe:1/1:8f3ac1d2"
TEXT = f"Informe\n\n{MARKER}"
ALWAYS = 99


@pytest.fixture
def topic(standin: StandIn) -> str:
    """A topic of five posts on two pages."""
    topic = standin.topics[TITLE]
    for n in range(2, 6):
        standin.write_post(topic, ALICE.name, f"mensaje {n}")
    return topic


def copies(standin: StandIn) -> int:
    """How often the report stands in the forum."""
    return len([post for post in standin.posts() if post["text"] == TEXT])


def opened(standin: StandIn, **options: object) -> SpiritForum:
    """The bot's adapter, logged in and knowing where the topic is."""
    bot = connect(standin, BOT, **options)  # type: ignore[arg-type]
    bot.read_topic(standin.topics[TITLE])
    return bot


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
def test_an_unclear_answer_is_unknown_and_read_back_settles_it(
    standin: StandIn, topic: str, kind: str, stored: int
) -> None:
    """Whether the post arrived is not guessed: it is sent once, and the marker tells (F10, F12, F13)."""
    bot = opened(standin)
    standin.fail(kind, "publish")
    outcome = bot.post(topic, TEXT)
    assert isinstance(outcome, Unknown), outcome
    assert copies(standin) == stored
    assert len(bot.find_marker(topic, MARKER)) == stored
    assert len([line for line in standin.requests() if line.startswith("POST /comment/")]) == 1


def test_a_slow_answer_is_unknown_although_the_post_is_there(standin: StandIn, topic: str) -> None:
    """A time-out after the forum stored the post (F10)."""
    bot = opened(standin, limits=replace(QUICK, deadline=0.3))
    standin.fail("slow", "publish", seconds=1.5)
    outcome = bot.post(topic, TEXT)
    assert isinstance(outcome, Unknown)
    assert "forum/timeout" in str(outcome.reason)
    assert copies(standin) == 1


def test_an_answer_that_drips_ends_at_the_deadline(standin: StandIn, topic: str) -> None:
    """A byte now and then resets every time-out of the library, but not the deadline of the whole request
    (F11).
    """
    bot = opened(standin, limits=replace(QUICK, deadline=0.3, retries=0))
    standin.fail("drip", "topic", seconds=0.1, times=ALWAYS)
    with pytest.raises(Unreachable, match="forum/timeout"):
        bot.read_topic(topic)


def test_a_post_that_shows_late_is_unknown_then_found(standin: StandIn, topic: str) -> None:
    """A post that readers don't see yet is neither a success nor lost."""
    bot = opened(standin)
    standin.fail("late", "publish", visible_after=60)
    assert isinstance(bot.post(topic, TEXT), Unknown)
    assert bot.find_marker(topic, MARKER) == ()
    standin.shift_clock(61)
    found = bot.find_marker(topic, MARKER)
    assert [type(one) for one in found] == [Found]
    assert copies(standin) == 1


def test_nobody_at_the_address_means_nothing_was_sent() -> None:
    """A refused connection is certain: refused, worth another try; reading raises (F10)."""
    with StandIn(ACCOUNTS) as gone:
        bot = connect(gone, BOT)
    outcome = bot.post("1", TEXT)
    assert isinstance(outcome, Refused)
    assert outcome.retry_after is not None
    with pytest.raises(Unreachable, match="forum/no-connection"):
        bot.open()


def test_a_post_that_finds_nobody_there_any_more_is_refused(standin: StandIn, topic: str) -> None:
    """The forum dies between form and post: the connection is refused, so nothing was stored (F10)."""
    dying: list[SpiritForum] = []

    def stop(where: str) -> None:
        if where == "http/sending" and dying:
            dying[0]._session.http._session.close()
            standin.__exit__(None, None, None)

    bot = opened(standin, checkpoint=stop)
    dying.append(bot)
    outcome = bot.post(topic, TEXT)
    assert isinstance(outcome, Refused), outcome
    assert outcome.retry_after is not None
    assert "forum/no-connection" in str(outcome.reason)


@pytest.mark.parametrize(
    ("header", "wait"), [("7", 7.0), ("99999999999", 3600.0), (None, 10.0), ("soon", 10.0), ("-5", 10.0)]
)
def test_too_many_requests_names_the_wait(
    standin: StandIn, topic: str, header: str | None, wait: float
) -> None:
    """Retry-After is taken where it makes sense and capped, else the forum's known interval holds (F8)."""
    bot = opened(standin, min_interval=10.0, sleep=lambda _: None)
    standin.fail("limited", "publish", retry_after=header)
    outcome = bot.post(topic, TEXT)
    assert outcome == Refused(msg("sent/too-many"), wait)
    assert copies(standin) == 0


def test_a_forum_that_names_no_time_and_has_no_distance_is_left_for_a_minute(
    standin: StandIn, topic: str
) -> None:
    """Asking again at once would be the hot loop that it complains of (F8)."""
    standin.fail("limited", "publish", retry_after=None)
    assert Refused(msg("sent/too-many"), 60.0) == opened(standin, min_interval=0.0).post(topic, TEXT)


def test_a_date_in_retry_after_counts_from_the_forum_s_clock(standin: StandIn, topic: str) -> None:
    """The forum's clock is an hour ahead; its date is not taken as an hour's wait (F8)."""
    standin.shift_clock(3600)
    bot = opened(standin)
    when = standin.state.now().timestamp() + 30
    standin.fail("limited", "publish", retry_after=formatdate(when, usegmt=True))
    outcome = bot.post(topic, TEXT)
    assert isinstance(outcome, Refused)
    assert outcome.retry_after is not None
    assert 20 <= outcome.retry_after <= 30


@pytest.mark.parametrize("kind", ["error-before", "limited", "drop-before-store", "truncate", "short"])
def test_reading_is_tried_again(standin: StandIn, topic: str, kind: str) -> None:
    """A fault that passes costs a reading a moment, not its result (F8, F9, F15)."""
    bot = opened(standin)
    standin.fail(kind, "topic", at=700)
    assert bot.read_topic(topic).last == 5


def test_reading_gives_up_after_its_retries(standin: StandIn, topic: str) -> None:
    """Reading is tried again a few times with growing waits, then the caller is told; no hot loop (F9)."""
    waits: list[float] = []
    bot = opened(standin, limits=replace(QUICK, retries=3), sleep=waits.append, jitter=lambda most: most)
    standin.fail("error-before", "topic", times=ALWAYS)
    before = len(standin.requests())
    with pytest.raises(Unreachable, match="forum/status: 500"):
        bot.read_topic(topic)
    assert len(standin.requests()) - before == 4
    assert waits == [0.01, 0.02, 0.04]


def test_a_long_wait_is_left_to_the_caller(standin: StandIn, topic: str) -> None:
    """When the forum asks for ten minutes, reading gives up at once and says so: other games go on (F8)."""
    bot = opened(standin)
    standin.fail("limited", "topic", retry_after="600", times=ALWAYS)
    before = len(standin.requests())
    with pytest.raises(Unreachable) as refusal:
        bot.read_topic(topic)
    assert refusal.value.retry_after == 600
    assert len(standin.requests()) - before == 1


@pytest.mark.parametrize("server", ["standin", "spirit"])
def test_the_flood_limit_is_refused_with_a_wait(request: pytest.FixtureRequest, server: str) -> None:
    """Two posts within ten seconds: the second is certainly not stored, and the forum's wait is passed on
    (F12).
    """
    forum = _start_limited(request, server)
    alice = connect(forum, ALICE)
    # Spirit counts in fixed windows: begin just behind a border, so that both fall into one.
    alice.open()
    forum.shift_clock(10.5 - alice.server_time().timestamp() % 10)
    assert isinstance(alice.post("1", "uno"), Published)
    assert alice.post("1", "dos") == Refused("Too many submissions, wait 10s.", 10.0)
    assert [post["text"] for post in forum.posts() if post["author"] == "alice"] == ["uno"]


@pytest.mark.parametrize("server", ["standin", "spirit"])
def test_posts_keep_the_forum_s_interval(request: pytest.FixtureRequest, server: str) -> None:
    """With the forum's interval as its own, the adapter waits and both posts are taken."""
    forum = _start_limited(request, server)
    time = [0.0]

    def sleep(seconds: float) -> None:
        time[0] += seconds
        forum.shift_clock(seconds)

    alice = connect(forum, ALICE, min_interval=10.0, clock=lambda: time[0], sleep=sleep)
    assert isinstance(alice.post("1", "uno"), Published)
    assert isinstance(alice.post("1", "dos"), Published)
    assert time[0] == 10.0


@pytest.mark.parametrize("server", ["standin", "spirit"])
def test_the_login_limit_is_told_with_its_wait(request: pytest.FixtureRequest, server: str) -> None:
    """The sixth login in five minutes is refused without an error status, and five minutes are named."""
    forum = _start_limited(request, server)

    def log_in_often() -> None:
        for _ in range(11):
            connect(forum, ALICE).open()

    with pytest.raises(LoginFailed, match="forum/login-limit") as refusal:
        log_in_often()
    assert refusal.value.retry_after == 300


def _start_limited(request: pytest.FixtureRequest, server: str) -> StandIn | SpiritServer:
    start: Callable[..., StandIn | SpiritServer] = request.getfixturevalue(f"start_{server}")
    limits = {"settings": {"ST_RATELIMIT_ENABLE": True}} if server == "spirit" else {"rate_limits": True}
    return start(ACCOUNTS, **SCENE, **limits)


def test_an_ended_session_is_renewed_once(standin: StandIn, topic: str) -> None:
    """When the forum forgets the session, one login brings it back (F13, F14)."""
    bot = opened(standin)
    standin.end_sessions()
    assert bot.read_topic(topic).last == 5
    standin.end_sessions()
    assert isinstance(bot.post(topic, TEXT), Published)
    logins = [line for line in standin.requests() if line == "POST /user/login/"]
    assert len(logins) == 3


def test_a_session_that_ends_between_form_and_post_is_unknown(standin: StandIn, topic: str) -> None:
    """The forum sends the post to the login form: not stored, not claimed, and the next attempt works
    (F13).
    """
    armed: list[str] = []

    def expire(where: str) -> None:
        if where in armed:
            standin.end_sessions()
            armed.clear()

    bot = opened(standin, checkpoint=expire)
    armed.append("http/sending")
    assert bot.post(topic, TEXT) == Unknown(msg("sent/session-ended"))
    assert copies(standin) == 0
    assert isinstance(bot.post(topic, TEXT), Published)


@pytest.mark.parametrize("kind", ["login-page", "login-redirect", "maintenance"])
@pytest.mark.parametrize("since", [None, 4])
def test_another_page_instead_of_the_topic_is_never_no_posts(
    standin: StandIn, topic: str, kind: str, since: int | None
) -> None:
    """A login form or maintenance page in the topic's place raises, for reading and read-back (F14)."""
    bot = opened(standin)
    standin.fail(kind, "topic", times=ALWAYS)
    with pytest.raises((NotATopic, LoginFailed)):
        bot.read_topic(topic, since)
    with pytest.raises((NotATopic, LoginFailed)):
        bot.find_marker(topic, MARKER)
    assert isinstance(bot.post(topic, TEXT), Refused)


def test_a_page_cut_anywhere_is_incomplete(standin: StandIn, topic: str) -> None:
    """Cut anywhere, with an honest length or without, the topic is never read as shorter (F15)."""
    bot = opened(standin, limits=replace(QUICK, retries=0))
    size = [0]

    def measure(body: bytes) -> bytes:
        size[0] = len(body)
        return body

    standin.fail("mutate", "topic", mutate=measure)
    bot.read_topic(topic, 4)
    assert size[0] > 2000
    for cut in range(0, size[0], 256):
        for kind in ("truncate", "short"):
            fault = standin.fail(kind, "topic", at=cut, times=ALWAYS)
            with pytest.raises(IncompletePage):
                bot.read_topic(topic, 4)
            standin.state.faults.remove(fault)


def test_a_real_page_cut_anywhere_is_incomplete_or_whole(spirit: SpiritServer) -> None:
    """Spirit's own pages, cut at every 64 bytes: refused, or (behind the last tag) read with every post
    (F15).
    """
    topic = spirit.topics[TITLE]
    spirit.write_post(topic, ALICE.name, "> cita\n\n[órdenes]\nmover\n[/órdenes]")
    bot = connect(spirit, BOT)
    bot.open()
    session = bot._session
    assert isinstance(session, Session)
    answer = session.http.get(session.locate(f"topic/{topic}/"))

    def read(body: bytes) -> TopicPage:
        return parse_topic(read_page(body, answer.content_type), ZoneInfo("UTC"), str)

    whole = read(answer.body)
    assert len(whole.posts) == 2
    refused = 0
    for cut in range(0, len(answer.body), 64):
        try:
            assert read(answer.body[:cut]) == whole
        except IncompletePageError:
            refused += 1
    assert refused > len(answer.body) // 64 - 3


def _without_middle(body: bytes) -> bytes:
    """The page without its second post."""
    start = body.index(b'<div class="comments_list__comment', body.index(b'id="c1"'))
    return body[:start] + body[body.index(b'<div class="comments_list__comment', start + 10) :]


def _renamed(old: bytes, new: bytes, count: int = -1) -> Callable[[bytes], bytes]:
    return lambda body: body.replace(old, new, count)


@pytest.mark.parametrize(
    "mutate",
    [
        _without_middle,
        _renamed(b"js-comment", b"x-comment"),
        _renamed(b"comments_list__comment", b"post"),
        _renamed(b"comments_list__comment", b"post", 1),
        _renamed(b"comment__text", b"body"),
        _renamed(b"comment__text", b"body", 1),
        _renamed(b"comment__info__date", b"date"),
        _renamed(b"comment__info__username__link", b"name"),
        _renamed(b"paginator__pages", b"pages"),
        _renamed(b"comments_list", b"list"),
        _renamed(b'data-number="2"', b'data-number="3"'),
        _renamed(b'title="', b'title="around '),
        _renamed(b"p.m.", b"uhr"),
        _renamed("ñandúes".encode(), "ñandúes".encode("latin-1")),
        _renamed(b"</h1>", b"\x00</h1>"),
    ],
    ids=[
        *("post missing", "marker renamed", "container renamed", "one container renamed", "body renamed"),
        *("one body renamed", "time renamed", "author renamed", "paginator renamed", "list renamed"),
        *("number twice", "unknown time", "foreign time", "charset", "nul"),
    ],
)
def test_a_changed_page_is_refused_whole(
    standin: StandIn, topic: str, mutate: Callable[[bytes], bytes]
) -> None:
    """Gaps, another theme, unknown dates and garbled letters fail the page instead of dropping posts (F16,
    F17).
    """
    standin.set_clock((standin.state.now() + timedelta(days=2)).replace(hour=20, minute=30))
    bot = opened(standin)
    standin.write_post(topic, ALICE.name, "otro")
    standin.fail("mutate", "topic", mutate=mutate, times=ALWAYS)
    with pytest.raises((IncompletePage, NotATopic)):
        bot.read_topic(topic)


def test_another_page_than_asked_for_is_refused(standin: StandIn, topic: str) -> None:
    """Page 1 in the place of page 2 is not read as page 2 (F16)."""
    bot = opened(standin)
    standin.fail("other-page", "topic", at=1, times=ALWAYS)
    with pytest.raises(IncompletePage, match="forum/other-page"):
        bot.read_topic(topic)


def test_a_stale_page_is_refused(standin: StandIn, topic: str) -> None:
    """A cache that doesn't know the newest post yet can't make it disappear (F18)."""
    bot = opened(standin)
    standin.fail("stale", "topic", at=1, times=ALWAYS)
    with pytest.raises(IncompletePage, match="forum/shifted"):
        bot.read_topic(topic, 5)


def test_a_stale_page_that_passes_is_read_again(standin: StandIn, topic: str) -> None:
    """One stale answer costs one more look."""
    bot = opened(standin)
    standin.fail("stale", "topic", at=1)
    assert bot.read_topic(topic, 5).last == 5


@pytest.mark.parametrize("victim", [0, 3, 6])
@pytest.mark.parametrize("moment", [1, 2, 3, 4])
def test_a_post_that_moves_away_while_reading_hides_no_other(
    standin: StandIn, victim: int, moment: int
) -> None:
    """A post is deleted just before the n-th look at a page; the reading holds all others, or none (F16)."""
    topic = standin.topics[TITLE]
    for n in range(2, 11):
        standin.write_post(topic, ALICE.name, f"mensaje {n}")
    bot = opened(standin)
    looks = [0]

    def count(body: bytes) -> bytes:
        looks[0] += 1
        if looks[0] == moment:
            standin.delete_post(standin.posts()[victim]["id"])
        return body

    # The page is made before the fault sees it: deleting then means that the next look finds the post gone.
    standin.fail("mutate", "topic", mutate=count, times=ALWAYS)
    reading = bot.read_topic(topic)
    known = [post["id"] for post in standin.posts()]
    assert [post.id for post in reading.posts if post.id in known] == known


def test_posts_that_arrive_while_reading_do_no_harm(standin: StandIn) -> None:
    """A new post at the end during a long reading is left for the next one; nothing else is missed."""
    topic = standin.topics[TITLE]
    for n in range(2, 9):
        standin.write_post(topic, ALICE.name, f"mensaje {n}")
    bot = opened(standin)

    def write(body: bytes) -> bytes:
        standin.write_post(topic, ALICE.name, f"más {len(standin.posts())}")
        return body

    standin.fail("mutate", "topic", mutate=write, times=ALWAYS)
    reading = bot.read_topic(topic)
    assert reading.last >= 8
    assert [post.number for post in reading.posts] == list(range(1, reading.last + 1))


@pytest.mark.parametrize("on", ["topic", "preferences"])
def test_a_redirect_elsewhere_is_never_followed(standin: StandIn, topic: str, on: str) -> None:
    """Neither request nor cookie nor password leaves the forum's origin (F41)."""
    with StandIn(ACCOUNTS) as elsewhere:
        bot = opened(standin) if on == "topic" else connect(standin, BOT)
        standin.fail("redirect", on, text=f"{elsewhere.url}/topic/1/", times=ALWAYS)
        with pytest.raises(ForeignAddress, match="forum/foreign-address"):
            bot.read_topic(topic)
        assert elsewhere.requests() == []


@pytest.mark.parametrize(
    "target", ["//evil.example/", "https://127.0.0.1/", "http://user@127.0.0.1/", "http://x/"]
)
def test_a_post_that_is_sent_elsewhere_is_unknown(standin: StandIn, topic: str, target: str) -> None:
    """A redirect to another host after posting says nothing about the post, and isn't followed (F41)."""
    bot = opened(standin)
    standin.fail("redirect", "publish", text=target)
    assert isinstance(bot.post(topic, TEXT), Unknown)


def test_a_page_made_for_somebody_else_is_refused(standin: StandIn, topic: str) -> None:
    """A cache that hands out another account's page is not believed."""
    bot = opened(standin)
    number = standin.accounts[BOT.name]
    swap = _renamed(f"/user/{number}/".encode(), b"/user/1/")
    standin.fail("mutate", "topic", mutate=swap, times=ALWAYS)
    with pytest.raises(NotATopic, match="forum/other-account"):
        bot.read_topic(topic)


def test_a_post_from_the_future_betrays_a_wrong_zone(standin: StandIn, topic: str) -> None:
    """Times ahead of the forum's own clock mean that the zone is another than believed: no reading."""
    bot = opened(standin)
    standin.fail("mutate", "topic", mutate=_renamed(b", 2026", b", 2036"), times=ALWAYS)
    standin.set_clock(standin.state.now().replace(year=2026))
    standin.write_post(topic, ALICE.name, "ahora")
    with pytest.raises(IncompletePage, match="page/wrong-zone"):
        bot.read_topic(topic)


def test_no_secret_stands_in_an_error(standin: StandIn, topic: str) -> None:
    """Whatever fails, the password and the session stay out of what is raised or answered (F33)."""
    told: list[str] = []
    kinds = ("drop-before-store", "error-before", "maintenance", "redirect", "truncate", "login-redirect")
    for kind in kinds:
        bot = connect(standin, BOT)
        for on in ("preferences", "topic", "publish"):
            standin.fail(kind, on, text="http://elsewhere.example/", at=10, times=4)
            try:
                told.append(repr(bot.post(topic, TEXT)))
                bot.read_topic(topic)
            except ForumError as error:
                told.append(f"{error!r} {error.__cause__!r} {vars(error)}")
            standin.state.faults.clear()
    secrets = [BOT.password, *standin.views.sessions]
    assert len(secrets) > 2
    assert not [text for text in told for secret in secrets if secret in text]
    assert len(told) > 18


def test_an_unanswered_private_message_is_settled_by_read_back(standin: StandIn) -> None:
    """A conversation that was opened without an answer is found
    by title and marker, once.
    """
    bot = opened(standin)
    standin.fail("store-then-drop", "private")
    assert isinstance(bot.send_private("alice", "Asiento Tau", TEXT), Unknown)
    assert [found.text for found in bot.find_private("Asiento Tau", MARKER)] == [TEXT]


def test_reading_new_posts_costs_one_request(standin: StandIn, topic: str) -> None:
    """Once the topic is known, a look at its newest page is one request, whatever its length."""
    bot = opened(standin)
    for n in range(20):
        standin.write_post(topic, ALICE.name, f"mensaje {n}")
    before = len(standin.requests())
    assert bot.read_topic(topic, 25).last == 25
    assert standin.requests()[before:] == ["GET /topic/1/1-x/?page=9"]


def test_what_is_too_long_to_be_read_is_never_read_in_part(
    standin: StandIn, topic: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither a topic, from its beginning or from a known post, nor the list of conversations."""
    for n in range(8):
        standin.write_post(topic, ALICE.name, f"mensaje {n}")
    bot = opened(standin)
    for n in range(3):
        bot.send_private("alice", f"título {n}", "texto")
    first = bot.read_topic(topic).posts[0]
    monkeypatch.setattr("processor.forums.reading._MAX_PAGES", 1)
    monkeypatch.setattr("processor.forums.conversations._MAX_LISTS", 1)
    for read in (
        lambda: bot.read_topic(topic),
        lambda: bot.read_topic(topic, 1, first.id),
        bot.read_private,
    ):
        with pytest.raises(IncompletePage, match="forum/too-long"):
            read()


def test_a_first_look_at_a_long_topic_reads_no_page_twice_but_its_borders(standin: StandIn) -> None:
    """Nine pages cost nine requests and two more for the proof."""
    topic = standin.topics[TITLE]
    for n in range(26):
        standin.write_post(topic, ALICE.name, f"mensaje {n}")
    bot = connect(standin, BOT)
    bot.open()
    before = len(standin.requests())
    assert bot.read_topic(topic).last == 27
    looks = [line for line in standin.requests()[before:] if "/1-x/" in line]
    assert len(looks) == 11
