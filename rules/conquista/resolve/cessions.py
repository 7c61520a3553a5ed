"""Ceder: cells and supplies that change hands at the end of the turn, all at the same moment.

What everybody holds before the first cession decides: what is received can't be passed on. An exchange
(`a cambio de`) takes place only together with the other faction's own cession of what is asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from rules.conquista.resolve.ledger import ledger_of
from rules.conquista.state import Gift, State, gift_of, name_of, price_of
from rules.engine.audience import PUBLIC, only
from rules.engine.events import event
from rules.engine.messages import Code, Message, msg
from rules.engine.orders import Order
from rules.engine.turn import Impossible, Turn


@dataclass(frozen=True, slots=True, eq=False)
class Cession:
    """A line that hands something over. price: what it asks for, None for a gift."""

    order: Order
    receiver: str
    gift: Gift
    price: Gift | None

    @property
    def giver(self) -> str:
        """Who hands over."""
        return self.order.seat

    @property
    def rank(self) -> tuple[int, str]:
        """Lines that were written first come first."""
        return self.order.number, self.giver


@dataclass(slots=True)
class Holdings:
    """What may still be handed over.

    supplies: by faction, without what is already given. owners: by cell. armies: cells with an army.
    bases: cells with a Base de Mando. alive: factions with cells. given: cells that are already given.
    """

    supplies: dict[str, int]
    owners: dict[str, str | None]
    armies: frozenset[str]
    bases: frozenset[str | None]
    alive: frozenset[str]
    given: set[str] = field(default_factory=set)


Failed = dict[Cession, Message]
Partners = dict[Cession, Cession]


def is_free(turn: Turn, order: Order) -> bool:
    """Whether an order takes no action."""
    return turn.kind.grammar.orders[order.name].free


def cede(turn: Turn, order: Order) -> Impossible | None:
    """What `si no` of an action names; it waits for the end of the turn like all cessions."""
    ledger_of(turn).cessions.append(order)
    return None


def settle_cessions(turn: Turn) -> None:
    """Find out which cessions take place, fallbacks behind the lines above them; then hand over at once."""
    free = (one for orders in turn.orders.values() for one in orders if is_free(turn, one))
    firsts = sorted((*free, *ledger_of(turn).cessions), key=lambda one: (one.seat, one.number))
    why: dict[tuple[str, int, int], Message] = {}
    holdings, waiting = _holdings(turn.state), list(firsts)
    while waiting:
        lines = sorted(map(_cession, waiting), key=lambda one: one.rank)
        failed = _settle(turn, holdings, lines)
        why |= {_place(line.order): reason for line, reason in failed.items()}
        waiting = [below for line in failed if (below := line.order.otherwise) is not None and _cedes(below)]
    for order in firsts:
        turn.carry_out(order, lambda turn, one: _hand_over(turn, one, why.get(_place(one))))
    for seat in sorted(holdings.alive - _with_cells(turn.state)):
        turn.tell(event("conquista/faction-out", PUBLIC, faction=seat))


def _cedes(order: Order) -> bool:
    return order.name == "cede"


def _place(order: Order) -> tuple[str, int, int]:
    """Which line it is, and how many fallbacks stand below it."""
    below, left = order.otherwise, 0
    while below is not None:
        below, left = below.otherwise, left + 1
    return order.seat, order.number, left


def _cession(order: Order) -> Cession:
    return Cession(order, str(order["faction"]), gift_of(order["gift"]), price_of(order))


def _holdings(state: State) -> Holdings:
    """What everybody holds before the first cession."""
    return Holdings(
        {key: faction.supplies for key, faction in state.factions.items()},
        {key: cell.owner for key, cell in state.cells.items()},
        frozenset(army.cell for army in state.armies.values()),
        frozenset(faction.base for faction in state.factions.values()),
        _with_cells(state),
    )


def _with_cells(state: State) -> frozenset[str]:
    return frozenset(cell.owner for cell in state.cells.values() if cell.owner is not None)


def _settle(turn: Turn, holdings: Holdings, lines: Sequence[Cession]) -> Failed:
    """Which of the lines can't take place and why; what the others hand over leaves the holdings.

    Where a faction gives more than it has, the lines that it wrote first have it.
    """
    partners = _match(lines)
    failed = {line: reason for line in lines if (reason := _alone(turn, holdings, line)) is not None}
    relied = {*partners, *partners.values()}
    while True:
        _spread(turn.state, failed, lines, partners)
        tight = _allot(holdings, [line for line in lines if line not in failed])
        first = next((line for line in tight if line in relied), None)
        if first is None:
            failed |= tight
            break
        failed[first] = tight[first]
    for line in lines:
        if line not in failed:
            _take(holdings, line)
    return failed


def _match(lines: Sequence[Cession]) -> Partners:
    """For each exchange the other faction's line that it takes place with, each line in one pair.

    The other's line hands over exactly what is asked for, and asks for exactly what is given, or nothing.
    """
    offered: dict[tuple[str, str, Gift], list[Cession]] = {}
    for line in lines:
        offered.setdefault((line.giver, line.receiver, line.gift), []).append(line)
    partners: Partners = {}
    taken: set[Cession] = set()
    for mutual in (True, False):
        for line in lines:
            if line.price is None or line in partners:
                continue
            others = offered.get((line.receiver, line.giver, line.price), ())
            wanted = line.gift if mutual else None
            other = next((one for one in others if one.price == wanted and one not in taken), None)
            if other is not None:
                partners |= {line: other, other: line} if mutual else {line: other}
                taken |= {line, other} if mutual else {other}
    return partners


def _alone(turn: Turn, holdings: Holdings, line: Cession) -> Message | None:
    """Why a line can't take place whatever becomes of the others."""
    if not turn.options.cessions:
        return msg("conquista/no-cessions")
    if line.giver not in holdings.alive:
        return msg("conquista/out-by-then")
    if line.receiver not in holdings.alive:
        return msg("conquista/target-gone", faction=name_of(turn.state, line.receiver))
    cell, supplies = line.gift
    if cell is not None:
        return _not_to_give(holdings, line.giver, cell)
    return _too_little(holdings.supplies[line.giver], supplies)


