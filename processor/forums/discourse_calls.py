"""What a Discourse forum wants to be sent, and what its answers mean."""

from __future__ import annotations

from parsers.pages.discourse import EditedShape, ErrorShape, SentShape, UploadShape
from parsers.pages.guard import PageError
from parsers.pages.json_body import read_json
from processor.forums.api import ApiSession, Request, judge_edit
from processor.forums.discourse_reading import DiscoursePages
from processor.forums.http import Answer, Payload, picture_file
from processor.ports import NotATopic
from rules.engine.messages import msg
from rules.play.posts import Outcome, Published, Queued, Refused, Unknown, Uploaded

_KIND = "composer"
"""Of uploads: what is for a post."""


class DiscourseCalls:
    """Implements `processor.forums.api_pictures.PictureCalls`."""

    max_title = 255

    def __init__(self, session: ApiSession, pages: DiscoursePages) -> None:
        self._session, self._pages = session, pages

    def reply(self, topic: str, text: str) -> Request:
        """See `Calls.reply`; conversations are topics."""
        sent = {"topic_id": self._pages.number(topic), "raw": text}
        return Request("POST", "posts.json", Payload(json=sent), "post", topic)

    def edit(self, post_id: str, text: str) -> Request:
        """See `Calls.edit`."""
        return Request("PUT", f"posts/{post_id}.json", Payload(json={"post": {"raw": text}}), "edit", post_id)

    def open_conversation(self, to: str, title: str, text: str) -> Request:
        """See `Calls.open_conversation`."""
        sent = {"archetype": "private_message", "target_recipients": to, "title": title, "raw": text}
        return Request("POST", "posts.json", Payload(json=sent), "private")

    def reply_with(self, topic: str, text: str, handles: tuple[str, ...]) -> Request:
        """See `PictureCalls.reply_with`: the text says all."""
        del handles
        return self.reply(topic, text)

    def upload(self, topic: str, name: str, content: bytes, beside: str) -> Request | Refused:
        """See `PictureCalls.upload`. A newcomer's post with two pictures would be refused, report and all."""
        del topic, beside
        own = self._pages.own()
        if own.trust_level == 0 and not (own.admin or own.moderator):
            return Refused(msg("sent/newcomer"))
        # Versions before 3.4 ask for `type`, later ones for `upload_type`.
        told = {"type": _KIND, "upload_type": _KIND, "synchronous": "true"}
        payload = Payload(form=told, files={"file": picture_file(name, content)})
        return Request("POST", "uploads.json", payload, "upload")

    def judge_upload(self, _: Request, answer: Answer) -> Uploaded | Unknown:
        """See `PictureCalls.judge_upload`."""
        short = read_json(answer.body, answer.content_type, UploadShape).short_url
        return Uploaded(short) if short.startswith("upload://") else Unknown(msg("sent/unclear"))

    def judge(self, request: Request, answer: Answer) -> Outcome:
        """See `Calls.judge`. A text that waits for a moderator has no id."""
        if request.kind == "edit":
            edited = read_json(answer.body, answer.content_type, EditedShape).post
            return judge_edit(str(edited.id), request.about)
        sent = read_json(answer.body, answer.content_type, SentShape)
        if sent.action == "enqueued":
            return Queued()
        if sent.id is None or sent.topic_id is None:
            return Unknown(msg("sent/unnamed"))
        elsewhere = request.kind == "post" and str(sent.topic_id) != request.about
        if elsewhere or str(sent.user_id) != self._session.account:
            return Unknown(msg("sent/other-post", post=str(sent.id)))
        return Published(str(sent.id), str(sent.topic_id))

    def explain(self, _: Request, answer: Answer) -> tuple[str, float | None]:
        """See `Calls.explain`."""
        try:
            said = read_json(answer.body, answer.content_type, ErrorShape)
        except PageError:
            return "", None
        return " ".join(said.errors) or said.message or "", said.extras.wait_seconds if said.extras else None

    def own_text(self, post_id: str) -> str:
        """See `Calls.own_text`."""
        return self._pages.own_text(post_id)

    def probe(self, topic: str) -> None:
        """See `Calls.probe`."""
        found = self._pages.topic(topic)
        if not found.details.can_create_post:
            raise NotATopic("forum/closed", f"topic {topic} is closed for this account")

    def probe_private(self) -> None:
        """See `Calls.probe_private`."""
        if not self._pages.may_write():
            raise NotATopic("forum/forbidden", "this account may open no private conversations")
