"""Trying a forum out: login, the topic's pages, our clocks, which rights the own account has.

`turnero check --forum` shows every look; the canary does the same hours before a deadline and only tells what
is wrong (design.md 1, *canary*). Nothing of it leaves a trace, but for the lines of `trial_lines`, which are
posted only where somebody asks for them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime

from processor.forum_words import explain_error
from processor.ports import Forum, ForumError, Probing
from rules.engine.messages import Message, msg
from rules.engine.text import same_letters
from rules.play.game import Game
from rules.play.posts import Post, Precision, Reading, Visibility


@dataclass(frozen=True, slots=True)
class Look:
    """What one look at the forum showed. said: for the director."""

    good: bool
    said: Message


@dataclass(frozen=True, slots=True)
class Trial:
    """How to try a forum out. clock: ours, UTC.

    since: position and id of the newest post known, None: the whole topic is read.
    thorough: whether private conversations are read too.
    """

    game: Game
    forum: Forum
    clock: Callable[[], datetime]
    since: tuple[int, str] | None = None
    thorough: bool = True


def try_out(trial: Trial) -> Iterable[Look]:
    """Look after look; behind the first that fails for want of an answer the rest makes no sense."""
    try:
        yield from _log_in(trial)
        reading = _read_topic(trial)
        yield from _describe_topic(trial, reading)
        yield from _compare_clocks(trial, reading)
        yield from _find_others(trial, reading)
        yield from _find_other_names(trial, reading)
        yield from _read_private(trial)
        yield from _probe(trial, reading)
    except ForumError as error:
        yield Look(False, explain_error(error))


def _log_in(trial: Trial) -> Iterable[Look]:
    game, account = trial.game, trial.forum.open()
    yield Look(True, msg("try/log-in", url=game.forum.url, name=game.forum.account, account=account))
    own = tuple(seat.id for seat in game.seats if seat.account == account)
    if own:
        yield Look(False, msg("try/own-account-plays", account=account, seats=own))


def _read_topic(trial: Trial) -> Reading:
    topic = trial.game.forum.topic
    if trial.since is None:
        return trial.forum.read_topic(topic)
    return trial.forum.read_topic(topic, *trial.since)


def _describe_topic(trial: Trial, reading: Reading) -> Iterable[Look]:
    """What was found on the topic's pages, which adapters refuse where anything that they know is missing."""
    posts, topic = reading.posts, trial.game.forum.topic
    yield Look(True, msg("try/read-topic", count=len(posts), topic=topic, title=reading.title or None))
    facts = {
        "first": reading.first,
        "last": reading.last,
        "authors": len({post.author_id for post in posts if post.author_id is not None}),
        "exact": int(trial.forum.capabilities.precision is Precision.SECOND),
        "edited": sum(1 for post in posts if post.edits or post.edited_at is not None),
        "gone": sum(1 for post in posts if post.visibility is Visibility.REMOVED),
        "nobody": sum(1 for post in posts if post.author_id is None and _is_post(post)),
    }
    yield Look(True, msg("try/structure", **facts))


def _is_post(post: Post) -> bool:
    return post.visibility is not Visibility.NOTICE


def _compare_clocks(trial: Trial, reading: Reading) -> Iterable[Look]:
    ours = trial.clock()  # now: logging in may have taken a while
    apart = abs(reading.server_time - ours)
    if apart <= trial.game.policies.clock_skew:
        yield Look(True, msg("try/clocks-agree", seconds=int(apart.total_seconds())))
    else:
        times = {"theirs": f"{reading.server_time:%H:%M}", "ours": f"{ours:%H:%M}"}
        yield Look(False, msg("try/clocks-differ", **times))


def _find_others(trial: Trial, reading: Reading) -> Iterable[Look]:
    """Who writes under a player's name with another account: somebody else, or a wrong number in the file."""
    for seat in trial.game.seats:
        if seat.login is None or seat.account is None:
            continue
        named = {post.author_id for post in reading.posts if post.author == seat.login}
        others = tuple(sorted(one for one in named if one is not None and one != seat.account))
        if others and seat.account not in named:
            said = msg(
                "try/other-account", name=seat.login, accounts=others, seat=seat.id, account=seat.account
            )
            yield Look(False, said)


def _find_other_names(trial: Trial, reading: Reading) -> Iterable[Look]:
    """Who is called otherwise in the topic than in the file: letters go to the name in the file. It may be
    right, since some forums show another name than that which one logs in with.
    """
    shown = {post.author_id: post.author for post in reading.posts}
    for seat in trial.game.seats if trial.forum.capabilities.private else ():
        name = shown.get(seat.account) if seat.account is not None else None
        if name is not None and seat.login is not None and not same_letters(name, seat.login):
            told = {"seat": seat.id, "account": seat.account, "name": name, "login": seat.login}
            yield Look(True, msg("try/other-name", **told))


def _writes_privately(trial: Trial) -> bool:
    return trial.game.forum.secret or any(seat.login is not None for seat in trial.game.seats)


def _read_private(trial: Trial) -> Iterable[Look]:
    if not trial.forum.capabilities.private:
        secret = trial.game.forum.secret
        yield Look(not secret, msg("try/no-private" if secret else "try/no-letters"))
    elif trial.thorough and _writes_privately(trial):
        yield Look(True, msg("try/read-private", count=len(trial.forum.read_private())))


def _probe(trial: Trial, reading: Reading) -> Iterable[Look]:
    """Which rights the account has, as far as the forum tells without a post."""
    account = trial.forum.open()
    own = [post for post in reading.posts if post.author_id == account and _is_post(post)]
    waiting = sum(1 for post in own if post.visibility is Visibility.UNAPPROVED)
    if waiting:
        yield Look(False, msg("try/own-queued", count=waiting))
    if not isinstance(trial.forum, Probing):
        yield Look(True, msg("try/cant-know"))
        return
    trial.forum.probe_topic(trial.game.forum.topic)
    yield Look(True, msg("try/may-post"))
    visible = [post for post in own if post.visibility is Visibility.VISIBLE]
    if visible and trial.forum.capabilities.edit:
        trial.forum.probe_edit(visible[-1].id)
        yield Look(True, msg("try/may-edit"))
    if _writes_privately(trial) and trial.forum.capabilities.private:
        trial.forum.probe_private()
        yield Look(True, msg("try/may-write"))
