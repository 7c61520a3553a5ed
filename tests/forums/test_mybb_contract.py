"""What only MyBB does, over its stand-in (forums.md 3 and 5)."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from processor.forums.mybb import MYBB, MybbForum
from processor.ports import IncompletePage, LoginFailed, NotATopic, Unreachable
from rules.engine.messages import msg
from rules.play.posts import Limit, Merged, Outcome, Published, Queued, Refused, Unknown
from tests.support.forum_fixtures import ACCOUNTS, ALICE, BOB, BOT, GM, SCENE, TITLE, Adapter, enter
from tests.support.forum_scene import MARKER
from tests.support.standin import MybbStandIn

RECEIPTS = "ptd1:alfa:3.1:receipts:1/1"
REPORT = f"Informe\n\n{MARKER}"
ACKNOWLEDGED = f"Acuses\n\n{RECEIPTS}"
HOUR = 3600


@pytest.fixture
def forum(mybb_standin: MybbStandIn) -> MybbStandIn:
    """The stand-in, shorter."""
    return mybb_standin


@pytest.fixture
def bot(forum: MybbStandIn) -> Adapter:
    """Our account."""
    return enter(forum, BOT)


@pytest.fixture
def topic(forum: MybbStandIn) -> str:
    """The game's topic."""
    return forum.topics[TITLE]


def published(outcome: Outcome) -> Published:
    """What became of a text that was published."""
    assert isinstance(outcome, Published), outcome
    return outcome


def texts(forum: MybbStandIn) -> list[str]:
    """Our posts as the forum keeps them."""
    return [post["text"] for post in forum.posts() if post["author"] == BOT.name]


# Merging.


def test_it_says_that_it_merges() -> None:
    """Whoever publishes never relies on a post for each text."""
    assert Limit.MERGES in MYBB.limits


@pytest.mark.parametrize("separator", ["\n[hr]\n", "\n", "\n\n"])
def test_a_text_that_follows_soon_is_appended(
    separator: str, forum: MybbStandIn, bot: Adapter, topic: str
) -> None:
    """The outcome says so; both are found, edited and taken back by themselves, whatever stands between."""
    forum.views.separator = separator
    made = published(bot.post(topic, REPORT)).post_id
    assert Merged(made) == bot.post(topic, ACKNOWLEDGED)
    assert [f"{REPORT}{separator}{ACKNOWLEDGED}"] == texts(forum)
    assert Published(made) == bot.edit(made, f"Acuses: 2\n\n{RECEIPTS}")
    assert Published(made) == bot.edit(made, f"Informe: 2\n\n{MARKER}")
    assert [f"Informe: 2\n\n{MARKER}{separator}Acuses: 2\n\n{RECEIPTS}"] == texts(forum)
    assert Published(made) == bot.retract(made, RECEIPTS, "Duplicado.")
    assert [f"Informe: 2\n\n{MARKER}"] == texts(forum)


def test_a_text_is_not_put_into_a_post_where_it_is_not(forum: MybbStandIn, bot: Adapter, topic: str) -> None:
    """Two others stand there: nothing of them is overwritten."""
    made = published(bot.post(topic, REPORT)).post_id
    bot.post(topic, ACKNOWLEDGED)
    before = texts(forum)
    refused = bot.edit(made, f"Otra cosa\n\n{MARKER.replace(':1/2', ':2/2')}")
    assert Refused(msg("sent/other-texts", post=made)) == refused
    assert before == texts(forum)


@pytest.mark.parametrize("between", ["somebody writes", "an hour goes by"])
def test_what_does_not_follow_soon_has_its_own_post(
    between: str, forum: MybbStandIn, bot: Adapter, topic: str
) -> None:
    """Somebody else's post, or an hour, keeps texts apart."""
    made = published(bot.post(topic, REPORT)).post_id
    if between == "somebody writes":
        forum.write_post(topic, "alice", "gracias")
    else:
        forum.shift_clock(HOUR)
    assert made != published(bot.post(topic, ACKNOWLEDGED)).post_id
    assert [REPORT, ACKNOWLEDGED] == texts(forum)


