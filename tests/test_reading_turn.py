"""Which post counts, whose it is, which block is in force: as players would tell it (design.md 2)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from processor.pipeline.reading import wants_raw
from rules.engine.messages import Name
from rules.play.game import Policies, Seat
from rules.play.posts import Precision, Visibility
from tests.support.fair import BOT, Topic, at, block, codes, make_play, texts, whys

# who ordered what


def test_an_order_in_the_topic_counts() -> None:
    """Ana writes a block among her prose, and it counts; her words outside it are facts of the post."""
    topic = Topic()
    post = topic.post("Ana", "¡Hola a todos los de la feria!\n" + block("jugar en Tómbola"), 60)

    reading = topic.read()

    assert ["jugar en Tómbola"] == texts(reading, "Ana")
    assert [] == texts(reading, "Bea")
    assert 7 == reading.facts[post].words
    assert reading.seat("Ana").in_force[0].post.number == 1


def test_the_account_decides_and_not_the_name() -> None:
    """Somebody who calls himself Ana but has another account orders nothing, and is named."""
    topic = Topic()
    topic.post("Ana", block("trabajar"), 60)
    topic.versions[0] = replace(topic.versions[0], post=replace(topic.versions[0].post, author_id="99"))

    reading = topic.read()

    assert [] == texts(reading, "Ana")
    assert [(None, "no-seat")] == whys(reading.skipped)
    assert ["Ana"] == [one.author for one in reading.skipped]


def test_prose_of_people_who_watch_is_nothing() -> None:
    """Who doesn't play and writes no block isn't listed."""
    topic = Topic()
    topic.post("Mirón", "¡Ánimo, Ana!", 60)

    assert () == topic.read().skipped


def test_deleted_accounts_play_for_nobody() -> None:
    """A post without an account is nobody's, also where a seat is vacant."""
    topic = Topic()
    topic.post("Ana", block("trabajar"), 60)
    topic.versions[0] = replace(topic.versions[0], post=replace(topic.versions[0].post, author_id=None))
    play = make_play()
    vacant = replace(play.game, seats=(Seat("Ana", None, None, Name("Ana")), *play.game.seats[1:]))

    reading = topic.read(replace(play, game=vacant))

    assert () == reading.seat("Ana").in_force


def test_what_turnero_says_never_counts() -> None:
    """Neither the own account's template, nor a report of it that somebody posts again whole."""
    topic = Topic()
    topic.post("Turnero", block("trabajar"), 60)
    topic.post("Ana", block("trabajar") + "\nptd1:feria:2.1:report:1/1:01234567", 50)

    reading = topic.read()

    assert [] == texts(reading, "Ana")
    assert ((), ()) == (reading.skipped, reading.late)
    assert BOT not in [one.post.id for one in reading.skipped]


# which block is in force


def test_the_newest_block_replaces_the_older_whole() -> None:
    """Ana thinks again: only what the second block says counts."""
    topic = Topic()
    topic.post("Ana", block("jugar en Tómbola", "Nico: trabajar"), 60)
    topic.post("Ana", block("trabajar"), 50)

    reading = topic.read()

    assert ["trabajar"] == texts(reading, "Ana")
    assert 1 == len(reading.seat("Ana").in_force)


def test_two_blocks_of_one_post_are_two() -> None:
    """The second block of a post replaces the first."""
    topic = Topic()
    topic.post("Ana", block("trabajar") + "\nO mejor:\n" + block("pregonar"), 60)

    assert ["pregonar"] == texts(topic.read(), "Ana")


def test_an_invalid_block_leaves_the_older_in_force() -> None:
    """Nothing of Ana's second block is understood; the first stands, and she is told."""
    topic = Topic()
    topic.post("Ana", block("trabajar"), 60)
    topic.post("Ana", block("bailar sevillanas"), 50)

    reading = topic.read()
    own = reading.seat("Ana")

    assert ["trabajar"] == texts(reading, "Ana")
    assert own.latest is not None
    assert not own.latest.valid
    assert (own.latest,) == own.rejected
    assert ["parse/unknown-order"] == codes(reading, "Ana")


