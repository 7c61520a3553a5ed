"""The stand-in forum's answers in the dialect of Discourse, limits and oddities included (forums.md 3, 5)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import timedelta
from typing import Any
from urllib.parse import unquote

from markdown_it import MarkdownIt

from tests.schemas.discourse import DISCOURSE
from tests.support.discourse_files import DiscourseFiles
from tests.support.standin_call import Call, Reply, as_json
from tests.support.standin_state import StoredPost, StoredTopic

_GET = (
    ("user", r"/u/(?P<name>[^/]+)\.json"),
    ("topic", r"/t/(?P<topic>\d+)\.json"),
    ("raw", r"/posts/(?P<post>\d+)\.json"),
    ("list", r"/topics/private-messages(?P<sent>-sent)?/(?P<name>[^/]+)\.json"),
)
_POST = (("publish", r"/posts\.json"), ("upload", r"/uploads\.json"))
_PUT = (("edit", r"/posts/(?P<post>\d+)\.json"),)
_INTERVAL, _IN_A_ROW, _MEMO, _UNIQUE = 5, 3, 120, 300
_MANY = 10_000
"""From so many posts on, a topic's answer tells no ids."""
_GRACE = timedelta(seconds=300)
"""Edits so soon after the post count for nothing."""
_ERRORS = {
    403: ("You are not permitted to view the requested resource.", "invalid_access"),
    404: ("The requested URL or resource could not be found.", "not_found"),
}
_QUOTE = re.compile(r'\[quote="([^"]*)"\]\n(.*?)\n\[/quote\]', re.DOTALL)
_MARKDOWN = MarkdownIt("commonmark", {"breaks": True, "html": True, "langPrefix": "lang-"})
_MARKDOWN.enable(["strikethrough", "table"])


def cook(text: str) -> str:
    """Turn a post's text into HTML much as Discourse does."""
    cut = _QUOTE.split(text)
    parts = [_MARKDOWN.render(part) if n % 3 == 0 else part for n, part in enumerate(cut)]
    made = [parts[0]]
    for n in range(1, len(parts), 3):
        inner = _MARKDOWN.render(parts[n + 1])
        made.append(
            f'<aside class="quote no-group" data-username="{parts[n].split(",")[0]}"><div class="title">'
            f"{parts[n].split(',')[0]}:</div><blockquote>{inner}</blockquote></aside>{parts[n + 2]}"
        )
    return "".join(made).strip()


