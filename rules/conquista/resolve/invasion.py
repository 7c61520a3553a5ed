"""INVASIÓN: an army against whoever holds an adjacent cell at that moment."""

from __future__ import annotations

from dataclasses import dataclass

from rules.conquista.options import Options
from rules.conquista.resolve.casualties import spread
from rules.conquista.resolve.conquest import enter
from rules.conquista.resolve.ledger import finished_points, hindrance, others_in, pay
from rules.conquista.resolve.movement import out_of_reach, own_army
from rules.conquista.state import Army
from rules.engine.audience import PUBLIC, only
from rules.engine.events import event
from rules.engine.messages import Code, msg
from rules.engine.orders import Order
from rules.engine.turn import Impossible, Turn

WON, LOST, TIED = "victoria", "derrota", "empate"
"""Outcomes as the attacker sees them."""


def invade(turn: Turn, order: Order) -> Impossible | None:
    """Cost: the X troops of the army take part, plus ceil(X / 2) supplies; an empty cell isn't invaded."""
    cell, key = str(order["cell"]), str(order["army"])
    army = own_army(turn, order, key)
    if isinstance(army, Impossible):
        return army
    reason = hindrance(turn, key) or out_of_reach(turn, army, cell)
    if reason is not None:
        return Impossible(reason)
    defenders = others_in(turn, cell, order.seat)
    if not defenders:
        return Impossible(msg("conquista/nobody-to-fight", cell=Code(cell)))
    cost = -(-army.troops // turn.options.troops_per_supply)
    unpaid = pay(turn, order, cost)
    if unpaid is None:
        _fight(turn, order, army, defenders, cost)
    return unpaid


def _fight(turn: Turn, order: Order, army: Army, defenders: dict[str, Army], cost: int) -> None:
    """Both roll 1d6 + 1 for each 3 troops; the higher total wins; the attacker takes the cell if it lives."""
    cell, key = str(order["cell"]), str(order["army"])
    defender = next(iter(defenders.values())).owner
    x, d = army.troops, sum(one.troops for one in defenders.values())
    attack, defence = _attack(turn, order, x), _defence(turn, order, defender, d)
    outcome = WON if attack.total > defence.total else LOST if attack.total < defence.total else TIED
    lost_x, lost_d = losses(outcome, x, d, turn.options)
    army.troops -= lost_x
    spread(turn.state, defenders, lost_d)
    if army.troops == 0:
        del turn.state.armies[key]
    parties = {"cell": cell, "attacker": order.seat, "defender": defender, "outcome": outcome}
    turn.tell(event("conquista/invasion-fought", PUBLIC, order.by, **parties))
    fought = event(
        "conquista/invasion-losses",
        only(order.seat, defender),
        order.by,
        **parties,
        cost=cost,
        attack=attack.total,
        attack_parts=attack.parts,
        defence=defence.total,
        defence_parts=defence.parts,
        attacker_troops=x,
        defender_troops=d,
        attacker_losses=lost_x,
        defender_losses=lost_d,
    )
    turn.tell(fought)
    if outcome == WON and army.troops > 0 and not others_in(turn, cell, order.seat):
        enter(turn, order, key, cell)


@dataclass(frozen=True, slots=True)
class Score:
    """One side's total. bonus: for its troops. malus: for fortification points, from 0."""

    die: int
    bonus: int
    malus: int = 0

    @property
    def total(self) -> int:
        """What is compared."""
        return self.die + self.bonus - self.malus

    @property
    def parts(self) -> tuple[int, int, int]:
        """What it is made of, as events list it."""
        return self.die, self.bonus, self.malus


def _attack(turn: Turn, order: Order, troops: int) -> Score:
    """1d6 + 1 for each 3 troops, −1 for each point finished at the start of the turn and still there."""
    cell, options = str(order["cell"]), turn.options
    points = finished_points(turn, cell)
    malus = points if options.every_point else min(points, 1)
    die = turn.dice.roll(
        6, "invasion", cell, order.seat, str(order["army"]), purpose="conquista/roll-invasion"
    )
    return Score(die, troops // options.troops_per_bonus, malus)


def _defence(turn: Turn, order: Order, defender: str, troops: int) -> Score:
    """1d6 + 1 for each 3 troops of all armies in the cell; a die for each attack, named by its army."""
    die = turn.dice.roll(
        6, "defence", str(order["cell"]), defender, str(order["army"]), purpose="conquista/roll-defence"
    )
    return Score(die, troops // turn.options.troops_per_bonus)


def losses(outcome: str, attackers: int, defenders: int, options: Options) -> tuple[int, int]:
    """Losses of both sides: winner max(1, enemy − 2), loser enemy + 2, tie max(0, enemy − 2) each.

    All from the troops before the roll, and never more than there are.
    """
    shift, won, tied = options.loss_shift, options.winner_least, options.tie_least
    if outcome == TIED:
        attacker, defender = max(tied, defenders - shift), max(tied, attackers - shift)
    elif outcome == WON:
        attacker, defender = max(won, defenders - shift), attackers + shift
    else:
        attacker, defender = defenders + shift, max(won, attackers - shift)
    return min(attacker, attackers), min(defender, defenders)