def test_a_block_with_one_good_line_is_valid() -> None:
    """Of two lines one is refused; the block counts and the line keeps its number."""
    topic = Topic()
    topic.post("Ana", block("bailar", "trabajar"), 60)

    reading = topic.read()

    assert [2] == [order.number for order in reading.seat("Ana").orders]
    assert [1, 2] == [line.number for line in reading.seat("Ana").lines]


def test_an_unclosed_block_is_told_and_counts_for_nothing() -> None:
    """Without its end the block is lost; the older one stays."""
    topic = Topic()
    topic.post("Ana", block("trabajar"), 60)
    topic.post("Ana", "[órdenes turno 3]\npregonar", 50)

    reading = topic.read()

    assert ["trabajar"] == texts(reading, "Ana")
    assert ["parse/unclosed-block"] == codes(reading, "Ana")


def test_a_broken_mark_behind_a_good_block_is_the_newest_word() -> None:
    """The first block counts, and what is wrong behind it is told on top."""
    topic = Topic()
    topic.post("Ana", block("trabajar") + "\n\n[ordnes turno 3]\npregonar\n[/órdenes]", 60)

    reading = topic.read()
    own = reading.seat("Ana")

    assert ["trabajar"] == texts(reading, "Ana")
    assert own.latest is not None
    assert not own.latest.valid


def test_anade_appends_and_counts_on() -> None:
    """`añade` keeps the older block; numbers go on, and what is spent there is spent."""
    topic = Topic()
    topic.post("Ana", block("jugar en Tómbola"), 60)
    topic.post("Ana", block("Nico: trabajar", "pregonar", header="añade"), 50)

    reading = topic.read()

    assert ["jugar en Tómbola", "trabajar"] == texts(reading, "Ana")
    assert [1, 2] == [order.number for order in reading.seat("Ana").orders]
    assert ["feria/already-busy"] == codes(reading, "Ana")
    assert 2 == len(reading.seat("Ana").in_force)


def test_a_new_block_drops_what_was_appended() -> None:
    """A block without `añade` replaces all, the appended one too."""
    topic = Topic()
    topic.post("Ana", block("trabajar"), 60)
    topic.post("Ana", block("Nico: trabajar", header="añade"), 50)
    topic.post("Ana", block("pregonar"), 40)

    assert ["pregonar"] == texts(topic.read(), "Ana")


@pytest.mark.parametrize("lines", [(), ("ninguna",), ("Ninguna",)])
def test_an_empty_block_withdraws(lines: tuple[str, ...]) -> None:
    """Ana wants to give no orders: an empty block, or one that says so."""
    topic = Topic()
    topic.post("Ana", block("trabajar"), 60)
    topic.post("Ana", block(*lines), 50)

    reading = topic.read()

    assert [] == texts(reading, "Ana")
    assert reading.seat("Ana").withdrawn


def test_a_withdrawal_stands_when_a_later_block_is_invalid() -> None:
    """What came after it says nothing, so nothing is in force."""
    topic = Topic()
    topic.post("Ana", block("trabajar"), 60)
    topic.post("Ana", block("ninguna"), 50)
    topic.post("Ana", block("# sólo un comentario"), 40)

    reading = topic.read()

    assert reading.seat("Ana").withdrawn
    assert ["parse/nothing-counts"] == codes(reading, "Ana")


def test_orders_behind_a_withdrawal_count() -> None:
    """Whoever withdrew may order again, also with `añade`."""
    topic = Topic()
    topic.post("Ana", block("ninguna"), 60)
    topic.post("Ana", block("trabajar", header="añade"), 50)

    reading = topic.read()

    assert ["trabajar"] == texts(reading, "Ana")
    assert not reading.seat("Ana").withdrawn


