"""Rule sets and languages that the director names on the command line."""

from __future__ import annotations

from enum import StrEnum

from jobs.commands.files import fail
from jobs.speech import say
from rules.engine.registry import RulesetError, load_ruleset, ruleset_ids
from rules.engine.ruleset import Ruleset


class Language(StrEnum):
    """Languages that have texts."""

    SPANISH = "es"
    ENGLISH = "en"


def find_ruleset(name: str) -> Ruleset:
    """The rule set of that id. Ends the command with those that there are, or with what is wrong with it."""
    try:
        return load_ruleset(name)
    except RulesetError as fault:
        if fault.code == "unknown":
            fail(say("cli/ruleset-unknown", ruleset=name, known=tuple(ruleset_ids())))
        fail(say("cli/ruleset-broken", ruleset=name, detail=fault.detail))
