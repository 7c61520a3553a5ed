"""What a scenario stands on: a game made up from its file, the state between turns, tracks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, time
from typing import Any

from pydantic_core import PydanticCustomError

from parsers.files.errors import FileErrors, FileProblem
from parsers.files.models import quoted
from parsers.files.scenario import Scenario, ScenarioTrack, ScenarioTurn
from parsers.files.state_problems import load_plain
from parsers.files.toml import TomlFile
from parsers.files.values import check_policy
from processor.pipeline.context import PlayContext, TurnResult
from rules.engine.catalogue import Catalogue
from rules.engine.codec import load_state
from rules.engine.messages import Message, msg
from rules.engine.questions import QuestionPolicy
from rules.engine.ruleset import Ruleset
from rules.play.game import ForumSettings, Game, NmrPolicy, Policies, Schedule, Seat
from rules.play.posts import Capabilities, Precision
from rules.play.turns import Deadline, TurnRef

GAME = "rehearse"
POLICIES = "questions"
"""The key of `[options]` that says the policies of questions."""

_DEADLINE = datetime(9999, 12, 31, 23, 59, tzinfo=UTC)
_FORUM = Capabilities(Precision.SECOND, private=True, edit=True, max_chars=1_000_000, min_interval=0)


@dataclass(frozen=True, slots=True)
class OpenTrack:
    """A track that is open. seats: who takes part, empty for all."""

    kind: str
    seats: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Stage:
    """The game between two turns. last_handles: by seat, the number of the last question it was asked."""

    scenario: Scenario
    ruleset: Ruleset
    catalogue: Catalogue
    game: Game
    state: Any
    tracks: Mapping[str, OpenTrack] = field(default_factory=dict)
    last_handles: Mapping[str, int] = field(default_factory=dict)

    def play_of(self, turn: ScenarioTurn) -> PlayContext:
        """The turn as the pipeline sees it. Raises FileErrors for a track that isn't open."""
        kind = self.ruleset.main_kind
        seats: tuple[str, ...] = ()
        if turn.track:
            track = self.tracks.get(turn.track)
            if track is None:
                raise FileErrors([self._fault(turn)])
            kind, seats = self.ruleset.kinds[track.kind], track.seats
        return PlayContext(
            game=self._game_now(),
            ruleset=self.ruleset,
            kind=kind,
            state=self.state,
            ref=TurnRef(GAME, turn.number, turn.track),
            deadline=Deadline(_DEADLINE, "UTC"),
            catalogue=self.catalogue,
            forum=_FORUM,
            tracks=tuple(self.tracks),
            seats=seats,
        )

    def _game_now(self) -> Game:
        """Seats come and go with the state: a rehearsal has no file that names them."""
        return replace(self.game, seats=_seats(self.ruleset, self.state))

    def _fault(self, turn: ScenarioTurn) -> FileProblem:
        wrong = msg("rehearse/no-track", track=turn.track)
        right = msg("rehearse/open-tracks", tracks=quoted(self.tracks))
        return FileProblem(self.scenario.name, turn.line, "track", "scenario/unknown-track", wrong, right)

    def after(self, play: PlayContext, result: TurnResult) -> Stage:
        """The game behind a turn that isn't held."""
        tracks = dict(self.tracks)
        if result.resolution.closed:
            tracks.pop(play.ref.track, None)
        tracks |= {one.name: OpenTrack(one.kind, one.seats) for one in result.resolution.opened}
        last = dict(self.last_handles)
        to = {one.question.id: one.question.to for one in result.resolution.asked}
        for question, handle in result.handles.items():
            seat = to.get(question)
            if seat is not None:
                last[seat] = max(last.get(seat, 0), int(handle[1:]))
        state = load_state(self.ruleset.state, result.state)
        return replace(self, state=state, tracks=tracks, last_handles=last)


