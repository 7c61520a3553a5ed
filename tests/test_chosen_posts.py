"""`ignore_post` and `accept_post`: which posts count because the director says so (design.md 2 and 4)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from processor.pipeline.context import Frozen, PlayContext, TurnResult
from processor.pipeline.correcting_posts import choose_posts, named_posts
from processor.pipeline.locking import freeze, split_overrides
from processor.pipeline.resolving import resolve_turn
from processor.pipeline.texts import receipts
from rules.engine.messages import Code
from rules.play.archive import dump_reading, load_reading
from rules.play.posts import Visibility
from tests.support.fair import BOT, SECRETS, Topic, block, make_play, whys
from tests.test_corrections import entry, log, orders


def a_topic() -> Topic:
    """Ana orders twice and once more too late; Bea writes once openly and once in private, too late."""
    topic = Topic()
    topic.post("Ana", block("jugar en Tómbola"), 60)
    topic.post("Ana", block("pregonar", "Nico: trabajar"), 30)
    topic.post("Ana", block("trabajar"), -5)
    topic.post("Bea", block("trabajar"), 40)
    topic.post("Bea", block("hurtar a Ana"), -3, private=True)
    topic.post("Ciro", "Buenas noches a todos.", 20)
    return topic


FIRST, SECOND, TOO_LATE, BEAS, SECRET, PROSE = (str(number) for number in range(1001, 1007))


def lock(overrides: str = "", topic: Topic | None = None, play: PlayContext | None = None) -> Frozen:
    """That turn, locked."""
    return freeze(play or make_play(secret=True), (topic or a_topic()).versions, BOT, overrides, SECRETS)


def resolve(overrides: str, topic: Topic | None = None, play: PlayContext | None = None) -> TurnResult:
    """That turn with the entries in its file."""
    play = play or make_play(secret=True)
    return resolve_turn(play, lock(overrides, topic, play), SECRETS)


def said(overrides: str) -> dict[str, str]:
    """The receipts while the turn is open, by kind."""
    play, topic = make_play(secret=True), a_topic()
    reading = choose_posts(play, topic.read(play), topic.versions, overrides)
    return {one.kind: "\n".join(one.parts) for one in receipts(play, reading, None)}


def test_an_ignored_post_leaves_the_older_orders_in_force() -> None:
    """As if it had never been written; the log says what stood and what stands."""
    result = resolve(entry(ignore_post=SECOND))

    assert not result.problems
    assert ["jugar en Tómbola"] == orders(result, "Ana")
    (logged,) = log(result)
    assert ("ignore_post", SECOND, 2, ("Ana",)) == tuple(
        logged.data[key] for key in ("change", "target", "shown", "seats")
    )
    assert ((Code("pregonar"), Code("trabajar")), (Code("jugar en Tómbola"),)) == (
        logged.data["old"],
        logged.data["new"],
    )
    assert logged.audience.everybody


def test_with_all_posts_ignored_a_seat_has_no_orders() -> None:
    """And then it is one without orders."""
    result = resolve(entry(ignore_post=FIRST) + entry(ignore_post=SECOND))

    assert not result.problems
    assert [] == orders(result, "Ana")


def test_an_accepted_late_post_replaces_the_orders_that_stood() -> None:
    """It is the newest, so it replaces what was in time; it isn't listed as late any more."""
    result = resolve(entry(accept_post=TOO_LATE))

    assert not result.problems
    assert ["trabajar"] == orders(result, "Ana")
    assert result.reading is not None
    assert [("Bea", "late")] == whys(result.reading.late)


def test_a_post_that_was_accepted_is_logged_for_its_seat_where_it_was_private() -> None:
    """Public where the orders are public, else the seat's own."""
    openly, alone = log(resolve(entry(accept_post=TOO_LATE) + entry(accept_post=SECRET)))

    assert openly.audience.everybody
    assert ["Bea"] == alone.audience.data()
    assert ((Code("trabajar"),), (Code("hurtar a Ana"),)) == (alone.data["old"], alone.data["new"])


def test_a_secret_choice_of_an_open_post_is_its_seats() -> None:
    """`secret = true` hides the whole correction from all but its seat."""
    (logged,) = log(resolve(entry(ignore_post=SECOND, secret=True)))

    assert ["Ana"] == logged.audience.data()


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"ignore_post": "77"}, "no conozco ningún mensaje «77»"),
        ({"ignore_post": "#2"}, "Los hay: «1002» (el #2), de Ana"),
        ({"ignore_post": "1003"}, "el mensaje «1003» ya no cuenta"),
        ({"ignore_post": PROSE}, "no conozco ningún mensaje «1006» con órdenes"),
        ({"accept_post": "1009"}, "«1003» (el #3), de Ana, que no cuenta por tarde o dudoso"),
        ({"accept_post": SECOND}, "el mensaje «1002» llegó a tiempo y ya cuenta"),
    ],
)
def test_a_post_that_cant_be_chosen_holds_the_turn(keys: dict[str, Any], said: str) -> None:
    """What matches nothing is an error that names the posts there are; what changes nothing is one, too."""
    result = resolve(entry(**keys))

    assert result.held
    (problem,) = result.problems
    assert said in problem


def test_nobody_has_written() -> None:
    """Then there is nothing to list."""
    (problem,) = resolve(entry(accept_post="5"), topic=Topic()).problems

    assert "Nadie ha escrito órdenes en este turno" in problem


