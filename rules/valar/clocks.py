"""Clocks and balances: marking, and what a full one brings (004: Recuerdos, Relojes y Balanzas)."""

from __future__ import annotations

from rules.engine.audience import PUBLIC, Audience, only
from rules.engine.events import event
from rules.engine.messages import Param, Quoted, msg
from rules.engine.questions import Question
from rules.engine.turn import Turn
from rules.valar.options import Options
from rules.valar.state import EVERYBODY_KNOWS, Balance, Clock, Side, State

CLOCK_RULING = "reloj"
"""The kind of question what a full clock brings about."""


def audience_of_clock(one: Clock | Balance) -> Audience:
    """Who knows of a clock or a balance: the houses named, a clock's own; else the director alone."""
    if EVERYBODY_KNOWS in one.known_to:
        return PUBLIC
    houses = set(one.known_to)
    if isinstance(one, Clock) and one.house is not None:
        houses.add(one.house)
    return only(*houses)


def lean(turn: Turn, key: str, sections: int, house: str, sign: int) -> None:
    """Move a balance towards the side that is good (sign 1) or bad (−1) for a house that it has one for."""
    good = turn.state.balances[key].good[house]
    move(turn, key, sections * (sign if good is Side.RIGHT else -sign))


def mark(turn: Turn, key: str, sections: int) -> None:
    """Mark a clock. Surplus sections are lost; what has become full is settled at the end of the turn."""
    clock: Clock = turn.state.clocks[key]
    before = clock.marked
    clock.marked = min(clock.size, clock.marked + sections)
    marks = clock.marked - before
    _surplus(turn)[key] = _surplus(turn).get(key, 0) + sections - marks
    _tell(turn, "valar/clock-marked", clock, clock=key, marks=marks, marked=clock.marked, size=clock.size)


def _surplus(turn: Turn) -> dict[str, int]:
    """Marks of this turn beyond the size of clocks."""
    surplus: dict[str, int] = turn.scratch.setdefault("surplus", {})
    return surplus


def move(turn: Turn, key: str, by: int) -> None:
    """Move a balance to the right (above 0) or to the left, at most to its end."""
    balance = turn.state.balances[key]
    before = balance.at
    balance.at = max(-balance.size, min(balance.size, before + by))
    moved = balance.at - before
    _tell(turn, "valar/balance-moved", balance, balance=key, moved=moved, at=balance.at)


def settle_clocks(turn: Turn) -> None:
    """Full clocks and balances at an end: the event fires once, they close, a chained clock starts.

    All that is full is told first, then what happens is settled, so that a question shows no half of it.
    """
    state: State = turn.state
    full = sorted(key for key, one in state.clocks.items() if one.marked >= one.size and not one.closed)
    ended = sorted(key for key, one in state.balances.items() if abs(one.at) >= one.size and not one.closed)
    for key in full:
        state.clocks[key].closed = True
        _tell(turn, "valar/clock-filled", state.clocks[key], clock=key)
    for key in ended:
        state.balances[key].closed = True
        side = _side(state.balances[key])
        _tell(
            turn,
            "valar/balance-ended",
            state.balances[key],
            balance=key,
            side=side.value,
            called=_called(state.balances[key]),
        )
    for key in full:
        _happen(turn, key, state.clocks[key])
    for key in ended:
        _end(turn, key, state.balances[key])


def _tell(turn: Turn, what: str, one: Clock | Balance, /, **facts: Param) -> None:
    turn.tell(event(what, audience_of_clock(one), None, name=Quoted(one.name), **facts))


def _side(balance: Balance) -> Side:
    return Side.RIGHT if balance.at > 0 else Side.LEFT


def _called(balance: Balance) -> Quoted | None:
    """What the side it stands towards is called."""
    name = balance.right_name if _side(balance) is Side.RIGHT else balance.left_name
    return Quoted(name) if name else None


def _happen(turn: Turn, key: str, clock: Clock) -> None:
    text = clock.event or _ask(turn, key, clock, clock=key)
    if text is not None:
        _tell(turn, "valar/clock-event-happened", clock, clock=key, text=Quoted(text))
    options: Options = turn.options
    chained = turn.state.clocks.get(clock.chain) if clock.chain is not None else None
    if chained is not None and chained.waits:
        chained.waits, chained.marked = False, 0
        _tell(turn, "valar/clock-started", chained, clock=str(clock.chain), size=chained.size)
        surplus = _surplus(turn).get(key, 0)
        if options.surplus_flows and surplus:
            mark(turn, str(clock.chain), surplus)


def _end(turn: Turn, key: str, balance: Balance) -> None:
    side = _side(balance)
    written = balance.right if side is Side.RIGHT else balance.left
    text = written or _ask(turn, key, balance, balance=key, side=side.value)
    if text is not None:
        facts: dict[str, Param] = {"side": side.value, "called": _called(balance), "text": Quoted(text)}
        _tell(turn, "valar/balance-event-happened", balance, balance=key, **facts)


def _ask(turn: Turn, key: str, one: Clock | Balance, **facts: str) -> str | None:
    """What happens, in the director's words; None while nobody has said. The decision is known to whom it
    happens.
    """
    known: dict[str, Param] = {**facts, "name": one.name, "size": one.size}
    called = _called(one) if isinstance(one, Balance) else None
    kind = CLOCK_RULING if isinstance(one, Clock) else "balanza"
    text = msg(f"valar/ask-{'clock' if isinstance(one, Clock) else 'balance'}", called=called, **known)
    told = audience_of_clock(one)
    return turn.ask(Question(id=f"{kind}/{key}", kind=kind, text=text, data=known, audience=told))
