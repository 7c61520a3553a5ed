"""INVASIÓN: an army against whoever holds an adjacent cell at that moment."""

from __future__ import annotations

from rules.conquista.resolve.ledger import enter, ledger_of, pay
from rules.conquista.resolve.movement import own_army, stuck
from rules.conquista.state import Army, State, armies_in
from rules.engine.audience import PUBLIC, only
from rules.engine.events import event
from rules.engine.messages import Code, msg
from rules.engine.orders import Order
from rules.engine.turn import Impossible, Turn

WON, LOST, TIED = "victoria", "derrota", "empate"
"""Outcomes as the attacker sees them."""


def invade(turn: Turn, order: Order) -> Impossible | None:
    """Cost: the X troops of the army take part, plus ceil(X / 2) supplies; both sides roll."""
    state: State = turn.state
    cell, key = str(order["cell"]), str(order["army"])
    army = own_army(turn, order, key)
    if isinstance(army, Impossible):
        return army
    hindered = stuck(ledger_of(turn), key)
    if hindered is not None:
        return Impossible(hindered)
    if cell not in ledger_of(turn).near[army.cell]:
        return Impossible(msg("conquista/not-next-to", cell=Code(cell), here=Code(army.cell)))
    defenders = {one: other for one, other in armies_in(state, cell).items() if other.owner != order.seat}
    if not defenders:
        return Impossible(msg("conquista/nobody-to-fight", cell=Code(cell)))
    cost = -(-army.troops // 2)
    unpaid = pay(turn, order, cost)
    if unpaid is None:
        _fight(turn, order, army, defenders, cost)
    return unpaid


def _fight(turn: Turn, order: Order, army: Army, defenders: dict[str, Army], cost: int) -> None:
    cell, key = str(order["cell"]), str(order["army"])
    defender = next(iter(defenders.values())).owner
    x, d = army.troops, sum(one.troops for one in defenders.values())
    attack = _attack(turn, order, x)
    defence = d // 3 + turn.dice.roll(6, "defence", cell, defender, key, purpose="conquista/roll-defence")
    outcome = WON if attack > defence else LOST if attack < defence else TIED
    lost_x, lost_d = losses(outcome, x, d)
    army.troops -= lost_x
    _spread(turn.state, defenders, lost_d)
    if army.troops == 0:
        del turn.state.armies[key]
    ledger_of(turn).moved.add(key)
    parties = {"cell": cell, "attacker": order.seat, "defender": defender, "outcome": outcome}
    turn.tell(event("conquista/invasion-fought", PUBLIC, order.by, **parties))
    turn.tell(
        event(
            "conquista/invasion-losses",
            only(order.seat, defender),
            order.by,
            **parties,
            cost=cost,
            attack=attack,
            defence=defence,
            attacker_troops=x,
            defender_troops=d,
            attacker_losses=lost_x,
            defender_losses=lost_d,
        )
    )
    if outcome == WON and army.troops > 0:
        army.cell = cell
        ledger_of(turn).entered.add(key)
        enter(turn, order, cell)


def _attack(turn: Turn, order: Order, troops: int) -> int:
    """1d6 + 1 for each 3 troops, −1 for each point finished at the start of the turn and still there."""
    cell = str(order["cell"])
    state: State = turn.state
    points = min(ledger_of(turn).points_at_start[cell], state.cells[cell].fortification)
    die = turn.dice.roll(
        6, "invasion", cell, order.seat, str(order["army"]), purpose="conquista/roll-invasion"
    )
    return die + troops // 3 - points


def losses(outcome: str, attackers: int, defenders: int) -> tuple[int, int]:
    """Losses of both sides: winner max(1, enemy − 2), loser enemy + 2, tie max(0, enemy − 2) each.

    All from the troops before the roll, and never more than there are.
    """
    if outcome == TIED:
        attacker, defender = max(0, defenders - 2), max(0, attackers - 2)
    elif outcome == WON:
        attacker, defender = max(1, defenders - 2), attackers + 2
    else:
        attacker, defender = defenders + 2, max(1, attackers - 2)
    return min(attacker, attackers), min(defender, defenders)


def _spread(state: State, defenders: dict[str, Army], lost: int) -> None:
    """Armies in one cell fight as one: losses from the largest, ties by id; empty armies are gone."""
    for key, army in sorted(defenders.items(), key=lambda one: (-one[1].troops, one[0])):
        taken = min(lost, army.troops)
        army.troops -= taken
        lost -= taken
        if army.troops == 0:
            del state.armies[key]
