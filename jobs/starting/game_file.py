"""A `game.toml` in which every setting stands with its default and what it does."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from importlib.resources import files
from string import Template
from typing import Any

from parsers.files.credentials import variable_of
from parsers.files.toml_text import write_toml
from rules.engine.catalogue import Catalogue
from rules.engine.codec import dump_state
from rules.engine.folding import fold
from rules.engine.messages import Message
from rules.engine.questions import Hold, QuestionPolicy, Wait
from rules.engine.ruleset import Ruleset
from rules.play.game import FOLDER

LONGEST_ID = 40
"""Characters of a game's id."""

_COLUMN = 35
_SUNDAY = 6
_LEAST_DAYS = 7


@dataclass(frozen=True, slots=True)
class NewGame:
    """What is known of a game that begins. seats: ids. today: local date of the director's machine.

    software: of its forum; where a person carries the posts, each seat's player is called like the seat.
    """

    name: str
    seats: tuple[str, ...]
    today: date
    software: str = "spirit"


def write_game_file(game: NewGame, ruleset: Ruleset, catalogue: Catalogue, options: Mapping[str, Any]) -> str:
    """The file's text. catalogue: its language is the file's. options: those that are set to begin with."""
    game_id = make_id(game.name, ruleset.id)
    accounts = {seat: {"account": seat} if game.software == FOLDER else {} for seat in game.seats}
    seats = _body(write_toml({"seats": accounts}))
    kind, language = game.software, catalogue.language
    known = {"password": variable_of(game_id), "seat": seats[0].partition(" = ")[0]}
    return _read(f"game.{language}.toml").substitute(
        id=game_id,
        forum=_read(f"forum.{kind}.{language}.toml").substitute(known),
        accounts=_read(f"accounts.{kind}.{language}.toml").substitute(known).rstrip(),
        title=_line("title", make_title(game.name)).removeprefix('title = "').removesuffix('"'),
        ruleset=ruleset.id,
        first=first_sunday(game.today).isoformat(),
        seats="\n".join(seats),
        questions="\n".join(_questions(ruleset)),
        options="\n".join(_options(ruleset, catalogue, options)),
    )


def write_copied_example(game: NewGame, language: str) -> str:
    """A text file as it goes into an inbox, with two posts of players."""
    other = game.seats[min(1, len(game.seats) - 1)]
    known = {"seat": game.seats[0], "other": other, "date": game.today.isoformat()}
    return _read(f"copied.{language}.txt").substitute(known)


def _read(name: str) -> Template:
    return Template((files("jobs.starting") / name).read_text(encoding="utf-8"))


def make_id(name: str, otherwise: str) -> str:
    """A game's id from the words of a name; `otherwise` where nothing of it can stand in one."""
    slug = re.sub(r"[^a-z0-9]+", "-", fold(name)).strip("-")[:LONGEST_ID].strip("-")
    return slug if slug not in ("", "rehearse") else otherwise


def make_title(name: str) -> str:
    """A title from the name of a folder."""
    words = " ".join(re.sub(r"[\W_]+", " ", name).split())
    return words[:1].upper() + words[1:] or "Turnero"


def first_sunday(today: date) -> date:
    """The first Sunday that leaves players at least a week."""
    start = today + timedelta(days=_LEAST_DAYS)
    return start + timedelta(days=(_SUNDAY - start.weekday()) % 7)


def _body(text: str) -> list[str]:
    """The lines of a TOML text's only table."""
    return text.splitlines()[1:]


def _line(key: str, value: Any) -> str:
    return write_toml({key: value}).strip("\n")


def _questions(ruleset: Ruleset) -> Iterator[str]:
    for kind, policy in sorted(ruleset.questions.items()):
        yield f"#{_line(kind, _say_policy(policy))}"


def _say_policy(policy: QuestionPolicy) -> str:
    if isinstance(policy, Wait):
        return f"wait {int(policy.time.total_seconds()) // 3600}h"
    return "hold" if isinstance(policy, Hold) else "default"


def _options(ruleset: Ruleset, catalogue: Catalogue, given: Mapping[str, Any]) -> Iterable[str]:
    """Each option with its default, off where it isn't given, with the rule set's words for it."""
    defaults = dump_state(ruleset.options(), defaults=True)
    for name, default in defaults.items():
        setting = _setting(name, given.get(name, default))
        text = f"{ruleset.id}/option-{name}"
        said = f"# {catalogue.text(Message(text))}" if text in catalogue else ""
        yield f"{setting if name in given else f'#{setting}':<{_COLUMN - 1}} {said}".rstrip()


def _setting(name: str, value: Any) -> str:
    """A line that sets an option; one without a value can only be named."""
    if value is None:
        return f" {name}"
    return f"{name} = {{}}" if isinstance(value, dict) else _line(name, value)
