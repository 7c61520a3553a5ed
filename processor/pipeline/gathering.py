"""What reports are made from, gathered for one reader: only what that reader may know (design.md 6)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from processor.pipeline.beacon_entries import gather_beacon
from processor.pipeline.context import Commitments, Frozen, PlayContext, TurnResult
from processor.pipeline.telling import tell_reader
from processor.pipeline.viewing import write_document
from reporters.attempts import Rerun
from reporters.corrections import ANSWERS, CORRECTED, CORRECTIONS
from reporters.facts import GroupDice, NextTurn, ReportFacts
from rules.engine.audience import DIRECTOR_SEAT, EVERYBODY
from rules.engine.dice import PUBLIC_GROUP
from rules.engine.events import Event, visible
from rules.engine.resolution import RolledDie
from rules.play.reading import SeatReading
from rules.play.turns import Deadline

CLOSING_FILE = "game-proof.json"
"""The proof of the whole game; no group's file is called so."""


def proof_file(group: str) -> str:
    """The file of a group's proof; the public one is `proof.json`."""
    return f"proof-{group}.json" if group else "proof.json"


def gather_facts(
    play: PlayContext,
    frozen: Frozen,
    result: TurnResult,
    viewer: str,
    now: Commitments,
    ahead: NextTurn | None,
) -> ReportFacts:
    """A reader's report of a turn. now: what was published for it. ahead: the turn that the report opens."""
    counted = result.reading or frozen.reading
    late = counted.openly.late if viewer == EVERYBODY and counted.openly else counted.late
    known = [one for one in visible(result.resolution.events, viewer) if _is_told(one, viewer)]
    groups = _groups(play, viewer)
    dice = tuple(one for group in groups if (one := _dice(result, group, viewer)) is not None)
    return ReportFacts(
        viewer=viewer,
        document=write_document(play, result, viewer),
        events=tuple(one for one in known if one.id not in CORRECTIONS | ANSWERS),
        corrections=tuple(one for one in known if one.id in CORRECTIONS),
        veiled=_veiled(result) if viewer == EVERYBODY else (),
        answers=tuple(one for one in known if one.id in ANSWERS),
        late=tuple(one for one in late if _is_own_post(one.post.private, one.seat, viewer)),
        dice=dice,
        groups=now.groups if play.ruleset.groups(play.state) else "",
        committed_at=play.opened_at,
        next=ahead,
        outcome=result.outcome,
        silent=any(one.seat == viewer and not one.in_force for one in counted.seats),
        missed=_list_missed(play, frozen, result, viewer),
        stand_in=tuple(one for one in counted.seats if _is_told_of_stand_in(one, viewer)),
        file=f"reports/turn-{play.ref.turn:03}/{proof_file('')}",
        closing=dict(result.closing) if result.closing is not None and viewer == EVERYBODY else None,
        closing_file=f"reports/turn-{play.ref.turn:03}/{CLOSING_FILE}",
        rerun=_gather_rerun(play, result, viewer),
        tally=play.tally if viewer == EVERYBODY else None,
        sightings=play.sightings,
        beacon=gather_beacon(play, frozen),
    )


def _gather_rerun(play: PlayContext, result: TurnResult, viewer: str) -> Rerun | None:
    if play.redo is None:
        return None
    return Rerun(play.redo, play.told_before.get(viewer), tell_reader(play, result, viewer))


def _list_missed(play: PlayContext, frozen: Frozen, result: TurnResult, viewer: str) -> Mapping[str, int]:
    """Turns in a row without orders: a seat's own, the director's of all, from the number that warns."""
    limit = play.game.policies.warn_after
    carried = frozen.carried if result.carried is None else result.carried
    return {
        seat: one.missed
        for seat, one in carried.items()
        if limit is not None and one.missed >= limit and viewer in (seat, DIRECTOR_SEAT)
    }


def _is_told_of_stand_in(own: SeatReading, viewer: str) -> bool:
    """A seat of its own; everybody where what acted was written in the open, as with any orders."""
    if viewer == EVERYBODY:
        return bool(own.stand_in) and not any(one.post.private for one in own.stand_in)
    return own.seat == viewer and bool(own.stand_in)


def _is_told(one: Event, viewer: str) -> bool:
    """A seat's own report leaves corrections and answers to the public one where that tells them."""
    told_in_public = one.audience.everybody and one.id in CORRECTIONS | ANSWERS
    return viewer in (EVERYBODY, DIRECTOR_SEAT) or not told_in_public


def _is_own_post(private: bool, seat: str | None, viewer: str) -> bool:
    """Public posts are told in public, private ones to their author; the digest lists them itself."""
    if viewer == EVERYBODY:
        return not private
    return private and seat == viewer


def _veiled(result: TurnResult) -> tuple[str, ...]:
    """Seats of which everybody may know that something was corrected, though not what; the director's own
    orders correct nothing.
    """
    hidden = [
        one
        for one in result.resolution.events
        if one.id == CORRECTED
        and not one.audience.everybody
        and one.data.get("secret") == 0
        and one.seat != DIRECTOR_SEAT
    ]
    return tuple(dict.fromkeys(seat for one in hidden for seat in one.audience.seats))


def _groups(play: PlayContext, viewer: str) -> tuple[str, ...]:
    if viewer == EVERYBODY:
        return (PUBLIC_GROUP,)
    groups = play.ruleset.groups(play.state)
    return tuple(sorted(group for group, audience in groups.items() if viewer in audience.seats))


def _dice(result: TurnResult, group: str, viewer: str) -> GroupDice | None:
    """A group's dice and proof; for a seat None where nothing was rolled."""
    rolls: tuple[RolledDie, ...] = tuple(one for one in result.resolution.rolls if one.roll.group == group)
    proof = result.proofs.get(group)
    if proof is None or (viewer != EVERYBODY and not rolls):
        return None
    return GroupDice(rolls, proof)


def has_secrets(facts: ReportFacts) -> bool:
    """Whether a seat's own report says anything that the public one doesn't."""
    if facts.missed:
        return True
    return bool(facts.dice or any(not one.audience.everybody for one in (*facts.events, *facts.corrections)))


def gather_next(
    play: PlayContext, commitments: Commitments, deadline: Deadline, state: Any, number: int
) -> NextTurn:
    """The turn that a text opens, with each seat's template. state: its input state; number: its own."""
    looks = {
        seat: play.ruleset.look(
            state, seat, play.game.options, kind=play.kind.name, track=play.ref.track, number=number
        )
        for seat in play.players
        if seat not in play.ruleset.out(state)
    }
    several = (seat.id for seat in play.game.seats if len(play.game.seats_of(seat.account)) > 1)
    return NextTurn(
        number,
        deadline,
        commitments.commitment,
        commitments.groups if play.ruleset.groups(state) else "",
        {seat: play.kind.template(view) for seat, view in looks.items()},
        frozenset(several),
        commitments.secret,
        commitments.proof == "beacon",
    )
