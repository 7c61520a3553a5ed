"""What the director may have to decide, and the policy for each kind where nobody answers."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta

from rules.engine.questions import Hold, QuestionPolicy, TakeDefault, Wait

YES, NO = "sí", "no"

YES_OR_NO: Mapping[str, tuple[str, ...]] = {YES: ("si", "yes"), NO: ("no",)}
"""Answers to what is offered, by id."""

OFFER = timedelta(hours=24)

POLICIES: Mapping[str, QuestionPolicy] = {
    "reloj": Hold(),
    "balanza": Hold(),
    "exito": Wait(OFFER),
    "exito-sin-pedir": TakeDefault(),
    "consecuencia": Hold(),
    "enfrentar": Wait(OFFER),
    "ventaja": TakeDefault(),
    "fracaso-menor": Wait(OFFER),
    "espera": TakeDefault(),
    "segundo": TakeDefault(),
}
"""By kind of question.

reloj, balanza: what happens when one is full whose card doesn't say. exito: whether a failure is a success at
the price of a further consequence, for missions whose player takes that; exito-sin-pedir: for others.
consecuencia: whether the director confirms a major consequence (option `confirm_major`).
enfrentar: whether a mission that names another, which doesn't name it, is opposed to it. ventaja: who has an
aspect. fracaso-menor: of opposed missions that all failed, whether the best succeeds. espera: whether what is
rolled earlier waits for its rival. segundo: what a success behind the first comes to.
"""
