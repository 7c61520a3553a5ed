"""The stand-in forum's answers in the dialect of Flarum 2, limits and oddities included (forums.md 3, 5)."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from markdown_it import MarkdownIt

from tests.support.standin_call import Call, ForumViews, Reply
from tests.support.standin_state import StoredAccount, StoredPost, StoredTopic

_GET = (
    ("preferences", r"/api"),
    ("topic", r"/api/discussions/(?P<topic>\d+)"),
    ("raw", r"/api/posts/(?P<post>\d+)"),
)
_POST = (("login", r"/api/token"), ("publish", r"/api/posts"))
_PATCH = (("edit", r"/api/posts/(?P<post>\d+)"),)
_INTERVAL = 10
_MARKDOWN = MarkdownIt("commonmark", {"breaks": True})
_MARKDOWN.enable("strikethrough")


class FlarumViews(ForumViews):
    """Answers as Flarum does. queued: names of accounts whose posts wait for a moderator."""

    moderates = True
    gets, posts, puts = _GET, _POST, _PATCH

    def __init__(self, *args: object) -> None:
        super().__init__(*args)  # type: ignore[arg-type]
        self.waiting: set[int] = set()
        self._last: dict[int, Any] = {}

    def identify(self, headers: Mapping[str, str], session: str) -> int | None:
        """See `ForumViews.identify`: by the token in the header."""
        del session
        return self.sessions.get(headers.get("authorization", "").removeprefix("Token ").split(";")[0])

    def answer(self, method: str, call: Call) -> Reply:
        """See `ForumViews.answer`. A token that isn't any is refused, whatever it asks for."""
        if call.account is None and call.action != "login":
            if call.headers.get("authorization", "").startswith("Token "):
                return self._refuse(401, "invalid_access_token")
            if method != "GET":
                return self._refuse(401, "not_authenticated")
        reply: Reply = getattr(self, f"_{method.lower()}_{call.action}")(call)
        return reply

    def broken(self) -> Reply:
        """See `ForumViews.broken`: a page, whatever was asked for."""
        return Reply(500, "<!doctype html>\n<html><body><h1>Oops</h1></body></html>\n")

    def flood(self, call: Call) -> Reply:
        """See `ForumViews.flood`: no word of how long."""
        del call
        return self._refuse(429, "too_many_requests")

    def login_page(self, call: Call) -> Reply:
        """See `ForumViews.login_page`."""
        del call
        return Reply(body="<!doctype html>\n<html><body><form>log in</form></body></html>\n")

    def login_redirect(self) -> Reply:
        """See `ForumViews.login_redirect`."""
        return Reply(302, location="/login")

    def missing(self) -> Reply:
        """See `ForumViews.missing`."""
        return self._refuse(404, "not_found")

    def _refuse(self, status: int, code: str, detail: str = "") -> Reply:
        error = {"status": str(status), "code": code, **({"detail": detail} if detail else {})}
        return _as_api(status, {"errors": [error]})

    def _get_preferences(self, call: Call) -> Reply:
        actor = {"type": "users", "id": str(call.account.id)} if call.account else None
        data = {"type": "forums", "id": "1", "attributes": {}, "relationships": {"actor": {"data": actor}}}
        return _as_api(200, {"data": data})

    def _post_login(self, call: Call) -> Reply:
        told = call.json
        known = [one for one in self.state.accounts.values() if one.name == told.get("identification")]
        if not known or known[0].password != told.get("password"):
            return self._refuse(401, "not_authenticated")
        token = secrets.token_hex(20)
        self.sessions[token] = known[0].id
        return _as_api(200, {"token": token, "userId": known[0].id})

    def _visible(self, topic: int, call: Call) -> list[StoredPost]:
        """Who may not hide posts sees only their own hidden ones."""
        mine = call.account.id if call.account else 0
        staff = call.account is not None and call.account.staff
        shown = [
            post for post in self.state.shown(topic) if post.id not in self.waiting or post.author_id == mine
        ]
        return [post for post in shown if staff or not post.removed or post.author_id == mine]

    def _get_topic(self, call: Call) -> Reply:
        topic = self.state.topics.get(call.number("topic"))
        if topic is None or topic.members is not None:
            return self.missing()
        shown, offset = self._visible(topic.id, call), int(call.query.get("page[offset]", "0"))
        if call.fault is not None and call.fault.kind == "stale":
            shown = shown[: -call.fault.at]
        if call.fault is not None and call.fault.kind == "other-page":
            offset = (call.fault.at - 1) * self._per_page
        part = shown[offset : offset + self._per_page]
        people = {post.author_id for post in part}
        included = [self._show(post, shown, call) for post in part]
        included += [_person(self.state.accounts[one]) for one in sorted(people)]
        return _as_api(200, {"data": self._discussion(topic, shown, call), "included": included})

    def _discussion(self, topic: StoredTopic, shown: list[StoredPost], call: Call) -> dict[str, Any]:
        staff = call.account is not None and call.account.staff
        attributes = {
            "title": topic.title,
            "commentCount": len(shown),
            "canReply": call.account is not None and (not topic.closed or staff),
        }
        ids = [{"type": "posts", "id": str(post.id)} for post in shown]
        links = {"posts": {"data": ids}}
        return {"type": "discussions", "id": str(topic.id), "attributes": attributes, "relationships": links}

    def _show(self, post: StoredPost, shown: list[StoredPost], call: Call) -> dict[str, Any]:
        number = shown.index(post) + 1 if post in shown else len(shown) + 1
        attributes: dict[str, Any] = {
            "number": number,
            "createdAt": f"{post.date:%Y-%m-%dT%H:%M:%S}+00:00",
            "contentType": "discussionLocked" if post.notice else "comment",
            "editedAt": f"{post.edited_at:%Y-%m-%dT%H:%M:%S}+00:00" if post.edited_at else None,
            "isApproved": post.id not in self.waiting,
        }
        if post.notice:
            attributes["content"] = {"locked": True}
        else:
            attributes["contentHtml"] = _MARKDOWN.render(post.text).strip()
        if call.account is not None and not post.notice and self._may_edit(post, call):
            attributes |= {"content": post.text, "canEdit": True}
        if post.removed:
            attributes |= {"isHidden": True, "hiddenAt": f"{post.date:%Y-%m-%dT%H:%M:%S}+00:00"}
        links = {
            "user": {"data": {"type": "users", "id": str(post.author_id)}},
            "discussion": {"data": {"type": "discussions", "id": str(post.topic)}},
        }
        return {"type": "posts", "id": str(post.id), "attributes": attributes, "relationships": links}

    def _get_raw(self, call: Call) -> Reply:
        post = self._post(call)
        if post is None or post not in self._visible(post.topic, call):
            return self.missing()
        shown = self._visible(post.topic, call)
        person = _person(self.state.accounts[post.author_id])
        return _as_api(200, {"data": self._show(post, shown, call), "included": [person]})

    def _post_publish(self, call: Call) -> Reply:
        told = call.json["data"]
        topic = self.state.topics.get(int(told["relationships"]["discussion"]["data"]["id"] or 0))
        if topic is None or topic.members is not None:
            return self.missing()
        if topic.closed and not call.user.staff:
            return self._refuse(403, "permission_denied")
        last = self._last.get(call.user.id)
        if self._rate_limits and last and self.state.now() - last < timedelta(seconds=_INTERVAL):
            return self.flood(call)
        if not str(told["attributes"]["content"]).strip():
            return self._refuse(422, "validation_error", "The content field is required.")
        self._last[call.user.id] = self.state.now()
        post = self.state.add_post(topic.id, call.user, told["attributes"]["content"], self._delay(call))
        if call.user.name in self.queued:
            self.waiting.add(post.id)
        shown = self._visible(topic.id, call)
        return _as_api(201, {"data": self._show(post, shown, call), "included": [_person(call.user)]})

    def _patch_edit(self, call: Call) -> Reply:
        post = self._post(call)
        if post is None:
            return self.missing()
        if not self._may_edit(post, call):
            return self._refuse(403, "permission_denied")
        self.state.edit_post(post, call.user, str(call.json["data"]["attributes"]["content"]))
        return _as_api(200, {"data": self._show(post, self._visible(post.topic, call), call), "included": []})


def _person(account: StoredAccount) -> dict[str, Any]:
    attributes = {"username": account.name, "displayName": account.name}
    return {"type": "users", "id": str(account.id), "attributes": attributes}


def _as_api(status: int, value: object) -> Reply:
    return Reply(status, json.dumps(value, ensure_ascii=False), content_type="application/vnd.api+json")
