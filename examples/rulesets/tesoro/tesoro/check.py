"""What is wrong with a setup or with options, beyond the types of their values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rules.engine.messages import Code, Message, msg
from tesoro.options import Options
from tesoro.state import State


def check(state: State, options: Options) -> Sequence[Message]:
    """Every mistake, each as a message that names what is wrong."""
    return (*_check_islands(state), *_check_options(options))


def _check_islands(state: State) -> Iterator[Message]:
    named = [("treasure", state.treasure or "")]
    named += [(f"crews/{key}/at", crew.at) for key, crew in state.crews.items()]
    named += [(f"islands/{key}/beside", other) for key, one in state.islands.items() for other in one.beside]
    for place, island in named:
        if island not in state.islands:
            yield msg("tesoro/setup-island", place=Code(place), island=Code(island))


def _check_options(options: Options) -> Iterator[Message]:
    for name, least, most in (("acts", 1, 9), ("catch", 1, 9), ("depth", 2, 6)):
        if not least <= getattr(options, name) <= most:
            yield msg("tesoro/setup-option", option=Code(name), least=least, most=most)
