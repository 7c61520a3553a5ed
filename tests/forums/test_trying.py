"""What `turnero check --forum` and the canary see of a forum: the same tests over every stand-in.

Trying a forum out leaves no trace; a test line and a test letter are written where they are asked for, once.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from jobs.catalogues import load_catalogue
from jobs.demo.spirit_server import SpiritServer
from processor.cleaning import find_own_posts
from processor.forums.online import OnlineForum
from processor.pipeline.seen import is_published, see_post
from processor.ports import Forum
from processor.service.trial_lines import Line, try_posting, try_uploading, try_writing
from processor.service.trying import Look, Trial, try_out
from rules.play.game import Game
from rules.play.posts import Merged, Outcome, Published, Queued, Refused, Unknown, Visibility
from tests.support.forum_fixtures import ALICE, BOT, GM, TITLE, enter
from tests.support.hand_clock import HandClock
from tests.support.memory_forum import TOPIC, Fault, MemoryForum
from tests.support.secret_night import ShowingForum
from tests.support.small_game import load_game, write_folder
from tests.support.standin import STANDINS, StandIn

ES = load_catalogue("es")
MARKER, NOW = "try1:pequena", "13:05:09"
ENDED = "Aquí Turnero probó si podía publicar. No cuenta para nada."
REPORT = "Informe\n\nptd1:pequena:1.1:report:1/1:8f3ac1d2"


@pytest.fixture(params=STANDINS)
def server(request: pytest.FixtureRequest) -> StandIn:
    """Each of them, with a topic and three posts a page."""
    found: StandIn = request.getfixturevalue(f"{request.param}_standin")
    return found


@pytest.fixture
def game(tmp_path_factory: pytest.TempPathFactory, server: StandIn) -> Game:
    """A game that is played there."""
    seats = {"norte": [server.accounts["alice"], "alice"], "sur": [server.accounts["bob"], "bob"]}
    told = {"url": server.url, "software": server.software, "topic": server.topics[TITLE], "accounts": seats}
    return load_game(write_folder(tmp_path_factory.mktemp("g"), director="gamemaster", **told)).game


def said(looks: Iterable[Look]) -> list[tuple[bool, str]]:
    """Looks as the director reads them."""
    return [(look.good, ES.text(look.said)) for look in looks]


def ids(looks: Iterable[Look]) -> list[tuple[bool, str]]:
    """The same by their texts' ids."""
    return [(look.good, look.said.id) for look in looks]


def look_around(game: Game, forum: Forum) -> list[Look]:
    """All looks without a trace."""
    return list(try_out(Trial(game, forum, lambda: datetime.now(UTC))))


def test_each_right_is_told_and_nothing_is_left_behind(server: StandIn, game: Game) -> None:
    """Login, topic, structure, clocks, private messages, posting, editing, writing in private."""
    topic, bot = server.topics[TITLE], enter(server, BOT)
    server.write_post(topic, "alice", "uno")
    server.write_post(topic, BOT.name, "mío")
    before, stored = server.posts(), len(server.events("stored"))
    looks = look_around(game, bot)
    private = bot.capabilities.private
    assert [
        *("try/log-in", "try/read-topic", "try/structure", "try/clocks-agree"),
        "try/read-private" if private else "try/no-private",
        *("try/may-post", "try/may-edit", *(["try/may-write"] if private else [])),
    ] == [name for _, name in ids(looks)]
    assert [] == [look for look in looks if not (look.good or look.said.id == "try/no-private")]
    assert (before, stored) == (server.posts(), len(server.events("stored")))


def test_what_was_found_on_the_pages_is_told(server: StandIn, game: Game) -> None:
    """Positions, authors with their accounts, how exact times are, edits."""
    topic = server.topics[TITLE]
    written = [server.write_post(topic, name, "hola") for name in ("alice", "bob", "alice", "bob")]
    server.shift_clock(120)  # what is mended at once some forums don't mark
    server.edit_post(written[0], "adiós")
    facts = next(
        look.said.params for look in look_around(game, enter(server, BOT)) if "struct" in look.said.id
    )
    exact = int(enter(server, BOT).capabilities.precision.value == "second")
    expected = {"first": 1, "last": 5, "authors": 3, "exact": exact, "edited": 1, "gone": 0, "nobody": 0}
    assert expected == dict(facts)


