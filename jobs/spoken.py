"""The command line's help in the language that is spoken.

Its texts stand in the code, in Spanish, where a command or an option is declared, and Typer has some of its
own in English. `locale/help.LANGUAGE.po` has the others, as gettext does it: by the text itself.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import lru_cache
from importlib.resources import files
from io import BytesIO
from typing import Any, Protocol

from babel.messages.pofile import read_po
from typer import rich_utils
from typer.core import TyperCommand, TyperGroup

from jobs.catalogues import LANGUAGES
from jobs.speech import language, speaking

VARIABLE = "TURNERO_LANGUAGE"
"""The environment's word for `--language`."""

_TYPERS = {
    "OPTIONS_PANEL_TITLE": "Options",
    "ARGUMENTS_PANEL_TITLE": "Arguments",
    "COMMANDS_PANEL_TITLE": "Commands",
    "DEFAULT_STRING": "[default: {}]",
    "ENVVAR_STRING": "[env var: {}]",
    "REQUIRED_LONG_STRING": "[required]",
}


class Helped(Protocol):
    """A command, as far as its help goes."""

    help: str | None
    params: list[Any]


@lru_cache
def load_help(spoken: str) -> dict[str, str]:
    """The texts of the help in a language by the text in the code; what isn't there is in that language."""
    source = files("jobs") / "locale" / f"help.{spoken}.po"
    found = read_po(BytesIO(source.read_bytes()), locale=spoken, abort_invalid=True)
    return {str(one.id): str(one.string) for one in found if one.id and one.string and not one.fuzzy}


def list_help(command: Helped) -> Iterator[str]:
    """The texts of a command as they stand in the code: its own, and those of its options and arguments."""
    for owner, name in _places(command):
        text = getattr(owner, name)
        if text:
            yield " ".join(text.split())


def translate(command: Helped) -> None:
    """Put a command's texts into the language that is spoken."""
    for owner, name in _places(command):
        text = getattr(owner, name)
        if text:
            setattr(owner, name, _said(" ".join(text.split())))


def _places(command: Helped) -> Iterator[tuple[object, str]]:
    yield command, "help"
    for param in command.params:
        yield param, "metavar"
        if hasattr(param, "help"):
            yield param, "help"


class SpokenCommand(TyperCommand):
    """A command whose help and whose errors are in the language that is spoken."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """The arguments; the language is known by now."""
        translate(self)
        return super().parse_args(ctx, args)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """The help."""
        _name_panels()
        super().format_help(ctx, formatter)

    def get_help_option(self, ctx: Any) -> Any:
        """The option that shows the help, told in the same language."""
        return _told(super().get_help_option(ctx))


class SpokenGroup(TyperGroup):
    """All commands. Their help comes before any option is read, so the language is looked for in advance."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """The arguments; `--help` is answered on the way."""
        asked = _peek(args)
        if asked in LANGUAGES:
            ctx.with_resource(speaking(asked))
        for command in (self, *self.commands.values()):
            translate(command)
        return super().parse_args(ctx, args)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """The help."""
        _name_panels()
        super().format_help(ctx, formatter)

    def get_help_option(self, ctx: Any) -> Any:
        """The option that shows the help, told in the same language."""
        return _told(super().get_help_option(ctx))


def _peek(args: Sequence[str]) -> str:
    """The language that is asked for in front of the command, else by the environment; "" for none."""
    for at, one in enumerate(args):
        if one == "--language":
            return "".join(args[at + 1 : at + 2])
        if one.startswith("--language="):
            return one.partition("=")[2]
        if not one.startswith("-") and args[at - 1 : at] != ["--log-format"]:
            break
    return os.environ.get(VARIABLE, "")


def _said(text: str) -> str:
    return load_help(language()).get(text, text)


def _told(option: Any) -> Any:
    if option is not None:
        option.help = _said("Show this message and exit.")
    return option


def _name_panels() -> None:
    """Typer's own words, which it keeps for all commands alike."""
    for name, text in _TYPERS.items():
        setattr(rich_utils, name, _said(text))