def test_ninguna_among_orders_is_told() -> None:
    """It withdraws nothing there, and isn't passed over in silence."""
    topic = Topic()
    topic.post("Ana", block("trabajar", "ninguna"), 60)

    reading = topic.read()

    assert ["trabajar"] == texts(reading, "Ana")
    assert ["block/none-and-orders"] == codes(reading, "Ana")


def test_listo_alone_keeps_the_orders() -> None:
    """`listo` in a block of its own says only that."""
    topic = Topic()
    topic.post("Ana", block("trabajar"), 60)
    topic.post("Ana", block("listo"), 50)

    reading = topic.read()

    assert ["trabajar"] == texts(reading, "Ana")
    assert reading.seat("Ana").in_force[-1].ready


def test_listo_behind_a_withdrawal_doesnt_take_it_back() -> None:
    """Who wants to give no orders and is ready has still withdrawn."""
    topic = Topic()
    topic.post("Ana", block("ninguna"), 60)
    topic.post("Ana", block("listo"), 50)

    assert topic.read().seat("Ana").withdrawn


def test_listo_doesnt_save_a_block_of_nonsense() -> None:
    """Every order of the block is refused: the older block stays."""
    topic = Topic()
    topic.post("Ana", block("trabajar"), 60)
    topic.post("Ana", block("bailar", "listo"), 50)

    assert ["trabajar"] == texts(topic.read(), "Ana")


def test_a_reply_in_a_block_of_its_own_keeps_the_orders() -> None:
    """Whoever answers a question doesn't order anew by that."""
    topic = Topic()
    topic.post("Ana", block("trabajar"), 60)
    topic.post("Ana", block("responder P1 tirar"), 50)

    reading = topic.read()

    assert ["trabajar"] == texts(reading, "Ana")
    assert (("P1", "tirar"),) == reading.seat("Ana").in_force[-1].replies


def test_more_than_200_orders_are_refused_whole() -> None:
    """Clauses don't count: 200 orders with one each are read, 201 are not."""
    topic = Topic()
    topic.post("Ana", block(*["jugar en Tómbola", "casi: tirar"] * 200, header=""), 60)
    topic.post("Bea", block(*["jugar en Tómbola", "casi: tirar"] * 201, header=""), 60)

    reading = topic.read()

    assert 200 == len(reading.seat("Ana").lines)
    assert ((), ["parse/too-many-orders"]) == (reading.seat("Bea").in_force, codes(reading, "Bea"))


# headers


def test_another_turns_block_is_refused() -> None:
    """A block for turn 2 says so and counts for nothing."""
    topic = Topic()
    topic.post("Ana", block("trabajar", header="turno 2"), 60)

    reading = topic.read()

    assert [] == texts(reading, "Ana")
    assert ["block/wrong-turn"] == codes(reading, "Ana")


def test_standing_orders_are_refused_where_there_are_none() -> None:
    """The game's policy has none: nobody may rely on them."""
    topic = Topic()
    topic.post("Ana", block("trabajar", header="permanentes"), 60)

    assert ["block/no-standing-orders"] == codes(topic.read(), "Ana")


TWO_SEATS = {"Ana": "11", "Bea": "11", "Ciro": "13"}


def test_who_has_two_seats_says_which() -> None:
    """One account, two seats: `como` says whose block it is."""
    topic = Topic()
    topic.post("Ana", block("trabajar", header="turno 3 como Bea"), 60)

    reading = topic.read(make_play(accounts=TWO_SEATS))

    assert [] == texts(reading, "Ana")
    assert ["trabajar"] == texts(reading, "Bea")


def test_who_has_two_seats_and_names_none_is_asked() -> None:
    """Without `como` the block is nobody's, and the answer lists the seats."""
    topic = Topic()
    topic.post("Ana", block("trabajar"), 60)

    reading = topic.read(make_play(accounts=TWO_SEATS))

    assert ([], []) == (texts(reading, "Ana"), texts(reading, "Bea"))
    (problem,) = reading.seat("Ana").rejected[0].problems
    assert ("block/whose", (Name("Ana"), Name("Bea"))) == (problem.code, problem.message.params["seats"])


