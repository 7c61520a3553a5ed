"""The stand-in forum's answers: which page or redirect a request gets, and what it changes."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from urllib.parse import urlencode

from tests.support import spirit_pages as pages
from tests.support.standin_call import Call, ForumViews, Reply, as_json
from tests.support.standin_state import StoredPicture, StoredPost, StoredTopic

_GET = (
    ("preferences", r"/user/"),
    ("form", r"/user/login/"),
    ("topic", r"/topic/(?P<topic>\d+)/(?:(?P<slug>[\w-]+)/)?"),
    ("list", r"/topic/private/"),
    ("topic", r"/topic/private/(?P<private>\d+)/(?:(?P<slug>[\w-]+)/)?"),
    ("form", r"/topic/private/(?P<new>publish)/"),
    ("form", r"/topic/publish/(?P<category>\d+)/"),
    ("form", r"/comment/(?P<topic>\d+)/publish/(?:(?P<quoted>\d+)/quote/)?"),
    ("form", r"/comment/(?P<post>\d+)/update/"),
    ("find", r"/comment/(?P<post>\d+)/find/"),
)
_POST = (
    ("login", r"/user/login/"),
    ("private", r"/topic/private/publish/"),
    ("open", r"/topic/publish/(?P<category>\d+)/"),
    ("publish", r"/comment/(?P<topic>\d+)/publish/"),
    ("edit", r"/comment/(?P<post>\d+)/update/"),
    ("upload", r"/comment/upload/"),
)
FLOOD = "Too many submissions, wait 10s."


class Views(ForumViews):
    """Answers as Spirit does."""

    gets, posts = _GET, _POST
    pictures: tuple[str, ...] = ("jpg", "gif")
    """Kinds of pictures that this forum takes."""

    def answer(self, method: str, call: Call) -> Reply:
        """Answer a request whose action is known."""
        given = call.data.get("csrfmiddlewaretoken") or call.headers.get("x-csrftoken")
        if method == "POST" and (not call.token or given != call.token):
            return Reply(403, pages.frame("<h1>Forbidden</h1><p>CSRF verification failed.</p>", None))
        public = call.action in ("login", "find") or call.path == "/user/login/"
        public = public or (call.action == "topic" and call.parts.get("private") is None)
        if call.account is None and not public:
            return Reply(302, location="/user/login/?" + urlencode({"next": call.path}))
        view = getattr(self, f"_{method.lower()}_{call.action}")
        reply: Reply = view(call)
        return reply

    def broken(self) -> Reply:
        """See `ForumViews.broken`."""
        return Reply(500, pages.frame("<h1>Server Error (500)</h1>", None))

    def flood(self, call: Call) -> Reply:
        """See `ForumViews.flood`."""
        return self._form(call, call.data.get("comment", ""), (), (FLOOD,))

    def login_page(self, call: Call) -> Reply:
        """See `ForumViews.login_page`."""
        return Reply(body=pages.show_login(call.token))

    def login_redirect(self) -> Reply:
        """See `ForumViews.login_redirect`."""
        return Reply(302, location="/user/login/?next=/")

    def _get_preferences(self, call: Call) -> Reply:
        return Reply(body=pages.show_preferences(call.user.viewer(), call.token))

    def _get_topic(self, call: Call) -> Reply:
        private = call.parts.get("private")
        topic = self.state.topics.get(int(private or call.parts["topic"] or 0))
        if (
            topic is None
            or (topic.members is not None) != (private is not None)
            or not self._may_see(topic, call)
        ):
            return self.missing()
        if call.parts["slug"] != f"{topic.id}-x":
            return Reply(301, location=self._topic_path(topic))
        return self._topic_page(topic, call)

    def _topic_page(self, topic: StoredTopic, call: Call) -> Reply:
        shown = self.state.shown(topic.id)
        asked = call.query.get("page", "1")
        if call.fault is not None and call.fault.kind == "stale":
            shown = shown[: -call.fault.at]
        if call.fault is not None and call.fault.kind == "other-page":
            asked = str(call.fault.at)
        count = max(1, -(-len(shown) // self._per_page))
        if not asked.isdecimal() or not 1 <= int(asked) <= count:
            return self.missing()
        first = (int(asked) - 1) * self._per_page
        part = shown[first : first + self._per_page]
        page = pages.show_topic(
            str(topic.id),
            topic.title,
            [self._show(post, number) for number, post in enumerate(part, first + 1)],
            call.account.viewer() if call.account else None,
            page=int(asked),
            pages=count,
            participants=self._members(topic),
            closed=topic.closed,
            token=call.token,
        )
        return Reply(body=page)

    def _show(self, post: StoredPost, number: int) -> pages.ShownPost:
        author = self.state.accounts[post.author_id]
        html = pages.render_markdown(post.text)
        kind = "removed" if post.removed else post.notice or "comment"
        return pages.ShownPost(
            str(post.id), number, str(author.id), author.name, post.date, html, post.edits, kind
        )

    def _members(self, topic: StoredTopic) -> Sequence[pages.Viewer] | None:
        if topic.members is None:
            return None
        return [self.state.accounts[member].viewer() for member in topic.members]

    def _topic_path(self, topic: StoredTopic) -> str:
        return f"/topic/{'private/' if topic.members is not None else ''}{topic.id}/{topic.id}-x/"

    def _get_list(self, call: Call) -> Reply:
        mine = [t for t in self.state.topics.values() if t.members and call.user.id in t.members]
        mine.sort(key=lambda t: max((p.id for p in self.state.shown(t.id)), default=0), reverse=True)
        size, asked = self._topics_per_page, int(call.query.get("page", "1"))
        part = mine[(asked - 1) * size : asked * size]
        if not part and asked > 1:
            return self.missing()
        count = max(1, -(-len(mine) // size))
        entries = [(str(topic.id), topic.title) for topic in part]
        return Reply(body=pages.show_list(entries, call.user.viewer(), asked, count))

    def _get_find(self, call: Call) -> Reply:
        post = self._post(call)
        if post is None:
            return self.missing()
        topic = self.state.topics[post.topic]
        number = sum(p.date <= post.date for p in self.state.shown(topic.id)) or 1
        page = -(-number // self._per_page)
        return Reply(
            302, location=self._topic_path(topic) + (f"?page={page}" if page > 1 else "") + f"#c{number}"
        )

    def _get_form(self, call: Call) -> Reply:
        if call.path == "/user/login/":
            return Reply(body=pages.show_login(call.token))
        if call.parts.get("new") or call.parts.get("category"):
            return self._form(call)
        if "quoted" in call.parts:
            return self._reply_form(call)
        post = self._post(call)
        if post is None or post.removed or post.notice or not self._may_edit(post, call):
            return self.missing()
        return self._form(call, text=post.text)

    def _reply_form(self, call: Call) -> Reply:
        topic = self.state.topics.get(call.number("topic"))
        if topic is None or topic.closed or not self._may_see(topic, call):
            return self.missing()
        if not call.parts["quoted"]:
            return self._form(call)
        quoted = next((p for p in self.state.stored if p.id == call.number("quoted") and not p.removed), None)
        if quoted is None:
            return self.missing()
        said = f"@{self.state.accounts[quoted.author_id].name} said:"
        lines = "\n".join(f"> {line}" for line in (said, *quoted.text.splitlines()))
        return self._form(call, text=f"{lines}\n\n")

    def _form(
        self, call: Call, text: str = "", errors: Sequence[str] = (), messages: Sequence[str] = ()
    ) -> Reply:
        kinds = {"new": ("topic_hash", "title", "users"), "category": ("topic_hash", "title", "category")}
        is_new = call.path.startswith("/topic/private/")
        kind = "new" if is_new else "category" if call.path.startswith("/topic/publish/") else ""
        hidden, *fields = kinds.get(kind, ("",))
        hiddens = [name for name in (hidden, "comment_hash") if name]
        form = pages.show_form(".", call.token, hiddens, [*fields, "comment"], text, errors)
        return Reply(body=pages.frame(form, call.user.viewer(), call.path, messages))

    def _post_login(self, call: Call) -> Reply:
        name = call.data.get("username", "")
        if self._rate_limits and self.state.limited("login", name.lower(), 300, 5):
            return Reply(302, location="/user/login/")
        try:
            account = self.state.by_name(name)
        except KeyError:
            return Reply(body=pages.show_login(call.token, [f"No account matches {name}."]))
        if account.password != call.data.get("password"):
            return Reply(body=pages.show_login(call.token, ["Please enter a correct username and password."]))
        session = secrets.token_hex(16)
        self.sessions[session] = account.id
        return Reply(
            302, location="/user/", cookies={"sessionid": session, "csrftoken": secrets.token_hex(16)}
        )

    def _refusal(self, call: Call, kind: str) -> Reply | None:
        """Spirit's form again: too soon, which edits never are, empty or too long."""
        text = call.data.get("comment", "")
        if self._rate_limits and self.state.limited(kind, call.user.name, 10, 1):
            return self._form(call, text, (), (FLOOD,))
        return self._refuse_text(call, text)

    def _refuse_text(self, call: Call, text: str) -> Reply | None:
        if not text.strip():
            return self._form(call, text, ("This field is required.",))
        most = self.state.max_chars
        if len(text.strip()) > most:
            fault = f"Ensure this value has at most {most} characters (it has {len(text.strip())})."
            return self._form(call, text, (fault,))
        return None

    def _post_publish(self, call: Call) -> Reply:
        topic = self.state.topics.get(call.number("topic"))
        if topic is None or topic.closed or not self._may_see(topic, call):
            return self.missing()
        refused = self._refusal(call, "publish")
        if refused:
            return refused
        if self.state.repeats(call.user, f"{topic.id} {call.data['comment'].strip()}"):
            last = max(post.id for post in self.state.stored if post.topic == topic.id)
            return Reply(302, location=f"/comment/{last}/find/")
        post = self.state.add_post(topic.id, call.user, call.data["comment"], self._delay(call))
        return Reply(302, location=f"/comment/{post.id}/find/")

    def _post_edit(self, call: Call) -> Reply:
        post = self._post(call)
        if post is None or post.removed or not self._may_edit(post, call):
            return self.missing()
        refused = self._refuse_text(call, call.data.get("comment", ""))
        if refused:
            return refused
        self.state.edit_post(post, call.user, call.data["comment"])
        return Reply(302, location=f"/comment/{post.id}/find/")

    def _post_private(self, call: Call) -> Reply:
        names = [name.strip() for name in call.data.get("users", "").split(",") if name.strip()]
        try:
            members = sorted({call.user.id, *(self.state.by_name(name).id for name in names)})
        except KeyError as error:
            fault = f"Select a valid choice. {error.args[0]} is not one of the available choices."
            return self._form(call, call.data.get("comment", ""), (fault,))
        refused = self._refusal(call, "private")
        if refused:
            return refused
        title = " ".join(call.data["title"].split())
        if self.state.repeats(call.user, f"private {title}"):
            return Reply(302, location="/topic/private/")
        return self._store_topic(call, title, tuple(members))

    def _post_open(self, call: Call) -> Reply:
        refused = self._refusal(call, "open")
        if refused:
            return refused
        title = " ".join(call.data["title"].split())
        if self.state.repeats(call.user, f"topic {title}"):
            return Reply(302, location=f"/category/{call.parts['category']}/x/")
        return self._store_topic(call, title, None)

    def _store_topic(self, call: Call, title: str, members: tuple[int, ...] | None) -> Reply:
        topic = self.state.add_topic(title, members)
        self.state.add_post(topic.id, call.user, call.data["comment"], self._delay(call))
        return Reply(302, location=self._topic_path(topic))

    def _post_upload(self, call: Call) -> Reply:
        """Ajax alone: others are told that there is no such page."""
        if call.headers.get("x-requested-with") != "XMLHttpRequest":
            return self.missing()
        name, content = call.files.get("image", ("", b""))
        picture = StoredPicture(0, 0, name, content)
        said = f"Unsupported file format. Supported formats are {', '.join(self.pictures)}."
        if not content:
            said = "This field is required."
        elif not picture.kind:
            said = "Upload a valid image. The file you uploaded was either not an image or a corrupted image."
        elif {picture.ending, picture.kind} <= set(self.pictures):
            kept = self.state.add_picture(call.user, name, content)
            return as_json(200, {"url": f"/media/images/{call.user.id}/{kept.id}.{kept.ending}"})
        return as_json(200, {"error": {"image": [said]}})
