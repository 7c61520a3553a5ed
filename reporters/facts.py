"""What reports are made from: values that the pipeline gathers, each with who may know it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from reporters.attempts import Rerun
from reporters.beacon import BeaconFacts
from reporters.proof import ProofData
from rules.engine.audience import EVERYBODY
from rules.engine.document import Document
from rules.engine.events import Event
from rules.engine.resolution import RolledDie
from rules.engine.ruleset import Outcome, Template
from rules.play.attempts import Tally
from rules.play.reading import SeatReading, SkippedText
from rules.play.sightings import Sighting
from rules.play.turns import Deadline


@dataclass(frozen=True, slots=True)
class NextTurn:
    """The turn that a report opens.

    commitment: C in hex. groups: digest over the groups' commitments, "" where nobody else rolls.
    templates: by seat, without those that are out; `several` names the seats whose player has others too and
    must say `como`.
    secret: the commitment to the game's secret H, shown with the first turn; "" for none. beacon: whether a
    round of the beacon goes into its dice.
    """

    turn: int
    deadline: Deadline
    commitment: str
    groups: str = ""
    templates: Mapping[str, Template] = field(default_factory=dict)
    several: frozenset[str] = frozenset()
    secret: str = ""
    beacon: bool = False


@dataclass(frozen=True, slots=True)
class GroupDice:
    """The dice of one audience group. rolls: in the order thrown. proof: of all these rolls."""

    rolls: tuple[RolledDie, ...]
    proof: ProofData


@dataclass(frozen=True, slots=True)
class ReportFacts:
    """One viewer's report of a turn. viewer: a seat's id, or `public`.

    document: the rule set's, None where the kind of turn has none: then `events` are told one by one.
    corrections: `engine/corrected` and `-dropped` events that the viewer may know. veiled: seats with
    corrections of which the viewer may know only that. answers: `engine/answered` and `moot-answer` events.
    dice: of this viewer's groups alone, for a seat those in which something was rolled.
    groups: digest over the groups' commitments, "" where nobody else rolls.
    committed_at: when the commitment was published, None where it isn't known. file: where the proof lies.
    silent: whether the seat had no orders. stand_in: seats for which orders of other turns have acted, as far
    as the viewer may know. missed: turns in a row without orders, by seat, where that is worth a warning.
    rerun: what is said of the attempt that this one replaces, None for a first one. tally: what became of the
    seeds so far. sightings: what was found wrong with the post that published the commitment.
    beacon: what went into the dice beside the seed, None for nothing.
    closing: the proof of the whole game with its secret H, where it ends; closing_file: where it lies.
    """

    viewer: str
    document: Document | None
    events: tuple[Event, ...] = ()
    corrections: tuple[Event, ...] = ()
    veiled: tuple[str, ...] = ()
    answers: tuple[Event, ...] = ()
    late: tuple[SkippedText, ...] = ()
    dice: tuple[GroupDice, ...] = ()
    groups: str = ""
    committed_at: datetime | None = None
    next: NextTurn | None = None
    outcome: Outcome | None = None
    silent: bool = False
    stand_in: tuple[SeatReading, ...] = ()
    missed: Mapping[str, int] = field(default_factory=dict)
    file: str = "proof.json"
    closing: ProofData | None = None
    closing_file: str = ""
    rerun: Rerun | None = None
    tally: Tally | None = None
    sightings: tuple[Sighting, ...] = ()
    beacon: BeaconFacts | None = None

    @property
    def public(self) -> bool:
        """Whether everybody reads it."""
        return self.viewer == EVERYBODY
