"""What was kept of a turn beside what comes out of running it again: each difference exactly (F39, I2)."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rules.engine.codec import canonical_json, leaves
from rules.engine.messages import Message
from rules.engine.proofs import Problem

CONTEXT = 1
"""Lines around a change that are shown with it."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One place where two things that should be equal aren't.

    where: a file, a die, a path in the state, or a message that names it. old: as it was kept or published.
    new: as it comes out. None for both: it isn't there. diff: for texts of several lines, a unified diff.
    """

    where: Message | str
    old: str | None = None
    new: str | None = None
    diff: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was compared.

    code: what, stable (`events`, `files`). count: how many of them. differences, problems: what is wrong;
    problems are those of proofs, with the proof's file in front of their place.
    """

    code: str
    count: int
    differences: tuple[Difference, ...] = ()
    problems: tuple[Problem, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether all is as it should be."""
        return not self.differences and not self.problems


def compare_values(code: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> Check:
    """Values by name; what only one side has is a difference too."""
    names = dict.fromkeys((*old, *new))
    wrong = tuple(
        Difference(name, _show(old, name), _show(new, name))
        for name in names
        if (name in old) != (name in new) or old[name] != new[name]
    )
    return Check(code, len(names), wrong)


def _show(values: Mapping[str, Any], name: str) -> str | None:
    if name not in values:
        return None
    value = values[name]
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)


def compare_texts(code: str, old: Mapping[str, str], new: Mapping[str, str]) -> Check:
    """Texts by name, letter by letter."""
    names = dict.fromkeys((*old, *new))
    wrong = tuple(
        _compare_text(name, old.get(name), new.get(name)) for name in names if old.get(name) != new.get(name)
    )
    return Check(code, len(names), wrong)


def _compare_text(name: str, old: str | None, new: str | None) -> Difference:
    if old is None or new is None:
        return Difference(name, _first_line(old), _first_line(new))
    return Difference(name, diff=diff_lines(old.splitlines(keepends=True), new.splitlines(keepends=True)))


def _first_line(text: str | None) -> str | None:
    return None if text is None else f"{text.splitlines()[0] if text.strip() else text!r} …"


def compare_lists(code: str, old: Sequence[str], new: Sequence[str]) -> Check:
    """Things in sequence, a line each."""
    diff = () if tuple(old) == tuple(new) else diff_lines(old, new)
    return Check(code, len(old), (Difference("", diff=diff),) if diff else ())


def compare_data(code: str, old: Any, new: Any) -> Check:
    """Plain data, value by value; lists are compared whole."""
    return compare_values(code, _by_path(old), _by_path(new))


def _by_path(data: Any) -> Mapping[str, Any]:
    return {"/".join(path): value for path, value in leaves(data)}


def diff_lines(old: Sequence[str], new: Sequence[str]) -> tuple[str, ...]:
    """A unified diff without its head; invisible letters are spelt out."""
    found = difflib.unified_diff(old, new, lineterm="", n=CONTEXT)
    return tuple(_visible(line) for line in list(found)[2:])


def _visible(line: str) -> str:
    """A line of a diff without its end; what a terminal doesn't show, and other line ends, as escapes."""
    line = line.removesuffix("\n")
    return "".join(one if one.isprintable() else f"\\u{ord(one):04x}" for one in line)


def line_of(row: Mapping[str, Any]) -> str:
    """A stored row as one line."""
    return canonical_json(dict(row))


def join_checks(code: str, checks: Iterable[Check]) -> Check:
    """Several comparisons that are told as one."""
    made = tuple(checks)
    return Check(
        code,
        sum(one.count for one in made),
        tuple(wrong for one in made for wrong in one.differences),
        tuple(wrong for one in made for wrong in one.problems),
    )
