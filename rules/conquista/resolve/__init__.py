"""The resolution of a turn: a table of steps, and what each action does at its moment.

The original describes one player's turn; here all act in rounds: in round k each faction's k-th action
is carried out, the factions in an order drawn anew. Production, works, cessions and dominion wait for the
end.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import count

from rules.conquista.resolve.bombardment import bombard
from rules.conquista.resolve.cessions import cede, is_free, settle_cessions
from rules.conquista.resolve.espionage import spy
from rules.conquista.resolve.invasion import invade
from rules.conquista.resolve.joining import join, transfer
from rules.conquista.resolve.ledger import holds_any, open_ledger
from rules.conquista.resolve.movement import move
from rules.conquista.resolve.recruiting import recruit
from rules.conquista.resolve.sabotage import sabotage
from rules.conquista.resolve.splits import split
from rules.conquista.resolve.works import (
    build,
    credit_production,
    finish_works,
    fortify,
    move_bases,
    produce,
    wait,
)
from rules.conquista.state import State, actions_for, count_bonuses, count_cells
from rules.engine.audience import PUBLIC, only
from rules.engine.events import event
from rules.engine.messages import msg
from rules.engine.orders import Order
from rules.engine.ruleset import Step
from rules.engine.turn import Impossible, Turn

__all__ = ["ACTS", "STEPS"]

ACTS: Mapping[str, Callable[[Turn, Order], Impossible | None]] = {
    "produce": produce,
    "recruit": recruit,
    "build": build,
    "fortify": fortify,
    "move": move,
    "split": split,
    "join": join,
    "transfer": transfer,
    "spy": spy,
    "sabotage": sabotage,
    "invade": invade,
    "bombard": bombard,
    "cede": cede,
    "pass": wait,
}
"""What each order does, by its declaration."""


def act(turn: Turn, order: Order) -> Impossible | None:
    """Do an order, be it the one written first or what `si no` names; who is out does nothing any more."""
    if not holds_any(turn, order.seat):
        return Impossible(msg("conquista/out-by-then"))
    return ACTS[order.name](turn, order)


def play_rounds(turn: Turn) -> None:
    """Action rounds; only factions with a k-th action draw for their order, and the draw stays secret.

    Free orders are no actions and take no part.
    """
    actions = {
        seat: [one for one in orders if not is_free(turn, one)] for seat, orders in turn.orders.items()
    }
    for number in count(1):
        acting = [seat for seat, orders in actions.items() if len(orders) >= number]
        if not acting:
            return
        for seat in turn.dice.order_of(acting, "round", str(number), purpose="conquista/roll-round"):
            turn.carry_out(actions[seat][number - 1], act)


def count_dominion(turn: Turn) -> None:
    """Fase final: cells plus the bonuses of fully held planets, and the actions of the next turn."""
    state: State = turn.state
    held, whole = count_cells(state), count_bonuses(state)
    for key, faction in sorted(state.factions.items()):
        cells, bonuses = held[key], whole[key]
        faction.dominion = cells + bonuses
        faction.dominions = (*faction.dominions, faction.dominion)
        counted = {"cells": cells, "bonuses": bonuses, "dominion": faction.dominion}
        turn.tell(event("conquista/dominion-counted", PUBLIC, None, faction=key, **counted))
        actions = actions_for(cells, turn.options)
        turn.tell(event("conquista/actions-counted", only(key), faction=key, actions=actions))


STEPS = (
    Step("open_ledger", open_ledger, "003: IMPORTANTE, lo que se tenía al empezar"),
    Step("rounds", play_rounds, "003: EJEMPLO DE TURNO, 1 - Acciones"),
    Step("production", credit_production, "003: PRODUCCIÓN"),
    Step("works", finish_works, "003: CONSTRUIR"),
    Step("cessions", settle_cessions, "conquista.md: «production, works, cessions, dominion»"),
    Step("bases", move_bases, "conquista.md: «no new base (option)»"),
    Step("dominion", count_dominion, "003: 3. Fase Final"),
)
