"""Forms, tokens, messages and redirects of django-spirit, and the text a reader sees."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from bs4 import BeautifulSoup, Tag

from parsers.pages.guard import NotATopicPage

_FOUND = re.compile(r"/comment/([0-9]+)/find/$")
_PRIVATE = re.compile(r"/topic/private/([0-9]+)/[^/]+/$")
_PUBLIC = re.compile(r"/topic/([0-9]+)/[^/]+/$")
_WAIT = re.compile(r"\b([0-9]{1,5})\s*(s|m)\b")
# What a reader sees begin and end on lines of its own.
_BLOCKS = re.compile(
    "^(address|article|aside|blockquote|br|dd|div|dl|dt|figure|footer|form|h[1-6]|header|hr|li|ol|p|pre"
    "|section|table|tbody|td|tfoot|th|thead|tr|ul)$"
)
_SILENT = ("blockquote", "script", "style", "template", "noscript", "textarea")


@dataclass(frozen=True, slots=True)
class Form:
    """A form as the page offers it. fields: names and values to send back unchanged, the token among them."""

    fields: tuple[tuple[str, str], ...]
    text: str

    def filled(self, **values: str) -> dict[str, str]:
        """What to send: the form's own values, and the given ones."""
        return {**dict(self.fields), **values}


def parse_form(page: Tag, *names: str) -> Form:
    """Find the one POST form that has all the named fields; `text` is what its `comment` area holds, with LF.

    Raises:
        NotATopicPage: there is no such form.
    """
    for form in page.select("form[method=post]"):
        if all(form.find(["input", "textarea", "select"], attrs={"name": name}) for name in names):
            area = form.find("textarea", attrs={"name": "comment"})
            return Form(_hidden_fields(form), _area_text(area) if isinstance(area, Tag) else "")
    raise NotATopicPage("page/no-form", f"the page has no form with the fields {', '.join(names)}")


def _hidden_fields(form: Tag) -> tuple[tuple[str, str], ...]:
    inputs = form.select("input[type=hidden][name]")
    return tuple((str(i["name"]), str(i.get("value") or "")) for i in inputs)


def _area_text(area: Tag) -> str:
    # The template writes a line end after the opening tag; Spirit strips what people send, so no text begins
    # so.
    return area.get_text().replace("\r\n", "\n").lstrip("\n")


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


def read_last_line(html: str) -> str:
    """The last line that a reader sees outside quotes, blanks folded; empty where there is none.

    Emoji pictures count as the `:word:` that was typed, so that a marker survives them.
    """
    lines = _read_lines(html)
    return lines[-1] if lines else ""


def _read_lines(html: str) -> list[str]:
    body = BeautifulSoup(html, "lxml")
    for tag in body(_SILENT):
        tag.decompose()
    for emoji in body.select("i.tw[title]"):
        emoji.replace_with(str(emoji["title"]))
    for tag in body(_BLOCKS):
        tag.insert_before("\n")
        tag.append("\n")
    lines = (" ".join(line.split()) for line in body.get_text().splitlines())
    return [line for line in lines if line]
