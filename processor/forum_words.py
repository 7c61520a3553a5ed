"""What went wrong with a forum, in words for the director: the adapters' own details are for developers, the
forum's own words are quoted.
"""

from __future__ import annotations

from parsers.pages.guard import PageError
from processor.ports import ForumError
from rules.engine.messages import Message, msg
from rules.play.posts import Reason

SAID = frozenset(
    (
        "forum/no-connection",
        "forum/timeout",
        "forum/cut",
        "forum/broken-answer",
        "forum/status",
        "forum/busy",
        "forum/too-big",
        "forum/too-long",
        "forum/no-date",
        "forum/foreign-address",
        "forum/login",
        "forum/login-refused",
        "forum/login-limit",
        "forum/key-refused",
        "forum/key-other",
        "forum/key-for-all",
        "forum/no-account",
        "forum/other-account",
        "forum/forbidden",
        "forum/key-rights",
        "forum/missing",
        "forum/closed",
        "forum/closed-board",
        "forum/no-private",
        "flaskbb/no-conversations",
        "forum/elsewhere",
        "forum/other-topic",
        "forum/other-page",
        "forum/gap",
        "forum/shifted",
        "forum/unknown-zone",
        "forum/wrong-zone",
        "page/ambiguous-date",
        "page/cut",
        "page/gap",
        "page/error",
        "page/maintenance",
        "page/no-clock",
        "page/no-topic",
        "page/no-posts",
        "page/notice",
        "page/pm-view",
        "page/stale",
        "page/time-format",
        "page/unknown-clock",
        "page/unknown-date",
        "page/wrong-zone",
        "umbria/elsewhere",
        "umbria/gap",
        "umbria/no-notes",
        "umbria/repeated",
        "umbria/session",
        "folder/inbox",
        "folder/list-unreadable",
        "folder/cant-note",
        "turnero/not-visible",
        "turnero/twin",
    )
)
"""Codes of errors that have a text of their own, under the same id."""


def explain_error(error: ForumError | PageError) -> Message:
    """What happened, as a sentence without its full stop."""
    if error.code in SAID:
        return Message(error.code, {"detail": error.detail, "words": _quoted(error.words)})
    if error.code.startswith(("page/not-", "page/no-json")):
        return msg("forum/other-software")
    unknown = "forum/other-look" if error.code.startswith("page/") else "forum/other"
    return msg(unknown, code=error.code, detail=error.detail)


def explain_reason(reason: Reason) -> Message | str:
    """Why a text wasn't published, as a part of a sentence; "" where nothing is said."""
    return msg("sent/said", words=_quoted(reason)) if isinstance(reason, str) and reason else reason


def _quoted(words: str) -> str:
    """The forum's words as they stand between quotation marks in a sentence of ours."""
    return words.removesuffix(".")
