"""The stand-in forum's answers in the dialect of SMF 2.1, limits and oddities included (forums.md 3, 5)."""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from datetime import datetime, timedelta

from tests.support import smf_pages as pages
from tests.support.standin_call import Call, ForumViews, Reply
from tests.support.standin_state import StoredAccount, StoredPost, StoredTopic

FLOOD = "The last posting from your IP was less than 5 seconds ago. Please try again later."
_SPAM_WAIT = timedelta(seconds=5)
_UNMARKED = timedelta(seconds=90)
"""How long an edit leaves no mark."""
_GET = (
    ("form", r"/index\.php\?action=(?:login|post;.*|pm;sa=send.*)"),
    ("preferences", r"/index\.php\?action=profile;.*"),
    ("list", r"/index\.php\?action=pm(?:;f=.*)?"),
    ("topic", r"/index\.php\?topic=.*"),
    ("find", r"/index\.php\?msg=.*"),
    ("home", r"/(?:index\.php(?:\?(?:action=login2;sa=check|board=).*)?)?"),
)
_POST = (
    ("login", r"/index\.php\?action=login2"),
    ("private", r"/index\.php\?action=pm;sa=send2"),
    ("edit", r"/index\.php\?action=post2;msg=.*"),
    ("publish", r"/index\.php\?action=post2"),
)


