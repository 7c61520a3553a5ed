"""The resolution: a table of steps, and what each order does at its moment."""

from __future__ import annotations

from collections.abc import Mapping

from rules.engine.audience import only
from rules.engine.events import event
from rules.engine.messages import Quoted, msg
from rules.engine.orders import Order
from rules.engine.questions import Question
from rules.engine.ruleset import Step
from rules.engine.turn import Act, Impossible, Turn
from tesoro.state import Crew, State, name_of, neighbours

DIG_ON, STOP = "seguir", "parar"


def remember(turn: Turn) -> None:
    """What each crew knows as the turn begins is what others can hear from it."""
    state: State = turn.state
    turn.scratch["known"] = {key: crew.searched for key, crew in state.crews.items()}


def act_in_rounds(turn: Turn) -> None:
    """First everybody's first order, then everybody's second; listening comes later."""
    for place in range(turn.options.acts):
        for seat in sorted(turn.orders):
            for order in turn.orders[seat][place : place + 1]:
                if order.name != "listen":
                    turn.carry_out(order, ACTS)


def listen_at_last(turn: Turn) -> None:
    """Where everybody is by now."""
    for seat in sorted(turn.orders):
        for order in turn.orders[seat]:
            if order.name == "listen":
                turn.carry_out(order, ACTS)


def sail(turn: Turn, order: Order) -> Impossible | None:
    """To an island beside one's own, for a day's food; everybody sees the sails."""
    state: State = turn.state
    crew = state.crews[order.seat]
    if order["island"] not in neighbours(state, crew.at):
        return Impossible(msg("tesoro/not-beside", island=Quoted(state.islands[order["island"]].name)))
    if not crew.food:
        return Impossible(msg("tesoro/no-food"))
    crew.food -= 1
    crew.at = order["island"]
    turn.tell(event("tesoro/sailed", by=order.by, crew=order.seat, island=crew.at))
    return None


def fish(turn: Turn, order: Order) -> Impossible | None:
    """Food, without risk."""
    crew: Crew = turn.state.crews[order.seat]
    crew.food += turn.options.catch
    turn.tell(event("tesoro/fished", only(order.seat), order.by, food=turn.options.catch))
    return None


def dig(turn: Turn, order: Order) -> Impossible | None:
    """A d6 decides whether the bottom is reached; who is one short may dig through the night."""
    seat, crew = order.seat, turn.state.crews[order.seat]
    if not crew.food:
        return Impossible(msg("tesoro/no-food"))
    crew.food -= 1
    die = turn.dice.roll(6, "dig", crew.at, seat, purpose="tesoro/roll-dig", audience=only(seat))
    turn.tell(event("tesoro/dug", only(seat), order.by, island=crew.at, die=die, depth=turn.options.depth))
    if die >= turn.options.depth or (die == turn.options.depth - 1 and _dig_on(turn, order, crew)):
        _reach_bottom(turn, order, crew)
    return None


def _dig_on(turn: Turn, order: Order, crew: Crew) -> bool:
    """A day's food more reaches the bottom for sure: the player is asked."""
    if not crew.food:
        return False
    question = Question(
        id=f"noche/{order.seat}/{order.number}",
        kind="noche",
        to=order.seat,
        text=msg("tesoro/ask-night", island=Quoted(turn.state.islands[crew.at].name), food=crew.food),
        legal={DIG_ON: ("cavar", "dig on"), STOP: ("dejarlo", "stop")},
        default=STOP,
    )
    if turn.ask(question) != DIG_ON:
        return False
    crew.food -= 1
    return True


def _reach_bottom(turn: Turn, order: Order, crew: Crew) -> None:
    state: State = turn.state
    if crew.at == state.treasure:
        state.finders = (*state.finders, order.seat)
        turn.tell(event("tesoro/found", by=order.by, crew=order.seat, island=crew.at))
        return
    crew.searched = tuple(sorted({*crew.searched, crew.at}))
    turn.tell(event("tesoro/nothing-here", only(order.seat), order.by, island=crew.at))


def listen(turn: Turn, order: Order) -> Impossible | None:
    """In one harbour, sailors talk: what the other crew knew when the turn began."""
    state: State = turn.state
    crew, other = state.crews[order.seat], order["crew"]
    if state.crews[other].at != crew.at:
        return Impossible(msg("tesoro/not-there", crew=name_of(state, other)))
    known: tuple[str, ...] = turn.scratch["known"][other]
    crew.searched = tuple(sorted({*crew.searched, *known}))
    turn.tell(event("tesoro/heard", only(order.seat), order.by, crew=other, islands=known))
    return None


ACTS: Mapping[str, Act] = {"sail": sail, "fish": fish, "dig": dig, "listen": listen}

STEPS = (
    Step("remember", remember, "Escuchar"),
    Step("acts", act_in_rounds, "El turno"),
    Step("listen", listen_at_last, "Escuchar"),
)
