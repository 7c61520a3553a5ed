"""What the processor may expect of every forum: the same tests over real forums, stand-ins, and a game that
a person carries, copied post by post or saved page by page.

What an adapter can't do it states (`Capabilities.limits`), and what it does instead is checked here, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from processor.forums.spirit import SPIRIT
from processor.pipeline.seen import see_post
from processor.ports import ForumError, IncompletePage, NotATopic, Unready
from rules.engine.messages import msg
from rules.play.posts import Limit, Merged, Outcome, Post, Precision, Published, Refused, Visibility
from tests.support.contract_scenes import BEGAN, Carried, Live, Reached, Saved, Scene
from tests.support.hand_clock import HandClock
from tests.support.typed import code, quote
from tests.support.umbria_site import UmbriaSite, serve

MARKER = "ptd1:alfa:1.1:report:1/1:8f3ac1d2"
OTHER = "ptd1:alfa:1.1:open:1/1:8f3ac1d3"
LETTER = "ptd1:alfa:1.1:receipt-tau:1/1"
ORDERS = "[órdenes turno 1]\n1. producir\n[/órdenes]"
OF_PEOPLE = frozenset((Limit.POSITIONS, Limit.RAW_TEXT, Limit.CONVERSATIONS, Limit.MISSING_TOPICS))
"""What a game that a person carries can't do."""
LIMITS = {
    "umbria": frozenset((Limit.EDIT_MARKS, Limit.ABSENCE)),
    "flaskbb": frozenset((Limit.SAME_TEXT, Limit.NAMES)),
    "discourse": frozenset((Limit.SESSIONS,)),
    "mybb": frozenset((Limit.SAME_TEXT, Limit.MERGES, Limit.CLOSED_TEXTS)),
    "smf": frozenset((Limit.SAME_TEXT, Limit.CLOSED_TEXTS, Limit.QUOTING_TEXTS)),
    "phpbb": frozenset((Limit.SAME_TEXT, Limit.EDIT_MARKS, Limit.CLOSED_TEXTS)),
    "nodebb": frozenset((Limit.SAME_TEXT, Limit.SESSIONS)),
    "xenforo": frozenset((Limit.SAME_TEXT, Limit.SESSIONS)),
    "flarum": frozenset((Limit.RAW_TEXT, Limit.SAME_TEXT)),
    "misago": frozenset((Limit.SAME_TEXT, Limit.CLOSED_TEXTS)),
}
"""By software, of those that have any."""


@pytest.fixture
def scene(request: pytest.FixtureRequest, tmp_path: Path, scene_name: str) -> Scene:
    """One of the forums, with a topic for the turn."""
    match scene_name:
        case "carried":
            return Carried(tmp_path)
        case "saved":
            return Saved(tmp_path)
        case "live":
            live: Live = request.getfixturevalue("live_scene")
            return live
        case server:
            return Reached(request.getfixturevalue(server))


@pytest.fixture
def live_scene(tmp_path: Path) -> Iterator[Live]:
    """A scene that is read from its site, whose clock is the scene's."""
    clock = HandClock(BEGAN)
    with serve(UmbriaSite(clock.now)) as site:
        yield Live(tmp_path, clock=clock, site=site)


def cannot(scene: Scene, limit: Limit) -> bool:
    """Whether the adapter states that it can't."""
    return limit in scene.forum.capabilities.limits


def players(scene: Scene, since: int | None = None, known: str | None = None) -> list[Post]:
    """The players' posts of a reading, each in its last version."""
    read = scene.forum.read_topic(scene.topic, since, known).posts
    newest = {post.id: post for post in read if post.author_id in (scene.ids["alice"], scene.ids["bob"])}
    return list(newest.values())


def lines(scene: Scene, post: Post) -> list[str]:
    """What counts of a post, as lines; those in code with a `|`."""
    seen, _ = see_post(post, scene.software)
    return [line.text if line.fence is None else f"| {line.text}" for line in seen.lines]


def own_posts(scene: Scene) -> list[str]:
    """The ids of our own posts, as both readings have them."""
    account = scene.forum.open()
    both = (scene.forum.read_topic(scene.topic), scene.forum.read_own(scene.topic))
    whole, own = ([post.id for post in one.posts if post.author_id == account] for one in both)
    assert whole == own
    return own


def published(outcome: Outcome) -> str:
    """The new post's id."""
    assert isinstance(outcome, Published), outcome
    return outcome.post_id


def stored(scene: Scene, outcome: Outcome) -> str:
    """The id of the post in which a text stands that followed another of ours."""
    assert isinstance(outcome, Merged if cannot(scene, Limit.MERGES) else Published), outcome
    return outcome.post_id


