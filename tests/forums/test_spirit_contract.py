"""What only Spirit does: the same tests over the real forum and over its stand-in."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from jobs.demo.spirit_server import SpiritServer
from processor.ports import ForumError
from rules.play.posts import Published, Refused, Unknown, Visibility
from tests.support.forum_fixtures import ALICE, BOT, GM, SCENE, TITLE, connect
from tests.support.forum_scene import MARKER, Scene, post_id


@pytest.fixture(params=["standin", "spirit"])
def scene(request: pytest.FixtureRequest) -> Scene:
    """The same small forum, once played by the stand-in and once real."""
    return Scene(request.getfixturevalue(request.param))


def test_the_zone_of_the_settings_must_be_the_account_s(scene: Scene) -> None:
    """A zone that isn't the account's own is refused, since every deadline would be off."""
    other = type(ALICE)(ALICE.name, ALICE.password, zone="Asia/Tokyo")
    with pytest.raises(ForumError, match=r"forum/wrong-zone.*UTC.*Asia/Tokyo"):
        connect(scene.server, other).open()


def test_a_removed_post_keeps_its_place(scene: Scene) -> None:
    """A post that a moderator removed is still counted, with its author and without a text."""
    ids = scene.fill(3)
    scene.server.remove_post(ids[0])
    removed = connect(scene.server, BOT).read_topic(scene.topic).posts[1]
    assert (removed.id, removed.number, removed.visibility) == (ids[0], 2, Visibility.REMOVED)
    assert (removed.author_id, removed.html) == ("2", None)


def test_the_same_text_again_is_not_a_second_post(scene: Scene) -> None:
    """Spirit points to the older post; that is no success, and the forum's list holds the text once."""
    bot = connect(scene.server, BOT)
    bot.post(scene.topic, f"Informe\n\n{MARKER}")
    again = bot.post(scene.topic, f"Informe\n\n{MARKER}")
    assert isinstance(again, Unknown)
    assert "sent/repeated" in str(again.reason)
    assert len(bot.find_marker(scene.topic, MARKER)) == 1


def test_the_same_text_again_after_somebody_else_is_not_their_post(scene: Scene) -> None:
    """Spirit then points to the newest post, which is another player's: never taken for ours."""
    bot = connect(scene.server, BOT)
    bot.post(scene.topic, "Informe")
    connect(scene.server, ALICE).post(scene.topic, "Gracias")
    assert isinstance(bot.post(scene.topic, "Informe"), Unknown)


def test_the_forum_s_own_limit_is_told_in_its_words(scene: Scene) -> None:
    """Where the forum allows less than believed, its refusal comes back, and waiting won't help; of an edit,
    too.
    """
    alice, long = connect(scene.server, ALICE, max_chars=9000), "x" * 3001
    made = alice.post(scene.topic, "corto")
    assert isinstance(made, Published)
    for outcome in (alice.post(scene.topic, long), alice.edit(made.post_id, long)):
        assert isinstance(outcome, Refused)
        assert "at most 3000 characters" in str(outcome.reason)
        assert outcome.retry_after is None


def test_the_same_private_title_soon_again_sends_nothing(scene: Scene) -> None:
    """Another text under the title is refused with the wait; the very same text is found and adopted."""
    bot = connect(scene.server, BOT)
    first = bot.send_private("alice", "título", "texto")
    refused = bot.send_private("alice", "título", "otro texto")
    assert isinstance(refused, Refused)
    assert refused.retry_after == 1800
    assert bot.send_private("alice", "título", "texto") == first
    assert len([post for post in scene.server.posts() if post["private"]]) == 1


def test_a_topic_can_be_opened(scene: Scene) -> None:
    """A new topic holds its first post."""
    gamemaster = connect(scene.server, GM)
    opened = gamemaster.open_topic(
        scene.server.categories["Partidas"], "Alfa, turno 1", "Órdenes hasta el viernes."
    )
    assert isinstance(opened, Published)
    assert opened.topic is not None
    reading = gamemaster.read_topic(opened.topic)
    assert (reading.title, reading.posts[0].id) == ("Alfa, turno 1", opened.post_id)


def test_a_forum_that_speaks_spanish_only_is_read_too(start_spirit: Callable[..., SpiritServer]) -> None:
    """Without the middleware that asks the reader's language, Spirit's Spanish pages and dates do as well."""
    forum = start_spirit(
        **SCENE,
        settings={
            "LANGUAGE_CODE": "es",
            "FORUM_DROP_MIDDLEWARE": ["django.middleware.locale.LocaleMiddleware"],
            "ST_RATELIMIT_ENABLE": True,
        },
    )
    topic = forum.topics[TITLE]
    alice, bot = connect(forum, ALICE), connect(forum, BOT)
    written = post_id(alice.post(topic, "> cita\n\nmover E3"))
    reading = bot.read_topic(topic)
    assert [post.id for post in reading.posts] == ["1", written]
    assert abs((reading.server_time - reading.posts[1].created_at).total_seconds()) < 180
    assert bot.raw_text(written, topic) == "> cita\n\nmover E3"
    outcomes = [alice.post(topic, f"otra {n}") for n in range(2)]
    refused = next(outcome for outcome in outcomes if isinstance(outcome, Refused))
    assert "Demasiados" in str(refused.reason)
    assert refused.retry_after == 10


def test_an_address_and_a_count_of_edits_are_shown(scene: Scene) -> None:
    """Spirit links to each post by its id, and says how often it was edited."""
    bot = connect(scene.server, BOT)
    written = post_id(bot.post(scene.topic, "uno"))
    for text in ("dos", "tres"):
        bot.edit(written, text)
    post = bot.read_topic(scene.topic).posts[-1]
    assert (f"{scene.server.url}/comment/{written}/find/", 2) == (post.url, post.edits)


def test_words_behind_a_fence_are_shown(scene: Scene) -> None:
    """The word by which a fence is known as orders stands in the body."""
    connect(scene.server, ALICE).post(scene.topic, "```órdenes\nmover\n```")
    html = connect(scene.server, BOT).read_topic(scene.topic).posts[-1].html or ""
    assert '<code class="lang-órdenes">mover\n</code>' in html


def test_own_texts_in_a_closed_topic(scene: Scene) -> None:
    """What was posted before a topic was closed can still be corrected, and is given as typed."""
    alice = connect(scene.server, ALICE)
    written = post_id(alice.post(scene.topic, "antes"))
    scene.server.close_topic(scene.topic)
    assert alice.raw_text(written, scene.topic) == "antes"
    assert alice.edit(written, "corregido") == Published(written)


def test_a_conversation_is_read_on_from_its_page(scene: Scene) -> None:
    """Pages before the one on which the known post stands aren't asked for."""
    bot = connect(scene.server, BOT)
    sent = bot.send_private("alice", "título", "texto 1")
    assert isinstance(sent, Published)
    assert sent.topic is not None
    for n in range(2, 6):
        bot.post(sent.topic, f"texto {n}")
    (reading,) = bot.read_private({sent.topic: 5})
    assert [post.number for post in reading.posts] == [4, 5]
