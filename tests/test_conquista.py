"""What holds in every game of `conquista`, whatever the players write and whatever the dice say."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Mapping
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parsers.orders.understanding import understand
from rules.conquista import RULESET
from rules.conquista.options import Options
from rules.conquista.plan import FREE
from rules.conquista.plan.standing import PlannedArmy
from rules.conquista.report import report, template
from rules.conquista.state import (
    NOTHING,
    Army,
    Cell,
    Faction,
    Gift,
    Planet,
    State,
    free_army,
    gift_of,
    in_block,
)
from rules.engine.audience import DIRECTOR_SEAT, EVERYBODY, only
from rules.engine.codec import dump_state, load_state
from rules.engine.diagnostics import Severity, refuses
from rules.engine.events import Event, visible
from rules.engine.messages import Message, Name
from rules.engine.orders import Args, Order, same_order
from rules.engine.printing import print_order
from rules.engine.resolution import Resolution, RolledDie
from rules.play.reading import LineRead
from tests.support.conquista_fields import change_secrets
from tests.support.conquista_games import (
    FACTIONS,
    KIND,
    OPTIONS,
    accepted,
    chance,
    make_state,
    plan_of,
    play,
    read,
    told,
    write_block,
)

SEEDS = st.integers(0, 2**32 - 1)
CANCELLED = "engine/order-cancelled"


def blocks_of(random: Random, state: State) -> dict[str, tuple[Order, ...]]:
    """Accepted orders of all factions."""
    return {seat: accepted(read(state, seat, write_block(random, state, seat))) for seat in FACTIONS}


@given(SEEDS)
def test_a_turn_leaves_a_state_that_is_a_valid_setup(seed: int) -> None:
    """Troops, supplies and points stay in range, each cell has one owner, armies stand in own cells."""
    random = chance(seed)
    state = make_state(random)
    assert () == RULESET.check(state, OPTIONS)

    after = play(state, blocks_of(random, state), seed).state

    assert () == RULESET.check(after, OPTIONS)
    assert after == load_state(State, dump_state(after))


@given(SEEDS)
def test_nothing_is_lost_or_made_but_by_the_rules(seed: int) -> None:
    """Troops come as recruits and go in battles and bombardments, supplies as costs and by sabotage.

    Supplies come from production alone; cells stay owned. What is ceded is neither lost nor made.
    """
    random = chance(seed)
    state = make_state(random)
    run = play(state, blocks_of(random, state), seed)

    fought = _data(run.events, "conquista/invasion-losses")
    lost = sum(one["attacker_losses"] + one["defender_losses"] for one in fought)
    lost += sum(one["losses"] for one in _data(run.events, "conquista/bombarded"))
    recruited = sum(one["troops"] for one in _data(run.events, "conquista/troops-recruited"))
    sabotaged = sum(one["supplies"] for one in _data(run.events, "conquista/sabotaged"))
    paid = sum(one.data["cost"] for one in run.events if "cost" in one.data)  # type: ignore[misc]
    produced = sum(one["supplies"] for one in _data(run.events, "conquista/produced"))

    assert _troops(state) - lost + recruited == _troops(run.state)
    assert _supplies(state) - paid - sabotaged + produced == _supplies(run.state)
    assert {key for key, cell in state.cells.items() if cell.owner} <= {
        key for key, cell in run.state.cells.items() if cell.owner
    }


def _data(events: tuple[Event, ...], event_id: str) -> list[dict[str, Any]]:
    return [dict(one.data) for one in events if one.id == event_id]


def _troops(state: State) -> int:
    return sum(army.troops for army in state.armies.values())


def _supplies(state: State) -> int:
    return sum(faction.supplies for faction in state.factions.values())


@given(SEEDS)
def test_what_a_cell_holds_is_found_once_and_stays(seed: int) -> None:
    """Cells that were entered are explored, the others as they were; a cell's find is drawn by its first."""
    random = chance(seed)
    state = make_state(random)
    run = play(state, blocks_of(random, state), seed)
    drawn = {one.roll.label.split("/")[1]: one.roll.chosen for one in run.rolls if _explores(one)}

    assert drawn == {
        key: run.state.cells[key].feature or NOTHING
        for key, cell in state.cells.items()
        if cell.unexplored and run.state.cells[key].owner is not None
    }
    for key, cell in state.cells.items():
        after = run.state.cells[key]
        assert (cell.unexplored and after.owner is None, cell.charted) == (after.unexplored, after.charted)
        assert key in drawn or cell.feature == after.feature


