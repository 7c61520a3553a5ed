"""`turnero check --forum`: what a game's forum lets its account do, look after look."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from rich.console import Console

from jobs import host
from jobs.commands.carrying import is_carried, open_folder_forum
from jobs.speech import catalogue, say
from processor.ports import Forum
from processor.service.bundle import LoadedGame
from processor.service.trial_lines import Line, try_posting, try_uploading, try_writing
from processor.service.trying import Look, Trial, try_out
from processor.service.trying_scene import try_scene
from reporters.dates import say_day
from rules.play.game import UMBRIA


@dataclass(frozen=True, slots=True)
class Traces:
    """What a trial may leave behind.

    topic: where a line is posted, None: nowhere. letter: whether the director is written to.
    """

    topic: str | None = None
    letter: bool = False

    def __bool__(self) -> bool:
        return self.topic is not None or self.letter


def ask_forum(console: Console, loaded: LoadedGame, traces: Traces) -> bool:
    """Print each look; whether all is well."""
    if loaded.game.forum.software == UMBRIA:
        return _print_all(console, try_scene(loaded.game, open_folder_forum(loaded.game)))
    if is_carried(loaded.game):
        console.print(f"✔ {say('cli/no-forum-to-ask')}")
        return True
    forum = host.open_forum(loaded.game)
    well = _print_all(console, try_out(Trial(loaded.game, forum, host.now)))
    if traces and not well:
        console.print(say("cli/no-traces"))
    return well and _print_all(console, _leave(loaded, forum, traces))


def _leave(loaded: LoadedGame, forum: Forum, traces: Traces) -> Iterable[Look]:
    """What leaves a trace."""
    game, now = loaded.game, host.now()
    moment = f"{now.astimezone(ZoneInfo(game.zone)):%H:%M:%S}"
    line = Line(game, forum, loaded.catalogue, moment)
    if traces.topic is not None:
        yield from try_posting(line, traces.topic)
        yield from try_uploading(line, traces.topic)
    if traces.letter:
        yield from try_writing(line, say_day(now, game.zone, game.language))


def _print_all(console: Console, looks: Iterable[Look]) -> bool:
    """Print each look as soon as it is there; whether all are good."""
    well = True
    for look in looks:
        said = catalogue().text(look.said)
        is_sentence = look.said.id.startswith(("forum/", "umbria/"))
        stop = "." if is_sentence and not said.endswith("?") else ""
        console.print(f"{'✔' if look.good else '✘'} {said}{stop}")
        well = well and look.good
    return well