def test_the_limits_are_stated(scene: Scene) -> None:
    """A game that a person carries takes a text once, and can't do any of the rest; Spirit can do all."""
    carried = isinstance(scene, Carried)
    stated = LIMITS.get(scene.software, frozenset())
    assert scene.forum.capabilities.limits == (OF_PEOPLE | stated if carried else stated)
    assert scene.forum.capabilities.by_hand == carried
    assert not SPIRIT.limits


@pytest.mark.parametrize("count", [1, 2, 3, 4, 7])
def test_every_post_is_read_once_and_in_order(scene: Scene, count: int) -> None:
    """Also where pages end, and where the same post stands on several saved ones."""
    ids = [scene.write("alice" if n % 2 else "bob", f"mensaje {n}") for n in range(count)]
    posts = players(scene)
    assert ids == [post.id for post in posts]
    assert [scene.ids["alice" if n % 2 else "bob"] for n in range(count)] == [
        post.author_id for post in posts
    ]
    assert [[f"mensaje {n}"] for n in range(count)] == [lines(scene, post) for post in posts]
    assert sorted(posts, key=lambda post: post.created_at) == posts


def test_times_are_utc_and_as_exact_as_is_stated(scene: Scene) -> None:
    """To the minute or the second, and close to the forum's clock."""
    scene.write("alice", "hola")
    reading = scene.forum.read_topic(scene.topic)
    (post,) = players(scene)
    assert scene.forum.capabilities.precision is post.precision
    assert timedelta() == post.created_at.utcoffset()
    exact = post.precision is Precision.SECOND
    assert (True, 0) == (exact or post.created_at.second == 0, post.created_at.microsecond)
    assert abs(reading.server_time - post.created_at) < timedelta(minutes=3)


def test_reading_goes_on_from_a_position(scene: Scene) -> None:
    """`since` is inclusive and its page comes along; without positions all is read."""
    ids = [scene.write("alice", f"mensaje {n}") for n in range(6)]
    last = scene.forum.read_topic(scene.topic).last
    assert ids == [post.id for post in players(scene)]
    expected = ids if cannot(scene, Limit.POSITIONS) else ids[-1:]
    assert expected == [post.id for post in players(scene, last)]
    assert ids[-1] == players(scene, last, ids[-1])[-1].id


def test_a_post_that_is_gone_is_not_read_and_not_overlooked(scene: Scene) -> None:
    """Where reading goes on from a post that has moved it is refused; where all is read the rest is there."""
    ids = [scene.write("alice", f"mensaje {n}") for n in range(5)]
    last = scene.forum.read_topic(scene.topic).last
    scene.delete(ids[1])
    left = [one for one in ids if one != ids[1]]
    if cannot(scene, Limit.POSITIONS):
        assert left == [post.id for post in players(scene, last - 1, ids[-2])]
    else:
        with pytest.raises(IncompletePage, match="forum/shifted"):
            scene.forum.read_topic(scene.topic, last - 1, ids[-2])
    assert left == [post.id for post in players(scene)]
    assert scene.forum.read_topic(scene.topic).proves_absence != cannot(scene, Limit.ABSENCE)


def test_an_edit_keeps_the_post_and_its_time(scene: Scene) -> None:
    """The id and the first time stay, the text is the new one, and that it was edited shows."""
    written = scene.write("alice", "mover E3")
    scene.write("bob", "hola")
    (before, _) = players(scene)
    scene.rewrite(written, "mover E4")
    (after, _) = players(scene)
    assert (written, before.created_at) == (after.id, after.created_at)
    assert (["mover E3"], ["mover E4"]) == (lines(scene, before), lines(scene, after))
    shown = [bool(one.edits or one.edited_at) for one in (before, after)]
    assert shown == [False, True] or (cannot(scene, Limit.EDIT_MARKS) and shown == [False, False])


def test_quotes_and_code_are_told_apart(scene: Scene) -> None:
    """Who quotes somebody's orders doesn't give them, and what stands in code shows as such."""
    quoted = quote(scene.software, "[órdenes]\nmover\n[/órdenes]", "bob")
    scene.write("alice", f"{quoted}\n\n{code(scene.software, 'un ejemplo')}\n\n{ORDERS}")
    (post,) = players(scene)
    assert ["| un ejemplo", "[órdenes turno 1]", "producir", "[/órdenes]"] == [
        line.removeprefix("1. ") for line in lines(scene, post)
    ]


def test_what_is_no_text_of_the_author_s_is_left_out(scene: Scene) -> None:
    """A post has a body and nothing of the page around it: no name, no buttons, no signature."""
    scene.write("bob", "sólo esto")
    (post,) = players(scene)
    assert (["sólo esto"], Visibility.VISIBLE, False) == (lines(scene, post), post.visibility, post.private)