def test_orders_are_corrected_behind_the_choice_of_posts() -> None:
    """The numbers of a correction are those of the block that stands when it is applied."""
    chosen, corrected = entry(ignore_post=SECOND), entry(cancel="Ana#1", was="jugar en Tómbola")

    assert [] == orders(resolve(chosen + corrected), "Ana")
    (problem,) = resolve(entry(cancel="Ana#1") + chosen).problems
    assert "las órdenes de Ana ya se han corregido más arriba" in problem


def test_other_seats_keep_what_was_frozen() -> None:
    """Whatever is read once more, nobody else's orders are touched."""
    play = make_play(secret=True)
    frozen = lock(entry(ignore_post=SECOND))
    stored = replace(frozen, reading=load_reading(dump_reading(frozen.reading)))

    result = resolve_turn(play, stored, SECRETS)

    assert result.reading is not None
    assert frozen.reading.seat("Bea") == result.reading.seat("Bea")


def test_edits_behind_the_lock_change_nothing() -> None:
    """An accepted post counts as the closing reading had it; one that came later, as it was first seen."""
    topic = a_topic()
    frozen = lock(entry(accept_post=TOO_LATE) + entry(accept_post="1007"), topic)
    topic.post("Ciro", block("trabajar"), -8)
    topic.edit("1007", block("jugar en Tómbola"), seen=-20)
    topic.edit(TOO_LATE, block("jugar en Tómbola"), seen=-20)

    result = resolve_turn(make_play(secret=True), replace(frozen, versions=tuple(topic.versions)), SECRETS)

    assert not result.problems
    assert (["trabajar"], ["trabajar"]) == (orders(result, "Ana"), orders(result, "Ciro"))


def test_a_doubtful_post_can_be_accepted() -> None:
    """First read behind an edit that may have been late: the director decides."""
    topic = Topic()
    post = topic.post("Ana", block("trabajar"), 10, seen=-2)
    topic.versions[0] = replace(topic.versions[0], post=replace(topic.versions[0].post, edits=1))

    assert [] == orders(resolve("", topic), "Ana")
    assert ["trabajar"] == orders(resolve(entry(accept_post=post), topic), "Ana")


def test_a_late_edit_can_be_accepted() -> None:
    """The post counted as it was at the deadline; now it counts as its author left it."""
    topic = Topic()
    post = topic.post("Ana", block("trabajar"), 10)
    topic.edit(post, block("pregonar"), seen=-2)

    assert ["trabajar"] == orders(resolve("", topic), "Ana")
    assert ["pregonar"] == orders(resolve(entry(accept_post=post), topic), "Ana")


def test_of_a_removed_post_counts_what_was_there() -> None:
    """Taken away before the deadline, and accepted all the same."""
    topic = Topic()
    post = topic.post("Ana", block("trabajar"), 30)
    topic.edit(post, None, seen=10, visibility=Visibility.REMOVED)

    assert [] == orders(resolve("", topic), "Ana")
    assert ["trabajar"] == orders(resolve(entry(accept_post=post), topic), "Ana")


def test_receipts_follow_the_choice_while_the_turn_is_open() -> None:
    """The receipt shows the older orders, and says which post the director doesn't count, and why."""
    shown = said(entry(ignore_post=SECOND))

    assert "mensaje #1, 21:00 · completas" in shown["receipt-ana"]
    assert "regonar" not in shown["receipt-ana"]
    assert "#2 (el director no lo cuenta: Así lo pidió)" in shown["receipts"]


def test_the_receipt_says_that_a_late_post_was_accepted() -> None:
    """Beside the orders that count now."""
    shown = said(entry(accept_post=TOO_LATE))["receipt-ana"]

    assert "llegó tarde o cambiado, y el director ha decidido que cuenta" in shown.lower()
    assert "Llegaron tarde" not in shown


def test_the_public_receipt_hides_a_secret_choice() -> None:
    """Its seat's receipt tells it; the topic shows what the posts say."""
    shown = said(entry(ignore_post=SECOND, secret=True))

    assert said("")["receipts"] == shown["receipts"]
    assert "el director no lo cuenta" in shown["receipt-ana"]


@pytest.mark.parametrize("overrides", ["[[override]\n", "", entry(ignore_post="77")])
def test_a_file_that_chooses_nothing_leaves_the_receipts_alone(overrides: str) -> None:
    """A broken file holds the turn when it is resolved, not the receipts before."""
    assert said("") == said(overrides)


def test_the_lock_hides_the_choice_of_a_private_post() -> None:
    """In the published file stand the open entries; a secret one, or one of a private post, is sealed."""
    reading = lock().reading
    text = entry(ignore_post=SECOND) + entry(accept_post=SECRET) + entry(accept_post="77")

    openly, hidden = split_overrides(reading, text)

    assert [("override#2", "Bea"), ("override#3", "director")] == [one[:2] for one in hidden]
    assert SECOND.encode() in openly
    assert SECRET.encode() not in openly


def test_the_same_run_again_comes_to_the_same() -> None:
    """A run depends on nothing but its arguments."""
    both = entry(ignore_post=SECOND) + entry(accept_post=TOO_LATE)

    assert resolve(both) == resolve(both)
    assert {SECOND, TOO_LATE} == named_posts(both, 1)
    assert frozenset() == named_posts("[[override]\n", 1)
