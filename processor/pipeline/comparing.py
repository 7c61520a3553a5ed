"""A turn as plain data, as `rehearse --json` prints it, and where it differs from what a scenario expects."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from parsers.files.scenario import Expectation, Expected, Sources
from processor.pipeline.context import PlayContext, TurnResult
from rules.engine.codec import dump_state, load_state
from rules.engine.diagnostics import Diagnostic
from rules.engine.events import Event
from rules.engine.messages import Code, Message, Name, Param, Quoted
from rules.engine.questions import Question
from rules.engine.resolution import RolledDie
from rules.play.reading import LineRead, Submission, TurnReading

_MISSING = object()
EXCERPT = 400
"""Characters of a report that a difference shows."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that came other than expected.

    path: where (`state/factions/Imperio/supplies`, `events`, `report/public`). expected, actual: plain
    data; None where there is nothing. source: what the expectation rests on.
    """

    path: str
    expected: Any
    actual: Any
    source: Sources = ()


@dataclass(frozen=True, slots=True)
class Actual:
    """A turn as plain data with stable keys.

    Of a held turn there is no state (None), and only the events and rolls before the first open question.
    filled: the state with all defaults written, for comparison. kept: the state as dumped.
    """

    diagnostics: tuple[dict[str, Any], ...]
    events: tuple[dict[str, Any], ...]
    state: dict[str, Any] | None
    rolls: tuple[dict[str, Any], ...]
    questions: tuple[dict[str, Any], ...]
    reports: Mapping[str, str]
    filled: Any = None

    @classmethod
    def of(
        cls, play: PlayContext, reading: TurnReading, result: TurnResult, reports: Mapping[str, str]
    ) -> Actual:
        """The data of a turn that was read and resolved."""
        resolution = result.resolution
        filled = None
        if result.state is not None:
            filled = dump_state(load_state(play.ruleset.state, result.state), defaults=True)
        return cls(
            tuple(_diagnostics(reading)),
            tuple(map(event_data, resolution.events[: resolution.shown])),
            result.state,
            tuple(map(roll_data, resolution.rolls[: resolution.rolled])),
            tuple(question_data(one, result.handles) for one in resolution.open),
            reports,
            filled,
        )

    def data(self) -> dict[str, Any]:
        """The turn's entry in `--json`."""
        return {
            "diagnostics": list(self.diagnostics),
            "events": list(self.events),
            "state": self.state,
            "rolls": list(self.rolls),
            "questions": list(self.questions),
            "reports": dict(self.reports),
        }


def _diagnostics(reading: TurnReading) -> Iterable[dict[str, Any]]:
    """Findings about blocks and lines of all seats, also of blocks that aren't in force."""
    for seat in reading.seats:
        blocks = sorted((*seat.in_force, *seat.rejected), key=_when)
        for block in blocks:
            for finding in block.problems:
                yield _diagnostic(seat.seat, block, None, finding)
            for line in block.lines:
                for finding in line.findings:
                    yield _diagnostic(seat.seat, block, line, finding)


def _when(block: Submission) -> tuple[Any, str]:
    return block.post.at, block.post.id


def _diagnostic(seat: str, block: Submission, line: LineRead | None, one: Diagnostic) -> dict[str, Any]:
    return {
        "seat": seat,
        "post": block.post.id,
        "line": line.line if line else None,
        "number": (line.number or None) if line else None,
        "code": one.code,
        "severity": one.severity.value,
        "span": [one.span.start, one.span.end] if one.span else None,
        "suggest": list(one.suggest),
    }


def event_data(one: Event) -> dict[str, Any]:
    """An event, flat: its own keys, then its data."""
    head = {"id": one.id, "audience": one.audience.data(), "seat": one.seat, "number": one.number}
    return head | {key: plain_param(value) for key, value in one.data.items()}


def roll_data(one: RolledDie) -> dict[str, Any]:
    """A roll with the value that counted and the true one; of draws also the ids."""
    roll = one.roll
    return {
        "address": roll.label,
        "i": roll.index,
        "n": roll.sides,
        "value": roll.value,
        "true_value": roll.true_value,
        "chosen": roll.chosen or None,
        "purpose": roll.purpose,
        "audience": one.audience.data(),
    }


