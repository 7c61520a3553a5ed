"""What only Misago does: over its stand-in, and over the real forum with `--forums` (forums.md 3 and 5)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from jobs.demo.misago_server import MisagoServer
from processor.forums.misago import MISAGO
from processor.forums.misago_publishing import INTERVAL
from processor.ports import LoginFailed, NotATopic
from rules.engine.messages import msg
from rules.play.posts import Published, Queued, Refused, Unknown, Visibility
from tests.support.forum_fixtures import ACCOUNTS, ALICE, BOT, GM, SCENE, enter
from tests.support.forum_scene import MARKER, Scene, numbers, post_id
from tests.support.standin import MisagoStandIn

SOON = "You can't post message so quickly after previous one."
HOUR = "Your account has exceed an hourly post limit."
MOST = 9
LIMITS = {"hourly_post_limit": MOST, "post_length_min": 5, "posts_per_page_orphans": 2}


@pytest.fixture
def scene(request: pytest.FixtureRequest, misago_name: str) -> Scene:
    """The same small forum, played by the stand-in and, where it runs, real."""
    return Scene(request.getfixturevalue(misago_name))


@pytest.fixture
def strict(request: pytest.FixtureRequest, misago_name: str) -> Iterator[Scene]:
    """The forum with Misago's limits, some posts an hour, and last pages that take some more."""
    with _start(request, misago_name, LIMITS) as server:
        if isinstance(server, MisagoStandIn):
            server.views.hourly, server.views.orphans = MOST, 3
        yield Scene(server)


@pytest.fixture
def moderated(request: pytest.FixtureRequest, misago_name: str) -> Iterator[Scene]:
    """The forum where what members write waits for a moderator."""
    with _start(request, misago_name, {"approval": True, "flood_protection": False}) as server:
        if isinstance(server, MisagoStandIn):
            server.views.queued = {ALICE.name, BOT.name}
        yield Scene(server)


def _start(
    request: pytest.FixtureRequest, name: str, settings: dict[str, Any]
) -> MisagoServer | MisagoStandIn:
    if name == "misago_standin":
        return MisagoStandIn(ACCOUNTS, **SCENE, rate_limits=settings is LIMITS)
    build, cluster = (request.getfixturevalue(one) for one in ("misago_build", "cluster"))
    return MisagoServer(build, ACCOUNTS, cluster=cluster, settings=settings, **SCENE)


def test_two_posts_at_once_are_refused_with_the_known_wait(strict: Scene) -> None:
    """By what the forum says, with status 403; edits don't count, private posts do, moderators may."""
    alice = strict.connect(ALICE)
    first = post_id(alice.post(strict.topic, "uno uno"))
    too_soon = Refused(SOON, INTERVAL)
    assert [too_soon, too_soon] == [
        alice.post(strict.topic, "dos dos"),
        alice.send_private("bob", "título", "dos dos"),
    ]
    assert Published(first) == alice.edit(first, "uno más")
    moderator = strict.connect(GM)
    assert [True, True] == [
        isinstance(moderator.post(strict.topic, "hola hola"), Published) for _ in range(2)
    ]
    strict.server.shift_clock(INTERVAL)
    assert isinstance(alice.post(strict.topic, "dos dos"), Published)


def test_the_distance_is_kept_between_public_and_private_posts(scene: Scene) -> None:
    """Misago counts them together, so the adapter waits before either."""
    waited: list[float] = []
    bot = scene.connect(BOT, min_interval=MISAGO.min_interval, clock=lambda: 0.0, sleep=waited.append)
    bot.post(scene.topic, "uno")
    bot.send_private("alice", "título", "dos")
    assert [INTERVAL] == waited


def test_the_hourly_limit_is_waited_out(strict: Scene) -> None:
    """The forum's words say that seconds don't help."""
    alice = strict.connect(ALICE)
    strict.fill(1 + MOST)
    strict.server.shift_clock(INTERVAL)
    assert Refused(HOUR, 900.0) == alice.post(strict.topic, "dos dos")
    strict.server.shift_clock(3600)
    assert isinstance(alice.post(strict.topic, "dos dos"), Published)


def test_a_text_that_is_too_short_is_refused_for_good(strict: Scene) -> None:
    """Misago wants five characters and says so for the field."""
    refused = strict.connect(ALICE).post(strict.topic, "uno")
    assert isinstance(refused, Refused)
    assert ("at least 5 characters" in str(refused.reason), None) == (True, refused.retry_after)


def test_a_last_page_that_takes_some_more_is_read_from_anywhere(strict: Scene) -> None:
    """Where a page of the usual length would begin there may be none."""
    count = 1
    for more in (3, 2, 1, 2):
        ids = strict.fill(1 + more)
        count += more
        bot = strict.connect(BOT)
        assert [list(range(n, count + 1)) for n in (1, count - 1, count)] == [
            numbers(bot, strict.topic, n) for n in (1, count - 1, count)
        ]
        (post,) = bot.read_topic(strict.topic, count).posts
        assert (post, ids[-1]) == (bot.read_post(strict.topic, post.id, count), post.id)