def test_a_closed_topic_is_told_last(server: StandIn, game: Game) -> None:
    """What could be read is told, and that nothing can be posted."""
    server.close_topic(server.topics[TITLE])
    looks = look_around(game, enter(server, BOT))
    wrong = [name for good, name in ids(looks) if not good]
    assert "forum/closed" == wrong[-1]
    assert {*wrong} <= {"forum/closed", "try/no-private"}
    assert not looks[-1].good


@pytest.mark.parametrize("kind", ["maintenance", "truncate", "login-page"])
def test_a_page_that_is_none_is_told_and_nothing_else_is_tried(
    server: StandIn, game: Game, kind: str
) -> None:
    """Whatever stands there instead of the topic: no "0 posts"."""
    bot = enter(server, BOT)
    bot.open()
    server.fail(kind, "topic", times=99, at=300)
    looks = look_around(game, bot)
    assert ("try/log-in", False) == (looks[0].said.id, looks[-1].good)
    assert 2 == len(looks)


def test_a_seat_s_name_with_another_account_is_told(server: StandIn, game: Game) -> None:
    """The director's file has another number than the person who writes under that name."""
    server.write_post(server.topics[TITLE], "alice", "hola")
    wrong = replace(game, seats=(replace(game.seats[0], account="77"), *game.seats[1:]))
    looks = look_around(wrong, enter(server, BOT))
    told = [look for look in looks if not look.good and look.said.id != "try/no-private"]
    assert [("alice", (server.accounts["alice"],), "77")] == [
        (one.said.params["name"], one.said.params["accounts"], one.said.params["account"]) for one in told
    ]


def test_the_line_is_posted_and_edited_to_its_end(server: StandIn, game: Game) -> None:
    """One post more, which says that it was a test, and nobody takes it for ours or for orders."""
    topic, bot = server.topics[TITLE], enter(server, BOT)
    looks = ids(try_posting(Line(game, bot, ES, NOW), topic))
    assert [(True, "try/line-posted"), (True, "try/line-edited")] == looks
    assert [ENDED] == [post["text"] for post in server.posts()[1:]]
    reading = bot.read_topic(topic)
    assert () == find_own_posts((reading,), bot.open())
    seen, _ = see_post(reading.posts[-1], server.software)
    assert not is_published(seen)


def test_a_picture_is_handed_over_and_shown_to_nobody(server: StandIn, game: Game) -> None:
    """Where the forum takes pictures; where it doesn't there is nothing to tell. No post is made."""
    topic, bot, before = server.topics[TITLE], enter(server, BOT), server.posts()
    looks = ids(try_uploading(Line(game, bot, ES, NOW), topic))
    takes = bot.capabilities.uploads is not None
    assert ([(True, "try/picture-taken")] if takes else []) == looks
    assert (int(takes), before) == (len(server.state.pictures), server.posts())


def test_a_picture_that_is_not_taken_is_told(server: StandIn, game: Game) -> None:
    """With the reason, and what follows."""
    topic, bot = server.topics[TITLE], enter(server, BOT)
    bot.open()
    server.fail("limited", "upload", times=99, retry_after="30")
    looks = said(try_uploading(Line(game, bot, ES, NOW), topic))
    why = "el foro dice que le pido demasiado en poco tiempo"
    expected = f"El foro no toma imágenes ({why}): el informe irá sin mapas, que quedan en su carpeta"
    assert ([(False, expected)] if bot.capabilities.uploads else []) == looks


def test_a_picture_that_no_text_could_show_is_told(tmp_path: Path) -> None:
    """The report would go without it as well."""
    game = load_game(write_folder(tmp_path / "g")).game
    forum = ShowingForum(HandClock(), places=deque(["javascript:alert(1)"]))
    why = "la dirección que da el foro no sirve para enseñarla"
    expected = f"El foro no toma imágenes ({why}): el informe irá sin mapas, que quedan en su carpeta"
    assert [(False, expected)] == said(try_uploading(Line(game, forum, ES, NOW), TOPIC))


def test_a_real_spirit_takes_two_trials_in_a_row(spirit: SpiritServer, tmp_path: Path) -> None:
    """It takes no text twice within half an hour; each trial's is its own."""
    bot = enter(spirit, BOT)
    game = load_game(write_folder(tmp_path / "g", url=spirit.url, topic=spirit.topics[TITLE])).game
    for moment in ("13:05:09", "13:06:10"):
        looks = ids(try_posting(Line(game, bot, ES, moment), spirit.topics[TITLE]))
        assert [(True, "try/line-posted"), (True, "try/line-edited")] == looks
    assert [ENDED, ENDED] == [post["text"] for post in spirit.posts()[1:]]


