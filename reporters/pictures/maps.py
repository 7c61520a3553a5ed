"""A map as SVG: a circle for each place with its id, its owner's letters, what stands there, and the ways."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from reporters.pictures.lettering import clean_words, fit, measure
from reporters.pictures.placing import STEP, Places, place
from reporters.pictures.shapes import (
    FAINT,
    INK,
    PAPER,
    SIGN_SIZE,
    Point,
    box,
    circle,
    document,
    line,
    sign,
    words,
)
from reporters.pictures.sides import badge, draw_legend, entries_of, look_of
from rules.engine.catalogue import Catalogue
from rules.engine.drawing import Map, Node, Side

RADIUS = 34
_ABOVE, _BELOW = 72, 88
"""Around the middles of the outer places: their circles, the ways out, the armies below them."""

_STUB = 56
LONGEST_EXIT = 120
_HEAD = 44
_LEAST_WIDTH = 560
_ID_SIZES = (16, 14, 12, 10, 8)
_NOTE, _EXIT, _TITLE = 12, 12, 18
_NOTE_ROW = 17
MOST_NOTES = 3
"""Lines under a place; with more there the last one says how many are left."""

_HALF = ((100, 0), (92, 38), (71, 71), (38, 92), (0, 100), (-38, 92), (-71, 71), (-92, 38))
_AWAY = (*_HALF, *((-across, -down) for across, down in _HALF))
"""Directions in which a way may leave the map, in hundredths."""


def draw_map(drawing: Map, title: str, alternative: str, catalogue: Catalogue) -> str:
    """The whole picture as SVG."""
    spots, beside = place(drawing), _beside(drawing)
    inner = max((x for x, _ in spots.values()), default=0) + 2 * beside
    width = max(inner, _LEAST_WIDTH)
    left = (width - inner) // 2 + beside
    placed = {key: (x + left, y + _HEAD + _ABOVE) for key, (x, y) in spots.items()}
    bottom = max((y for _, y in placed.values()), default=_HEAD) + _BELOW
    legend, high = draw_legend(tuple(entries_of(drawing, catalogue)), 24, bottom + 8, width - 48)
    name = fit(title, _TITLE, width - 40, bold=True)
    body = [
        words((20, 30), name, _TITLE, anchor="start", bold=True),
        *_ways(drawing, placed),
        *_exits(drawing.exits, placed),
        *(_place(node, placed[node.id], drawing.sides) for node in drawing.nodes),
        *(one for node in drawing.nodes for one in _notes(node, placed[node.id], catalogue)),
        *legend,
    ]
    return document(width, bottom + 8 + high + 12, clean_words(title), clean_words(alternative), body)


def _beside(drawing: Map) -> int:
    """Room at the sides: for the longest words of a way out."""
    longest = max((measure(clean_words(_lead(goal)), _EXIT) for _, goal in drawing.exits), default=0)
    return _STUB + min(longest, LONGEST_EXIT) + 8


def _lead(goal: str) -> str:
    return f"→ {goal}"


def _ways(drawing: Map, placed: Places) -> Iterable[str]:
    for one, other in drawing.edges:
        yield line(placed[one], placed[other], stroke=FAINT, stroke_width=3)


def _exits(exits: Sequence[tuple[str, str]], placed: Places) -> Iterator[str]:
    """Each way out as a dashed stub where there is most room, with where it leads at its end."""
    taken = list(placed.values())
    for key, goal in exits:
        x, y = placed[key]
        across, down = max(_AWAY, key=lambda away: _room(_end(placed[key], away, 80), key, placed, taken))
        end = _end((x, y), (across, down), _STUB)
        taken.append(_end((x, y), (across, down), 80))
        yield line((x, y), end, stroke=FAINT, stroke_width=3, stroke_dasharray="5 5")
        anchor = "start" if across > 50 else "end" if across < -50 else "middle"
        told = fit(_lead(goal), _EXIT, LONGEST_EXIT)
        yield words((end[0] + across // 20, end[1] + down * 10 // 100 + 4), told, _EXIT, anchor=anchor)


def _end(start: Point, away: Point, length: int) -> Point:
    return start[0] + away[0] * length // 100, start[1] + away[1] * length // 100


def _room(end: Point, key: str, placed: Places, taken: Sequence[Point]) -> int:
    """How far the next thing is from where the words would stand, squared; the place itself doesn't count."""
    return min(
        ((end[0] - x) ** 2 + (end[1] - y) ** 2 for x, y in taken if (x, y) != placed[key]), default=STEP**2
    )


def _place(node: Node, at: Point, sides: Sequence[Side]) -> str:
    x, y = at
    look = look_of(node.side)
    rim: Mapping[str, str | int] = {"stroke": look.stroke, "stroke_width": 3}
    if node.side is None:
        rim = {"stroke": look.stroke, "stroke_width": 2, "stroke_dasharray": look.dash}
    lifted = 2 if node.signs else 6
    name, size = _fit_id(node.id)
    parts = [circle(at, RADIUS, fill=look.fill, **rim), words((x, y + lifted), name, size, bold=True)]
    if node.side is not None:
        parts.append(badge(x - 26, y - 26, sides[node.side].mark, node.side))
    return "".join((*parts, *_signs(node, at)))


def _fit_id(key: str) -> tuple[str, int]:
    """An id as large as there is room for, since it is to be typed; of a very long one its end."""
    name, room = clean_words(key), 2 * RADIUS - 4
    size = next((one for one in _ID_SIZES if measure(name, one, bold=True) <= room), _ID_SIZES[-1])
    while measure(name, size, bold=True) > room:
        name = f"…{name[2:]}"
    return name, size


def _signs(node: Node, at: Point) -> Iterator[str]:
    """What stands in the place, in a row under its id; a number stands behind its sign."""
    widths = [SIGN_SIZE + (9 if count else 0) for _, count in node.signs]
    left = at[0] - (sum(widths) + 3 * (len(widths) - 1)) // 2
    for (which, count), wide in zip(node.signs, widths, strict=True):
        yield sign(which, left, at[1] + 7)
        if count:
            yield words((left + SIGN_SIZE + 1, at[1] + 19), str(min(count, 9)), 12, anchor="start", bold=True)
        left += wide + 3


def _notes(node: Node, at: Point, catalogue: Catalogue) -> Iterator[str]:
    """Armies, on labels below the place and above the ways."""
    told = [catalogue.text(one) for one in node.notes]
    if len(told) > MOST_NOTES:
        told = [*told[: MOST_NOTES - 1], f"+{len(told) - MOST_NOTES + 1}"]
    top = at[1] + RADIUS - 8
    for one in told:
        name = fit(one, _NOTE, STEP - 12, bold=True)
        wide = measure(name, _NOTE, bold=True) + 10
        yield box(at[0] - wide // 2, top, wide, _NOTE_ROW, rx=4, fill=PAPER, stroke=INK)
        yield words((at[0], top + 13), name, _NOTE, bold=True)
        top += _NOTE_ROW + 1
