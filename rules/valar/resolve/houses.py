"""What houses do besides missions: tokens rest, memories are told."""

from __future__ import annotations

from rules.engine.audience import only
from rules.engine.events import event
from rules.engine.messages import Code, Param, Quoted, msg
from rules.engine.orders import Order
from rules.engine.turn import Impossible, Turn
from rules.valar.state import CONDITIONS, Condition, knows


def rest(turn: Turn, order: Order) -> Impossible | None:
    """Recover a step of condition, busy this turn (valar.md: off by default, never from `perdido`)."""
    house = turn.state.houses[order.seat]
    for key in order["tokens"]:
        token = house.tokens[key]
        if token.condition in (Condition.RESTED, Condition.LOST):
            return Impossible(msg("valar/needs-no-rest", token=Code(key)))
        token.condition = CONDITIONS[CONDITIONS.index(token.condition) - 1]
        token.busy_until = turn.number
        facts: dict[str, Param] = {"token": key, "condition": token.condition.value}
        turn.tell(event("valar/token-rested", only(order.seat), order.by, house=order.seat, **facts))
    return None


def tell(turn: Turn, order: Order) -> Impossible | None:
    """Other houses know of a memory from now on, and may claim it as a factor."""
    memory = turn.state.memories[order["memory"]]
    new = tuple(key for key in order["houses"] if key != memory.house and not knows(memory.known_to, key))
    if new:
        memory.known_to = tuple(sorted((*memory.known_to, *new)))
        facts: dict[str, Param] = {
            "memory": order["memory"],
            "house": order.seat,
            "text": Quoted(memory.text),
        }
        turn.tell(event("valar/memory-told", only(order.seat, *new), order.by, told_to=new, **facts))
    return None
