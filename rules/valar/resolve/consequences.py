"""What a roll brings: success by discretion, the option taken, entries of the catalogues (004)."""

from __future__ import annotations

from rules.engine.messages import msg
from rules.engine.turn import Turn
from rules.valar.bands import EXTRA, NOTHING, Effect, Share, choose, shares_of
from rules.valar.entries import CATALOGUES, Case, Entry, EntryKind
from rules.valar.opposing import Goal
from rules.valar.questions import NO, YES, YES_OR_NO
from rules.valar.resolve.ledger import ledger_of
from rules.valar.sharing import band_words, wanted
from rules.valar.state import recipe_of, stance_of


def settle_success(turn: Turn) -> None:
    """A failing band becomes a success where failure isn't possible, or where the director says so."""
    for case in ledger_of(turn).cases:
        if not case.success and pays_for_success(case):
            case.success, case.paid = True, price_of(case)
            case.tell("valar/success-paid", sure=not _may_fail(case), paid=case.paid != NOTHING)


def pays_for_success(case: Case) -> bool:
    """Whether a failing band counts as a success at its price."""
    return not _may_fail(case) or _offer(case) == YES


def price_of(case: Case) -> Share:
    """What a failing band pays to count as a success; where failure isn't possible by option `sure_pays`."""
    return EXTRA[case.band] if _may_fail(case) or case.options.sure_pays else NOTHING


def _may_fail(case: Case) -> bool:
    return recipe_of(case.state, case.mission).can_fail


def _offer(case: Case) -> str | None:
    """The director's ruling; an offer where the player would take it (`acepto éxito con consecuencia`)."""
    return case.ask(
        "exito",
        "valar/ask-success",
        YES_OR_NO,
        NO,
        kind="exito" if case.mission.accepts else "exito-sin-pedir",
        known={"band": case.band.value},
        rolled=band_words(case.band),
        size=_size(EXTRA[case.band]),
    )


def _size(extra: Share) -> str:
    return EntryKind.MAJOR.value if extra.major else EntryKind.MINOR.value


def bring_consequences(turn: Turn) -> None:
    """Mission by mission in posting order: of each first C, then c, then m."""
    for case in ledger_of(turn).cases:
        if case.goal is Goal.TIED and not case.options.tie_keeps:
            continue
        share = share_of_case(case)
        bring(case, EntryKind.MAJOR, share.major)
        bring(case, EntryKind.MINOR, share.minor)
        bring(case, EntryKind.IMPROVEMENT, share.improvements)


def share_of_case(case: Case) -> Share:
    """The option named for the band, else in general, else the first; and what a success costs besides."""
    mission = case.mission
    position, effect = stance_of(case.state, mission)
    if case.goal is Goal.REDUCED and case.options.reduced_is_slight:
        effect = Effect.SLIGHT
    offered = shares_of(case.band, position, effect, case.success)
    taken = choose(offered, wanted(mission.options.get(case.band)), wanted(mission.prefers))
    return taken + case.paid


def bring(case: Case, kind: EntryKind, count: int) -> None:
    """So many entries of a catalogue; candidates are worked out anew after each."""
    for _ in range(count):
        entry = _choose(case, kind)
        apply(case, kind, entry, target_of(case, entry))


def apply(case: Case, kind: EntryKind, entry: Entry, target: str) -> None:
    """Tell that an entry applies, and let it."""
    case.applied.add((kind, entry.id))
    what = "valar/improvement-gained" if kind is EntryKind.IMPROVEMENT else "valar/consequence-suffered"
    case.tell(what, size=kind.value, entry=entry.id, target=target or None)
    entry.apply(case, target)


def _choose(case: Case, kind: EntryKind) -> Entry:
    """The player's preference, else a uniform draw; no repeat in one result while another can apply."""
    every = {key: one for key, one in CATALOGUES[kind].items() if one.targets(case)}
    fresh = {key: one for key, one in every.items() if (kind, key) not in case.applied}
    possible = every if case.options.repeats else fresh or every
    preferred = next((key for key in _preferences(case, kind) if key in possible), None)
    drawn = preferred or _draw(case, kind, tuple(possible))
    return possible[_confirmed(case, kind, drawn, tuple(possible))]


def _preferences(case: Case, kind: EntryKind) -> tuple[str, ...]:
    if kind is EntryKind.IMPROVEMENT:
        return case.mission.improvements
    return case.mission.consequences if case.options.prefer_consequences else ()


def _draw(case: Case, kind: EntryKind, ids: tuple[str, ...]) -> str:
    what = "improvement" if kind is EntryKind.IMPROVEMENT else "consequence"
    return case.turn.dice.draw(
        ids, what, case.house, case.slug, purpose=f"valar/roll-{what}", audience=case.own
    )


def _confirmed(case: Case, kind: EntryKind, drawn: str, ids: tuple[str, ...]) -> str:
    """With the option `confirm_major` the director confirms each C, or names another that can apply."""
    if kind is not EntryKind.MAJOR or not case.options.confirm_major:
        return drawn
    number = sum(one is EntryKind.MAJOR for one, _ in case.applied) + 1
    legal = {key: CATALOGUES[kind][key].said for key in ids}
    known = {"entry": drawn}
    what = msg(f"valar/major-{drawn}")
    answer = case.ask(
        "consecuencia", "valar/ask-consequence", legal, drawn, number=number, known=known, what=what
    )
    return answer or drawn


def target_of(case: Case, entry: Entry) -> str:
    """Where it falls: drawn where there are several."""
    targets = entry.targets(case)
    if len(targets) == 1:
        return targets[0]
    return case.turn.dice.draw(
        targets, "target", case.house, case.slug, purpose="valar/roll-target", audience=case.own
    )
