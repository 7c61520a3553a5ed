"""Playing a scenario from its file alone: reading, resolution, reports, comparison with what it expects
(design.md 5).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from parsers.files.errors import FileErrors, FileProblem
from parsers.files.override import Override, Ruling
from parsers.files.scenario import Scenario, ScenarioTurn
from processor.pipeline.comparing import Actual, Difference, compare
from processor.pipeline.context import PlayContext, PostVersion, Secrets, TurnResult
from processor.pipeline.given import Given
from processor.pipeline.locking import freeze_reading
from processor.pipeline.rehearsed_reports import render_reports
from processor.pipeline.replies import read_replies, wait_over
from processor.pipeline.resolving import impossible_value, resolve_reading
from processor.pipeline.staged_reading import read_staged, stage_versions
from processor.pipeline.staging import Stage, set_stage
from rules.engine.catalogue import Catalogue
from rules.engine.dice import DiceScriptError
from rules.engine.messages import msg
from rules.engine.questions import Answer
from rules.engine.ruleset import Ruleset
from rules.play.reading import TurnReading


@dataclass(frozen=True, slots=True)
class RehearsedTurn:
    """One `[[turn]]` of a scenario as it was played.

    reports: plain text by reader (`public`, a seat, `director`). differences: from what the scenario expects.
    problems: what holds the turn that no answer can settle, in the catalogue's language.
    """

    turn: ScenarioTurn
    play: PlayContext
    reading: TurnReading
    result: TurnResult
    reports: Mapping[str, str] = field(default_factory=dict)
    differences: tuple[Difference, ...] = ()
    problems: tuple[str, ...] = ()

    @property
    def actual(self) -> Actual:
        """The turn as it is compared and as `--json` prints it."""
        return Actual.of(self.play, self.reading, self.result, self.reports)


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """A scenario that was played."""

    scenario: Scenario
    turns: tuple[RehearsedTurn, ...]

    @property
    def passed(self) -> bool:
        """Whether all came as expected, and no turn was left held that wasn't expected to be."""
        return not any(one.differences or one.problems for one in self.turns) and not self.left_held

    @property
    def left_held(self) -> RehearsedTurn | None:
        """The last turn where it waits for an answer and the scenario doesn't say that it should."""
        last = self.turns[-1] if self.turns else None
        if last is None or not last.result.held:
            return None
        expect = last.turn.expect
        return None if expect is not None and expect.held else last


def rehearse(
    scenario: Scenario, load: Callable[[str], Ruleset], catalogue: Callable[[Ruleset], Catalogue]
) -> Rehearsal:
    """Play a scenario. Raises FileErrors for what its rule set finds wrong in the file, RulesetError of
    `load`.
    """
    ruleset = load(scenario.ruleset)
    stage = set_stage(scenario, ruleset, catalogue(ruleset))
    played: list[RehearsedTurn] = []
    running: _Running | None = None
    for turn in scenario.turns:
        if not turn.resumes or running is None:
            running = _Running.begin(stage, turn)
        played.append(running.play_on(turn))
        if not played[-1].result.held:
            stage = stage.after(played[-1].play, played[-1].result)
    return Rehearsal(scenario, tuple(played))


class _Running:
    """A turn while it is played, and taken up again as often as the scenario does."""

    def __init__(
        self,
        stage: Stage,
        play: PlayContext,
        secrets: Secrets,
        reading: TurnReading,
        versions: tuple[PostVersion, ...],
    ) -> None:
        self.stage = stage
        self.play = play
        self.secrets = secrets
        self.reading = reading
        self.versions = versions
        self.overrides: list[Override] = []
        self.script: dict[str, tuple[int | str, ...]] = {}
        self.answers: dict[str, Answer] = {}
        self.late: set[int] = set()
        self.result: TurnResult | None = None

    @classmethod
    def begin(cls, stage: Stage, turn: ScenarioTurn) -> _Running:
        """Read the orders of a turn's first table."""
        play = stage.play_of(turn)
        seed = bytes.fromhex(turn.seed) if turn.seed else bytes(32)
        return cls(stage, play, Secrets(seed, seed), read_staged(play, stage, turn), stage_versions(turn))

    def play_on(self, turn: ScenarioTurn) -> RehearsedTurn:
        """Resolve with what the table adds, and compare."""
        self._add_overrides(turn)
        self._add_dice(turn)
        problems = self._add_replies(turn)
        before = self.result
        lock = freeze_reading(self.play, self.reading, "", self.secrets, 0)
        given = Given(
            overrides=tuple(self.overrides),
            late=frozenset(self.late),
            answers=self.answers,
            handles=before.handles if before else {},
            last_handles=self.stage.last_handles,
            published=tuple(one.id for one in before.resolution.open) if before else (),
            script=self.script,
            file=self.stage.scenario.name,
            lock=lock.lock_tag,
            rules=lock.rules_id,
            versions=self.versions,
        )
        try:
            self.result, use = resolve_reading(self.play, self.reading, self.secrets, given)
        except DiceScriptError as wrong:
            raise FileErrors([self._impossible(turn, wrong)]) from wrong
        result = self.result
        problems += result.problems
        if not result.held:
            problems += tuple(
                self.play.say(msg("rehearse/unused-dice", address=address, values=str(list(values))))
                for address, values in use.unused.items()
            )
        reports = {} if result.held else render_reports(self.play, result)
        played = RehearsedTurn(turn, self.play, self.reading, result, reports, (), problems)
        if turn.expect is None:
            return played
        return replace(played, differences=compare(turn.expect, played.actual))

    def _add_overrides(self, turn: ScenarioTurn) -> None:
        for entry in turn.overrides:
            placed = replace(entry, place=len(self.overrides) + 1)
            self.overrides.append(placed)
            if turn.resumes:
                self.late.add(placed.place)

    def _add_dice(self, turn: ScenarioTurn) -> None:
        for address, values in turn.dice.items():
            self.script[address] = (*self.script.get(address, ()), *values)

    def _add_replies(self, turn: ScenarioTurn) -> tuple[str, ...]:
        """Answers of the seats; where a turn goes on, the time of offers that nobody answered is over."""
        if self.result is None:
            return tuple(self.play.say(msg("rehearse/nothing-asked", seat=seat)) for seat in turn.replies)
        read = read_replies(self.result, turn.replies)
        self.answers |= read.answers
        ruled = {one.question for one in self.overrides if isinstance(one, Ruling)}
        self.answers |= wait_over(self.play, self.result, {*self.answers, *ruled})
        return tuple(f"[replies] {self.play.say(problem)}" for problem in read.problems)

    def _impossible(self, turn: ScenarioTurn, wrong: DiceScriptError) -> FileProblem:
        return FileProblem(
            self.stage.scenario.name,
            turn.line,
            f"dice.{wrong.address}",
            "scenario/die",
            *impossible_value(wrong.address, wrong),
        )
