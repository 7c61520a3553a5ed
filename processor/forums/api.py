"""What adapters of forums with a JSON interface share: reading as an account, and sending once.

A forum's own module says how the account is let in, where things stand and what answers mean; answers come as
declared shapes (`parsers.pages.json_body`), so that nothing is half read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol, TypeVar

from parsers.pages.guard import PageError
from parsers.pages.json_body import Shape, is_json, read_json
from processor.forum_words import explain_error
from processor.forums.http import Answer, ForumHttp, Payload
from processor.forums.sending import TRY_LATER, Sender, change_post, check_envelope, not_stored
from processor.forums.session import as_forum_errors, check_status
from processor.ports import ForumError, LoginFailed, NotATopic
from rules.engine.messages import msg
from rules.play.posts import Capabilities, Outcome, Published, Refused, Unknown

S = TypeVar("S", bound=Shape)
Judged = TypeVar("Judged")


class Elsewhere(NotATopic):
    """What was asked for stands somewhere else; interfaces that are rightly asked don't lead about."""


class Account(Protocol):
    """How a forum lets an account in."""

    def enter(self, http: ForumHttp) -> str:
        """Let the account in, by its key or its password, and say its id.

        Raises LoginFailed where the forum refuses it, otherwise ForumError.
        """
        ...

    def is_shut_out(self, answer: Answer) -> bool:
        """Whether an answer is that of a forum which no longer knows the session; never, where a key counts
        with each request.
        """
        ...


class ApiSession:
    """Requests in the name of an account, which is let in when needed, once for each lost session."""

    def __init__(self, http: ForumHttp, account: Account) -> None:
        self.http, self._entrance = http, account
        self._account: str | None = None
        http.set_header("Accept", "application/json")

    @property
    def account(self) -> str:
        """The own account id. Raises ForumError."""
        return self._account or self.open()

    def open(self) -> str:
        """See `Forum.open`."""
        self._account = self._entrance.enter(self.http)
        return self._account

    def read(self, path: str, shape: type[S]) -> S:
        """What stands at an address.

        Raises:
            NotATopic: missing, forbidden, or no JSON. IncompletePage: cut, or not of this shape.
            LoginFailed: the account is refused. Unreachable: no answer.
        """
        answer = self.answer(path)
        with as_forum_errors():
            return read_json(answer.body, answer.content_type, shape)

    def answer(self, path: str) -> Answer:
        """The bare answer of an address, with status 200. Raises as `read` does."""
        answer = self.ask(path)
        check_answer(path, answer)
        return answer

    def ask(self, path: str) -> Answer:
        """The bare answer of an address, of any status. Raises LoginFailed, Unreachable, IncompletePage."""
        _ = self.account
        answer = self.http.get(path)
        if self._entrance.is_shut_out(answer):
            self.open()
            answer = self.http.get(path)
        return answer

    def is_lost(self, answer: Answer) -> bool:
        """Whether an answer tells that the session is over; then the next request begins another."""
        lost = self._entrance.is_shut_out(answer)
        if lost:
            self._account = None
        return lost

    def send(self, request: Request) -> Answer:
        """Send something once. Raises as `ForumHttp.send` does."""
        return self.http.send(request.method, request.path, request.payload, request.headers)


def check_answer(path: str, answer: Answer) -> None:
    """Raise what any other status than 200 means for an address that was asked for: ForumError."""
    if answer.location is not None:
        raise Elsewhere("forum/elsewhere", f"{path} → {answer.location}")
    check_status(answer)


@dataclass(frozen=True, slots=True)
class Request:
    """Something to send.

    path: below the forum's address. kind: `post`, `edit`, `private` or `upload`; of two of a kind the forum
    wants a distance, save of edits and pictures. about: the topic, conversation or post that it is for, ""
    for a new conversation. headers: of this request alone.
    """

    method: str
    path: str
    payload: Payload
    kind: str = "post"
    about: str = ""
    headers: Mapping[str, str] | None = None


class Calls(Protocol):
    """What a forum's interface wants to be sent, and what it answers. Everything may raise ForumError.

    What can be seen to be refused is refused without being sent. max_title: characters of a private
    conversation's title.
    """

    max_title: int

    def reply(self, topic: str, text: str) -> Request | Refused:
        """A reply in a topic or private conversation."""
        ...

    def edit(self, post_id: str, text: str) -> Request | Refused:
        """An own post's new text."""
        ...

    def open_conversation(self, to: str, title: str, text: str) -> Request | Refused:
        """A private conversation with the account of that login name. Nothing that is sent before may hold
        the text: until the request leaves it is certainly not stored.
        """
        ...

    def judge(self, request: Request, answer: Answer) -> Outcome:
        """What a success says. Raises PageError for another shape."""
        ...

    def explain(self, request: Request, answer: Answer) -> tuple[str, float | None]:
        """Why the forum refuses, in its own words, "" where it says nothing, and the seconds it asks to wait,
        None where waiting doesn't help or it names none.
        """
        ...

    def own_text(self, post_id: str) -> str:
        """The text of an own post as typed."""
        ...

    def probe(self, topic: str) -> None:
        """Raise ForumError unless the own account may reply in a topic."""
        ...

    def probe_private(self) -> None:
        """Raise ForumError unless it may open private conversations."""
        ...