def _explores(roll: RolledDie) -> bool:
    return roll.roll.label.startswith("exploration/")


@given(SEEDS)
def test_a_find_is_the_finders_alone(seed: int) -> None:
    """The draw and what is told of it belong to who entered first, and it knows the feature from then on."""
    random = chance(seed)
    state = make_state(random)
    run = play(state, blocks_of(random, state), seed)
    entered = [one for one in run.events if one.id == "conquista/cell-occupied"]
    first = {str(one.data["cell"]): str(one.data["faction"]) for one in reversed(entered)}

    for one in filter(_explores, run.rolls):
        cell = one.roll.label.split("/")[1]
        finder = first[cell]
        assert (only(finder), finder) == (one.audience, one.roll.group)
        found = run.state.cells[cell].feature
        assert found is None or cell in run.state.factions[finder].known
    for event in run.events:
        if event.id in ("conquista/feature-found", "conquista/nothing-found"):
            assert event.audience == only(str(event.data["faction"]))


@given(SEEDS)
def test_the_order_in_which_things_are_listed_changes_nothing(seed: int) -> None:
    """Factions, cells, armies and blocks may stand in any order in the files."""
    random = chance(seed)
    state = make_state(random)
    orders = blocks_of(random, state)
    other = copy.deepcopy(state)
    for name in ("planets", "cells", "factions", "armies"):
        setattr(other, name, _shuffled(random, getattr(state, name)))

    first, second = play(state, orders, seed), play(other, _shuffled(random, orders), seed)

    assert (dump_state(first.state), first.events) == (dump_state(second.state), second.events)


def _shuffled(random: Random, table: Mapping[str, Any]) -> dict[str, Any]:
    return {key: table[key] for key in random.sample(sorted(table), len(table))}


@given(SEEDS)
def test_one_more_order_moves_no_other_die(seed: int) -> None:
    """Dice of addresses that fall in both runs have equal values, whoever ordered something more."""
    random = chance(seed)
    state = make_state(random)
    orders = blocks_of(random, state)
    seat = random.choice(FACTIONS)
    fewer = {**orders, seat: orders[seat][:-1]}

    more = {(one.roll.label, one.roll.index): one.roll.value for one in play(state, orders, seed).rolls}
    less = {(one.roll.label, one.roll.index): one.roll.value for one in play(state, fewer, seed).rolls}

    assert {key: more[key] for key in more.keys() & less} == {key: less[key] for key in more.keys() & less}


# secrecy


@given(SEEDS)
def test_states_that_look_equal_read_equal(seed: int) -> None:
    """What a seat is told of its orders, and its template, depend on nothing that it can't see."""
    random = chance(seed)
    state, seat = make_state(random), random.choice(FACTIONS)
    other = copy.deepcopy(state)
    change_secrets(random, other, seat)
    text = write_block(random, state, seat, 8)
    here, there = (plan_of(one, seat).view for one in (state, other))

    assert here == there
    assert told(read(state, seat, text)) == told(read(other, seat, text))
    assert template(here) == template(there)
    assert template(_look(state, EVERYBODY)) == template(_look(other, EVERYBODY))


def _look(state: State, viewer: str) -> Any:
    return RULESET.look(state, viewer, OPTIONS, kind="turn", track="", number=1)


