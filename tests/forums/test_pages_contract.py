"""What forums that are read by their pages do besides what every forum does (`test_contract.py`): the same
tests over real ones and over stand-ins.
"""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from processor.pipeline.seen import see_post
from processor.ports import ForumError, IncompletePage, LoginFailed, NotATopic
from rules.engine.messages import msg
from rules.play.posts import Limit, Post, Precision, Published, Refused
from tests.support.forum_fixtures import ALICE, BOB, BOT, GM, TITLE
from tests.support.forum_scene import MARKER, Scene, numbers, post_id
from tests.support.typed import code, inline_code, quote


@pytest.fixture
def scene(request: pytest.FixtureRequest, forum_name: str) -> Scene:
    """The same small forum, played by stand-ins and real."""
    return Scene(request.getfixturevalue(forum_name))


def text_of(scene: Scene, post: Post) -> str:
    """What a reader sees of a post."""
    return "\n".join(line.text for line in see_post(post, scene.server.software)[0].lines)


def goes_without_letters(scene: Scene) -> bool:
    """Whether the forum has no private messages; it says so then, and nothing is made public instead."""
    bot = scene.connect(BOT)
    if bot.capabilities.private:
        return False
    refused = bot.send_private("alice", "Alfa", "hola")
    assert isinstance(refused, Refused)
    assert refused.retry_after is None
    with pytest.raises(ForumError, match="forum/no-private"):
        bot.find_private("Alfa", MARKER)
    assert 1 == len(scene.server.posts())
    return True


def test_open_gives_the_account_id(scene: Scene) -> None:
    """Opening a session answers the account's own id, as the forum's pages tell it."""
    known = scene.server.accounts
    assert [known["gamemaster"], known["alice"]] == [scene.connect(one).open() for one in (GM, ALICE)]


def test_a_wrong_password_is_told_in_the_forum_s_words(scene: Scene) -> None:
    """A refused login raises LoginFailed with what the forum says, and doesn't hold the password."""
    wrong = type(ALICE)(ALICE.name, "not-the-password")
    forum = scene.connect(wrong)
    keyed = Limit.SESSIONS in forum.capabilities.limits
    said = "forum/key-refused" if keyed else r"forum/login-refused.*(?i:password)"
    with pytest.raises(LoginFailed, match=said) as refusal:
        forum.open()
    assert "not-the-password" not in repr(refusal.value.__dict__)


def test_a_password_that_was_spoilt_is_refused_like_any_other(scene: Scene) -> None:
    """A second line in its file, an editor's quotation mark: keys go into headers, which can't hold them."""
    for spoilt in ("cl“ave", "dos\nlíneas"):
        with pytest.raises(LoginFailed):
            scene.connect(type(ALICE)(ALICE.name, spoilt)).open()


def test_times_are_utc_whatever_the_account_sees(scene: Scene) -> None:
    """Accounts in three zones read the same moment, as exactly as the forum tells it, close to its clock."""
    scene.fill(2)
    forums = [scene.connect(account) for account in (GM, ALICE, BOB)]
    readings = [forum.read_topic(scene.topic) for forum in forums]
    moments = {reading.posts[-1].created_at for reading in readings}
    assert len(moments) == 1
    moment = moments.pop()
    assert moment.tzinfo is UTC
    assert moment.microsecond == 0
    assert moment.second == 0 or forums[0].capabilities.precision is Precision.SECOND
    assert abs((readings[0].server_time - moment).total_seconds()) < 180


def test_server_time_is_the_forum_s(scene: Scene) -> None:
    """The forum's clock is read from its answers, also when it is an hour ahead of ours."""
    scene.server.shift_clock(3600)
    bot = scene.connect(BOT)
    bot.open()
    ahead = (bot.server_time() - datetime.now(UTC)).total_seconds()
    assert 3500 < ahead < 3700


def test_a_topic_is_read_with_title_authors_and_addresses(scene: Scene) -> None:
    """A reading has what the pages show: author ids, bodies, addresses, the title unescaped."""
    scene.fill(2)
    bot = scene.connect(BOT)
    reading, known = bot.read_topic(scene.topic), scene.server.accounts
    first, second = reading.posts
    assert reading.title == TITLE
    assert (first.author_id, first.author) == (known["gamemaster"], "gamemaster")
    assert (second.author_id, second.author) == (known["alice"], "alice")
    assert [text_of(scene, post) for post in (first, second)] == ["Hola.", "mensaje 2"]
    assert second.url == bot.post_url(second.id)
    assert second.url.startswith(f"{scene.server.url}/")
    assert (reading.first, reading.last, reading.participants) == (1, 2, ())
    assert not second.private