def test_a_line_that_was_left_behind_is_gone_on_with(server: StandIn, game: Game) -> None:
    """After a crash between posting and editing no second line is posted."""
    topic, bot = server.topics[TITLE], enter(server, BOT)
    assert isinstance(bot.post(topic, Line(game, bot, ES, "12:59:59").text), Published)
    line = Line(game, bot, ES, NOW)
    assert [(True, "try/line-found"), (True, "try/line-edited")] == ids(try_posting(line, topic))
    assert [ENDED] == [post["text"] for post in server.posts()[1:]]


def test_a_lost_answer_is_settled_by_looking(server: StandIn, game: Game) -> None:
    """The forum has the line and hangs up: it is found, told, and edited; nothing is sent again."""
    topic, bot = server.topics[TITLE], enter(server, BOT)
    bot.open()
    server.fail("store-then-drop", "publish")
    looks = ids(try_posting(Line(game, bot, ES, NOW), topic))
    assert [(True, "try/line-there"), (True, "try/line-edited")] == looks
    assert [ENDED] == [post["text"] for post in server.posts()[1:]]


def test_a_line_that_is_not_there_is_not_known_and_not_sent_again(server: StandIn, game: Game) -> None:
    """Nobody can tell: the director is told to run it again, which looks first."""
    topic, bot = server.topics[TITLE], enter(server, BOT)
    bot.open()
    server.fail("drop-before-store", "publish")
    assert [(False, "try/line-unknown")] == ids(try_posting(Line(game, bot, ES, NOW), topic))
    assert 1 == len(server.posts())


def test_a_player_s_copy_of_the_line_is_left_alone(server: StandIn, game: Game) -> None:
    """Only our own line is gone on with."""
    topic, bot = server.topics[TITLE], enter(server, BOT)
    line = Line(game, bot, ES, NOW)
    copied = server.write_post(topic, ALICE.name, line.text)
    assert "try/line-posted" in [name for _, name in ids(try_posting(line, topic))]
    assert [line.text, ENDED] == [post["text"] for post in server.posts() if post["id"] >= copied]


def test_the_director_is_written_to_once_a_day(server: StandIn, game: Game) -> None:
    """In private, and a second run the same day sends nothing."""
    bot = enter(server, BOT)
    line = Line(game, bot, ES, NOW)
    first, again = (ids(try_writing(line, "lunes 30 de noviembre")) for _ in range(2))
    if not bot.capabilities.private:
        assert [(False, "forum/no-private")] == first == again
        return
    assert ([(True, "try/letter-sent")], [(True, "try/letter-found")]) == (first, again)
    (theirs,) = enter(server, GM).read_private()
    assert isinstance(bot, OnlineForum)
    assert bot.same_title(theirs.title, "Prueba de Turnero: Partida pequeña, lunes 30 de noviembre")


# What no stand-in does, over the forum in memory.


@pytest.fixture
def memory(tmp_path: Path) -> tuple[MemoryForum, Line]:
    """A forum with a report as its newest post, which is ours."""
    forum = MemoryForum(HandClock())
    forum.write("9", "Aquí se juega.")
    forum.write("1", REPORT)
    return forum, Line(load_game(write_folder(tmp_path / "g")).game, forum, ES, NOW)


@pytest.mark.parametrize(
    ("outcome", "expected"),
    [
        (Queued("cuenta nueva"), "try/line-queued"),
        (Refused("cerrado"), "try/line-refused"),
        (Refused("demasiado pronto", 61.0), "try/line-refused"),
        (Unknown("sin respuesta"), "try/line-unknown"),
    ],
    ids=["queued", "refused", "refused for now", "unknown"],
)
def test_each_outcome_is_told_as_it_is(
    memory: tuple[MemoryForum, Line], outcome: Outcome, expected: str
) -> None:
    """Nothing is edited where nothing is known to be there."""
    forum, line = memory
    forum.post = lambda *_: outcome  # type: ignore[method-assign]
    assert [(False, expected)] == ids(try_posting(line, TOPIC))


def test_a_refusal_names_its_wait(memory: tuple[MemoryForum, Line]) -> None:
    """In the forum's words and in seconds."""
    forum, line = memory
    forum.post = lambda *_: Refused("Espera", 61.0)  # type: ignore[method-assign]
    assert [(False, "No lo he podido enviar: el foro dice «Espera». Repite la orden dentro de 61 s")] == said(
        try_posting(line, TOPIC)
    )


