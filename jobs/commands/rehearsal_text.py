"""What `turnero rehearse` prints: each turn as its director would want to read it, then what differs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from rich.console import Console
from rich.text import Text

from jobs.speech import say
from parsers.files.models import quoted
from processor.pipeline.comparing import Difference, plain_param
from processor.pipeline.context import PlayContext
from processor.pipeline.rehearsal import Rehearsal, RehearsedTurn
from rules.engine.diagnostics import Diagnostic, Severity
from rules.engine.events import Event
from rules.engine.resolution import RolledDie
from rules.play.reading import LineRead

LARGEST_SHOWN = 1000
"""Sides up to which a die is one that people throw; larger ones only put things in order."""

_MARKS = {Severity.ERROR: ("✘", "red"), Severity.WARNING: ("⚠", "yellow"), Severity.NOTE: ("ℹ", "cyan")}


def print_rehearsal(console: Console, played: Rehearsal) -> None:
    """The whole rehearsal, with its verdict at the end."""
    console.print(Text(played.scenario.title, style="bold"))
    for turn in played.turns:
        _print_turn(console, turn)
    console.print()
    print_differences(console, played)
    if played.passed:
        checked = any(turn.turn.expect is not None for turn in played.turns)
        console.print(Text(say("cli/rehearsed", checked=int(checked)), style="green"))


def print_verdict(console: Console, file: str, played: Rehearsal) -> None:
    """One line for a rehearsal among others, and below it what differs."""
    mark, style = ("✔", "green") if played.passed else ("✘", "red")
    console.print(Text(f"{mark} {file}: {played.scenario.title}", style=style))
    print_differences(console, played)


def _print_turn(console: Console, turn: RehearsedTurn) -> None:
    one = turn.turn
    title = say("cli/rehearsed-turn", turn=one.number, track=one.track, again=int(one.resumes))
    console.print()
    console.print(Text(f"── {title}", style="bold"))
    if not turn.turn.resumes:
        _print_section(console, say("cli/orders"), _orders(turn))
    resolution = turn.result.resolution
    _print_section(console, say("cli/happens"), _events(resolution.events[: resolution.shown]))
    _print_section(console, say("cli/dice"), _rolls(resolution.rolls[: resolution.rolled]))
    _print_section(console, say("cli/questions"), _questions(turn))
    for reader, text in turn.reports.items():
        if text.strip():
            console.print(Text(f"  {say('cli/report-of', reader=reader)}", style="dim"))
            console.print(Text("\n".join(f"    {line}".rstrip() for line in text.splitlines())))


def _print_section(console: Console, title: str, lines: Iterable[Text]) -> None:
    listed = list(lines)
    if listed:
        console.print(Text(f"  {title}", style="dim"))
    for line in listed:
        console.print(Text("    ") + line)


def _orders(turn: RehearsedTurn) -> Iterable[Text]:
    for seat in turn.reading.seats:
        blocks = (*seat.in_force, *seat.rejected)
        for block in blocks:
            for finding in block.problems:
                yield Text(f"{seat.seat}: ") + _finding(turn.play, finding)
            for line in block.lines:
                yield from _line(turn.play, seat.seat, line)
        if not blocks:
            yield Text(f"{seat.seat}: {say('cli/without-orders')}", style="dim")


def _line(play: PlayContext, seat: str, line: LineRead) -> Iterable[Text]:
    if line.order is not None:
        told = play.say(line.told) if line.told is not None else line.text
        yield Text(f"{seat}#{line.number}  {told}")
    else:
        yield Text(
            f"{seat}#{line.number}  {line.text}" if line.number else f"{seat}  {line.text}", style="red"
        )
    for finding in line.findings:
        yield Text("  ") + _finding(play, finding)


def _finding(play: PlayContext, finding: Diagnostic) -> Text:
    mark, style = _MARKS[finding.severity]
    offers = f" {say('cli/offers', lines=quoted(finding.suggest))}" if finding.suggest else ""
    return Text(f"{mark} {play.say(finding.message)}{offers} ({finding.code})", style=style)


def _events(events: Sequence[Event]) -> Iterable[Text]:
    for one in events:
        data = ", ".join(f"{key} = {_short(plain_param(value))}" for key, value in one.data.items())
        by = f" [{one.seat}#{one.number}]" if one.seat is not None and one.number else ""
        audience = one.audience.data()
        seats = tuple(audience) if isinstance(audience, list) else (str(audience),)
        whom = "" if audience == "public" else f" ({say('cli/only-for', seats=seats)})"
        yield Text(f"{one.id}{by}{whom}: {data}")


def _rolls(rolls: Sequence[RolledDie]) -> Iterable[Text]:
    for one in rolls:
        roll = one.roll
        instead = str(roll.chosen or roll.value) if roll.overridden else None
        sides = str(roll.sides) if roll.sides <= LARGEST_SHOWN and not roll.true_chosen else None
        value = str(roll.true_chosen or roll.true_value)
        yield Text(f"{roll.label}: {say('cli/rehearsed-roll', value=value, sides=sides, instead=instead)}")


def _questions(turn: RehearsedTurn) -> Iterable[Text]:
    for one in turn.result.resolution.open:
        handle = turn.result.handles.get(one.id)
        asked = {"question": one.id, "to": one.to, "text": turn.play.say(one.text), "handle": handle}
        yield Text(say("cli/rehearsed-question", **asked, legal=tuple(one.legal)), style="yellow")


def print_differences(console: Console, played: Rehearsal) -> None:
    """What came other than expected, with what the expectation rests on."""
    for turn in played.turns:
        for problem in turn.problems:
            where = say("cli/turn-number", turn=turn.turn.number)
            console.print(Text(f"✘ {where}: {problem}", style="red"))
        for one in turn.differences:
            console.print(_difference(turn, one))
    left = played.left_held
    if left is not None and not left.problems:
        waiting = tuple(one.id for one in left.result.resolution.open)
        said = say("cli/left-waiting", turn=left.turn.number, questions=waiting)
        console.print(Text(f"✘ {said}", style="red"))


def _difference(turn: RehearsedTurn, one: Difference) -> Text:
    text = Text(f"✘ {say('cli/turn-number', turn=turn.turn.number)}, {one.path}", style="red")
    for name, value in (("expected", one.expected), ("actual", one.actual)):
        text.append(f"\n    {say(f'cli/{name}')} {_short(value)}", style="default")
    for source in one.source:
        text.append(f"\n    {say('cli/source', source=source)}", style="dim")
    return text


def _short(value: Any) -> str:
    return (
        say("cli/nothing")
        if value is None
        else value
        if isinstance(value, str)
        else json.dumps(value, ensure_ascii=False)
    )
