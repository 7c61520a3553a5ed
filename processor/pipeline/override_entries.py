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
    load_overrides,
)
from rules.engine.messages import Message

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
}
"""The key that makes an entry what it is."""


class Refused(Exception):
    """An entry that can't be applied; what is wrong and what would be right are for the director."""

    def __init__(self, code: str, wrong: Message, right: Message) -> None:
        super().__init__(wrong.id)
        self.code = code
        self.wrong = wrong
        self.right = right


def read_entries(text: str, file: str) -> tuple[Override, ...]:
    """The entries of a file's text, none of an empty one. Raises FileErrors, with `file` as its name."""
    return load_overrides(text, file) if text.strip() else ()


def read_quietly(text: str) -> tuple[Override, ...]:
    """The entries of a file's text; one that can't be read has none in force, its turn is held for that."""
    try:
        return read_entries(text, "")
    except FileErrors:
        return ()


def fault(file: str, entry: Override, code: str, wrong: Message, right: Message) -> FileProblem:
    """What is wrong with an entry, at its place in the file."""
    place = f"override#{entry.place}.{KEYS[type(entry)]}"
    return FileProblem(file, entry.line, place, f"override/{code}", wrong, right)