@pytest.mark.parametrize("name", ["Bea", "bea", "la Bea", "«Bea»", "Be a"])
def test_a_seat_is_named_as_people_name_it(name: str) -> None:
    """Case, article and quotation marks don't matter; a name that isn't one does."""
    play = make_play(accounts={"Ana": "11", "Bea": "11", "Ciro": "13"})
    topic = Topic()
    topic.post("Ana", block("trabajar", header=f"como {name} turno 3"), 60)

    expected = [] if name == "Be a" else ["trabajar"]
    assert expected == texts(topic.read(play), "Bea")


def test_a_shortened_name_that_fits_two_seats_is_asked_back() -> None:
    """Nothing is guessed: the answer lists both."""
    play = make_play(accounts={"Ana": "11", "Bea": "11", "Ciro": "13"})
    shown = {"Ana": "Casa Alta", "Bea": "Casa Baja", "Ciro": "Casa Cana"}
    seats = tuple(replace(seat, shown=Name(shown[seat.id])) for seat in play.game.seats)
    play = replace(play, game=replace(play.game, seats=seats))
    topic = Topic()
    topic.post("Ana", block("trabajar", header="como la casa"), 60)
    topic.post("Ana", block("trabajar", header="como baja"), 50)
    topic.post("Ana", block("trabajar", header="como casa baj"), 40)

    reading = topic.read(play)

    assert ["block/whose", "block/not-your-seat"] == codes(reading, "Ana")
    assert ["trabajar"] == texts(reading, "Bea")


def test_a_seats_name_without_como_is_told() -> None:
    """`[órdenes Bea]` names no turn; whoever writes it learns how a seat is named."""
    topic = Topic()
    topic.post("Bea", block("trabajar", header="turno 3 de Bea"), 60)

    reading = topic.read()

    (found,) = reading.seat("Bea").rejected[0].problems
    assert ("block/unknown-track", "Bea") == (found.code, found.message.params["seat"])


def test_nobody_orders_for_somebody_elses_seat() -> None:
    """`como Ciro` from Ana's account is refused."""
    topic = Topic()
    topic.post("Ana", block("trabajar", header="como Ciro"), 60)

    reading = topic.read()

    assert [] == texts(reading, "Ciro")
    assert ["block/not-your-seat"] == codes(reading, "Ana")


def test_blocks_of_other_tracks_are_left_to_them() -> None:
    """A duel's block is neither an order nor an error of the main turn; an unknown name is one."""
    topic = Topic()
    topic.post("Ana", block("apretar", header="duelo turno 1"), 60)
    topic.post("Bea", block("apretar", header="baile turno 1"), 50)
    play = replace(make_play(), tracks=("duelo",))

    reading = topic.read(play)

    assert [] == codes(reading, "Ana")
    assert ["block/unknown-track"] == codes(reading, "Bea")


def test_a_track_reads_its_own_blocks_only() -> None:
    """On the duel's track the main turn's block is nothing."""
    topic = Topic()
    topic.post("Ana", block("trabajar"), 60)
    topic.post("Bea", block("trabajar", header="duelo"), 50)
    play = make_play()
    play = replace(play, tracks=("duelo",), ref=replace(play.ref, track="duelo"))

    reading = topic.read(play)

    assert [] == texts(reading, "Ana")
    assert ["trabajar"] == texts(reading, "Bea")


# time


def test_the_minute_of_the_deadline_counts_and_is_marked() -> None:
    """The forum shows minutes only: 22:00 for 22:00 is in time, with a warning."""
    topic = Topic()
    topic.post("Ana", block("trabajar"), 0, seen=-1)

    reading = topic.read()

    assert ["trabajar"] == texts(reading, "Ana")
    assert ["block/deadline-minute"] == codes(reading, "Ana")