@given(SEEDS)
def test_nobody_is_told_what_only_another_may_know(seed: int) -> None:
    """Events that a seat sees name no foreign army, save those that fought it or that it spied on."""
    random = chance(seed)
    state = make_state(random)
    run = play(state, blocks_of(random, state), seed)
    secret = {
        "conquista/produced",
        "conquista/built",
        "conquista/fortified",
        "conquista/army-moved",
        "conquista/troops-recruited",
        "conquista/sabotage-failed",
        "conquista/sabotage-succeeded",
        "conquista/sabotaged",
        "conquista/bombardment-hit",
        "conquista/bombardment-failed",
        "conquista/bombarded",
        "conquista/bombarded-in-vain",
        CANCELLED,
    }

    for seat in (*FACTIONS, EVERYBODY):
        seen = visible(run.events, seat)
        assert [] == [one.id for one in seen if one.id in secret and one.audience.seats != (seat,)]
        reported = report(_look(state, seat), _look(run.state, seat), seen)
        assert seat == (reported.audience.seats[0] if reported.audience.seats else EVERYBODY)


@given(SEEDS)
def test_dice_of_what_only_some_may_know_are_of_one_seat(seed: int) -> None:
    """Sabotage and bombardment are thrown with the seed of who ordered them, which alone opens them."""
    random = chance(seed)
    state = make_state(random)

    run = play(state, blocks_of(random, state), seed)
    for lost in _data(run.events, "conquista/sabotaged"):
        assert (lost["cell"] is not None) == (lost["points"] > 0)
    for one in run.rolls:
        act, *address = one.roll.label.split("/")
        if act.startswith(("sabotage", "bombardment", "espionage")):
            assert (only(address[1]), address[1]) == (one.audience, one.roll.group)


@given(SEEDS)
def test_a_bombardment_tells_its_attacker_nothing_of_what_it_cannot_see(seed: int) -> None:
    """One that hits nobody is answered as if there were no foreign armies at all."""
    random = chance(seed)
    state, seat = make_state(random), random.choice(FACTIONS)
    state.factions[seat].supplies = 100
    block = "\n".join(line for line in write_block(random, state, seat, 12).splitlines() if line[:3] == "bom")
    orders = accepted(read(state, seat, block))
    bare = copy.deepcopy(state)
    bare.armies = {key: army for key, army in state.armies.items() if army.owner == seat}

    here, there = (_refusals(play(one, {seat: orders}, seed), seat) for one in (state, bare))
    assert [one for one in here if one in there] == here


def _refusals(run: Resolution, seat: str) -> list[tuple[Any, Any]]:
    seen = [one for one in visible(run.events, seat) if one.id == CANCELLED]
    return [(one.number, one.data["reason"]) for one in seen]


# reading


@given(SEEDS)
def test_printed_orders_read_back(seed: int) -> None:
    """An accepted order, printed and read in its place, is the same order."""
    random = chance(seed)
    state, seat = make_state(random), random.choice(FACTIONS)
    text = write_block(random, state, seat, 8)
    plan = plan_of(state, seat)
    for line in read(state, seat, text).lines:
        if line.order is None:
            continue
        if _known_later(line):
            plan.accept(line.order)
            continue
        printed = print_order(line.order, KIND.grammar, plan)
        again = understand(printed, KIND.grammar, plan)
        assert again.order is not None, printed
        assert same_order(_bare(line.order), again.order)
        plan.accept(line.order)


def _bare(order: Order) -> Order:
    return Order("", 0, order.name, order.args, order.text)


WORDS = st.sampled_from(
    """producir reclutar construir fortificar mover unir traspasar espiar sabotear invadir bombardear ceder
    desde esperar si no : , ; y a con de en dados tropas suministros cambio
    como quedan puesto avanzado generador E1 E2 E99 E0 e1 CE-1 ce-2 VA-1 XX-9 1 2 99999 0 Liga Corona
    casilla Ceniza Mayor → # // ( ) " « » [ ] 3º Е1 ３""".split()  # noqa: SIM905
)
LINES = st.one_of(st.lists(WORDS, max_size=12).map(" ".join), st.text(max_size=60))


