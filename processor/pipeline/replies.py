"""Seats' answers to questions: `responder P1 aceptar` (design.md 8, *Questions*)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta

from parsers.files.models import quoted
from parsers.orders.lines import block_of, logical_lines
from parsers.orders.replies import read_replies as read_reply_lines
from processor.pipeline.context import PlayContext, TurnResult
from rules.engine.messages import Message, Quoted, msg
from rules.engine.questions import Answer, AnswerSource, Question, Wait


@dataclass(frozen=True, slots=True)
class Replies:
    """Answers by question id, and what could not be taken."""

    answers: Mapping[str, Answer]
    problems: tuple[Message, ...] = ()


def read_replies(asked: TurnResult, texts: Mapping[str, str]) -> Replies:
    """The answers in each seat's lines to the questions that were published to it."""
    answers: dict[str, Answer] = {}
    problems: list[Message] = []
    for seat, text in texts.items():
        replies, others = read_reply_lines(logical_lines(block_of(text)))
        problems += [msg("replies/none", seat=seat, line=Quoted(line)) for line in others]
        taken = take_replies(asked, seat, replies)
        answers |= taken.answers
        problems += taken.problems
    return Replies(answers, tuple(problems))


def take_replies(asked: TurnResult, seat: str, replies: Iterable[tuple[str, str]]) -> Replies:
    """What a seat's replies (handle, words), as `Submission.replies` has them, answer of a turn that asks."""
    answers: dict[str, Answer] = {}
    problems: list[Message] = []
    for handle, words in replies:
        question = _question(asked, seat, handle)
        value = question.meaning(words) if question is not None else None
        if question is None:
            problems.append(msg("replies/no-question", seat=seat, handle=handle))
        elif value is None:
            legal = quoted(question.legal)
            said = msg("replies/no-answer", seat=seat, words=Quoted(words), handle=handle, legal=legal)
            problems.append(said)
        else:
            answers[question.id] = Answer(value, AnswerSource.SEAT, after_dice=True)
    return Replies(answers, tuple(problems))


def _question(asked: TurnResult, seat: str, handle: str) -> Question | None:
    for question in asked.resolution.open:
        if question.to == seat and asked.handles.get(question.id, "").upper() == handle.upper():
            return question
    return None


def wait_over(play: PlayContext, asked: TurnResult, answered: Collection[str]) -> Mapping[str, Answer]:
    """The defaults of open offers that nobody answered in time."""
    return {
        one.id: Answer(one.default, AnswerSource.DEFAULT)
        for one in asked.resolution.open
        if one.id in offers(play, asked) and one.id not in answered and one.default is not None
    }


def offers(play: PlayContext, asked: TurnResult) -> Mapping[str, timedelta]:
    """How long each open question is waited for; those that wait for an answer however long are left out."""
    policies = {**play.ruleset.questions, **play.game.policies.questions}
    found: dict[str, timedelta] = {}
    for one in asked.resolution.open:
        policy = policies.get(one.kind)
        if isinstance(policy, Wait) and one.default is not None:
            found[one.id] = policy.time
    return found
