"""Rule sets, languages and seats that the director names on the command line."""

from __future__ import annotations

from enum import StrEnum

from jobs.commands.files import fail
from jobs.speech import say
from rules.engine.folding import fold
from rules.engine.registry import RulesetError, load_ruleset, ruleset_ids
from rules.engine.ruleset import Ruleset
from rules.play.game import Game, Seat


class Language(StrEnum):
    """Languages that have texts."""

    SPANISH = "es"
    ENGLISH = "en"


class Software(StrEnum):
    """Forum programs with an adapter."""

    SPIRIT = "spirit"
    FLASKBB = "flaskbb"
    DISCOURSE = "discourse"
    MYBB = "mybb"
    SMF = "smf"
    NODEBB = "nodebb"
    XENFORO = "xenforo"
    FLARUM = "flarum"
    MISAGO = "misago"
    PHPBB = "phpbb"
    FOLDER = "folder"
    UMBRIA = "umbria"


def find_ruleset(name: str) -> Ruleset:
    """The rule set of that id. Ends the command with those that there are, or with what is wrong with it."""
    try:
        return load_ruleset(name)
    except RulesetError as fault:
        if fault.code == "unknown":
            fail(say("cli/ruleset-unknown", ruleset=name, known=tuple(ruleset_ids())))
        fail(say("cli/ruleset-broken", ruleset=name, detail=fault.detail))


def find_seat(game: Game, named: str | None) -> Seat:
    """The seat of that id or name, the only one where none is named. Ends the command with those that there
    are.
    """
    listed = tuple(seat.id for seat in game.seats)
    if named is None:
        if len(game.seats) == 1:
            return game.seats[0]
        fail(say("cli/say-seat", seats=listed))
    found = [one for one in game.seats if fold(named) in (fold(one.id), fold(one.shown.text))]
    if not found:
        fail(say("cli/no-such-seat", seat=named, seats=listed))
    return found[0]
