"""Readings of the original's holes as named options (RULES.md lists them with their source)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Options:
    """Options of a game of `valar`; the defaults are the readings of the rule set.

    Missions.
    tokenless: whether a mission may be ordered without a token, with a warning.
    goes_on_empty: whether a mission that has lost all its tokens is rolled at +0; else it is given up.
    hurt_tokens_count: whether tokens that are `dañado` count for +3, +5, +6.
    rest: whether `descansar` takes a step of condition off a token.
    consent: whether a supporter needs the owner's `aceptar apoyo`; else it is in unless refused.

    Roleo and memories.
    roleo_words: words of prose in a post that earn +1. roleo_once: only the first mission of a post gets it.
    supporters_roleo: whether a supporter's prose counts too. memories_used_up: whether a claimed memory goes.

    Success.
    sure_pays: whether a recipe that can't fail pays for a failing band. effect_moves_grade: whether the grade
    goes one up with efecto mayor and one down with menor.

    Consequences.
    prefer_consequences: whether players' preferences choose consequences; else only improvements.
    confirm_major: whether the director confirms each major consequence. repeats: whether an entry may come
    again in one result while others could. supporters_hit: whether entries fall on supporters' tokens too.
    new_uses_spent: whether a rule `Usos` gained in a result is spent by it. later_effect: whether a longer
    duration puts off the effect, or only keeps the tokens busy. delays_add_up: whether a token that is
    `retrasado` again is so for one turn more. related_once: whether what `misión relacionada` leaves counts
    for one roll. disposition_limit, reputation_limit: how far from 0 consequences move them, 0: no limit.

    Clocks.
    surplus_flows: whether marks beyond a clock's size go to the one that is chained to it.

    Opposed missions.
    compare_totals: whether totals are compared within a band. tie_keeps: whether a tied side keeps its
    consequences and improvements. early_waits: whether the effect of the side that is rolled first waits, if
    the director says nothing. reduced_is_slight: whether the second success has efecto menor besides.
    discretion_below: whether a success by discretion ranks below éxito menor, else as one. advantage: what
    a net advantage of one, two and three aspects adds. improved_quality: whether `mejorado` is quality.
    """

    tokenless: bool = False
    goes_on_empty: bool = True
    hurt_tokens_count: bool = True
    rest: bool = False
    consent: bool = False
    roleo_words: int = 150
    roleo_once: bool = False
    supporters_roleo: bool = False
    memories_used_up: bool = False
    sure_pays: bool = True
    effect_moves_grade: bool = False
    prefer_consequences: bool = True
    confirm_major: bool = False
    repeats: bool = False
    supporters_hit: bool = True
    new_uses_spent: bool = False
    later_effect: bool = True
    delays_add_up: bool = True
    related_once: bool = True
    disposition_limit: int = 0
    reputation_limit: int = 0
    surplus_flows: bool = False
    compare_totals: bool = False
    tie_keeps: bool = True
    early_waits: bool = True
    reduced_is_slight: bool = False
    discretion_below: bool = True
    advantage: tuple[int, ...] = (1, 3, 3)
    improved_quality: bool = True
