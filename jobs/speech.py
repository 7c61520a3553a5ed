"""The language of the terminal: a game's where there is one, else the one asked for, else Spanish."""

from __future__ import annotations

import re
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from jobs.catalogues import LANGUAGES, load_catalogue
from parsers.files.toml import MAX_BYTES
from rules.engine.catalogue import Catalogue
from rules.engine.messages import Message, Param

_NAMED = re.compile(r"(?m)^[ \t]*language[ \t]*=[ \t]*[\"']([a-z]{2})[\"']")

_language: ContextVar[str] = ContextVar("language", default=LANGUAGES[0])


def set_language(language: str) -> None:
    """Speak `es` or `en` from now on."""
    _language.set(language)


@contextmanager
def speaking(language: str) -> Generator[None]:
    """Speak a language for a while, whatever is set in between; then the one of before."""
    before = _language.set(language)
    try:
        yield
    finally:
        _language.reset(before)


def speak_like(game_file: Path) -> None:
    """Speak the language that a game's file names, as far as it can be told."""
    language = peek_language(game_file)
    if language is not None:
        set_language(language)


def peek_language(game_file: Path) -> str | None:
    """The language that a game's file names, also where it is broken elsewhere; None where it names none."""
    try:
        with game_file.open(encoding="utf-8", errors="replace") as file:
            found = _NAMED.search(file.read(MAX_BYTES))
    except OSError:
        return None
    return found[1] if found is not None and found[1] in LANGUAGES else None


def language() -> str:
    """The language that is spoken now."""
    return _language.get()


def catalogue() -> Catalogue:
    """The texts of the language that is spoken now, without those of any rule set."""
    return load_catalogue(language())


def say(message_id: str, /, **params: Param) -> str:
    """A text of ours, for the terminal."""
    return catalogue().text(Message(message_id, params))
