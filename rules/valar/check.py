"""What is wrong with a setup or with options, beyond the types of their values.

Each finding says at which path, what, and what would be right. What play itself can lead to is never wrong,
so that a dumped state stays a setup.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from unicodedata import is_normalized

from rules.engine.audience import DIRECTOR_SEAT, EVERYBODY
from rules.engine.messages import Code, Message, msg
from rules.valar.bands import BANDS, MOST_TOKENS
from rules.valar.entries import CATALOGUES, EntryKind
from rules.valar.opposing import Aspect
from rules.valar.options import Options
from rules.valar.state import (
    EVERYBODY_KNOWS,
    SIZES,
    Balance,
    Clock,
    House,
    Mission,
    State,
    slug_of,
    tokens_in,
)

MOST_CODES = 12
"""Ids that a finding lists at most."""


def check(state: State, options: Options) -> Sequence[Message]:
    """Every mistake of a setup, each as a message that names what is wrong."""
    return (
        *_check_options(options),
        *_check_ids(state),
        *_check_houses(state),
        *_check_missions(state),
        *_check_recipes(state),
        *_check_clocks(state),
        *_check_chains(state),
        *_check_balances(state),
        *_check_memories(state),
    )


def at(*path: str) -> Code:
    """The place of what is wrong, by which a file's reader finds the line."""
    return Code("/".join(path))


def _codes(ids: Iterable[str]) -> tuple[Code, ...]:
    return tuple(map(Code, ids))[:MOST_CODES]


def _check_options(options: Options) -> Iterator[Message]:
    if options.roleo_words < 1:
        yield msg("valar/setup-option", option=Code("roleo_words"), least=1)
    for name in ("disposition_limit", "reputation_limit"):
        if getattr(options, name) < 0:
            yield msg("valar/setup-option", option=Code(name), least=0)
    if len(options.advantage) != len(Aspect) or min(options.advantage) < 0:
        yield msg("valar/setup-advantage", option=Code("advantage"), count=len(Aspect))


def _check_ids(state: State) -> Iterator[Message]:
    """Ids stand in dice addresses, where there is one way of writing them (NFC)."""
    tables = ("houses", "recipes", "clocks", "balances", "memories")
    places: list[tuple[str, ...]] = [(name, key) for name in tables for key in getattr(state, name)]
    places += [("houses", key, "tokens", name) for key, one in state.houses.items() for name in one.tokens]
    for place in places:
        if not is_normalized("NFC", place[-1]):
            yield msg("valar/setup-id", at=at(*place), id=Code(place[-1]))


def _check_houses(state: State) -> Iterator[Message]:
    for key, house in state.houses.items():
        if key in (EVERYBODY, DIRECTOR_SEAT):
            yield msg("valar/setup-house", at=at("houses", key), house=Code(key))
        for name, token in house.tokens.items():
            if token.uses is not None and token.uses < 1 and token.here:
                place = at("houses", key, "tokens", name, "uses")
                yield msg("valar/setup-uses", at=place, token=Code(name), uses=token.uses)
        yield from _check_groups(key, house)


def _check_groups(key: str, house: House) -> Iterator[Message]:
    for group, members in house.groups.items():
        place = at("houses", key, "groups", group)
        foreign = _codes(one for one in members if one not in house.vassals)
        if foreign:
            known = _codes(house.vassals)
            yield msg("valar/setup-group", at=place, group=Code(group), foreign=foreign, vassals=known)
        if not members:
            yield msg("valar/setup-group-empty", at=place, group=Code(group))


def _check_known(
    state: State, named: Iterable[str], *path: str, everybody: bool = False
) -> Iterator[Message]:
    """Houses that something names are there; everybody: whether it may be known to all."""
    for house in named:
        if house not in state.houses and not (everybody and house == EVERYBODY_KNOWS):
            known = _codes(state.houses)
            yield msg("valar/setup-no-house", at=at(*path), house=Code(house), houses=known)


