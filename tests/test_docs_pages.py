"""Pages lead where they say, and say the same in both languages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.test_docs_in_step import PAGES, ROOT, list_typed

PAIRS = [
    ("README.es.md", "README.md"),
    ("docs/es/jugar.md", "docs/en/playing.md"),
    ("docs/es/dirigir.md", "docs/en/directing.md"),
    ("docs/es/foros.md", "docs/en/forums.md"),
    ("docs/es/anfitriones.md", "docs/en/hosting.md"),
    ("docs/es/autores.md", "docs/en/rule-authors.md"),
]

pytestmark = pytest.mark.docs


def anchor(title: str) -> str:
    """What a heading is linked by."""
    return re.sub(r"[^\w -]", "", title.lower()).strip().replace(" ", "-")


def headings(text: str) -> list[str]:
    """The headings, code left out."""
    return re.findall(r"(?m)^#+ (.*)$", re.sub(r"(?ms)^```.*?^```$", "", text))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_link_within_the_repository_leads_somewhere(page: Path) -> None:
    """To a file that is there, and to a heading that it has."""
    broken = []
    for link in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")):
        path, _, place = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if "://" in link or link == "…":
            continue
        if not target.exists() or (
            place and place not in map(anchor, headings(target.read_text(encoding="utf-8")))
        ):
            broken.append(link)

    assert [] == broken


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair[1])
def test_both_languages_are_in_step(pair: tuple[str, str]) -> None:
    """As many chapters of each rank, the same pictures, the same commands and the same settings."""
    spanish, english = ((ROOT / name).read_text(encoding="utf-8") for name in pair)
    ranks = [re.findall(r"(?m)^(#+) ", re.sub(r"(?ms)^```.*?^```$", "", text)) for text in (spanish, english)]
    pictures = [re.findall(r"!\[[^\]]*\]\(([^)]+)\)", text) for text in (spanish, english)]
    typed = [list_typed(text, "turnero") | list_typed(text, "make") for text in (spanish, english)]
    settings = [set(re.findall(r"TURNERO_[A-Z_]+", text)) for text in (spanish, english)]

    assert ranks[0] == ranks[1]
    assert pictures[0] == pictures[1]
    assert typed[0] == typed[1]
    assert settings[0] == settings[1]


def test_the_index_links_every_page() -> None:
    """docs/README.md leads to each page in each language."""
    linked = set(re.findall(r"\]\(((?:es|en)/[\w-]+\.md)\)", (ROOT / "docs/README.md").read_text("utf-8")))
    there = {path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").glob("e[sn]/*.md")}

    assert there == linked