def test_the_text_as_typed(scene: Scene) -> None:
    """It is asked for, or stands in the post where a person copied it, or is told to be unknown."""
    text = f"{ORDERS}\n\n2. `x`  *a*  <b>&amp;"
    written = scene.write("alice", text)
    (post,) = players(scene)
    asked = scene.forum.raw_text(written, scene.topic)
    if cannot(scene, Limit.RAW_TEXT):
        assert (None, True) == (asked, post.raw == text or (post.raw is None and post.html is not None))
    else:
        assert text == asked


def test_a_topic_that_is_not_there(scene: Scene) -> None:
    """It is an error, or where that can't be told nothing is complete."""
    if cannot(scene, Limit.MISSING_TOPICS):
        reading = scene.forum.read_topic("turn-777")
        assert [] == [post.id for post in reading.posts if post.author_id in scene.ids.values()]
        assert reading.proven_until.year == 1
        assert reading.proven_until < reading.server_time
    else:
        with pytest.raises(NotATopic, match="forum/missing"):
            scene.forum.read_topic("777")


def test_a_text_is_published_and_found_again(scene: Scene) -> None:
    """The answer's id is that of our own post in the topic, and its marker finds it, text and all."""
    text = f"Informe del turno\n\n- uno\n- dos\n\n{MARKER}"
    made = published(scene.forum.post(scene.topic, text))
    scene.write("alice", "gracias")
    assert [made] == own_posts(scene)
    (found,) = scene.forum.find_marker(scene.topic, MARKER)
    assert (made, text) == (found.post_id, found.text)
    assert () == scene.forum.find_marker(scene.topic, OTHER)


def test_a_text_that_is_published_twice_stands_there_once(scene: Scene) -> None:
    """Whoever lost the answer and sends again makes no second post, or finds both."""
    text = f"Informe\n\n{MARKER}"
    made = published(scene.forum.post(scene.topic, text))
    again = scene.forum.post(scene.topic, text)
    if cannot(scene, Limit.SAME_TEXT):
        both = [made, stored(scene, again)]
        assert list(dict.fromkeys(both)) == own_posts(scene)
        assert both == [found.post_id for found in scene.forum.find_marker(scene.topic, MARKER)]
        return
    assert not isinstance(again, Published) or made == again.post_id
    assert [made] == [found.post_id for found in scene.forum.find_marker(scene.topic, MARKER)]
    assert [made] == own_posts(scene)


def test_an_own_text_is_edited_in_its_place(scene: Scene) -> None:
    """The post stays the same, its text is the new one."""
    made = published(scene.forum.post(scene.topic, f"Acuses: 1\n\n{OTHER}"))
    assert Published(made) == scene.forum.edit(made, f"Acuses: 2\n\n{OTHER}")
    (found,) = scene.forum.find_marker(scene.topic, OTHER)
    assert (made, f"Acuses: 2\n\n{OTHER}") == (found.post_id, found.text)
    assert [made] == own_posts(scene)


def test_texts_that_follow_each_other_are_two(scene: Scene) -> None:
    """Each is found with its own text and edited by itself, whether it has a post of its own or not."""
    first, second = f"Informe: 1\n\n{MARKER}", f"Acuses: 1\n\n{OTHER}"
    made = published(scene.forum.post(scene.topic, first))
    again = stored(scene, scene.forum.post(scene.topic, second))
    assert (made == again) == cannot(scene, Limit.MERGES)
    assert list(dict.fromkeys((made, again))) == own_posts(scene)
    assert Published(again) == scene.forum.edit(again, changed := f"Acuses: 2\n\n{OTHER}")
    found = [one for mark in (MARKER, OTHER) for one in scene.forum.find_marker(scene.topic, mark)]
    assert [(made, first), (again, changed)] == [(one.post_id, one.text) for one in found]


def test_a_copy_of_a_text_is_taken_back(scene: Scene) -> None:
    """It says that it is one, or vanishes from the post that it shares; a person's copies stay theirs."""
    first, second = f"Informe: 1\n\n{MARKER}", f"Acuses: 1\n\n{OTHER}"
    published(scene.forum.post(scene.topic, first))
    again = stored(scene, scene.forum.post(scene.topic, second))
    outcome = scene.forum.retract(again, OTHER, "Duplicado.")
    if scene.forum.capabilities.by_hand:
        assert isinstance(outcome, Refused)
        return
    assert Published(again) == outcome
    assert () == scene.forum.find_marker(scene.topic, OTHER)
    assert [first] == [one.text for one in scene.forum.find_marker(scene.topic, MARKER)]


def test_nobody_s_post_but_ours_is_edited(scene: Scene) -> None:
    """A refusal, without a wait, and the player's text stays."""
    written = scene.write("alice", "mover E3")
    refused = scene.forum.edit(written, f"nada\n\n{MARKER}")
    assert isinstance(refused, Refused)
    assert refused.retry_after is None
    assert ["mover E3"] == lines(scene, players(scene)[0])


