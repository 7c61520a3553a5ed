"""Scenario files: a game that is played from one file, by `rehearse` and by golden tests (design.md 5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from parsers.files.errors import FileErrors, FileProblem
from parsers.files.models import check_table, nearest, unknown_key
from parsers.files.override import Override, read_overrides
from parsers.files.positions import KeyPath, Positions
from parsers.files.scenario_rules import HEAD_KEYS, TURN_KEYS, check_turns
from parsers.files.scenario_tables import (
    DiagnosticTable,
    ExpectTable,
    HeadTable,
    PostTable,
    QuestionTable,
    TurnTable,
)
from parsers.files.toml import TomlFile, read_toml
from rules.engine.messages import msg

Sources = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ScenarioTrack:
    """A track beside the main one. with_: what its kind of turn needs to open."""

    name: str
    kind: str
    seats: tuple[str, ...] = ()
    with_: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ScenarioPost:
    """A post as a forum holds it. Either `seat` or `author` is given; an author has no seat.

    time: with or without offset, as written; all posts of a turn alike.
    """

    time: datetime
    text: str
    seat: str | None = None
    author: str | None = None


@dataclass(frozen=True, slots=True)
class Expected:
    """One thing that is compared as a subset: only the keys of `data` count. source: never compared."""

    data: Mapping[str, Any]
    source: Sources = ()


@dataclass(frozen=True, slots=True)
class ExpectedReport:
    """Texts that one reader's own report has and lacks."""

    has: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    source: Sources = ()


@dataclass(frozen=True, slots=True)
class Expectation:
    """What should come of a turn; None and empty: not compared (an empty tuple of the first four: none).

    diagnostics: complete, in any order. events: an ordered subsequence. held: exactly these questions.
    questions: the open ones. absent: paths of the state that don't exist, parts separated by `/`.
    state: such a path -> a value that isn't a table (an empty table: the path exists).
    report: by reader (`public`, a seat, `director`). sources: by path, "" for everything.
    line: line of the file where the expectations start.
    """

    diagnostics: tuple[Expected, ...] | None = None
    events: tuple[Expected, ...] | None = None
    held: tuple[str, ...] | None = None
    questions: tuple[Expected, ...] | None = None
    absent: tuple[str, ...] = ()
    state: Mapping[str, Any] = field(default_factory=dict)
    report: Mapping[str, ExpectedReport] = field(default_factory=dict)
    sources: Mapping[str, Sources] = field(default_factory=dict)
    line: int | None = None

    def source_of(self, path: str) -> Sources:
        """Where an expectation comes from: `state/armies/E1`, `events`; the nearest path that is named."""
        parts = path.split("/")
        for count in range(len(parts), 0, -1):
            found = self.sources.get("/".join(parts[:count]))
            if found:
                return found
        return self.sources.get("", ())


@dataclass(frozen=True, slots=True)
class ScenarioTurn:
    """One turn, or more of the turn before it (`resumes`), which was held.

    track: "" for the main one. seed: 64 hex digits, None for zeros. orders, replies: text by seat.
    dice: values by plain address. line: where it starts in the file.
    """

    number: int
    track: str = ""
    seed: str | None = None
    orders: Mapping[str, str] = field(default_factory=dict)
    dice: Mapping[str, tuple[int | str, ...]] = field(default_factory=dict)
    replies: Mapping[str, str] = field(default_factory=dict)
    posts: tuple[ScenarioPost, ...] = ()
    overrides: tuple[Override, ...] = ()
    expect: Expectation | None = None
    resumes: bool = False
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Scenario:
    """A whole scenario. options, state: in the rule set's own terms, checked by it.

    positions: lines of the file's keys, for what the rule set finds wrong (`("state", "armies", "E1")`).
    """

    name: str
    title: str
    ruleset: str
    turns: tuple[ScenarioTurn, ...]
    options: Mapping[str, Any] = field(default_factory=dict)
    state: Mapping[str, Any] = field(default_factory=dict)
    tracks: tuple[ScenarioTrack, ...] = ()
    positions: Positions = field(default_factory=Positions)


def load_scenario(text: str, name: str) -> Scenario:
    """Read a scenario, in the long form with `[[turn]]` or the short one with one turn. Raises FileErrors."""
    file = read_toml(text, name)
    head, problems = _read_head(file)
    turns: list[ScenarioTurn] = []
    tables = _turn_tables(file)
    problems += check_turns(file, tables)
    for path, table in tables:
        turn, wrong = _read_turn(table, file, path, turns[-1] if turns else None)
        problems += wrong
        if turn is not None:
            turns.append(turn)
    if problems or head is None:
        raise FileErrors(_leave_misspelt(problems, file))
    return Scenario(
        name=name,
        title=head.title,
        ruleset=head.ruleset,
        turns=tuple(turns),
        options=head.options,
        state=head.state,
        tracks=tuple(ScenarioTrack(one.name, one.kind, tuple(one.seats), one.with_) for one in head.track),
        positions=file.positions,
    )