@pytest.mark.parametrize("count", [1, 2, 3, 4, 6, 7, 10])
def test_all_pages_are_read(scene: Scene, count: int) -> None:
    """Every number of posts around the page's length is read whole and in order."""
    scene.fill(count)
    assert list(range(1, count + 1)) == numbers(scene.connect(BOT), scene.topic)


@pytest.mark.parametrize("since", [1, 2, 3, 4, 5, 6, 7, 8])
def test_reading_since_a_position_starts_there(scene: Scene, since: int) -> None:
    """`since` is inclusive, on the page's first and last place alike."""
    scene.fill(8)
    assert list(range(since, 9)) == numbers(scene.connect(BOT), scene.topic, since)


def test_a_position_that_is_not_there_proves_a_stale_page(scene: Scene) -> None:
    """Where the known newest post is missing, nothing is read as if it were all."""
    scene.fill(4)
    with pytest.raises(IncompletePage, match="forum/shifted"):
        scene.connect(BOT).read_topic(scene.topic, 5)


def test_a_deleted_post_shows_by_its_successor(scene: Scene) -> None:
    """When posts have moved up, the known id no longer stands at its position and the reading is refused."""
    ids = scene.fill(5)
    bot = scene.connect(BOT)
    assert bot.read_topic(scene.topic, 4, ids[2]).first == 4
    scene.server.delete_post(ids[0])
    with pytest.raises(IncompletePage, match=rf"forum/shifted.*post {ids[2]} stood at 4, now post {ids[3]}"):
        bot.read_topic(scene.topic, 4, ids[2])


def test_a_moderator_s_account_does_not_see_removed_texts_either(scene: Scene) -> None:
    """What only moderators can unfold is nobody's order."""
    ids = scene.fill(2)
    scene.server.remove_post(ids[0])
    posts = scene.connect(GM).read_topic(scene.topic).posts
    assert [] == [post for post in posts if post.id == ids[0] and (post.html or post.raw)]
    assert [] == [post for post in posts if "mensaje 2" in f"{post.html} {post.raw}"]


def test_an_edit_is_marked_and_keeps_the_post_s_time(scene: Scene) -> None:
    """An edited post shows that it was (the newest not everywhere), and when it was first written."""
    alice = scene.connect(ALICE)
    written = post_id(alice.post(scene.topic, "mover E3"))
    before = alice.read_topic(scene.topic).posts[-1]
    scene.server.shift_clock(120)
    assert alice.edit(written, "mover E4") == Published(written)
    assert alice.edit(written, "mover E5") == Published(written)
    after = alice.read_topic(scene.topic).posts[-1]
    marked = Limit.EDIT_MARKS not in alice.capabilities.limits
    assert (0, marked) == (before.edits, after.edits > 0)
    assert after.created_at == before.created_at
    assert text_of(scene, after) == "mover E5"


def test_an_edit_that_changes_nothing_is_not_sent(scene: Scene) -> None:
    """Editing to the text that stands there leaves no mark."""
    alice = scene.connect(ALICE)
    written = post_id(alice.post(scene.topic, "uno\n\ndos"))
    assert alice.edit(written, "uno\n\ndos\n") == Published(written)
    assert alice.read_topic(scene.topic).posts[-1].edits == 0


def test_texts_come_back_as_they_were_typed(scene: Scene) -> None:
    """Lists, fences, quotes, indentation and odd characters survive posting and the raw text, LF at line
    ends.
    """
    text = "[órdenes turno 3]\n1. mover E3: 2 a CM-5\n2. `x`  *a*  <b>&amp;\n[/órdenes]\n\n"
    text += "```órdenes\n  hola\n```\n> cita"
    alice, bot = scene.connect(ALICE), scene.connect(BOT)
    written = post_id(alice.post(scene.topic, text))
    given = None if Limit.RAW_TEXT in bot.capabilities.limits else text
    assert (text, given) == (alice.raw_text(written, scene.topic), bot.raw_text(written, scene.topic))


