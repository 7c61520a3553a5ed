"""The end of a game: goals are options, by default there are none and the director ends it (conquista.md)."""

from __future__ import annotations

from rules.conquista.options import Options
from rules.conquista.state import State, count_cells, name_of
from rules.engine.messages import Message, msg
from rules.engine.ruleset import Outcome

Standing = tuple[bool, int, int]
"""Whether a faction is still in the game, its dominion, its cells; the greatest first."""


def out(state: State) -> frozenset[str]:
    """Factions without cells are out of the game for good (conquista.md)."""
    return frozenset(state.factions.keys() - {cell.owner for cell in state.cells.values()})


def outcome(state: State, options: Options) -> Outcome | None:
    """The end of the game behind a turn; None while no goal is reached.

    The ranking is by dominion, then by cells; who is equal in both shares the rank. Who is out comes last.
    """
    held = count_cells(state)
    standings = {key: _standing(state, key, held[key]) for key in sorted(state.factions)}
    ranking = tuple(
        tuple(key for key, one in standings.items() if one == equal)
        for equal in sorted(set(standings.values()), reverse=True)
    )
    reason = _reason(state, options, standings, ranking)
    return Outcome(ranking, reason) if reason is not None else None


def _standing(state: State, faction: str, cells: int) -> Standing:
    return cells > 0, state.factions[faction].dominion if cells else 0, cells


def _reason(
    state: State, options: Options, standings: dict[str, Standing], ranking: tuple[tuple[str, ...], ...]
) -> Message | None:
    alive = [key for key, (within, _, _) in standings.items() if within]
    most = max((dominion for _, dominion, _ in standings.values()), default=0)
    if options.last_standing and len(alive) < 2:
        last = name_of(state, alive[0]) if alive else None
        return msg("conquista/ended-standing", faction=last)
    if options.dominion_to_win and most >= options.dominion_to_win:
        ahead = tuple(name_of(state, key) for key in ranking[0])
        return msg("conquista/ended-dominion", goal=options.dominion_to_win, factions=ahead, dominion=most)
    return None
