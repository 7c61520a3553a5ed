"""Rows about answers: how long each question is waited for, and what a turn goes on with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime

from sqlalchemy import Connection, insert, select, update

from processor.store.tables import answers, questions
from rules.engine.questions import Answer, AnswerSource
from rules.play.answers import TakenAnswer, Waiting


def store_waits(connection: Connection, turn_id: int, waits: Mapping[str, Waiting]) -> None:
    """Store since when and until when questions are waited for; they stand in the store already."""
    for question, waiting in waits.items():
        same = (questions.c.turn_id == turn_id, questions.c.question == question)
        moments = {"asked_at": waiting.asked_at, "due_at": waiting.due_at}
        connection.execute(update(questions).where(*same).values(**moments))


def find_waits(connection: Connection, turn_id: int) -> dict[str, Waiting]:
    """All questions that were put in a turn, by id."""
    put = (questions.c.turn_id == turn_id, questions.c.asked_at.is_not(None))
    rows = connection.execute(select(questions).where(*put).order_by(questions.c.question))
    return {row.question: Waiting(row.asked_at, row.due_at) for row in rows}


def add_answers(connection: Connection, turn_id: int, taken: Iterable[TakenAnswer], now: datetime) -> None:
    """Store answers that the turn goes on with from now on; they never change."""
    for one in taken:
        connection.execute(
            insert(answers).values(
                turn_id=turn_id,
                question=one.question,
                value=one.answer.value,
                source=one.answer.source,
                reason=one.answer.reason,
                after_dice=one.answer.after_dice,
                given_at=one.given_at,
                post_id=one.post_id,
                taken_at=now,
            )
        )


def find_answers(connection: Connection, turn_id: int) -> dict[str, TakenAnswer]:
    """The answers that a turn goes on with, by question id."""
    rows = connection.execute(
        select(answers).where(answers.c.turn_id == turn_id).order_by(answers.c.question)
    )
    return {
        row.question: TakenAnswer(
            row.question,
            Answer(row.value, AnswerSource(row.source), row.reason, row.after_dice),
            row.given_at,
            row.post_id,
        )
        for row in rows
    }
