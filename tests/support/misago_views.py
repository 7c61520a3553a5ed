"""The stand-in forum's answers in the dialect of Misago, limits and oddities included (forums.md 3, 5)."""

from __future__ import annotations

import secrets
from datetime import timedelta
from typing import Any

from tests.support import misago_pages as pages
from tests.support.misago_files import MisagoFiles
from tests.support.standin_call import Call, Reply, as_json
from tests.support.standin_state import StoredPost, StoredTopic

_THREAD = r"/api/(?P<private>private-)?threads/(?P<topic>\d+)/posts/"
_GET = (
    ("home", r"/"),
    ("who", r"/api/auth/"),
    ("list", r"/api/private-threads/"),
    ("topic", _THREAD),
    ("form", _THREAD + r"reply_editor/"),
    ("raw", _THREAD + r"(?P<post>\d+)/post_editor/"),
    ("file", r"/a/(?P<secret>\w+)/(?P<file>\d+)/"),
)
_POST = (
    ("login", r"/api/auth/"),
    ("private", r"/api/private-threads/"),
    ("publish", _THREAD),
    ("upload", r"/api/attachments/"),
)
_PUT = (("edit", _THREAD + r"(?P<post>\d+)/"),)
_FLOOD = timedelta(seconds=3)
_PAGE = "<!doctype html>\n<html><body><h1>{}</h1></body></html>\n"
_SAID = {
    "guest": "This action is not available to guests.",
    "csrf": "CSRF Failed: CSRF token missing.",
    "flood": "You can't post message so quickly after previous one.",
    "hour": "Your account has exceed an hourly post limit.",
    "closed": "You can't reply to closed threads in this category.",
    "other": "You can't edit other users posts in this category.",
    "private": "You have to sign in to use private threads.",
}