class SmfViews(ForumViews):
    """Answers as SMF does. signatures: HTML by account name. styles: of dates, by account name.

    hourly: how many messages an account may send in an hour, None for any number; 0 refuses the form, too.
    blocked: names of accounts that take no messages. error_status: with which errors come. seqnums: of forms
    that weren't sent yet.
    """

    moderates = signs = True
    gets, posts = _GET, _POST

    def __init__(self, *args: object) -> None:
        super().__init__(*args)  # type: ignore[arg-type]
        self.styles: dict[str, str] = {}
        self.hourly: int | None = None
        self.blocked: set[str] = set()
        self.error_status = 200
        self.seqnums: set[str] = set()
        self._last: dict[tuple[str, int], datetime] = {}

    def route(self, method: str, path: str) -> tuple[str, Mapping[str, str | None]] | None:
        """See `ForumViews.route`: all is one script, and `;` stands between what it is told."""
        known = self.gets if method == "GET" else self.posts
        action = next((action for action, pattern in known if re.fullmatch(pattern, path)), None)
        told = (part.partition("=") for part in re.split("[;&]", path.partition("?")[2]))
        return None if action is None else (action, {name: value for name, _, value in told})

    def answer(self, method: str, call: Call) -> Reply:
        """See `ForumViews.answer`."""
        if method == "POST" and call.data.get(f"f{call.token[:9]}") != call.token:
            return self._stale(call)
        public = call.action in ("login", "find", "topic", "home") or call.parts.get("action") == "login"
        if call.account is None and not public:
            return Reply(body=pages.show_login(self._eye(call)))
        view = getattr(self, f"_{method.lower()}_{call.action}")
        reply: Reply = view(call)
        return reply

    def broken(self) -> Reply:
        """See `ForumViews.broken`."""
        return Reply(500, "<!DOCTYPE html>\n<html><body><h1>Connection Problems</h1></body></html>")

    def flood(self, call: Call) -> Reply:
        """See `ForumViews.flood`."""
        return self._error(call, "post_WaitTime_broken", FLOOD)

    def login_page(self, call: Call) -> Reply:
        """See `ForumViews.login_page`."""
        return Reply(body=pages.show_login(pages.Eye(self.state.now(), token=call.token)))

    def login_redirect(self) -> Reply:
        """See `ForumViews.login_redirect`."""
        return Reply(302, location=f"{self.url}/index.php?action=login")

    def _eye(self, call: Call) -> pages.Eye:
        if call.account is None:
            return pages.Eye(self.state.now(), token=call.token)
        one = call.account
        style = self.styles.get(one.name, "en")
        return pages.Eye(self.state.now(), str(one.id), one.name, one.zone, style, call.token)

    def _error(self, call: Call, name: str, said: str) -> Reply:
        return Reply(self.error_status, pages.show_error(self._eye(call), name, said))

    def _gone(self, call: Call) -> Reply:
        return self._error(
            call, "topic_gone", "The topic or board you are looking for appears to be missing."
        )

    def _locked(self, call: Call) -> Reply:
        return self._error(call, "topic_locked", "This topic is locked.")

    def _stale(self, call: Call) -> Reply:
        if call.action == "publish" and call.account is not None:
            topic = self.state.topics[int(call.data.get("topic", "0"))]
            said = "Your session timed out while posting. Please try to re-submit your message."
            return self._post_form(call, topic, call.data.get("message", ""), said)
        return self._error(call, "session_verify_fail", "Session verification failed. Please try again.")

    def _get_home(self, call: Call) -> Reply:
        return Reply(body=pages.frame("<h3>Foro</h3>", self._eye(call)))

    def _get_preferences(self, call: Call) -> Reply:
        return Reply(body=pages.show_preferences(self._eye(call)))

    def _find_topic(self, call: Call) -> StoredTopic | None:
        number = (call.parts.get("topic") or "").partition(".")[0]
        topic = self.state.topics.get(int(number)) if number.isdecimal() else None
        return topic if topic is not None and topic.members is None else None

    def _visible(self, call: Call, topic: int) -> list[StoredPost]:
        """What waits for a moderator is seen by those, and by its author."""
        viewer = call.account
        return [
            post
            for post in self.state.shown(topic)
            if not post.removed or (viewer is not None and (viewer.staff or viewer.id == post.author_id))
        ]

    def _get_topic(self, call: Call) -> Reply:
        topic = self._find_topic(call)
        if topic is None:
            return self._gone(call)
        shown = self._visible(call, topic.id)
        if call.fault is not None and call.fault.kind == "stale":
            shown = shown[: -call.fault.at]
        start = self._start(call, shown)
        size, count = self._per_page, max(1, -(-len(shown) // self._per_page))
        page = min(count, start // size + 1)
        if call.fault is not None and call.fault.kind == "other-page":
            page = call.fault.at
        first = (page - 1) * size
        part = enumerate(shown[first : first + size], first + 1)
        may_reply = call.account is not None and (not topic.closed or call.account.staff)
        eye = self._eye(call)
        body = pages.show_topic(
            str(topic.id),
            topic.title,
            [self._show(post, number, eye) for number, post in part],
            eye,
            page=page,
            pages=count,
            length=size,
            form=self._reply_form(call, topic) if may_reply else "",
        )
        return Reply(body=body)

    def _start(self, call: Call, shown: list[StoredPost]) -> int:
        """Where the page starts: an offset, or the page of a post, or the newest."""
        start = (call.parts.get("topic") or "").partition(".")[2]
        if start.startswith("msg"):
            return sum(post.id < int(start[3:]) for post in shown)
        return len(shown) - 1 if start == "new" else int(start or 0)

    def _show(self, post: StoredPost, number: int, eye: pages.Eye) -> pages.ShownPost:
        author = self.state.accounts[post.author_id]
        marked = post.edited_at is not None and post.edited_at - post.date > _UNMARKED
        return pages.ShownPost(
            str(post.id),
            number,
            str(author.id),
            author.name,
            post.date,
            pages.render(post.text, eye),
            post.edited_at if marked else None,
            self.signatures.get(author.name, ""),
            post.removed,
        )

    def _get_find(self, call: Call) -> Reply:
        post = next((one for one in self.state.stored if str(one.id) == call.parts["msg"]), None)
        if post is None or self.state.topics[post.topic].members is not None:
            return self._gone(call)
        return Reply(302, location=f"{self.url}/index.php?topic={post.topic}.msg{post.id}#msg{post.id}")

    def _new_seqnum(self) -> str:
        number = secrets.token_hex(4)
        self.seqnums.add(number)
        return number

    def _reply_fields(self, topic: StoredTopic) -> dict[str, str]:
        newest = max(post.id for post in self.state.shown(topic.id))
        return {
            "topic": str(topic.id),
            "subject": f"Re: {topic.title}",
            "icon": "xx",
            "notify": "0",
            "goback": "0",
            "last_msg": str(newest),
            "seqnum": self._new_seqnum(),
        }

    def _reply_form(self, call: Call, topic: StoredTopic) -> str:
        form = pages.show_form(self._eye(call), "/index.php?board=1;action=post2", self._reply_fields(topic))
        return f'<div id="quickreply">{form}</div>'

    def _post_form(
        self, call: Call, topic: StoredTopic, text: str, said: str = "", serious: bool = True
    ) -> Reply:
        eye, fields = self._eye(call), self._reply_fields(topic)
        form = pages.show_form(eye, "/index.php?action=post2;start=0;board=1", fields, text, said, serious)
        return Reply(body=pages.frame(form, eye))

    def _get_form(self, call: Call) -> Reply:
        match call.parts.get("action"):
            case "login":
                return Reply(body=pages.show_login(self._eye(call)))
            case "pm":
                return self._letter_form(call)
            case _:
                return self._get_post_form(call)

    def _get_post_form(self, call: Call) -> Reply:
        """An empty form, one that quotes a post, or one to edit it."""
        topic = self._find_topic(call)
        wanted = call.parts.get("msg") or call.parts.get("quote")
        post = next((one for one in self.state.stored if str(one.id) == wanted), None)
        if topic is None or (wanted and (post is None or post.topic != topic.id)):
            return self._gone(call)
        if topic.closed and not call.user.staff:
            return self._locked(call)
        if post is not None and "msg" in call.parts:
            return self._edit_form(call, topic, post)
        text = ""
        if post is not None:
            name = self.state.accounts[post.author_id].name
            text = pages.quote(post.text, name, f"msg={post.id}", post.date) + "\n"
        return self._post_form(call, topic, text)

    def _edit_form(self, call: Call, topic: StoredTopic, post: StoredPost) -> Reply:
        if not self._may_edit(post, call):
            return self._error(call, "cannot_modify_any", "You are not allowed to modify just any message.")
        eye, fields = self._eye(call), self._reply_fields(topic)
        action = f"/index.php?action=post2;start=0;msg={post.id};f{call.token[:9]}={call.token};board=1"
        return Reply(body=pages.frame(pages.show_form(eye, action, fields, post.text), eye))

    def _waits(self, call: Call, kind: str) -> bool:
        """Whether the account comes too soon after its last post or message."""
        last, now = self._last.get((kind, call.user.id)), self.state.now()
        if self._rate_limits and last is not None and now - last < _SPAM_WAIT:
            return True
        self._last[kind, call.user.id] = now
        return False

    def _was_sent(self, call: Call) -> bool:
        number = call.data.get("seqnum", "")
        known = number in self.seqnums
        self.seqnums.discard(number)
        return not known

    def _twice(self, call: Call) -> Reply:
        return self._error(call, "error_form_already_submitted", "You already submitted this post!")

    def _post_login(self, call: Call) -> Reply:
        name = call.data.get("user", "")
        known = next((one for one in self.state.accounts.values() if one.name == name), None)
        if known is None or known.password != call.data.get("passwrd"):
            return Reply(body=pages.show_login(self._eye(call), "Password incorrect"))
        session = secrets.token_hex(16)
        self.sessions[session] = known.id
        location = f"{self.url}/index.php?action=login2;sa=check;member={known.id}"
        return Reply(
            302, location=location, cookies={"sessionid": session, "csrftoken": secrets.token_hex(16)}
        )

    def _post_publish(self, call: Call) -> Reply:
        topic = self.state.topics.get(int(call.data.get("topic", "0")))
        if topic is None or topic.members is not None:
            return self._gone(call)
        if topic.closed and not call.user.staff:
            return self._locked(call)
        if self._was_sent(call):
            return self._twice(call)
        said = self._complain(call, topic)
        if said is not None:
            return said
        post = self.state.add_post(topic.id, call.user, call.data["message"], self._delay(call))
        post.removed = call.user.name in self.queued
        back = f"topic={topic.id}.new#new" if call.data.get("goback") == "1" else "board=1.0"
        return Reply(302, location=f"{self.url}/index.php?{back}")

    def _complain(self, call: Call, topic: StoredTopic) -> Reply | None:
        """The form again, or an error, where something about the post is wrong."""
        text = call.data.get("message", "")
        newest = max(post.id for post in self.state.shown(topic.id))
        if newest > int(call.data.get("last_msg", "0")):
            said = "Warning - while you were typing a new reply has been posted."
            return self._post_form(call, topic, text, said, serious=False)
        if not text.strip():
            return self._post_form(call, topic, text, "The message body was left empty.")
        return self.flood(call) if self._waits(call, "post") else None

    def _post_edit(self, call: Call) -> Reply:
        post = next((one for one in self.state.stored if str(one.id) == call.parts["msg"]), None)
        if post is None or str(post.topic) != call.data.get("topic"):
            return self._gone(call)
        if not self._may_edit(post, call):
            return self._error(call, "cannot_modify_any", "You are not allowed to modify just any message.")
        if self._was_sent(call):
            return self._twice(call)
        self.state.edit_post(post, call.user, call.data["message"])
        return Reply(302, location=f"{self.url}/index.php?topic={post.topic}.msg{post.id}#msg{post.id}")

    def _letters(self, account: StoredAccount, box: str) -> list[StoredPost]:
        """The account's messages in a box, the newest first: each is a topic of its own here."""
        mine = [
            post
            for post in self.state.stored
            if account.id in (self.state.topics[post.topic].members or ())
            and (post.author_id == account.id) == (box == "sent")
            and post.visible_from <= self.state.now()
        ]
        return sorted(mine, key=lambda post: post.id, reverse=True)

    def _get_list(self, call: Call) -> Reply:
        box, eye = call.parts.get("f") or "inbox", self._eye(call)
        letters = self._letters(call.user, box)
        if "desc" not in call.parts:
            letters.reverse()
        size = self._topics_per_page
        count = max(1, -(-len(letters) // size))
        page = min(count, int(call.parts.get("start") or 0) // size + 1)
        part = letters[(page - 1) * size : page * size]
        shown = [self._show_letter(post, eye) for post in part]
        return Reply(body=pages.show_box(box, shown, eye, page=page, pages=count, length=size))

    def _show_letter(self, post: StoredPost, eye: pages.Eye) -> pages.ShownMessage:
        topic = self.state.topics[post.topic]
        to = [self.state.accounts[one] for one in topic.members or () if one != post.author_id]
        return pages.ShownMessage(
            str(post.id),
            topic.title,
            str(post.author_id),
            self.state.accounts[post.author_id].name,
            tuple((str(one.id), one.name) for one in to),
            post.date,
            pages.render(post.text, eye),
        )

    def _letter_form(self, call: Call, said: str = "", report: str = "") -> Reply:
        """An empty form, one to answer or quote a message, or the one that was sent with what is wrong."""
        if self.hourly == 0:
            return self._crowded(call)
        eye, quoted = self._eye(call), call.parts.get("pmsg")
        fields, text = {"to": call.data.get("to", ""), "subject": call.data.get("subject", "")}, ""
        if quoted:
            mine = [*self._letters(call.user, "inbox"), *self._letters(call.user, "sent")]
            post = next((one for one in mine if str(one.id) == quoted), None)
            if post is None:
                return self._error(call, "no_access", "You are not allowed to access this section.")
            author = self.state.accounts[post.author_id]
            title = self.state.topics[post.topic].title.removeprefix("Re: ")
            fields["subject"] = f"Re: {title}"
            source = f"action=profile;u={author.id}"
            text = pages.quote(post.text, author.name, source, post.date) if "quote" in call.parts else ""
        hidden = {
            "seqnum": self._new_seqnum(),
            "replied_to": quoted or "0",
            "pm_head": "0",
            "f": "",
            "l": "-1",
        }
        form = pages.show_form(eye, "/index.php?action=pm;sa=send2", {**fields, **hidden}, text, said)
        told = f'<div class="windowbg"><span class="error">{report}</span><br></div>' if report else ""
        return Reply(body=pages.frame(f'<div id="personal_messages">{told}{form}</div>', eye))

    def _post_private(self, call: Call) -> Reply:
        if self._was_sent(call):
            return self._twice(call)
        known = self._recipients(call)
        if isinstance(known, str):
            return self._letter_form(call, f"Unable to find member '{known}'.")
        if not known or not call.data.get("subject") or not call.data.get("message", "").strip():
            return self._letter_form(call, "No recipient has been entered, or no subject, or no message.")
        said = self._hold_back(call, known)
        if said is not None:
            return said
        members = tuple(sorted({call.user.id, *(one.id for one in known)}))
        topic = self.state.add_topic(call.data["subject"], members)
        self.state.add_post(topic.id, call.user, call.data["message"], self._delay(call))
        return Reply(302, location=f"{self.url}/index.php?action=pm;f=inbox;done=sent")

    def _hold_back(self, call: Call, known: list[StoredAccount]) -> Reply | None:
        """Why a message in good order isn't sent all the same."""
        if self.hourly is not None:
            return self._crowded(call)
        shut = [one.name for one in known if one.name in self.blocked]
        if shut:
            return self._letter_form(call, report=f"User '{shut[0]}' has blocked your personal message.")
        if self._waits(call, "pm"):
            return self._error(call, "pm_WaitTime_broken", FLOOD)
        return None

    def _crowded(self, call: Call) -> Reply:
        return self._error(call, "pm_too_many_per_hour", "You have sent too many messages within the hour.")

    def _recipients(self, call: Call) -> list[StoredAccount] | str:
        """Whom a message goes to: by number, by names in quotes or behind commas; a name that is nobody's."""
        numbers = [call.data[name] for name in call.data if name.startswith("recipient_to[")]
        told = call.data.get("to", "")
        names = re.findall('"([^"]+)"', told) + re.sub('"[^"]*"', "", told).split(",")
        try:
            by_name = [self.state.by_name(name.strip()) for name in names if name.strip()]
        except KeyError as missing:
            return str(missing.args[0])
        return [self.state.accounts[int(one)] for one in numbers] + by_name
