"""asking → resolving: the forum is read for answers alone, and the same turn goes on with the same dice."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from processor import leases
from processor.checkpoints import Checkpoint
from processor.pipeline.answering import Heard, Listening
from processor.pipeline.context import Frozen
from processor.service.cleaning import clean
from processor.service.collecting import store_evidence
from processor.service.reading import read_on
from processor.service.resolving import load_frozen, resolve_turn
from processor.service.timing import next_answers_at
from processor.service.work import Work
from processor.store import answers, evidence, locks, turns
from processor.store.columns import digest
from rules.engine.codec import canonical_json
from rules.play.answers import Waiting
from rules.play.turns import TurnStatus


def ask_again(work: Work) -> datetime | None:
    """Run an asking turn again once its override file has changed; else look for answers at their time."""
    overrides = work.service.folder.read_overrides(work.path, work.turn.ref)
    with work.service.database.read() as connection:
        tried = locks.find_tried(connection, work.turn.id)
    if tried != digest(overrides):
        return resolve_turn(work)
    if work.turn.reading_at is not None and work.now < work.turn.reading_at:
        return None
    return _listen(work)


def _listen(work: Work) -> datetime | None:
    """Read, store the evidence, and take what answers; the turn goes on in a step of its own."""
    gathered = read_on(work, answers=True)
    store_evidence(work, gathered, misses=False)
    clean(work, gathered)
    _, frozen = load_frozen(work.service, work.row, work.turn)
    asked = work.service.pipeline.resolve_turn(work.play, frozen, work.secrets)
    if not asked.resolution.held:
        return resolve_turn(work)  # the game's files say something else by now
    with work.service.database.read() as connection:
        versions = evidence.load_versions(connection, work.turn.evidence)
        waits = answers.find_waits(connection, work.turn.id)
        before = answers.find_answers(connection, work.turn.id)
    listening = Listening(asked, waits, before, gathered.topic.proven_until)
    heard = work.service.pipeline.hear_answers(work.play, frozen, listening, versions)
    _store(work, replace(frozen, versions=versions), waits, heard)
    work.service.reach(Checkpoint.HEARD)
    return None


def _store(work: Work, frozen: Frozen, waits: dict[str, Waiting], heard: Heard) -> None:
    """Keep what was heard in one commit: answers are there once the turn goes on, and never change."""
    pipeline, now = work.service.pipeline, work.now
    texts = heard.texts
    if heard.reading != frozen.reading:
        shown = pipeline.choose_posts(work.play, heard.reading, frozen.versions, frozen.overrides)
        texts = (*pipeline.receipts(work.play, shown, frozen), *texts)
    taken = {one.question for one in heard.taken}
    dues = [one.due_at for question, one in waits.items() if one.due_at is not None and question not in taken]
    again = next_answers_at(now, dues, work.policies, work.forum.capabilities)
    status = TurnStatus.RESOLVING if heard.taken else TurnStatus.ASKING
    with leases.fenced(work.service.database, work.lease) as connection:
        answers.add_answers(connection, work.turn.id, heard.taken, now)
        if heard.reading != frozen.reading:
            reading = canonical_json(pipeline.dump_reading(heard.reading))
            locks.change_reading(connection, work.turn.id, reading)
        work.put(connection, texts)
        turns.change_turn(connection, work.turn.id, status=status, reading_at=again)