@given(SEEDS, st.lists(LINES, max_size=8))
def test_no_text_makes_reading_fail(seed: int, lines: list[str]) -> None:
    """Whatever a player writes, each line is an order or has a finding, and what stands can be played."""
    state = make_state(chance(seed))
    reading = read(state, "Liga", "\n".join(lines))

    assert all(line.order is not None or refuses(line.findings) for line in reading.lines)
    play(state, {"Liga": accepted(reading)})


ABROAD = ("inv", "esp", "sab", "bom", "si ")
"""How lines begin that depend on what others have."""


@given(SEEDS)
def test_an_accepted_order_without_a_doubt_is_carried_out(seed: int) -> None:
    """With no foreign armies about, an order is cancelled exactly where its player was warned."""
    random = chance(seed)
    state, seat = make_state(random), random.choice(FACTIONS)
    state.armies = {key: army for key, army in state.armies.items() if army.owner == seat}
    lines = write_block(random, state, seat, 12).splitlines()
    kept = [line for line in lines if line[:3] not in ABROAD and "a cambio" not in line]
    reading = read(state, seat, "\n".join(kept))
    run = play(state, {seat: accepted(reading)})

    stopped = [one for one in run.events if one.id in (CANCELLED, "conquista/step-blocked")]
    cancelled = {one.number for one in stopped}
    left_alone = {one.number for one in stopped if _about_target_gone(one)}
    for line in reading.lines:
        if line.order is None or _known_later(line) or _unseen(state, line.order):
            continue
        if line.number in left_alone:
            continue
        assert _warned(line) == (line.number in cancelled), line.text


def _about_target_gone(event: Event) -> bool:
    """Whether the seat has taken the last cell of the faction that the order names."""
    reason = event.data["reason"]
    return isinstance(reason, Message) and reason.id == "conquista/target-gone"


def _unseen(state: State, order: Order) -> bool:
    """Whether it depends on points that only the owner of the cell knows at reading."""
    return order.name == "fortify" and state.cells[order["cell"]].owner != order.seat


def _warned(line: LineRead) -> bool:
    doubts = ("only-if", "only-if-retaken", "overspent", "army-would-stay", "ceding-too-much")
    return any(one.code.removeprefix("conquista/") in doubts for one in line.findings)


def _known_later(line: LineRead) -> bool:
    return any(one.severity is Severity.NOTE for one in line.findings)


NEVER = frozenset(
    f"conquista/{code}"
    for code in (
        "not-adjacent",
        "part-has-moved",
        "moved-cant-split",
        "receiver-stays",
        "not-together",
        "giver-keeps-one",
        "too-many-troops",
        "too-dear",
        "already-built",
        "not-your-cell",
        "no-base",
        "target-out",
        "no-recruiting-there",
        "recruits-nobody",
        "too-many-dice",
        "out-of-reach",
        "your-own-number",
        "nobodys-number",
    )
)
"""Refusals that say "this can't come about"; the others are about how the line is written."""


@given(SEEDS)
def test_what_is_refused_could_never_have_been_done(seed: int) -> None:
    """A refused order that is tried all the same, as by a director's force, is always cancelled."""
    random = chance(seed)
    state, seat = make_state(random), random.choice(FACTIONS)
    orders = blocks_of(random, state)
    done: list[Order] = []
    plan = plan_of(state, seat)
    for line in write_block(random, state, seat, 8).splitlines():
        order = understand(line, KIND.grammar, plan).order
        if order is None or len(done) == plan.actions:
            continue
        order = Order(seat, len(done) + 1, order.name, order.args, order.text)
        verdict = plan.accept(order)
        if not refuses(verdict.findings):
            done.append(verdict.order)
        elif verdict.findings[0].code in NEVER and not _divides(verdict.order):
            run = play(state, {**orders, seat: (*done, order)}, seed)
            assert order.number in {
                one.number for one in run.events if one.id == CANCELLED and one.seat == seat
            }


