"""Who gives no orders: standing orders, repeated ones, those of the rules (design.md 2, *NMR*)."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pytest

from processor.pipeline.context import Frozen, PlayContext
from processor.pipeline.locking import freeze
from processor.pipeline.resolving import resolve_turn
from rules.engine.codec import load_state
from rules.play.archive import dump_carried, load_carried
from rules.play.game import Absence, NmrPolicy, Policies
from tests.support.fair import ACCOUNTS, BOT, SECRETS, SETUP, Topic, block, codes, make_play, texts
from tests.toy.state import State

PERMANENT = "permanentes"


def play_with(policy: NmrPolicy = NmrPolicy.STANDING, **more: Any) -> PlayContext:
    """The fair's third day under a policy."""
    return make_play(policies=Policies(nmr=policy), **more)


def lock(topic: Topic, play: PlayContext) -> Frozen:
    """The turn as it is locked."""
    return freeze(play, topic.versions, BOT, "", SECRETS)


def next_day(play: PlayContext, frozen: Frozen, **changes: Any) -> PlayContext:
    """The day after, with what the store has kept of the one before."""
    kept = load_carried(dump_carried(frozen.carried))
    return replace(play, ref=replace(play.ref, turn=play.ref.turn + 1), carried=kept, **changes)


def day_after(topic: Topic, play: PlayContext, **changes: Any) -> PlayContext:
    """Lock a day and go on to the next."""
    return next_day(play, lock(topic, play), **changes)


def test_standing_orders_act_in_the_turns_without_others() -> None:
    """Ana leaves standing orders on the third day; on the two that follow they act."""
    topic = Topic()
    topic.post("Ana", block("jugar en Tómbola", header=PERMANENT), 60)
    play = play_with()
    fourth = day_after(topic, play)
    fifth = day_after(Topic(), fourth)

    days = [lock(topic, play), lock(Topic(), fourth), lock(Topic(), fifth)]

    assert [["jugar en Tómbola"]] * 3 == [texts(day.reading, "Ana") for day in days]
    assert [None, 3, 3] == [day.reading.seat("Ana").in_force[0].since for day in days]
    assert ["jugar en Tómbola"] == [
        order.text for order in resolve_turn(fifth, days[2], SECRETS).orders["Ana"]
    ]


def test_standing_orders_do_not_act_before_the_lock() -> None:
    """While the turn is open Ana has no orders yet: she may still be reminded."""
    topic = Topic()
    topic.post("Ana", block("trabajar", header=PERMANENT), 60)

    own = Topic().read(day_after(topic, play_with())).seat("Ana")

    assert ((), ["trabajar"]) == (own.in_force, [order.text for order in own.standing[0].orders])


def test_orders_of_the_turn_go_first_and_leave_the_standing_ones_alone() -> None:
    """What Ana orders for the day counts; the day after her standing orders act again."""
    topic = Topic()
    topic.post("Ana", block("pregonar"), 60)
    topic.post("Ana", block("trabajar", header=PERMANENT), 50)
    play = play_with()

    third = lock(topic, play)

    assert ["pregonar"] == texts(third.reading, "Ana")
    assert ["trabajar"] == texts(lock(Topic(), next_day(play, third)).reading, "Ana")


def test_a_withdrawal_is_for_its_turn() -> None:
    """Who says `ninguna` does nothing that day, whatever stands; the day after it acts again."""
    topic, quiet = Topic(), Topic()
    topic.post("Ana", block("trabajar", header=PERMANENT), 60)
    quiet.post("Ana", block("ninguna", header=""), 60)
    fourth = day_after(topic, play_with())

    frozen = lock(quiet, fourth)

    assert (True, []) == (frozen.reading.seat("Ana").withdrawn, texts(frozen.reading, "Ana"))
    assert ["trabajar"] == texts(lock(Topic(), next_day(fourth, frozen)).reading, "Ana")


@pytest.mark.parametrize("lines", [(), ("ninguna",)])
def test_an_empty_block_ends_standing_orders(lines: tuple[str, ...]) -> None:
    """An empty `permanentes` block takes them away, and is no withdrawal of the day's own orders."""
    topic, ended = Topic(), Topic()
    topic.post("Ana", block("trabajar", header=PERMANENT), 60)
    ended.post("Ana", block("pregonar", header=""), 60)
    ended.post("Ana", block(*lines, header=PERMANENT), 50)
    fourth = day_after(topic, play_with())

    frozen = lock(ended, fourth)

    assert ["pregonar"] == texts(frozen.reading, "Ana")
    assert () == frozen.reading.seat("Ana").standing
    assert [] == texts(lock(Topic(), next_day(fourth, frozen)).reading, "Ana")