@pytest.mark.parametrize("seconds", [0, 1])
def test_a_forum_with_seconds_is_exact(seconds: int) -> None:
    """The second of the deadline still counts, the next one doesn't."""
    topic = Topic(Precision.SECOND)
    topic.post("Ana", block("trabajar"), -seconds / 60, seen=-1)

    reading = topic.read(make_play(precision=Precision.SECOND))

    assert (["trabajar"] if seconds == 0 else []) == texts(reading, "Ana")
    assert ([] if seconds == 0 else [("Ana", "late")]) == whys(reading.late)


def test_a_late_post_is_listed_and_changes_nothing() -> None:
    """A minute too late: the older block stands."""
    topic = Topic()
    topic.post("Ana", block("trabajar"), 60)
    topic.post("Ana", block("pregonar"), -1)

    reading = topic.read()

    assert ["trabajar"] == texts(reading, "Ana")
    assert [("Ana", "late")] == whys(reading.late)


def test_a_post_from_before_the_turn_is_not_for_it() -> None:
    """What was written before the turn was open is listed."""
    topic = Topic()
    topic.post("Ana", block("trabajar", header=""), 2000)

    reading = topic.read(replace(make_play(), opened_at=at(1400)))

    assert [] == texts(reading, "Ana")
    assert [("Ana", "early")] == whys(reading.late)


@pytest.mark.parametrize(("precision", "counts"), [(Precision.MINUTE, True), (Precision.SECOND, False)])
def test_the_minute_in_which_a_turn_opens(precision: Precision, counts: bool) -> None:
    """Half a minute before the opening: on a forum without seconds nobody can know."""
    topic = Topic(precision)
    topic.post("Ana", block("trabajar"), 1400)

    reading = topic.read(replace(make_play(precision=precision), opened_at=at(1399.5)))

    assert (["trabajar"] if counts else []) == texts(reading, "Ana")


def test_posts_and_messages_are_one_sequence() -> None:
    """A private message that is newer than the post in the topic replaces it, and the other way round."""
    topic = Topic()
    topic.post("Ana", block("trabajar"), 60, private=True)
    topic.post("Ana", block("pregonar"), 50)
    topic.post("Bea", block("trabajar"), 60)
    topic.post("Bea", block("pregonar"), 50, private=True)

    reading = topic.read(make_play(secret=True))

    assert ["pregonar"] == texts(reading, "Ana")
    assert ["pregonar"] == texts(reading, "Bea")
    assert [False] == [order.secret for order in reading.seat("Ana").orders]
    assert [True] == [order.secret for order in reading.seat("Bea").orders]


def test_where_orders_are_open_a_private_block_counts_for_nothing() -> None:
    """Nobody orders in secret in such a game; the older block stays, and its author is told where to post."""
    topic = Topic()
    topic.post("Ana", block("trabajar"), 60)
    topic.post("Ana", block("pregonar"), 50, private=True)

    reading = topic.read(make_play(secret=False))

    assert ["trabajar"] == texts(reading, "Ana")
    assert ["block/private-in-open"] == codes(reading, "Ana")


def test_in_one_minute_the_id_decides_as_a_number() -> None:
    """Two posts of one minute: 1000 comes after 999."""
    topic = Topic()
    topic.post("Ana", block("pregonar"), 60, post_id="1000")
    topic.post("Ana", block("trabajar"), 60, post_id="999")

    assert ["pregonar"] == texts(topic.read(), "Ana")


def test_open_orders_of_a_game_with_secrets_are_warned_of() -> None:
    """They count; everybody can read them, and Ana is told."""
    topic = Topic()
    topic.post("Ana", block("trabajar"), 60)
    topic.post("Bea", block("trabajar"), 60, private=True)

    reading = topic.read(make_play(secret=True))

    assert (["trabajar"], ["block/secret-in-public"]) == (texts(reading, "Ana"), codes(reading, "Ana"))
    assert (["trabajar"], []) == (texts(reading, "Bea"), codes(reading, "Bea"))


