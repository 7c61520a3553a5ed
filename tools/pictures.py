"""Takes the README's pictures from the pages that `make demo` has saved: `tools/pictures.py` after it.

Needs Debian's chromium-headless-shell and pngquant, which nobody needs to play, test or check.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from bs4 import BeautifulSoup, Tag

ROOT = Path(__file__).resolve().parents[1]
PAGES = ROOT / "build" / "demo" / "paginas"
MAP = ROOT / "build" / "demo" / "partida" / "reports" / "turn-001" / "map-es-hermandad.png"
IMAGES = ROOT / "docs" / "images"
CHROMIUM = ["chromium-headless-shell", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
_STYLE = "<style>body, .layout__main{margin:0;padding:4px} .comments_list{border:0;margin:0}</style>"
_MEASURE = (
    "<script>onload = () => document.title = 'high ' + Math.ceil("
    "document.querySelector('.comments_list').getBoundingClientRect().bottom)</script>"
)


@dataclass(frozen=True)
class Picture:
    """Some posts of a saved page. posts: positions, or what stands in them. until: left out from there on."""

    name: str
    page: str
    posts: tuple[str, ...]
    width: int = 680
    until: str = ""


PICTURES = (
    Picture("recibo.png", "1-primeros-recibos/privado-quique.html", ("#2", ":receipt-")),
    Picture("corregido.png", "2-final/privado-quique.html", (":receipt-", "se me fue el dedo")),
    Picture("informe.png", "2-final/tema.html", (":report:1/",), until="Semilla del turno"),
    Picture("movil.png", "2-final/privado-bruno.html", (":report-",), width=420, until="Tus dados"),
)


def take(picture: Picture) -> Path:
    """Take one picture. Raises CalledProcessError where a program is missing or fails."""
    source = PAGES / picture.page
    page = BeautifulSoup(source.read_text(encoding="utf-8"), "html.parser")
    for box in page.select(".comments_list > *"):
        if not _is_wanted(str(box), picture):
            box.decompose()
    for foot in page.select(".comment__footer"):
        foot.decompose()
    if picture.until:
        for text in page.select(".comment__text"):
            _cut(text, picture.until)
    _leave_alone(page.select_one(".comments_list"))
    extras = BeautifulSoup(_STYLE + _MEASURE, "html.parser")
    (page.body or page).extend(list(extras.contents))
    draft = source.with_name(f"_{picture.name}.html")
    draft.write_text(page.decode(formatter="minimal"), encoding="utf-8")
    try:
        height = _measure(draft, picture.width)
        target = IMAGES / picture.name
        _run([*CHROMIUM, f"--screenshot={target}", f"--window-size={picture.width},{height}", draft.as_uri()])
        _shrink(target)
    finally:
        draft.unlink()
    return target


def copy_map() -> Path:
    """A map of the demo's report as it is."""
    target = IMAGES / "mapa.png"
    shutil.copyfile(MAP, target)
    _shrink(target)
    return target


def _shrink(picture: Path) -> None:
    _run(["pngquant", "--force", "--skip-if-larger", "--ext", ".png", "64", str(picture)])


def _cut(text: Tag, until: str) -> None:
    """Leave out what stands behind the first block that holds some words, and that block."""
    blocks = [block for block in text.children if isinstance(block, Tag)]
    first = next((n for n, block in enumerate(blocks) if until in block.get_text()), len(blocks))
    for block in blocks[first:]:
        block.decompose()


def _leave_alone(tag: Tag | None) -> None:
    """Take away what stands around a tag, up to the page's body."""
    while tag is not None and tag.name != "body":
        for other in [*tag.find_previous_siblings(), *tag.find_next_siblings()]:
            other.decompose()
        tag = tag.parent


def _is_wanted(box: str, picture: Picture) -> bool:
    return any(f'data-number="{one[1:]}"' in box if one[0] == "#" else one in box for one in picture.posts)


def _measure(page: Path, width: int) -> int:
    dumped = _run([*CHROMIUM, "--dump-dom", f"--window-size={width},400", page.as_uri()])
    found = re.search(r"<title>high (\d+)", dumped)
    if found is None:
        raise ValueError(f"{page} doesn't say how high it is")
    return int(found.group(1))


def _run(command: list[str]) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def main() -> None:
    """Take them all."""
    if not PAGES.is_dir():
        sys.exit("no pages: run `make demo` first")
    IMAGES.mkdir(parents=True, exist_ok=True)
    for target in (*map(take, PICTURES), copy_map()):
        print(f"{target.relative_to(ROOT)}: {target.stat().st_size // 1024} KB")


if __name__ == "__main__":
    main()