def test_an_account_that_is_exempt_has_a_post_for_each_text(forum: MybbStandIn, topic: str) -> None:
    """As the recipe asks for: nothing has to be known beforehand."""
    staff = enter(forum, GM)
    ids = [published(staff.post(topic, text)).post_id for text in (REPORT, ACKNOWLEDGED)]
    assert 2 == len(set(ids))


def test_a_lost_answer_is_settled_in_the_middle_of_a_post(
    forum: MybbStandIn, bot: Adapter, topic: str
) -> None:
    """Appended and never answered: it is found behind the other, which is still found before it."""
    made = published(bot.post(topic, REPORT)).post_id
    forum.fail("store-then-drop", "publish")
    assert isinstance(bot.post(topic, ACKNOWLEDGED), Unknown)
    bot.post(topic, f"Tercero\n\n{RECEIPTS.replace('receipts', 'open')}")
    found = [one for mark in (MARKER, RECEIPTS) for one in bot.find_marker(topic, mark)]
    assert [(made, REPORT), (made, ACKNOWLEDGED)] == [(one.post_id, one.text) for one in found]


def test_what_was_written_by_hand_before_a_text_stays(forum: MybbStandIn, bot: Adapter, topic: str) -> None:
    """Somebody has posted with our account, and the forum has appended our text to that."""
    forum.write_post(topic, BOT.name, "¡Bienvenidos!")
    made = bot.post(topic, REPORT)
    assert isinstance(made, Merged)
    assert [REPORT] == [one.text for one in bot.find_marker(topic, MARKER)]
    bot.edit(made.post_id, f"Informe: 2\n\n{MARKER}")
    assert [f"¡Bienvenidos!\n[hr]\nInforme: 2\n\n{MARKER}"] == texts(forum)


def test_an_older_post_that_does_not_have_the_text_is_no_merging(
    forum: MybbStandIn, bot: Adapter, topic: str
) -> None:
    """Wherever the answer leads: what isn't there is looked for."""
    made = published(bot.post(topic, REPORT)).post_id
    forum.write_post(topic, "alice", "gracias")
    older = f"pid={made}#pid{made}".encode()
    forum.fail("mutate", "publish", mutate=lambda page: re.sub(rb"pid=\d+#pid\d+", older, page))
    assert isinstance(bot.post(topic, ACKNOWLEDGED), Unknown)
    assert [ACKNOWLEDGED] == [one.text for one in bot.find_marker(topic, RECEIPTS)]


def test_no_smiley_eats_a_marker(forum: MybbStandIn, bot: Adapter, topic: str) -> None:
    """A game may be called as one of MyBB's own smilies; it is found after an edit, too."""
    marker = "ptd1:my:3.1:receipts:1/1"
    made = published(bot.post(topic, f"Acuses\n\n{marker}")).post_id
    bot.edit(made, f"Acuses: 2\n\n{marker}")
    assert [made] == [one.post_id for one in bot.find_marker(topic, marker)]


def test_a_player_s_posts_that_were_merged_are_an_edited_post(forum: MybbStandIn, topic: str) -> None:
    """It keeps its time, shows both texts, and that it was edited."""
    alice = enter(forum, ALICE)
    first = published(alice.post(topic, "mover E3")).post_id
    before = alice.read_topic(topic).posts[-1]
    forum.shift_clock(600)
    assert Merged(first) == alice.post(topic, "mover E4")
    after = alice.read_topic(topic).posts[-1]
    assert (before.id, before.created_at) == (after.id, after.created_at)
    assert (0, 1) == (before.edits, after.edits)
    assert "E3" in (after.html or "")
    assert "E4" in (after.html or "")


# Outcomes.


def test_a_moderated_text_is_queued(forum: MybbStandIn, bot: Adapter, topic: str) -> None:
    """MyBB leads to the topic instead of the post: nobody sees it, and it isn't found."""
    forum.views.queued = {BOT.name}
    assert isinstance(bot.post(topic, REPORT), Queued)
    assert () == bot.find_marker(topic, MARKER)


