"""The list of a rule set's mutants that no test notices, each with the reason why that is right."""

from __future__ import annotations

import json
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tools.mutants.mutating import Key, Mutant


class ListError(Exception):
    """A list of mutants that can't be used; the text says where and why."""


@dataclass(frozen=True, slots=True)
class MutantList:
    """What a list says. package: the rule set's. code: files and folders with mutants.

    tests: files of tests that know the rule set. reasons: why a mutant may survive.
    """

    package: str
    code: tuple[str, ...]
    tests: tuple[str, ...]
    reasons: Mapping[Key, str]


def load_list(path: Path) -> MutantList:
    """Read a list. Raises ListError for what is missing, doubled or without a reason."""
    with path.open("rb") as file:
        data = tomllib.load(file)
    try:
        entries = [(_key_of(one), str(one["reason"]).strip()) for one in data.get("mutant", [])]
        listed = MutantList(data["package"], tuple(data["code"]), tuple(data["tests"]), dict(entries))
    except KeyError as missing:
        raise ListError(f"{path.name}: {missing} is missing") from None
    for key, many in Counter(key for key, _ in entries).items():
        if many > 1 or not listed.reasons[key]:
            raise ListError(
                f"{path.name}: {'listed twice' if many > 1 else 'without a reason'}:\n{show(key)}"
            )
    return listed


def _key_of(entry: Mapping[str, Any]) -> Key:
    key = Key(**{name: entry[name] for name in ("file", "function", "before", "after")})
    return key._replace(nth=entry.get("nth", 1))


def show(key: Key, reason: str = "") -> str:
    """A mutant as the list writes it."""
    fields = {**key._asdict(), "reason": reason}
    written = (f"{name} = {json.dumps(value, ensure_ascii=False)}" for name, value in fields.items())
    lines = [line for line in written if line != "nth = 1"]
    return "\n".join(("[[mutant]]", *lines, ""))


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a run compares with its list. unexplained: survivors without a reason.

    stale: listed, but noticed by a test now, or not among the mutants any more.
    """

    explained: tuple[Mutant, ...]
    unexplained: tuple[Mutant, ...]
    stale: tuple[Key, ...]


def compare(
    listed: MutantList, tried: Iterable[Mutant], survivors: Iterable[Mutant], files: Iterable[str] | None
) -> Verdict:
    """Compare with the list. files: only entries of these can be stale; None for all."""
    order = {mutant.key: place for place, mutant in enumerate(tried)}
    alive = sorted(survivors, key=lambda one: order[one.key])
    survived = {one.key for one in alive}
    judged = {key.file for key in listed.reasons} if files is None else frozenset(files)
    return Verdict(
        explained=tuple(one for one in alive if one.key in listed.reasons),
        unexplained=tuple(one for one in alive if one.key not in listed.reasons),
        stale=tuple(key for key in listed.reasons if key.file in judged and key not in survived),
    )
