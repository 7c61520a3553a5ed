"""What phpBB 3.3 says around its forms: complaints, notices in place of a page, redirects, quotes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from bs4 import Tag

from parsers.pages.guard import NotATopicPage
from parsers.pages.phpbb import find_in, words_of
from parsers.pages.topics import attribute

_REFRESH = re.compile(r"^\s*[0-9]+\s*;\s*url\s*=\s*(\S+)\s*$", re.IGNORECASE)
# phpBB quotes a value where it holds a blank, a quote, a backslash or a bracket.
_VALUE = r"""(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|([^\s"'\\\]]*))"""
_HEAD = re.compile(rf"\[quote={_VALUE}((?: [a-z_]+={_VALUE})*)\]")
_PART = re.compile(rf" ([a-z_]+)={_VALUE}")
_END = "[/quote]"
_LONG = 80
"""Longer quotes, in bytes, stand on lines of their own."""


@dataclass(frozen=True, slots=True)
class Notice:
    """A page that says something in place of what was asked for. target: where it leads by itself, None where
    it leads nowhere.
    """

    words: str
    target: str | None


@dataclass(frozen=True, slots=True)
class Quote:
    """A text as typed, as phpBB offers it to whoever wants to quote it. values: by name, such as `post_id`,
    `time` (Unix) and `user_id`.
    """

    author: str
    values: Mapping[str, str]
    text: str


def parse_notice(page: Tag) -> Notice | None:
    """What phpBB says in place of a page, with status 200; None where the page is one."""
    box = page.select_one("#page-body #message.panel .inner > p")
    if box is None:
        return None
    refresh = page.select_one('head > meta[http-equiv="refresh" i]')
    found = _REFRESH.match(attribute(refresh, "content"))
    for link in box.select("br ~ a"):  # where one may go back to
        link.decompose()
    return Notice(words_of(box), found.group(1) if found else None)


def check_notice(page: Tag, code: str = "forum/forbidden") -> None:
    """Refuse a page on which phpBB only says why it shows no other.

    Raises:
        NotATopicPage: with this code and the forum's words.
    """
    notice = parse_notice(page)
    if notice is not None:
        raise NotATopicPage(code, notice.words, notice.words)


def parse_complaints(page: Tag) -> tuple[str, ...]:
    """What the forum says about a refused form, in its own words."""
    said = page.select("#login div.error, #postform p.error, #postform div.error")
    return tuple(dict.fromkeys(words_of(one) for one in said))


def wants_captcha(page: Tag) -> bool:
    """Whether the login form asks for more than name and password."""
    asked = "[name=confirm_id], [name=confirm_code], [name=qa_answer], .g-recaptcha, .h-captcha"
    return page.select_one(f"#login :is({asked}, [id^=captcha], .captcha-panel)") is not None


def is_posting_form(page: Tag) -> bool:
    """Whether the page shows a form for a text, as it does again where phpBB hasn't taken one."""
    return page.select_one("form#postform textarea[name=message]") is not None


def find_post(location: str) -> str | None:
    """The post's id in an address such as `viewtopic.php?t=5&p=17`, None for any other."""
    return _find_number(location, "viewtopic.php")


def find_letter(location: str) -> str | None:
    """The private message's number in an address such as `ucp.php?i=pm&mode=view&p=7`, None for any other."""
    seen = find_in(location, "i") == "pm" and find_in(location, "mode") == "view"
    return _find_number(location, "ucp.php") if seen else None


def leads_to_topic(location: str) -> bool:
    """Whether an address is that of a topic or of a forum's list of topics."""
    return urlsplit(location).path.rpartition("/")[2] in ("viewtopic.php", "viewforum.php")


def _find_number(location: str, script: str) -> str | None:
    number = find_in(location, "p")
    right = urlsplit(location).path.rpartition("/")[2] == script
    return number if right and number and number.isdecimal() else None


def parse_quote(text: str) -> Quote | None:
    """The text that phpBB has put between `[quote=…]` and `[/quote]`, exactly; None where it hasn't.

    text: as the quote form holds it. What is cut off again is what phpBB adds: long texts and those of
    several lines stand on lines of their own.
    """
    whole = text.rstrip()
    head = _HEAD.match(whole)
    if head is None or not whole.endswith(_END):
        return None
    inner = whole[head.end() : -len(_END)]
    apart = inner.startswith("\n") and inner.endswith("\n") and len(inner) > 1
    typed = inner[1:-1] if apart else inner
    if typed != typed.strip() or apart != _stands_apart(head.group(), typed):
        return None
    values = {part.group(1): _unescape(*part.group(2, 3, 4)) for part in _PART.finditer(head.group(4))}
    return Quote(_unescape(*head.group(1, 2, 3)), values, typed)


def _stands_apart(head: str, typed: str) -> bool:
    return "\n" in typed or len(f"{head}{typed}{_END}".encode()) > _LONG


def _unescape(*found: str | None) -> str:
    double, single, bare = found
    quoted = double if double is not None else single
    return (bare or "") if quoted is None else re.sub(r"\\(.)", r"\1", quoted)
