"""What a Misago forum wants to be sent, and what its answers mean.

Before anything is sent the forum is asked whether the account may: what is refused with 403 afterwards is
a limit that passes, whatever language the forum says it in; unless a second look says that it no longer may.
"""

from __future__ import annotations

import re

from parsers.pages import misago
from parsers.pages.json_body import read_json
from processor.forums.api import ApiSession, Request
from processor.forums.http import Answer, Payload, picture_file
from processor.forums.misago_reading import MisagoPages, post_path, posts_path
from processor.forums.misago_session import token_headers, words_of
from processor.forums.sending import TRY_LATER
from processor.ports import ForumError, NotATopic
from rules.engine.messages import msg
from rules.play.posts import Outcome, Published, Queued, Refused, Uploaded

INTERVAL = 4.0
"""Seconds: Misago wants three between two posts by its own clock, private ones too; one more for the way."""
_CLOSED = "forum/closed"
_WAITS = (
    (re.compile(r"\bquickly\b", re.IGNORECASE), INTERVAL),
    (re.compile(r"\bhour", re.IGNORECASE), 900.0),
    (re.compile(r"\bdaily\b", re.IGNORECASE), 3600.0),
)
"""How long to wait by what an English forum says; others are asked again after a minute."""


class MisagoCalls:
    """Implements `processor.forums.api_pictures.PictureCalls`."""

    max_title = 90

    def __init__(self, session: ApiSession, pages: MisagoPages) -> None:
        self._session, self._pages = session, pages

    def reply(self, topic: str, text: str) -> Request | Refused:
        """See `Calls.reply`."""
        return self.reply_with(topic, text, ())

    def reply_with(self, topic: str, text: str, handles: tuple[str, ...]) -> Request | Refused:
        """See `PictureCalls.reply_with`: what no post takes is deleted after a day. Pictures that are gone by
        then are passed over in silence.
        """
        try:
            self.probe(topic)
        except NotATopic as error:
            if error.code == _CLOSED:
                return Refused(msg("sent/closed"))
            raise
        taken = {"attachments": [int(one) for one in handles]} if handles else {}
        return self._request("POST", posts_path(topic), {"post": text, **taken}, "post", topic)

    def edit(self, post_id: str, text: str) -> Request:
        """See `Calls.edit`; the publisher has asked for the text before, which only who may edit is given.
        As long as nothing is said of the post's files it keeps them.
        """
        return self._request("PUT", post_path(post_id), {"post": text}, "edit", post_id)

    def open_conversation(self, to: str, title: str, text: str) -> Request:
        """See `Calls.open_conversation`. Misago's distance is one for public and private posts."""
        self.probe_private()
        told = {"to": [to], "title": title, "post": text}
        return self._request("POST", "api/private-threads/", told, "post", "")

    def upload(self, topic: str, name: str, content: bytes, beside: str) -> Request | Refused:
        """See `PictureCalls.upload`."""
        del topic, beside
        if not self._may_upload():
            return Refused(msg("sent/no-upload"))
        payload = Payload(files={"upload": picture_file(name, content)})
        headers = token_headers(self._session.http)
        return Request("POST", "api/attachments/", payload, "upload", headers=headers)

    def judge_upload(self, _: Request, answer: Answer) -> Uploaded:
        """See `PictureCalls.judge_upload`."""
        kept = read_json(answer.body, answer.content_type, misago.Attachment)
        return Uploaded(kept.url.index, str(kept.id))

    def judge(self, request: Request, answer: Answer) -> Outcome:
        """See `Calls.judge`."""
        if not request.about:
            return self._find_first(read_json(answer.body, answer.content_type, misago.Made).id)
        made = read_json(answer.body, answer.content_type, misago.ShownPost)
        edited = request.kind == "edit"
        topic = request.about.rpartition("-")[0] if edited else request.about
        stored = misago.post_id(topic, made.id)
        if made.is_unapproved:
            return Queued()
        return Published(stored) if edited else Published(stored, topic)

    def explain(self, request: Request, answer: Answer) -> tuple[str, float | None]:
        """See `Calls.explain`."""
        said = words_of(answer)
        if answer.status != 403:
            return said, None
        known = next((wait for words, wait in _WAITS if words.search(said)), None)
        return said, known or (TRY_LATER if self._may_still(request) else None)

    def own_text(self, post_id: str) -> str:
        """See `Calls.own_text`."""
        return self._pages.own_source(post_id)

    def probe(self, topic: str) -> None:
        """See `Calls.probe`: whoever may reply is shown the form for it."""
        try:
            self._session.answer(f"{posts_path(topic)}reply_editor/")
        except NotATopic as error:
            if error.code == "forum/forbidden" and self._pages.is_closed(topic):
                raise NotATopic(_CLOSED, f"topic {topic} is closed") from None
            raise

    def probe_private(self) -> None:
        """See `Calls.probe_private`."""
        rights = self._session.read("api/auth/", misago.Rights)
        if not rights.acl.can_start_private_threads:
            raise NotATopic("forum/forbidden", "the account may not start private threads")

    def _may_upload(self) -> bool:
        """Whether the account may upload files. Raises ForumError."""
        return self._session.read("api/auth/", misago.Rights).acl.max_attachment_size != 0

    def _may_still(self, request: Request) -> bool:
        """Whether the account may do what was refused, so that only a limit can have been in the way."""
        try:
            if request.kind == "upload":
                return self._may_upload()
            if request.kind == "edit":
                self.own_text(request.about)
            elif request.about:
                self.probe(request.about)
            else:
                self.probe_private()
        except NotATopic:
            return False
        except ForumError:
            return True  # nobody knows; another attempt asks again
        return True

    def _request(self, method: str, path: str, told: object, kind: str, about: str) -> Request:
        return Request(method, path, Payload(json=told), kind, about, token_headers(self._session.http))

    def _find_first(self, number: int) -> Outcome:
        """Misago says which private thread it has made, not with which post."""
        topic = misago.topic_id(number, private=True)
        page, _ = self._pages.fetch(topic, 1)
        return Published(page.posts[0].id, topic)