@given(SEEDS)
def test_a_cession_that_is_refused_could_never_have_taken_place(seed: int) -> None:
    """Tried all the same, below everything else that its faction ordered, it is cancelled."""
    random = chance(seed)
    state, seat = make_state(random), random.choice(FACTIONS)
    orders = blocks_of(random, state)
    reading = read(state, seat, write_block(random, state, seat, 12))
    plan = plan_of(state, seat)
    for line in reading.lines:
        order = understand(line.text, KIND.grammar, plan).order
        if line.order is not None or order is None or order.name != "cede":
            continue
        if line.findings[0].code in ("conquista/otherwise-cede", "conquista/no-cessions"):
            continue
        forced = Order(seat, line.number, order.name, order.args, order.text)
        run = play(state, {**orders, seat: (*accepted(reading), forced)}, seed)
        assert (CANCELLED, line.number) in {(one.id, one.number) for one in run.events if one.seat == seat}


@given(SEEDS)
def test_exchanges_are_both_or_neither(seed: int) -> None:
    """Whoever gives in exchange receives what was asked for; each side is used for one exchange only."""
    random = chance(seed)
    state = make_state(random)
    orders = blocks_of(random, state)
    run = play(state, orders, seed)

    lines = {one.by: one for orders_of in orders.values() for one in orders_of if one.name == "cede"}
    given = Counter(_handed_over(one) for one in run.events if one.id in CEDED)
    asked = Counter(
        (order["faction"], seat, gift_of(order["price"]))
        for (seat, number), order in lines.items()
        if order.otherwise is None and order.get("price") is not None
        for one in run.events
        if one.id in CEDED and (one.seat, one.number) == (seat, number)
    )
    assert not asked - given


CEDED = ("conquista/cell-ceded", "conquista/supplies-ceded")


def _handed_over(one: Event) -> tuple[Any, Any, Gift]:
    cell, supplies = one.data.get("cell"), one.data.get("supplies", 0)
    return one.data["faction"], one.data["receiver"], (cell, supplies)  # type: ignore[return-value]


def _divides(order: Order) -> bool:
    """Whether some of it can be done though some can't: parts that go, armies that join."""
    return order.name in ("split", "join")


@given(SEEDS)
def test_a_plan_knows_every_way_that_its_orders_can_end(seed: int) -> None:
    """After a turn against rivals each own army stands, with as many troops, as its plan held possible."""
    random = chance(seed)
    state, seat = make_state(random), random.choice(FACTIONS)
    plan, orders = plan_of(state, seat), blocks_of(random, state)
    orders[seat] = tuple(
        verdict.order for order in orders[seat] if not refuses((verdict := plan.accept(order)).findings)
    )
    after = play(state, orders, seed).state

    own = {key: army for key, army in after.armies.items() if army.owner == seat and key in plan.names}
    assert [] == [
        key for key, army in own.items() if not _foresaw(plan.now.armies[key], army.cell, army.troops)
    ]


def _foresaw(planned: PlannedArmy, cell: str, troops: int) -> bool:
    return troops <= planned.most and cell in {one.cell for one in planned.possible}


# ids


@given(st.integers(1, 100), st.integers(0, 1100))
def test_a_factions_numbers_are_its_own(block: int, many: int) -> None:
    """Free ids come from the faction's block in order, never from another's, and never run out."""
    used: set[str] = set()
    for _ in range(many % 12):
        used.add(free_army(block, used))
    assert all(in_block(one, block) for one in used)
    assert not any(
        in_block(one, other) for one in used for other in (block % 100 + 1, (block + 49) % 100 + 1)
    )


def test_numbers_go_on_behind_the_first_nine() -> None:
    """Block 2: E11 to E19, then E2001 to E2999, then E201000 and on."""
    nine = {f"E{n}" for n in range(11, 20)}
    thousand = {f"E{n}" for n in range(2001, 3000)}
    assert ["E11", "E2001", "E201000"] == [free_army(2, one) for one in (set(), nine, nine | thousand)]


