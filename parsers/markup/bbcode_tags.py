"""BBCode's tags: those of a text, and which of them count."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict, deque
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

# A value in quotes may hold brackets (`[quote="[X] Ana"]`), another none. Each try of the pattern ends at the
# next bracket or quotation mark, so that the time is linear in the text.
_TAG = re.compile(
    r"\[(/?)([a-zA-Z][a-zA-Z0-9]*|[*@+#0])"
    r"((?:=(?:\"[^\"\n]*\"|'[^'\n]*')[^\[\]\n]*|[= ][^\[\]\n]*)?)\]"
)


@dataclass(frozen=True, slots=True)
class Tag:
    """One tag. start, end: of its text, brackets included. name: in small letters. value: what follows the
    name, with its `=` or blank; "" for nothing.
    """

    start: int
    end: int
    name: str
    closes: bool
    value: str = ""


@dataclass(slots=True)
class _Run:
    """Openings and the closings that follow them."""

    openings: deque[Tag] = field(default_factory=deque)
    closings: deque[Tag] = field(default_factory=deque)


def find_tags(text: str, names: Container[str]) -> Iterator[Tag]:
    """The tags of known names from left to right; all else in brackets is text."""
    for found in _TAG.finditer(text):
        name = found.group(2).lower()
        if name in names:
            yield Tag(found.start(), found.end(), name, bool(found.group(1)), found.group(3))


def pair_in_rounds(tags: Iterable[Tag]) -> tuple[Tag, ...]:
    """Those that make pairs, in order, as forums find them that replace pairs by a regular expression again
    and again.

    In each round, from left to right, an opening goes with the next closing of its name, and the search goes
    on behind that.
    """
    by_name: defaultdict[str, list[Tag]] = defaultdict(list)
    for tag in tags:
        by_name[tag.name].append(tag)
    paired = [tag for same in by_name.values() for tag in _pair(same)]
    return tuple(sorted(paired, key=lambda tag: tag.start))


def _pair(tags: Sequence[Tag]) -> Iterator[Tag]:
    """Each run of openings and the closings behind them gives one pair in a round, so that all rounds
    together take no more steps than there are pairs.
    """
    runs: list[_Run] = []
    for tag in tags:
        if not tag.closes and (not runs or runs[-1].closings):
            runs.append(_Run())
        if runs:
            (runs[-1].closings if tag.closes else runs[-1].openings).append(tag)
    if runs and not runs[-1].closings:
        runs.pop()
    while runs:
        for run in runs:
            yield run.openings.popleft()
            yield run.closings.popleft()
        runs = _merge(runs)


def _merge(runs: Iterable[_Run]) -> list[_Run]:
    """Openings that are left without closings go to the next run, closings without openings to the one
    before.
    """
    merged: list[_Run] = []
    carried: deque[Tag] = deque()
    for run in runs:
        run.openings, carried = _join(carried, run.openings), deque()
        if not run.closings:
            carried = run.openings
        elif run.openings:
            merged.append(run)
        elif merged:
            merged[-1].closings = _join(merged[-1].closings, run.closings)
    return merged


def _join(first: deque[Tag], second: deque[Tag]) -> deque[Tag]:
    """Both in order; the shorter is moved, so that no tag is moved often."""
    if len(first) < len(second):
        second.extendleft(reversed(first))
        return second
    first.extend(second)
    return first


class Closings:
    """Where the closing tags of each name stand among the tags of a text."""

    def __init__(self, tags: Sequence[Tag]) -> None:
        self._places: defaultdict[str, list[int]] = defaultdict(list)
        for at, tag in enumerate(tags):
            if tag.closes:
                self._places[tag.name].append(at)

    def find(self, name: str, after: int) -> int | None:
        """The place of the first closing behind another place, None where there is none."""
        places = self._places.get(name, [])
        at = bisect_left(places, after + 1)
        return places[at] if at < len(places) else None