# missions


def _check_missions(state: State) -> Iterator[Message]:
    for key, house in state.houses.items():
        for slug, one in house.missions.items():
            path = ("houses", key, "missions", slug)
            yield from _check_mission(state, slug, one, path)
            yield from _check_tokens(state, key, one, path)
            yield from _check_parties(state, one, path)
            yield from _check_wishes(one, path)


def _check_mission(state: State, slug: str, one: Mission, path: tuple[str, ...]) -> Iterator[Message]:
    named = slug_of(one.title)
    if slug != named:
        place = at(*path, "title")
        yield msg("valar/setup-title", at=place, mission=Code(slug), right=Code(named) if named else None)
    if one.recipe is not None and one.recipe not in state.recipes:
        known = _codes(state.recipes)
        yield msg("valar/setup-no-recipe", at=at(*path, "recipe"), recipe=Code(one.recipe), recipes=known)
    for memory in one.memories:
        if memory not in state.memories:
            known = _codes(state.memories)
            place = at(*path, "memories")
            yield msg("valar/setup-no-memory", at=place, memory=Code(memory), memories=known)


def _check_tokens(state: State, owner: str, one: Mission, path: tuple[str, ...]) -> Iterator[Message]:
    every = tokens_in(one, owner)
    for house, name in every:
        if house in state.houses and name not in state.houses[house].tokens:
            known = _codes(state.houses[house].tokens)
            place = at(*path, *(("tokens",) if house == owner else ("supporters", house)))
            yield msg("valar/setup-no-token", at=place, house=Code(house), token=Code(name), tokens=known)
    if len(every) > MOST_TOKENS:
        yield msg("valar/setup-many-tokens", at=at(*path, "tokens"), count=len(every), most=MOST_TOKENS)


def _check_parties(state: State, one: Mission, path: tuple[str, ...]) -> Iterator[Message]:
    """Whoever a mission names is a house; a foe's mission may have ended."""
    named = {
        "supporters": one.supporters,
        "known_to": one.known_to,
        "accepted": one.accepted,
        "refused": one.refused,
        "against": tuple(rival.house for rival in one.against),
        "opposed": tuple(foe.house for foe in one.opposed),
    }
    for name, houses in named.items():
        yield from _check_known(state, houses, *path, name)


def _check_wishes(one: Mission, path: tuple[str, ...]) -> Iterator[Message]:
    """Options wanted are of bands, entries wanted of the catalogues."""
    consequences = {**CATALOGUES[EntryKind.MAJOR], **CATALOGUES[EntryKind.MINOR]}
    wishes: tuple[tuple[str, Iterable[str], Iterable[str]], ...] = (
        ("options", one.options, BANDS),
        ("consequences", one.consequences, consequences),
        ("improvements", one.improvements, CATALOGUES[EntryKind.IMPROVEMENT]),
    )
    for name, wanted, there in wishes:
        for wish in wanted:
            if wish not in there:
                known = tuple(Code(str(one)) for one in there)
                yield msg("valar/setup-no-wish", at=at(*path, name), wish=Code(wish), there=known)


# recipes


def _check_recipes(state: State) -> Iterator[Message]:
    for key, recipe in state.recipes.items():
        if recipe.steps < 1:
            yield msg("valar/setup-steps", at=at("recipes", key, "steps"), recipe=Code(key))
        signs = {one.sign for one in recipe.factors}
        if not signs <= {1, -1}:
            yield msg("valar/setup-factor", at=at("recipes", key, "factors"), recipe=Code(key))
        grades = recipe.grades
        if grades is not None and len(grades.brings) not in (0, len(BANDS)):
            place, count = at("recipes", key, "grades"), len(grades.brings)
            yield msg("valar/setup-grades", at=place, recipe=Code(key), count=count, right=len(BANDS))
        if grades is not None and grades.clock is not None and grades.clock not in state.clocks:
            facts = {"at": at("recipes", key, "grades", "clock"), "clock": Code(grades.clock)}
            yield msg("valar/setup-no-clock", **facts, recipe=Code(key), clocks=_codes(state.clocks))