def test_the_last_block_has_numbers_of_its_own() -> None:
    """E100001 is block 100's, and block 1 goes on behind all of that; the last numbers have eight digits."""
    assert [True, False] == [in_block("E100001", block) for block in (100, 1)]
    assert [False, True] == [in_block("E101000", block) for block in (100, 1)]
    assert in_block("E10099999", 100)


@pytest.mark.parametrize(
    ("army", "expected"),
    [
        *((one, True) for one in ("E11", "E19", "E2001", "E2999", "E201000", "E299999")),
        *(
            (one, False)
            for one in ("E10", "E20", "E2000", "E3000", "E200000", "E200999", "E300000", "E2999991")
        ),
        *((one, False) for one in ("E011", "F12", "E", "E1a", "e11", "E１２", "E²")),
    ],
)
def test_numbers_of_a_block(army: str, expected: bool) -> None:
    """What belongs to block 2; leading zeros, other letters and other digits are no numbers."""
    assert expected == in_block(army, 2)


# corrections: orders that no reading has named


def _army_of(state: State, seat: str, troops: int) -> str:
    """A seat with one army in a cell that has neighbours."""
    cell = next(key for key, one in state.cells.items() if one.adjacent)
    state.cells[cell].owner, state.armies = seat, {"E21": Army(seat, cell, troops)}
    state.factions[seat].base = None
    return cell


@pytest.mark.parametrize("assigned", [{}, {"0": "E21", "1": "E22"}, {"0": "E22", "1": "E22"}])
def test_a_split_whose_names_are_taken_or_missing_loses_nobody(assigned: dict[str, str]) -> None:
    """A forced order has no names, a corrected one may have another's: who is nameless gets a free id."""
    state = make_state(chance(3))
    cell = _army_of(state, "Liga", 9)
    way = state.cells[cell].adjacent[0]
    parts = (Args({"troops": 2, "cell": way}), Args({"troops": 3, "cell": way}))
    given = Args({"army": "E21", "parts": parts})
    order = Order("Liga", 1, "split", given, "mover E21: …", assigned=assigned)

    armies = play(state, {"Liga": (order,)}).state.armies

    assert [2, 3, 4] == sorted(army.troops for army in armies.values())
    assert {"E21", "E22", "E23"} == set(armies)


def test_recruits_whose_name_is_taken_by_then_get_another() -> None:
    """A corrected order may have made an army of that name before."""
    state = make_state(chance(3))
    cell = _army_of(state, "Liga", 9)
    state.factions["Liga"].base, state.cells[cell].building = cell, None
    state.factions["Liga"].supplies = 1
    given = Args({"troops": 1, "cell": cell})
    order = Order("Liga", 1, "recruit", given, "reclutar …", assigned={"0": "E21"})

    armies = play(state, {"Liga": (order,)}).state.armies

    assert (9, {"E21", "E22"}) == (armies["E21"].troops, set(armies))


def test_a_free_id_is_none_that_a_later_order_has_been_promised() -> None:
    """The nameless parts of a forced split leave alone what the seat's next order is going to make."""
    state = make_state(chance(3))
    way = state.cells[_army_of(state, "Liga", 9)].adjacent[0]
    parts = (Args({"troops": 2, "cell": way}),)
    given = Args({"army": "E21", "parts": parts})
    forced = Order("Liga", 1, "split", given, "mover E21: …")
    promised = Order("Liga", 2, "split", given, "mover E21: …", assigned={"0": "E22"})

    armies = play(state, {"Liga": (forced, promised)}).state.armies

    assert {"E21": 5, "E22": 2, "E23": 2} == {key: army.troops for key, army in armies.items()}


# options and setups


SETUP: dict[str, Any] = {
    "planets": {"CE": {"name": "Ceniza"}, "XX": {"name": "Nada", "exploration": {}}},
    "exploration": {"nada": 1},
    "cells": {
        "CE-1": {"owner": "Liga"},
        "CE-2": {"owner": "Corona", "adjacent": ["CE-1"]},
        "CE-4": {"unexplored": True},
    },
    "factions": {"Liga": {"base": "CE-1"}, "Corona": {"block": 2}},
    "armies": {"E1": {"owner": "Liga", "cell": "CE-1", "troops": 2}},
}


