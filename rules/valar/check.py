"""What is wrong with a setup or with options, beyond the types of their values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from unicodedata import is_normalized

from rules.engine.audience import DIRECTOR_SEAT, EVERYBODY
from rules.engine.messages import Code, Message, msg
from rules.valar.bands import BANDS, MOST_TOKENS
from rules.valar.options import Options
from rules.valar.state import SIZES, Mission, State, slug_of, tokens_in


def check(state: State, options: Options) -> Sequence[Message]:
    """Every mistake of a setup, each as a message that names what is wrong."""
    return (
        *_check_options(options),
        *_check_houses(state),
        *_check_missions(state),
        *_check_recipes(state),
        *_check_clocks(state),
        *_check_memories(state),
    )


def _check_options(options: Options) -> Iterator[Message]:
    if options.roleo_words < 1:
        yield msg("valar/setup-option", option=Code("roleo_words"), least=1)


def _check_houses(state: State) -> Iterator[Message]:
    for key, house in state.houses.items():
        if key in (EVERYBODY, DIRECTOR_SEAT) or not is_normalized("NFC", key):
            yield msg("valar/setup-house", house=Code(key))
        for name, token in house.tokens.items():
            if not is_normalized("NFC", name) or (token.uses is not None and token.uses < 1):
                yield msg("valar/setup-token", house=Code(key), token=Code(name))
        for group, members in house.groups.items():
            if not members or not set(members) <= house.vassals.keys():
                yield msg("valar/setup-group", house=Code(key), group=Code(group))


def _check_missions(state: State) -> Iterator[Message]:
    for key, house in state.houses.items():
        for slug, one in house.missions.items():
            if slug != slug_of(one.title) or not _is_whole(state, key, one):
                yield msg("valar/setup-mission", house=Code(key), mission=Code(slug))


def _is_whole(state: State, house: str, mission: Mission) -> bool:
    """Whether its recipe, tokens, supporters and memories are there, and not too many take part."""
    tokens = tokens_in(mission, house)
    known = all(key in state.houses and name in state.houses[key].tokens for key, name in tokens)
    recipe = mission.recipe is None or mission.recipe in state.recipes
    memories = all(key in state.memories for key in mission.memories)
    return known and recipe and memories and len(tokens) <= MOST_TOKENS


def _check_recipes(state: State) -> Iterator[Message]:
    for key, recipe in state.recipes.items():
        signs = all(one.sign in (1, -1) for one in recipe.factors)
        grades = recipe.grades is None or len(recipe.grades.brings) in (0, len(BANDS))
        if recipe.steps < 1 or not signs or not grades:
            yield msg("valar/setup-recipe", recipe=Code(key))


def _check_clocks(state: State) -> Iterator[Message]:
    for key, clock in state.clocks.items():
        if clock.size not in SIZES or not 0 <= clock.marked <= clock.size or clock.sign not in (-1, 0, 1):
            yield msg("valar/setup-clock", clock=Code(key))
        if clock.chain is not None and clock.chain not in state.clocks:
            yield msg("valar/setup-chain", clock=Code(key), other=Code(clock.chain))
        if clock.house is not None and clock.house not in state.houses:
            yield msg("valar/setup-whose", thing=Code(key), house=Code(clock.house))
    for key, balance in state.balances.items():
        if balance.size not in SIZES or abs(balance.at) > balance.size or key in state.clocks:
            yield msg("valar/setup-clock", clock=Code(key))


def _check_memories(state: State) -> Iterator[Message]:
    for key, memory in state.memories.items():
        if memory.house not in state.houses or memory.sign not in (1, -1):
            yield msg("valar/setup-memory", memory=Code(key))