def _not_to_give(holdings: Holdings, giver: str, cell: str) -> Message | None:
    if holdings.owners[cell] != giver:
        return msg("conquista/not-own", cell=Code(cell))
    if cell in holdings.bases:
        return msg("conquista/base-stays", cell=Code(cell))
    return msg("conquista/army-inside", cell=Code(cell)) if cell in holdings.armies else None


def _too_little(held: int, supplies: int) -> Message | None:
    return msg("conquista/cant-cede", cost=supplies, supplies=held) if supplies > held else None


def _spread(state: State, failed: Failed, lines: Sequence[Cession], partners: Partners) -> None:
    """An exchange without its other side doesn't take place either: both or neither."""
    for line in lines:
        other = partners.get(line)
        if line not in failed and line.price is not None and (other is None or other in failed):
            failed[line] = _unmet(state, line)


def _unmet(state: State, line: Cession) -> Message:
    cell, supplies = line.price or (None, 0)
    code = Code(cell) if cell is not None else None
    return msg(
        "conquista/exchange-unmet", faction=name_of(state, line.receiver), cell=code, supplies=supplies
    )


def _allot(holdings: Holdings, lines: Sequence[Cession]) -> Failed:
    """The lines for which those above them leave too little."""
    left, given = dict(holdings.supplies), set(holdings.given)
    tight: Failed = {}
    for line in lines:
        cell, supplies = line.gift
        reason = _too_little(left[line.giver], supplies)
        if cell in given:
            reason = msg("conquista/given-already", cell=Code(str(cell)))
        if reason is not None:
            tight[line] = reason
        elif cell is not None:
            given.add(cell)
        else:
            left[line.giver] -= supplies
    return tight


def _take(holdings: Holdings, line: Cession) -> None:
    cell, supplies = line.gift
    holdings.supplies[line.giver] -= supplies
    if cell is not None:
        holdings.given.add(cell)


def _hand_over(turn: Turn, order: Order, reason: Message | None) -> Impossible | None:
    """One cession that takes place; another kind of order comes too late for this turn."""
    if reason is not None or not _cedes(order):
        return Impossible(reason or msg("conquista/too-late"))
    line = _cession(order)
    cell, supplies = line.gift
    if cell is not None:
        _hand_over_cell(turn, line, cell)
        return None
    factions = turn.state.factions
    factions[line.giver].supplies -= supplies
    factions[line.receiver].supplies += supplies
    parties = {"faction": line.giver, "receiver": line.receiver}
    known = only(line.giver, line.receiver)
    turn.tell(event("conquista/supplies-ceded", known, order.by, **parties, supplies=supplies))
    return None


def _hand_over_cell(turn: Turn, line: Cession, cell: str) -> None:
    """No conquest: buildings and points stay. Both know what the cell holds by nature."""
    state: State = turn.state
    one = state.cells[cell]
    one.owner = line.receiver
    told = {"faction": line.giver, "receiver": line.receiver, "cell": cell}
    turn.tell(event("conquista/cell-ceded", PUBLIC, line.order.by, **told))
    if one.feature is not None:
        for faction in (state.factions[line.giver], state.factions[line.receiver]):
            faction.known = tuple(sorted({*faction.known, cell}))
    if one.feature or one.building or one.fortification:
        received = event(
            "conquista/cell-received",
            only(line.receiver),
            faction=line.receiver,
            cell=cell,
            feature=one.feature,
            building=one.building,
            points=one.fortification,
        )
        turn.tell(received)