def test_an_account_that_wants_no_pages_in_between(forum: MybbStandIn, bot: Adapter, topic: str) -> None:
    """Then MyBB leads on by its status, and all is the same."""
    forum.views.quick = True
    made = published(bot.post(topic, REPORT)).post_id
    assert Merged(made) == bot.post(topic, ACKNOWLEDGED)
    assert published(bot.send_private("alice", "Alfa", "hola")).topic


def test_who_is_too_fast_is_told_how_long_to_wait() -> None:
    """By the number in the forum's words, whatever its language; posts and private messages apart."""
    with MybbStandIn(ACCOUNTS, **SCENE, rate_limits=True) as forum:
        bot, topic = enter(forum, BOT), forum.topics[TITLE]
        published(bot.post(topic, REPORT))
        published(bot.send_private("alice", "Alfa", "uno"))
        forum.shift_clock(20)
        refused = [bot.post(topic, ACKNOWLEDGED), bot.send_private("alice", "Alfa", "dos")]
        waits = [one.retry_after for one in refused if isinstance(one, Refused)]
        assert [True, True] == [wait is not None and 39 <= wait <= 42 for wait in waits]
        forum.shift_clock(42)
        assert isinstance(bot.post(topic, ACKNOWLEDGED), Merged)
        published(bot.send_private("alice", "Alfa", "dos"))


def test_the_distance_is_kept_without_asking(forum: MybbStandIn, topic: str) -> None:
    """A minute and a second between two texts of a kind, for which nobody is kept waiting: each is told when
    its turn comes, and a few seconds are waited for.
    """
    now, slept = 0.0, list[float]()
    bot = enter(forum, BOT, min_interval=MYBB.min_interval, clock=lambda: now, sleep=slept.append)
    published(bot.post(topic, REPORT))
    published(bot.send_private("alice", "Alfa", "uno"))
    before = len(forum.requests())
    now = 21.0
    outcomes = [
        bot.post(topic, ACKNOWLEDGED),
        *(bot.send_private(name, "Alfa", "dos") for name in ("alice", "bob", "gamemaster")),
    ]
    assert [40.0, 40.0, 101.0, 162.0] == [one.retry_after for one in outcomes if isinstance(one, Refused)]
    assert ([], []) == (forum.requests()[before:], slept)
    now = 59.0
    assert isinstance(bot.post(topic, ACKNOWLEDGED), Merged)
    assert [2.0] == slept


def test_what_is_refused_for_good_is_told_at_once(forum: MybbStandIn, bot: Adapter, topic: str) -> None:
    """Numbers in other complaints are no waits."""
    bot.open()
    forum.close_topic(topic)
    assert Refused(msg("sent/closed")) == bot.post(topic, REPORT)
    missing = bot.post("999", REPORT)
    assert isinstance(missing, Refused)
    assert missing.retry_after is None


def test_a_short_text_is_refused_in_the_forum_s_words(forum: MybbStandIn, topic: str) -> None:
    """Five characters are the least, and neither of the two numbers is a wait."""
    refused = enter(forum, ALICE).post(topic, "ay")
    assert Refused("El mensaje es corto: al menos 5 caracteres, y tiene 2.", 60.0) == refused


def test_a_key_that_is_too_old_is_no_end(forum: MybbStandIn, bot: Adapter, topic: str) -> None:
    """A page with status 200 says no: nothing was stored, and the next attempt takes a new form."""
    bot.open()
    forum.fail(
        "mutate", "form", mutate=lambda page: page.replace(b'my_post_key" value="', b'my_post_key" value="x')
    )
    assert Refused("El código de autorización no coincide.", 60.0) == bot.post(topic, REPORT)
    published(bot.post(topic, REPORT))
    assert [REPORT] == texts(forum)


def test_each_text_has_a_form_of_its_own(forum: MybbStandIn, bot: Adapter, topic: str) -> None:
    """MyBB takes a form's `posthash` once, and says so of a form that is sent again."""
    published(bot.post(topic, REPORT))
    bot.post(topic, ACKNOWLEDGED)
    assert 2 == forum.requests().count(f"GET /newreply.php?tid={topic}")
    forum.views._hashes = dict.fromkeys(forum.views._hashes, True)
    forum.fail("mutate", "form", mutate=_with_hash(next(iter(forum.views._hashes))))
    assert Refused("Ya has enviado esta respuesta.", 60.0) == bot.post(topic, "Tercero")