def set_stage(scenario: Scenario, ruleset: Ruleset, catalogue: Catalogue) -> Stage:
    """The game before the scenario's first turn. Raises FileErrors for what the rule set finds wrong."""
    file = TomlFile(scenario.name, {}, scenario.positions)
    told = {key: value for key, value in scenario.options.items() if key != POLICIES}
    options, problems = load_plain(ruleset.options, told, file, ("options",))
    policies, wrong = _read_policies(scenario, ruleset, file)
    state, more = load_plain(ruleset.state, scenario.state, file, ("state",))
    problems = [*problems, *wrong, *more]
    if state is not None and options is not None:
        found = ruleset.check(state, options)
        problems += [_said(one, file) for one in found]
    if not problems:
        state, problems = _open_tracks(scenario, ruleset, state, file)
    if problems:
        raise FileErrors(problems)
    game = Game(
        id=GAME,
        title=ruleset.title,  # not the scenario's: reports hold nothing that the rules didn't say
        ruleset=ruleset.id,
        language=catalogue.language,
        zone="UTC",
        forum=ForumSettings("text", "", "", "", "UTC", secret=False),
        schedule=Schedule(time(22), datetime(2000, 1, 1, 22), every_days=1),  # noqa: DTZ001 - local, and never used
        seats=_seats(ruleset, state),
        policies=Policies(nmr=NmrPolicy.DEFAULT, questions=policies),
        options=options,
    )
    tracks = {one.name: OpenTrack(one.kind, one.seats) for one in scenario.tracks}
    return Stage(scenario, ruleset.speaking(catalogue.language), catalogue, game, state, tracks)


def _seats(ruleset: Ruleset, state: Any) -> tuple[Seat, ...]:
    """Every seat of the state, its id as its account."""
    return tuple(Seat(seat, seat, seat, shown) for seat, shown in ruleset.seats(state).items())


def _said(message: Message, file: TomlFile) -> FileProblem:
    return file.problem(("state",), message.id, message, msg("rehearse/mend-state"))


def _read_policies(
    scenario: Scenario, ruleset: Ruleset, file: TomlFile
) -> tuple[dict[str, QuestionPolicy], list[FileProblem]]:
    """`[options.questions]`: a policy by kind of question."""
    written = scenario.options.get(POLICIES, {})
    policies: dict[str, QuestionPolicy] = {}
    problems: list[FileProblem] = []
    for kind, text in written.items() if isinstance(written, Mapping) else ():
        where = ("options", POLICIES, str(kind))
        policy = _policy(text)
        if kind not in ruleset.questions:
            wrong = msg("rehearse/no-questions", kind=str(kind))
            right = msg("rehearse/kinds-are", kinds=quoted(ruleset.questions))
            problems.append(file.problem(where, "scenario/question", wrong, right))
        elif policy is None:
            wrong = msg("rehearse/no-policy", text=str(text))
            problems.append(file.problem(where, "scenario/policy", wrong, msg("rehearse/policy")))
        else:
            policies[str(kind)] = policy
    return policies, problems


def _policy(written: Any) -> QuestionPolicy | None:
    try:
        return check_policy(written)
    except PydanticCustomError:
        return None


def _open_tracks(
    scenario: Scenario, ruleset: Ruleset, state: Any, file: TomlFile
) -> tuple[Any, list[FileProblem]]:
    problems: list[FileProblem] = []
    for place, track in enumerate(scenario.tracks):
        kind = ruleset.kinds.get(track.kind)
        seats = set(ruleset.seats(state))
        if kind is None or not seats.issuperset(track.seats):
            problems.append(_wrong_track(file, place, track, ruleset, tuple(sorted(seats))))
        elif kind.open is not None:
            try:
                state = kind.open(state, track.name, track.seats, track.with_)
            except (ValueError, KeyError, TypeError) as wrong:
                where = ("track", place, "with")
                said = msg("rehearse/track-cant-open", why=str(wrong))
                problems.append(file.problem(where, "scenario/track", said, msg("rehearse/mend-with")))
    return state, problems


def _wrong_track(
    file: TomlFile, place: int, track: ScenarioTrack, ruleset: Ruleset, seats: tuple[str, ...]
) -> FileProblem:
    if track.kind not in ruleset.kinds:
        wrong = msg("rehearse/no-kind", kind=track.kind)
        right = msg("rehearse/kinds-are", kinds=quoted(ruleset.kinds))
        return file.problem(("track", place, "kind"), "scenario/kind", wrong, right)
    unknown = quoted(one for one in track.seats if one not in seats)
    wrong, right = msg("rehearse/no-seats", seats=unknown), msg("correct/seats-are", seats=seats)
    return file.problem(("track", place, "seats"), "scenario/seat", wrong, right)