def test_the_raw_text_of_a_quote_keeps_the_quote(scene: Scene) -> None:
    """Only what the quote form adds is taken away, not what the player quoted; else there is none."""
    text = quote(scene.server.software, "Hola.") + "\n\nNo estoy de acuerdo"
    alice, bot = scene.connect(ALICE), scene.connect(BOT)
    written = post_id(alice.post(scene.topic, text))
    cut = {Limit.QUOTING_TEXTS, Limit.RAW_TEXT} & bot.capabilities.limits
    assert bot.raw_text(written, scene.topic) == (None if cut else text)
    assert alice.raw_text(written, scene.topic) == text


def test_the_raw_text_of_a_missing_post_is_none(scene: Scene) -> None:
    """Where the forum gives no text, none is made up."""
    assert scene.connect(BOT).raw_text("999", scene.topic) is None


def test_one_post_is_read_in_one_request(scene: Scene) -> None:
    """As a reading shows it, from the page on which it stood last, or by its own address."""
    written = scene.fill(5)
    forum = scene.connect(BOT)
    reading = forum.read_topic(scene.topic)
    post = next(one for one in reading.posts if one.id == written[2])
    assert post == forum.read_post(scene.topic, post.id, post.number or 0)
    elsewhere = [forum.read_post(scene.topic, post.id, number) for number in (1, 99)]
    assert {post.id} >= {found.id for found in elsewhere if found is not None}
    assert forum.read_post(scene.topic, "999", post.number or 0) is None


def test_quotes_and_code_are_told_apart_in_the_body(scene: Scene) -> None:
    """The body keeps the structure that the markup reader needs."""
    software = scene.server.software
    text = quote(software, "uno") + "\n\n" + code(software, "mover", "órdenes")
    scene.connect(ALICE).post(scene.topic, text)
    post = scene.connect(BOT).read_topic(scene.topic).posts[-1]
    seen, raw = see_post(post, software)
    assert not raw
    assert ([("mover", False)], ["quote"]) == (
        [(line.text, line.fence is None) for line in seen.lines],
        [skip.kind for skip in seen.skipped],
    )


def test_what_follows_a_quote_within_a_quote_is_still_quoted(scene: Scene) -> None:
    """At any depth, on the page as in the text as typed: nobody gives orders by quoting them."""
    software = scene.server.software
    inner = quote(software, "[órdenes turno 3]\nproducir\n[/órdenes]", "bob")
    for _ in range(2):
        inner = quote(software, f"{inner}\n[órdenes turno 3]\nproducir\n[/órdenes]")
    written = post_id(scene.connect(ALICE).post(scene.topic, f"{inner}\n\nde acuerdo"))
    bot = scene.connect(BOT)
    post = bot.read_topic(scene.topic).posts[-1]
    raw = bot.raw_text(written, scene.topic)
    ways = [post, *([replace(post, html=None, raw=raw)] if raw is not None else [])]
    for one in ways:
        seen, _ = see_post(one, software)
        assert (["de acuerdo"], {"quote"}) == (
            [line.text for line in seen.lines],
            {skip.kind for skip in seen.skipped},
        )


def test_posting_answers_the_new_post_s_id(scene: Scene) -> None:
    """The id in the outcome is the one that the forum's own list has, and nothing was posted twice."""
    outcome = scene.connect(BOT).post(scene.topic, "Informe")
    stored = [post for post in scene.server.posts() if post["text"] == "Informe"]
    assert outcome == Published(stored[0]["id"], scene.topic)
    assert len(stored) == 1


def test_a_text_over_the_limit_is_refused_before_sending(scene: Scene) -> None:
    """The limit counts line ends double where the forum does."""
    alice = scene.connect(ALICE, max_chars=3000)
    lines = "\n".join(["x"] * 1000)
    fits = lines + "x" * (3000 - alice.capabilities.size(lines))
    over = fits + "x"
    assert isinstance(alice.post(scene.topic, fits), Published)
    refused = alice.post(scene.topic, over)
    assert refused == Refused(msg("sent/too-long", size=3001, most=3000))


def test_a_closed_topic_refuses_posts_and_can_be_read(scene: Scene) -> None:
    """A locked topic is a refusal that no waiting mends; reading still works, and reading back."""
    alice, text = scene.connect(ALICE), f"antes\n\n{MARKER}"
    written = post_id(alice.post(scene.topic, text))
    scene.server.close_topic(scene.topic)
    outcome = alice.post(scene.topic, "después")
    assert isinstance(outcome, Refused)
    assert outcome.retry_after is None
    assert alice.read_topic(scene.topic).last == 2
    shut = Limit.CLOSED_TEXTS in alice.capabilities.limits
    assert alice.raw_text(written, scene.topic) == (None if shut else text)
    (found,) = alice.find_marker(scene.topic, MARKER)
    assert (written, ["antes", MARKER]) == (found.post_id, found.text.split())


