"""Pictures through a JSON interface: what is sent, and the text that shows them."""

from __future__ import annotations

from typing import Protocol

from processor.forums.api import ApiPublisher, ApiSession, Calls, Request
from processor.forums.http import Answer
from rules.play.posts import Capabilities, Outcome, Refused, Unknown, Uploaded


class PictureCalls(Calls, Protocol):
    """A forum's interface that takes pictures."""

    def upload(self, topic: str, name: str, content: bytes, beside: str) -> Request | Refused:
        """A picture, see `Uploading.upload`; its request is of the kind `upload`."""
        ...

    def judge_upload(self, request: Request, answer: Answer) -> Uploaded | Refused | Unknown:
        """What a success says. Raises PageError for another shape."""
        ...

    def reply_with(self, topic: str, text: str, handles: tuple[str, ...]) -> Request | Refused:
        """See `Calls.reply`, of a text that shows pictures with these handles."""
        ...


class ApiPicturePublisher(ApiPublisher):
    """Publishes pictures, too; implements `processor.forums.online.PictureWriter`."""

    def __init__(
        self,
        session: ApiSession,
        calls: PictureCalls,
        capabilities: Capabilities,
        *,
        spaced_names: bool = False,
    ) -> None:
        """See `ApiPublisher`."""
        super().__init__(session, calls, capabilities, spaced_names=spaced_names)
        self._pictures = calls

    def upload(self, topic: str, name: str, content: bytes, beside: str) -> Uploaded | Refused | Unknown:
        """See `Uploading.upload`."""
        return self._send(
            lambda: self._pictures.upload(topic, name, content, beside), self._pictures.judge_upload
        )

    def post_with(self, topic: str, text: str, handles: tuple[str, ...]) -> Outcome:
        """See `Uploading.post_with`."""
        text = text.strip()
        too_long = self._sender.check_length(text)
        return too_long or self._publish(lambda: self._pictures.reply_with(topic, text, handles))
