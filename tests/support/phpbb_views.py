"""The stand-in forum's answers in the dialect of phpBB 3.3, limits and oddities included (forums.md 3, 5)."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Mapping, Sequence
from urllib.parse import parse_qsl, urlsplit

from tests.support import phpbb_pages as pages
from tests.support.phpbb_picture_views import TAG, PhpbbPictureViews
from tests.support.standin_call import Call, Reply
from tests.support.standin_state import StoredPicture, StoredPost, StoredTopic

_GET = (
    ("find", r"viewtopic\.php\?(?:.*&)?p=.*"),
    ("topic", r"viewtopic\.php\?.*"),
    ("raw", r"posting\.php\?mode=quote&.*|ucp\.php\?.*&action=quote&.*"),
    ("form", r"posting\.php\?mode=(?:reply|edit)&.*|ucp\.php\?(?:.*&)?mode=(?:login|compose)(?:&.*)?"),
    ("letter", r"ucp\.php\?i=pm&mode=view&.*"),
    ("list", r"ucp\.php\?i=pm&folder=.*"),
    ("preferences", r"ucp\.php"),
    ("index", r"(?:index\.php)?(?:\?.*)?"),
)
_POST = (
    ("publish", r"posting\.php\?mode=reply&.*"),
    ("edit", r"posting\.php\?mode=edit&.*"),
    ("login", r"ucp\.php\?mode=login"),
    ("private", r"ucp\.php\?i=pm&mode=compose(?:&.*)?"),
)
_TRIES = 3


class PhpbbViews(PhpbbPictureViews):
    """Topics, posts and logging in."""

    gets, posts = _GET, _POST

    def route(self, method: str, path: str) -> tuple[str, Mapping[str, str | None]] | None:
        """See `ForumViews.route`: what is wanted stands in the query."""
        parts = urlsplit(path)
        asked = f"{parts.path.rpartition('/')[2]}?{parts.query}".removesuffix("?")
        for action, pattern in self.gets if method == "GET" else self.posts:
            if re.fullmatch(pattern, asked):
                return action, dict(parse_qsl(parts.query))
        return None

    def answer(self, method: str, call: Call) -> Reply:
        """See `ForumViews.answer`. Guests are shown the login form in place of what members see."""
        public = call.action in ("topic", "find", "login", "index") or call.query.get("mode") == "login"
        if call.account is None and not public:
            return self.login_page(call)
        if self.disabled and call.account is not None and call.action != "login":
            return self._notice(call, "disabled")
        view: Callable[[Call], Reply] = getattr(self, f"_{method.lower()}_{call.action}")
        return view(call)

    def flood(self, call: Call) -> Reply:
        """See `ForumViews.flood`: the form again."""
        return self._form_again(call, "flood")

    def note_edit(self, post: StoredPost, staff: bool) -> None:
        """PhpBB marks no edit of a topic's newest post, nor a moderator's."""
        newest = self.state.shown(post.topic)[-1]
        if not staff and newest is not post:
            self._marks[post.id] = self._marks.get(post.id, 0) + 1

    def _get_index(self, call: Call) -> Reply:
        return Reply(body=pages.frame("<p>Índice</p>", self._viewer(call)))

    def _get_preferences(self, call: Call) -> Reply:
        return Reply(body=pages.frame("<h2>Panel de control</h2>", self._viewer(call)))

    def _visible(self, call: Call, topic: int) -> list[StoredPost]:
        staff = call.account is not None and call.account.staff
        mine = call.account.id if call.account else 0
        return [
            post
            for post in self.state.shown(topic)
            if staff or not (post.removed or (post.id in self.waiting and post.author_id != mine))
        ]

    def _count(self, call: Call, topic: int) -> int:
        staff = call.account is not None and call.account.staff
        return sum(staff or post.id not in self.waiting for post in self._visible(call, topic))

    def _get_topic(self, call: Call) -> Reply:
        topic = self._public(call)
        if topic is None:
            return self._notice(call, "no-topic", 404)
        if topic.id in self.forbidden:
            return self._notice(call, "forbidden", 403)
        return self._topic_page(call, topic, int(call.query.get("start", "0")))

    def _get_find(self, call: Call) -> Reply:
        post = self._find(call)
        if post is None:
            return self._notice(call, "no-topic", 404)
        before = [one for one in self._visible(call, post.topic) if one.id < post.id]
        start = len(before) // self._per_page * self._per_page
        return self._topic_page(call, self.state.topics[post.topic], start)

    def _topic_page(self, call: Call, topic: StoredTopic, start: int) -> Reply:
        shown, count, fault = self._visible(call, topic.id), self._count(call, topic.id), call.fault
        if call.account and call.account.id in self.newest_first and call.query.get("sd") != "a":
            shown = shown[::-1]
        if fault is not None and fault.kind == "stale":
            shown, count = shown[: -fault.at], count - fault.at
        if fault is not None and fault.kind == "other-page":
            start = (fault.at - 1) * self._per_page
        if start >= len(shown):
            start = (len(shown) - 1) // self._per_page * self._per_page
        page = pages.show_topic(
            str(topic.id),
            topic.title,
            [self._show(post) for post in self._part(shown, start, count)],
            self._viewer(call),
            start=start,
            length=self._per_page,
            count=count,
            closed=topic.closed,
        )
        return Reply(body=page)

    def _part(self, shown: list[StoredPost], start: int, count: int) -> list[StoredPost]:
        """A page's posts; in a topic's second half phpBB may count from its end."""
        if start <= count / 2 or not self.counts_from_end:
            return shown[start : start + self._per_page]
        length = min(self._per_page, max(1, count - start))
        end = len(shown) - max(0, count - length - start)
        return shown[max(0, end - length) : end]

    def _show(self, post: StoredPost) -> pages.ShownPost:
        account = self.state.accounts[post.author_id]
        html, attached = self._show_files(post, pages.render(post.text))
        state = "unapproved" if post.id in self.waiting else "deleted" if post.removed else "visible"
        return pages.ShownPost(
            str(post.id),
            None if account.id in self.gone else str(account.id),
            account.name,
            post.date.replace(microsecond=0),
            html,
            edits=self._marks.get(post.id, 0),
            attached=attached,
            state=state,
            signature=self.signatures.get(account.name, ""),
        )

    def _public(self, call: Call) -> StoredTopic | None:
        number = call.query.get("t", "")
        topic = self.state.topics.get(int(number)) if number.isdecimal() else None
        return topic if topic is not None and topic.members is None else None

    def _find(self, call: Call) -> StoredPost | None:
        number = call.query.get("p", "")
        found = next((post for post in self.state.stored if str(post.id) == number), None)
        return found if found and self.state.topics[found.topic].members is None else None

    def _get_form(self, call: Call) -> Reply:
        match call.query.get("mode"):
            case "login":
                return self.login_page(call)
            case "compose":
                return self._letter_form(call)
            case "reply":
                return self._reply_form(call)
        post = self._find(call)
        wrong = "no-post" if post is None else self._edit_fault(call, post)
        if post is None or wrong:
            return self._notice(call, wrong or "no-post")
        return self._posting(
            call, f"Re: {self.state.topics[post.topic].title}", post.text, files=self._files_of(post)
        )

    def _reply_form(self, call: Call) -> Reply:
        topic = self._public(call)
        if topic is None:
            return self._notice(call, "no-topic", 404)
        if topic.closed and not call.user.staff:
            return self._notice(call, "locked")
        return self._posting(call, f"Re: {topic.title}", "")

    def _edit_fault(self, call: Call, post: StoredPost) -> str | None:
        if not self._may_edit(post, call):
            return "not-yours"
        return "locked" if self.state.topics[post.topic].closed and not call.user.staff else None

    def _posting(
        self, call: Call, subject: str, text: str, error: str = "", files: Sequence[StoredPicture] = ()
    ) -> Reply:
        fields = self._tokens(call, "posting") | {"lastclick": self._now()}
        topic = self._public(call)
        if topic is not None:
            fields["topic_cur_post_id"] = self.state.shown(topic.id)[-1].id
        said = self._say(error) if error else ""
        page = pages.show_posting(
            self._member(call), fields, subject=subject, text=text, error=said, attached=self._panel(files)
        )
        return Reply(body=page)

    def _form_again(self, call: Call, error: str = "") -> Reply:
        if call.query.get("mode") == "compose":
            return self._letter_form(call, error)
        return self._form_with(call, call.data.get("message", ""), self._given_files(call) or (), error)

    def _form_with(self, call: Call, text: str, files: Sequence[StoredPicture], error: str = "") -> Reply:
        return self._posting(call, call.data.get("subject", ""), text, error, files)

    def _get_raw(self, call: Call) -> Reply:
        """The form in which one quotes a post or a private message."""
        if call.query.get("i") == "pm":
            return self._quote_letter(call)
        post = self._find(call)
        if post is None or post not in self._visible(call, post.topic):
            return self._notice(call, "no-post")
        if self.state.topics[post.topic].closed and not call.user.staff:
            return self._notice(call, "locked")
        name, made = self.state.accounts[post.author_id].name, int(post.date.timestamp())
        text = TAG.sub(r"\2", post.text)
        quoted = pages.generate_quote(text, name, post_id=post.id, time=made, user_id=post.author_id)
        return self._posting(call, "Re: x", f"{quoted}\n\n")

    def _post_login(self, call: Call) -> Reply:
        name = call.data.get("username", "")
        known = next((one for one in self.state.accounts.values() if one.name == name), None)
        if "login" not in call.data or self._refuses_form(call, "login"):
            return self._login_form(call, self._say("invalid"))
        crowded = self._tries.get(name, 0) >= _TRIES
        if crowded or known is None or known.password != call.data.get("password"):
            self._tries[name] = self._tries.get(name, 0) + 1
            said = self._say("tries" if crowded else "password")
            return self._login_form(call, said, crowded)
        session = secrets.token_hex(16)
        self.sessions[session] = known.id
        back = call.data.get("redirect", "index.php").removeprefix("./")
        return Reply(
            302,
            location=f"/{back}{'&' if '?' in back else '?'}sid={session}",
            cookies={"sessionid": session, "csrftoken": secrets.token_hex(16)},
        )

    def _post_publish(self, call: Call) -> Reply:
        topic = self._public(call)
        if topic is None:
            return self._notice(call, "no-topic", 404)
        if topic.closed and not call.user.staff:
            return self._notice(call, "locked")
        if self._is_hasty(call):
            return Reply(302, location=f"/viewtopic.php?t={topic.id}")
        wrong = self._text_fault(call, "posting")
        overtaken = call.data.get("topic_cur_post_id") != str(self.state.shown(topic.id)[-1].id)
        if wrong or overtaken:
            return self._form_again(call, wrong or "")
        if self._given_files(call) is None:
            return self.broken()
        post = self.state.add_post(topic.id, call.user, call.data["message"], self._delay(call))
        self._keep_files(call, post)
        self._last[call.user.id] = self._now()
        return self._stored(call, post)

    def _stored(self, call: Call, post: StoredPost) -> Reply:
        if call.user.name in self.queued:
            self.waiting.add(post.id)
            return self._notice(call, "queued", refresh=f"10;url=./viewtopic.php?t={post.topic}")
        return Reply(302, location=f"/viewtopic.php?t={post.topic}&p={post.id}#p{post.id}")

    def _post_edit(self, call: Call) -> Reply:
        post = self._find(call)
        if post is None:
            return self._notice(call, "no-post")
        wrong = self._edit_fault(call, post)
        if wrong:
            return self._notice(call, wrong)
        if self._is_hasty(call):
            return Reply(302, location=f"/viewtopic.php?p={post.id}")
        bad = self._text_fault(call, "posting", new=False)
        if bad:
            return self._form_again(call, bad)
        if self._given_files(call) is None:
            return self.broken()
        self._keep_files(call, post)
        self.state.edit_post(post, call.user, call.data["message"])
        self.note_edit(post, call.user.staff)
        return self._stored(call, post)