def test_a_text_that_is_too_long_is_refused_before_it_is_sent(scene: Scene) -> None:
    """By the forum's own count."""
    capabilities = scene.forum.capabilities
    text = "x" * capabilities.max_chars + f"\n\n{MARKER}"
    size = capabilities.size(text)
    refused = scene.forum.post(scene.topic, text)
    assert Refused(msg("sent/too-long", size=size, most=capabilities.max_chars)) == refused
    assert [] == own_posts(scene)


@pytest.mark.parametrize("how", ["copied", "quoted", "with more behind"])
def test_a_marker_in_a_player_s_post_is_not_ours(scene: Scene, how: str) -> None:
    """Whoever copies our last line publishes nothing in our name."""
    texts = {
        "copied": f"Informe\n\n{MARKER}",
        "quoted": quote(scene.software, f"Informe\n\n{MARKER}", "turnero") + "\n\nno lo entiendo",
        "with more behind": f"{MARKER}\n\ny algo más",
    }
    scene.write("alice", texts[how])
    assert () == scene.forum.find_marker(scene.topic, MARKER)
    assert [] == own_posts(scene)


def test_a_private_text_reaches_one_person_and_is_found_again(scene: Scene) -> None:
    """By title and marker; nobody reads it in public."""
    text = f"Tus órdenes\n\n{LETTER}"
    sent = scene.forum.send_private("bob", "Alfa: Tau", text)
    if not scene.forum.capabilities.private:
        assert isinstance(sent, Refused)
        assert sent.retry_after is None
        assert [] == own_posts(scene)
        return
    made = published(sent)
    (found,) = scene.forum.find_private("Alfa: Tau", LETTER)
    assert (made, text) == (found.post_id, found.text)
    own = [post for post in scene.forum.read_own(scene.topic).posts if post.id == made]
    assert own == [post for post in own if post.private]


@pytest.mark.parametrize("to", ["alice,bob", ""])
def test_a_private_text_goes_to_nobody_else(scene: Scene, to: str) -> None:
    """A name that is none, or two, is refused; above all, what has no recipient isn't made public."""
    refused = scene.forum.send_private(to, "Alfa: Tau", f"Tus órdenes\n\n{LETTER}")
    assert Refused(msg("sent/no-name", name=to)) == refused
    assert [] == own_posts(scene)


def test_a_player_s_private_message_is_read_as_private(scene: Scene) -> None:
    """In a conversation of its own, or in the turn's topic with a mark."""
    if not scene.forum.capabilities.private:
        with pytest.raises(ForumError, match="forum/no-private"):
            scene.forum.read_private()
        return
    scene.whisper("alice", ORDERS)
    if cannot(scene, Limit.CONVERSATIONS):
        assert () == scene.forum.read_private()
        posts = tuple(players(scene))
    else:
        assert [] == players(scene)
        (reading,) = scene.forum.read_private()
        assert {scene.ids["alice"], scene.forum.open()} == set(reading.participants)
        posts = reading.posts
    assert [(scene.ids["alice"], True)] == [(post.author_id, post.private) for post in posts]
    assert "producir" in lines(scene, posts[0])[1]


def test_copies_of_a_bbcode_forum_keep_quotes_code_and_spoilers_apart(tmp_path: Path) -> None:
    """What another forum than Spirit shows hidden or quoted is known by its own marks."""
    scene = Carried(tmp_path, dialect="xenforo")
    text = f"[quote=bob]{ORDERS}[/quote]\n[code]un ejemplo[/code]\n[spoiler]oculto[/spoiler]\n{ORDERS}"
    scene.write("alice", text)
    (post,) = players(scene)
    seen, raw = see_post(post, "xenforo")
    assert raw
    assert [("un ejemplo", "", False), ("oculto", None, True), ("[órdenes turno 1]", None, False)] == [
        (line.text, line.fence, line.spoiler) for line in seen.lines[:3]
    ]
    assert 1 == sum("producir" in line.text for line in seen.lines)
    assert ["quote"] == [skip.kind for skip in seen.skipped if skip.has_block]


def test_our_own_texts_are_read_whatever_a_person_brought(tmp_path: Path) -> None:
    """A file that can't be read stops the reading of players' posts, and never that of our own."""
    scene = Carried(tmp_path)
    made = published(scene.forum.post(scene.topic, f"Informe\n\n{MARKER}"))
    (scene.inbox / "mal.txt").write_text("autor: alice\nfecha: ayer\n\nhola\n", encoding="utf-8")
    with pytest.raises(Unready, match=r"folder/inbox.*mal\.txt, línea 2"):
        scene.forum.read_topic(scene.topic)
    assert [made] == [post.id for post in scene.forum.read_own(scene.topic).posts]
    assert [made] == [found.post_id for found in scene.forum.find_marker(scene.topic, MARKER)]