def question_data(one: Question, handles: Mapping[str, str]) -> dict[str, Any]:
    """An open question with its handle, None for the director's."""
    return {
        "id": one.id,
        "kind": one.kind,
        "to": one.to,
        "handle": handles.get(one.id),
        "data": {key: plain_param(value) for key, value in one.data.items()},
        "legal": {answer: list(words) for answer, words in one.legal.items()},
        "default": one.default,
        "audience": one.known_to.data(),
    }


def plain_param(value: Param) -> Any:
    """A parameter as JSON: texts, numbers and lists; a message as its id with its own parameters."""
    match value:
        case Quoted(text) | Code(text) | Name(text):
            return text
        case Message():
            return {"id": value.id} | {key: plain_param(inner) for key, inner in value.params.items()}
        case tuple():
            return [plain_param(one) for one in value]
    return value


def compare(expect: Expectation, actual: Actual) -> tuple[Difference, ...]:
    """Everything that came other than expected, in the order of the file's sections."""
    return (
        *_compare_diagnostics(expect, actual),
        *_compare_events(expect, actual),
        *_compare_held(expect, actual),
        *_compare_questions(expect, actual),
        *_compare_absent(expect, actual),
        *_compare_state(expect, actual),
        *_compare_reports(expect, actual),
    )


def _compare_diagnostics(expect: Expectation, actual: Actual) -> Iterable[Difference]:
    """Complete, in any order: each expected one has its own actual one, and none is left over."""
    if expect.diagnostics is None:
        return
    pairs = _match(expect.diagnostics, actual.diagnostics)
    for at, wanted in enumerate(expect.diagnostics):
        if at not in pairs:
            near = _nearest(wanted.data, actual.diagnostics)
            yield Difference("diagnostics", wanted.data, near, _sources(expect, "diagnostics", wanted))
    for at, found in enumerate(actual.diagnostics):
        if at not in pairs.values():
            yield Difference("diagnostics", None, found, expect.source_of("diagnostics"))


def _match(wanted: Sequence[Expected], found: Sequence[Mapping[str, Any]]) -> dict[int, int]:
    """The largest pairing of expected things with actual ones that fit (augmenting paths)."""
    pairs: dict[int, int] = {}
    for at in range(len(wanted)):
        _augment(at, wanted, found, pairs, set())
    return pairs


def _augment(
    at: int,
    wanted: Sequence[Expected],
    found: Sequence[Mapping[str, Any]],
    pairs: dict[int, int],
    tried: set[int],
) -> bool:
    for place, one in enumerate(found):
        if place in tried or not is_subset(wanted[at].data, one):
            continue
        tried.add(place)
        owner = next((other for other, taken in pairs.items() if taken == place), None)
        if owner is None or _augment(owner, wanted, found, pairs, tried):
            pairs[at] = place
            return True
    return False


def _compare_events(expect: Expectation, actual: Actual) -> Iterable[Difference]:
    """An ordered subsequence: each expected event stands behind the one before it."""
    at = 0
    for wanted in expect.events or ():
        place = next(
            (n for n in range(at, len(actual.events)) if is_subset(wanted.data, actual.events[n])), None
        )
        if place is None:
            near = _nearest(wanted.data, actual.events[at:]) or _nearest(wanted.data, actual.events)
            yield Difference("events", wanted.data, near, _sources(expect, "events", wanted))
        else:
            at = place + 1


def _compare_held(expect: Expectation, actual: Actual) -> Iterable[Difference]:
    if expect.held is None:
        return
    found = [one["id"] for one in actual.questions]
    if sorted(expect.held) != sorted(found):
        yield Difference("held", list(expect.held), found, expect.source_of("held"))


def _compare_questions(expect: Expectation, actual: Actual) -> Iterable[Difference]:
    """Each expected one is open; an empty list: none is."""
    if expect.questions is None:
        return
    pairs = _match(expect.questions, actual.questions)
    for at, wanted in enumerate(expect.questions):
        if at not in pairs:
            near = _nearest(wanted.data, actual.questions)
            yield Difference("questions", wanted.data, near, _sources(expect, "questions", wanted))
    if not expect.questions and actual.questions:
        found = [one["id"] for one in actual.questions]
        yield Difference("questions", [], found, expect.source_of("questions"))


