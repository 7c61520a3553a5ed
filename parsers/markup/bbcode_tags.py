"""BBCode's tags: those of a text, and which of them count."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict, deque
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass

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


def find_tags(text: str, names: Container[str]) -> Iterator[Tag]:
    """The tags of known names from left to right; all else in brackets is text."""
    for found in _TAG.finditer(text):
        name = found.group(2).lower()
        if name in names:
            yield Tag(found.start(), found.end(), name, bool(found.group(1)), found.group(3))


def pair_first(tags: Iterable[Tag]) -> tuple[Tag, ...]:
    """Those that make pairs, in order: a closing takes the first opening of its name that is still free, as
    forums do that replace pairs by regular expressions again and again.
    """
    free: defaultdict[str, deque[Tag]] = defaultdict(deque)
    paired: list[Tag] = []
    for tag in tags:
        if not tag.closes:
            free[tag.name].append(tag)
        elif free[tag.name]:
            paired += (free[tag.name].popleft(), tag)
    return tuple(sorted(paired, key=lambda tag: tag.start))


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