@pytest.mark.parametrize("topic", ["999", "nada", "", "../../user"])
def test_a_missing_topic_is_no_empty_topic(scene: Scene, topic: str) -> None:
    """A topic that isn't there raises, for reading as for read-back."""
    bot = scene.connect(BOT)
    with pytest.raises(NotATopic, match="forum/missing"):
        bot.read_topic(topic)
    with pytest.raises(NotATopic, match="forum/missing"):
        bot.find_marker(topic, MARKER)
    assert isinstance(bot.post(topic, "hola"), Refused)


def test_the_marker_is_found_on_any_page(scene: Scene) -> None:
    """Reading back looks at all pages and gives the text as typed."""
    bot = scene.connect(BOT)
    written = post_id(bot.post(scene.topic, f"Informe del turno\n\n- uno\n- dos\n\n{MARKER}"))
    scene.fill(8)
    found = bot.find_marker(scene.topic, MARKER)
    assert [(f.post_id, f.topic) for f in found] == [(written, scene.topic)]
    assert found[0].text == f"Informe del turno\n\n- uno\n- dos\n\n{MARKER}"
    assert found[0].url == bot.post_url(written)


def test_two_copies_are_found_by_ascending_id(scene: Scene) -> None:
    """Doubled posts all show, the oldest first, so that the others can be mended."""
    bot = scene.connect(BOT)
    ids = [post_id(bot.post(scene.topic, f"copia {n}\n\n{MARKER}")) for n in range(3)]
    assert [found.post_id for found in bot.find_marker(scene.topic, MARKER)] == ids


@pytest.mark.parametrize(
    "how", ["quote and reply", "quote alone", "not the last line", "inside a line", "no marker"]
)
def test_a_marker_counts_only_as_the_last_line_outside_quotes(scene: Scene, how: str) -> None:
    """A copied marker is not the marker, not even in a post of our own."""
    quoted = quote(scene.server.software, f"Informe\n\n{MARKER}", "turnero")
    texts = {
        "quote and reply": f"{quoted}\n\nno lo entiendo",
        "quote alone": quoted,
        "not the last line": f"{MARKER}\n\ny algo después",
        "inside a line": f"el marcador es {MARKER}",
        "no marker": "Informe",
    }
    bot = scene.connect(BOT)
    bot.post(scene.topic, texts[how])
    assert bot.find_marker(scene.topic, MARKER) == ()


def test_another_account_s_marker_is_not_ours(scene: Scene) -> None:
    """Only own posts are found; a player may write the marker as the last line, and quote it."""
    scene.connect(ALICE).post(scene.topic, f"Informe\n\n{MARKER}")
    scene.connect(GM).post(scene.topic, f"Informe\n\n{quote(scene.server.software, 'cita')}\n\n{MARKER}")
    assert scene.connect(BOT).find_marker(scene.topic, MARKER) == ()


def test_a_marker_behind_a_quote_and_in_code_is_found(scene: Scene) -> None:
    """What stands before the last line doesn't matter, nor that the marker is code."""
    bot, software = scene.connect(BOT), scene.server.software
    text = f"{quote(software, 'una cita')}\n\nInforme\n\n{inline_code(software, MARKER)}"
    written = post_id(bot.post(scene.topic, text))
    assert [found.post_id for found in bot.find_marker(scene.topic, MARKER)] == [written]


def test_a_removed_post_is_not_found(scene: Scene) -> None:
    """What readers don't see isn't published."""
    bot = scene.connect(BOT)
    scene.server.remove_post(post_id(bot.post(scene.topic, f"Informe\n\n{MARKER}")))
    assert bot.find_marker(scene.topic, MARKER) == ()


