"""What MyBB 1.8 offers to whoever quotes a text, and how long it asks to wait."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

_HEAD = re.compile(
    r"""\[quote=(?P<mark>["'])(?P<name>.*?)(?P=mark)"""
    r"""(?: pid='(?P<post>[0-9]+)' dateline='(?P<at>[0-9]+)')?\]\n"""
)
_END = "\n[/quote]"
_NUMBER = re.compile("[0-9]+")
_LONGEST = 3600


@dataclass(frozen=True, slots=True)
class Quote:
    """A text as typed. post_id, written_at (UTC, to the second): None for private messages."""

    author: str
    text: str
    post_id: str | None
    written_at: datetime | None


def parse_quote(offered: str) -> Quote | None:
    """The text that MyBB has put between `[quote=…]` and `[/quote]`; None where that may be another one.

    MyBB turns a line with `/me` into one that begins with `* ` and the author's name: which of them was typed
    can't be told.

    offered: as the form holds it, LF.
    """
    whole = offered.rstrip()
    head = _HEAD.match(whole)
    if head is None or not whole.endswith(_END) or len(whole) - len(_END) < head.end():
        return None
    text = whole[head.end() : -len(_END)]
    if any(line.startswith(f"* {head['name']} ") for line in text.split("\n")):
        return None
    at = head["at"]
    written_at = None if at is None else datetime.fromtimestamp(int(at), UTC)
    return Quote(head["name"], text.strip(), head["post"], written_at)


def find_wait(said: Iterable[str]) -> float | None:
    """Seconds that a complaint asks to wait, in whatever language: the only number in it. None where there is
    none, or several, as about a text's length.
    """
    numbers = [int(one) for words in said for one in _NUMBER.findall(words)[:9]]
    return float(numbers[0]) if len(numbers) == 1 and 1 <= numbers[0] <= _LONGEST else None