class DiscourseViews(DiscourseFiles):
    """Answers as Discourse does.

    queued: names of accounts whose posts wait for a moderator. mute: of those that may open no conversations.
    least: shortest post, 20 characters by
    default, which tests that don't care lower. groups: names of groups that may read a conversation.
    """

    moderates = True
    gets, posts, puts = _GET, _POST, _PUT
    schema = DISCOURSE

    def __init__(self, *args: object) -> None:
        super().__init__(*args)
        self.mute: set[str] = set()
        self.groups: dict[int, tuple[str, ...]] = {}
        self.least = 20 if self._rate_limits else 1
        self._memo: dict[tuple[str, bytes], tuple[Any, Reply]] = {}

    def identify(self, headers: Mapping[str, str], session: str) -> int | None:
        """See `ForumViews.identify`: by key and name."""
        del session
        name = headers.get("api-username", "").encode("latin-1").decode()  # as servers hand headers on
        for account in self.state.accounts.values():
            if account.name == name and account.password == headers.get("api-key"):
                return account.id
        return None

    def answer(self, method: str, call: Call) -> Reply:
        """See `ForumViews.answer`. A wrong key is refused, whatever it asks for."""
        if call.account is None:
            return self._refuse(403)
        reply: Reply = getattr(self, f"_{method.lower()}_{call.action}")(call)
        return reply

    def broken(self) -> Reply:
        """See `ForumViews.broken`: a page, whatever was asked for."""
        return Reply(500, "<!doctype html>\n<html><body><h1>Oops</h1></body></html>\n")

    def flood(self, call: Call) -> Reply:
        """See `ForumViews.flood`."""
        del call
        return self._limited(_INTERVAL)

    def login_page(self, call: Call) -> Reply:
        """See `ForumViews.login_page`."""
        del call
        return Reply(body="<!doctype html>\n<html><body><form>log in</form></body></html>\n")

    def login_redirect(self) -> Reply:
        """See `ForumViews.login_redirect`."""
        return Reply(302, location="/login")

    def missing(self) -> Reply:
        """See `ForumViews.missing`."""
        return self._refuse(404)

    def _refuse(self, status: int) -> Reply:
        said, kind = _ERRORS[status]
        return as_json(status, {"errors": [said], "error_type": kind})

    def _limited(self, wait: int) -> Reply:
        said = {
            "errors": [f"You've performed this action too many times, wait {wait} seconds."],
            "error_type": "rate_limit",
            "extras": {"wait_seconds": wait, "time_left": f"{wait} seconds"},
        }
        return as_json(429, said, str(wait))

    def _wrong(self, said: str) -> Reply:
        return as_json(422, {"action": "create_post", "errors": [said]})

    def _get_user(self, call: Call) -> Reply:
        try:
            account = self.state.by_name(unquote(call.parts["name"] or ""))
        except KeyError:
            return self.missing()
        known = {
            "id": account.id,
            "username": account.name,
            "trust_level": int(account.name not in self.newcomers),
            "admin": account.staff,
            "moderator": account.staff,
            "can_send_private_messages": account.name not in self.mute,
        }
        return as_json(200, {"user": known})

    def _get_topic(self, call: Call) -> Reply:
        topic = self.state.topics.get(call.number("topic"))
        if topic is None:
            return self.missing()
        if not self._may_see(topic, call):
            return self._refuse(403)
        shown, page = self.state.shown(topic.id), int(call.query.get("page", "1"))
        if call.fault is not None and call.fault.kind == "stale":
            shown = shown[: -call.fault.at]
        if call.fault is not None and call.fault.kind == "other-page":
            page = call.fault.at
        pages = max(1, -(-len(shown) // self._per_page))
        if page > pages:
            return Reply(301, location=f"/t/x/{topic.id}?page={pages}")
        return as_json(200, self._topic(topic, shown, page, call))

    def _topic(self, topic: StoredTopic, shown: list[StoredPost], page: int, call: Call) -> dict[str, Any]:
        first = (page - 1) * self._per_page
        part = shown[first : first + self._per_page]
        stream: dict[str, Any] = {"posts": [self._show(post, shown.index(post) + 1, call) for post in part]}
        if len(shown) < _MANY:
            stream["stream"] = [post.id for post in shown]
        else:
            stream |= {"isMegaTopic": True, "lastId": shown[-1].id}
        private = topic.members is not None
        details: dict[str, Any] = {"participants": []}
        if not topic.closed or call.user.staff:
            details["can_create_post"] = True
        if private:
            people = [self.state.accounts[one] for one in topic.members or ()]
            details["allowed_users"] = [{"id": one.id, "username": one.name} for one in people]
            names = enumerate(self.groups.get(topic.id, ()), 41)
            details["allowed_groups"] = [{"id": number, "name": name} for number, name in names]
        return {
            "post_stream": stream,
            "id": topic.id,
            "title": topic.title,
            "posts_count": len(shown),
            "archetype": "private_message" if private else "regular",
            "closed": topic.closed,
            "archived": False,
            "chunk_size": self._per_page,
            "details": details,
        }

    def _show(self, post: StoredPost, number: int, call: Call) -> dict[str, Any]:
        staff = call.user.staff
        hidden = post.removed and not staff
        counted = post.edited_at is not None and (
            post.edited_at - post.date >= _GRACE or self.count_soon or post.removed
        )
        shown = {
            "id": post.id,
            "topic_id": post.topic,
            "post_number": number,
            "post_type": 3 if post.notice else 1,
            "user_id": post.author_id,
            "username": self.state.accounts[post.author_id].name,
            "cooked": "" if hidden or post.notice else self._show_pictures(cook(post.text)),
            "created_at": _iso(post.date),
            "updated_at": _iso(post.edited_at or post.date),
            "version": 1 + (post.edits if counted else 0),
            "can_edit": self._may_edit(post, call),
            "hidden": post.removed,
            "user_deleted": False,
            "deleted_at": None,
        }
        if call.action == "raw" or call.query.get("include_raw"):
            shown["raw"] = "" if hidden else post.text
        return shown

    count_soon = True
    """Whether edits within five minutes count as versions, as where a forum has set that time to nothing."""

    def _get_raw(self, call: Call) -> Reply:
        post = self._post(call)
        if post is None:
            return self.missing()
        if not self._may_see(self.state.topics[post.topic], call):
            return self._refuse(403)
        number = self.state.shown(post.topic).index(post) + 1
        return as_json(200, self._show(post, number, call))

    def _get_list(self, call: Call) -> Reply:
        mine = [one for one in self.state.topics.values() if call.user.id in (one.members or ())]
        mine = [one for one in mine if self._lists(one, call)]
        mine.sort(key=lambda one: max((p.id for p in self.state.shown(one.id)), default=0), reverse=True)
        first = int(call.query.get("page", "0")) * self._topics_per_page
        part = mine[first : first + self._topics_per_page]
        listed: dict[str, Any] = {"topics": [{"id": one.id, "title": one.title} for one in part]}
        if first + self._topics_per_page < len(mine):
            listed["more_topics_url"] = f"{call.path}?page=1"
        return as_json(200, {"topic_list": listed})

    def _lists(self, topic: StoredTopic, call: Call) -> bool:
        authors = [post.author_id for post in self.state.shown(topic.id)]
        if call.parts.get("sent"):
            return authors[:1] == [call.user.id]
        return any(author != call.user.id for author in authors)

    def _post_publish(self, call: Call) -> Reply:
        data = call.json
        raw = str(data.get("raw", "")).strip()
        memo = self._memo.get((call.user.name, call.body))
        if memo is not None and self.state.now() - memo[0] < timedelta(seconds=_MEMO):
            return memo[1]
        refused = self._check(call, data, raw)
        if refused is not None:
            return refused
        if call.user.name in self.queued:
            return as_json(
                200, {"success": True, "action": "enqueued", "pending_post": {"id": 7, "raw": raw}}
            )
        private = data.get("archetype") == "private_message"
        topic = self._open(call, data) if private else self.state.topics[int(data["topic_id"])]
        post = self.state.add_post(topic.id, call.user, raw, self._delay(call))
        call.user.last_text = (raw, self.state.now())
        reply = as_json(200, self._show(post, len(self.state.shown(topic.id)), call))
        self._memo[call.user.name, call.body] = (self.state.now(), reply)
        return reply

    def _check(self, call: Call, data: Mapping[str, Any], raw: str) -> Reply | None:
        if len(raw) < self.least:
            return self._wrong(f"Body is too short (minimum is {self.least} characters)")
        crowded = self._check_pictures(call, raw)
        if crowded is not None:
            return crowded
        if data.get("archetype") == "private_message":
            names = [one.name for one in self.state.accounts.values()]
            known = data.get("target_recipients") in names
            return None if known else self._wrong("You must select a valid user.")
        topic = self.state.topics.get(int(data.get("topic_id", 0)))
        if topic is None:
            return self.missing()
        if not self._may_see(topic, call) or (topic.closed and not call.user.staff):
            return self._refuse(403)
        return self._check_last(call, raw) or self._check_row(topic, call)

    def _check_last(self, call: Call, raw: str) -> Reply | None:
        last = call.user.last_text
        if last is None or call.user.staff:
            return None
        age = self.state.now() - last[1]
        if last[0] == raw and age < timedelta(seconds=_UNIQUE):
            return self._wrong("Body is too similar to what you recently posted")
        soon = self._rate_limits and age < timedelta(seconds=_INTERVAL)
        return self._limited(_INTERVAL) if soon else None

    def _check_row(self, topic: StoredTopic, call: Call) -> Reply | None:
        authors = [post.author_id for post in self.state.shown(topic.id)]
        free = call.user.staff or topic.members is not None or authors[0] == call.user.id
        if free or not self._rate_limits or authors[-_IN_A_ROW:] != [call.user.id] * _IN_A_ROW:
            return None
        return self._wrong(f"No more than {_IN_A_ROW} consecutive replies are allowed.")

    def _open(self, call: Call, data: Mapping[str, Any]) -> StoredTopic:
        other = self.state.by_name(str(data["target_recipients"]))
        title = str(data["title"]).rstrip(".")
        return self.state.add_topic(title[:1].upper() + title[1:], tuple(sorted({call.user.id, other.id})))

    def _put_edit(self, call: Call) -> Reply:
        post = self._post(call)
        if post is None:
            return self.missing()
        if not self._may_edit(post, call):
            return self._refuse(403)
        self.state.edit_post(post, call.user, str(call.json["post"]["raw"]))
        return as_json(200, {"post": self._show(post, 1, call)})


def _iso(moment: Any) -> str:
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{moment.microsecond // 1000:03}Z"
