"""Missions end: grades, uses, durations that changed, tokens that are free again."""

from __future__ import annotations

from rules.engine.audience import DIRECTOR
from rules.engine.messages import Quoted
from rules.engine.turn import Turn
from rules.valar.bands import BANDS, Effect, grade_of, succeeds
from rules.valar.clocks import mark
from rules.valar.entries import Case
from rules.valar.opposing import Goal
from rules.valar.resolve.ledger import ledger_of
from rules.valar.state import (
    Condition,
    Grades,
    State,
    all_missions,
    is_elsewhere,
    recipe_of,
    stance_of,
    tokens_in,
)

WON = (None, Goal.REACHED, Goal.REDUCED)
"""What may have become of the goal of a success that has an effect."""


def end_missions(turn: Turn) -> None:
    """What was rolled ends, or goes on until its effect; so does what was rolled earlier and waited."""
    cases = ledger_of(turn).cases
    for house, slug, mission in tuple(all_missions(turn.state)):
        if mission.band is not None and ledger_of(turn).case_of(house, slug) is None:
            success = mission.paid or succeeds(mission.band)
            _resume(Case(turn, house, slug, mission, mission.band, success))
    for case in cases:
        _spend_uses(case)
        _end(case)


def _resume(case: Case) -> None:
    """A mission rolled in an earlier turn: its effect comes once its goal is settled and it is due."""
    mission = case.mission
    if (mission.opposed and mission.reached is None) or mission.resolves > case.turn.number:
        return
    if case.success:
        _take_effect(case, mission.reached, mission.grade)
    if mission.resolves == case.turn.number:  # one that only waited for its rivals has let its tokens go
        _keep_busy(case, 0)
    del case.owner.missions[case.slug]


def change_course(case: Case) -> None:
    """What an entry changes in a mission that isn't rolled in this turn: duration, and grade of success."""
    mission = case.mission
    if mission.grade is not None and case.success:
        mission.grade = _within(mission.grade + case.shifted)
    if not case.longer:
        return
    ends = max(case.turn.number, mission.resolves) + case.longer
    for house, name in tokens_in(mission, case.house):
        if not is_elsewhere(case.state, (house, name), mission, case.turn.number):
            case.state.houses[house].tokens[name].busy_until = ends
    if mission.band is None:
        mission.resolves = ends
        case.tell("valar/mission-changed", what="duration", value=ends)
    elif case.success and case.options.later_effect:
        mission.resolves = ends
        case.tell("valar/effect-delayed", resolves=ends)


def _end(case: Case) -> None:
    """A success made longer takes effect later, a failure only keeps the tokens busy."""
    mission, grade = case.mission, grade_of_case(case)
    later = case.success and case.longer > 0 and case.options.later_effect
    _keep_busy(case, max(0, case.longer))
    if later or (mission.opposed and mission.reached is None):
        mission.grade, mission.succeeded = grade, case.success
        mission.resolves = case.turn.number + (case.longer if later else 0)
        if later:
            case.tell("valar/effect-delayed", resolves=mission.resolves)
        return
    if case.success:
        _reach(case, mission.reached, grade)
    elif grade is not None and mission.reached is None:
        _tell_grade(case, grade)
    del case.owner.missions[case.slug]


def grade_of_case(case: Case) -> int | None:
    """The grade by band, moved by `efecto`; None for recipes without grades (Grados de éxito)."""
    recipe = recipe_of(case.state, case.mission)
    if recipe.grades is None:
        return None
    grade = grade_of(case.band, case.success, recipe.can_fail)
    shifted = case.shifted + (_by_effect(case) if case.options.effect_moves_grade else 0)
    return _within(grade + shifted) if case.success else grade


def _by_effect(case: Case) -> int:
    """Efecto mayor is one grade more, menor one less (option `effect_moves_grade`)."""
    _, effect = stance_of(case.state, case.mission)
    return {Effect.GREAT: 1, Effect.PLAIN: 0, Effect.SLIGHT: -1}[effect]


def _within(grade: int) -> int:
    """A success has one of the grades of the table."""
    return max(1, min(len(BANDS), grade))


def _take_effect(case: Case, goal: Goal | None, grade: int | None) -> None:
    """What a success that was put off brings now."""
    if goal in WON:
        case.tell("valar/mission-took-effect")
    _reach(case, goal, grade)


def _reach(case: Case, goal: Goal | None, grade: int | None) -> None:
    """A success whose goal nobody has taken: its grade; of one that came second the director says more."""
    if goal not in WON:
        return
    if grade is not None:
        _tell_grade(case, grade)
    if goal is Goal.REDUCED:
        case.tell("valar/open-item", DIRECTOR, what="smaller-effect")


def _tell_grade(case: Case, grade: int) -> None:
    grades = recipe_of(case.state, case.mission).grades or Grades()
    named = grades.brings[grade - 1] if 1 <= grade <= len(grades.brings) else None
    brings = Quoted(named) if named is not None else None
    case.tell(
        "valar/grade-reached", grade=grade, brings=brings, unit=Quoted(grades.unit), counted=grades.unit
    )
    clock = case.state.clocks.get(grades.clock or "")
    if grades.clock is not None and clock is not None and clock.running and grade:
        mark(case.turn, grades.clock, grade)


def _spend_uses(case: Case) -> None:
    """One use a mission, after its entries; at 0 the token is lost. A rule gained just now isn't spent."""
    for key, token in case.tokens().items():
        if token.uses is None or (key in case.gained and not case.options.new_uses_spent):
            continue
        token.uses = max(0, token.uses - 1)
        if token.uses == 0:
            token.condition = Condition.LOST
        case.tell("valar/use-spent", token=key, uses=token.uses)


def _keep_busy(case: Case, longer: int) -> None:
    for house, name in tokens_in(case.mission, case.house):
        token = case.state.houses[house].tokens[name]
        if not is_elsewhere(case.state, (house, name), case.mission, case.turn.number):
            token.busy_until = case.turn.number + longer + token.delay


def free_tokens(turn: Turn) -> None:
    """Tokens whose last busy turn this was are free."""
    state: State = turn.state
    for house in state.houses.values():
        for token in house.tokens.values():
            if token.busy_until is not None and token.busy_until <= turn.number:
                token.busy_until, token.delay = None, 0
