"""Missions end: grades, uses, durations that changed, tokens that are free again."""

from __future__ import annotations

from rules.engine.messages import Quoted
from rules.engine.turn import Turn
from rules.valar.bands import BANDS, grade_of
from rules.valar.entries import Case
from rules.valar.resolve.ledger import ledger_of
from rules.valar.state import Condition, Grades, State, all_missions, recipe_of, tokens_in


def end_missions(turn: Turn) -> None:
    """Delayed successes of earlier turns take effect; what was rolled ends, or goes on until its effect."""
    for house, slug, mission in tuple(all_missions(turn.state)):
        if mission.succeeded and mission.resolves <= turn.number:
            case = Case(turn, house, slug, mission, BANDS[-1], success=True)
            _take_effect(case, mission.grade)
            _dismiss(case, 0)
    for case in ledger_of(turn).cases:
        _spend_uses(case)
        _end(case)


def _end(case: Case) -> None:
    """A success made longer takes effect later, a failure only keeps the tokens busy."""
    grade = _grade(case)
    if case.success and case.longer > 0:
        case.mission.succeeded, case.mission.grade = True, grade
        case.mission.resolves = case.turn.number + case.longer
        case.tell("valar/effect-delayed", resolves=case.mission.resolves)
        _keep_busy(case, case.longer)
        return
    if grade is not None:
        _tell_grade(case, grade)
    _dismiss(case, max(0, case.longer))


def _grade(case: Case) -> int | None:
    """The grade by band, moved by `efecto`; None for recipes without grades (Grados de éxito)."""
    recipe = recipe_of(case.state, case.mission)
    if recipe.grades is None:
        return None
    grade = grade_of(case.band, case.success, recipe.can_fail)
    return max(1, min(len(BANDS), grade + case.shifted)) if case.success else grade


def _take_effect(case: Case, grade: int | None) -> None:
    case.tell("valar/mission-took-effect")
    if grade is not None:
        _tell_grade(case, grade)


def _tell_grade(case: Case, grade: int) -> None:
    grades = recipe_of(case.state, case.mission).grades or Grades()
    named = grades.brings[grade - 1] if 1 <= grade <= len(grades.brings) else None
    brings = Quoted(named) if named is not None else None
    case.tell("valar/grade-reached", grade=grade, brings=brings, unit=Quoted(grades.unit))


def _spend_uses(case: Case) -> None:
    """One use a mission, after its entries; at 0 the token is lost. A rule gained just now isn't spent."""
    for key, token in case.tokens().items():
        if token.uses is None or key in case.gained:
            continue
        token.uses = max(0, token.uses - 1)
        if token.uses == 0:
            token.condition = Condition.LOST
        case.tell("valar/use-spent", token=key, uses=token.uses)


def _dismiss(case: Case, longer: int) -> None:
    """The mission is over; its tokens are busy for as long as it was made longer, and for their delay."""
    _keep_busy(case, longer)
    case.owner.missions.pop(case.slug, None)


def _keep_busy(case: Case, longer: int) -> None:
    for house, name in tokens_in(case.mission, case.house):
        token = case.state.houses[house].tokens[name]
        token.busy_until = case.turn.number + longer + token.delay


def free_tokens(turn: Turn) -> None:
    """Tokens whose last busy turn this was are free."""
    state: State = turn.state
    for house in state.houses.values():
        for token in house.tokens.values():
            if token.busy_until is not None and token.busy_until <= turn.number:
                token.busy_until, token.delay = None, 0
