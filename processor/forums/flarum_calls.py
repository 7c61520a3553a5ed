"""What a Flarum forum wants to be sent, and what its answers mean."""

from __future__ import annotations

from typing import Any

from parsers.pages.flarum import ErrorShape, PostShape
from parsers.pages.guard import PageError
from parsers.pages.json_body import read_json
from processor.forums.api import Request, judge_edit
from processor.forums.flarum_reading import FlarumPages
from processor.forums.http import Answer, Payload
from processor.ports import ForumError, NotATopic
from rules.engine.messages import msg
from rules.play.posts import Outcome, Published, Queued, Refused, Unknown

_HEADERS = {"Content-Type": "application/vnd.api+json"}
_NO_PRIVATE = "Flarum has no private messages"


class FlarumCalls:
    """Implements `processor.forums.api.Calls`."""

    max_title = 80

    def __init__(self, pages: FlarumPages) -> None:
        self._pages = pages

    def reply(self, topic: str, text: str) -> Request:
        """See `Calls.reply`."""
        place = {"discussion": {"data": {"type": "discussions", "id": self._pages.number(topic)}}}
        sent = {"type": "posts", "attributes": {"content": text}, "relationships": place}
        return _request("POST", "api/posts", sent, "post", topic)

    def edit(self, post_id: str, text: str) -> Request:
        """See `Calls.edit`."""
        number = self._pages.number(post_id)
        sent = {"type": "posts", "id": number, "attributes": {"content": text}}
        return _request("PATCH", f"api/posts/{number}", sent, "edit", post_id)

    def open_conversation(self, to: str, title: str, text: str) -> Refused:
        """See `Calls.open_conversation`."""
        del to, title, text
        return Refused(msg("sent/no-private"))

    def judge(self, request: Request, answer: Answer) -> Outcome:
        """See `Calls.judge`."""
        told = read_json(answer.body, answer.content_type, PostShape).data
        if request.kind == "edit":
            return judge_edit(told.id, request.about)
        place, author = told.relationships.discussion.data, told.relationships.user
        ours = author is not None and author.data is not None and author.data.id == self._pages.account
        if not ours or place is None or place.id != request.about:
            return Unknown(msg("sent/other-post", post=told.id))
        if not told.attributes.isApproved:
            return Queued()
        return Published(told.id, place.id)

    def explain(self, _: Request, answer: Answer) -> tuple[str, float | None]:
        """See `Calls.explain`. Flarum names no wait."""
        try:
            errors = read_json(answer.body, answer.content_type, ErrorShape).errors
        except PageError:
            return "", None
        return " ".join(one.detail or one.code or "" for one in errors).strip(), None

    def own_text(self, post_id: str) -> str:
        """See `Calls.own_text`."""
        return self._pages.own_text(post_id)

    def probe(self, topic: str) -> None:
        """See `Calls.probe`."""
        if not self._pages.discussion(topic).data.attributes.canReply:
            raise NotATopic("forum/closed", f"discussion {topic} is closed for this account")

    def probe_private(self) -> None:
        """See `Calls.probe_private`."""
        raise ForumError("forum/no-private", _NO_PRIVATE)


def _request(method: str, path: str, data: dict[str, Any], kind: str, about: str) -> Request:
    return Request(method, path, Payload(json={"data": data}), kind, about, _HEADERS)
