"""MOVER with parts: an army into any number of parts, each of which moves one cell or stays; one action."""

from __future__ import annotations

from collections.abc import Sequence

from rules.conquista.resolve.conquest import enter
from rules.conquista.resolve.ledger import hindrance, ledger_of, new_name, station
from rules.conquista.resolve.movement import blocked, own_army, tell_blocked, tell_moved
from rules.conquista.state import Army, State
from rules.engine.audience import only
from rules.engine.events import event
from rules.engine.messages import Code, Message, msg
from rules.engine.orders import Args, Order
from rules.engine.turn import Impossible, Turn


def split(turn: Turn, order: Order) -> Impossible | None:
    """Divide an army; who isn't named stays, and a part that is blocked stays as an army of its own."""
    key = str(order["army"])
    army = own_army(turn, order, key)
    if isinstance(army, Impossible):
        return army
    moving = [(place, part) for place, part in enumerate(order["parts"]) if "cell" in part.values]
    reason = hindrance(turn, key) or _cant_split(turn, order, army, [part for _, part in moving])
    if reason is not None:
        return Impossible(reason)
    names = _make_parts(turn, order, army, moving)
    for name, (_, part) in zip(names, moving, strict=True):
        _send(turn, order, name, str(part["cell"]))
    if names == [key] and key not in ledger_of(turn).parts:
        tell_moved(turn, order, [turn.state.armies[key].cell])
    return None


def _cant_split(turn: Turn, order: Order, army: Army, moving: Sequence[Args]) -> Message | None:
    key = str(order["army"])
    if key in ledger_of(turn).entered:
        return msg("conquista/moved-cant-split", army=Code(key))
    named = sum(int(part["troops"]) for part in order["parts"])
    if named > army.troops:
        return msg("conquista/troops-changed", army=Code(key), troops=army.troops, named=named)
    if all(blocked(turn, army, part["cell"]) is not None for part in moving):
        return msg("conquista/no-way-out", army=Code(key))
    return None


def _make_parts(turn: Turn, order: Order, army: Army, moving: list[tuple[int, Args]]) -> list[str]:
    """The armies that the split makes, all still where the old one was; the names of those that go."""
    state: State = turn.state
    key, seat = str(order["army"]), order.seat
    stays = army.troops - sum(int(part["troops"]) for _, part in moving)
    del state.armies[key]
    made: list[str] = []
    if stays:
        rest = key if key not in order.assigned.values() else new_name(turn, seat)
        station(turn, rest, Army(seat, army.cell, stays))
        made.append(rest)
    names: list[str] = []
    for place, part in moving:
        name = order.assigned.get(str(place))
        if name is None or name in state.armies:
            name = new_name(turn, seat)  # a corrected order, whose name another army has by now
        station(turn, name, Army(seat, army.cell, int(part["troops"])))
        names.append(name)
    made += names
    if len(made) > 1:
        ledger_of(turn).parts.update(made)
    if made != [key]:
        told = event("conquista/army-split", only(seat), order.by, faction=seat, army=key, parts=tuple(made))
        turn.tell(told)
    return names


def _send(turn: Turn, order: Order, name: str, cell: str) -> None:
    """One part takes its step."""
    reason = blocked(turn, turn.state.armies[name], cell)
    if reason is None:
        enter(turn, order, name, cell)
    else:
        tell_blocked(turn, order, name, cell, reason)
