"""locked → resolving → resolved (or asking): a pure function in between two commits."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from processor import leases
from processor.checkpoints import Checkpoint
from processor.pipeline.circumstances import Circumstances, dump_circumstances
from processor.pipeline.closing import PastTurn, close_game
from processor.pipeline.context import Frozen, Opens, Pictures, PlayContext, TurnResult
from processor.pipeline.correcting_posts import named_posts
from processor.pipeline.replies import offers
from processor.pipeline.witnessing import Seen
from processor.service.bundle import Pipeline, Service
from processor.service.cleaning import vet
from processor.service.collecting import store_late
from processor.service.holding import hold, put_letters
from processor.service.reading import read_forum
from processor.service.registering import plan_turn
from processor.service.timing import keeps_rhythm, next_answers_at
from processor.service.uploading import hand_over
from processor.service.witnessing import witness_report
from processor.service.work import Work
from processor.store import answers, attempts, evidence, locks, results, turns
from processor.store.rows import GameRow, TurnRow
from processor.store.turns import PlannedTurn
from rules.engine.messages import msg
from rules.play.answers import Waiting
from rules.play.archive import dump_carried, load_carried
from rules.play.outgoing import Outgoing, ReportFile
from rules.play.turns import Deadline, TurnStatus


@dataclass(frozen=True, slots=True)
class Ending:
    """Everything that the commit of a resolved turn stores. following: None where the game ends."""

    result: TurnResult
    circumstances: Circumstances
    late_overrides: str | None
    texts: tuple[Outgoing, ...]
    files: tuple[ReportFile, ...]
    following: PlannedTurn | None
    first_position: int


def resolve_turn(work: Work) -> datetime | None:
    """Resolve a locked turn; who repeats it after a crash comes to the same."""
    vet(work)
    with leases.fenced(work.service.database, work.lease) as connection:
        turns.change_turn(connection, work.turn.id, status=TurnStatus.RESOLVING)
    work.service.reach(Checkpoint.RESOLVING)
    lock, frozen = _load_with_late_posts(work)
    result = work.service.pipeline.resolve_turn(work.play, frozen, work.secrets)
    if result.problems:
        hold(work, "override", "\n".join(result.problems))
        return None
    if result.state is None:
        return _ask(work, frozen, result)
    if result.outcome is None and _is_compromised(work):
        hold(work, "secret-out", msg("hold/secret-out"))
        return None
    pictures = hand_over(work, result)
    if isinstance(pictures, datetime):
        return pictures
    ending = _end(work, lock, frozen, result, pictures)
    work.service.reach(Checkpoint.COMPUTED)
    with leases.fenced(work.service.database, work.lease) as connection:
        _store(connection, work, ending)
    work.service.reach(Checkpoint.RESOLVED)
    return None


def _is_compromised(work: Work) -> bool:
    """Whether the game would go on with secret dice that everybody can work out: it was over once already."""
    if "secret-out" in work.turn.waived or not work.loaded.ruleset.groups(work.play.state):
        return False
    with work.service.database.read() as connection:
        return attempts.is_secret_out(connection, work.row.id)


def _load_with_late_posts(work: Work) -> tuple[locks.LockRow, Frozen]:
    """The locked turn; posts that the override file names and the closing reading couldn't see yet are
    looked for, and kept as evidence.
    """
    lock, frozen = load_frozen(work.service, work.row, work.turn)
    if named_posts(frozen.overrides_now, work.turn.ref.attempt) <= {one.post.id for one in frozen.versions}:
        return lock, frozen
    store_late(work, read_forum(work))
    return load_frozen(work.service, work.row, work.turn)


def load_frozen(service: Service, row: GameRow, turn: TurnRow) -> tuple[locks.LockRow, Frozen]:
    """A locked turn as it was frozen, with the override file as it is now. Raises FolderFault."""
    return load_frozen_with(service, row, turn, service.folder.read_overrides(Path(row.folder), turn.ref))


def load_frozen_with(service: Service, row: GameRow, turn: TurnRow, now: str) -> tuple[locks.LockRow, Frozen]:
    """A locked turn as it was frozen. now: text of the override file that it is run with."""
    with service.database.read() as connection:
        lock = locks.find_lock(connection, turn.id)
        asked = results.find_asked(connection, row.id, turn.id)
        versions = (
            evidence.load_versions(connection, turn.evidence) if named_posts(now, turn.ref.attempt) else ()
        )
        taken = answers.find_answers(connection, turn.id)
    frozen = Frozen(
        reading=service.pipeline.load_reading(json.loads(lock.reading)),
        overrides=lock.overrides,
        lock_tag=lock.lock_tag,
        manifest_hash=lock.manifest_hash,
        rules_id=lock.rules_id,
        posts_read=lock.posts_read,
        answers={question: one.answer for question, one in taken.items()},
        handles=asked.handles,
        last_handles=asked.last_handles,
        published=asked.published,
        late_overrides=now if now != lock.overrides else None,
        versions=versions,
        carried=load_carried(lock.carried),
        entropy=locks.parse_entropy(lock.entropy),
    )
    return lock, frozen


def _ask(work: Work, frozen: Frozen, result: TurnResult) -> datetime | None:
    """Put what a run asks, once; what was put before is waited for as long as was said then."""
    now = work.now
    with work.service.database.read() as connection:
        waits = answers.find_waits(connection, work.turn.id)
    spans = offers(work.play, result)
    for one in result.resolution.open:
        if one.id not in waits:
            due = now + spans[one.id] if one.id in spans else None
            waits[one.id] = Waiting(now, due)
    until = {one.id: due for one in result.resolution.open if (due := waits[one.id].due_at) is not None}
    letters = work.service.pipeline.letters(work.play, result, until=until)
    again = next_answers_at(now, until.values(), work.policies, work.forum.capabilities)
    with leases.fenced(work.service.database, work.lease) as connection:
        _store_questions(connection, work.turn.id, result)
        answers.store_waits(connection, work.turn.id, waits)
        locks.mark_tried(connection, work.turn.id, frozen.overrides_now)
        turns.change_turn(connection, work.turn.id, status=TurnStatus.ASKING, reading_at=again)
        put_letters(connection, work, letters)
    work.service.reach(Checkpoint.ASKED)
    return None


def _store_questions(connection: Connection, turn_id: int, result: TurnResult) -> None:
    opened = frozenset(one.id for one in result.resolution.open)
    results.store_questions(connection, turn_id, result.resolution.asked, opened, result.handles)


def _end(work: Work, lock: locks.LockRow, frozen: Frozen, result: TurnResult, pictures: Pictures) -> Ending:
    following = None if result.outcome else _plan_following(work, result)
    if following is None:
        result = replace(result, closing=close_stored(work.service, work.row, work.turn, frozen, result))
    opens = Opens(work.commitments, state=result.resolution.state)
    if following is not None:
        opens = replace(opens, following=following.published, deadline=following.deadline)
    play = replace(work.play, sightings=witness_report(work, Seen.load(lock.promise)), pictures=pictures)
    texts, files = write_up(work.service.pipeline, play, frozen, result, opens)
    held = Circumstances.of(play, opens)
    return Ending(result, held, frozen.late_overrides, texts, files, following, lock.last_position)


def write_up(
    pipeline: Pipeline, play: PlayContext, frozen: Frozen, result: TurnResult, opens: Opens
) -> tuple[tuple[Outgoing, ...], tuple[ReportFile, ...]]:
    """All texts of a resolved turn, and the files that are kept of them."""
    following, deadline, state = opens.following, opens.deadline, opens.state
    texts = pipeline.reports(play, frozen, result, opens.now, following, deadline, state)
    return texts, pipeline.report_files(play, frozen, result, texts, opens)


def close_stored(
    service: Service, row: GameRow, turn: TurnRow, frozen: Frozen, result: TurnResult
) -> dict[str, Any]:
    """The proof of the whole game that ends with this turn."""
    load = service.pipeline.load_reading
    with service.database.read() as connection:
        stored = results.list_locked(connection, row.id, before=turn.id)
    past = [PastTurn(one.proofs, load(json.loads(one.reading)), one.overrides, one.attempt) for one in stored]
    last = PastTurn(result.proofs, frozen.reading, frozen.overrides, turn.seed_attempt)
    return close_game(row.id, row.secret, (*past, last))


def _plan_following(work: Work, result: TurnResult) -> PlannedTurn:
    """The next turn: with its own seed, and a deadline that leaves the players enough time."""
    now = work.turn.ref
    with work.service.database.read() as connection:
        voided = turns.find_last_attempt(connection, now.game, now.track, now.turn + 1)
    attempt = 1 if voided is None else voided.ref.attempt + 1
    ref = replace(now, turn=now.turn + 1, attempt=attempt)
    play = work.play_of(ref, result.resolution.state, _next_deadline(work))
    planned = plan_turn(work.service, play, work.row.secret)
    return planned if voided is None else replace(planned, redo=work.turn.redo)


def _next_deadline(work: Work) -> Deadline:
    next_deadline, game = work.service.pipeline.next_deadline, work.game
    # The slot that this turn was planned for is used up even where the director had it close before; where
    # everybody was ready the game gains the time.
    clock = work.turn.clock
    slot = clock.due if clock.early is not None else max(clock.due, clock.planned)
    if not keeps_rhythm(clock, work.now):
        slot = max(slot, work.now + work.policies.at_least - timedelta(microseconds=1))
    return next_deadline(game.schedule, game.zone, slot)


def _store(connection: Connection, work: Work, ending: Ending) -> None:
    turn_id, result = work.turn.id, ending.result
    results.add_result(
        connection,
        turn_id,
        now=work.now,
        late_overrides=ending.late_overrides,
        finished=ending.following is None,
        proofs=result.proofs,
        circumstances=dump_circumstances(ending.circumstances),
    )
    carried = None if result.carried is None else dump_carried(result.carried)
    results.keep_told(connection, turn_id, carried, work.service.pipeline.tell_readers(work.play, result))
    results.add_events(connection, turn_id, result.resolution.events)
    results.add_rolls(connection, turn_id, result.resolution.rolls)
    _store_questions(connection, turn_id, result)
    results.add_report_files(connection, turn_id, ending.files)
    if ending.following:
        turns.add_turn(connection, ending.following, ending.first_position, next_at=None)
    turns.change_turn(connection, turn_id, status=TurnStatus.RESOLVED)
    work.put(connection, ending.texts)
