"""The resolution of a turn: a table of steps, and what each order does at its moment."""

from __future__ import annotations

from collections.abc import Mapping

from rules.engine.audience import DIRECTOR_SEAT
from rules.engine.orders import Order
from rules.engine.ruleset import Step
from rules.engine.turn import Act, Turn
from rules.valar.clocks import settle_clocks
from rules.valar.resolve.consequences import bring_consequences, settle_success
from rules.valar.resolve.directing import direct
from rules.valar.resolve.ending import end_missions, free_tokens
from rules.valar.resolve.fortune import direct_further
from rules.valar.resolve.goals import settle_goals
from rules.valar.resolve.houses import rest, tell
from rules.valar.resolve.ledger import open_ledger
from rules.valar.resolve.missions import abandon, accept, begin, refuse, support, withdraw
from rules.valar.resolve.pairing import pair_missions
from rules.valar.resolve.rolling import roll_missions

__all__ = ["ACTS", "STEPS"]

ACTS: Mapping[str, Act] = {
    "mission": begin,
    "accept": accept,
    "refuse": refuse,
    "support": support,
    "withdraw": withdraw,
    "abandon": abandon,
    "rest": rest,
    "tell": tell,
}
"""What each order does, by its declaration."""

PHASES = (("mission",), ("accept", "refuse"), ("support", "withdraw", "abandon"), ("rest", "tell"))
"""Orders of the houses in the sequence in which their kinds are done: what one needs is there before it."""


def carry_out_orders(turn: Turn) -> None:
    """The houses' orders, kind by kind; within one in the order posted."""
    for names in PHASES:
        for order in _in_order(turn):
            if order.name in names:
                turn.carry_out(order, ACTS)


def _in_order(turn: Turn) -> tuple[Order, ...]:
    """By their posts; what came without one, in the order of the seats, behind them."""
    every = [one for seat, orders in turn.orders.items() for one in orders if seat != DIRECTOR_SEAT]
    return tuple(sorted(every, key=lambda one: _placed(turn, one)))


def _placed(turn: Turn, order: Order) -> tuple[bool, int]:
    place = turn.facts(order).place
    return place == 0, place


STEPS = (
    Step("open_ledger", open_ledger),
    Step("orders", carry_out_orders, "004: El Sistema, «un personaje llevando a cabo una misión»"),
    Step("direction", direct, "004: Factores; Posición y Efecto, «antes de resolverlas, se debe decidir»"),
    Step("opposition", pair_missions, "004: Misiones enfrentadas"),
    Step("rolls", roll_missions, "004: El Sistema, «1o3d10 + Token ± Roleo ± Factores ± Dificultad»"),
    Step("success", settle_success, "004: Éxitos automáticos"),
    Step("goals", settle_goals, "004: Misiones enfrentadas, «comparar los resultados»"),
    Step("consequences", bring_consequences, "004: Consecuencias y mejoras; Posición y Efecto"),
    Step("further", direct_further, "004: Tiradas de Fortuna; Relojes"),
    Step("missions", end_missions, "004: Grados de éxito; valar.md: «Duration changed at resolution»"),
    Step("clocks", settle_clocks, "004: Recuerdos, Relojes y Balanzas"),
    Step("tokens", free_tokens, "valar.md: «its tokens are busy till then»"),
)
