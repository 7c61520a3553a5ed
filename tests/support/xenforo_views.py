"""The stand-in forum's answers in the dialect of XenForo's REST API, oddities included (forums.md 5)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from tests.schemas.xenforo import XENFORO
from tests.support import xenforo_pages as pages
from tests.support.standin_call import Call, ForumViews, Reply, as_json
from tests.support.standin_state import StoredPicture, StoredPost, StoredTopic
from tests.support.xenforo_files import Files

_GET = (
    ("index", r"/api/"),
    ("account", r"/api/me/"),
    ("name", r"/api/users/find-name"),
    ("topic", r"/api/threads/(?P<topic>\d+)/"),
    ("raw", r"/api/posts/(?P<post>\d+)/"),
    ("list", r"/api/conversations/"),
    ("letter", r"/api/conversations/(?P<private>\d+)/"),
    ("raw", r"/api/conversation-messages/(?P<message>\d+)/"),
)
_POST = (
    ("publish", r"/api/posts/"),
    ("edit", r"/api/posts/(?P<post>\d+)/"),
    ("private", r"/api/conversations/"),
    ("answer", r"/api/conversation-messages/"),
    ("upload", r"/api/attachments/(?P<new>new-key)?"),
    ("edit", r"/api/conversation-messages/(?P<message>\d+)/"),
)
_DELAY = 10
SUPER = "a key for all accounts"
GUEST = "a key for guests"
_FLOOD = "must_wait_x_seconds_before_performing_this_action"


class XenforoViews(ForumViews):
    """Answers as XenForo does. An account's password is its key; there are two more, `SUPER` and `GUEST`.

    queued: names of accounts whose posts wait for a moderator. revoked: keys that no longer count. scopes: of
    users' keys, None for all. most: longest message. viewer: whom answers name in place of the right one.
    """

    moderates = True
    gets, posts = _GET, _POST
    schema = XENFORO
    most = 10_000

    def __init__(self, *args: object) -> None:
        super().__init__(*args)  # type: ignore[arg-type]
        self.revoked: set[str] = set()
        self.waiting: set[int] = set()
        self.scopes: list[str] | None = None
        self.viewer: int | None = None
        self.files = Files(self.state)

    def identify(self, headers: Mapping[str, str], session: str) -> int | None:
        """See `ForumViews.identify`: by the key; one for all accounts counts as the one that is named."""
        del session
        key = headers.get("xf-api-key", "")
        if key == SUPER:
            return int(headers.get("xf-api-user", "0")) or None
        if key in self.revoked:
            return None
        return next((n for n, one in self.state.accounts.items() if one.password == key), None)

    def answer(self, method: str, call: Call) -> Reply:
        """See `ForumViews.answer`. Each answer says for whom it was made."""
        key = call.headers.get("xf-api-key", "")
        if call.account is None and key not in (SUPER, GUEST):
            reply = self._refuse(401, "api_key_not_found", "API key provided in request was not found.")
        elif call.account is None and call.action not in ("index", "name", "topic"):
            reply = self._forbid()
        else:
            reply = getattr(self, f"_{method.lower()}_{call.action}")(call)
        shown = self.viewer if self.viewer is not None else call.account.id if call.account else 0
        reply.headers["XF-Request-User"] = str(shown)
        return reply

    def broken(self) -> Reply:
        """See `ForumViews.broken`."""
        return Reply(500, "<!doctype html>\n<html><body><h1>Oops!</h1></body></html>\n")

    def flood(self, call: Call) -> Reply:
        """See `ForumViews.flood`: the code says it, whatever the language of its words."""
        del call
        return self._early(_DELAY)

    def login_page(self, call: Call) -> Reply:
        """See `ForumViews.login_page`: of something before the forum."""
        del call
        return Reply(body="<!doctype html>\n<html><body><form><h1>Log in</h1></form></body></html>\n")

    def login_redirect(self) -> Reply:
        """See `ForumViews.login_redirect`."""
        return Reply(302, location="/login/")

    def missing(self) -> Reply:
        """See `ForumViews.missing`."""
        return self._refuse(404, "endpoint_not_found", "The requested endpoint could not be found.")

    def let_through(self) -> str:
        """Accept the post that waits longest, as a moderator does."""
        with self.state.lock:
            number = min(self.waiting)
            self.waiting.remove(number)
            return str(number)

    def _refuse(
        self, status: int, code: str, words: str, params: Mapping[str, object] | None = None
    ) -> Reply:
        return as_json(status, pages.refuse(code, words, params))

    def _forbid(self) -> Reply:
        return self._refuse(403, "do_not_have_permission", "You do not have permission to do that.")

    def _lost(self, what: str) -> Reply:
        return self._refuse(404, f"requested_{what}_not_found", f"The requested {what} could not be found.")

    def _early(self, count: int) -> Reply:
        words = f"You must wait at least {count} seconds before performing this action."
        return self._refuse(400, _FLOOD, words, {"count": count})

    def _is_staff(self, call: Call) -> bool:
        return call.account is not None and call.account.staff

    def _state(self, post: StoredPost) -> str:
        return "deleted" if post.removed else "moderated" if post.id in self.waiting else "visible"

    def _show(self, post: StoredPost, position: int = 0) -> pages.ShownPost:
        return pages.ShownPost(
            id=post.id,
            author_id=post.author_id,
            author=self.state.accounts[post.author_id].name,
            date=post.date,
            text=self._stored(post.text),
            position=position,
            edited=post.edited_at,
            state=self._state(post),
            files=self.files.of(post.id),
        )

    def _stored(self, text: str) -> str:
        """Mentions are written with the account's number, as soon as a text is stored."""
        names = "|".join(re.escape(one.name) for one in self.state.accounts.values())
        ids = {one.name: number for number, one in self.state.accounts.items()}
        return re.sub(rf"@({names})\b", lambda found: f"[USER={ids[found[1]]}]{found[0]}[/USER]", text)

    def _get_index(self, call: Call) -> Reply:
        sent = call.headers["xf-api-key"]
        kind = {SUPER: "super", GUEST: "guest"}.get(sent, "user")
        key: dict[str, Any] = {
            "type": kind,
            "user_id": call.user.id if kind == "user" else None,
            "allow_all_scopes": self.scopes is None,
        }
        if self.scopes is not None:
            key["scopes"] = self.scopes
        return as_json(
            200, {"version_id": 2031070, "site_title": "Foro", "api_url": f"{self.url}/api/", "key": key}
        )

    def _get_account(self, call: Call) -> Reply:
        return as_json(200, {"me": pages.show_person(call.user.id, call.user.name)})

    def _get_name(self, call: Call) -> Reply:
        asked = call.query.get("username", "").lower()
        people = [pages.show_person(n, one.name) for n, one in self.state.accounts.items()]
        exact = next((one for one in people if one["username"].lower() == asked), None)
        near = [one for one in people if one is not exact and one["username"].lower().startswith(asked)]
        return as_json(200, {"exact": exact, "recommendations": near})

    def _get_topic(self, call: Call) -> Reply:
        topic = self.state.topics.get(call.number("topic"))
        if topic is None or topic.members is not None:
            return self._lost("thread")
        stored = [post for post in self.state.shown(topic.id) if not post.notice]
        if call.fault is not None and call.fault.kind == "stale":
            stored = stored[: -call.fault.at]
        asked = int(call.query.get("page", "1"))
        if call.fault is not None and call.fault.kind == "other-page":
            asked = call.fault.at
        visible = 0
        placed: list[pages.ShownPost] = []
        for post in stored:
            if self._may_see_post(post, call):
                placed.append(self._show(post, visible))
            visible += self._state(post) == "visible"
        first = (asked - 1) * self._per_page
        if asked > max(1, -(-visible // self._per_page)):
            return self._refuse(400, "invalid_page", "There is no such page.", {"max": 1})
        page = pages.show_thread(
            topic.id,
            topic.title,
            [one for one in placed if first <= one.position < first + self._per_page],
            page=asked,
            per_page=self._per_page,
            total=visible,
            reply=call.account is not None and (not topic.closed or call.account.staff),
            pinned=placed[0] if placed else None,
        )
        return as_json(200, page)

    def _may_see_post(self, post: StoredPost, call: Call) -> bool:
        own = call.account is not None and post.author_id == call.account.id
        state = self._state(post)
        return state == "visible" or self._is_staff(call) or (state == "moderated" and own)

    def _found(self, call: Call) -> StoredPost | Reply:
        private = call.parts.get("message") is not None
        number = call.number("message" if private else "post")
        post = next((one for one in self.state.stored if one.id == number), None)
        if post is None or (self.state.topics[post.topic].members is not None) != private:
            return self._lost("message" if private else "post")
        if not self._may_see(self.state.topics[post.topic], call) or not self._may_see_post(post, call):
            return self._forbid()
        return post

    def _show_single(self, post: StoredPost, *, success: bool = False) -> Reply:
        private = self.state.topics[post.topic].members is not None
        name, draw = ("message", pages.show_message) if private else ("post", pages.show_post)
        told: dict[str, Any] = {name: draw(self._show(post), post.topic)}
        return as_json(200, {"success": True, **told} if success else told)

    def _get_raw(self, call: Call) -> Reply:
        post = self._found(call)
        return post if isinstance(post, Reply) else self._show_single(post)

    def _conversation(self, topic: StoredTopic) -> dict[str, Any]:
        posts = self.state.shown(topic.id)
        starter = posts[0].author_id if posts else (topic.members or (0,))[0]
        order = [starter, *(one for one in topic.members or () if one != starter)]
        people = {number: self.state.accounts[number].name for number in order}
        first = posts[0].id if posts else 0
        return pages.show_conversation(topic.id, topic.title, people, first, len(posts))

    def _letter(self, number: int, call: Call) -> StoredTopic | Reply:
        topic = self.state.topics.get(number)
        if topic is None or topic.members is None or not self._may_see(topic, call):
            return self._lost("conversation")
        return topic

    def _get_letter(self, call: Call) -> Reply:
        topic = self._letter(call.number("private"), call)
        if isinstance(topic, Reply):
            return topic
        stored, asked = self.state.shown(topic.id), int(call.query.get("page", "1"))
        first = (asked - 1) * self._per_page
        if first >= max(1, len(stored)):
            return self._refuse(400, "invalid_page", "There is no such page.", {"max": 1})
        shown = stored[first : first + self._per_page]
        told = {
            "conversation": self._conversation(topic),
            "messages": [pages.show_message(self._show(post), topic.id) for post in shown],
            "pagination": pages.show_paging(asked, self._per_page, len(shown), len(stored)),
        }
        return as_json(200, told)

    def _get_list(self, call: Call) -> Reply:
        mine = [t for t in self.state.topics.values() if t.members and call.user.id in t.members]
        mine.sort(key=lambda t: max((p.id for p in self.state.shown(t.id)), default=0), reverse=True)
        size, asked = self._topics_per_page, int(call.query.get("page", "1"))
        part = mine[(asked - 1) * size : asked * size]
        told = {
            "conversations": [self._conversation(topic) for topic in part],
            "pagination": pages.show_paging(asked, size, len(part), len(mine)),
        }
        return as_json(200, told)

    def _refusal(self, text: str, call: Call) -> Reply | None:
        if not text.strip():
            return self._refuse(400, "please_enter_valid_message", "Please enter a valid message.")
        if len(text) > self.most:
            words = f"Please enter a message with no more than {self.most} characters."
            code = "please_enter_message_with_no_more_than_x_characters"
            return self._refuse(400, code, words, {"count": self.most})
        if not self._rate_limits or call.user.staff:
            return None
        last = max((one.date for one in self.state.stored if one.author_id == call.user.id), default=None)
        left = 0.0 if last is None else _DELAY - (self.state.now() - last) / timedelta(seconds=1)
        return self._early(max(1, round(left))) if left > 0 else None

    def _post_publish(self, call: Call) -> Reply:
        topic = self.state.topics.get(int(call.data["thread_id"]))
        if topic is None or topic.members is not None:
            return self._lost("thread")
        if topic.closed and not call.user.staff:
            return self._forbid()
        text, key = call.data["message"], call.data.get("attachment_key", "")
        wrong = self._refusal(text, call)
        if wrong is not None:
            return wrong
        if key and not self.files.fits(key, call.user, topic.id):
            return self._refuse(400, "attachment_key_context_wrong", "That key is for something else.")
        post = self.state.add_post(topic.id, call.user, text, self._delay(call))
        if key:
            self.files.attach(key, post.id)
        if call.user.name in self.queued:
            self.waiting.add(post.id)
        return self._show_single(post, success=True)

    def _post_edit(self, call: Call) -> Reply:
        post = self._found(call)
        if isinstance(post, Reply):
            return post
        if not self._may_edit(post, call):
            return self._forbid()
        self.state.edit_post(post, call.user, call.data["message"])
        return self._show_single(post, success=True)

    def _post_private(self, call: Call) -> Reply:
        recipient = self.state.accounts.get(int(call.data["recipient_ids[]"]))
        if recipient is None or recipient.id == call.user.id:
            return self._refuse(400, "you_may_not_start_conversation_with_the_following", "You may not.")
        wrong = self._refusal(call.data["message"], call)
        if wrong is not None:
            return wrong
        topic = self.state.add_topic(call.data["title"], tuple(sorted({call.user.id, recipient.id})))
        self.state.add_post(topic.id, call.user, call.data["message"], self._delay(call))
        return as_json(200, {"success": True, "conversation": self._conversation(topic)})

    def _post_answer(self, call: Call) -> Reply:
        topic = self._letter(int(call.data["conversation_id"]), call)
        if isinstance(topic, Reply):
            return topic
        wrong = self._refusal(call.data["message"], call)
        if wrong is not None:
            return wrong
        post = self.state.add_post(topic.id, call.user, call.data["message"], self._delay(call))
        return self._show_single(post, success=True)

    def _post_upload(self, call: Call) -> Reply:
        """With a new key, or to the files of one."""
        key = self._new_key(call) if call.parts["new"] else self._known_key(call)
        if isinstance(key, Reply):
            return key
        picture = StoredPicture(0, call.user.id, *call.files["attachment"])
        wrong = self.files.refuse(picture)
        if wrong is not None:
            return self._refuse(400, *wrong)
        kept = pages.show_file(self.files.keep(key, call.user, picture))
        return as_json(200, {"key": key, "attachment": kept} if call.parts["new"] else {"attachment": kept})

    def _new_key(self, call: Call) -> str | Reply:
        topic = self.state.topics.get(int(call.data["context[thread_id]"]))
        if call.data["type"] != "post" or topic is None or topic.members is not None:
            return self._lost("thread")
        lacks = self.scopes is not None and "attachment:write" not in self.scopes
        if lacks or (topic.closed and not call.user.staff):
            return self._forbid()
        return self.files.begin(call.user, topic.id)

    def _known_key(self, call: Call) -> str | Reply:
        key = call.data["key"]
        if key not in self.files.keys:
            return self._lost("attachment_key")
        if self.files.keys[key].author != call.user.id:
            return self._refuse(400, "attachment_key_user_wrong", "That key is somebody else's.")
        return key
