"""What all publishing has in common: sent once, at the forum's distance, with an honest outcome.

Nothing here is ever sent twice. `Refused` means certainly not stored; whatever can't be told is `Unknown` and
is settled by reading back (reliability.md 2.1).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from processor.forum_words import explain_error
from processor.forums.http import Answer, ForumHttp
from processor.forums.trouble import NotSent
from processor.ports import ForumError, LoginFailed, NotATopic
from rules.engine.messages import msg
from rules.play.joined import put_text, take_text
from rules.play.posts import Capabilities, Refused, Unknown

Judged = TypeVar("Judged")

# For refusals that pass by themselves but name no time.
TRY_LATER = 60.0
_UNHURRIED = ("edit", "upload")
_BEARABLE = 15.0
"""Seconds for which a text waits without letting others go first."""


class Sender:
    """Sends each thing once and keeps the forum's distance between two of a kind."""

    def __init__(self, http: ForumHttp, capabilities: Capabilities) -> None:
        self._http, self._capabilities = http, capabilities
        self._sent, self._turns = http.sendings.sent, http.sendings.turns

    def send(
        self, kind: str, request: Callable[[], Answer], judge: Callable[[Answer], Judged]
    ) -> Judged | Refused | Unknown:
        """Make a request once; `judge` says what its answer means.

        kind: of two of a kind the forum wants a distance, save of edits and pictures.
        """
        if kind not in _UNHURRIED:
            self._keep_interval(kind)
        try:
            answer = request()
        except NotSent as error:
            return not_stored(error)
        except ForumError as error:
            return Unknown(explain_error(error))
        try:
            return judge(answer)
        except ForumError as error:
            return Unknown(msg("sent/unseen", why=explain_error(error)))

    def too_soon(self, kind: str) -> Refused | None:
        """Whether the forum's distance to the last of a kind is longer than others should be kept waiting;
        then each text has a turn of its own to come back at.
        """
        wait = self._wait(kind)
        if wait <= _BEARABLE:
            return None
        now, distance = self._http.clock(), self._capabilities.min_interval
        self._turns[kind] = max(now + wait, self._turns.get(kind, float("-inf")) + distance)
        return Refused(msg("sent/soon"), self._turns[kind] - now)

    def check_length(self, text: str, *, private: bool = False) -> Refused | None:
        """Why a text can't be sent, None where it can."""
        if not text.strip():
            return Refused(msg("sent/empty"))
        size, most = self._capabilities.size(text.strip()), self._capabilities.most(private=private)
        return Refused(msg("sent/too-long", size=size, most=most)) if size > most else None

    def judge_status(self, answer: Answer) -> Refused | Unknown | None:
        """What a status alone says about something sent; None for a success, whose body has to tell the
        rest. 408 and 409 say nothing: the forum may have stored it.
        """
        status = answer.status
        if 200 <= status < 300:
            return None
        if status == 429:
            asked = answer.retry_after or self._capabilities.min_interval
            return Refused(msg("sent/too-many"), asked or TRY_LATER)
        if 400 <= status < 500 and status not in (408, 409):
            return Refused(msg("sent/status", status=status))
        return Unknown(msg("sent/status", status=status))

    def _keep_interval(self, kind: str) -> None:
        wait = self._wait(kind)
        if wait > 0:
            self._http.sleep(wait)
        self._sent[kind] = self._http.clock()

    def _wait(self, kind: str) -> float:
        return self._sent.get(kind, float("-inf")) + self._capabilities.min_interval - self._http.clock()


def change_post(post: str, text: str, without: str | None) -> str | None:
    """What an own post is to hold, in which other texts of ours may stand: see `Forum.edit`, and for
    `without` `Forum.retract`. None: other texts stand there and this one doesn't.
    """
    return put_text(post, text) if without is None else take_text(post, without) or text


def not_stored(error: ForumError) -> Refused:
    """Nothing was sent; what waiting may mend is worth another try."""
    hopeless = isinstance(error, NotATopic) and error.code in ("forum/missing", "forum/forbidden")
    hopeless = hopeless or (isinstance(error, LoginFailed) and error.retry_after is None)
    return Refused(explain_error(error), None if hopeless else error.retry_after or TRY_LATER)


def check_envelope(to: str, title: str, longest: int, spaced: bool = False) -> Refused | None:
    """Why a private message can't be sent, None where it can.

    longest: characters of a title. spaced: whether names may have spaces.
    """
    # A comma would address the message to somebody else as well.
    spaces = any(c.isspace() and not (spaced and c == " ") for c in to)
    if not to.strip() or "," in to or spaces:
        return Refused(msg("sent/no-name", name=to))
    if not 1 <= len(title) <= longest:
        return Refused(msg("sent/title", size=len(title), most=longest))
    return None
