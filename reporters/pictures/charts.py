"""A chart as SVG: a line for each side over the turns, with its letters at the end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from reporters.pictures.lettering import clean_words, fit
from reporters.pictures.shapes import FAINT, INK, Point, box, circle, document, element, line, words
from reporters.pictures.sides import Entry, badge, draw_legend, look_of
from rules.engine.catalogue import Catalogue
from rules.engine.drawing import Chart

WIDTH, HEIGHT = 760, 400
_LEFT, _RIGHT, _TOP, _BOTTOM = 56, 64, 60, 56
_APART = 24
"""Between the letters at the ends of two lines."""

MOST_LINES = 12
"""Sides that are drawn, those with the highest numbers; the table tells the others."""


def draw_chart(drawing: Chart, title: str, alternative: str, catalogue: Catalogue) -> str:
    """The whole picture as SVG."""
    shown = _shown(drawing)
    plan = _Plan([drawing.lines[at] for at in shown], drawing.last)
    entries = [Entry(drawing.sides[at], at, None, catalogue.text(drawing.sides[at].name)) for at in shown]
    legend, high = draw_legend(entries, 24, HEIGHT + 4, WIDTH - 48)
    across = fit(catalogue.text(drawing.across), 13, 200)
    body = [
        words((20, 30), fit(title, 18, WIDTH - 40, bold=True), 18, anchor="start", bold=True),
        *plan.frame(),
        words((WIDTH - _RIGHT, HEIGHT - 8), across, 13, anchor="end"),
        *(_line(plan.points(drawing.lines[at], _aside(at, shown)), at) for at in shown),
        *_ends(plan, drawing, shown),
        *legend,
    ]
    return document(WIDTH, HEIGHT + high + 16, clean_words(title), clean_words(alternative), body)


def _shown(drawing: Chart) -> list[int]:
    """Places of the sides that are drawn, in the order of their list."""
    with_numbers = [at for at, numbers in enumerate(drawing.lines) if numbers]
    ranked = sorted(with_numbers, key=lambda at: (-drawing.lines[at][-1], at))
    return sorted(ranked[:MOST_LINES])


class _Plan:
    """Where turns and numbers stand."""

    def __init__(self, lines: Sequence[Sequence[int]], last: int) -> None:
        self.last = last
        self.first = last - max(map(len, lines), default=1) + 1
        numbers = [number for one in lines for number in one]
        self.low = min((*numbers, 0))
        self.tick = _round_up((max((*numbers, 1)) - self.low + 4) // 5)
        self.high = self.low + -(-(max((*numbers, 1)) - self.low) // self.tick) * self.tick

    def at(self, turn: int, number: int) -> Point:
        """The point of a number in a turn."""
        turns, wide, high = max(1, self.last - self.first), WIDTH - _LEFT - _RIGHT, HEIGHT - _TOP - _BOTTOM
        x = _LEFT + wide * (turn - self.first) // turns
        return x, _TOP + high * (self.high - number) // max(1, self.high - self.low)

    def frame(self) -> Iterator[str]:
        """Lines across with their numbers, and the turns below."""
        for number in range(self.low, self.high + 1, self.tick):
            x, y = self.at(self.first, number)
            yield line((x, y), (WIDTH - _RIGHT, y), stroke="#d5d9de", stroke_width=1)
            yield words((x - 8, y + 4), str(number), 12, anchor="end")
        step = max(1, -(-(self.last - self.first) // 12))
        for turn in range(self.last, self.first - 1, -step):
            x, y = self.at(turn, self.low)
            yield line((x, y), (x, y + 5), stroke=FAINT, stroke_width=1)
            yield words((x, y + 20), str(turn), 12)

    def points(self, numbers: Sequence[int], aside: int) -> list[Point]:
        """The points of a line, moved a little up or down, so that equal lines run beside each other."""
        start = self.last - len(numbers) + 1
        exact = (self.at(start + at, number) for at, number in enumerate(numbers))
        return [(x, y + aside) for x, y in exact]


def _aside(place: int, shown: Sequence[int]) -> int:
    return (3 if len(shown) <= 5 else 1) * (2 * shown.index(place) - len(shown) + 1) // 2


def _round_up(number: int) -> int:
    """The next of 1, 2, 5, 10, 20, 50, …"""
    scale = 1
    while True:
        for step in (1, 2, 5):
            if step * scale >= number:
                return step * scale
        scale *= 10


def _line(points: Sequence[Point], place: int) -> str:
    look = look_of(place)
    path = " ".join(f"{x},{y}" for x, y in points)
    dash = {"stroke_dasharray": look.dash} if look.dash else {}
    drawn = element("polyline", points=path, fill="none", stroke=look.stroke, stroke_width=3, **dash)
    return drawn + "".join(_mark(point, place, look.stroke) for point in points)


def _mark(at: Point, place: int, stroke: str) -> str:
    """The point of one number: a disc or a square, so that neighbours in the list differ in form too."""
    if place % 2:
        return box(at[0] - 4, at[1] - 4, 8, 8, fill=stroke)
    return circle(at, 4, fill=stroke)


def _ends(plan: _Plan, drawing: Chart, shown: Sequence[int]) -> Iterator[str]:
    """The letters and last number of each line, moved up and down until none covers another."""
    ends = sorted((plan.at(plan.last, drawing.lines[at][-1])[1], at) for at in shown)
    heights = [y for y, _ in ends]
    for at in range(1, len(heights)):
        heights[at] = max(heights[at], heights[at - 1] + _APART)
    spare = HEIGHT - _BOTTOM + 20
    for at in range(len(heights) - 1, -1, -1):
        heights[at] = min(heights[at], spare - _APART * (len(heights) - 1 - at))
    for (_, place), y in zip(ends, heights, strict=True):
        x = WIDTH - _RIGHT + 20
        yield badge(x, y, drawing.sides[place].mark, place)
        yield words((x + 15, y + 5), str(drawing.lines[place][-1]), 13, anchor="start", fill=INK)
