"""How sides look: a colour that the colour-blind tell apart, always with the side's letters."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from reporters.pictures.lettering import clean_words, fit, is_drawable, measure
from reporters.pictures.shapes import PAPER, SIGN_SIZE, box, circle, sign, words
from rules.engine.catalogue import Catalogue
from rules.engine.drawing import Map, Side, Sign


@dataclass(frozen=True, slots=True)
class Look:
    """Colours of a side, and the dashes of its line. fill: under dark words. stroke: on paper."""

    fill: str
    stroke: str
    dash: str


_COLOURS = (
    ("#7fc4ee", "#0072b2"),
    ("#f2b441", "#b06f00"),
    ("#5fd0ae", "#007a58"),
    ("#f3e96b", "#8a7d00"),
    ("#f09a76", "#c04a00"),
    ("#dfaacb", "#a04080"),
    ("#c3c8ce", "#555b63"),
    ("#c9a27a", "#74491c"),
)
"""After Okabe and Ito, whose colours differ for every kind of sight; the strokes are darkened for lines."""

_DASHES = ("", "9 4", "2 4", "12 4 2 4")
NOBODY = Look("#f4f5f7", "#8a929b", "4 4")

_SIZE, _ROW, _GAP = 14, 28, 22
LONGEST_NAME = 230
_WIDE = 38
"""A side's piece of colour in the legend, its letters at the left end."""
BADGE = 11


def look_of(place: int | None) -> Look:
    """The look of the side at a place of its list; after eight sides colours come again with other dashes."""
    if place is None:
        return NOBODY
    fill, stroke = _COLOURS[place % len(_COLOURS)]
    return Look(fill, stroke, _DASHES[(place + place // len(_COLOURS)) % len(_DASHES)])


def badge(x: int, y: int, mark: str, place: int) -> str:
    """A side's letters on its darker colour; its number where our faces don't have the letters."""
    shown = clean_words(mark)[:3]
    shown = shown if shown and is_drawable(shown) else f"#{place + 1}"
    size = (13, 13, 10, 8)[len(shown)] if len(shown) <= 3 else 7
    letters = words((x, y + (size * 3 + 4) // 8), shown, size, bold=True, fill=PAPER)
    return circle((x, y), BADGE, fill=look_of(place).stroke, stroke=PAPER, stroke_width=2) + letters


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that a legend explains. shape: drawn around the point that it is given."""

    side: Side | None = None
    place: int | None = None
    sign: Sign | None = None
    name: str = ""


def entries_of(drawing: Map, catalogue: Catalogue) -> Iterable[Entry]:
    """What a map's legend explains: the sides that stand on it, nobody, and the signs."""
    present = {node.side for node in drawing.nodes}
    for place, side in enumerate(drawing.sides):
        if place in present:
            yield Entry(side, place, None, catalogue.text(side.name))
    if None in present:
        yield Entry(name=catalogue.text(drawing.nobody))
    for which, meaning in drawing.signs:
        yield Entry(sign=which, name=catalogue.text(meaning))


def draw_legend(entries: Sequence[Entry], left: int, top: int, width: int) -> tuple[list[str], int]:
    """The entries in rows that are no wider than `width`, and how high they are."""
    drawn: list[str] = []
    x, y = left, top
    for one in entries:
        name = fit(one.name, _SIZE, min(LONGEST_NAME, width - 2 * _GAP))
        shape = 2 * BADGE if one.side is None else _WIDE
        wide = shape + 8 + measure(name, _SIZE)
        if x > left and x + wide > left + width:
            x, y = left, y + _ROW
        drawn += [
            _swatch(one, x + BADGE, y + BADGE),
            words((x + shape + 8, y + 16), name, _SIZE, anchor="start"),
        ]
        x += wide + _GAP
    return drawn, y + _ROW - top if drawn else 0


def _swatch(one: Entry, x: int, y: int) -> str:
    if one.sign is not None:
        return sign(one.sign, x - SIGN_SIZE // 2, y - SIGN_SIZE // 2)
    look = look_of(one.place)
    if one.side is None:
        return circle((x, y), BADGE, fill=look.fill, stroke=look.stroke, stroke_dasharray=look.dash)
    pill = box(x - BADGE, y - BADGE, _WIDE, 2 * BADGE, rx=BADGE, fill=look.fill, stroke=look.stroke)
    return pill + badge(x, y, one.side.mark, one.place or 0)
