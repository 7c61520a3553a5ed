"""The stand-in forum's answers in the dialect of FlaskBB, limits and oddities included (forums.md 3, 5)."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from urllib.parse import urlencode

from tests.support import flaskbb_pages as pages
from tests.support.standin_call import Call, ForumViews, Reply
from tests.support.standin_state import StoredPost, StoredTopic

_GET = (
    ("preferences", r"/user/settings/general"),
    ("form", r"/auth/login"),
    ("topic", r"/topic/(?P<topic>\d+)(?:-[\w-]+)?"),
    ("find", r"/post/(?P<post>\d+)"),
    ("raw", r"/post/(?P<post>\d+)/raw"),
    ("form", r"/post/(?P<post>\d+)/edit"),
    ("list", r"/conversations/(?:sent|inbox)?"),
    ("form", r"/conversations/(?P<new>new)"),
    ("topic", r"/conversations/(?P<private>\d+)/view"),
    ("raw", r"/conversations/message/(?P<message>\d+)/raw"),
)
_POST = (
    ("login", r"/auth/login"),
    ("publish", r"/topic/(?P<topic>\d+)/post/new"),
    ("edit", r"/post/(?P<post>\d+)/edit"),
    ("private", r"/conversations/new"),
    ("answer", r"/conversations/(?P<private>\d+)/view"),
)
_LOGINS, _LOGIN_TIME = 20, 900
_COPIES = 100
"""Each participant has a copy of a conversation, with ids of its own."""
_CROWDED = "You cannot send any messages anymore because you have reached your message limit."


class FlaskbbViews(ForumViews):
    """Answers as FlaskBB does. signatures: HTML by account name. quota: conversations an account may have."""

    signs = True
    gets, posts = _GET, _POST
    quota = 50

    def __init__(self, *args: object) -> None:
        super().__init__(*args)  # type: ignore[arg-type]
        self._said: dict[str, list[str]] = {}

    def answer(self, method: str, call: Call) -> Reply:
        """See `ForumViews.answer`."""
        if method == "POST" and (not call.token or call.data.get("csrf_token") != call.token):
            return Reply(400, "<!doctype html>\n<title>400 Bad Request</title><p>The CSRF token is missing.")
        counted = call.path == "/auth/login" and self._rate_limits
        if counted and self.state.limited("login", "", _LOGIN_TIME, _LOGINS):
            return Reply(429, pages.frame("<h1>Too Many Requests</h1>", None))
        public = call.action == "login" or call.path == "/auth/login" or call.action == "find"
        public = public or (call.action == "topic" and call.parts.get("private") is None)
        if call.account is None and not public:
            return Reply(302, location="/auth/login?" + urlencode({"next": call.path}))
        view = getattr(self, f"_{method.lower()}_{call.action}")
        reply: Reply = view(call)
        return reply

    def broken(self) -> Reply:
        """See `ForumViews.broken`."""
        return Reply(500, pages.frame("<h1>Internal Server Error</h1>", None))

    def flood(self, call: Call) -> Reply:
        """See `ForumViews.flood`: FlaskBB has no such limit, a proxy before it may."""
        return Reply(429, "slow down")

    def login_page(self, call: Call) -> Reply:
        """See `ForumViews.login_page`."""
        form = pages.show_form("/auth/login", call.token, {"login": "text", "password": "password"})
        return Reply(body=pages.frame(form, None, call.token))

    def login_redirect(self) -> Reply:
        """See `ForumViews.login_redirect`."""
        return Reply(302, location="/auth/login?next=/")

    def lost(self) -> Reply:
        """What FlaskBB sends where a topic or post is missing: a success."""
        return Reply(200, pages.FALSE_SUCCESS)

    def _flash(self, call: Call, said: str, location: str) -> Reply:
        self._said.setdefault(call.user.name, []).append(said)
        return Reply(302, location=location)

    def _spoken(self, call: Call) -> Sequence[str]:
        return self._said.pop(call.account.name, []) if call.account else []

    def _get_preferences(self, call: Call) -> Reply:
        return Reply(body=pages.frame("<h1>General Settings</h1>", call.user.name, call.token))

    def _get_form(self, call: Call) -> Reply:
        if call.path == "/auth/login":
            return self.login_page(call)
        if call.parts.get("new"):
            return self._letter_form(call)
        post = self._post(call)
        if post is None:
            return self.lost()
        if not self._may_edit(post, call):
            return self._flash(call, "You are not allowed to edit that post", f"/topic/{post.topic}-x")
        return self._text_form(call, post.text, "track_topic")

    def _letter_form(self, call: Call, wrong: Sequence[str] = ()) -> Reply:
        fields = {"to_user": "text", "subject": "text"}
        form = pages.show_form(
            call.path, call.token, fields, "message", call.data.get("message", ""), wrong, "send_message"
        )
        return Reply(body=pages.frame(form, call.user.name, call.token))

    def _text_form(self, call: Call, text: str, checkbox: str = "", wrong: Sequence[str] = ()) -> Reply:
        form = pages.show_form("", call.token, {}, "content", text, wrong, checkbox)
        return Reply(body=pages.frame(form, call.user.name, call.token))

    def _visible(self, call: Call, topic: int) -> list[StoredPost]:
        staff = call.account is not None and call.account.staff
        return [post for post in self.state.shown(topic) if staff or not post.removed]

    def _get_topic(self, call: Call) -> Reply:
        if call.parts.get("private"):
            return self._get_conversation(call)
        topic = self.state.topics.get(call.number("topic"))
        if topic is None or topic.members is not None:
            return self.lost()
        shown, asked = self._visible(call, topic.id), call.query.get("page", "1")
        if call.fault is not None and call.fault.kind == "stale":
            shown = shown[: -call.fault.at]
        if call.fault is not None and call.fault.kind == "other-page":
            asked = str(call.fault.at)
        count = max(1, -(-len(shown) // self._per_page))
        if not 1 <= int(asked) <= count:
            return Reply(404, pages.frame("<h1>Page not found</h1>", None))
        first = (int(asked) - 1) * self._per_page
        part = enumerate(shown[first : first + self._per_page], first + 1)
        page = pages.show_topic(
            str(topic.id),
            topic.title,
            [self._show(post, number) for number, post in part],
            call.account.name if call.account else None,
            page=int(asked),
            pages=count,
            closed=topic.closed,
            token=call.token,
            said=self._spoken(call),
        )
        return Reply(body=page)

    def _show(self, post: StoredPost, number: int) -> pages.ShownPost:
        name, html = self.state.accounts[post.author_id].name, pages.render(post.text)
        signed, hidden = self.signatures.get(name, ""), post.removed
        return pages.ShownPost(
            str(post.id), number, name, post.date, html, post.edited_at, hidden=hidden, signature=signed
        )

    def _get_find(self, call: Call) -> Reply:
        post = self._post(call)
        if post is None:
            return self.lost()
        before = [one for one in self._visible(call, post.topic) if one.id <= post.id]
        page = max(1, -(-len(before) // self._per_page))
        return Reply(302, location=f"/topic/{post.topic}-x?page={page}#pid{post.id}")

    def _get_raw(self, call: Call) -> Reply:
        private = call.parts.get("message")
        number = int(private) // _COPIES if private else call.number("post")
        post = next((one for one in self.state.stored if one.id == number), None)
        if post is None or not self._may_see(self.state.topics[post.topic], call):
            return self.lost()
        name = self.state.accounts[post.author_id].name
        return Reply(body=pages.quote(name, post.text, None if private else str(post.id)))

    def _conversation(self, call: Call) -> StoredTopic | None:
        number, copy = divmod(call.number("private"), _COPIES)
        topic = self.state.topics.get(number)
        mine = topic is not None and topic.members is not None and copy == call.user.id
        return topic if topic is not None and mine and self._may_see(topic, call) else None

    def _own_id(self, number: int, call: Call) -> str:
        return str(number * _COPIES + call.user.id)

    def _get_conversation(self, call: Call) -> Reply:
        topic = self._conversation(call)
        if topic is None:
            return Reply(404, pages.frame("<h1>Page not found</h1>", call.user.name))
        shown = [
            pages.ShownMessage(
                self._own_id(post.id, call),
                self.state.accounts[post.author_id].name,
                post.date,
                pages.render(post.text),
            )
            for post in self.state.shown(topic.id)
        ]
        number, said = self._own_id(topic.id, call), self._spoken(call)
        page = pages.show_conversation(number, topic.title, shown, call.user.name, call.token, said)
        return Reply(body=page)

    def _get_list(self, call: Call) -> Reply:
        mine = [t for t in self.state.topics.values() if t.members and call.user.id in t.members]
        mine = [t for t in mine if self.state.shown(t.id)]
        mine.sort(key=lambda t: max(p.id for p in self.state.shown(t.id)), reverse=True)
        size, asked = self._topics_per_page, int(call.query.get("page", "1"))
        count = max(1, -(-len(mine) // size))
        entries = [self._entry(topic, call) for topic in mine[(asked - 1) * size : asked * size]]
        return Reply(body=pages.show_list(entries, call.user.name, asked, count, self._spoken(call)))

    def _entry(self, topic: StoredTopic, call: Call) -> pages.ShownEntry:
        posts = self.state.shown(topic.id)
        starter = posts[0].author_id
        other = next(one for one in topic.members or () if one != starter)
        sender, recipient = (self.state.accounts[one].name for one in (starter, other))
        shown = pages.render(posts[-1].text[:150])
        return pages.ShownEntry(self._own_id(topic.id, call), topic.title, sender, recipient, shown)

    def _post_login(self, call: Call) -> Reply:
        name = call.data.get("login", "")
        known = next((one for one in self.state.accounts.values() if one.name == name), None)
        if known is None or known.password != call.data.get("password"):
            form = pages.show_form("/auth/login", call.token, {"login": "text", "password": "password"})
            return Reply(body=pages.frame(form, None, call.token, ["Wrong username or password."]))
        session = secrets.token_hex(16)
        self.sessions[session] = known.id
        return Reply(302, location="/", cookies={"sessionid": session, "csrftoken": secrets.token_hex(16)})

    def _post_publish(self, call: Call) -> Reply:
        topic = self.state.topics.get(call.number("topic"))
        if topic is None or topic.members is not None:
            return self.lost()
        if topic.closed and not call.user.staff:
            return self._flash(call, "You are not allowed to post a reply", f"/topic/{topic.id}")
        if not call.data.get("content", "").strip():
            return self._text_form(call, "", "track_topic", ["You cannot post a reply without content."])
        post = self.state.add_post(topic.id, call.user, call.data["content"], self._delay(call))
        return Reply(302, location=f"/post/{post.id}")

    def _post_edit(self, call: Call) -> Reply:
        post = self._post(call)
        if post is None:
            return self.lost()
        if not self._may_edit(post, call):
            return self._flash(call, "You are not allowed to edit that post", f"/topic/{post.topic}-x")
        self.state.edit_post(post, call.user, call.data["content"])
        return Reply(302, location=f"/post/{post.id}")

    def _is_crowded(self, call: Call) -> bool:
        return sum(call.user.id in (one.members or ()) for one in self.state.topics.values()) >= self.quota

    def _post_private(self, call: Call) -> Reply:
        name = call.data.get("to_user", "")
        known = next((one for one in self.state.accounts.values() if one.name == name), None)
        if known is None:
            return self._letter_form(call, ["The username you entered does not exist."])
        if self._is_crowded(call):
            return self._flash(call, _CROWDED, "/conversations/inbox")
        topic = self.state.add_topic(call.data["subject"], tuple(sorted({call.user.id, known.id})))
        self.state.add_post(topic.id, call.user, call.data["message"], self._delay(call))
        return Reply(302, location="/conversations/sent")

    def _post_answer(self, call: Call) -> Reply:
        topic = self._conversation(call)
        if topic is None:
            return Reply(404, pages.frame("<h1>Page not found</h1>", call.user.name))
        if self._is_crowded(call):
            return self._flash(call, _CROWDED, "/conversations/inbox")
        self.state.add_post(topic.id, call.user, call.data["message"], self._delay(call))
        return Reply(302, location=f"/conversations/{self._own_id(topic.id, call)}/view")
