"""A round of arm-wrestling, a turn of its own track."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.engine.events import event
from rules.engine.messages import msg
from rules.engine.orders import Order
from rules.engine.ruleset import Step
from rules.engine.turn import Act, Impossible, Turn
from tests.toy.state import Bout, State


def open_bout(state: State, track: str, seats: tuple[str, ...], spec: Mapping[str, Any]) -> State:
    """A bout for a stake. Raises ValueError for other than two seats, or a stake that is none."""
    stake = spec.get("stake")
    if len(seats) != 2 or not isinstance(stake, int) or stake < 1:
        raise ValueError("hacen falta dos puestos y `stake`, desde 1")
    state.bouts[track] = Bout(*seats, stake)
    return state


def push(turn: Turn, order: Order) -> Impossible | None:
    """Press for a coin, or hold on."""
    person = turn.state.folk[order.seat]
    if order.name == "press":
        if person.purse < 1:
            return Impossible(msg("feria/no-coins", price=1))
        person.coins = person.purse - 1
    dice = turn.dice.pool(2, 6, "push", order.seat, purpose="feria/roll-push")
    turn.scratch[order.seat] = sum(dice) + int(order.name == "press")
    return None


def give_up(turn: Turn, order: Order) -> Impossible | None:
    """Nothing is thrown."""
    return None


ACTS: Mapping[str, Act] = {"press": push, "hold": push, "yield": give_up}


def wrestle(turn: Turn) -> None:
    """Both at once; the higher total, or who doesn't give up, takes the stake."""
    bout: Bout = turn.state.bouts[turn.track]
    for seat in (bout.left, bout.right):
        for order in turn.orders.get(seat, ()):
            turn.carry_out(order, ACTS)
    left, right = turn.scratch.get(bout.left, 0), turn.scratch.get(bout.right, 0)
    if left == right:
        turn.tell(event("feria/bout-tied", total=left))
        return
    winner, loser = (bout.left, bout.right) if left > right else (bout.right, bout.left)
    coins = min(bout.stake, turn.state.folk[loser].purse)
    for seat, change in ((winner, coins), (loser, -coins)):
        person = turn.state.folk[seat]
        person.coins = person.purse + change
    del turn.state.bouts[turn.track]
    turn.close_track()
    turn.tell(event("feria/bout-won", winner=winner, loser=loser, coins=coins))


STEPS = (Step("wrestle", wrestle),)
