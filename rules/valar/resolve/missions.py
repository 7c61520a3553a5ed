"""Missions begin, are supported, lose tokens or are given up (004: El Sistema)."""

from __future__ import annotations

from collections.abc import Iterable

from rules.engine.audience import only
from rules.engine.events import event
from rules.engine.messages import Code, Message, Param, Quoted, msg
from rules.engine.orders import Order
from rules.engine.turn import Impossible, Turn
from rules.valar.bands import MOST_TOKENS
from rules.valar.options import Options
from rules.valar.resolve.ledger import ledger_of
from rules.valar.sharing import share_of, stored
from rules.valar.state import House, Mission, Rival, State, Wanted, recipe_of, slug_of, tokens_in


def begin(turn: Turn, order: Order) -> Impossible | None:
    """A mission of d steps resolves at the end of the d-th turn; its tokens are busy till then."""
    house = turn.state.houses[order.seat]
    slug, tokens = slug_of(order["title"]), tuple(order.get("tokens", ()))
    if slug in house.missions:
        return Impossible(msg("valar/title-taken", title=Quoted(order["title"])))
    unfit = _unfit(turn, house, tokens)
    if unfit is not None:
        return Impossible(unfit)
    mission = _mission(turn, order, tokens)
    mission.resolves = turn.number + recipe_of(turn.state, mission).steps - 1
    house.missions[slug] = mission
    _occupy(house, tokens, mission.resolves)
    facts: dict[str, Param] = {
        "mission": slug,
        "tokens": tokens,
        "resolves": mission.resolves,
        "roleo": mission.roleo,
    }
    words: dict[str, Param] = {
        "title": Quoted(mission.title),
        "goal": Quoted(mission.goal) if mission.goal else None,
    }
    turn.tell(event("valar/mission-started", only(order.seat), order.by, house=order.seat, **facts, **words))
    if mission.known_to:
        known: dict[str, Param] = {"house": order.seat, "mission": slug, "resolves": mission.resolves}
        turn.tell(event("valar/mission-made-known", only(*mission.known_to), order.by, **known, **words))
    return None


def _unfit(turn: Turn, house: House, tokens: tuple[str, ...]) -> Message | None:
    """Why one of the tokens can't be sent now."""
    for key in tokens:
        token = house.tokens[key]
        if not token.here:
            return msg("valar/token-lost", token=Code(key))
        if token.is_busy(turn.number):
            return msg("valar/token-busy", token=Code(key), until=token.busy_until)
    return None


def _occupy(house: House, tokens: tuple[str, ...], until: int) -> None:
    for key in tokens:
        house.tokens[key].busy_until = until


def _mission(turn: Turn, order: Order, tokens: tuple[str, ...]) -> Mission:
    """What the order and its clauses say."""
    ledger = ledger_of(turn)
    ledger.begun += 1
    recipe, goal, prefers = order.clause("recipe"), order.clause("goal"), order.clause("prefers")
    rivals, related, known = order.clause("against"), order.clause("related"), order.clause("known")
    consequences, improvements = order.clause("consequences"), order.clause("improvements")
    return Mission(
        title=order["title"],
        started=turn.number,
        place=ledger.begun,
        recipe=recipe["recipe"] if recipe is not None else None,
        tokens=tokens,
        goal=goal["text"] if goal is not None else "",
        against=tuple(Rival(one["house"], one.get("title", "")) for one in rivals["rivals"])
        if rivals
        else (),
        known_to=tuple(known["houses"]) if known is not None else (),
        prefers=stored(share_of(prefers["shares"])) if prefers is not None else None,
        options=_options(order),
        consequences=tuple(consequences["entries"]) if consequences is not None else (),
        improvements=tuple(improvements["entries"]) if improvements is not None else (),
        accepts="accepts" in order.clauses,
        memories=tuple(key for one in order.clauses.get("memory", ()) for key in one["memories"]),
        related=slug_of(related["title"]) if related is not None else None,
        roleo=_roleo(turn, order),
    )


def _options(order: Order) -> dict[str, Wanted]:
    """What is wanted of a band, by band."""
    return {str(one["band"]): stored(share_of(one["shares"])) for one in order.clauses.get("option", ())}


def _roleo(turn: Turn, order: Order) -> int:
    """1 where a post of the player has prose enough: the order's own, or with `roleo:` one that it links to.

    Every mission ordered in a post has it (option `roleo_once`: a post serves once); see valar.md, *Roleo*.
    """
    options: Options = turn.options
    ledger, post, facts = ledger_of(turn), order.post or "", turn.facts(order)
    posts = (post, *(facts.links if "roleo" in order.clauses else ()))
    used = ledger.posts if options.roleo_once else frozenset()
    told = next(
        (one for one in posts if one not in used and turn.facts_of(one).words >= options.roleo_words), None
    )
    if told is None:
        return 0
    ledger.posts.add(told)
    return 1


