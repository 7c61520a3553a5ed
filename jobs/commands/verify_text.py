"""What `turnero verify DIR` says: each comparison, each difference exactly, and what all of it proves."""

from __future__ import annotations

from collections.abc import Iterable

from jobs.speech import catalogue, language, say
from processor.pipeline.differences import Check, Difference
from processor.service.replaying import Replayed
from processor.service.verifying import Kept, find_commitment_post
from reporters.dates import say_moment_with_utc
from reporters.verification import render_problems
from rules.engine.messages import Message
from rules.play.turns import TurnStatus

MOST_LINES = 24
"""Lines of differences that are shown of one comparison; `--full` shows all."""


def describe_kept(kept: Kept, checks: Iterable[Check], most: int | None) -> Iterable[str]:
    """The turn's stored dice. most: lines for each comparison, None for all."""
    ref = kept.turn.ref
    attempt = str(ref.attempt) if ref.attempt > 1 else None
    yield say("cli/verify-turn", turn=ref.turn, game=kept.loaded.game.title, attempt=attempt)
    if kept.turn.status is TurnStatus.VOID:
        yield say("cli/verify-void", published=int(kept.published))
    if kept.turn.is_unproven(kept.service.clock.now()):
        yield say("cli/unproven", turn=ref.turn)
    yield say("cli/verify-stored")
    for one in checks:
        yield from _describe(one, most)
        if one.code == "published" and one.passed:
            yield f"    {_say_published(kept)}"


def describe_replayed(kept: Kept, replayed: Replayed, most: int | None) -> Iterable[str]:
    """The turn that was run again."""
    yield ""
    yield say("cli/verify-replayed")
    if not replayed.same_rules:
        then, now = replayed.rules
        yield f"  ⚠ {say('cli/verify-other-rules', then=then, now=now)}"
    for one in replayed.checks:
        yield from _describe(one, most)
    if not replayed.has_texts:
        yield f"  ⚠ {say('cli/verify-no-texts')}"
    elif not kept.published:
        yield f"  ⚠ {say('cli/verify-unpublished')}"


def describe_proven(kept: Kept, replayed: Replayed | None, *, passed: bool) -> Iterable[str]:
    """What this proves, and what it can't."""
    yield ""
    if not passed:
        other = replayed is not None and not replayed.same_rules
        yield say("cli/verify-failed", rules=int(other))
        return
    yield say("cli/verify-proven", replay=int(replayed is not None))
    yield say("cli/verify-not-proven", commitment=kept.turn.commitment, replay=int(replayed is not None))
    if replayed is None:
        yield say("cli/verify-try-replay")


def _say_published(kept: Kept) -> str:
    post = find_commitment_post(kept)
    if post is None or post.sent_at is None:
        return ""
    at = say_moment_with_utc(post.sent_at, kept.turn.zone, language())
    return say("cli/verify-published-at", moment=at, marker=post.marker)


def _describe(check: Check, most: int | None) -> Iterable[str]:
    mark = "✔" if check.passed else "✘"
    yield f"  {mark} {say(f'cli/verify-{check.code}', count=check.count, wrong=int(not check.passed))}"
    lines = [*_list_wrong(check)]
    shown = lines if most is None else lines[:most]
    yield from (f"      {one}" for one in shown)
    if len(shown) < len(lines):
        yield f"      {say('cli/verify-more', count=len(lines) - len(shown))}"


def _list_wrong(check: Check) -> Iterable[str]:
    yield from render_problems(check.problems, language())
    for one in check.differences:
        yield from _describe_difference(one)


def _describe_difference(one: Difference) -> Iterable[str]:
    where = catalogue().text(one.where) if isinstance(one.where, Message) else one.where
    if one.diff:
        yield from (f"{where}:",) if where else ()
        yield from one.diff
        return
    if one.new is None and isinstance(one.where, Message):
        yield f"{where}: {one.old}"
        return
    yield f"{where}:"
    yield f"- {_value(one.old)}"
    yield f"+ {_value(one.new)}"


def _value(value: str | None) -> str:
    return say("cli/verify-nothing") if value is None else value