# versions


def test_an_edit_in_time_counts() -> None:
    """Ana mends her post an hour before the end, and it was read before the end."""
    topic = Topic()
    post = topic.post("Ana", block("bailar"), 120)
    topic.edit(post, block("trabajar"), seen=60)

    reading = topic.read()

    assert ["trabajar"] == texts(reading, "Ana")
    assert [] == codes(reading, "Ana")


def test_an_edit_makes_no_post_newer() -> None:
    """Posts count by when they were written, not by when they were changed."""
    topic = Topic()
    post = topic.post("Ana", block("trabajar"), 120)
    topic.post("Ana", block("pregonar"), 90)
    topic.edit(post, block("jugar en Tómbola"), seen=60)

    assert ["pregonar"] == texts(topic.read(), "Ana")


def test_a_valid_post_edited_to_nonsense_leaves_the_older_one() -> None:
    """The newest version is invalid, so the block of the post before it is in force."""
    topic = Topic()
    topic.post("Ana", block("trabajar"), 120)
    post = topic.post("Ana", block("pregonar"), 90)
    topic.edit(post, block("bailar"), seen=60)

    assert ["trabajar"] == texts(topic.read(), "Ana")


def test_a_late_edit_of_a_known_post_changes_nothing() -> None:
    """The version that was read before the deadline holds, and the edit is listed."""
    topic = Topic()
    post = topic.post("Ana", block("trabajar"), 60)
    topic.edit(post, block("pregonar"), seen=-5)

    reading = topic.read()

    assert ["trabajar"] == texts(reading, "Ana")
    assert [("Ana", "edited-late")] == whys(reading.late)


def test_an_unmarked_late_change_changes_nothing_either() -> None:
    """A forum that shows no edits: the text is other than before, and that is enough."""
    topic = Topic()
    post = topic.post("Ana", block("trabajar"), 60)
    topic.edit(post, block("pregonar"), seen=-5, edits=0)

    reading = topic.read()

    assert ["trabajar"] == texts(reading, "Ana")
    assert [("Ana", "edited-late")] == whys(reading.late)


def test_an_edit_that_the_forum_dates_in_time_counts_when_read_late() -> None:
    """Ana mended her post two minutes before the end; it was read only after it."""
    topic = Topic()
    post = topic.post("Ana", block("trabajar"), 60)
    topic.edit(post, block("pregonar"), seen=-1, edited_at=at(2))

    reading = topic.read()

    assert ["pregonar"] == texts(reading, "Ana")
    assert () == reading.late


def test_a_post_first_read_after_a_late_edit_is_doubtful() -> None:
    """Nobody knows what it said at the deadline: it doesn't count and the director may accept it."""
    topic = Topic()
    topic.post("Ana", block("trabajar"), 5, seen=-1)
    first = topic.versions[0]
    topic.versions[0] = replace(first, post=replace(first.post, edits=1, edited_at=at(-1)))

    reading = topic.read()

    assert [] == texts(reading, "Ana")
    assert [("Ana", "doubtful")] == whys(reading.late)


def test_an_unedited_post_first_read_at_the_closing_counts() -> None:
    """Written three minutes before the end, read after it, never edited."""
    topic = Topic()
    topic.post("Ana", block("trabajar"), 3, seen=-1)

    assert ["trabajar"] == texts(topic.read(), "Ana")


def test_a_post_deleted_in_time_is_withdrawn() -> None:
    """Its author took it back before the end: the older block is in force again."""
    topic = Topic()
    topic.post("Ana", block("trabajar"), 120)
    post = topic.post("Ana", block("pregonar"), 90)
    topic.edit(post, None, seen=60, visibility=Visibility.REMOVED)

    reading = topic.read()

    assert ["trabajar"] == texts(reading, "Ana")
    assert [("Ana", "removed")] == whys(reading.skipped)


