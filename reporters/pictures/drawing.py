"""A document's picture as SVG in the words of one catalogue, and an SVG of ours as PNG or GIF."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from importlib.resources import as_file, files
from io import BytesIO

from PIL import Image
from resvg_py import svg_to_bytes

from reporters.pictures.charts import draw_chart
from reporters.pictures.maps import draw_map
from rules.engine.catalogue import Catalogue
from rules.engine.document import Picture
from rules.engine.drawing import Chart
from rules.play.posts import PictureKind

_FACES = ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf")
_DENSITY = 1.75
_MOST = 2400
"""Pixels for each unit, and at most in a row: letters stay sharp where a screen is dense."""

_SIZE = re.compile(r'width="(\d+)"')


def draw_svg(picture: Picture, catalogue: Catalogue) -> str:
    """The picture as SVG: no script, nothing from outside, equal bytes for equal pictures."""
    title, alternative = catalogue.text(picture.title), catalogue.text(picture.alternative)
    if isinstance(picture.drawing, Chart):
        return draw_chart(picture.drawing, title, alternative, catalogue)
    return draw_map(picture.drawing, title, alternative, catalogue)


def draw_png(svg: str) -> bytes:
    """An SVG of `draw_svg` as PNG, in our own faces and never in the system's."""
    found = _SIZE.search(svg)
    wide = min(_MOST, int(int(found[1]) * _DENSITY)) if found else None
    folder = files("reporters.pictures") / "fonts"
    with as_file(folder / _FACES[0]) as regular, as_file(folder / _FACES[1]) as bold:
        drawn = svg_to_bytes(
            svg_string=svg,
            width=wide,
            skip_system_fonts=True,
            font_files=[str(regular), str(bold)],
            font_family="DejaVu Sans",
            sans_serif_family="DejaVu Sans",
        )
    return bytes(drawn)


def draw_gif(svg: str) -> bytes:
    """An SVG of `draw_svg` as GIF, in the 256 colours that fit it best: it has few, and their shades."""
    drawn = BytesIO()
    with Image.open(BytesIO(draw_png(svg))) as picture:
        flat = Image.new("RGB", picture.size, "white")
        flat.paste(picture, mask=picture.getchannel("A") if "A" in picture.getbands() else None)
        flat.quantize(256, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE).save(drawn, "GIF")
    return drawn.getvalue()


DRAW: Mapping[PictureKind, Callable[[str], bytes]] = {PictureKind.PNG: draw_png, PictureKind.GIF: draw_gif}
"""How an SVG of `draw_svg` becomes a file that forums show."""
