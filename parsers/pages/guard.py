"""What stands before every page parser: caps that cost linear time, and strict decoding (reliability.md 6.1
e).
"""

from __future__ import annotations

import codecs
import re

MAX_BYTES = 4 * 1024 * 1024
MAX_TAGS = 60_000
MAX_DEPTH = 200
MAX_TAG_BYTES = 16 * 1024

_TAG = re.compile(rb"<(/?)([a-zA-Z][a-zA-Z0-9]*)([^<>]*)>?|<")
_META = re.compile(rb"<meta\b[^<>]{0,200}?charset\s*=\s*[\"']?\s*([a-zA-Z0-9_.:-]{1,40})", re.IGNORECASE)
_CHARSET = re.compile(r"charset\s*=\s*[\"']?\s*([a-zA-Z0-9_.:-]{1,40})", re.IGNORECASE)

# Elements that never hold others, and those whose end tag HTML lets people leave out: neither deepens the
# tree of a page written by hand, and counting them would refuse honest pages.
_FLAT = frozenset(
    b"area base br col embed hr img input link meta param source track wbr "
    b"p li dt dd tr td th thead tbody tfoot option optgroup colgroup".split()
)
# Charsets that forums really send. Browsers read the Latin-1 label as windows-1252, so do we.
_CODECS = {
    "utf-8": "utf-8-sig",
    "ascii": "ascii",
    "iso8859-1": "cp1252",
    "iso8859-15": "iso8859-15",
    **{f"cp125{n}": f"cp125{n}" for n in range(9)},
}


class PageError(Exception):
    """A page that must not be read as posts; `code` is stable, `detail` says what was seen, `words` what the
    forum itself says of it, "" for nothing.
    """

    def __init__(self, code: str, detail: str, words: str = "") -> None:
        super().__init__(f"{code}: {detail}")
        self.code = code
        self.detail = detail
        self.words = words


class NotATopicPage(PageError):
    """The page is something else: a login form, maintenance, a consent wall, other software."""


class IncompletePageError(PageError):
    """The page is cut, shifted, garbled or has changed its structure, so absence in it proves nothing."""


def check_caps(body: bytes) -> None:
    """Refuse bodies that would burn or fool an HTML parser, in time linear in their size.

    Raises:
        IncompletePageError: over 4 MiB, over 60,000 `<`, nested deeper than 200, a tag over 16 KiB, or a NUL
        byte.
    """
    if len(body) > MAX_BYTES:
        raise IncompletePageError("page/too-big", f"{len(body)} bytes, at most {MAX_BYTES} are read")
    if b"\x00" in body:
        raise IncompletePageError(
            "page/nul-byte", "the page holds a NUL byte, parsers disagree on what follows it"
        )
    if body.count(b"<") > MAX_TAGS:
        raise IncompletePageError("page/too-many-tags", f"more than {MAX_TAGS} tags")
    _check_tags(body)


def _check_tags(body: bytes) -> None:
    depth = 0
    for tag in _TAG.finditer(body):
        if tag.end() - tag.start() > MAX_TAG_BYTES:
            raise IncompletePageError("page/long-tag", f"a tag of more than {MAX_TAG_BYTES} bytes")
        name = tag.group(2)
        if name is None or name.lower() in _FLAT or tag.group(3).endswith(b"/"):
            continue
        depth = max(0, depth - 1) if tag.group(1) else depth + 1
        if depth > MAX_DEPTH:
            raise IncompletePageError("page/too-deep", f"elements nested deeper than {MAX_DEPTH}")


def decode_page(body: bytes, content_type: str | None) -> str:
    """Decode a page strictly: by the header's charset, else the page's own, else as UTF-8 (design.md 2).

    Raises:
        IncompletePageError: unknown charset, or bytes that are none of its characters; nothing is ever
        replaced.
    """
    name = _declared(body, content_type)
    try:
        codec = _CODECS[codecs.lookup(name).name]
    except (LookupError, KeyError):
        raise IncompletePageError("page/unknown-charset", f"the page says charset {name!r}") from None
    try:
        return body.decode(codec, errors="strict")
    except UnicodeDecodeError as error:
        detail = f"byte {error.start} is no {name} text"
        raise IncompletePageError("page/wrong-charset", detail) from None


def _declared(body: bytes, content_type: str | None) -> str:
    in_header = _CHARSET.search(content_type or "")
    if in_header:
        return in_header.group(1)
    in_page = _META.search(body[:4096])
    return in_page.group(1).decode("ascii") if in_page else "utf-8"


def ends_html(page: str) -> bool:
    """Whether a text ends where an HTML page does."""
    text = page.rstrip()
    if text.endswith("-->") and "<!--" in text:  # MyBB names the page's template behind it
        text = text[: text.rindex("<!--")].rstrip()
    return text.lower().endswith("</html>")


def check_end(page: str) -> None:
    """Refuse an HTML page that doesn't end where HTML ends.

    Raises:
        IncompletePageError: empty, or HTML without its closing `</html>`.
        NotATopicPage: no HTML document at all.
    """
    if ends_html(page):
        return
    text = page.rstrip()
    start = text.lstrip()[:15].lower()
    if not start or "<!doctype html>".startswith(start) or start.startswith(("<!doctype", "<html")):
        raise IncompletePageError("page/cut", f"the page breaks off after {len(text)} characters")
    raise NotATopicPage("page/no-html", "the answer is no HTML page")
