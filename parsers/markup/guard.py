"""What stands before the HTML parser: caps on one body, in linear time (reliability.md 6.1 e)."""

from __future__ import annotations

import re

from rules.engine.diagnostics import Diagnostic, error

MAX_CHARS = 1_000_000
MAX_TAGS = 40_000
MAX_DEPTH = 200
MAX_TAG_CHARS = 16_384

_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9-]*)[^<>]*(>?)")
# Elements that hold nothing, and those that forums don't close: neither deepens the tree.
_FLAT = frozenset((
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track",
    "wbr", "poll",
    "p", "li", "dt", "dd", "tr", "td", "th", "thead", "tbody", "tfoot", "option",
    "optgroup", "colgroup",
))  # fmt: skip


def find_refusal(body: str) -> Diagnostic | None:
    """Why a post's body must not be given to an HTML parser, None where it may.

    Refused are more than a million characters, more than 40,000 `<`, elements nested deeper than 200, tags of
    more than 16 Ki characters, and a body that ends inside a tag or comment: a parser would drop what
    stands there.
    """
    if len(body) > MAX_CHARS:
        return error("parse/post-too-big", size=len(body), limit=MAX_CHARS)
    if body.count("<") > MAX_TAGS:
        return error("parse/post-too-many-tags", size=body.count("<"), limit=MAX_TAGS)
    if body.rfind("<!--") > body.rfind("-->"):
        return error("parse/post-cut")
    return _find_bad_tag(body)


def _find_bad_tag(body: str) -> Diagnostic | None:
    depth = 0
    for tag in _TAG.finditer(body):
        if tag.end() - tag.start() > MAX_TAG_CHARS:
            return error("parse/post-long-tag", limit=MAX_TAG_CHARS)
        if not tag.group(3) and tag.end() == len(body):
            return error("parse/post-cut")
        if tag.group(2).lower() in _FLAT:
            continue
        depth = max(0, depth - 1) if tag.group(1) else depth + 1
        if depth > MAX_DEPTH:
            return error("parse/post-too-deep", limit=MAX_DEPTH)
    return None