def test_a_post_that_waits_for_a_moderator_is_queued(moderated: Scene) -> None:
    """Nobody sees it, and its author sees that it waits; an edit that waits takes the post away as well."""
    alice = moderated.connect(ALICE)
    assert isinstance(alice.post(moderated.topic, f"Informe\n\n{MARKER}"), Queued)
    mine, others = (one.read_topic(moderated.topic).posts for one in (alice, moderated.connect(BOT)))
    assert ([Visibility.VISIBLE, Visibility.UNAPPROVED], 1) == ([one.visibility for one in mine], len(others))
    assert [False] == [found.visible for found in alice.find_marker(moderated.topic, MARKER)]
    assert isinstance(alice.edit(mine[1].id, "otra cosa"), Queued)
    assert isinstance(alice.send_private("bob", "título", "nadie espera"), Published)


def test_a_hidden_post_keeps_its_place_and_loses_its_text(scene: Scene) -> None:
    """For members and for moderators, who are given it: it is nobody's order."""
    ids = scene.fill(3)
    scene.server.remove_post(ids[0])
    for forum in (scene.connect(BOT), scene.connect(GM)):
        _, hidden, after = forum.read_topic(scene.topic).posts
        assert (ids[0], 2, Visibility.REMOVED, None) == (
            hidden.id,
            hidden.number,
            hidden.visibility,
            hidden.html,
        )
        assert (ids[1], 3, Visibility.VISIBLE) == (after.id, after.number, after.visibility)
    assert scene.connect(BOT).raw_text(ids[0], scene.topic) is None


def test_what_the_forum_itself_writes_is_no_post(scene: Scene) -> None:
    """A line about closing stands between posts, and counts for no position."""
    scene.fill(3)
    scene.server.close_topic(scene.topic)
    if isinstance(scene.server, MisagoStandIn):
        scene.server.add_notice(scene.topic, GM.name, "closed")
    moderator = scene.connect(GM)
    assert isinstance(moderator.post(scene.topic, "abierto sólo para mí"), Published)
    posts = moderator.read_topic(scene.topic).posts
    assert (5, [1, 2, 3, 4]) == (len(scene.server.posts()), [post.number for post in posts])
    assert {Visibility.VISIBLE} == {post.visibility for post in posts}


def test_who_is_gone_is_nobody(scene: Scene) -> None:
    """The posts of an account that was deleted stay, and match no seat, whatever name stands there."""
    (written,) = scene.fill(2)
    if isinstance(scene.server, MisagoStandIn):
        scene.server.views.gone = {ALICE.name}
    elif isinstance(scene.server, MisagoServer):
        scene.server.forget_account(ALICE.name)
    post = scene.connect(BOT).read_topic(scene.topic).posts[1]
    assert (written, None, ["mensaje", "2"]) == (post.id, post.author_id, (post.html or "")[3:-4].split())


def test_an_edit_tells_when_and_how_often(scene: Scene) -> None:
    """To the second, by the forum's clock."""
    alice = scene.connect(ALICE)
    written = post_id(alice.post(scene.topic, "mover E3"))
    scene.server.shift_clock(90)
    for text in ("mover E4", "mover E5"):
        alice.edit(written, text)
    post = alice.read_topic(scene.topic).posts[-1]
    assert post.edited_at is not None
    assert (2, True) == (post.edits, 89 <= (post.edited_at - post.created_at).total_seconds() <= 95)


def test_an_own_post_is_edited_by_who_has_read_nothing(scene: Scene) -> None:
    """Its id says where it stands, in a private thread too."""
    bot = scene.connect(BOT)
    sent = bot.send_private("alice", "título", "uno")
    made = [post_id(bot.post(scene.topic, "uno")), post_id(sent)]
    assert [Published(one) for one in made] == [scene.connect(BOT).edit(one, "dos") for one in made]
    assert ["dos", "dos"] == [scene.connect(ALICE).raw_text(one, "") for one in made]


# What the stand-in alone can do.


def test_pages_are_read_one_after_the_other_and_each_once(misago_standin: MisagoStandIn) -> None:
    """What begins the next page ends this one, which is proof enough: no second look."""
    scene = Scene(misago_standin)
    scene.fill(8)
    bot = scene.connect(BOT)
    bot.open()
    before = len(misago_standin.requests())
    assert list(range(1, 9)) == numbers(bot, scene.topic)
    where = f"GET /api/threads/{scene.topic}/posts/"
    assert [where, f"{where}?page=2", f"{where}?page=3"] == misago_standin.requests()[before:]