def test_a_report_into_which_the_line_was_merged_is_as_before(memory: tuple[MemoryForum, Line]) -> None:
    """The forum appends to the post before: that is told, and the report doesn't keep the line."""
    forum, line = memory

    def merge(topic: str, text: str) -> Outcome:
        kept = forum.posts[-1]
        forum.rewrite(kept.id, f"{kept.text}\n\n{text}")
        return Merged(str(kept.id))

    forum.post = merge  # type: ignore[method-assign]
    looks = ids(try_posting(line, TOPIC))
    assert [(False, "try/line-merged"), (True, "try/line-cut-off")] == looks
    assert REPORT == forum.posts[-1].text


def test_a_line_that_the_forum_has_changed_is_not_touched(memory: tuple[MemoryForum, Line]) -> None:
    """Who can't tell what stands above the marker edits nothing."""
    forum, line = memory
    forum.write("1", f"Otra cosa\n\n{MARKER}")
    assert [(True, "try/line-found"), (False, "try/line-stays")] == ids(try_posting(line, TOPIC))
    assert f"Otra cosa\n\n{MARKER}" == forum.posts[-1].text


def test_a_line_that_shows_up_late_is_ended_by_the_next_run(
    memory: tuple[MemoryForum, Line],
) -> None:
    """The forum took it, and readers see it in a minute."""
    forum, line = memory
    forum.lag = timedelta(minutes=1)
    first = ids(try_posting(line, TOPIC))
    forum.clock.sleep(60)
    second = ids(try_posting(line, TOPIC))
    assert [(True, "try/line-posted"), (False, "try/line-unseen")] == first
    assert [(True, "try/line-found"), (True, "try/line-edited")] == second


def test_a_line_that_may_not_be_edited_is_pointed_at(memory: tuple[MemoryForum, Line]) -> None:
    """The director deletes it, or asks for the right."""
    forum, line = memory
    forum.post_faults.extend([None, Fault.REFUSE])
    assert [(True, "try/line-posted"), (False, "try/line-not-edited")] == ids(try_posting(line, TOPIC))


def test_own_posts_that_wait_for_a_moderator_are_told(memory: tuple[MemoryForum, Line]) -> None:
    """The canary sees by them that the forum queues what we post."""
    forum, line = memory
    forum.posts[-1].visibility = Visibility.UNAPPROVED
    looks = list(try_out(Trial(line.game, forum, forum.clock.now, thorough=False)))
    assert [(False, "Un mensaje mío espera a un moderador y nadie lo ve")] == [
        (good, text.split(":")[0]) for good, text in said(looks) if not good
    ]


def test_a_login_that_differs_from_the_name_in_the_topic_is_told(memory: tuple[MemoryForum, Line]) -> None:
    """A letter to it may reach nobody; capitals and signs, which forums change, are the same."""
    forum, line = memory
    told = []
    for login in ("bobby", "JUGADOR-9"):  # it is called «jugador 9» there
        seats = tuple(replace(seat, account="9", login=login) for seat in line.game.seats[:1])
        looks = try_out(Trial(replace(line.game, seats=seats), forum, forum.clock.now))
        told += [(login, look.good) for look in looks if look.said.id == "try/other-name"]
    assert [("bobby", True)] == told


def test_the_time_that_logging_in_takes_is_no_difference_of_clocks(
    memory: tuple[MemoryForum, Line], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some forums want seconds between a form and its sending."""
    forum, line = memory

    def enter_slowly() -> str:
        forum.clock.sleep(5)
        return "1"

    monkeypatch.setattr(forum, "open", enter_slowly)
    looks = said(try_out(Trial(line.game, forum, forum.clock.now)))
    assert (True, "El reloj del foro y el de esta máquina van a la par (se llevan 0 s)") in looks


def test_a_game_with_secrets_is_tried_in_private_before_anybody_plays(
    memory: tuple[MemoryForum, Line],
) -> None:
    """While all seats are vacant the director already learns whether orders can be sent."""
    forum, line = memory
    seats = tuple(replace(seat, account=None, login=None) for seat in line.game.seats)
    told = {}
    for secret in (True, False):
        game = replace(line.game, seats=seats, forum=replace(line.game.forum, secret=secret))
        told[secret] = {name for _, name in ids(try_out(Trial(game, forum, forum.clock.now)))}
    assert {"try/read-private"} == told[True] - told[False]


def test_without_a_director_s_name_nobody_is_written_to(memory: tuple[MemoryForum, Line]) -> None:
    """And the file's place is named where it goes."""
    _, line = memory
    assert [(False, "try/letter-nobody")] == ids(try_writing(line, "hoy"))
