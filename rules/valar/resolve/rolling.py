"""Rolling the missions that are due (004: 1o3d10 + Token ± Roleo ± Factores ± Dificultad)."""

from __future__ import annotations

from rules.engine.audience import only
from rules.engine.events import event
from rules.engine.messages import Param, Quoted
from rules.engine.turn import Turn
from rules.valar.bands import (
    BANDS,
    DIFFICULTIES,
    MOST_TOKENS,
    TOKENS,
    Effect,
    Position,
    band_of,
    median,
    succeeds,
)
from rules.valar.entries import Case
from rules.valar.options import Options
from rules.valar.resolve.ledger import ledger_of
from rules.valar.resolve.pairing import advantage_of
from rules.valar.state import (
    Condition,
    House,
    Mission,
    Modifier,
    State,
    all_missions,
    open_missions,
    recipe_of,
    stance_of,
    tokens_in,
)


def roll_missions(turn: Turn) -> None:
    """All missions of a turn are rolled against the state at its start, before any of their entries apply."""
    due = [one for one in open_missions(turn.state) if one[2].resolves <= turn.number]
    ledger_of(turn).cases = [_roll(turn, *one) for one in due if not _given_up(turn, *one)]


def _given_up(turn: Turn, house: str, slug: str, mission: Mission) -> bool:
    """A mission that has lost all its tokens goes on at +0 (option `goes_on_empty`: it doesn't)."""
    options: Options = turn.options
    if options.goes_on_empty or options.tokenless or _tokens(turn, house, mission):
        return False
    del turn.state.houses[house].missions[slug]
    Case(turn, house, slug, mission, BANDS[0], success=False).tell("valar/mission-empty")
    return True


def _roll(turn: Turn, house: str, slug: str, mission: Mission) -> Case:
    faces = turn.dice.pool(3, 10, "mission", house, slug, purpose="valar/roll-mission", audience=only(house))
    parts = {"median": median(faces), **take_modifiers(turn, house, slug, mission)}
    total = sum(parts.values())
    band = band_of(total)
    case = Case(turn, house, slug, mission, band, succeeds(band), total=total)
    facts: dict[str, Param] = {**parts, **_unusual(turn.state, mission), "total": total, "band": band.value}
    case.tell("valar/mission-resolved", **facts, success=case.success)
    return case


def _unusual(state: State, mission: Mission) -> dict[str, str | None]:
    """Position and effect where they aren't as of most missions; they explain what a band brings."""
    position, effect = stance_of(state, mission)
    return {
        "position": position.value if position is not Position.RISKY else None,
        "effect": effect.value if effect is not Effect.PLAIN else None,
    }


def take_modifiers(turn: Turn, house: str, slug: str, mission: Mission) -> dict[str, int]:
    """What is added to a mission's median, by name; what related missions left is used up."""
    state: State = turn.state
    return {
        "tokens_bonus": TOKENS[min(MOST_TOKENS, _tokens(turn, house, mission))],
        "roleo": mission.roleo,
        "factors": _factors(turn, house, slug, mission),
        "advantage": advantage_of(turn, house, slug),
        "difficulty": DIFFICULTIES[mission.difficulty or recipe_of(state, mission).difficulty],
    }


def _tokens(turn: Turn, house: str, mission: Mission) -> int:
    """How many take part; lost ones don't, hurt ones do (option `hurt_tokens_count`)."""
    state: State = turn.state
    options: Options = turn.options
    left_out = {Condition.LOST} if options.hurt_tokens_count else {Condition.LOST, Condition.HURT}
    every = (state.houses[key].tokens[name] for key, name in tokens_in(mission, house))
    return sum(one.condition not in left_out for one in every)


def _factors(turn: Turn, house: str, slug: str, mission: Mission) -> int:
    """The recipe's, the director's, memories claimed, and what related missions left, which is used up."""
    state: State = turn.state
    written = sum(one.value for one in (*recipe_of(state, mission).factors, *mission.factors))
    return (
        written + _memories(turn, house, mission) + _use_modifiers(turn, state.houses[house], slug, mission)
    )


def _memories(turn: Turn, house: str, mission: Mission) -> int:
    """Memories claimed, each with its own sign; they aren't used up (option `memories_used_up`)."""
    state: State = turn.state
    options: Options = turn.options
    claimed = tuple(dict.fromkeys(mission.memories))
    value = sum(state.memories[key].value for key in claimed)
    for key in claimed if options.memories_used_up else ():
        _use_up(turn, house, key)
    return value


def _use_up(turn: Turn, house: str, key: str) -> None:
    """A memory goes; nobody can claim it any more."""
    state: State = turn.state
    memory = state.memories.pop(key)
    for _, _, one in all_missions(state):
        one.memories = tuple(other for other in one.memories if other != key)
    told = only(house, memory.house)
    turn.tell(event("valar/memory-used", told, None, house=house, memory=key, text=Quoted(memory.text)))


def _use_modifiers(turn: Turn, house: House, slug: str, mission: Mission) -> int:
    """The first later roll takes them; none of this turn's own counts."""
    options: Options = turn.options
    used = [one for one in house.modifiers if one.since < turn.number and _about(one, slug, mission)]
    if options.related_once:
        house.modifiers = tuple(one for one in house.modifiers if one not in used)
    return sum(one.value for one in used)


def _about(one: Modifier, slug: str, mission: Mission) -> bool:
    if one.mission is not None:
        return one.mission == slug
    return one.recipe is not None and one.recipe == mission.recipe