class MisagoViews(MisagoFiles):
    """Answers as Misago does.

    queued: names of accounts whose posts wait for approval, and `unapproved` those posts. gone: names of
    accounts that were deleted. lonely: names of accounts that may not start private threads. least, most:
    characters of a post. hourly: posts that a member may write in an hour, 0 for any. orphans: see
    `misago_pages.find_part`. said: refusals in other words than Misago's English ones. tokens: whether its
    pages set the cookie that sendings have to repeat.
    """

    moderates = True
    gets, posts, puts = _GET, _POST, _PUT

    def __init__(self, *args: object) -> None:
        super().__init__(*args)  # type: ignore[arg-type]
        self.unapproved: set[int] = set()
        self.gone: set[str] = set()
        self.lonely: set[str] = set()
        self.orphans = 0
        self.said: dict[str, str] = {}
        self.tokens = True
        self.least, self.most, self.hourly = (5 if self._rate_limits else 1), 60_000, 0

    def answer(self, method: str, call: Call) -> Reply:
        """See `ForumViews.answer`. The cookie of a session that isn't known is taken back."""
        lost = call.account is None and "sessionid=" in call.headers.get("cookie", "")
        reply = self._refuse_sending(call) if method != "GET" else None
        if reply is None:
            reply = getattr(self, f"_{method.lower()}_{call.action}")(call)
        if lost:
            reply.cookies.setdefault("sessionid", "")
        return reply

    def sets_token(self, call: Call) -> bool:
        """See `ForumViews.sets_token`: pages for browsers do, the interface doesn't."""
        return self.tokens and call.action == "home"

    def broken(self) -> Reply:
        """See `ForumViews.broken`: a page, whatever was asked for."""
        return Reply(500, _PAGE.format("Internal Server Error"))

    def flood(self, call: Call) -> Reply:
        """See `ForumViews.flood`."""
        del call
        return self._refuse(403, "flood")

    def login_page(self, call: Call) -> Reply:
        """See `ForumViews.login_page`: such as that of a gate before the forum."""
        del call
        return Reply(body=_PAGE.format("Sign in"))

    def login_redirect(self) -> Reply:
        """See `ForumViews.login_redirect`."""
        return Reply(302, location="/login/")

    def missing(self) -> Reply:
        """See `ForumViews.missing`."""
        return as_json(404, {"detail": "Not found."})

    def _refuse(self, status: int, why: str) -> Reply:
        return as_json(status, {"detail": self.said.get(why, _SAID[why])})

    def _refuse_sending(self, call: Call) -> Reply | None:
        """What is refused before anybody looks at it: guests, and what another site might have made up."""
        if call.account is None and call.action != "login":
            return self._refuse(403, "guest")
        ours = call.headers.get("referer", "").startswith(self.url)
        return None if ours and call.headers.get("x-csrftoken") == call.token else self._refuse(403, "csrf")

    def _get_home(self, call: Call) -> Reply:
        del call
        return Reply(body=_PAGE.format("Threads"))

    def _get_who(self, call: Call) -> Reply:
        if call.account is None:
            return as_json(
                200, {"id": None, "acl": {"can_start_private_threads": 0, "max_attachment_size": 0}}
            )
        return as_json(200, self._show_account(call))

    def _show_account(self, call: Call) -> dict[str, Any]:
        may = int(call.user.name not in self.lonely)
        rights = {"can_start_private_threads": may, "max_attachment_size": self.kilobytes}
        return {"id": call.user.id, "username": call.user.name, "acl": rights}

    def _post_login(self, call: Call) -> Reply:
        told = call.json or {}
        name = str(told.get("username", "")).lower()
        known = next((one for one in self.state.accounts.values() if one.name.lower() == name), None)
        if known is None or known.password != told.get("password"):
            return as_json(400, {"detail": "Login or password is incorrect.", "code": "invalid_login"})
        session = secrets.token_hex(16)
        self.sessions[session] = known.id
        call.account = known
        reply = as_json(200, self._show_account(call))
        reply.cookies = {"sessionid": session, "csrftoken": secrets.token_hex(16)}
        return reply

    def _thread(self, call: Call) -> StoredTopic | None:
        topic = self.state.topics.get(call.number("topic"))
        private = call.parts.get("private") is not None
        if topic is None or private != (topic.members is not None) or not self._may_see(topic, call):
            return None
        return topic

    def _is_moderator(self, call: Call) -> bool:
        return call.account is not None and call.account.staff

    def _visible(self, topic: StoredTopic, call: Call) -> list[StoredPost]:
        own = call.account.id if call.account else 0
        all_seen = self._is_moderator(call)
        return [
            post
            for post in self.state.shown(topic.id)
            if post.id not in self.unapproved or all_seen or post.author_id == own
        ]

    def _show(self, post: StoredPost, call: Call) -> dict[str, Any]:
        name = self.state.accounts[post.author_id].name
        seen = not post.notice and (not post.removed or self._is_moderator(call))
        shown = pages.ShownPost(
            post.id,
            None if name in self.gone else post.author_id,
            name,
            post.date,
            pages.render(post.text) if seen else "" if post.removed else None,
            post.edits,
            post.edited_at,
            post.removed,
            post.id in self.unapproved,
            post.notice or None,
            self.show_files(post),
        )
        private = "private-" if self.state.topics[post.topic].members is not None else ""
        return pages.show_post(shown, f"/api/{private}threads/{post.topic}/posts/{post.id}/")

    def _get_topic(self, call: Call) -> Reply:
        if call.parts.get("private") and call.account is None:
            return self._refuse(403, "private")
        topic = self._thread(call)
        if topic is None:
            return self.missing()
        shown, page = self._visible(topic, call), int(call.query.get("page", "1"))
        if call.fault is not None and call.fault.kind == "stale":
            shown = shown[: -call.fault.at]
        if call.fault is not None and call.fault.kind == "other-page":
            page = call.fault.at
        part = pages.find_part(page, sum(not post.notice for post in shown), self._per_page, self.orphans)
        if part is None:
            return self.missing()
        names = self.state.accounts
        thread = pages.show_thread(
            topic.id,
            topic.title,
            [self._show(post, call) for post in _cut(shown, part)],
            part,
            closed=topic.closed,
            may_reply=self._may_reply(topic, call),
            participants=None if topic.members is None else [(one, names[one].name) for one in topic.members],
        )
        return as_json(200, thread)

    def _may_reply(self, topic: StoredTopic, call: Call) -> bool:
        return call.account is not None and (not topic.closed or call.account.staff)

    def _get_form(self, call: Call) -> Reply:
        topic = self._thread(call)
        if topic is None:
            return self.missing()
        if not self._may_reply(topic, call):
            return self._refuse(403, "guest" if call.account is None else "closed")
        if "reply" not in call.query:
            return as_json(200, {})
        post = self._find(topic, int(call.query["reply"]), call)
        if post is None:
            return self.missing()
        if post.notice or (post.removed and not self._is_moderator(call)):
            return as_json(403, {"detail": "You can't reply to hidden posts."})
        return self._source(post)

    def _find(self, topic: StoredTopic, number: int, call: Call) -> StoredPost | None:
        return next((post for post in self._visible(topic, call) if post.id == number), None)

    def _source(self, post: StoredPost) -> Reply:
        name = self.state.accounts[post.author_id].name
        return as_json(200, {"id": post.id, "post": post.text, "poster": name})

    def _editable(self, call: Call) -> StoredPost | Reply:
        topic = self._thread(call)
        post = self._find(topic, call.number("post"), call) if topic else None
        if topic is None or post is None:
            return self.missing()
        if call.account is None or not self._may_edit(post, call):
            return self._refuse(403, "other")
        return post if self._may_reply(topic, call) else self._refuse(403, "closed")

    def _get_raw(self, call: Call) -> Reply:
        post = self._editable(call)
        return post if isinstance(post, Reply) else self._source(post)

    def _get_list(self, call: Call) -> Reply:
        if call.account is None:
            return self._refuse(403, "private")
        own = call.account.id
        last = {
            topic.id: max((post.id for post in self.state.shown(topic.id)), default=0)
            for topic in self.state.topics.values()
            if topic.members and own in topic.members
        }
        start = int(call.query.get("start", "0"))
        order = sorted((one for one in last if not start or last[one] <= start), key=lambda one: -last[one])
        part, rest = order[: self._topics_per_page], order[self._topics_per_page :]
        shown = [{"id": one, "title": self.state.topics[one].title} for one in part]
        return as_json(200, {"results": shown, "next": last[rest[0]] if rest else None})

    def _check_text(self, call: Call) -> Reply | None:
        text = str((call.json or {}).get("post", "")).strip()
        if not text:
            return as_json(400, {"post": ["This field may not be blank."]})
        if self.least <= len(text) <= self.most:
            return None
        least, has = f"at least {self.least} characters", f"(it has {len(text)})"
        return as_json(400, {"post": [f"Posted message should be {least} long {has}."]})

    def _check_pace(self, call: Call) -> Reply | None:
        """Members only; private posts count, edits don't."""
        if call.user.staff:
            return None
        now, own = self.state.now(), [one for one in self.state.stored if one.author_id == call.user.id]
        if self._rate_limits and any(now - one.date < _FLOOD for one in own):
            return self._refuse(403, "flood")
        lately = sum(now - one.date < timedelta(hours=1) for one in own)
        return self._refuse(403, "hour") if self.hourly and lately >= self.hourly else None

    def _post_publish(self, call: Call) -> Reply:
        topic = self._thread(call)
        if topic is None:
            return self.missing()
        if not self._may_reply(topic, call):
            return self._refuse(403, "closed")
        wrong = self._check_text(call) or self._check_files(call) or self._check_pace(call)
        if wrong:
            return wrong
        post = self.state.add_post(topic.id, call.user, call.json["post"], self._delay(call))
        self._take_files(post, call)
        if call.user.name in self.queued and topic.members is None:
            self.unapproved.add(post.id)
        return as_json(200, self._show(post, call))

    def _put_edit(self, call: Call) -> Reply:
        post = self._editable(call)
        if isinstance(post, Reply):
            return post
        wrong = self._check_text(call)
        if wrong:
            return wrong
        self.state.edit_post(post, call.user, call.json["post"])
        self._take_files(post, call)
        if call.user.name in self.queued:
            self.unapproved.add(post.id)
        return as_json(200, self._show(post, call))

    def _post_private(self, call: Call) -> Reply:
        told = call.json or {}
        wrong = self._check_text(call) or self._check_envelope(told) or self._check_pace(call)
        if wrong:
            return wrong
        members = {call.user.id, *(self.state.by_name(name).id for name in told["to"])}
        topic = self.state.add_topic(told["title"], tuple(sorted(members)))
        self.state.add_post(topic.id, call.user, told["post"], self._delay(call))
        return as_json(200, {"id": topic.id, "title": topic.title, "url": f"/p/x/{topic.id}/"})

    def _check_envelope(self, told: dict[str, Any]) -> Reply | None:
        known = {one.name.lower() for one in self.state.accounts.values()}
        unknown = [name for name in told.get("to", ()) if name.lower() not in known]
        if unknown:
            said = f"One or more users could not be found: {', '.join(unknown)}"
            return as_json(400, {"to": [said]})
        if 5 <= len(told.get("title", "")) <= 90:
            return None
        return as_json(400, {"title": ["Thread title should be at least 5 characters long."]})


def _cut(posts: list[StoredPost], part: pages.Part) -> list[StoredPost]:
    """The posts of a page, and the forum's own lines from its first post on."""
    real = [post for post in posts if not post.notice][part.before : part.end]
    first = 0 if part.page == 1 else real[0].id
    return [post for post in posts if first <= post.id and (part.is_last or post.id <= real[-1].id)]
