"""MOVER: an army along its path, and what stands in an army's way."""

from __future__ import annotations

from rules.conquista.resolve.conquest import enter
from rules.conquista.resolve.ledger import hindrance, ledger_of, others_in
from rules.conquista.state import Army, State
from rules.engine.audience import only
from rules.engine.events import event
from rules.engine.messages import Code, Message, msg
from rules.engine.orders import Order
from rules.engine.turn import Impossible, Turn


def own_army(turn: Turn, order: Order, key: str) -> Army | Impossible:
    """The army, if it still exists and is the faction's."""
    state: State = turn.state
    army = state.armies.get(key)
    if army is None or army.owner != order.seat:
        return Impossible(msg("conquista/army-gone", army=Code(key)))
    return army


def out_of_reach(turn: Turn, army: Army, cell: str) -> Message | None:
    """Why an army can't reach a cell from where it stands."""
    if cell in ledger_of(turn).near[army.cell]:
        return None
    if cell == army.cell:
        return msg("conquista/was-there", cell=Code(cell))
    return msg("conquista/not-next-to", cell=Code(cell), here=Code(army.cell))


def blocked(turn: Turn, army: Army, cell: str) -> Message | None:
    """Why an army can't enter a cell by moving."""
    reason = out_of_reach(turn, army, cell)
    if reason is None and others_in(turn, cell, army.owner):
        return msg("conquista/army-in-the-way", cell=Code(cell))
    return reason


def move(turn: Turn, order: Order) -> Impossible | None:
    """One army, up to two cells; a blocked second step leaves it after the first."""
    key = str(order["army"])
    army = own_army(turn, order, key)
    if isinstance(army, Impossible):
        return army
    gone: list[str] = []
    for cell in order["path"]:
        reason = hindrance(turn, key) or blocked(turn, army, cell)
        if reason is not None and not gone:
            return Impossible(reason)
        if reason is not None:
            tell_moved(turn, order, gone)
            tell_blocked(turn, order, key, cell, reason)
            return None
        enter(turn, order, key, cell)
        gone.append(cell)
    tell_moved(turn, order, gone)
    return None


def tell_moved(turn: Turn, order: Order, path: list[str]) -> None:
    """The cells that an army went through, known to its faction."""
    moved = event(
        "conquista/army-moved",
        only(order.seat),
        order.by,
        faction=order.seat,
        army=order["army"],
        path=tuple(path),
    )
    turn.tell(moved)


def tell_blocked(turn: Turn, order: Order, key: str, cell: str, reason: Message) -> None:
    """A step that couldn't be taken, known to its faction."""
    turn.tell(event("conquista/step-blocked", only(order.seat), order.by, army=key, cell=cell, reason=reason))
