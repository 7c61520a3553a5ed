"""The orders of the houses."""

from __future__ import annotations

from typing import Any

from rules.engine.audience import DIRECTOR_SEAT
from rules.engine.orders import clause, order
from rules.engine.view import View
from rules.engine.wording import english
from rules.valar.orders.words import (
    BAND,
    CONSEQUENCE,
    HOUSE,
    IMPROVEMENT,
    MEMORY,
    RECIPE,
    RIVAL,
    SHARE,
    TEXT,
    TITLE,
    TOKEN,
)


def houses(view: View[Any]) -> bool:
    """Whether the seat is a house's."""
    return view.viewer != DIRECTOR_SEAT


MISSION_CLAUSES = (
    clause("recipe", "receta", forms=("{recipe}",), recipe=RECIPE, en=english("{recipe}", keys=("recipe",))),
    clause("goal", "objetivo", forms=("{text}",), text=TEXT, en=english("{text}", keys=("goal",))),
    clause(
        "against",
        "contra",
        forms=("{rivals,}",),
        rivals=RIVAL,
        en=english("{rivals,}", keys=("against",)),
    ),
    clause(
        "prefers",
        "prefiero",
        forms=("{shares,}",),
        shares=SHARE,
        en=english("{shares,}", keys=("prefer",)),
    ),
    clause(
        "option",
        "opción {band}",
        forms=("{shares,}",),
        repeat=True,
        band=BAND,
        shares=SHARE,
        en=english("{shares,}", keys=("option {band}",)),
    ),
    clause(
        "consequences",
        "consecuencias",
        forms=("{entries,}",),
        entries=CONSEQUENCE,
        en=english("{entries,}", keys=("consequences",)),
    ),
    clause(
        "improvements",
        "mejoras",
        forms=("{entries,}",),
        entries=IMPROVEMENT,
        en=english("{entries,}", keys=("improvements",)),
    ),
    clause(
        "memory",
        "recuerdo",
        "recuerdos",
        forms=("{memories,}",),
        repeat=True,
        memories=MEMORY,
        en=english("{memories,}", keys=("memory", "memories")),
    ),
    clause("roleo", "roleo", forms=("{text}",), text=TEXT, en=english("{text}", keys=("roleplay",))),
    clause(
        "related",
        "relacionada",
        "relacionada con",
        forms=("{title}",),
        title=TITLE,
        en=english("{title}", keys=("related", "related to")),
    ),
    clause("secret", "secreta", en=english(keys=("secret",))),
    clause(
        "known",
        "conocida por",
        forms=("{houses,}",),
        houses=HOUSE,
        en=english("{houses,}", keys=("known to",)),
    ),
    clause(
        "accepts",
        "acepto éxito con consecuencia",
        "acepto el éxito con consecuencia",
        en=english(keys=("accept success with a consequence",)),
    ),
)

MISSION = order(
    "mission",
    "misión {title}: {tokens,}",
    "misión {title}",
    en=english(
        "mission {title}: {tokens,}", "mission {title}", example='mission "Watch the ford": Captain, Scout'
    ),
    title=TITLE,
    tokens=TOKEN,
    clauses=MISSION_CLAUSES,
    who=houses,
    summary="valar/guide-mission",
    example='misión "Vigilar el vado": Capitana, Explorador',
)
SUPPORT = order(
    "support",
    "apoyar {title} de {house} con {tokens,}",
    "apoyar {title} con {tokens,}",
    en=english(
        "support {title} of {house} with {tokens,}",
        "support {title} with {tokens,}",
        example='support "Watch the ford" with Scout',
    ),
    title=TITLE,
    house=HOUSE,
    tokens=TOKEN,
    who=houses,
    summary="valar/guide-support",
    example='apoyar "Vigilar el vado" con Explorador',
)
WITHDRAW = order(
    "withdraw",
    "retirar {tokens,} de {title}",
    en=english("withdraw {tokens,} from {title}", example='withdraw Captain from "Watch the ford"'),
    tokens=TOKEN,
    title=TITLE,
    who=houses,
    summary="valar/guide-withdraw",
    example='retirar Capitana de "Vigilar el vado"',
)
REST = order(
    "rest",
    "descansar {tokens,}",
    en=english("rest {tokens,}", example="rest Scout"),
    tokens=TOKEN,
    verbs=("descansa",),
    who=houses,
    summary="valar/guide-rest",
    example="descansar Explorador",
)
ABANDON = order(
    "abandon",
    "abandonar {title}",
    en=english("abandon {title}", example='abandon "Watch the ford"'),
    title=TITLE,
    who=houses,
    summary="valar/guide-abandon",
    example='abandonar "Vigilar el vado"',
)
ACCEPT = order(
    "accept",
    "aceptar apoyo de {houses,} en {title}",
    "aceptar apoyo de {houses,}",
    en=english(
        "accept support from {houses,} in {title}",
        "accept support from {houses,}",
        example="accept support from Brezo",
    ),
    houses=HOUSE,
    title=TITLE,
    who=houses,
    summary="valar/guide-accept",
    example="aceptar apoyo de Brezo",
)
REFUSE = order(
    "refuse",
    "rechazar apoyo de {houses,} en {title}",
    "rechazar apoyo de {houses,}",
    en=english(
        "refuse support from {houses,} in {title}",
        "refuse support from {houses,}",
        example="refuse support from Brezo",
    ),
    houses=HOUSE,
    title=TITLE,
    who=houses,
    summary="valar/guide-refuse",
    example="rechazar apoyo de Brezo",
)
TELL = order(
    "tell",
    "contar [recuerdo] {memory} a {houses,}",
    en=english("tell [memory] {memory} to {houses,}", example='tell memory "blood debt" to house Brezo'),
    memory=MEMORY,
    houses=HOUSE,
    verbs=("cuenta", "cuento", "cuente"),
    who=houses,
    summary="valar/guide-tell",
    example='contar recuerdo "deuda de sangre" a casa Brezo',
)

HOUSE_ORDERS = (MISSION, SUPPORT, WITHDRAW, REST, ABANDON, ACCEPT, REFUSE, TELL)