def _read_head(file: TomlFile) -> tuple[HeadTable | None, list[FileProblem]]:
    """What stands before the turns, and what stands there and means nothing."""
    head = {key: value for key, value in file.data.items() if key in HEAD_KEYS}
    if isinstance(head.get("track"), str):
        del head["track"]  # the short form's mistake, said by `check_turns`
    table, problems = check_table(HeadTable, head, file, ())
    if "turn" in file.data:
        problems += [_outside(key, file) for key in file.data if key not in (*HEAD_KEYS, "turn")]
    return table, problems


def _leave_misspelt(problems: list[FileProblem], file: TomlFile) -> list[FileProblem]:
    """Without keys that are missing at the top because they are misspelt: one mistake gives one error."""
    keys = (*HEAD_KEYS, *TURN_KEYS, "turn")
    meant = {nearest(key, keys) for key in file.data if key not in keys}
    return [one for one in problems if not (one.code == "file/missing-key" and one.key in meant)]


def _outside(key: str, file: TomlFile) -> FileProblem:
    if key in TURN_KEYS:
        wrong = msg("files/outside-turn", key=key)
        return file.problem((key,), "scenario/outside-turn", wrong, msg("files/into-turn"))
    return unknown_key(file, (key,), (*HEAD_KEYS, "turn"))


def _turn_tables(file: TomlFile) -> list[tuple[KeyPath, dict[str, Any]]]:
    """The turns with their places in the file; in the short form the one turn stands at the top."""
    turns = file.data.get("turn")
    if isinstance(turns, list):
        return [(("turn", place), turn) for place, turn in enumerate(turns) if isinstance(turn, dict)]
    return [((), {key: value for key, value in file.data.items() if key not in (*HEAD_KEYS, "turn")})]


def _read_turn(
    table: dict[str, Any], file: TomlFile, path: KeyPath, before: ScenarioTurn | None
) -> tuple[ScenarioTurn | None, list[FileProblem]]:
    if not path and isinstance(file.data.get("turn"), dict):
        return None, []  # `[turn]` instead of `[[turn]]`: said by `check_turns`
    checked, problems = check_table(TurnTable, table, file, path, () if path else (*HEAD_KEYS, "turn"))
    overrides, wrong = read_overrides(table.get("override", []), file, (*path, "override"))
    problems += wrong if isinstance(table.get("override", []), list) else []
    if checked is None or problems:
        return None, problems
    resumes = before is not None and (before.number, before.track) == (checked.number, checked.track)
    line = file.positions.line_of((*path, "number"))
    expect_line = file.positions.line_of((*path, "expect"))
    return _build_turn(checked, overrides, resumes, line, expect_line), []


def _build_turn(
    table: TurnTable,
    overrides: tuple[Override, ...],
    resumes: bool,
    line: int | None,
    expect_line: int | None,
) -> ScenarioTurn:
    return ScenarioTurn(
        number=table.number,
        track=table.track,
        seed=table.seed,
        orders=table.orders,
        dice=table.dice,
        replies=table.replies,
        posts=tuple(_build_post(post) for post in table.post),
        overrides=overrides,
        expect=None if table.expect is None else _build_expectation(table.expect, expect_line),
        resumes=resumes,
        line=line,
    )


def _build_post(table: PostTable) -> ScenarioPost:
    return ScenarioPost(table.time, table.text, table.seat, table.author)


def _build_expectation(table: ExpectTable, line: int | None) -> Expectation:
    return Expectation(
        diagnostics=None if table.diagnostics is None else tuple(map(_build_table, table.diagnostics)),
        events=None if table.events is None else tuple(map(_build_event, table.events)),
        held=None if table.held is None else tuple(table.held),
        questions=None if table.questions is None else tuple(map(_build_table, table.questions)),
        absent=tuple(table.absent),
        state=flatten_state(table.state),
        report={
            reader: ExpectedReport(tuple(one.has), tuple(one.lacks), one.source or ())
            for reader, one in table.report.items()
        },
        sources=table.source,
        line=line,
    )


def _build_table(table: DiagnosticTable | QuestionTable) -> Expected:
    return Expected(table.model_dump(exclude_none=True, exclude={"source"}), table.source or ())


def _build_event(data: dict[str, Any]) -> Expected:
    source = data.get("source", ())
    return Expected(
        {key: value for key, value in data.items() if key != "source"}, (source,) if source else ()
    )


def flatten_state(state: Mapping[str, Any], above: str = "") -> dict[str, Any]:
    """Nested tables, and keys that are paths themselves, as one table of paths with `/`."""
    flat: dict[str, Any] = {}
    for key, value in state.items():
        path = f"{above}/{key}" if above else key
        if isinstance(value, Mapping) and value:
            flat |= flatten_state(value, path)
        else:
            flat[path] = value
    return flat