def test_private_messages_are_sent_read_and_answered(scene: Scene) -> None:
    """A conversation has two participants, its posts are private, the player can answer and others see
    nothing.
    """
    if goes_without_letters(scene):
        return
    bot, alice, bob = (scene.connect(account) for account in (BOT, ALICE, BOB))
    sent = bot.send_private("alice", "Alfa: asiento  Tau", f"Tus órdenes\n\n{MARKER}")
    assert isinstance(sent, Published)
    assert sent.topic is not None
    (theirs,) = alice.read_private()
    assert isinstance(alice.post(theirs.topic, "[órdenes]\nmover\n[/órdenes]"), Published)
    (reading,) = bot.read_private()
    assert reading.title == "Alfa: asiento Tau"
    assert reading.participants == (alice.open(), bot.open())
    assert [(p.author_id, p.private) for p in reading.posts] == [(bot.open(), True), (alice.open(), True)]
    assert sent.post_id == reading.posts[0].id
    assert bot.raw_text(reading.posts[1].id, sent.topic) == "[órdenes]\nmover\n[/órdenes]"
    assert bob.read_private() == ()
    with pytest.raises(NotATopic):
        bob.read_topic(sent.topic)
    assert isinstance(bob.post(sent.topic, "hola"), Refused)


def test_a_private_message_is_found_again(scene: Scene) -> None:
    """Read-back of a private message goes by the conversation's title and the marker."""
    if goes_without_letters(scene):
        return
    bot = scene.connect(BOT)
    sent = bot.send_private("alice", "Alfa: asiento Tau", f"uno\n\n{MARKER}")
    bot.send_private("bob", "Alfa: asiento Épsilon", f"uno\n\n{MARKER}")
    found = bot.find_private(" Alfa: asiento Tau ", MARKER)
    assert [(f.post_id, f.text) for f in found] == [(post_id(sent), f"uno\n\n{MARKER}")]
    assert bot.find_private("Alfa: asiento Tau", "ptd1:otro") == ()
    assert bot.find_private("Alfa", MARKER) == ()


def test_private_conversations_over_several_pages_are_all_read(scene: Scene) -> None:
    """With two conversations a page, five are listed and read."""
    if goes_without_letters(scene):
        return
    bot = scene.connect(BOT)
    topics = {bot.send_private("alice", f"título {n}", f"texto {n}").topic for n in range(5)}  # type: ignore[union-attr]
    assert {reading.topic for reading in bot.read_private()} == topics
    assert len(topics) == 5


def test_private_conversations_can_be_read_since_a_position(scene: Scene) -> None:
    """A long conversation is read on from the page where it was left; all of it where it has one page."""
    if goes_without_letters(scene):
        return
    bot = scene.connect(BOT)
    sent = bot.send_private("alice", "título", "texto 1")
    assert isinstance(sent, Published)
    assert sent.topic is not None
    for n in range(2, 6):
        bot.post(sent.topic, f"texto {n}")
    (reading,) = bot.read_private({sent.topic: 5})
    read = [post.number or 0 for post in reading.posts]
    assert read == list(range(read[0], 6))
    assert read[0] <= 5


def test_a_private_message_to_nobody_is_refused_in_the_forum_s_words(scene: Scene) -> None:
    """An unknown name is the forum's refusal, and no waiting helps."""
    outcome = scene.connect(BOT).send_private("nadie", "título", "texto")
    assert isinstance(outcome, Refused)
    assert "forum/" not in str(outcome.reason)
    assert outcome.retry_after is None


def test_a_private_message_does_not_answer_a_public_topic(scene: Scene) -> None:
    """Conversations and topics share numbers; each is read as what it is."""
    if goes_without_letters(scene):
        return
    bot = scene.connect(BOT)
    sent = bot.send_private("alice", "título", "texto")
    assert isinstance(sent, Published)
    assert sent.topic is not None
    assert bot.read_topic(sent.topic).posts[0].private
    assert not bot.read_topic(scene.topic).posts[0].private


def test_the_session_is_kept_between_runs(scene: Scene) -> None:
    """With a store for the cookies, a second run needs no login, and a useless one leads to a new login;
    where each request carries a key nothing is kept, and a wrong key is refused.
    """

    class Store:
        text: str | None = None

        def load(self) -> str | None:
            return self.text

        def save(self, cookies: str) -> None:
            self.text = cookies

    store, known = Store(), scene.server.accounts["alice"]
    assert scene.connect(ALICE, cookies=store).open() == known
    wrong_password = type(ALICE)(ALICE.name, "not used", zone="UTC")
    if Limit.SESSIONS in scene.connect(ALICE).capabilities.limits:
        with pytest.raises(LoginFailed):
            scene.connect(wrong_password, cookies=store).open()
        return
    assert scene.connect(wrong_password, cookies=store).open() == known
    useless = [[cookie[0], "nothing", *cookie[2:]] for cookie in json.loads(store.text or "")]
    store.text = json.dumps(useless)
    assert scene.connect(ALICE, cookies=store).open() == known
