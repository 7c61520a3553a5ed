"""Saves the forum's pages as its players saw them, with style sheets and fonts, to be opened without the
forum.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from os.path import relpath
from pathlib import Path, PurePosixPath
from urllib.parse import urljoin, urlsplit

from bs4 import BeautifulSoup, Tag

from jobs.demo.browser import Browser, BrowserError

STATIC = "static"
INDEX = "index.html"
_CSS_URL = re.compile(r"url\(\s*(['\"]?)([^'\")]+)\1\s*\)")
_CSS_RULE = re.compile(r"([^{}]+)\{([^{}]*url\([^{}]*)\}")
_CSS_CLASS = re.compile(r"\.([\w-]+)")
_POST = re.compile(r"/comment/(\d+)/find/$")
_TOPIC = re.compile(r"/topic/(?:private/)?(\d+)/")
_FRAME = """<!doctype html>
<html lang="es"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>body {{ font: 1rem/1.6 sans-serif; max-width: 40rem; margin: 2rem auto; padding: 0 1rem
}}</style></head> <body><h1>{title}</h1>
<ul>
{entries}
</ul>
</body></html>
"""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A page to save. browser: whose eyes see it. name: of the file. told: what it is, for the list of
    pages.
    """

    browser: Browser
    path: str
    name: str
    told: str


def save_pages(
    folder: Path, wanted: Sequence[Wanted], title: str, others: Sequence[tuple[Path, str]] = ()
) -> tuple[Path, ...]:
    """Save the pages and a list of them below `folder`; the files, the list first. Raises BrowserError.

    others: files that lie elsewhere, and what they are, for the list too.
    """
    folder.mkdir(parents=True, exist_ok=True)
    pages = {one.name: one.browser.page(one.path) for one in wanted}
    places = _find_places(pages, wanted)
    static = _Static(folder, {name for page in pages.values() for name in _class_names(page)})
    for one in wanted:
        page = pages[one.name]
        _drop_scripts(page)
        static.keep(one.browser, page)
        _redirect_links(one.browser, page, places)
        (folder / one.name).write_text(page.decode(formatter="minimal"), encoding="utf-8")
    listing = [(one.name, one.told) for one in wanted]
    listing += [(Path(relpath(path, folder)).as_posix(), told) for path, told in others]
    entries = "\n".join(f'<li><a href="{escape(name)}">{escape(told)}</a></li>' for name, told in listing)
    listed = folder / INDEX
    listed.write_text(_FRAME.format(title=escape(title), entries=entries), encoding="utf-8")
    return (listed, *(folder / one.name for one in wanted))


def _find_places(pages: dict[str, BeautifulSoup], wanted: Sequence[Wanted]) -> dict[str, str]:
    """Where posts (`post/17`) and topics (`topic/2`) stand among the saved pages."""
    places: dict[str, str] = {}
    for one in wanted:
        topic = _TOPIC.search(one.path)
        if topic:
            places.setdefault(f"topic/{topic.group(1)}", one.name)
        for box in pages[one.name].select("[data-pk]"):
            places.setdefault(f"post/{box['data-pk']}", f"{one.name}#{box.get('id')}")
    return places


def _drop_scripts(page: BeautifulSoup) -> None:
    """Without its forum a script can only fail; the pages show all they have without."""
    for script in page("script"):
        script.decompose()


def _redirect_links(browser: Browser, page: BeautifulSoup, places: dict[str, str]) -> None:
    """Let links lead to saved pages where there is one, else to where the forum was."""
    for link in page.select("a[href]"):
        address = str(link["href"])
        if address.startswith("#"):
            continue
        target = urljoin(browser.base_url, address)
        link["href"] = _saved_place(browser, target, places) or target


def _saved_place(browser: Browser, target: str, places: dict[str, str]) -> str | None:
    if not target.startswith(browser.base_url):
        return None
    parts = urlsplit(target)
    post, topic = _POST.search(parts.path), _TOPIC.match(parts.path)
    if post:
        return places.get(f"post/{post.group(1)}")
    return places.get(f"topic/{topic.group(1)}") if topic and not parts.query else None


def _class_names(page: BeautifulSoup) -> set[str]:
    return {str(name) for tag in page.select("[class]") for name in tag.get_attribute_list("class")}


class _Static:
    """What pages refer to, saved once each. classes: those that the pages use; of a thousand emoji, a few."""

    def __init__(self, folder: Path, classes: set[str]) -> None:
        self._folder = folder
        self._classes = classes
        self._kept: dict[str, str] = {}

    def keep(self, browser: Browser, page: BeautifulSoup) -> None:
        """Save a page's style sheets, icons and pictures, and let the page refer to the saved ones."""
        for tag, attribute in _references(page):
            place = self._save(browser, urljoin(browser.base_url, str(tag[attribute])))
            if place:
                tag[attribute] = place
        for style in page("style"):
            style.string = self._rewrite(browser, style.get_text(), browser.base_url, "")

    def _save(self, browser: Browser, address: str) -> str | None:
        """The place of a file relative to the pages, None for what the forum doesn't have."""
        address = address.partition("#")[0]
        if address in self._kept:
            return self._kept[address]
        try:
            answer = browser.fetch(address)
        except BrowserError:
            return None
        place = f"{STATIC}/{_file_name(address)}"
        self._kept[address] = place
        content = answer.content
        if place.endswith(".css"):
            content = self._rewrite(browser, content.decode("utf-8"), address, f"{STATIC}/").encode()
        target = self._folder / place
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
        return place

    def _rewrite(self, browser: Browser, sheet: str, address: str, inside: str) -> str:
        """Save what a style sheet refers to. inside: the folder that the sheet itself is saved in."""

        def saved(found: re.Match[str]) -> str:
            if found.group(2).startswith("data:"):
                return found.group(0)
            place = self._save(browser, urljoin(address, found.group(2)))
            return f'url("{place.removeprefix(inside)}")' if place else 'url("")'

        def kept(rule: re.Match[str]) -> str:
            selectors = (set(_CSS_CLASS.findall(one)) for one in rule.group(1).split(","))
            if not any(named <= self._classes for named in selectors):
                return ""
            return f"{rule.group(1)}{{{_CSS_URL.sub(saved, rule.group(2))}}}"

        return _CSS_RULE.sub(kept, sheet)


def _references(page: BeautifulSoup) -> list[tuple[Tag, str]]:
    sheets = page.select("link[rel~=stylesheet][href], link[rel~=icon][href]")
    return [*((one, "href") for one in sheets), *((one, "src") for one in page.select("img[src]"))]


def _file_name(address: str) -> str:
    """A flat name, told apart from others of that name by a part of the path's hash."""
    path = PurePosixPath(urlsplit(address).path)
    return f"{path.stem}-{hashlib.sha256(str(path).encode()).hexdigest()[:6]}{path.suffix}"
