"""The director's orders before the dice: how missions are resolved, and new clocks, balances, memories."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rules.engine.audience import DIRECTOR_SEAT, only
from rules.engine.events import event
from rules.engine.messages import Message, Param, Quoted, msg
from rules.engine.orders import Order
from rules.engine.turn import Act, Impossible, Turn
from rules.valar.bands import Difficulty, Effect, Position
from rules.valar.clocks import audience_of_clock
from rules.valar.resolve.finding import Found, find_open
from rules.valar.state import (
    EVERYBODY_KNOWS,
    Balance,
    Clock,
    Factor,
    Memory,
    Side,
    Size,
    State,
    recipe_of,
    slug_of,
    tokens_in,
)


def direct(turn: Turn) -> None:
    """What the director has said ahead of the dice, in the order written."""
    for order in turn.orders.get(DIRECTOR_SEAT, ()):
        if order.name in ACTS_BEFORE:
            turn.carry_out(order, ACTS_BEFORE)


def _changing(what: str, change: Callable[[Turn, Found, Order], Param]) -> Act:
    """An act that changes a mission and tells its house and supporters what it is from now on."""

    def act(turn: Turn, order: Order) -> Impossible | None:
        found = find_open(turn, order["mission"])
        if isinstance(found, Message):
            return Impossible(found)
        value = change(turn, found, order)
        tell_changed(turn, found, order, what, value)
        return None

    return act


def tell_changed(turn: Turn, found: Found, order: Order, what: str, value: Param) -> None:
    """A mission is resolved otherwise than its recipe says."""
    house, slug, mission = found
    facts: dict[str, Param] = {"house": house, "mission": slug, "what": what, "value": value}
    told = only(house, *mission.supporters)
    turn.tell(event("valar/mission-changed", told, order.by, title=Quoted(mission.title), **facts))


def _factor(turn: Turn, found: Found, order: Order) -> Param:
    value = int(order["factor"][0])
    size = Size.MAJOR if abs(value) > 1 else Size.MINOR
    reason = str(order.get("reason", ""))
    found[2].factors = (*found[2].factors, Factor(reason, size, 1 if value > 0 else -1))
    return msg("valar/factor-with-reason", value=value, reason=Quoted(reason) if reason else None)


def _difficulty(turn: Turn, found: Found, order: Order) -> Param:
    found[2].difficulty = Difficulty(order["difficulty"])
    return found[2].difficulty.value


def _position(turn: Turn, found: Found, order: Order) -> Param:
    found[2].position = Position(order["position"])
    return found[2].position.value


def _effect(turn: Turn, found: Found, order: Order) -> Param:
    found[2].effect = Effect(order["effect"])
    return found[2].effect.value


def _roleo(turn: Turn, found: Found, order: Order) -> Param:
    found[2].roleo = 1
    return found[2].roleo


def _duration(turn: Turn, found: Found, order: Order) -> Param:
    """Counted from the turn in which it began; never into the past."""
    return _resolve_after(turn, found, int(order["steps"]))


def _recipe(turn: Turn, found: Found, order: Order) -> Param:
    """The recipe brings its duration too."""
    found[2].recipe = str(order["recipe"])
    recipe = recipe_of(turn.state, found[2])
    _resolve_after(turn, found, recipe.steps)
    return Quoted(recipe.name)


def _resolve_after(turn: Turn, found: Found, steps: int) -> int:
    state: State = turn.state
    owner, _, mission = found
    mission.resolves = max(turn.number, mission.started + steps - 1)
    for house, name in tokens_in(mission, owner):
        state.houses[house].tokens[name].busy_until = mission.resolves
    return mission.resolves


def _advantage(turn: Turn, found: Found, order: Order) -> Param:
    found[2].advantage = tuple(dict.fromkeys((*found[2].advantage, *order["aspects"])))
    return tuple(msg(f"valar/aspect-{one}") for one in found[2].advantage)


def make_clock(turn: Turn, order: Order) -> Impossible | None:
    """A clock; one that is chained to another waits until that is full."""
    state: State = turn.state
    key = slug_of(order["title"])
    taken = _taken(state, key, order)
    if taken is not None:
        return taken
    sign, text, house = order.clause("sign"), order.clause("event"), order.clause("house")
    after = order.clause("after")
    hindrance = _chained(state, after["clock"]) if after is not None else None
    if hindrance is not None:
        return Impossible(hindrance)
    clock = Clock(
        name=order["title"],
        size=order["sections"],
        sign=int(sign["sign"]) if sign is not None else -1,
        house=house["house"] if house is not None else None,
        event=text["text"] if text is not None else "",
        waits=after is not None,
        known_to=_known_to(order),
    )
    state.clocks[key] = clock
    if after is not None:
        state.clocks[after["clock"]].chain = key
    else:
        told = audience_of_clock(clock)
        facts: dict[str, Param] = {"clock": key, "size": clock.size, "sign": clock.sign}
        turn.tell(event("valar/clock-made", told, order.by, name=Quoted(clock.name), **facts))
    return None


def _chained(state: State, key: str) -> Message | None:
    """Why no clock can be chained to one: it isn't there, has been full, or leads to another already."""
    before = state.clocks.get(key)
    if before is None or before.closed:
        return msg("valar/clock-not-running", name=Quoted(before.name if before is not None else key))
    if before.chain is not None:
        return msg(
            "valar/chain-taken", name=Quoted(before.name), other=Quoted(state.clocks[before.chain].name)
        )
    return None