class ApiPublisher:
    """Publishes through a JSON interface; implements `processor.forums.online.Writer`."""

    def __init__(
        self, session: ApiSession, calls: Calls, capabilities: Capabilities, *, spaced_names: bool = False
    ) -> None:
        """spaced_names: whether names of accounts may have blanks."""
        self._session, self._calls, self._spaced = session, calls, spaced_names
        self._sender = Sender(session.http, capabilities)

    def post(self, topic: str, text: str) -> Outcome:
        """See `Forum.post`."""
        text = text.strip()
        return self._sender.check_length(text) or self._publish(lambda: self._calls.reply(topic, text))

    def edit(self, post_id: str, text: str, without: str | None = None) -> Outcome:
        """See `Writer.edit`. A text that stands there already is not sent again."""
        text = text.strip()
        too_long = self._sender.check_length(text)
        if too_long:
            return too_long
        try:
            stands = self._calls.own_text(post_id)
        except ForumError as error:
            return not_stored(error)
        whole = change_post(stands, text, without)
        if whole is None:
            return Refused(msg("sent/other-texts", post=post_id))
        if stands == whole:
            return Published(post_id)
        return self._sender.check_length(whole) or self._publish(lambda: self._calls.edit(post_id, whole))

    def send_private(self, to: str, title: str, text: str) -> Outcome:
        """See `Forum.send_private`."""
        title, text = " ".join(title.split()), text.strip()
        bad = self._sender.check_length(text, private=True)
        bad = bad or check_envelope(to, title, self._calls.max_title, self._spaced)
        return bad or self._publish(lambda: self._calls.open_conversation(to, title, text))

    def probe(self, topic: str) -> None:
        """See `Probing.probe_topic`."""
        self._calls.probe(topic)

    def probe_edit(self, post_id: str) -> None:
        """See `Probing.probe_edit`: only who may edit a post is given its text as typed."""
        self._calls.own_text(post_id)

    def probe_private(self) -> None:
        """See `Probing.probe_private`."""
        self._calls.probe_private()

    def own_text(self, post_id: str) -> str:
        """See `Writer.own_text`."""
        return self._calls.own_text(post_id)

    def _publish(self, prepare: Callable[[], Request | Refused]) -> Outcome:
        return self._send(prepare, self._calls.judge)

    def _send(
        self, prepare: Callable[[], Request | Refused], judge: Callable[[Request, Answer], Judged]
    ) -> Judged | Refused | Unknown:
        """Send once what has been prepared; `judge` says what a success means, PageError: nobody knows."""
        try:
            _ = self._session.account
            request = prepare()
        except ForumError as error:
            return not_stored(error)
        if isinstance(request, Refused):
            return request
        return self._sender.send(
            request.kind,
            lambda: self._session.send(request),
            lambda answer: self._judge(request, answer, judge),
        )

    def _explain(self, request: Request, answer: Answer) -> tuple[str, float | None]:
        try:
            return self._calls.explain(request, answer)
        except PageError:  # refused all the same
            return "", None

    def _judge(
        self, request: Request, answer: Answer, judge: Callable[[Request, Answer], Judged]
    ) -> Judged | Refused | Unknown:
        if self._session.is_lost(answer):
            return Refused(msg("sent/session-over"), TRY_LATER)
        judged = self._sender.judge_status(answer)
        if isinstance(judged, Refused) and is_json(answer.content_type):
            said, wait = self._explain(request, answer)
            return Refused(said or judged.reason, answer.retry_after or wait or judged.retry_after)
        if judged is not None:
            return judged
        try:
            return judge(request, answer)
        except PageError as error:
            return Unknown(explain_error(error))


def check_key(key: str, account: str) -> None:
    """Refuse without asking what no forum has made: a key with a second line, or with signs that an editor
    has put in place of others. account: whose key it should be. Raises LoginFailed.
    """
    if not (key.isascii() and key.isprintable()):
        raise LoginFailed("forum/key-refused", account)


def judge_edit(named: str, wanted: str) -> Outcome:
    """What it means that an edit is answered with a post. wanted: the one that was to be edited."""
    same = named == wanted
    return Published(wanted) if same else Unknown(msg("sent/other-edit", post=wanted, named=named))