def _compare_absent(expect: Expectation, actual: Actual) -> Iterable[Difference]:
    for path in expect.absent:
        if actual.state is None:
            yield _no_state(expect, f"absent/{path}", None)
            continue
        found = _value_at(actual.state, path)
        if found is not _MISSING:
            sources = expect.source_of(f"state/{path}") or expect.source_of("absent")
            yield Difference(f"absent/{path}", None, found, expect.sources.get("absent", sources))


def _compare_state(expect: Expectation, actual: Actual) -> Iterable[Difference]:
    for path, wanted in expect.state.items():
        if actual.state is None:
            yield _no_state(expect, f"state/{path}", wanted)
            continue
        found = _value_at(actual.filled, path)
        exists = wanted == {} and isinstance(found, dict)
        if not exists and (found is _MISSING or not is_same(wanted, found)):
            shown = None if found is _MISSING else found
            yield Difference(f"state/{path}", wanted, shown, expect.source_of(f"state/{path}"))


def _no_state(expect: Expectation, path: str, wanted: Any) -> Difference:
    return Difference(path, wanted, "held: there is no state", expect.source_of(path))


def _compare_reports(expect: Expectation, actual: Actual) -> Iterable[Difference]:
    for reader, wanted in expect.report.items():
        text = actual.reports.get(reader, "")
        joined = _words(text)
        sources = wanted.source or expect.source_of(f"report/{reader}")
        for words in wanted.has:
            if _words(words) not in joined:
                yield Difference(f"report/{reader}/has", words, text[:EXCERPT], sources)
        for words in wanted.lacks:
            if _words(words) in joined:
                yield Difference(f"report/{reader}/lacks", words, _around(joined, words), sources)


def _words(text: str) -> str:
    """A text as it is compared: blanks and line ends alike, without the ticks around what is typed."""
    return " ".join(text.replace("`", "").split())


def _around(text: str, words: str) -> str:
    at = text.index(_words(words))
    return text[max(0, at - EXCERPT // 4) : at + EXCERPT // 4]


def _value_at(data: Any, path: str) -> Any:
    for part in path.split("/"):
        if not isinstance(data, Mapping) or part not in data:
            return _MISSING
        data = data[part]
    return data


def is_subset(wanted: Mapping[str, Any], found: Mapping[str, Any]) -> bool:
    """Whether each key given has its value; suggestions count from the best one on."""
    return all(_fits(key, value, found.get(key, _MISSING)) for key, value in wanted.items())


def _fits(key: str, wanted: Any, found: Any) -> bool:
    if key == "audience":
        return _audience(wanted) == _audience(found)
    if key == "suggest" and isinstance(found, list) and wanted:
        return is_same(wanted, found[: len(wanted)])
    if isinstance(wanted, Mapping) and isinstance(found, Mapping):
        return is_subset(wanted, found)
    return is_same(wanted, found)


def _audience(value: Any) -> list[Any]:
    """A single seat may stand without its list."""
    return sorted(value) if isinstance(value, list | tuple) else [value]


def is_same(wanted: Any, found: Any) -> bool:
    """Equal as JSON: 1 isn't true, lists and tuples are one."""
    if isinstance(wanted, list | tuple) and isinstance(found, list | tuple):
        return len(wanted) == len(found) and all(map(is_same, wanted, found))
    if isinstance(wanted, Mapping) and isinstance(found, Mapping):
        return set(wanted) == set(found) and all(is_same(wanted[key], found[key]) for key in wanted)
    equal: bool = wanted == found
    return equal and isinstance(wanted, bool) == isinstance(found, bool)


def _nearest(wanted: Mapping[str, Any], found: Sequence[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    """What agrees most with an expected thing, of those with its id or code; shown beside it."""
    name = "id" if "id" in wanted else "code"
    score: Callable[[Mapping[str, Any]], int] = lambda one: sum(  # noqa: E731
        _fits(key, value, one.get(key, _MISSING)) for key, value in wanted.items()
    )
    same = [one for one in found if name not in wanted or one.get(name) == wanted[name]]
    best = max(same, key=score, default=None)
    return None if best is None else {key: best.get(key) for key in ({**wanted} if name in wanted else best)}


def _sources(expect: Expectation, path: str, wanted: Expected) -> Sources:
    return wanted.source or expect.source_of(path)
