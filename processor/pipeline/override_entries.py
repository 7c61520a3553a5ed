"""The entries of an override file: read from its text, named in errors by their keys, and refused."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from parsers.files.errors import FileErrors, FileProblem
from parsers.files.override import (
    AcceptPost,
    Add,
    Cancel,
    Extend,
    IgnorePost,
    Override,
    Pause,
    Replace,
    Resume,
    Ruling,
    SetDeadline,
    SetDie,
    SetValue,
    UseBeacon,
    Void,
    load_overrides,
)
from rules.engine.messages import Message
from rules.play.attempts import Orders

KEYS: Mapping[type[Any], str] = {
    Replace: "replace",
    Cancel: "cancel",
    Add: "add",
    IgnorePost: "ignore_post",
    AcceptPost: "accept_post",
    SetValue: "set",
    SetDie: "die",
    Ruling: "ruling",
    SetDeadline: "deadline",
    Extend: "extend",
    Pause: "pause",
    Resume: "resume",
    Void: "void",
    UseBeacon: "beacon",
}
"""The key that makes an entry what it is."""


class Refused(Exception):
    """An entry that can't be applied; what is wrong and what would be right are for the director."""

    def __init__(self, code: str, wrong: Message, right: Message) -> None:
        super().__init__(wrong.id)
        self.code = code
        self.wrong = wrong
        self.right = right


def read_entries(text: str, file: str, attempt: int = 1) -> tuple[Override, ...]:
    """The entries of a file's text that are for an attempt, none of an empty text.

    What stands in front of the entry that has reopened the turn was about orders that don't count any more.
    Raises FileErrors, with `file` as its name.
    """
    entries = load_overrides(text, file) if text.strip() else ()
    reopened = [at for at, one in enumerate(entries) if _has_reopened(one, attempt)]
    return entries[reopened[-1] :] if reopened else entries


def _has_reopened(entry: Override, attempt: int) -> bool:
    return isinstance(entry, Void) and entry.orders is Orders.REOPEN and entry.attempt < attempt


def read_quietly(text: str, attempt: int = 1) -> tuple[Override, ...]:
    """The entries of a file's text; one that can't be read has none in force, its turn is held for that."""
    try:
        return read_entries(text, "", attempt)
    except FileErrors:
        return ()


def fault(file: str, entry: Override, code: str, wrong: Message, right: Message) -> FileProblem:
    """What is wrong with an entry, at its place in the file."""
    place = f"override#{entry.place}.{KEYS[type(entry)]}"
    return FileProblem(file, entry.line, place, f"override/{code}", wrong, right)