def test_a_post_deleted_after_the_deadline_is_kept() -> None:
    """Too late to take it back."""
    topic = Topic()
    post = topic.post("Ana", block("trabajar"), 60)
    topic.edit(post, None, seen=-5, visibility=Visibility.REMOVED)

    assert ["trabajar"] == texts(topic.read(), "Ana")


def test_a_post_that_is_gone_from_the_topic_is_withdrawn() -> None:
    """It was missing as often as it takes: gone before the lock."""
    topic = Topic()
    post = topic.post("Ana", block("trabajar"), 60)
    topic.lose(post)

    reading = topic.read()

    assert [] == texts(reading, "Ana")
    assert [("Ana", "removed")] == whys(reading.skipped)


def test_a_post_that_is_first_missed_after_the_deadline_is_kept() -> None:
    """Taken away too late."""
    topic = Topic()
    post = topic.post("Ana", block("trabajar"), 60)
    topic.lose(post)
    topic.versions[0] = replace(topic.versions[0], missing_since=at(-2))

    assert ["trabajar"] == texts(topic.read(), "Ana")


def test_a_post_that_is_let_through_before_the_lock_counts() -> None:
    """It waited for a moderator at the deadline, and is as it was."""
    topic = Topic()
    post = topic.post("Ana", block("trabajar"), 60, visibility=Visibility.UNAPPROVED)
    topic.edit(post, None, seen=-2, edits=0, visibility=Visibility.VISIBLE)
    other = topic.post("Bea", block("trabajar"), 60, visibility=Visibility.UNAPPROVED)
    topic.edit(other, block("pregonar"), seen=-2, visibility=Visibility.VISIBLE)

    reading = topic.read()

    assert ["trabajar"] == texts(reading, "Ana")
    assert [] == texts(reading, "Bea")


def test_a_post_counts_once_a_moderator_lets_it_through() -> None:
    """Waiting for approval it counts for nothing, visible it does."""
    topic = Topic()
    post = topic.post("Ana", block("trabajar"), 60, visibility=Visibility.UNAPPROVED)
    waiting = topic.read()
    topic.edit(post, None, seen=30, edits=0, visibility=Visibility.VISIBLE)

    assert ([], [("Ana", "unapproved")]) == (texts(waiting, "Ana"), whys(waiting.skipped))
    assert ["trabajar"] == texts(topic.read(), "Ana")


def test_the_forums_own_lines_are_no_posts() -> None:
    """`Tema cerrado por …` is nobody's order."""
    topic = Topic()
    topic.post("Ana", block("trabajar"), 60, visibility=Visibility.NOTICE)

    reading = topic.read()

    assert ((), (), []) == (reading.skipped, reading.late, texts(reading, "Ana"))


# what is on the page and doesn't count


def test_a_quoted_block_is_named_and_doesnt_count() -> None:
    """Bea quotes Ana's block and agrees: she has ordered nothing."""
    topic = Topic()
    quoted = "\n".join(f"> {line}" for line in block("trabajar").splitlines())
    topic.post("Bea", quoted + "\n¡Muy bien!", 60)

    reading = topic.read()

    assert [] == texts(reading, "Bea")
    assert [("Bea", "quote")] == whys(reading.skipped)


HTML = """<p>¡Vamos!</p>
<blockquote><p>[órdenes turno 3]<br>pregonar<br>[/órdenes]</p></blockquote>
<p>[órdenes turno 3]<br>1. jugar en T&oacute;mbola<br><del>2. pregonar</del><br>[/órdenes]</p>"""


def test_a_rendered_page_is_read_as_its_reader_sees_it() -> None:
    """Quotes and struck lines don't count, and both are named."""
    topic = Topic()
    topic.post("Ana", "", 60)
    first = topic.versions[0]
    topic.versions[0] = replace(first, post=replace(first.post, html=HTML, raw=None))

    reading = topic.read(make_play(software="spirit"))

    assert ["jugar en Tómbola"] == texts(reading, "Ana")
    assert [("Ana", "quote"), ("Ana", "struck")] == whys(reading.skipped)


