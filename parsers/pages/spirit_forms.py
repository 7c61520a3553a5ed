"""Preferences, messages, redirects and quotes of django-spirit."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from bs4 import Tag

from parsers.pages.json_body import Shape, read_json

_FOUND = re.compile(r"/comment/([0-9]+)/find/$")
_PRIVATE = re.compile(r"/topic/private/([0-9]+)/[^/]+/$")
_PUBLIC = re.compile(r"/topic/([0-9]+)/[^/]+/$")
_WAIT = re.compile(r"\b([0-9]{1,5})\s*(s|m)\b")


def parse_zone(page: Tag) -> str | None:
    """The time zone that the account has chosen, from its preferences page; None where the page has no such
    choice.
    """
    chosen = page.select_one("select[name=timezone] option[selected]")
    return str(chosen["value"]) if chosen else None


def parse_complaints(page: Tag) -> tuple[str, ...]:
    """What the forum says about a refused form: errors of its fields, then its messages, in its own words."""
    spoken = page.select("ul.errorlist > li, .messages .message_text > li")
    return tuple(dict.fromkeys(" ".join(item.get_text().split()) for item in spoken))


def parse_wait(complaint: str) -> float | None:
    """Seconds to wait, from words such as `Too many submissions, wait 10s.`; None where none are named."""
    found = _WAIT.search(complaint)
    return float(found.group(1)) * (60 if found.group(2) == "m" else 1) if found else None


def parse_found_post(location: str) -> str | None:
    """The post's id in a redirect to `/comment/ID/find/`, None for any other address."""
    found = _FOUND.search(urlsplit(location).path)
    return found.group(1) if found else None


def parse_private_topic(location: str) -> str | None:
    """The conversation's id in a redirect to `/topic/private/ID/title/`, None for any other address."""
    found = _PRIVATE.search(urlsplit(location).path)
    return found.group(1) if found else None


def parse_public_topic(location: str) -> str | None:
    """The topic's id in a redirect to `/topic/ID/title/`, None for any other address."""
    found = _PUBLIC.search(urlsplit(location).path)
    return found.group(1) if found else None


def parse_quoted(text: str) -> str | None:
    """The text as its author typed it, from the quote form's text; None where it is no quote.

    The form holds `> @name said:` and then each line behind `> `.
    """
    lines = text.rstrip("\n").split("\n")
    if not lines[0].startswith("> @") or not all(line == ">" or line.startswith("> ") for line in lines):
        return None
    return "\n".join(line[2:] for line in lines[1:])


class _Upload(Shape):
    url: str | None = None
    error: dict[str, list[str]] | None = None


def parse_upload(body: bytes, content_type: str | None) -> tuple[str | None, tuple[str, ...]]:
    """Where the forum keeps a picture, None where it refuses it, and what it says then. Raises PageError."""
    answer = read_json(body, content_type, _Upload)
    said = [word for words in (answer.error or {}).values() for word in words]
    return answer.url, tuple(said)
