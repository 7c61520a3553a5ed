"""Forms of SMF 2.1, and the texts that they offer to whoever quotes."""

from __future__ import annotations

import re
from collections.abc import Mapping

from bs4 import Tag

_QUOTED = re.compile(
    r"\[quote author=[^\n]* link=(?:msg|action=profile;u|topic)=[^\n\]]* date=[0-9]{1,12}\]\n"
    r"(.*)\n\[/quote\]",
    re.DOTALL,
)
_TOKEN = re.compile("[0-9a-f]{32}")
_SECONDS = re.compile(r"\b([0-9]{1,4})\b")


def parse_quote(text: str) -> str | None:
    """The text as its author typed it, from what SMF offers to whoever quotes it; None where it is no quote.

    SMF leaves out what the text quotes itself: whoever asks has to know that it quotes nothing.
    """
    found = _QUOTED.fullmatch(text.strip("\n"))
    return found[1] if found else None


def parse_wait(said: str) -> float | None:
    """Seconds to wait, the first number of a complaint in any language; None where it names none."""
    found = _SECONDS.search(said)
    return float(found[1]) if found else None


def find_tokens(fields: Mapping[str, str]) -> frozenset[tuple[str, str]]:
    """The fields of a form that stand for the session; even their names are random."""
    return frozenset((name, value) for name, value in fields.items() if _TOKEN.fullmatch(value))


def has_new_replies(sent: Mapping[str, str], returned: Mapping[str, str]) -> bool:
    """Whether a form comes back because others have written since it was got."""
    before, after = sent.get("last_msg", ""), returned.get("last_msg", "")
    return before.isdecimal() and after.isdecimal() and int(after) > int(before)


def is_form(page: Tag) -> bool:
    """Whether a page has the form for posts or messages."""
    return page.select_one("form#postmodify textarea[name=message]") is not None