@pytest.mark.parametrize(
    ("path", "value", "expected"),
    [
        ("cells/CE 3", {}, "setup-cell"),
        ("cells/VA-1", {}, "setup-no-planet"),
        ("cells/CE-2/owner", "Orden", "setup-no-owner"),
        ("cells/CE-2/adjacent", ["CE-9"], "setup-no-neighbour"),
        ("cells/CE-2/adjacent", ["CE-2"], "setup-own-neighbour"),
        ("cells/CE-2/fortification", 4, "setup-points"),
        ("cells/CE-2/at", [1, 2, 3], "setup-spot"),
        ("cells/CE-2/at", [101, 0], "setup-spot"),
        ("cells/CE-2/at", [1, 2], "setup-no-spot"),
        ("cells", {"CE-1": {"owner": "Liga", "at": [1, 2]}, "CE-2": {"at": [1, 2]}}, "setup-same-spot"),
        ("cells/CE-1/building", "generador", "setup-base-built"),
        ("factions/Liga/base", "CE-2", "setup-base"),
        ("cells/CE-1/unexplored", True, "setup-explored"),
        ("cells/CE-3", {"unexplored": True, "feature": "colmena"}, "setup-unexplored"),
        ("cells/CE-3", {"unexplored": True, "charted": True}, "setup-unexplored"),
        ("factions/Liga/known", ["CE-4"], "setup-unexplored"),
        ("cells/XX-1", {"unexplored": True}, "setup-no-odds"),
        ("exploration/nada", -1, "setup-odds"),
        ("exploration/manufactorum", 1000, "setup-odds"),
        ("planets/CE/exploration", {"colmena": 1001}, "setup-odds"),
        ("planets/CE/exploration", {}, "setup-no-odds"),
        ("factions/Liga/known", ["CE-9"], "setup-known"),
        ("factions/Liga/supplies", -1, "setup-supplies"),
        ("factions/Liga/block", 2, "setup-block"),
        ("factions/Liga/block", 0, "setup-block"),
        ("factions/I\u0301n", {"block": 3}, "setup-faction"),
        ("factions/director", {"block": 3}, "setup-reserved"),
        ("armies/E1/troops", 0, "setup-army"),
        ("armies/E1/owner", "Orden", "setup-army"),
        ("armies/E1/cell", "CE-2", "setup-army-cell"),
        ("armies/E11", {"owner": "Liga", "cell": "CE-1", "troops": 1}, "setup-army-number"),
    ],
)
def test_a_wrong_setup_is_told(path: str, value: object, expected: str) -> None:
    """Each mistake that types can't see has an answer of its own."""
    data = copy.deepcopy(SETUP)
    *above, last = path.split("/")
    table = data
    for key in above:
        table = table[key]
    table[last] = value

    assert () == RULESET.check(load_state(State, SETUP), OPTIONS)
    assert f"conquista/{expected}" in [one.id for one in RULESET.check(load_state(State, data), OPTIONS)]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (Options(cells_per_action=0), "cells_per_action"),
        (Options(actions=(1, -1)), "actions"),
        (Options(building_cost=-1), "building_cost"),
        (Options(troops_per_bonus=0), "troops_per_bonus"),
        (Options(dominion_to_win=-1), "dominion_to_win"),
        (Options(sabotage_die=0), "sabotage_die"),
        (Options(bombardment_die=0), "bombardment_die"),
        (Options(bombardment_reach=0), "bombardment_reach"),
        (Options(bombardment_costs=(1, -1)), "bombardment_costs"),
    ],
)
def test_options_out_of_range_are_told(options: Options, expected: str) -> None:
    """An option below its least is a mistake of the game's file, not a crash in the turn."""
    (found,) = RULESET.check(State({}, {}, {"Liga": Faction()}), options)
    assert ("conquista/setup-option", expected) == (found.id, found.params["option"].text)  # type: ignore[union-attr]


