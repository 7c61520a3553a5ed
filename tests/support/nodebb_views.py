"""The stand-in forum's answers in the dialect of NodeBB, limits and oddities included (forums.md 3, 5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import unquote

from tests.schemas.nodebb import NODEBB
from tests.support import nodebb_pages as pages
from tests.support.standin_call import Call, ForumViews, Reply, as_json
from tests.support.standin_state import StoredAccount, StoredPost, StoredTopic

_GET = (
    ("config", r"/api/config"),
    ("account", r"/api/user/(?P<slug>[^/]+)"),
    ("topic", r"/api/topic/(?P<topic>\d+)"),
    ("raw", r"/api/v3/posts/(?P<post>\d+)/raw"),
    ("list", r"/api/v3/chats"),
    ("room", r"/api/v3/chats/(?P<private>\d+)"),
    ("messages", r"/api/v3/chats/(?P<private>\d+)/messages"),
    ("raw", r"/api/v3/chats/(?P<private>\d+)/messages/(?P<post>\d+)/raw"),
)
_POST = (
    ("login", r"/api/v3/ping"),
    ("publish", r"/api/v3/topics/(?P<topic>\d+)"),
    ("open", r"/api/v3/chats"),
    ("private", r"/api/v3/chats/(?P<private>\d+)"),
)
_PUT = (
    ("edit", r"/api/v3/posts/(?P<post>\d+)"),
    ("name", r"/api/v3/chats/(?P<private>\d+)"),
    ("edit", r"/api/v3/chats/(?P<private>\d+)/messages/(?P<post>\d+)"),
)
_DELAY, _NEWBIE_DELAY, _EDIT_TIME = 10, 120, 3600
_TOO_EARLY = "You can only post once every 10 second(s) - please wait before posting again"
_TOO_NEW = (
    "As a new user, you can only post once every 120 second(s) until you have earned 3 reputation"
    " - please wait before posting again"
)
_NAMED = "room-rename"
_CODES = {400: "bad-request", 403: "forbidden", 404: "not-found"}


@dataclass(frozen=True, slots=True)
class Waiting:
    """A post that a moderator has to let through."""

    topic: int
    author: StoredAccount
    text: str
    date: datetime


class NodebbViews(ForumViews):
    """Answers as NodeBB does.

    newbies, queued, banned: names of accounts that are new, whose posts a moderator has to let through, that
    are banned. gone: names of accounts that were deleted. signatures: by name. least, most, most_chat:
    lengths of posts and of messages. revoked: tokens that no longer count.
    """

    moderates = True
    signs = True
    gets, posts, puts = _GET, _POST, _PUT
    schema = NODEBB
    least, most, most_chat, batch = 1, 32_767, 1000, 50

    def __init__(self, *args: object) -> None:
        super().__init__(*args)  # type: ignore[arg-type]
        self.newbies: set[str] = set()
        self.banned: set[str] = set()
        self.gone: set[str] = set()
        self.revoked: set[str] = set()
        self.waiting: list[Waiting] = []

    def identify(self, headers: Mapping[str, str], session: str) -> int | None:
        """See `ForumViews.identify`: by the token, whatever cookies there are."""
        del session
        token = headers.get("authorization", "").removeprefix("Bearer ")
        if not token or token in self.revoked:
            return None
        return next((n for n, one in self.state.accounts.items() if one.password == token), None)

    def answer(self, method: str, call: Call) -> Reply:
        """See `ForumViews.answer`: whoever is nobody reads what guests read, and never gets a 401."""
        if call.account is None and (method != "GET" or "/chats" in call.path):
            return self._refuse(403, "A valid login session was not found. Please log in and try again.")
        writes = method != "GET" and call.action != "login"
        if call.account is not None and call.account.name in self.banned and writes:
            return self._refuse(403, "Sorry, your account has been banned")
        reply: Reply = getattr(self, f"_{method.lower()}_{call.action}")(call)
        return reply

    def broken(self) -> Reply:
        """See `ForumViews.broken`: under load NodeBB sends a page."""
        return Reply(503, "<!doctype html>\n<html><body><h1>Excessive Load</h1></body></html>\n")

    def flood(self, call: Call) -> Reply:
        """See `ForumViews.flood`: 400 and not 429, in words of the account's language."""
        new = call.account is not None and call.account.name in self.newbies
        return self._refuse(400, _TOO_NEW if new else _TOO_EARLY)

    def login_page(self, call: Call) -> Reply:
        """See `ForumViews.login_page`: of something before the forum."""
        return Reply(body="<!doctype html>\n<html><body><form><h1>Login</h1></form></body></html>\n")

    def login_redirect(self) -> Reply:
        """See `ForumViews.login_redirect`."""
        return Reply(302, location="/login")

    def missing(self) -> Reply:
        """See `ForumViews.missing`."""
        return as_json(404, {"path": "/x", "title": "[[global:404.title]]"})

    def let_through(self) -> str:
        """Accept the post that waits longest, as a moderator does; its time is that of its sending."""
        with self.state.lock:
            kept = self.waiting.pop(0)
            post = self.state.add_post(kept.topic, kept.author, kept.text)
            post.date = kept.date
            return str(post.id)

    def _refuse(self, status: int, words: str) -> Reply:
        return as_json(status, pages.say({}, _CODES[status], words))

    def _viewer(self, call: Call) -> int:
        return call.account.id if call.account else -1

    def _is_staff(self, call: Call) -> bool:
        return call.account is not None and call.account.staff

    def _person(self, number: int) -> dict[str, Any]:
        name = self.state.accounts[number].name
        return pages.show_person(number, name, gone=name in self.gone)

    def _show(self, post: StoredPost, index: int, call: Call, *, private: bool = False) -> pages.ShownPost:
        name = self.state.accounts[post.author_id].name
        visible = not post.removed or (self._is_staff(call) and not private)
        html = post.notice or (pages.render(post.text) if visible else "")
        return pages.ShownPost(
            id=post.id,
            index=index,
            author_id=post.author_id,
            author=name,
            date=post.date,
            html=html,
            edited=post.edited_at,
            deleted=post.removed,
            signature=self.signatures.get(name, ""),
            gone=name in self.gone,
            system=bool(post.notice),
        )

    def _get_config(self, call: Call) -> Reply:
        lengths = {
            "minimumPostLength": self.least,
            "maximumPostLength": self.most,
            "maximumChatMessageLength": self.most_chat,
        }
        viewer = self._viewer(call)
        return as_json(200, {**lengths, "disableChat": False, "uid": viewer, "loggedIn": viewer > 0})

    def _get_account(self, call: Call) -> Reply:
        slug = unquote(call.parts["slug"] or "")
        people = (self._person(number) for number in self.state.accounts)
        found = next((one for one in people if one["userslug"] == slug), None)
        return as_json(200, found) if found else self.missing()

    def _get_topic(self, call: Call) -> Reply:
        topic = self.state.topics.get(call.number("topic"))
        if topic is None or topic.members is not None:
            return self.missing()
        shown = [post for post in self.state.shown(topic.id) if not post.notice]
        asked = int(call.query.get("page", "1"))
        if call.fault is not None and call.fault.kind == "stale":
            shown = shown[: -call.fault.at]
        if call.fault is not None and call.fault.kind == "other-page":
            asked = call.fault.at
        first = (asked - 1) * self._per_page
        part = enumerate(shown[first : first + self._per_page], first)
        page = pages.show_topic(
            topic.id,
            topic.title,
            [self._show(post, index, call) for index, post in part],
            self._viewer(call),
            page=asked,
            pages=max(1, -(-len(shown) // self._per_page)),
            count=len(shown),
            closed=topic.closed,
            reply=not topic.closed or self._is_staff(call),
        )
        return as_json(200, page)

    def _get_raw(self, call: Call) -> Reply:
        post = self._post(call)
        if post is None:
            return self._refuse(404, "Post does not exist")
        topic = self.state.topics[post.topic]
        in_chat = topic.members is not None
        if in_chat != (call.parts.get("private") is not None) or not self._may_see(topic, call):
            return self._refuse(403 if in_chat else 404, "You do not have enough privileges for this action.")
        if post.removed and not self._may_edit(post, call):
            return self._refuse(404, "Post does not exist")
        return as_json(200, pages.say({"content": post.text.rstrip()}))

    def _room(self, call: Call) -> StoredTopic | Reply:
        topic = self.state.topics.get(call.number("private"))
        if topic is None or topic.members is None:
            return self._refuse(404, "Chat room does not exist")
        if not self._may_see(topic, call):
            return self._refuse(403, "You do not have enough privileges for this action.")
        return topic

    def _show_room(self, topic: StoredTopic) -> dict[str, Any]:
        people = [self._person(number) for number in topic.members or ()]
        return pages.show_room(topic.id, topic.title, self.state.now(), people)

    def _get_room(self, call: Call) -> Reply:
        topic = self._room(call)
        return topic if isinstance(topic, Reply) else as_json(200, pages.say(self._show_room(topic)))

    def _get_messages(self, call: Call) -> Reply:
        topic = self._room(call)
        if isinstance(topic, Reply):
            return topic
        newest = list(enumerate(reversed(self.state.shown(topic.id))))
        if call.fault is not None and call.fault.kind == "stale":
            newest = list(enumerate(post for _, post in newest[call.fault.at :]))
        start = int(call.query.get("start", "0"))
        part = reversed(newest[start : start + self.batch])
        shown = [
            pages.show_message(self._show(post, index, call, private=True), topic.id, call.user.id)
            for index, post in part
        ]
        return as_json(200, pages.say({"messages": shown}))

    def _get_list(self, call: Call) -> Reply:
        mine = [t for t in self.state.topics.values() if t.members and call.user.id in t.members]
        mine.sort(key=lambda t: max((p.id for p in self.state.shown(t.id)), default=0), reverse=True)
        size = min(self._topics_per_page, int(call.query.get("perPage", "20")))
        start = int(call.query.get("start", "0"))
        rooms = [self._entry(topic, call) for topic in mine[start : start + size]]
        return as_json(200, pages.say({"rooms": rooms, "nextStart": start + size}))

    def _entry(self, topic: StoredTopic, call: Call) -> dict[str, Any]:
        written = [one for one in self.state.shown(topic.id) if not (one.notice or one.removed)]
        last = self._show(written[-1], 0, call) if written else None
        others = [self._person(number) for number in topic.members or () if number != call.user.id]
        return pages.show_entry(topic.id, topic.title, self.state.now(), others, last)

    def _post_login(self, call: Call) -> Reply:
        return as_json(200, pages.say({"uid": call.user.id, "received": call.json or {}}))

    def _is_early(self, call: Call) -> bool:
        """Whether the account posts too soon, where the forum counts at all."""
        if not self._rate_limits or call.user.staff:
            return False
        delay = _NEWBIE_DELAY if call.user.name in self.newbies else _DELAY
        last = max((one.date for one in self.state.stored if one.author_id == call.user.id), default=None)
        return last is not None and self.state.now() - last < timedelta(seconds=delay)

    def _wrong_length(self, text: str, call: Call, least: int, most: int) -> Reply | None:
        if call.user.staff or least <= len(text.strip()) <= most:
            return None
        return self._refuse(400, f"Please enter between {least} and {most} character(s).")

    def _post_publish(self, call: Call) -> Reply:
        topic = self.state.topics.get(call.number("topic"))
        if topic is None or topic.members is not None:
            return self._refuse(404, "Topic does not exist")
        if topic.closed and not call.user.staff:
            return self._refuse(400, "Topic locked")
        text = call.json["content"]
        wrong = self._wrong_length(text, call, self.least, self.most)
        if wrong is not None:
            return wrong
        if self._is_early(call):
            return self.flood(call)
        if call.user.name in self.queued:
            self.waiting.append(Waiting(topic.id, call.user, text, self.state.now()))
            entry = f"reply-{len(self.waiting)}"
            kept = {"id": entry, "type": "reply", "queued": True, "message": "[[success:post-queued]]"}
            return as_json(200, pages.say(kept))
        post = self.state.add_post(topic.id, call.user, text, self._delay(call))
        return as_json(200, pages.say(pages.show_stored(self._show(post, 0, call), topic.id)))

    def _put_edit(self, call: Call) -> Reply:
        post = self._post(call)
        if post is None:
            return self._refuse(404, "Post does not exist")
        if not self._may_edit(post, call):
            return self._refuse(403, "You do not have enough privileges for this action.")
        old = self.state.now() - post.date > timedelta(seconds=_EDIT_TIME)
        if old and call.user.name in self.newbies:
            return self._refuse(400, "You are only allowed to edit posts for 1 hour(s) after posting")
        private = call.parts.get("private") is not None
        self.state.edit_post(post, call.user, call.json["message" if private else "content"])
        shown = self._show(post, 0, call, private=private)
        if private:
            return as_json(200, pages.say(pages.show_message(shown, post.topic, call.user.id)))
        return as_json(200, pages.say(pages.show_stored(shown, post.topic)))

    def _post_open(self, call: Call) -> Reply:
        uids = call.json["uids"]
        if any(uid not in self.state.accounts or uid == call.user.id for uid in uids):
            return self._refuse(400, "You can't chat with yourself or nobody")
        topic = self.state.add_topic("", tuple(sorted({call.user.id, *uids})))
        room = self._show_room(topic)
        left_out = ("users", "isOwner", "canReply", "maximumChatMessageLength")
        return as_json(200, pages.say({key: room[key] for key in room if key not in left_out}))

    def _put_name(self, call: Call) -> Reply:
        topic = self._room(call)
        if isinstance(topic, Reply):
            return topic
        if len(call.json["name"]) > 50:
            return self._refuse(400, "Chat room name is too long. 50 character(s) at most.")
        topic.title = call.json["name"]
        self.state.add_post(topic.id, call.user, _NAMED).notice = _NAMED
        return as_json(200, pages.say(self._show_room(topic)))

    def _post_private(self, call: Call) -> Reply:
        topic = self._room(call)
        if isinstance(topic, Reply):
            return topic
        text = call.json["message"]
        wrong = self._wrong_length(text, call, 1, self.most_chat)
        if wrong is not None:
            return wrong
        post = self.state.add_post(topic.id, call.user, text, self._delay(call))
        shown = self._show(post, 0, call, private=True)
        return as_json(200, pages.say(pages.show_message(shown, topic.id, call.user.id)))
