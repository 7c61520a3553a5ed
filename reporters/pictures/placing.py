"""Where a map's places stand: who is near by steps is near on paper. No randomness, no clock.

Distances on paper are made like distances in steps (stress majorization, Gansner and others 2004) from a
start that the graph itself gives, then places that are too close are pushed apart. Only sums, products,
quotients and square roots are used, which are the same on every machine, and all ends in whole numbers.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from math import sqrt

from rules.engine.drawing import Map

STEP = 104
"""Between the middles of two places, at least."""

_WORK = 400_000
_MOST_ROUNDS = 150
_PUSHES = 80
_QUARTER = ((1.0, 0.0), (0.9659, 0.2588), (0.866, 0.5), (0.7071, 0.7071), (0.5, 0.866), (0.2588, 0.9659))
_TURNS = (*_QUARTER, *((-sine, cosine) for cosine, sine in _QUARTER))
"""Cosine and sine of 0° to 165° in steps of 15°."""

Spot = tuple[float, float]
Places = Mapping[str, tuple[int, int]]


def place(drawing: Map) -> Places:
    """Middles of all nodes, from (0, 0) on, no two nearer than `STEP`."""
    given = tuple(node.at for node in drawing.nodes if node.at is not None)
    whole = len(given) == len(drawing.nodes)
    return _place(tuple(node.id for node in drawing.nodes), drawing.edges, given if whole else None)


@lru_cache(maxsize=64)
def _place(
    ids: tuple[str, ...], edges: tuple[tuple[str, str], ...], given: tuple[tuple[int, int], ...] | None
) -> Places:
    """Equal maps of several readers are placed once."""
    if given is not None:
        spots = _widened([(float(x), float(y)) for x, y in given])
    else:
        steps = _count_steps(ids, edges)
        spots = _turned(_pushed([(x * STEP, y * STEP) for x, y in _relaxed(_start(steps), steps)]))
    left, top = min((x for x, _ in spots), default=0), min((y for _, y in spots), default=0)
    return {key: (round(x - left), round(y - top)) for key, (x, y) in zip(ids, spots, strict=True)}


def _widened(spots: list[Spot]) -> list[Spot]:
    """Spots of the map's author, stretched until the closest two are a step apart."""
    least = min((_apart(one, other) for at, one in enumerate(spots) for other in spots[:at]), default=1.0)
    return [(x * STEP / max(least, 0.1), y * STEP / max(least, 0.1)) for x, y in spots]


def _count_steps(ids: Sequence[str], edges: Sequence[tuple[str, str]]) -> list[list[int]]:
    """Steps from each to each; what can't be reached lies a little farther than all that can."""
    number = {key: at for at, key in enumerate(ids)}
    near: list[list[int]] = [[] for _ in ids]
    for one, other in edges:
        near[number[one]].append(number[other])
        near[number[other]].append(number[one])
    rows = [_steps_from(at, near) for at in range(len(ids))]
    far = max((steps for row in rows for steps in row), default=0) + 2
    return [[far if steps < 0 else steps for steps in row] for row in rows]


def _steps_from(start: int, near: Sequence[Sequence[int]]) -> list[int]:
    steps = [-1] * len(near)
    steps[start] = 0
    waiting = deque((start,))
    while waiting:
        here = waiting.popleft()
        for other in near[here]:
            if steps[other] < 0:
                steps[other] = steps[here] + 1
                waiting.append(other)
    return steps


def _start(steps: Sequence[Sequence[int]]) -> list[Spot]:
    """From the distances to four far corners; a trace of the place in the list parts what would coincide."""
    if not steps:
        return []
    every = range(len(steps))
    west = max(every, key=lambda at: steps[0][at])
    east = max(every, key=lambda at: steps[west][at])
    north = max(every, key=lambda at: min(steps[west][at], steps[east][at]))
    south = max(every, key=lambda at: steps[north][at])
    return [
        (
            (steps[west][at] - steps[east][at]) / 2 + at * 7 % 11 / 40,
            (steps[north][at] - steps[south][at]) / 2 + at * 5 % 13 / 40,
        )
        for at in every
    ]


