"""The few elements that our SVGs are made of, each escaped; whole numbers give the same bytes anywhere."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from rules.engine.drawing import Sign

INK, FAINT, PAPER = "#1b1f24", "#8a929b", "#ffffff"
FACE = "DejaVu Sans, Verdana, Arial, sans-serif"

Point = tuple[int, int]


def element(tag: str, content: str = "", /, **attributes: str | int) -> str:
    """An element. attributes: names with `_` for `-`; all values are escaped, `content` is markup already."""
    told = "".join(f' {name.replace("_", "-")}="{escape(str(one))}"' for name, one in attributes.items())
    return f"<{tag}{told}>{content}</{tag}>" if content else f"<{tag}{told}/>"


def words(at: Point, text: str, size: int, *, anchor: str = "middle", bold: bool = False, **more: str) -> str:
    """Words on their base line. text: already short enough."""
    if not text:
        return ""
    look = {"fill": INK, "font_weight": "bold" if bold else "normal", **more}
    return element("text", escape(text), x=at[0], y=at[1], font_size=size, text_anchor=anchor, **look)


def circle(at: Point, radius: int, **look: str | int) -> str:
    """A circle around a point."""
    return element("circle", cx=at[0], cy=at[1], r=radius, **look)


def box(left: int, top: int, width: int, height: int, **look: str | int) -> str:
    """A rectangle."""
    return element("rect", x=left, y=top, width=width, height=height, **look)


def line(start: Point, end: Point, **look: str | int) -> str:
    """A straight line."""
    return element("line", x1=start[0], y1=start[1], x2=end[0], y2=end[1], **look)


_SIGNS = {
    Sign.STAR: "M7 0 9 5 14 5 10 8 12 14 7 10 2 14 4 8 0 5 5 5Z",
    Sign.HOUSE: "M7 0 14 6 12 6 12 13 8 13 8 9 6 9 6 13 2 13 2 6 0 6Z",
    Sign.SHIELD: "M1 1 7 0 13 1 13 7 7 14 1 7Z",
    Sign.TOWER: "M1 0 4 0 4 2 6 2 6 0 8 0 8 2 10 2 10 0 13 0 13 5 11 6 11 14 3 14 3 6 1 5Z",
    Sign.WALL: "M0 2 6 2 6 5 0 5ZM8 2 14 2 14 5 8 5ZM3 6 11 6 11 9 3 9Z"
    "M0 10 6 10 6 13 0 13ZM8 10 14 10 14 13 8 13Z",
    Sign.WHEEL: "M5 0 9 0 9 2 11 3 13 2 14 5 12 7 14 9 13 12 11 11 9 12 9 14 5 14 5 12 3 11 1 12 0 9 2 7"
    " 0 5 1 2 3 3 5 2ZM7 5 5 7 7 9 9 7Z",
}
SIGN_SIZE = 14


def sign(which: Sign, left: int, top: int) -> str:
    """A small sign in a square of 14 units."""
    return element(
        "path", d=_SIGNS[which], transform=f"translate({left} {top})", fill=INK, fill_rule="evenodd"
    )


def document(width: int, height: int, title: str, alternative: str, body: Iterable[str]) -> str:
    """A whole SVG that needs nothing from outside and does nothing by itself."""
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" font-family="{FACE}">'
    told = (element("title", escape(title)), element("desc", escape(alternative)) if alternative else "")
    paper = box(0, 0, width, height, fill=PAPER)
    return "\n".join((head, *(one for one in (*told, paper, *body) if one), "</svg>", ""))
