"""Maps and charts as pictures: legible, the same every time, and harmless whatever names stand in them."""

from __future__ import annotations

import struct
import zlib
from base64 import b64decode, b64encode
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from bs4 import BeautifulSoup
from hypothesis import given
from hypothesis import strategies as st

from processor.folder import write_files
from reporters.html import HtmlRenderer
from reporters.layout import lay_out_block
from reporters.pictures import placing
from reporters.pictures.drawing import draw_png, draw_svg
from reporters.pictures.lettering import fit, measure
from reporters.pictures.placing import STEP, place
from rules.engine.catalogue import Catalogue
from rules.engine.document import Picture
from rules.engine.drawing import Chart, Drawing, Map, Node, Side, Sign
from rules.engine.messages import Message, msg
from rules.play.outgoing import ReportFile

CATALOGUE = Catalogue("es", {"t/words": "{words}"})
TAGS = {"svg", "title", "desc", "rect", "circle", "line", "path", "polyline", "text"}
HOSTILE = (
    '"><script>alert(1)</script>',
    "]]><!ENTITY x SYSTEM 'file:///etc/passwd'>&x;",
    "a' onload='alert(1)",
    "👩‍👩‍👧‍👦🔥 Horda",
    "مملكة النور",
    "\u202eשלום\u202c",
    "W" * 300,
    "\ufffe\uffff\x00\x1b\ud800",
    "&amp;lt;",
    "",
)


def said(words: str) -> Message:
    """Foreign words as they come in a message."""
    return msg("t/words", words=words)


