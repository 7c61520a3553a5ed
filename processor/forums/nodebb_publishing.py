"""How a NodeBB forum takes posts and private messages, and what it says to them."""

from __future__ import annotations

import re

from parsers.pages import nodebb, nodebb_chats
from parsers.pages.guard import PageError
from parsers.pages.json_body import read_json
from processor.forums.api import ApiSession, Request, judge_edit
from processor.forums.http import Answer, Payload
from processor.forums.nodebb_reading import NodebbPages, find_chat, find_message
from processor.forums.sending import TRY_LATER
from processor.forums.session import as_forum_errors, check_status
from processor.ports import ForumError, LoginFailed, NotATopic
from rules.engine.messages import msg
from rules.play.posts import Capabilities, Outcome, Published, Queued, Refused, Unknown

_MAX_TITLE = 255
_MAX_NAME = 50
"""Characters of a chat's name, by NodeBB's default."""
_CHAT_WAIT = 120.0
"""Seconds between two chats or messages of a new account; an older one waits 2. The refusal names neither."""
_LONGEST_WAIT = 3600.0
"""Seconds; a greater number in a refusal is no time."""


def shorten(title: str) -> str:
    """A private conversation's title as the chat's name: what differs stands at its ends."""
    title = " ".join(title.split())
    half = _MAX_NAME // 2 - 1
    return title if len(title) <= _MAX_NAME else f"{title[:half]}…{title[-half:]}"


class NodebbCalls:
    """Implements `processor.forums.api.Calls`; remembers chats that were opened and hold nothing yet."""

    max_title = _MAX_TITLE

    def __init__(self, session: ApiSession, pages: NodebbPages, capabilities: Capabilities) -> None:
        self._session, self._pages, self._capabilities = session, pages, capabilities
        self._opened: dict[tuple[int, str], int] = {}

    def reply(self, topic: str, text: str) -> Request | Refused:
        """See `Calls.reply`. The topic is looked at first: in a refusal its being closed can't be told from
        being too early.
        """
        chat = find_chat(topic)
        if chat is not None:
            return self._message(chat, text)
        config, (page, _) = self._pages.config(), self._pages.fetch(topic, 1)
        if not page.open:
            return Refused(msg("sent/closed"))
        if not config.shortest_post <= len(text) <= config.longest_post:
            return _wrong_length(text, config.shortest_post, config.longest_post)
        return Request("POST", f"api/v3/topics/{topic}", Payload(json={"content": text}), "post", topic)

    def edit(self, post_id: str, text: str) -> Request:
        """See `Calls.edit`."""
        message = find_message(post_id)
        if message is not None:
            path, body = f"api/v3/chats/{message[0]}/messages/{message[1]}", {"message": text}
        else:
            path, body = f"api/v3/posts/{post_id}", {"content": text}
        return Request("PUT", path, Payload(json=body), "edit", post_id)

    def open_conversation(self, to: str, title: str, text: str) -> Request | Refused:
        """See `Calls.open_conversation`: a chat is opened, gets the title as its name, and then the text."""
        uid = self._pages.find_account(to)
        if uid is None:
            return Refused(msg("sent/no-account", name=to))
        name = shorten(title)
        if (uid, name) not in self._opened:
            made = self._open(uid, name)
            if isinstance(made, Refused):
                return made
            self._opened[uid, name] = made
        return self._message(str(self._opened[uid, name]), text)

    def judge(self, request: Request, answer: Answer) -> Outcome:
        """See `Calls.judge`. Without an id nothing is published: a moderator has to let it through."""
        if find_chat(request.about) or find_message(request.about):
            return self._judge_message(request, answer)
        sent = read_json(answer.body, answer.content_type, nodebb.SentAnswer).response
        if sent.queued:
            return Queued()
        if sent.pid is None:
            return Unknown(msg("sent/unnamed"))
        if request.kind == "edit":
            return judge_edit(str(sent.pid), request.about)
        ours = (str(sent.tid), str(sent.uid)) == (request.about, self._session.account)
        return (
            Published(str(sent.pid), request.about)
            if ours
            else Unknown(msg("sent/other-post", post=str(sent.pid)))
        )

    def explain(self, request: Request, answer: Answer) -> tuple[str, float | None]:
        """See `Calls.explain`. Whoever is too early is refused with 400 and words of the account's language;
        what else 400 could mean was looked at before.
        """
        try:
            said = read_json(answer.body, answer.content_type, nodebb.Failure).status.message
        except PageError:
            return "", None
        if answer.status in (401, 403) and self._is_shut_out():
            return said, TRY_LATER
        if answer.status != 400 or request.kind == "edit":
            return said, None
        times = [
            float(found) for found in re.findall("[0-9]{1,9}", said) if 0 < float(found) <= _LONGEST_WAIT
        ]
        known = _CHAT_WAIT if request.kind == "private" else self._capabilities.min_interval
        return said, max(times, default=known)

    def _is_shut_out(self) -> bool:
        """Whether the token counts no more: a guest is refused like whoever may not."""
        try:
            self._session.open()
        except LoginFailed:
            return True
        return False

    def own_text(self, post_id: str) -> str:
        """See `Calls.own_text`."""
        return self._pages.raw_text(post_id)

    def probe(self, topic: str) -> None:
        """See `Calls.probe`."""
        page, _ = self._pages.fetch(topic, 1)
        if not page.open:
            raise NotATopic("forum/closed", f"topic {topic} is closed to this account")

    def probe_private(self) -> None:
        """See `Calls.probe_private`: who may not chat may not list chats either."""
        if self._pages.config().no_chats:
            raise ForumError("forum/no-private", "the forum runs without chats")
        self._pages.list_conversations(1)

    def _message(self, chat: str, text: str) -> Request | Refused:
        most = self._pages.config().longest_message
        if len(text) > most:
            return _wrong_length(text, 1, most)
        return Request("POST", f"api/v3/chats/{chat}", Payload(json={"message": text}), "private", f"c{chat}")

    def _open(self, uid: int, name: str) -> int | Refused:
        """The number of a new chat with that name. Raises ForumError."""
        opening = Request("POST", "api/v3/chats", Payload(json={"uids": [uid]}), "private")
        answer = self._session.send(opening)
        if answer.status == 200:
            with as_forum_errors():
                room = read_json(answer.body, answer.content_type, nodebb_chats.RoomMade).response.number
            opening = Request("PUT", f"api/v3/chats/{room}", Payload(json={"name": name}), "private")
            answer = self._session.send(opening)
            if answer.status == 200:
                return room
        said, wait = self.explain(opening, answer)
        if not said:
            check_status(answer)
        return Refused(said, wait)

    def _judge_message(self, request: Request, answer: Answer) -> Outcome:
        sent = read_json(answer.body, answer.content_type, nodebb_chats.SentMessageAnswer).response
        topic = f"c{sent.room}"
        made = f"{topic}m{sent.mid}"
        if request.kind == "edit":
            return judge_edit(made, request.about)
        self._opened = {key: room for key, room in self._opened.items() if room != sent.room}
        return (
            Published(made, topic) if topic == request.about else Unknown(msg("sent/other-post", post=made))
        )


def _wrong_length(text: str, least: int, most: int) -> Refused:
    return Refused(msg("sent/length", size=len(text), least=least, most=most))