def test_a_form_that_came_twice_is_in_doubt(
    forum: MybbStandIn, bot: Adapter, topic: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody between us sends it again where the first answer is lost: the second copy is refused."""
    publish = forum.views._post_publish
    monkeypatch.setattr(forum.views, "_post_publish", lambda call: (publish(call), publish(call))[1])
    assert Unknown("Ya has enviado esta respuesta.") == bot.post(topic, REPORT)
    assert [[REPORT], 1] == [texts(forum), len(bot.find_marker(topic, MARKER))]


def _with_hash(used: str) -> Callable[[bytes], bytes]:
    return lambda page: re.sub(
        rb'name="posthash" value="\w+"', f'name="posthash" value="{used}"'.encode(), page
    )


@pytest.mark.parametrize(
    ("kind", "stored"),
    [
        ("drop-before-store", 0),
        ("error-before", 0),
        ("login-redirect", 0),
        ("login-page", 0),
        ("maintenance", 0),
        ("store-then-drop", 1),
        ("error-after", 1),
    ],
)
@pytest.mark.parametrize("where", ["publish", "private"])
def test_an_unclear_answer_is_unknown_and_nothing_is_sent_twice(
    kind: str, stored: int, where: str, forum: MybbStandIn, bot: Adapter, topic: str
) -> None:
    """What can't be told is settled by reading back (F10-F13)."""
    bot.open()
    forum.fail(kind, where)
    outcome = bot.post(topic, REPORT) if where == "publish" else bot.send_private("alice", "título", REPORT)
    assert isinstance(outcome, Unknown), outcome
    assert stored == texts(forum).count(REPORT)
    found = bot.find_marker(topic, MARKER) if where == "publish" else bot.find_private("título", MARKER)
    assert stored == len(found)


def test_a_message_is_looked_for_in_one_reading_of_the_mail(forum: MybbStandIn, bot: Adapter) -> None:
    """Each folder is asked for once, however many conversations have that title."""
    bot.send_private("alice", "título", REPORT)
    forum.shift_clock(61)
    bot.send_private("bob", "título", f"A Beto\n\n{MARKER}")
    seen = len(forum.events("request"))
    assert len(bot.find_private("título", MARKER)) == 2
    asked = [event.what for event in forum.events("request")[seen:]]
    assert ["GET /private.php", "GET /private.php?fid=2"] == [one for one in asked if "action" not in one]


# Times.


@pytest.mark.parametrize(
    ("dates", "times"),
    [("%m-%d-%Y", "%I:%M %p"), ("%d.%m.%y", "%H:%M"), ("%Y-%m-%d", "%H:%M"), ("%d/%m/%Y", "%I:%M %p")],
)
def test_times_are_read_in_the_account_s_format(
    dates: str, times: str, forum: MybbStandIn, topic: str
) -> None:
    """For accounts in three zones, in posts of today, yesterday and before: the same moments."""
    forum.views.dates, forum.views.times = dates, times
    for _ in range(3):
        forum.shift_clock(86_400)
        forum.write_post(topic, "alice", "hola")
    readings = [enter(forum, account).read_topic(topic) for account in (GM, ALICE, BOB)]
    moments = {tuple(post.created_at for post in reading.posts) for reading in readings}
    assert 1 == len(moments)
    known = [post["date"][:16] for post in forum.posts()]
    assert known == [f"{moment:%Y-%m-%dT%H:%M}" for moment in moments.pop()]


def test_a_format_with_names_of_months_is_refused(forum: MybbStandIn, bot: Adapter) -> None:
    """When the account is opened, with what its clock shows."""
    forum.views.dates = "%d de marzo de %Y"
    with pytest.raises(IncompletePage, match=r"page/unknown-clock.*de marzo de"):
        bot.open()


def test_a_day_that_reads_both_ways_needs_the_account_s_choice(forum: MybbStandIn, topic: str) -> None:
    """On 12 December nothing of another day is guessed; who has chosen a format is read."""
    known = enter(forum, BOT).read_topic(topic).server_time
    to_december = known.replace(year=known.year + 2, month=12, day=5, hour=12) - known
    forum.shift_clock(to_december.total_seconds())
    forum.write_post(topic, "alice", "hola")
    forum.shift_clock(7 * 86_400)
    with pytest.raises(IncompletePage, match="page/ambiguous-date"):
        enter(forum, BOT).read_topic(topic, 2)
    forum.views.chosen = "1"
    assert (12, 5) == (
        (post := enter(forum, BOT).read_topic(topic).posts[-1]).created_at.month,
        post.created_at.day,
    )


def test_a_page_whose_clock_is_behind_is_an_old_one(forum: MybbStandIn, bot: Adapter, topic: str) -> None:
    """Whatever keeps copies between us and the forum: the clock at the foot of each page tells (F18)."""
    old = bot.read_topic(topic).server_time
    forum.shift_clock(HOUR)
    kept = f"{old:%m-%d-%Y, %I:%M %p}".encode()
    forum.fail(
        "mutate",
        "topic",
        times=9,
        mutate=lambda page: re.sub(rb"(Hora:</strong> )[^<]*", rb"\g<1>" + kept, page),
    )
    with pytest.raises(IncompletePage, match="page/stale"):
        bot.read_topic(topic)


# Sessions.


def test_only_a_cookie_tells_that_a_login_succeeded(forum: MybbStandIn) -> None:
    """MyBB answers a refused login with status 200, and says why beside the form."""
    wrong = type(ALICE)(ALICE.name, "not-the-password")
    with pytest.raises(LoginFailed, match=r"forum/login-refused.*Invalid username or password"):
        enter(forum, wrong).open()


def test_too_many_tries_are_waited_for() -> None:
    """Ten in a quarter of an hour; then MyBB shows a page without a form."""
    with MybbStandIn(ACCOUNTS, **SCENE, rate_limits=True) as forum:
        wrong = type(ALICE)(ALICE.name, "not-the-password")
        for _ in range(10):
            with pytest.raises(LoginFailed, match="forum/login-refused"):
                enter(forum, wrong).open()
        with pytest.raises(LoginFailed, match=r"forum/login-limit.*Demasiados intentos") as refusal:
            enter(forum, BOB).open()
        assert 900 == refusal.value.retry_after


def test_a_session_that_ends_is_opened_again(forum: MybbStandIn, bot: Adapter, topic: str) -> None:
    """MyBB shows a guest's page, not a redirect; one login follows."""
    bot.open()
    forum.end_sessions()
    assert 1 == bot.read_topic(topic).last
    assert 2 == forum.requests().count("POST /member.php")


def test_a_board_that_is_closed_is_no_missing_topic(forum: MybbStandIn, bot: Adapter) -> None:
    """It says so on every page; on that of the account's options it can be told."""
    bot.open()
    forum.views.board_closed = True
    with pytest.raises(NotATopic, match=r"forum/closed-board.*por obras"):
        bot.open()


# Pages.


@pytest.mark.parametrize(
    "kind", ["maintenance", "login-page", "truncate", "short", "error-before", "limited"]
)
def test_another_page_is_never_an_empty_topic(
    kind: str, forum: MybbStandIn, bot: Adapter, topic: str
) -> None:
    """Maintenance, a cut page, an error: a named refusal, never fewer posts (F8, F9, F14, F15)."""
    bot.open()
    forum.fail(kind, "topic", times=99, at=900)
    with pytest.raises((IncompletePage, Unreachable, LoginFailed, NotATopic)):
        bot.read_topic(topic)


def test_a_cut_at_any_place_is_noticed(forum: MybbStandIn, bot: Adapter, topic: str) -> None:
    """A topic page that ends early is refused wherever it ends (F15)."""
    bot.open()
    assert isinstance(bot, MybbForum)
    whole = len(bot._session.http.get(f"showthread.php?tid={topic}").body)
    for at in range(0, whole - len("<!-- end: page -->"), 150):
        forum.fail("truncate", "topic", times=2, at=at)
        with pytest.raises((IncompletePage, NotATopic)):
            bot.read_topic(topic)


def test_a_page_that_is_another_one_is_noticed(forum: MybbStandIn, bot: Adapter, topic: str) -> None:
    """MyBB shows the last page for one that isn't there; one that is there and isn't shown is an error."""
    for n in range(8):
        forum.write_post(topic, "alice", f"mensaje {n}")
    forum.fail("other-page", "topic", times=9, at=3)
    with pytest.raises(IncompletePage, match="forum/other-page"):
        bot.read_topic(topic)


def test_a_stale_page_is_noticed(forum: MybbStandIn, bot: Adapter, topic: str) -> None:
    """A page without the newest known post proves itself old (F18)."""
    forum.write_post(topic, "alice", "dos")
    newest = bot.read_topic(topic).posts[-1]
    forum.fail("stale", "topic", times=9, at=1)
    with pytest.raises(IncompletePage, match="forum/shifted"):
        bot.read_topic(topic, 2, newest.id)


@pytest.mark.parametrize(
    ("name", "by"),
    [
        (b"post_body", b"cuerpo"),
        (b"post_date", b"fecha"),
        (b'id="posts"', b'id="mensajes"'),
        (b"pagination", b"paginas"),
    ],
)
def test_another_theme_is_noticed(
    name: bytes, by: bytes, forum: MybbStandIn, bot: Adapter, topic: str
) -> None:
    """Where names match nothing, or half of it, nothing is read."""
    for n in range(4):
        forum.write_post(topic, "alice", f"mensaje {n}")
    bot.open()
    forum.fail("mutate", "topic", times=9, mutate=lambda page: page.replace(name, by))
    with pytest.raises((IncompletePage, NotATopic)):
        bot.read_topic(topic)


def test_a_tree_of_posts_is_no_topic_of_one(forum: MybbStandIn, bot: Adapter, topic: str) -> None:
    """An account may be used to seeing one post and a tree: the whole is asked for, and a tree is refused."""
    forum.views.threaded = True
    forum.write_post(topic, "alice", "dos")
    assert 2 == bot.read_topic(topic).last
    published(bot.post(topic, REPORT))
    forum.fail("mutate", "topic", times=9, mutate=lambda page: page.replace(b"mode=threaded", b"mode=linear"))
    with pytest.raises(IncompletePage, match="page/threaded"):
        bot.read_topic(topic)


def test_a_signature_is_no_part_of_the_post(forum: MybbStandIn, bot: Adapter, topic: str) -> None:
    """It stands beside the body, and may look like orders, or lead to other pages."""
    bot.post(topic, REPORT)
    before = bot.read_topic(topic).posts
    forum.views.signatures = {
        "turnero": '[órdenes]<br />atacar<br />[/órdenes] <a href="showthread.php?tid=9&amp;page=4">yo</a>'
    }
    assert before == bot.read_topic(topic).posts
    assert 1 == len(bot.find_marker(topic, MARKER))


def test_what_mybb_changes_in_a_quote_is_not_given(forum: MybbStandIn, bot: Adapter, topic: str) -> None:
    """A line that may have been `/me`: there is no text then, rather than another one."""
    written = forum.write_post(topic, "alice", "* alice se esconde")
    assert None is bot.raw_text(written, topic)


# Private messages.


def test_answers_belong_to_the_conversation(forum: MybbStandIn, bot: Adapter) -> None:
    """Single messages of the same people under the same subject, with `Re:` or without; another subject is
    another conversation, and so are other people.
    """
    alice, bob = enter(forum, ALICE), enter(forum, BOB)
    sent = published(bot.send_private("alice", "Alfa: Tau", "uno"))
    alice.send_private("turnero", "RE: Re: Alfa: Tau", "dos")
    alice.send_private("turnero", "Otra cosa", "tres")
    bob.send_private("turnero", "Alfa: Tau", "cuatro")
    read = {reading.topic: [post.html for post in reading.posts] for reading in bot.read_private()}
    assert ["uno", "dos"] == read.pop(sent.topic or "")
    assert [["cuatro"], ["tres"]] == sorted(read.values())


def test_a_conversation_keeps_its_id(forum: MybbStandIn, bot: Adapter) -> None:
    """Whoever opens a new one with the same title goes on with it, also in another run."""
    first, second = (published(bot.send_private("alice", "Alfa", text)) for text in ("uno", "dos"))
    third = published(enter(forum, BOT).post(first.topic or "", "tres"))
    assert {first.topic} == {second.topic, third.topic}
    assert 3 == len({first.post_id, second.post_id, third.post_id})
    (reading,) = bot.read_private()
    assert ["uno", "dos", "tres"] == [post.html for post in reading.posts]


def test_a_message_is_asked_for_once(forum: MybbStandIn, bot: Adapter) -> None:
    """Nobody can change it: what was read is known."""
    enter(forum, ALICE).send_private("turnero", "Alfa", "uno")
    bot.read_private()
    before = len(forum.requests())
    bot.read_private()
    assert ["GET /private.php", "GET /private.php?fid=2"] == forum.requests()[before:]


def test_a_private_message_can_not_be_edited(forum: MybbStandIn, bot: Adapter) -> None:
    """Nobody can: certainly not stored, which no waiting mends."""
    sent = published(bot.send_private("alice", "Alfa", "uno"))
    assert Refused(msg("sent/fixed-letter")) == bot.edit(sent.post_id, "dos")


def test_nobody_else_is_answered(forum: MybbStandIn, bot: Adapter) -> None:
    """A form that is addressed to another account is not sent; where nobody has written yet it is known
    afterwards by whose conversation the message belongs to.
    """
    sent = published(bot.send_private("alice", "Alfa", "uno"))
    to_bob = {"mutate": lambda page: page.replace(b'name="to" value="alice"', b'name="to" value="bob"')}
    forum.fail("mutate", "form", **to_bob)
    assert isinstance(bot.post(sent.topic or "", "dos"), Unknown)
    enter(forum, ALICE).send_private("turnero", "Re: Alfa", "tres")
    before = len(forum.posts())
    forum.fail("mutate", "form", **to_bob)
    refused = Refused(msg("sent/other-recipient", to="bob", names=("alice",)))
    assert (refused, before) == (bot.post(sent.topic or "", "cuatro"), len(forum.posts()))


def test_another_message_or_quote_is_not_taken_for_the_one_asked_for(
    forum: MybbStandIn, bot: Adapter, topic: str
) -> None:
    """What a page says of itself has to be what it was asked for."""
    bot.open()
    written = forum.write_post(topic, "alice", "hola")
    forum.fail(
        "mutate", "form", mutate=lambda page: page.replace(f"pid=&#x27;{written}".encode(), b"pid=&#x27;9")
    )
    assert (None, "hola") == (bot.raw_text(written, topic), bot.raw_text(written, topic))
    enter(forum, ALICE).send_private("turnero", "Alfa", "uno")
    forum.fail("mutate", "letter", mutate=lambda page: re.sub(rb"pmid=\d+", b"pmid=9", page))
    with pytest.raises(NotATopic, match="forum/other-topic"):
        bot.read_private()


def test_others_read_no_message(forum: MybbStandIn, bot: Adapter) -> None:
    """A copy's number belongs to its owner."""
    sent = published(bot.send_private("alice", "Alfa", "uno"))
    assert None is enter(forum, BOB).raw_text(sent.post_id, sent.topic or "")
    assert "uno" == bot.raw_text(sent.post_id, sent.topic or "")


def test_a_folder_of_too_many_pages_is_not_read_in_part(
    forum: MybbStandIn, bot: Adapter, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Orders may stand on those behind."""
    alice = enter(forum, ALICE)
    for n in range(3):
        alice.send_private("turnero", f"Alfa {n}", "uno")
    monkeypatch.setattr("processor.forums.mybb_mailbox._MAX_PAGES", 1)
    with pytest.raises(IncompletePage, match="forum/too-long"):
        bot.read_private()
