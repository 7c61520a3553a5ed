"""The orders of the director's seat: how missions are resolved, clocks, memories, fortune."""

from __future__ import annotations

from typing import Any

from rules.engine.audience import DIRECTOR_SEAT
from rules.engine.orders import Order, clause, order
from rules.engine.view import View
from rules.engine.wording import english
from rules.valar.orders.words import (
    ANY_HOUSE,
    ASPECT,
    BALANCE,
    CLOCK,
    DIFFICULTY,
    EFFECT,
    ENTRY,
    FACTOR,
    FACTORS,
    MISSION,
    POSITION,
    RECIPE,
    SECTIONS,
    SIDE,
    SIGN,
    SIZE,
    STEPS,
    TEXT,
    TITLE,
)


def directs(view: View[Any]) -> bool:
    """Whether the seat is the director's."""
    return view.viewer == DIRECTOR_SEAT


HELD_BACK = frozenset(("event", "after", "left", "right", "good", "hidden"))
"""Clauses whose content is the director's until it happens (`rules.valar.view` hides the same)."""


def says_more(order: Order) -> bool:
    """Whether an order says what nobody is told of what it makes: what will happen, or who else knows."""
    known = order.clause("known")
    knowing = known.get("houses", ()) if known is not None else order.get("houses", ())
    return not HELD_BACK.isdisjoint(order.clauses) or len(knowing) > 1


KNOWN = clause(
    "known",
    "conocido por",
    "conocida por",
    forms=("{houses,}", "todos/todas"),
    houses=ANY_HOUSE,
    en=english("{houses,}", "everybody/all", keys=("known to",)),
)

