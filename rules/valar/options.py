"""Readings of the original's holes as named options (RULES.md lists them with their source)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Options:
    """Options of a game of `valar`; the defaults are the readings of the rule set.

    Missions.
    tokenless: whether a mission may be ordered without a token, with a warning.
    rest: whether `descansar` takes a step of condition off a token.
    consent: whether a supporter needs the owner's `aceptar apoyo`; else it is in unless refused.

    Roleo.
    roleo_words: words of prose in a post that earn +1. roleo_once: only the first mission of a post gets it.

    Consequences.
    prefer_consequences: whether players' preferences choose consequences; else only improvements.
    confirm_major: whether the director confirms each major consequence.
    """

    tokenless: bool = False
    rest: bool = False
    consent: bool = False
    roleo_words: int = 150
    roleo_once: bool = False
    prefer_consequences: bool = True
    confirm_major: bool = False