def test_a_post_that_moves_up_between_two_pages_is_not_overlooked(misago_standin: MisagoStandIn) -> None:
    """Where one is deleted behind the reader's back the pages no longer join, and all is read again."""
    scene = Scene(misago_standin)
    ids = scene.fill(8)
    bot, gone = scene.connect(BOT), [ids[0]]
    bot.open()

    def delete(body: bytes) -> bytes:
        while gone:
            misago_standin.delete_post(gone.pop())
        return body

    misago_standin.fail("mutate", "topic", mutate=delete)
    assert ids[1:] == [post.id for post in bot.read_topic(scene.topic).posts[1:]]


def test_a_session_that_ended_is_noticed_with_any_answer(misago_standin: MisagoStandIn) -> None:
    """Misago shows a guest the same topic with status 200; it is read again as ourselves."""
    scene = Scene(misago_standin)
    bot = scene.connect(BOT)
    bot.read_topic(scene.topic)
    for act in (lambda: bot.read_topic(scene.topic), bot.read_private, lambda: bot.post(scene.topic, "hola")):
        misago_standin.end_sessions()
        before = len(misago_standin.requests())
        act()
        assert 1 == misago_standin.requests()[before:].count("POST /api/auth/")
    assert 2 == len(misago_standin.posts())


def test_a_session_that_ends_while_posting_is_no_end(misago_standin: MisagoStandIn) -> None:
    """A guest's text is refused with 403: nothing was stored, and another attempt logs in again."""
    scene, ended = Scene(misago_standin), [False]

    def end(moment: str) -> None:
        if moment == "http/sending" and ended == [True]:
            misago_standin.end_sessions()
            ended[0] = False

    bot = scene.connect(BOT, checkpoint=end)
    bot.read_topic(scene.topic)
    ended[0] = True
    assert Refused(msg("sent/session-over"), 60.0) == bot.post(scene.topic, "hola")
    assert isinstance(bot.post(scene.topic, "hola"), Published)


def test_a_limit_in_another_language_is_tried_again(misago_standin: MisagoStandIn) -> None:
    """Words aren't needed: where the account still may reply, only a limit was in the way."""
    scene = Scene(misago_standin)
    bot = scene.connect(BOT)
    said = "Nie możesz publikować tak szybko."
    misago_standin.fail("flood", "publish")
    misago_standin.views.said = {"flood": said}
    assert Refused(said, 60.0) == bot.post(scene.topic, "hola")


def test_a_conversation_that_can_t_be_seen_yet_is_unknown(misago_standin: MisagoStandIn) -> None:
    """Misago says which thread it made, not with which post; where that can't be read the marker tells."""
    scene = Scene(misago_standin)
    bot = scene.connect(BOT)
    bot.open()
    misago_standin.fail("error-before", "topic", times=9)
    assert isinstance(bot.send_private("alice", "título", f"uno\n\n{MARKER}"), Unknown)
    misago_standin.state.faults.clear()
    (found,) = bot.find_private("título", MARKER)
    assert found.post_id.startswith("p2-")


def test_who_may_not_start_private_threads_is_told_before(misago_standin: MisagoStandIn) -> None:
    """A right that the account lacks, before anything is sent."""
    misago_standin.views.lonely = {BOT.name}
    bot = enter(misago_standin, BOT)
    with pytest.raises(NotATopic, match="may not start private threads"):
        bot.probe_private()
    refused = bot.send_private("alice", "título", "uno")
    assert isinstance(refused, Refused)
    assert refused.retry_after is None
    assert [] == [one for one in misago_standin.requests() if one == "POST /api/private-threads/"]


@pytest.mark.parametrize(("kind", "code"), [("limited", "forum/login-limit"), ("login-page", "page/no-json")])
def test_a_login_that_is_not_answered_by_misago(misago_standin: MisagoStandIn, kind: str, code: str) -> None:
    """A proxy's limit, a gate before the forum: told as what it is, the password nowhere."""
    bot = enter(misago_standin, BOT)
    misago_standin.fail(kind, "login", retry_after="120")
    with pytest.raises((LoginFailed, NotATopic), match=code) as refusal:
        bot.open()
    assert BOT.password not in str(refusal.value)
    assert (120.0 if kind == "limited" else None) == refusal.value.retry_after


def test_a_forum_without_the_cookies_of_misago_is_another(misago_standin: MisagoStandIn) -> None:
    """Where its first page sets none nothing is sent, the password least of all."""
    misago_standin.views.tokens = False
    with pytest.raises(NotATopic, match="page/not-misago"):
        enter(misago_standin, BOT).open()
    assert ["GET /"] == misago_standin.requests()


def test_addresses_of_readers(misago_standin: MisagoStandIn) -> None:
    """Public and private posts have their own."""
    bot = enter(misago_standin, BOT)
    assert [f"{misago_standin.url}/t/-/1/post/7/", f"{misago_standin.url}/p/-/2/post/8/"] == [
        bot.post_url("1-7"),
        bot.post_url("p2-8"),
    ]