def make_balance(turn: Turn, order: Order) -> Impossible | None:
    """A balance; a side may be good for some houses, the other is bad for them then."""
    state: State = turn.state
    key = slug_of(order["title"])
    taken = _taken(state, key, order)
    if taken is not None:
        return taken
    left, right = order.clause("left"), order.clause("right")
    good = {house: Side(one["side"]) for one in order.clauses.get("good", ()) for house in one["houses"]}
    balance = Balance(
        name=order["title"],
        size=order["sections"],
        left=left["text"] if left is not None else "",
        right=right["text"] if right is not None else "",
        good=good,
        known_to=_known_to(order),
    )
    state.balances[key] = balance
    told = audience_of_clock(balance)
    facts: dict[str, Param] = {"balance": key, "size": balance.size, "name": Quoted(balance.name)}
    turn.tell(event("valar/balance-made", told, order.by, **facts))
    return None


def make_memory(turn: Turn, order: Order) -> Impossible | None:
    """A memory of a house, or one that the director keeps to themself."""
    state: State = turn.state
    key = slug_of(order["title"])
    taken = _taken(state, key, order)
    if taken is not None:
        return taken
    known, hidden = _known_to(order), "hidden" in order.clauses
    size, sign = Size(order["size"]), int(order["sign"])
    state.memories[key] = Memory(order["title"], order["house"], size, sign, hidden, known)
    told = only() if hidden else only(order["house"], *(one for one in known if one != EVERYBODY_KNOWS))
    facts: dict[str, Param] = {"house": order["house"], "memory": key, "size": size.value, "sign": sign}
    turn.tell(event("valar/memory-made", told, order.by, text=Quoted(order["title"]), **facts))
    return None


def _taken(state: State, key: str, order: Order) -> Impossible | None:
    if key in state.clocks or key in state.balances or key in state.memories:
        return Impossible(msg("valar/name-taken", title=Quoted(order["title"])))
    return None


def _known_to(order: Order) -> tuple[str, ...]:
    """Houses, or everybody; nobody but the director where nothing is said."""
    known = order.clause("known")
    if known is None:
        return ()
    return tuple(known.get("houses", ())) or (EVERYBODY_KNOWS,)


ACTS_BEFORE: Mapping[str, Act] = {
    "factor": _changing("factor", _factor),
    "difficulty": _changing("difficulty", _difficulty),
    "position": _changing("position", _position),
    "effect": _changing("effect", _effect),
    "roleo": _changing("roleo", _roleo),
    "duration": _changing("duration", _duration),
    "recipe": _changing("recipe", _recipe),
    "advantage": _changing("advantage", _advantage),
    "make-clock": make_clock,
    "make-balance": make_balance,
    "make-memory": make_memory,
}
"""What each of the director's orders does before the dice; `oppose` is done where missions are paired."""
