"""The orders of a house at reading: missions, support, withdrawing, rest, memories that are told."""

from __future__ import annotations

from collections.abc import Iterator

from rules.engine.diagnostics import Diagnostic, error, note, warning
from rules.engine.messages import Code, Message, Quoted, msg
from rules.engine.orders import Args, Order
from rules.engine.plan import Verdict
from rules.valar.bands import MOST_TOKENS, Band, shares_of
from rules.valar.plan.holdings import HousePlan
from rules.valar.sharing import band_words, share_of, words_of
from rules.valar.state import Condition, Recipe, knows, name_of, slug_of


def mission(plan: HousePlan, order: Order) -> Verdict:
    """A mission of free tokens, at most three, whose title is no other mission's of the house."""
    slug, tokens = slug_of(order["title"]), tuple(order.get("tokens", ()))
    findings = (
        _title(plan, slug, order["title"])
        or _number_of(plan, tokens)
        or plan.free(tokens)
        or _memories(order)
        or _secret(order)
    )
    if findings:
        return Verdict(order, findings)
    plan.book(tokens, slug)
    return Verdict(order, tuple(_doubts(plan, order, tokens)), _told(plan, order, tokens))


def _title(plan: HousePlan, slug: str, title: str) -> tuple[Diagnostic, ...]:
    if not slug:
        return (error("valar/empty-title", title=Quoted(title)),)
    if slug in plan.missions() or slug in plan.taken.titles:
        return (error("valar/title-taken", title=Quoted(title)),)
    return ()


def _number_of(plan: HousePlan, tokens: tuple[str, ...]) -> tuple[Diagnostic, ...]:
    if len(tokens) > MOST_TOKENS:
        return (error("valar/too-many-tokens", most=MOST_TOKENS, number=len(tokens)),)
    if not tokens and not plan.options.tokenless:
        return (error("valar/no-token", own=plan.ready()),)
    return ()


def _memories(order: Order) -> tuple[Diagnostic, ...]:
    """A memory counts once a mission."""
    claimed = [key for args in order.clauses.get("memory", ()) for key in args["memories"]]
    twice = next((key for place, key in enumerate(claimed) if key in claimed[:place]), None)
    return (error("valar/memory-twice"),) if twice is not None else ()


def _secret(order: Order) -> tuple[Diagnostic, ...]:
    """Missions are private anyway: `secreta` says so, and can't stand beside whom one lets know."""
    both = "secret" in order.clauses and "known" in order.clauses
    return (error("valar/secret-and-known"),) if both else ()


def _doubts(plan: HousePlan, order: Order, tokens: tuple[str, ...]) -> Iterator[Diagnostic]:
    if not tokens:
        yield warning("valar/without-token")
    recipe = _recipe(plan, order)
    for args in order.clauses.get("option", ()):
        yield from _never(recipe, Band(args["band"]), args)


def _recipe(plan: HousePlan, order: Order) -> Recipe:
    named = order.clause("recipe")
    return plan.state.recipes[named["recipe"]] if named is not None else Recipe("")


def _never(recipe: Recipe, band: Band, args: Args) -> Iterator[Diagnostic]:
    """An option that the band doesn't offer as far as anybody can see; the first one holds then."""
    offered = shares_of(band, recipe.position, recipe.effect, None if recipe.can_fail else True)
    if share_of(args["shares"]) not in offered:
        words = tuple(map(words_of, offered))
        yield warning("valar/option-not-there", band=band_words(band), offered=words)


def _told(plan: HousePlan, order: Order, tokens: tuple[str, ...]) -> Message:
    recipe = _recipe(plan, order)
    return msg(
        "valar/told-mission",
        title=Quoted(order["title"]),
        tokens=tuple(Code(key) for key in tokens),
        recipe=Quoted(recipe.name) if recipe.name else None,
        resolves=plan.view.number + recipe.steps - 1,
    )


def support(plan: HousePlan, order: Order) -> Verdict:
    """A mission that the house can't see may be there: one that is secret is answered like one that isn't."""
    tokens, title = tuple(order["tokens"]), str(order["title"])
    findings = plan.free(tokens)
    if not findings and len(tokens) > MOST_TOKENS - 1:
        findings = (error("valar/too-many-tokens", most=MOST_TOKENS, number=len(tokens) + 1),)
    if findings:
        return Verdict(order, findings)
    plan.book(tokens)
    slug = slug_of(title)
    houses = (order["house"],) if order.get("house") is not None else plan.state.houses
    there = slug in plan.taken.titles or any(slug in plan.state.houses[key].missions for key in houses)
    doubts = () if there else (note("valar/unseen-mission", title=Quoted(title)),)
    names = tuple(Code(key) for key in tokens)
    return Verdict(order, doubts, msg("valar/told-support", title=Quoted(title), tokens=names))


def withdraw(plan: HousePlan, order: Order) -> Verdict:
    """Tokens of the house out of a mission of its own, or of one that it supports."""
    slug, tokens = slug_of(order["title"]), tuple(order["tokens"])
    there = [
        one.tokens if key == plan.seat else one.supporters.get(plan.seat, ())
        for key, house in plan.state.houses.items()
        if (one := house.missions.get(slug)) is not None
    ]
    outside = next((key for key in tokens if not any(key in names for names in there)), None)
    title = Quoted(order["title"])
    if outside is not None:
        return Verdict(order, (error("valar/not-in-mission", token=Code(outside), title=title),))
    own = plan.missions().get(slug)
    if own is not None and own.band is not None and set(tokens) <= set(own.tokens):
        return Verdict(order, (error("valar/rolled-already", title=title),))
    return Verdict(order)


def rest(plan: HousePlan, order: Order) -> Verdict:
    """A step of condition, if the game allows it; never from `perdido`."""
    if not plan.options.rest:
        return Verdict(order, (error("valar/no-rest"),))
    tokens = tuple(order["tokens"])
    findings = plan.free(tokens)
    whole = next((key for key in tokens if plan.tokens[key].condition is Condition.RESTED), None)
    if not findings and whole is not None:
        findings = (error("valar/needs-no-rest", token=Code(whole)),)
    if not findings:
        plan.book(tokens)
    return Verdict(order, findings)


def abandon(plan: HousePlan, order: Order) -> Verdict:
    """A mission of the house's own, begun earlier or above."""
    slug = slug_of(order["title"])
    if slug in plan.missions() or slug in plan.taken.titles:
        return Verdict(order)
    return Verdict(order, (_no_such_mission(plan, order),))


def answer_support(plan: HousePlan, order: Order) -> Verdict:
    """Support of other houses is wanted or not, in one mission or in all."""
    title = order.get("title")
    slug = slug_of(title) if title is not None else None
    if slug is None or slug in plan.missions() or slug in plan.taken.titles:
        return Verdict(order)
    return Verdict(order, (_no_such_mission(plan, order),))


def _no_such_mission(plan: HousePlan, order: Order) -> Diagnostic:
    own = tuple(Quoted(one.title) for _, one in sorted(plan.missions().items()))
    return error("valar/no-such-mission", title=Quoted(order["title"]), own=own)


def tell(plan: HousePlan, order: Order) -> Verdict:
    """A memory that the house knows, to others."""
    memory = plan.state.memories[order["memory"]]
    known = next((key for key in order["houses"] if key == memory.house or knows(memory.known_to, key)), None)
    doubts = () if known is None else (note("valar/knows-already", house=name_of(plan.state, known)),)
    return Verdict(order, doubts)