# clocks and balances


def _check_clocks(state: State) -> Iterator[Message]:
    for key, clock in state.clocks.items():
        path = ("clocks", key)
        yield from _check_size(clock, path)
        if not 0 <= clock.marked <= clock.size:
            yield msg("valar/setup-marked", at=at(*path, "marked"), clock=Code(key), size=clock.size)
        if clock.sign not in (-1, 0, 1):
            yield msg("valar/setup-clock-sign", at=at(*path, "sign"), clock=Code(key))
        yield from _check_known(state, () if clock.house is None else (clock.house,), *path, "house")
        yield from _check_known(state, clock.known_to, *path, "known_to", everybody=True)


def _check_size(one: Clock | Balance, path: tuple[str, ...]) -> Iterator[Message]:
    """004: "Un reloj tiene múltiples secciones (4, 6, 8 o 12)"."""
    if one.size not in SIZES:
        sizes = tuple(map(str, SIZES))
        yield msg("valar/setup-size", at=at(*path, "size"), clock=Code(path[-1]), size=one.size, sizes=sizes)


def _check_chains(state: State) -> Iterator[Message]:
    """Every chain leads on to a clock that waits for it; whatever waits is waited for."""
    for key, clock in state.clocks.items():
        place = at("clocks", key, "chain")
        if clock.chain is not None and clock.chain not in state.clocks:
            known = _codes(one for one in state.clocks if one != key)
            yield msg("valar/setup-chain", at=place, clock=Code(key), other=Code(clock.chain), clocks=known)
        elif clock.chain is not None and _is_circle(state.clocks, key):
            yield msg("valar/setup-circle", at=place, clock=Code(key), other=Code(clock.chain))
        elif clock.chain is not None and not clock.closed and _runs_anyway(state.clocks, clock.chain):
            yield msg("valar/setup-chain-runs", at=place, clock=Code(key), other=Code(clock.chain))
        if clock.waits and not any(one.chain == key and not one.closed for one in state.clocks.values()):
            yield msg("valar/setup-waits", at=at("clocks", key, "waits"), clock=Code(key))


def _is_circle(clocks: Mapping[str, Clock], start: str) -> bool:
    """Whether what follows a clock leads back to it."""
    seen: set[str] = set()
    following = clocks[start].chain
    while following is not None and following in clocks and following not in seen:
        seen.add(following)
        following = clocks[following].chain
    return start in seen


def _runs_anyway(clocks: Mapping[str, Clock], key: str) -> bool:
    """Whether a clock runs though nothing has started it: no full one has led to it."""
    return not clocks[key].waits and not any(one.chain == key and one.closed for one in clocks.values())


def _check_balances(state: State) -> Iterator[Message]:
    for key, balance in state.balances.items():
        path = ("balances", key)
        yield from _check_size(balance, path)
        if abs(balance.at) > balance.size:
            yield msg("valar/setup-balance", at=at(*path, "at"), balance=Code(key), size=balance.size)
        if key in state.clocks:
            yield msg("valar/setup-twice", at=at(*path), id=Code(key))
        yield from _check_known(state, balance.good, *path, "good")
        yield from _check_known(state, balance.known_to, *path, "known_to", everybody=True)


def _check_memories(state: State) -> Iterator[Message]:
    for key, memory in state.memories.items():
        path = ("memories", key)
        if memory.sign not in (1, -1):
            yield msg("valar/setup-memory-sign", at=at(*path, "sign"), memory=Code(key))
        yield from _check_known(state, (memory.house,), *path, "house")
        yield from _check_known(state, memory.known_to, *path, "known_to", everybody=True)