def test_standing_orders_are_replaced_or_added_to() -> None:
    """A newer `permanentes` block replaces the older whole; `permanentes añade` goes on behind it."""
    topic, more, other = Topic(), Topic(), Topic()
    topic.post("Ana", block("trabajar", header=PERMANENT), 60)
    more.post("Ana", block("Nico: pregonar", header=f"{PERMANENT} añade"), 60)
    other.post("Ana", block("pregonar", header=PERMANENT), 60)
    fourth = day_after(topic, play_with())

    added = lock(more, fourth)
    fifth = next_day(fourth, added)

    assert ["trabajar", "pregonar"] == texts(added.reading, "Ana")
    assert ["trabajar", "pregonar"] == texts(lock(Topic(), fifth).reading, "Ana")
    assert ["pregonar"] == texts(lock(other, fifth).reading, "Ana")


def test_a_block_that_says_nothing_right_leaves_the_standing_orders() -> None:
    """Nothing of the newer block is understood: the older standing orders stay."""
    topic, wrong = Topic(), Topic()
    topic.post("Ana", block("trabajar", header=PERMANENT), 60)
    wrong.post("Ana", block("bailar", header=PERMANENT), 60)

    assert ["trabajar"] == texts(lock(wrong, day_after(topic, play_with())).reading, "Ana")


def test_a_new_player_ends_standing_orders() -> None:
    """Ana's seat gets another account: what the former player left standing is over."""
    topic = Topic()
    topic.post("Ana", block("trabajar", header=PERMANENT), 60)
    fourth = day_after(topic, play_with())
    taken = replace(
        fourth, game=make_play(accounts=ACCOUNTS | {"Ana": "77"}, policies=fourth.game.policies).game
    )

    frozen = lock(Topic(), taken)

    assert [] == texts(frozen.reading, "Ana")
    assert () == frozen.carried["Ana"].standing


def test_what_has_become_impossible_is_refused_in_the_turn_in_which_it_acts() -> None:
    """The shooting gallery has gone overnight: that line is refused and told, the other one acts."""
    topic = Topic()
    topic.post("Ana", block("jugar en Tiro al blanco", "Nico: pregonar", header=PERMANENT), 60)
    without = load_state(State, SETUP | {"stalls": {"tombola": SETUP["stalls"]["tombola"]}})

    reading = lock(Topic(), day_after(topic, play_with(), state=without)).reading

    assert ["pregonar"] == texts(reading, "Ana")
    assert ["parse/expected"] == codes(reading, "Ana")


def test_standing_orders_count_as_none() -> None:
    """For the breaker and the counter Ana has said nothing; the turn in which she wrote them she is heard."""
    topic = Topic()
    topic.post("Ana", block("trabajar", header=PERMANENT), 60)
    play = play_with()
    third = lock(topic, play)
    fourth = lock(Topic(), next_day(play, third))

    assert (True, True) == (third.reading.seat("Ana").silent, fourth.reading.seat("Ana").silent)
    assert (0, 1) == (third.carried["Ana"].missed, fourth.carried["Ana"].missed)
    assert (1, 2) == (third.carried["Bea"].missed, fourth.carried["Bea"].missed)


def test_secret_standing_orders_stay_secret() -> None:
    """Sent in private they enter each turn's manifest as a leaf with a salt of that turn's own."""
    topic = Topic()
    topic.post("Ana", block("hurtar a Bea", header=PERMANENT), 60, private=True)
    play = play_with(secret=True)
    third = lock(topic, play)
    fourth = lock(Topic(), next_day(play, third))

    (early,), (late,) = (day.reading.seat("Ana").in_force for day in (third, fourth))

    assert [True, True] == [early.orders[0].secret, late.orders[0].secret]
    assert ("" not in (early.salt, late.salt), early.salt != late.salt) == (True, True)


def test_words_of_an_old_post_are_no_facts_of_the_turn() -> None:
    """What Ana told around her block counts in its own turn alone."""
    topic = Topic()
    topic.post("Ana", "Tres palabras sueltas\n" + block("trabajar", header=PERMANENT), 60)

    assert {} == lock(Topic(), day_after(topic, play_with())).reading.facts


IGNORE = """[[override]]
ignore_post = "{post}"
reason = "Era una broma"
"""


def test_an_ignored_post_leaves_the_field_to_the_standing_orders() -> None:
    """The director lets Ana's block of the day not count: she has none then, and her standing orders act."""
    topic, day = Topic(), Topic()
    topic.post("Ana", block("trabajar", header=PERMANENT), 60)
    joke = day.post("Ana", block("pregonar", header=""), 60)
    fourth = day_after(topic, play_with())

    result = resolve_turn(fourth, correct(lock(day, fourth), joke), SECRETS)

    assert (["trabajar"], ()) == ([order.text for order in result.orders["Ana"]], result.problems)