def test_a_game_that_is_over_before_it_begins_is_told() -> None:
    """With the last faction standing as the goal at least two have to start with cells."""
    state = State(
        {"CE": Planet("Ceniza")}, {"CE-1": Cell("Liga")}, {"Liga": Faction(), "Corona": Faction(block=2)}
    )
    assert () == RULESET.check(state, OPTIONS)
    (found,) = RULESET.check(state, Options(last_standing=True))
    assert "conquista/setup-last-standing" == found.id


def _standing(**cells: int) -> State:
    """A game in which each faction has so many cells, each worth as much dominion."""
    state = State({"CE": Planet("Ceniza")}, {}, {key: Faction(dominion=many) for key, many in cells.items()})
    for key, many in cells.items():
        state.cells |= {f"CE-{len(state.cells) + n}": Cell(key) for n in range(many)}
    return state


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (Options(), None),
        (Options(dominion_to_win=4), None),
        (Options(last_standing=True), None),
        (Options(dominion_to_win=3), (("Corona",), ("Gremio", "Orden"), ("Liga",))),
        (Options(dominion_to_win=1, last_standing=True), (("Corona",), ("Gremio", "Orden"), ("Liga",))),
    ],
)
def test_a_game_ends_where_a_goal_says_so(options: Options, expected: object) -> None:
    """No goal, one out of reach, one that is reached to the point; equals share their rank."""
    ended = RULESET.outcome(_standing(Corona=3, Gremio=1, Liga=0, Orden=1), options)
    assert expected == (ended.ranking if ended is not None else None)


@pytest.mark.parametrize(
    ("cells", "expected", "last"),
    [
        ({"Corona": 1, "Liga": 0}, (("Corona",), ("Liga",)), "Corona"),
        ({"Corona": 0, "Liga": 0}, (("Corona", "Liga"),), None),
    ],
)
def test_the_last_faction_standing_ends_a_game(cells: dict[str, int], expected: object, last: object) -> None:
    """One is left, or none at all; what somebody was worth before losing all doesn't count any more."""
    state = _standing(**cells)
    state.factions["Liga"].dominion = 9
    ended = RULESET.outcome(state, Options(last_standing=True))
    assert ended is not None
    shown = ended.reason.params["faction"]
    assert (expected, "conquista/ended-standing", last) == (
        ended.ranking,
        ended.reason.id,
        shown.text if isinstance(shown, Name) else None,
    )
    assert frozenset(key for key, many in cells.items() if not many) == RULESET.out(state)


def test_a_planet_that_costs_dominion_makes_nobody_worse_than_who_is_out() -> None:
    """Whoever is still in the game stands before those who aren't."""
    state = _standing(Corona=1, Liga=0)
    state.factions["Corona"].dominion = -2
    ended = RULESET.outcome(state, Options(last_standing=True))
    assert ended is not None
    assert (("Corona",), ("Liga",)) == ended.ranking


def test_free_orders_are_declared_and_planned_alike() -> None:
    """What takes no action says so in its declaration, from which the guide is made."""
    assert {"cede"} == FREE == {one.name for one in KIND.orders if one.free}


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (Options(sabotage_costs=()), "sabotage_costs"),
        (Options(bombardment_costs=()), "bombardment_costs"),
    ],
)
def test_a_table_of_costs_needs_an_entry(options: Options, expected: str) -> None:
    """Without one there is nothing to order."""
    (found,) = RULESET.check(State({}, {}, {"Liga": Faction()}), options)
    assert ("conquista/setup-option-empty", expected) == (found.id, found.params["option"].text)  # type: ignore[union-attr]


def test_every_faction_and_the_director_have_dice() -> None:
    """A group of dice for each faction and one for the director."""
    state = make_state(chance(1))
    assert {*FACTIONS, DIRECTOR_SEAT} == set(RULESET.groups(state))
