"""Trying a forum out without a trace: login, the topic's pages, our clocks, whether it would take a post.

`turnero check --forum` shows every look; the canary does the same hours before a deadline and only tells what
is wrong (design.md 1, *canary*).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from processor.forum_words import explain_error
from processor.ports import Forum, ForumError, Probing
from rules.engine.messages import Message, msg
from rules.play.game import Game


@dataclass(frozen=True, slots=True)
class Look:
    """What one look at the forum showed. said: for the director."""

    good: bool
    said: Message


@dataclass(frozen=True, slots=True)
class Trial:
    """How to try a forum out. now: our clock, UTC.

    since: position and id of the newest post known, None: the whole topic is read.
    thorough: whether private conversations are read too.
    """

    game: Game
    forum: Forum
    now: datetime
    since: tuple[int, str] | None = None
    thorough: bool = True


def try_out(trial: Trial) -> Iterable[Look]:
    """Look after look; behind the first that fails for want of an answer the rest makes no sense."""
    for look in (_log_in, _read_topic, _read_private, _probe):
        try:
            yield from look(trial)
        except ForumError as error:
            yield Look(False, explain_error(error))
            return


def _log_in(trial: Trial) -> Iterable[Look]:
    game, account = trial.game, trial.forum.open()
    yield Look(True, msg("try/log-in", url=game.forum.url, name=game.forum.account, account=account))
    own = tuple(seat.id for seat in game.seats if seat.account == account)
    if own:
        yield Look(False, msg("try/own-account-plays", account=account, seats=own))


def _read_topic(trial: Trial) -> Iterable[Look]:
    topic = trial.game.forum.topic
    if trial.since is None:
        reading = trial.forum.read_topic(topic)
    else:
        reading = trial.forum.read_topic(topic, *trial.since)
    count = len(reading.posts)
    yield Look(True, msg("try/read-topic", count=count, topic=topic, title=reading.title or None))
    apart = abs(reading.server_time - trial.now)
    if apart <= trial.game.policies.clock_skew:
        yield Look(True, msg("try/clocks-agree", seconds=int(apart.total_seconds())))
    else:
        times = {"theirs": f"{reading.server_time:%H:%M}", "ours": f"{trial.now:%H:%M}"}
        yield Look(False, msg("try/clocks-differ", **times))


def _writes_privately(trial: Trial) -> bool:
    return any(seat.login is not None for seat in trial.game.seats)


def _read_private(trial: Trial) -> Iterable[Look]:
    if not (trial.thorough and _writes_privately(trial)):
        return
    if not trial.forum.capabilities.private:
        yield Look(False, msg("try/no-private"))
        return
    yield Look(True, msg("try/read-private", count=len(trial.forum.read_private())))


def _probe(trial: Trial) -> Iterable[Look]:
    """Whether a post would be taken, as far as the forum tells without one."""
    if not isinstance(trial.forum, Probing):
        yield Look(True, msg("try/cant-know"))
        return
    trial.forum.probe_topic(trial.game.forum.topic)
    yield Look(True, msg("try/may-post"))
    if _writes_privately(trial) and trial.forum.capabilities.private:
        trial.forum.probe_private()
        yield Look(True, msg("try/may-write"))