def support(turn: Turn, order: Order) -> Impossible | None:
    """Tokens for a mission of one's own, or of a house whose mission one knows of and that wants them.

    One that is secret and one that doesn't exist get the same answer.
    """
    state: State = turn.state
    tokens, title = tuple(order["tokens"]), str(order["title"])
    unfit = _unfit(turn, state.houses[order.seat], tokens)
    if unfit is not None:
        return Impossible(unfit)
    found = _find(turn, order)
    if found is None:
        return Impossible(msg("valar/no-mission-to-support", title=Quoted(title)))
    house, mission = found
    refusal = _refusal(turn, order, house, mission)
    if refusal is not None:
        return Impossible(refusal)
    _join(order.seat, house, mission, tokens)
    options: Options = turn.options
    if options.supporters_roleo and not mission.roleo:
        mission.roleo = _roleo(turn, order)
    _occupy(state.houses[order.seat], tokens, mission.resolves)
    facts: dict[str, Param] = {
        "supporter": order.seat,
        "house": house,
        "mission": slug_of(title),
        "tokens": tokens,
    }
    told: dict[str, Param] = {"title": Quoted(mission.title), "resolves": mission.resolves}
    turn.tell(event("valar/mission-supported", only(house, order.seat), order.by, **facts, **told))
    return None


def _find(turn: Turn, order: Order) -> tuple[str, Mission] | None:
    """The mission that a supporter means, its own first; None where there is none that it knows of."""
    slug, named = slug_of(order["title"]), order.get("house")
    houses = (named,) if named is not None else (order.seat, *(key for key in turn.state.houses))
    for key in houses:
        mission = turn.state.houses[key].missions.get(slug)
        if mission is not None and _may_support(mission, key, order.seat):
            return key, mission
    return None


def _may_support(mission: Mission, owner: str, supporter: str) -> bool:
    known = supporter in mission.known_to or supporter in mission.supporters or supporter == owner
    return known and mission.band is None


def _refusal(turn: Turn, order: Order, house: str, mission: Mission) -> Message | None:
    options: Options = turn.options
    seat, title = order.seat, Quoted(mission.title)
    wanted = seat in mission.accepted or not options.consent
    if seat != house and (seat in mission.refused or not wanted):
        return msg("valar/support-refused", title=title)
    if len(tokens_in(mission, house)) + len(order["tokens"]) > MOST_TOKENS:
        return msg("valar/mission-is-full", title=title, most=MOST_TOKENS)
    return None


def _join(seat: str, house: str, mission: Mission, tokens: tuple[str, ...]) -> None:
    if seat == house:
        mission.tokens = (*mission.tokens, *tokens)
    else:
        mission.supporters[seat] = (*mission.supporters.get(seat, ()), *tokens)


def accept(turn: Turn, order: Order) -> Impossible | None:
    """Support of those houses is wanted."""
    for mission in _named(turn, order):
        mission.accepted = tuple(sorted({*mission.accepted, *order["houses"]}))
        mission.refused = tuple(one for one in mission.refused if one not in order["houses"])
    return None


def refuse(turn: Turn, order: Order) -> Impossible | None:
    """Support of those houses isn't wanted."""
    for mission in _named(turn, order):
        mission.refused = tuple(sorted({*mission.refused, *order["houses"]}))
        mission.accepted = tuple(one for one in mission.accepted if one not in order["houses"])
    return None


def _named(turn: Turn, order: Order) -> tuple[Mission, ...]:
    missions = turn.state.houses[order.seat].missions
    if order.get("title") is None:
        return tuple(missions.values())
    found = missions.get(slug_of(order["title"]))
    return (found,) if found is not None else ()


def withdraw(turn: Turn, order: Order) -> Impossible | None:
    """The tokens are out of the mission, unless it is rolled, and free from the next turn."""
    seat, tokens, slug = order.seat, tuple(order["tokens"]), slug_of(order["title"])
    for house in (seat, *(key for key in turn.state.houses if key != seat)):
        mission = turn.state.houses[house].missions.get(slug)
        if mission is None or mission.band is not None or not _leave(mission, house, seat, tokens):
            continue
        _release(turn, ((seat, name) for name in tokens))
        facts: dict[str, Param] = {"mission": slug, "tokens": tokens, "title": Quoted(mission.title)}
        turn.tell(event("valar/tokens-withdrawn", only(house, seat), order.by, house=seat, **facts))
        return None
    return Impossible(msg("valar/not-in-that-mission", title=Quoted(order["title"])))


def _leave(mission: Mission, house: str, seat: str, tokens: tuple[str, ...]) -> bool:
    """Whether the tokens were all in it, and are out now."""
    there = mission.tokens if house == seat else mission.supporters.get(seat, ())
    if not set(tokens) <= set(there):
        return False
    left = tuple(key for key in there if key not in tokens)
    if house == seat:
        mission.tokens = left
    elif left:
        mission.supporters[seat] = left
    else:
        del mission.supporters[seat]
    return True


def _release(turn: Turn, tokens: Iterable[tuple[str, str]]) -> None:
    """Free from the next turn, and from their delays on."""
    for house, name in tokens:
        token = turn.state.houses[house].tokens[name]
        token.busy_until = turn.number + token.delay


def abandon(turn: Turn, order: Order) -> Impossible | None:
    """The mission is given up without a roll, or without its effect; the tokens it still has become free."""
    slug = slug_of(order["title"])
    mission = turn.state.houses[order.seat].missions.pop(slug, None)
    if mission is None:
        return Impossible(msg("valar/no-such-mission-now", title=Quoted(order["title"])))
    if mission.band is None or mission.resolves >= turn.number:
        _release(turn, tokens_in(mission, order.seat))
    told = only(order.seat, *mission.supporters)
    facts: dict[str, Param] = {"house": order.seat, "mission": slug, "title": Quoted(mission.title)}
    turn.tell(event("valar/mission-abandoned", told, order.by, **facts))
    return None
