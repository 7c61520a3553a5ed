"""What is wrong with a rule set as it is declared, told to its author before any game is played with it."""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Any

from rules.engine.ruleset import Kind, Ruleset

_LEAVES = (str, int, float, bool)
_LISTS = (list, tuple, set, frozenset)
_TABLES = (dict, Mapping)

CARRIED = "dataclasses, tables by id, lists, texts, numbers, booleans and enums"
"""What `rules.engine.codec` writes and reads back."""


def find_faults(ruleset: Ruleset) -> tuple[str, ...]:
    """Every mistake of the declarations, in English, each naming what to change; empty: it is sound."""
    return tuple(_faults(ruleset))


def _faults(ruleset: Ruleset) -> Iterator[str]:
    if not ruleset.package:
        yield (
            f"the state {ruleset.state.__name__} has to stand in a module of a package, "
            "with the texts in the package's folder `locale`"
        )
    yield from _kind_faults(ruleset)
    for name, cls in (("state", ruleset.state), ("options", ruleset.options)):
        yield from uncarried(cls, name)
    try:
        ruleset.options()
    except TypeError as fault:
        yield f"every option needs a default: {fault}"


def _kind_faults(ruleset: Ruleset) -> Iterator[str]:
    if not ruleset.kinds:
        yield "it declares no kind of turn"
    for name, kind in ruleset.kinds.items():
        if name != kind.name:
            yield f"the kind of turn {kind.name!r} stands under the name {name!r}"
        yield from _forecast_faults(kind)
        for language, one in (("es", kind), ("en", kind.in_english)):
            fault = _grammar_fault(one)
            if fault is not None:
                yield f"orders of {name!r} ({language}): {fault}"
                break


def _forecast_faults(kind: Kind) -> Iterator[str]:
    forecast = kind.forecast
    if forecast is not None and forecast.before not in {one.name for one in kind.steps}:
        yield f"the forecast of {kind.name!r} stands before {forecast.before!r}, which is none of its steps"


def _grammar_fault(kind: Kind) -> str | None:
    """What two orders of a kind quarrel about, None where nothing."""
    try:
        _ = kind.grammar
    except ValueError as fault:
        return str(fault)
    return None


def uncarried(hint: Any, place: str) -> Iterator[str]:
    """Fields of a dataclass that the state codec can't write and read back, each with its type and a remedy.

    place: of the dataclass, as the faults name it.
    """
    yield from _uncarried(hint, place, frozenset())


def _uncarried(hint: Any, place: str, within: frozenset[Any]) -> Iterator[str]:
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if hint is Any or hint in _LEAVES or hint in within:
        return
    if dataclasses.is_dataclass(hint):
        hints = typing.get_type_hints(hint)
        for one in dataclasses.fields(hint):
            yield from _uncarried(hints[one.name], f"{place}/{one.name}", within | {hint})
    elif origin is not None:
        yield from _generic(hint, place)
        inner = [one for one in args if one not in (type(None), ...)]
        yield from _uncarried(inner[-1], place if _is_union(origin) else f"{place}/…", within)
    elif not (isinstance(hint, type) and issubclass(hint, Enum)):
        yield f"{place}: {_said(hint)} can't be written to a file; a state is made of {CARRIED}"


def _is_union(origin: Any) -> bool:
    return origin in (typing.Union, types.UnionType)


def _generic(hint: Any, place: str) -> Iterator[str]:
    """What is wrong with the outermost type of several."""
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if _is_union(origin):
        if len(args) > 2 or type(None) not in args:
            yield f"{place}: one type or None, not {_said(hint)}"
    elif origin in _TABLES:
        if args[0] is not str:
            yield f"{place}: the keys of a table are texts, not {_said(args[0])}"
    elif origin is tuple and args[1:] != (...,):
        yield f"{place}: `tuple[{_said(args[0])}, ...]`, or a dataclass with names, not {_said(hint)}"
    elif origin not in _LISTS:
        yield f"{place}: {_said(hint)} can't be written to a file; a state is made of {CARRIED}"


def _said(hint: Any) -> str:
    return hint.__name__ if isinstance(hint, type) and not typing.get_args(hint) else str(hint)