def test_raw_text_is_only_worth_fetching_where_a_block_may_be() -> None:
    """A block or a near miss; prose is not."""
    topic = Topic()
    topic.post("Ana", "", 60)
    post = topic.versions[0].post

    def wants(html: str) -> bool:
        return wants_raw(replace(post, html=html), "spirit")

    assert [True, True, False] == list(
        map(wants, ("<p>[órdenes]</p>", "<p>[ordnes turno 3]</p>", "<p>Hola</p>"))
    )


def test_a_seat_without_a_word_has_nothing() -> None:
    """Neither block nor finding: that is what a reminder goes by."""
    own = Topic().read(make_play(policies=Policies())).seat("Ciro")

    assert ((), None, ()) == (own.in_force, own.latest, own.rejected)


# orders without a block


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Hola.\njugar en Tómbola\nAdiós.", 2),
        ("1. trabajar\n2. pregonar", 1),
        ("Órdenes turno 3:\ntrabajar", 2),
        ("**Órdenes turno 3**\n- jugar en el tobogán", 2),
        ("【órdenes turno 3】\ntrabajar\n【/órdenes】", 2),
        ("Turno 3\n```\nhurtar a Bea\n```", 2),
    ],
)
def test_orders_without_a_block_are_told(text: str, line: int) -> None:
    """They count for nothing, and Ana learns it in time."""
    topic = Topic()
    topic.post("Ana", text, 60)

    reading = topic.read()

    assert [("Ana", "no-block")] == whys(reading.skipped)
    assert [line] == [one.line for one in reading.skipped]
    assert reading.seat("Ana").latest is None


@pytest.mark.parametrize(
    "text",
    [
        "Trabajar.",
        "Jugar en serio es otra cosa",
        "Órdenes turno 3",
        "Órdenes turno 3: ya las mandé.",
        "~~jugar en Tómbola~~",
        "> jugar en Tómbola",
        "Creo que voy a jugar en Tómbola",
        "",
    ],
)
def test_prose_that_begins_like_an_order_is_nothing(text: str) -> None:
    """One word, words that are no order, a title alone, what is struck or quoted."""
    topic = Topic()
    topic.post("Ana", text, 60)

    assert [] == [one for one in whys(topic.read().skipped) if one[1] == "no-block"]


def test_who_doesnt_play_may_write_what_looks_like_an_order() -> None:
    """Nobody is told about somebody else's prose, nor about a post that is late anyway."""
    topic = Topic()
    topic.post("Mirón", "jugar en Tómbola", 60)
    topic.post("Ana", "jugar en Tómbola", -5)

    reading = topic.read()

    assert ((), ()) == (reading.skipped, reading.late)


# what a game may exclude


def test_spoilers_count_or_are_named() -> None:
    """By default they count; where the game says otherwise the receipt names the block."""
    topic = Topic()
    topic.post("Ana", f"[spoiler]\n{block('trabajar')}\n[/spoiler]", 60)
    without = make_play(policies=Policies(spoilers=False), software="xenforo")
    play = replace(without, game=replace(without.game, policies=Policies()))

    assert ["trabajar"] == texts(topic.read(play), "Ana")
    assert [] == texts(topic.read(without), "Ana")


def test_code_blocks_count_or_are_named() -> None:
    """By default one that says so counts; where the game says otherwise the receipt names it."""
    topic = Topic()
    topic.post("Ana", "```\nórdenes turno 3\ntrabajar\n```", 60)

    excluded = topic.read(make_play(policies=Policies(code=False)))

    assert ["trabajar"] == texts(topic.read(), "Ana")
    assert [] == texts(excluded, "Ana")
    assert [("Ana", "code")] == whys(excluded.skipped)
