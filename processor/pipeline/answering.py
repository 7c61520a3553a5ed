"""What people have answered while a turn asks: which answers it goes on with, and what each seat is told.

Nothing here changes the frozen orders; the same stored posts always give the same answers (design.md 8,
*Questions*).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from processor.pipeline.answer_posts import Said, floor_to, read_answer_posts
from processor.pipeline.context import Frozen, PlayContext, PostVersion, TurnResult
from processor.pipeline.texts import answer_note, setting_of
from rules.engine.messages import msg
from rules.engine.questions import Answer, AnswerSource, Asked, Question
from rules.play.answers import ReplyRead, ReplyState, SeatReplies, TakenAnswer, Waiting
from rules.play.outgoing import Outgoing
from rules.play.posts import Precision
from rules.play.reading import SkippedText, TurnReading


@dataclass(frozen=True, slots=True)
class Heard:
    """What one look at the forum gave while the turn asks.

    taken: answers that the turn now goes on with, defaults of offers that have ended among them. reading: the
    frozen one, in which the posts that came meanwhile are listed as late. texts: a note to each seat that has
    written something.
    """

    taken: tuple[TakenAnswer, ...]
    reading: TurnReading
    texts: tuple[Outgoing, ...] = ()


@dataclass(frozen=True, slots=True)
class Listening:
    """What is waited for. asked: the run that asks. waits: by question id, all that were put in this attempt.

    before: answers taken earlier, by question id. now: the forum's time, UTC; the reading saw all until then.
    """

    asked: TurnResult
    waits: Mapping[str, Waiting]
    before: Mapping[str, TakenAnswer]
    now: datetime


def hear_answers(
    play: PlayContext, frozen: Frozen, listening: Listening, versions: Sequence[PostVersion]
) -> Heard:
    """Read the posts of a turn that asks for answers alone. Never raises for a player's text."""
    since = min((one.asked_at for one in listening.waits.values()), default=listening.now)
    said = read_answer_posts(play, versions, since)
    hearing = _Hearing(play, listening)
    hearing.choose(said)
    texts = tuple(answer_note(play, one) for one in hearing.notes(said))
    return Heard(tuple(hearing.taken.values()), _with_late(frozen.reading, said), texts)


def _with_late(reading: TurnReading, said: Iterable[Said]) -> TurnReading:
    """The reading with the posts whose orders came after it was frozen."""
    known = {one.post.id for one in reading.late}
    came = {one.post.id: one for one in said if one.orders and one.post.id not in known}
    late = [
        SkippedText(one.post, "edited-late" if one.edited else "late", one.seat, one.author)
        for one in came.values()
    ]
    return replace(reading, late=(*reading.late, *late)) if late else reading


def is_over(due: datetime, now: datetime, precision: Precision) -> bool:
    """Whether an offer has ended: its last minute (or second) counts whole."""
    return floor_to(now, precision) > floor_to(due, precision)


def _taken(question: Question, value: str, said: Said) -> TakenAnswer:
    """A seat's answer; whether dice were rolled before its question, the engine knows."""
    return TakenAnswer(question.id, Answer(value, AnswerSource.SEAT, after_dice=True), said.at, said.post.id)


@dataclass(slots=True)
class _Hearing:
    """One look at the answers."""

    play: PlayContext
    listening: Listening
    taken: dict[str, TakenAnswer] = field(default_factory=dict)

    def choose(self, said: Sequence[Said]) -> None:
        """The newest legal answer in time to each open question; the default of an offer that has ended."""
        for question in self.listening.asked.resolution.open:
            answers = [
                _taken(question, value, one)
                for one in said
                for handle, words in one.replies
                if (meant := self._meant(one.seat, handle)) is not None
                and meant.question == question
                and (value := question.meaning(words)) is not None
                and self._in_time(question, one)
            ]
            if answers:
                self.taken[question.id] = answers[-1]
            else:
                self._give_up(question)

    def _give_up(self, question: Question) -> None:
        due = self._due(question)
        if due is None or question.default is None:
            return
        if is_over(due, self.listening.now, self.play.forum.precision):
            moment = setting_of(self.play).moment(due)
            reason = self.play.say(msg("replies/expired", moment=moment))
            answer = Answer(question.default, AnswerSource.DEFAULT, reason)
            self.taken[question.id] = TakenAnswer(question.id, answer, due)

    def _due(self, question: Question) -> datetime | None:
        waiting = self.listening.waits.get(question.id)
        return waiting.due_at if waiting is not None else None

    def _in_time(self, question: Question, said: Said) -> bool:
        waiting = self.listening.waits.get(question.id)
        if waiting is None or said.at < floor_to(waiting.asked_at, said.precision):
            return False
        return waiting.due_at is None or not is_over(waiting.due_at, said.at, said.precision)

    def _meant(self, seat: str, handle: str) -> Asked | None:
        """The question of this turn that a seat's handle names, answered or not."""
        asked = self.listening.asked
        for one in asked.resolution.asked:
            if one.question.to == seat and asked.handles.get(one.question.id, "").upper() == handle.upper():
                return one
        return None

    def notes(self, said: Sequence[Said]) -> Iterable[SeatReplies]:
        """What each seat that has written something is told, in the game's order."""
        for seat in self.play.players:
            own = [one for one in said if one.seat == seat]
            replies = tuple(self._judge(one, handle, words) for one in own for handle, words in one.replies)
            findings = tuple(replace(each, edited=one.edited) for one in own for each in one.findings)
            if (replies or findings) and self.play.game.seat(seat).account is not None:
                yield SeatReplies(seat, replies, findings)

    def _judge(self, said: Said, handle: str, words: str) -> ReplyRead:
        """A line that answers, with what became of it."""
        asked = self._meant(said.seat, handle)
        read = ReplyRead(said.post, handle, words, ReplyState.UNKNOWN)
        if asked is None:
            return read
        question = asked.question
        read = replace(
            read, legal=tuple(question.legal), until=self._due(question), after_dice=asked.rolled > 0
        )
        return replace(read, state=self._state(asked, said, question.meaning(words)))

    def _state(self, asked: Asked, said: Said, value: str | None) -> ReplyState:
        question, due = asked.question, self._due(asked.question)
        taken = self.taken.get(question.id) or self.listening.before.get(question.id)
        if taken is not None and value == taken.answer.value and taken.post_id == said.post.id:
            return ReplyState.COUNTS
        if due is not None and is_over(due, said.at, said.precision):
            return ReplyState.LATE
        earlier = taken is not None and taken.post_id is not None and said.at <= taken.given_at
        if asked.answer is not None and not earlier:
            return ReplyState.CLOSED
        if value is None:
            return ReplyState.ILLEGAL
        return ReplyState.REPLACED if earlier else ReplyState.UNKNOWN
