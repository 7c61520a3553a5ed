"""How a Spirit forum takes posts, and what only Spirit has: conversations and topics that one opens."""

from __future__ import annotations

from urllib.parse import urlsplit

from bs4 import Tag

from parsers.pages.spirit_forms import (
    parse_complaints,
    parse_found_post,
    parse_private_topic,
    parse_public_topic,
    parse_upload,
    parse_wait,
)
from processor.forums.http import Answer, Payload, picture_file
from processor.forums.publishing import Publisher
from processor.forums.sending import TRY_LATER, check_envelope, not_stored
from processor.forums.session import as_forum_errors
from processor.ports import ForumError
from rules.engine.messages import msg
from rules.play.posts import Outcome, Published, Refused, Unknown, Uploaded

# Spirit takes no second conversation with the same title for half an hour.
_SAME_TITLE = 1800.0
_MAX_TITLE = 255


class SpiritForms:
    """Implements `processor.forums.publishing.Forms`."""

    text = "comment"
    stale = 403
    reply: tuple[str, ...] = ("comment", "comment_hash")
    edit: tuple[str, ...] = ("comment",)

    def __init__(self, min_interval: float) -> None:
        """min_interval: seconds that a refusal for being too soon asks for at least."""
        self._min_interval = min_interval

    def reply_path(self, topic: str) -> str:
        """See `Forms.reply_path`."""
        return f"comment/{topic}/publish/"

    def edit_path(self, post_id: str) -> str:
        """See `Forms.edit_path`."""
        return f"comment/{post_id}/update/"

    def find_post(self, location: str) -> str | None:
        """See `Forms.find_post`."""
        return parse_found_post(location)

    def judge_page(self, page: Tag) -> Outcome:
        """See `Forms.judge_page`: the form again with complaints."""
        said = parse_complaints(page)
        form_again = page.select_one("form textarea[name=comment]") is not None
        if not (said and form_again):
            return Unknown(msg("sent/unclear"))
        limited = not page.select("ul.errorlist")
        wait = max(parse_wait(said[0]) or 0.0, self._min_interval) if limited else None
        return Refused(" ".join(said), wait)

    def judge_elsewhere(self, location: str) -> Outcome:
        """See `Forms.judge_elsewhere`: only reading back can tell."""
        return Unknown(msg("sent/elsewhere", address=urlsplit(location).path))


class SpiritPublisher(Publisher):
    """Opens conversations and topics, too."""

    def probe_private(self) -> None:
        """Raise ForumError unless the form for new conversations is shown."""
        self.find_form("topic/private/publish/", "title", "users", "comment")

    def send_private(self, to: str, title: str, text: str) -> Outcome:
        """See `Forum.send_private`."""
        title = " ".join(title.split())
        bad = self.check_length(text) or check_envelope(to, title, _MAX_TITLE)
        if bad:
            return bad
        path = "topic/private/publish/"
        try:
            form = self.find_form(path, "title", "users", "comment")
        except ForumError as error:
            return not_stored(error)
        data = self.fill(form, text, title=title, users=to)
        return self.send("private", path, data, lambda location: self._confirm_private(location, title, text))

    def upload(self, topic: str, name: str, content: bytes, beside: str) -> Uploaded | Refused | Unknown:
        """See `Uploading.upload`; what Spirit keeps belongs to an account and to no post."""
        del topic, beside
        http, path = self._session.http, "comment/upload/"
        token = http.cookie("csrftoken") or ""
        headers = {"X-CSRFToken": token, "X-Requested-With": "XMLHttpRequest", "Referer": http.url("")}
        payload = Payload(files={"image": picture_file(name, content)})
        return self._sender.send(
            "upload", lambda: http.send("POST", path, payload, headers), self._judge_upload
        )

    def post_with(self, topic: str, text: str, handles: tuple[str, ...]) -> Outcome:
        """See `Uploading.post_with`: an address is all that a text needs."""
        del handles
        return self.post(topic, text)

    def open_topic(self, category: str, title: str, text: str) -> Outcome:
        """Open a public topic; `Published.topic` is its id."""
        title = " ".join(title.split())
        bad = self.check_length(text) or check_envelope("-", title, _MAX_TITLE)
        if bad:
            return bad
        path = f"topic/publish/{category}/"
        try:
            form = self.find_form(path, "title", "category", "comment")
        except ForumError as error:
            return not_stored(error)
        data = self.fill(form, text, title=title, category=category)
        return self.send("topic", path, data, lambda location: self._first_post(parse_public_topic(location)))

    def _judge_upload(self, answer: Answer) -> Uploaded | Refused | Unknown:
        """A guest is led to the login form, and whose token is too old is forbidden: nothing is kept then."""
        if self._session.is_login(answer.location) or answer.status == self._forms.stale:
            return Refused(msg("sent/session-over"), TRY_LATER)
        judged = self._sender.judge_status(answer)
        if judged is not None:
            return judged
        with as_forum_errors():
            address, said = parse_upload(answer.body, answer.content_type)
        return Uploaded(address) if address else Refused(" ".join(said) or msg("sent/no-picture"))

    def _confirm_private(self, location: str, title: str, text: str) -> Outcome:
        topic = parse_private_topic(location)
        if topic is not None:
            return self._first_post(topic)
        if not urlsplit(location).path.endswith("/topic/private/"):
            return Unknown(msg("sent/elsewhere", address=urlsplit(location).path))
        return self._settle_same_title(title, text)

    def _settle_same_title(self, title: str, text: str) -> Outcome:
        """Spirit's list instead of the conversation: the title was used a moment ago, perhaps by this very
        text.
        """
        for link in self._reader.conversations():
            if link.title == title:
                first = self._reader.read(link.topic).posts[0]
                if first.author_id == self._session.account and self.own_text(first.id) == text.strip():
                    return Published(first.id, link.topic)
        return Refused(msg("sent/same-title", title=title), _SAME_TITLE)

    def _first_post(self, topic: str | None) -> Outcome:
        if topic is None:
            return Unknown(msg("sent/unnamed"))
        first = self._reader.read(topic).posts[0]
        if first.number != 1 or first.author_id != self._session.account:
            return Unknown(msg("sent/other-post", post=first.id))
        return Published(first.id, topic)
