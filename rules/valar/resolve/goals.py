"""Who reaches the goal of opposed missions (004: Misiones enfrentadas)."""

from __future__ import annotations

from rules.engine.turn import Turn
from rules.valar.bands import EXTRA, Band, succeeds
from rules.valar.entries import Case, EntryKind
from rules.valar.opposing import Goal, Standing, best_of, settle, standing_of
from rules.valar.questions import NO, YES, YES_OR_NO
from rules.valar.resolve.consequences import bring
from rules.valar.resolve.ending import change_course, grade_of_case
from rules.valar.resolve.finding import Found
from rules.valar.resolve.ledger import ledger_of
from rules.valar.resolve.pairing import key_of, rivals_of, sides_of
from rules.valar.state import all_missions

WAIT, PASS = "esperar", "pasar"


def settle_goals(turn: Turn) -> None:
    """Each opposition is settled once all of its sides have been rolled; what was rolled earlier waits."""
    note_results(turn)
    settled: set[tuple[str, str]] = set()
    for house, slug, mission in tuple(all_missions(turn.state)):
        if (
            mission.band is None
            or mission.reached is not None
            or not mission.opposed
            or (house, slug) in settled
        ):
            continue
        sides = sides_of(turn, house, slug)
        cases = [_case(turn, one, band) for one in sides if (band := one[2].band) is not None]
        if 0 < len(cases) < len(sides):
            _let_through(turn, cases)
        elif cases:
            _settle(turn, cases)
        settled |= {one[:2] for one in sides}


def note_results(turn: Turn) -> None:
    """What was rolled is kept with the mission, for as long as it waits for others."""
    for case in ledger_of(turn).cases:
        mission = case.mission
        mission.band, mission.total = case.band, case.total
        mission.paid = case.success and not succeeds(case.band)


def _case(turn: Turn, one: Found, band: Band) -> Case:
    """A side as it was rolled, in this turn or in an earlier one."""
    house, slug, mission = one
    rolled = ledger_of(turn).case_of(house, slug)
    if rolled is not None:
        return rolled
    success = mission.paid or succeeds(band)
    return Case(turn, house, slug, mission, band, success, total=mission.total or 0)


def _let_through(turn: Turn, cases: list[Case]) -> None:
    """A side whose rival is rolled later waits, unless the director lets it through."""
    for case in cases:
        if case not in ledger_of(turn).cases:
            continue
        usual = WAIT if case.options.early_waits else PASS
        if case.ask("espera", "valar/ask-through", {WAIT: ("wait",), PASS: ("pass",)}, usual) == PASS:
            _unlink(turn, case)
        else:
            case.tell("valar/effect-waits")


def _unlink(turn: Turn, case: Case) -> None:
    for foe in case.mission.opposed:
        other = turn.state.houses[foe.house].missions.get(foe.mission)
        if other is not None:
            other.opposed = tuple(
                one for one in other.opposed if (one.house, one.mission) != (case.house, case.slug)
            )
    case.mission.opposed = ()


def _settle(turn: Turn, cases: list[Case]) -> None:
    """Compare the bands; of sides that all failed the best may be made a success."""
    by_key = {key_of((case.house, case.slug, case.mission)): case for case in cases}
    sides = {key: _standing(case) for key, case in by_key.items()}
    best = best_of(sides)
    if best is not None and len(sides) > 1 and not sides[best].way and _offer(by_key[best]):
        _pay(by_key[best])
        sides[best] = _standing(by_key[best])
    goals = settle(sides)
    winner = next((by_key[key].house for key, goal in goals.items() if goal is Goal.REACHED), None)
    rivals = [(case.house, case.slug, case.mission) for case in cases]
    for key, case in by_key.items():
        goal = goals[key]
        if goal is Goal.REDUCED and not _is_reduced(case):
            goal = Goal.NOTHING
        case.goal = case.mission.reached = goal
        others = tuple(rivals_of(rivals, case.house))
        if others:
            case.tell("valar/opposition-settled", goal=goal.value, rivals=others, winner=winner)


def _standing(case: Case) -> Standing:
    options = case.options
    total = case.total if options.compare_totals else 0
    return standing_of(case.band, case.success, total, discretion_below=options.discretion_below)


def _offer(case: Case) -> bool:
    """004: "podrían aplicarse las reglas de éxito automático"; never offered twice."""
    if case.mission.accepts:
        return False
    known = {"band": case.band.value}
    return case.ask("fracaso-menor", "valar/ask-lesser-failure", YES_OR_NO, NO, known=known) == YES


def _pay(case: Case) -> None:
    """The price of a side that was rolled earlier is paid now; of others with the rest of their result."""
    case.success, case.paid, case.mission.paid = True, EXTRA[case.band], True
    case.tell("valar/success-paid", sure=False, paid=True)
    if case not in ledger_of(case.turn).cases:
        case.mission.succeeded, case.mission.grade = True, grade_of_case(case)
        bring(case, EntryKind.MAJOR, case.paid.major)
        bring(case, EntryKind.MINOR, case.paid.minor)
        change_course(case)


def _is_reduced(case: Case) -> bool:
    """What comes second is a success of reduced effect, or none at all."""
    legal = {"reducido": ("reduced",), "nada": ("nothing",)}
    return case.ask("segundo", "valar/ask-second", legal, "reducido") == "reducido"