def test_standing_orders_of_an_ignored_post_are_none() -> None:
    """The block that left them doesn't count, so they act neither in its turn nor later."""
    topic = Topic()
    joke = topic.post("Ana", block("trabajar", header=PERMANENT), 60)
    play = play_with()

    result = resolve_turn(play, correct(lock(topic, play), joke), SECRETS)

    assert ((), ()) == (result.orders["Ana"], result.problems)
    assert result.carried is not None
    assert () == result.carried["Ana"].standing


def correct(frozen: Frozen, post: str) -> Frozen:
    """A locked turn in which the director lets a post not count."""
    return replace(frozen, late_overrides=IGNORE.format(post=post))


def test_an_announced_absence_does_not_count() -> None:
    """Bea is away on the day of the deadline: her count stays where it was; Ciro's goes on."""
    play = play_with()
    day = date(2027, 5, 2)
    away = replace(play.game, absences=(Absence("Bea", day, day),))
    third = lock(Topic(), play)

    fourth = lock(Topic(), next_day(play, third, game=away))
    back = lock(
        Topic(),
        next_day(
            play,
            fourth,
            game=replace(away, absences=(Absence("Bea", day, day),)),
            deadline=replace(play.deadline, at=play.deadline.at + timedelta(hours=3)),
        ),
    )

    assert (1, 1, 2) == tuple(one.carried["Bea"].missed for one in (third, fourth, back))
    assert 2 == fourth.carried["Ciro"].missed


def test_a_block_ends_the_count_and_so_does_a_withdrawal() -> None:
    """Ana orders, Bea says `ninguna`, Ciro's block is nonsense: only Ciro has been silent once more."""
    day = Topic()
    day.post("Ana", block("trabajar", header=""), 60)
    day.post("Bea", block("ninguna", header=""), 60)
    day.post("Ciro", block("bailar", header=""), 60)

    carried = lock(day, day_after(Topic(), play_with())).carried

    assert {"Ana": 0, "Bea": 0, "Ciro": 2} == {seat: one.missed for seat, one in carried.items()}


# the other policies


def test_the_last_orders_are_repeated_where_the_game_says_so() -> None:
    """Bea's orders of the third day are read again on the fourth and the fifth; Ciro's withdrawal too."""
    topic = Topic()
    topic.post("Bea", block("jugar en Tómbola"), 60)
    topic.post("Ciro", block("ninguna"), 60)
    play = play_with(NmrPolicy.REPEAT)
    fourth = day_after(topic, play)
    fifth = day_after(Topic(), fourth)

    last = lock(Topic(), fifth)

    assert (["jugar en Tómbola"], []) == (texts(last.reading, "Bea"), texts(last.reading, "Ciro"))
    assert (3, 2) == (last.reading.seat("Bea").in_force[0].since, last.carried["Bea"].missed)
    assert last.reading.seat("Bea").silent


def test_a_block_that_was_added_to_is_repeated_whole() -> None:
    """What stood for Ana in two posts is repeated in the same order, with the same numbers."""
    topic = Topic()
    topic.post("Ana", block("trabajar"), 60)
    topic.post("Ana", block("Nico: pregonar", header="añade"), 50)
    play = play_with(NmrPolicy.REPEAT)

    reading = lock(Topic(), day_after(topic, play)).reading

    assert ["trabajar", "pregonar"] == texts(reading, "Ana")
    assert [1, 2] == [line.number for line in reading.seat("Ana").lines]


@pytest.mark.parametrize(
    ("policy", "expected"),
    [(NmrPolicy.NOTHING, []), (NmrPolicy.DEFAULT, ["trabajar"]), (NmrPolicy.REPEAT, ["pregonar"])],
)
def test_each_policy_has_its_own_orders(policy: NmrPolicy, expected: list[str]) -> None:
    """Ana has cried her wares on the third day and is silent on the fourth."""
    topic = Topic()
    topic.post("Ana", block("pregonar"), 60)
    fourth = day_after(topic, play_with(policy))

    result = resolve_turn(fourth, lock(Topic(), fourth), SECRETS)

    assert (expected, ()) == ([order.text for order in result.orders["Ana"]], result.problems)


def test_nothing_stands_in_for_a_vacant_seat() -> None:
    """Nobody plays Bea any more, so nothing of hers is repeated."""
    topic = Topic()
    topic.post("Bea", block("trabajar"), 60)
    fourth = day_after(topic, play_with(NmrPolicy.REPEAT))
    seats = tuple(replace(one, account=None) if one.id == "Bea" else one for one in fourth.game.seats)

    assert [] == texts(lock(Topic(), replace(fourth, game=replace(fourth.game, seats=seats))).reading, "Bea")