def _relaxed(spots: list[Spot], steps: Sequence[Sequence[int]]) -> list[Spot]:
    """Each place goes where its distances to all others fit best, round after round."""
    count = len(spots)
    for _ in range(min(_MOST_ROUNDS, _WORK // max(1, count * count) + 10)):
        spots = [_best_spot(at, spots, steps[at]) for at in range(count)]
    return spots


def _best_spot(at: int, spots: Sequence[Spot], steps: Sequence[int]) -> Spot:
    here, x, y, weights = spots[at], 0.0, 0.0, 0.0
    for other, there in enumerate(spots):
        if other == at:
            continue
        wanted = steps[other]
        apart = _apart(here, there) or 0.01
        weight = 1.0 / (wanted * wanted)
        x += weight * (there[0] + wanted * (here[0] - there[0]) / apart)
        y += weight * (there[1] + wanted * (here[1] - there[1]) / apart)
        weights += weight
    return (x / weights, y / weights) if weights else here


def _apart(one: Spot, other: Spot) -> float:
    across, down = one[0] - other[0], one[1] - other[1]
    return sqrt(across * across + down * down)


def _pushed(spots: list[Spot]) -> list[Spot]:
    """The same with all pairs at least a step apart: close ones move away from each other."""
    spots = list(spots)
    for _ in range(_PUSHES):
        moved = False
        for one, other in _close_pairs(spots):
            moved = _push(spots, one, other) or moved
        if not moved:
            return spots
    least = min((_apart(spots[one], spots[other]) for one, other in _close_pairs(spots)), default=STEP)
    return [(x * STEP / max(least, 1.0), y * STEP / max(least, 1.0)) for x, y in spots]


def _push(spots: list[Spot], one: int, other: int) -> bool:
    (x, y), (to_x, to_y) = spots[one], spots[other]
    apart = _apart(spots[one], spots[other])
    if apart >= STEP - 0.5:
        return False
    across, down = ((to_x - x) / apart, (to_y - y) / apart) if apart > 0.01 else (1.0, 0.0)
    half = (STEP - apart) / 2
    spots[one], spots[other] = (
        (x - across * half, y - down * half),
        (to_x + across * half, to_y + down * half),
    )
    return True


def _close_pairs(spots: Sequence[Spot]) -> Iterator[tuple[int, int]]:
    """Pairs in the same or neighbouring squares of a grid: all that can be too close."""
    squares: dict[tuple[int, int], list[int]] = {}
    for at, (x, y) in enumerate(spots):
        squares.setdefault((int(x // STEP), int(y // STEP)), []).append(at)
    for at, (x, y) in enumerate(list(spots)):
        column, row = int(x // STEP), int(y // STEP)
        for across in (-1, 0, 1):
            for down in (-1, 0, 1):
                yield from (
                    (other, at) for other in squares.get((column + across, row + down), ()) if other < at
                )


def _turned(spots: list[Spot]) -> list[Spot]:
    """The same, as low as turning makes it (posts are wider than high), the first place up on the left."""
    if not spots:
        return spots

    def turned(turn: Spot) -> list[Spot]:
        cosine, sine = turn
        return [(x * cosine - y * sine, x * sine + y * cosine) for x, y in spots]

    best = min((turned(turn) for turn in _TURNS), key=lambda one: round(_height(one)))
    middle_x, middle_y = _middle([x for x, _ in best]), _middle([y for _, y in best])
    flip_x, flip_y = -1 if best[0][0] > middle_x else 1, -1 if best[0][1] > middle_y else 1
    return [(x * flip_x, y * flip_y) for x, y in best]


def _height(spots: Sequence[Spot]) -> float:
    return max(y for _, y in spots) - min(y for _, y in spots)


def _middle(numbers: Sequence[float]) -> float:
    return (max(numbers) + min(numbers)) / 2
