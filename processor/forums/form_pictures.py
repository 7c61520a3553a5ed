"""Pictures that are handed over in a forum's form for posts."""

from __future__ import annotations

from collections.abc import Callable

from processor.forums.http import Answer
from processor.forums.sending import TRY_LATER, Sender
from processor.forums.session import Session, as_forum_errors
from rules.engine.messages import msg
from rules.play.posts import Refused, Unknown, Uploaded


def judge_handed(
    session: Session,
    sender: Sender,
    answer: Answer,
    read: Callable[[Answer], Uploaded | Refused | Unknown],
) -> Uploaded | Refused | Unknown:
    """What became of a picture. A guest is led to the login form, with nothing kept; what else is no success
    says nothing of the picture. read: what a success says; may raise PageError.

    Raises ForumError.
    """
    if session.is_login(answer.location):
        return Refused(msg("sent/session-over"), TRY_LATER)
    if answer.location is not None:
        return Unknown(msg("sent/unclear"))
    judged = sender.judge_status(answer)
    if judged is not None:
        return judged
    with as_forum_errors():
        return read(answer)