FORTUNE = order(
    "fortune",
    "tirada [de] [fortuna] {title} [factores/factor {factors}] [para {houses,}]",
    "tirada [de] [fortuna] {title} [factores/factor {factors}] para todos/todas",
    en=english(
        "fortune [roll] {title} [factors/factor {factors}] [for {houses,}]",
        "fortune [roll] {title} [factors/factor {factors}] for everybody/all",
        example='fortune roll "Does it rain?" factors +1 -3 for Aldana',
    ),
    title=TITLE,
    factors=FACTORS,
    houses=ANY_HOUSE,
    who=directs,
    discreet=says_more,
    summary="valar/guide-fortune",
    example='tirada de fortuna "¿Llueve?" factores +1 −3 para Aldana',
)
FACTOR_ORDER = order(
    "factor",
    "factor {factor} en/a {mission} [por {reason}]",
    en=english(
        "factor {factor} in/to/on {mission} [because {reason}]", example='factor +3 in "Watch the ford"'
    ),
    factor=FACTOR,
    mission=MISSION,
    reason=TITLE,
    who=directs,
    summary="valar/guide-factor",
    example='factor +3 en "Vigilar el vado" de Aldana por "Luna llena"',
)
DIFFICULTY_ORDER = order(
    "difficulty",
    "dificultad {difficulty} en/a/para {mission}",
    en=english("difficulty {difficulty} in/to/for {mission}", example='difficulty hard in "Watch the ford"'),
    difficulty=DIFFICULTY,
    mission=MISSION,
    who=directs,
    summary="valar/guide-difficulty",
    example='dificultad difícil en "Vigilar el vado" de Aldana',
)
POSITION_ORDER = order(
    "position",
    "posición {position} en/a/para {mission}",
    en=english("position {position} in/to/for {mission}", example='position desperate in "Watch the ford"'),
    position=POSITION,
    mission=MISSION,
    who=directs,
    summary="valar/guide-position",
    example='posición desesperada en "Vigilar el vado" de Aldana',
)
EFFECT_ORDER = order(
    "effect",
    "efecto {effect} en/a/para {mission}",
    en=english("effect {effect} in/to/for {mission}", example='effect great in "Watch the ford"'),
    effect=EFFECT,
    mission=MISSION,
    who=directs,
    summary="valar/guide-effect",
    example='efecto mayor en "Vigilar el vado" de Aldana',
)
DURATION_ORDER = order(
    "duration",
    "duración {steps} [pasos/paso] en/a/para {mission}",
    en=english("duration {steps} [steps/step] in/to/for {mission}", example='duration 2 in "Watch the ford"'),
    steps=STEPS,
    mission=MISSION,
    who=directs,
    summary="valar/guide-duration",
    example='duración 2 en "Vigilar el vado" de Aldana',
)
RECIPE_ORDER = order(
    "recipe",
    "receta {recipe} en/a/para {mission}",
    en=english("recipe {recipe} in/to/for {mission}", example='recipe watch in "Watch the ford"'),
    recipe=RECIPE,
    mission=MISSION,
    who=directs,
    summary="valar/guide-recipe",
    example='receta vigilancia en "Vigilar el vado" de Aldana',
)
ROLEO_ORDER = order(
    "roleo",
    "roleo en/a/para {mission}",
    en=english("roleplay in/to/for {mission}", example='roleplay in "Watch the ford"'),
    mission=MISSION,
    who=directs,
    summary="valar/guide-roleo",
    example='roleo en "Vigilar el vado" de Aldana',
)
OPPOSE = order(
    "oppose",
    "enfrentar {missions,}",
    en=english("oppose {missions,}", example='oppose "Watch the ford" and "Cross the ford"'),
    missions=MISSION,
    who=directs,
    summary="valar/guide-oppose",
    example='enfrentar "Vigilar el vado" y "Cruzar el vado"',
)
ADVANTAGE = order(
    "advantage",
    "ventaja [en/de] {aspects,} para {mission}",
    en=english(
        "advantage [in/of] {aspects,} for {mission}", example='advantage in scale for "Watch the ford"'
    ),
    aspects=ASPECT,
    mission=MISSION,
    who=directs,
    summary="valar/guide-advantage",
    example='ventaja en escala para "Vigilar el vado" de Aldana',
)
MARK_CLOCK = order(
    "mark-clock",
    "marcar [reloj] {clock} {sections}",
    "marcar balanza {balance} {sections} a {side}",
    en=english(
        "mark [clock] {clock} {sections}",
        "mark balance {balance} {sections} to {side}",
        example='mark clock "The thaw" 2',
    ),
    clock=CLOCK,
    balance=BALANCE,
    sections=SECTIONS,
    side=SIDE,
    who=directs,
    summary="valar/guide-mark",
    example='marcar reloj "El deshielo" 2',
)
MAKE_CLOCK = order(
    "make-clock",
    "crear reloj {title} de {sections} [casillas]",
    en=english("create clock {title} of {sections} [sections]", example='create clock "The siege" of 6'),
    title=TITLE,
    sections=SECTIONS,
    clauses=(
        KNOWN,
        clause("sign", "signo", forms=("{sign}",), sign=SIGN, en=english("{sign}", keys=("sign",))),
        clause("event", "suceso", forms=("{text}",), text=TEXT, en=english("{text}", keys=("event",))),
        clause("house", "de", forms=("{house}",), house=ANY_HOUSE, en=english("{house}", keys=("of",))),
        clause(
            "after",
            "encadenado a",
            forms=("{clock}",),
            clock=CLOCK,
            en=english("{clock}", keys=("chained to",)),
        ),
    ),
    who=directs,
    discreet=says_more,
    verbs=("crea", "creo"),
    summary="valar/guide-make-clock",
    example='crear reloj "El asedio" de 6',
)
MAKE_BALANCE = order(
    "make-balance",
    "crear balanza {title} de {sections} [casillas]",
    en=english("create balance {title} of {sections} [sections]", example='create balance "The court" of 4'),
    title=TITLE,
    sections=SECTIONS,
    clauses=(
        KNOWN,
        clause("left", "izquierda", forms=("{text}",), text=TEXT, en=english("{text}", keys=("left",))),
        clause("right", "derecha", forms=("{text}",), text=TEXT, en=english("{text}", keys=("right",))),
        clause(
            "good",
            "{side} buena para",
            forms=("{houses,}",),
            repeat=True,
            side=SIDE,
            houses=ANY_HOUSE,
            en=english("{houses,}", keys=("{side} good for",)),
        ),
    ),
    who=directs,
    discreet=says_more,
    summary="valar/guide-make-balance",
    example='crear balanza "La corte" de 4',
)
MAKE_MEMORY = order(
    "make-memory",
    "crear recuerdo {title} {size} {sign} para {house}",
    en=english(
        "create memory {title} {size} {sign} for {house}",
        example='create memory "Blood debt" minor bad for Brezo',
    ),
    title=TITLE,
    size=SIZE,
    sign=SIGN,
    house=ANY_HOUSE,
    clauses=(KNOWN, clause("hidden", "oculto", en=english(keys=("hidden",)))),
    who=directs,
    discreet=says_more,
    summary="valar/guide-make-memory",
    example='crear recuerdo "Deuda de sangre" menor malo para Brezo',
)
CONSEQUENCE = order(
    "consequence",
    "consecuencia {entry} en/a/para {mission}",
    en=english(
        "consequence {entry} in/to/for {mission}", example='consequence minor delay in "Watch the ford"'
    ),
    entry=ENTRY,
    mission=MISSION,
    who=directs,
    summary="valar/guide-consequence",
    example='consecuencia menor retraso en "Vigilar el vado" de Aldana',
)

DIRECTOR_ORDERS = (
    FORTUNE,
    FACTOR_ORDER,
    DIFFICULTY_ORDER,
    POSITION_ORDER,
    EFFECT_ORDER,
    DURATION_ORDER,
    RECIPE_ORDER,
    ROLEO_ORDER,
    OPPOSE,
    ADVANTAGE,
    MARK_CLOCK,
    MAKE_CLOCK,
    MAKE_BALANCE,
    MAKE_MEMORY,
    CONSEQUENCE,
)
