"""MOVER, joining and passing troops: in one cell, one action; who receives stays put for the turn."""

from __future__ import annotations

from rules.conquista.resolve.ledger import ledger_of
from rules.conquista.resolve.movement import own_army
from rules.conquista.state import Army, State
from rules.engine.audience import only
from rules.engine.events import event
from rules.engine.messages import Code, Message, msg
from rules.engine.orders import Order
from rules.engine.turn import Impossible, Turn


def join(turn: Turn, order: Order) -> Impossible | None:
    """Two or more armies become one; those that aren't there are left out, cancelled only if none is."""
    into = str(order["army"])
    receiver = own_army(turn, order, into)
    if isinstance(receiver, Impossible):
        return receiver
    reasons = {str(key): _apart(turn, order, str(key), receiver) for key in order["armies"]}
    joining = tuple(key for key, reason in reasons.items() if reason is None)
    missing = [(key, reason) for key, reason in reasons.items() if reason is not None]
    if not joining:
        return Impossible(missing[0][1])
    state: State = turn.state
    receiver.troops += sum(state.armies.pop(key).troops for key in joining)
    ledger_of(turn).receivers.add(into)
    joined = event(
        "conquista/armies-joined",
        only(order.seat),
        order.by,
        faction=order.seat,
        army=into,
        armies=joining,
        troops=receiver.troops,
    )
    turn.tell(joined)
    for key, reason in missing:
        turn.tell(event("conquista/not-joined", only(order.seat), order.by, army=key, reason=reason))
    return None


def _apart(turn: Turn, order: Order, key: str, receiver: Army) -> Message | None:
    """Why an army can't join another or pass it troops."""
    army = own_army(turn, order, key)
    if isinstance(army, Impossible):
        return army.reason
    if army is receiver or army.cell != receiver.cell:
        return msg("conquista/apart", army=Code(key), here=Code(army.cell), there=Code(receiver.cell))
    return None


def transfer(turn: Turn, order: Order) -> Impossible | None:
    """An army passes troops to another in its cell and keeps at least one."""
    source, into, troops = str(order["giver"]), str(order["army"]), int(order["troops"])
    receiver = own_army(turn, order, into)
    if isinstance(receiver, Impossible):
        return receiver
    reason = _apart(turn, order, source, receiver)
    if reason is not None:
        return Impossible(reason)
    giver: Army = turn.state.armies[source]
    if troops >= giver.troops:
        return Impossible(msg("conquista/too-few-left", army=Code(source), troops=giver.troops))
    giver.troops -= troops
    receiver.troops += troops
    ledger_of(turn).receivers.add(into)
    passed = event(
        "conquista/troops-passed",
        only(order.seat),
        order.by,
        faction=order.seat,
        giver=source,
        army=into,
        troops=troops,
    )
    turn.tell(passed)
    return None