def a_map(name: str = "Veth", *, at: bool = False, mark: str = "I") -> Map:
    """A grid of twelve cells with all that a map can have."""
    nodes = tuple(
        Node(
            f"VE-{n}",
            (None, 0, 1)[n % 3],
            ((Sign.STAR, 0), (Sign.WALL, 2)) if n % 4 == 1 else (),
            tuple(said(f"E{n}{army}: 4") for army in range(n % 6)),
            (n % 4, n // 4) if at else None,
        )
        for n in range(12)
    )
    across = [(f"VE-{n}", f"VE-{n + 1}") for n in range(12) if n % 4 != 3]
    down = [(f"VE-{n}", f"VE-{n + 4}") for n in range(8)]
    sides = (Side(mark, said(name)), Side("TA", said("Tau")))
    exits = (("VE-0", "CM-33"), ("VE-11", name or "CM-1"))
    return Map(nodes, (*across, *down), exits, sides, said("nadie"), tuple((one, said(name)) for one in Sign))


def a_chart(name: str = "Imperio", mark: str = "I") -> Chart:
    """Three sides, one of which came later and one that never was there."""
    sides = (Side(mark, said(name)), Side("T", said("Tau")), Side("E", said("Eldar")))
    return Chart(sides, ((18, 21, 30), (4, 40), ()), 3, said(name))


def drawn(drawing: Drawing, words: str = "Veth") -> str:
    """A picture's SVG."""
    return draw_svg(Picture("p", said(words), said(words), drawing), CATALOGUE)


def pictures(words: str) -> list[str]:
    """A map and a chart in which foreign words stand wherever they can."""
    return [drawn(a_map(words, mark=words), words), drawn(a_chart(words, words), words)]


@given(st.one_of(st.sampled_from(HOSTILE), st.text(max_size=60)))
def test_names_stay_names_in_a_picture(words: str) -> None:
    """Whatever a faction is called, a real XML parser sees our few elements and no other."""
    for svg in pictures(words):
        root = ET.fromstring(svg.encode())  # noqa: S314 - our own picture, that is what is tested
        names = {one.tag.removeprefix("{http://www.w3.org/2000/svg}") for one in root.iter()}
        keys = {key for one in root.iter() for key in one.attrib}
        assert (set(), set()) == (
            names - TAGS,
            {key for key in keys if key.startswith("on") or "href" in key},
        )


@pytest.mark.parametrize("words", HOSTILE)
def test_words_stay_within_the_picture(words: str) -> None:
    """Long names are cut with an ellipsis before they reach the picture's border."""
    for svg in pictures(words):
        root = ET.fromstring(svg.encode())  # noqa: S314
        width = int(root.attrib["width"])
        for one in root.iter("{http://www.w3.org/2000/svg}text"):
            wide = measure(one.text or "", int(one.attrib["font-size"]))
            shift = {"start": 0, "middle": wide // 2, "end": wide}[one.attrib["text-anchor"]]
            left = int(one.attrib["x"]) - shift
            assert 0 <= left
            assert left + wide <= width


def test_a_cut_name_says_so() -> None:
    """What fits stays whole, what doesn't ends in an ellipsis."""
    assert ("Imperio", True) == (fit("Imperio", 14, 200), fit("Imperio " * 40, 14, 200).endswith("…"))
    assert measure(fit("Imperio " * 40, 14, 200), 14) <= 200


@pytest.mark.parametrize("drawing", [a_map(), a_map(at=True), a_chart()], ids=["map", "at", "chart"])
def test_the_same_data_give_the_same_bytes(drawing: Drawing) -> None:
    """A picture drawn again, on a machine that remembers nothing, is the same to the byte, as PNG too."""
    first = drawn(drawing)
    placing._place.cache_clear()
    assert first == drawn(drawing)
    assert draw_png(first) == draw_png(drawn(drawing))


def test_places_keep_apart_and_neighbours_close() -> None:
    """No two cells touch; what is one step away lies nearer than what is four steps away."""
    spots = list(place(a_map()).values())
    apart = [((x - u) ** 2 + (y - v) ** 2) ** 0.5 for at, (x, y) in enumerate(spots) for u, v in spots[:at]]
    assert min(apart) >= STEP - 2

    here = place(a_map())
    near = [(here[one], here[other]) for one, other in a_map().edges]
    longest = max(((x - u) ** 2 + (y - v) ** 2) ** 0.5 for (x, y), (u, v) in near)
    corner, opposite = here["VE-0"], here["VE-11"]
    assert longest < ((corner[0] - opposite[0]) ** 2 + (corner[1] - opposite[1]) ** 2) ** 0.5 / 2


def test_the_author_of_a_map_says_where_cells_stand() -> None:
    """With coordinates in the setup the map is drawn as they say."""
    spots = place(a_map(at=True))
    assert ((0, 0), (STEP, 0), (0, STEP)) == (spots["VE-0"], spots["VE-1"], spots["VE-4"])


@pytest.mark.parametrize("count", [0, 1, 2])
def test_the_smallest_maps_can_be_drawn(count: int) -> None:
    """A planet without ways, of one cell, or of none."""
    nodes = tuple(Node(f"A-{n}") for n in range(count))
    svg = drawn(Map(nodes, (), (), (), said("nadie")))
    assert count == svg.count(">A-")


def test_owners_are_told_by_letters_too() -> None:
    """Colour is never all: each owned cell has its owner's letters, and the legend says whose they are."""
    root = ET.fromstring(drawn(a_map("Imperio")).encode())  # noqa: S314
    words = [one.text for one in root.iter("{http://www.w3.org/2000/svg}text")]
    assert (5, 5, 1, 1) == (words.count("I"), words.count("TA"), words.count("Tau"), words.count("nadie"))


def test_more_armies_than_fit_are_counted() -> None:
    """Three labels at most stand below a cell, the last one says how many more there are."""
    assert (2, 1) == (drawn(a_map()).count(">+3<"), drawn(a_map()).count(">E50: 4<"))


def test_a_chart_ends_with_letters_and_numbers_that_do_not_cover_each_other() -> None:
    """Lines that end at the same number have their letters below each other."""
    sides = tuple(Side(one, said(one)) for one in "ABCDEFGH")
    root = ET.fromstring(drawn(Chart(sides, ((1, 5),) * 8, 1, said("Turno"))).encode())  # noqa: S314
    texts = [one.attrib for one in root.iter("{http://www.w3.org/2000/svg}text") if one.text == "5"]
    ends = sorted(int(one["y"]) for one in texts if one["text-anchor"] == "start")
    assert 8 == len(ends)
    assert 20 <= min(other - one for one, other in pairwise(ends))


def test_a_picture_lies_in_its_page() -> None:
    """A page needs no other file: the picture is in it, as an image that can run nothing."""
    picture = Picture("map-VE", said("Veth"), said('Mapa de "Veth"'), a_map(), told=True)
    svg = draw_svg(picture, CATALOGUE)
    address = f"data:image/svg+xml;base64,{_encoded(svg)}"
    page = HtmlRenderer({"map-VE": address}.get).render(lay_out_block(picture, CATALOGUE))
    image = BeautifulSoup(page, "lxml").img
    assert image is not None
    assert (svg, 'Mapa de "Veth"') == (b64decode(str(image["src"]).partition(",")[2]).decode(), image["alt"])
    assert "" == HtmlRenderer().render(lay_out_block(picture, CATALOGUE))


def _encoded(svg: str) -> str:
    return b64encode(svg.encode()).decode()


def test_a_folder_has_each_picture_as_svg_and_as_png(tmp_path: Path) -> None:
    """Beside the SVG lies a PNG of it, with words in it though the system's faces aren't used."""
    svg = drawn(a_map())
    write_files(tmp_path, [ReportFile("map-ve.svg", svg), ReportFile("report.md", "…")])

    assert ["map-ve.png", "map-ve.svg", "report.md"] == sorted(one.name for one in tmp_path.iterdir())
    assert _rows((tmp_path / "map-ve.png").read_bytes()) != _rows(draw_png(svg.replace(">VE-5<", "><")))


def _rows(png: bytes) -> bytes:
    """The pixels of a PNG, still filtered."""
    assert b"\x89PNG\r\n\x1a\n" == png[:8]
    at, data = 8, b""
    while at < len(png):
        length, kind = struct.unpack(">I4s", png[at : at + 8])
        data += png[at + 8 : at + 8 + length] if kind == b"IDAT" else b""
        at += length + 12
    return zlib.decompress(data)


def test_an_id_is_never_cut_where_it_can_be_written_smaller() -> None:
    """Ids are typed in orders: they get smaller letters, and only a monster of a name loses its beginning."""
    ids = ("VE-1", "CORVU-120", "CORVUSMAJORISPRIMUS-33")
    root = ET.fromstring(drawn(Map(tuple(map(Node, ids)), (), (), (), said("nadie"))).encode())  # noqa: S314
    texts = {one.text: one.attrib for one in root.iter("{http://www.w3.org/2000/svg}text")}
    assert {"VE-1", "CORVU-120"} < texts.keys()
    assert int(texts["CORVU-120"]["font-size"]) < int(texts["VE-1"]["font-size"])
    assert ["33"] == [one.rpartition("-")[2] for one in texts if one and one.startswith("…")]


def test_a_side_whose_letters_cannot_be_drawn_is_told_by_a_number() -> None:
    """A PNG has no Chinese letters; the side is told apart all the same."""
    assert 5 == drawn(a_map(mark="中")).count(">#1<")
