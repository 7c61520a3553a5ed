"""Entries about the tokens that take part: damage, delay, `Usos`, `mejorado`."""

from __future__ import annotations

from collections.abc import Callable

from rules.valar.entries.kinds import NONE, WHOLE, Case
from rules.valar.state import CONDITIONS, Condition, Token

USES = {Condition.RESTED: 3, Condition.TIRED: 2, Condition.HURT: 1}
"""X of `Usos (X)` by the token's condition (004: "Ileso 3, Agotado 2, Dañado 1")."""

ENOUGH_USES = 3
"""From so many uses on an improvement takes the rule away, below it adds one."""


def a_token(case: Case) -> tuple[str, ...]:
    """Any token that takes part."""
    return tuple(case.struck())


def any_token(case: Case) -> tuple[str, ...]:
    """All tokens that take part, if there is one."""
    return WHOLE if case.struck() else NONE


def _those(wanted: Callable[[Token], bool]) -> Callable[[Case], tuple[str, ...]]:
    def targets(case: Case) -> tuple[str, ...]:
        return tuple(key for key, one in case.struck().items() if wanted(one))

    return targets


without_uses = _those(lambda one: one.uses is None)
not_improved = _those(lambda one: not one.improved)
with_many_uses = _those(lambda one: one.uses is not None and one.uses >= ENOUGH_USES)
with_few_uses = _those(lambda one: one.uses is not None and 0 < one.uses < ENOUGH_USES)


def damage(levels: int) -> Callable[[Case, str], None]:
    """Each level is one step; damage past `perdido` is lost."""

    def apply(case: Case, target: str) -> None:
        token = case.tokens()[target]
        place = min(CONDITIONS.index(token.condition) + levels, len(CONDITIONS) - 1)
        token.condition = CONDITIONS[place]
        case.tell("valar/token-damaged", token=target, levels=levels, condition=token.condition.value)

    return apply


def damage_all(case: Case, target: str) -> None:
    """One level for each token that takes part."""
    for key in case.struck():
        damage(1)(case, key)


def delay(case: Case, target: str) -> None:
    """Busy one more turn; it adds up. A token that was free already is busy again."""
    token = case.tokens()[target]
    token.delay = token.delay + 1 if case.options.delays_add_up else 1
    if token.busy_until is None:
        token.busy_until = case.turn.number + 1
    case.tell("valar/token-delayed", token=target, delay=token.delay)


def delay_all(case: Case, target: str) -> None:
    """One turn for each token that takes part."""
    for key in case.struck():
        delay(case, key)


def limit_uses(case: Case, target: str) -> None:
    """The rule `Usos (X)`, where X is by its condition."""
    token = case.tokens()[target]
    _set_uses(case, target, USES[token.condition])
    case.gained.add(target)


def drop_uses(case: Case, target: str) -> None:
    """The rule is lost, which is good for the token."""
    _set_uses(case, target, None)


def add_use(case: Case, target: str) -> None:
    """One more use."""
    _set_uses(case, target, (case.tokens()[target].uses or 0) + 1)


def _set_uses(case: Case, target: str, uses: int | None) -> None:
    case.tokens()[target].uses = uses
    case.tell("valar/uses-changed", token=target, uses=uses)


def improve(case: Case, target: str) -> None:
    """`Mejorado`: counts for quality in opposed missions."""
    case.tokens()[target].improved = True
    case.tell("valar/token-improved", token=target)
