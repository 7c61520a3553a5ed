"""MOVER: paths, splits, joining and passing troops."""

from __future__ import annotations

from rules.conquista.resolve.ledger import Ledger, enter, ledger_of
from rules.conquista.state import Army, State, armies_in
from rules.engine.audience import only
from rules.engine.events import event
from rules.engine.messages import Code, Message, msg
from rules.engine.orders import Args, Order
from rules.engine.turn import Impossible, Turn


def own_army(turn: Turn, order: Order, key: str) -> Army | Impossible:
    """The army, if it still exists and is the faction's."""
    state: State = turn.state
    army = state.armies.get(key)
    if army is None or army.owner != order.seat:
        return Impossible(msg("conquista/army-gone", army=Code(key)))
    return army


def stuck(ledger: Ledger, key: str) -> Message | None:
    """Why an army can't move or attack any more this turn, None where it can."""
    if key in ledger.receivers:
        return msg("conquista/receiver-stays", army=Code(key))
    if key in ledger.parts and key in ledger.entered:
        return msg("conquista/part-has-moved", army=Code(key))
    return None


def foreign_army(state: State, cell: str, seat: str) -> bool:
    """Whether an army of somebody else stands in the cell: then entering it is an invasion."""
    return any(army.owner != seat for army in armies_in(state, cell).values())


def move(turn: Turn, order: Order) -> Impossible | None:
    """One army, up to two cells; a blocked second step leaves it after the first."""
    army = own_army(turn, order, order["army"])
    if isinstance(army, Impossible):
        return army
    ledger, key = ledger_of(turn), str(order["army"])
    hindered = stuck(ledger, key)
    if hindered is not None:
        return Impossible(hindered)
    path = tuple(order["path"])[: 1 if key in ledger.parts else turn.options.steps]
    gone: list[str] = []
    for cell in path:
        reason = _blocked(turn, army, cell)
        if reason is not None:
            return _stop(turn, order, gone, cell, reason)
        army.cell = cell
        ledger.moved.add(key)
        ledger.entered.add(key)
        gone.append(cell)
        enter(turn, order, cell)
    _tell_moved(turn, order, tuple(gone))
    return None


def _blocked(turn: Turn, army: Army, cell: str) -> Message | None:
    if cell not in ledger_of(turn).near[army.cell]:
        return msg("conquista/not-next-to", cell=Code(cell), here=Code(army.cell))
    if foreign_army(turn.state, cell, army.owner):
        return msg("conquista/army-in-the-way", cell=Code(cell))
    return None


def _stop(turn: Turn, order: Order, gone: list[str], cell: str, reason: Message) -> Impossible | None:
    if not gone:
        return Impossible(reason)
    _tell_moved(turn, order, tuple(gone))
    turn.tell(
        event(
            "conquista/step-blocked", only(order.seat), order.by, army=order["army"], cell=cell, reason=reason
        )
    )
    return None


def _tell_moved(turn: Turn, order: Order, path: tuple[str, ...]) -> None:
    turn.tell(
        event(
            "conquista/army-moved",
            only(order.seat),
            order.by,
            faction=order.seat,
            army=order["army"],
            path=path,
        )
    )


def split(turn: Turn, order: Order) -> Impossible | None:
    """An army into any number of parts, each of which moves one cell or stays; one action."""
    army = own_army(turn, order, order["army"])
    if isinstance(army, Impossible):
        return army
    reason = _cant_split(turn, order, army)
    if reason is not None:
        return Impossible(reason)
    state: State = turn.state
    ledger, key, here = ledger_of(turn), str(order["army"]), army.cell
    moving = [(place, part) for place, part in enumerate(order["parts"]) if part.form == 0]
    stays = army.troops - sum(int(part["troops"]) for _, part in moving)
    del state.armies[key]
    if stays:
        state.armies[key] = Army(order.seat, here, stays)
        ledger.parts.add(key)
    names = [order.assigned[str(place)] for place, _ in moving]
    turn.tell(
        event(
            "conquista/army-split",
            only(order.seat),
            order.by,
            faction=order.seat,
            army=key,
            parts=(*((key,) if stays else ()), *names),
        )
    )
    for name, (_, part) in zip(names, moving, strict=True):
        _send(turn, order, name, part, here)
    return None


def _cant_split(turn: Turn, order: Order, army: Army) -> Message | None:
    ledger, key = ledger_of(turn), str(order["army"])
    hindered = stuck(ledger, key)
    if hindered is not None:
        return hindered
    if key in ledger.moved:
        return msg("conquista/moved-cant-split", army=Code(key))
    moving = [part for part in order["parts"] if part.form == 0]
    going = sum(int(part["troops"]) for part in moving)
    staying = sum(int(part["troops"]) for part in order["parts"] if part.form == 1)
    if going > army.troops or (staying and going + staying != army.troops):
        return msg("conquista/troops-changed", army=Code(key), troops=army.troops, named=going + staying)
    if all(_blocked(turn, army, part["cell"]) is not None for part in moving):
        return msg("conquista/no-way-out", army=Code(key))
    return None


def _send(turn: Turn, order: Order, name: str, part: Args, here: str) -> None:
    """One part takes its step; one that is blocked stays behind as an army of its own."""
    state: State = turn.state
    ledger, cell = ledger_of(turn), str(part["cell"])
    army = Army(order.seat, here, int(part["troops"]))
    reason = _blocked(turn, army, cell)
    state.armies[name] = army
    ledger.parts.add(name)
    if reason is not None:
        turn.tell(
            event("conquista/step-blocked", only(order.seat), order.by, army=name, cell=cell, reason=reason)
        )
        return
    army.cell = cell
    ledger.entered.add(name)
    ledger.moved.add(name)
    enter(turn, order, cell)


def join(turn: Turn, order: Order) -> Impossible | None:
    """Two or more armies in one cell become one, which can neither move nor attack this turn."""
    receiver = own_army(turn, order, order["army"])
    if isinstance(receiver, Impossible):
        return receiver
    state: State = turn.state
    into, joining = str(order["army"]), tuple(str(one) for one in order["armies"])
    for key in joining:
        army = own_army(turn, order, key)
        if isinstance(army, Impossible):
            return army
        if army.cell != receiver.cell:
            return Impossible(msg("conquista/apart", army=Code(key), other=Code(into)))
    receiver.troops += sum(state.armies.pop(key).troops for key in joining)
    ledger_of(turn).receivers.add(into)
    turn.tell(
        event(
            "conquista/armies-joined",
            only(order.seat),
            order.by,
            faction=order.seat,
            army=into,
            armies=joining,
            troops=receiver.troops,
        )
    )
    return None


def transfer(turn: Turn, order: Order) -> Impossible | None:
    """An army passes troops to another in its cell and keeps at least one; the receiver stays put."""
    giver = own_army(turn, order, order["giver"])
    receiver = own_army(turn, order, order["army"])
    if isinstance(giver, Impossible):
        return giver
    if isinstance(receiver, Impossible):
        return receiver
    source, into, troops = str(order["giver"]), str(order["army"]), int(order["troops"])
    if giver.cell != receiver.cell:
        return Impossible(msg("conquista/apart", army=Code(source), other=Code(into)))
    if troops >= giver.troops:
        return Impossible(msg("conquista/too-few-left", army=Code(source), troops=giver.troops))
    giver.troops -= troops
    receiver.troops += troops
    ledger_of(turn).receivers.add(into)
    turn.tell(
        event(
            "conquista/troops-passed",
            only(order.seat),
            order.by,
            faction=order.seat,
            giver=source,
            army=into,
            troops=troops,
        )
    )
    return None
