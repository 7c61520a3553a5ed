"""How a XenForo forum takes posts and private messages, and what its answers mean."""

from __future__ import annotations

from parsers.pages import xenforo
from parsers.pages.json_body import read_json
from processor.forums.api import ApiSession, Request
from processor.forums.http import Answer, Payload, picture_file
from processor.forums.xenforo_reading import XenforoPages, check_number, find_conversation, find_message
from processor.forums.xenforo_session import XenforoAccount
from processor.ports import NotATopic
from rules.engine.messages import msg
from rules.play.posts import (
    ATTACHMENT,
    Capabilities,
    Outcome,
    Published,
    Queued,
    Refused,
    Unknown,
    Uploaded,
)


class XenforoCalls:
    """Implements `processor.forums.api_pictures.PictureCalls`. Posts and messages keep one distance: whether
    XenForo counts them together isn't published, and being refused costs more than waiting.
    """

    max_title = 100

    def __init__(
        self, session: ApiSession, account: XenforoAccount, pages: XenforoPages, capabilities: Capabilities
    ) -> None:
        self._session, self._account = session, account
        self._pages, self._capabilities = pages, capabilities

    def reply(self, topic: str, text: str) -> Request:
        """See `Calls.reply`."""
        conversation = find_conversation(topic)
        if conversation is None:
            check_number(topic)
            return _form("api/posts/", {"thread_id": topic, "message": text}, "post", topic)
        sent = {"conversation_id": conversation, "message": text}
        return _form("api/conversation-messages/", sent, "post", topic)

    def reply_with(self, topic: str, text: str, handles: tuple[str, ...]) -> Request:
        """See `PictureCalls.reply_with`: all of a turn's pictures have one key."""
        check_number(topic)
        sent = {"thread_id": topic, "message": text}
        if handles:
            sent["attachment_key"] = handles[0]
        return _form("api/posts/", sent, "post", topic)

    def upload(self, topic: str, name: str, content: bytes, beside: str) -> Request | Refused:
        """See `PictureCalls.upload`: the first of a turn gets a key for a post of the thread, to which the
        others go.
        """
        check_number(topic)
        missing = self._missing("attachment:write")
        if missing:
            return Refused(msg("forum/key-rights", detail=missing))
        path = "api/attachments/" if beside else "api/attachments/new-key"
        form = {"key": beside} if beside else {"type": "post", "context[thread_id]": topic}
        payload = Payload(form=form, files={"attachment": picture_file(name, content)})
        return Request("POST", path, payload, "upload", beside)

    def edit(self, post_id: str, text: str) -> Request:
        """See `Calls.edit`: never silently, so that everybody sees that it was. A post keeps its files, of
        which an edit says nothing.
        """
        message = find_message(post_id)
        path = f"api/posts/{post_id}/" if message is None else f"api/conversation-messages/{message}/"
        return _form(path, {"message": text}, "edit", post_id)

    def open_conversation(self, to: str, title: str, text: str) -> Request | Refused:
        """See `Calls.open_conversation`."""
        recipient = self._pages.find_account(to)
        if recipient is None:
            return Refused(msg("sent/no-account", name=to))
        sent = {"recipient_ids[]": str(recipient), "title": title, "message": text}
        return _form("api/conversations/", sent, "post", "")

    def judge(self, request: Request, answer: Answer) -> Outcome:
        """See `Calls.judge`."""
        body, kind = answer.body, answer.content_type
        if request.path == "api/conversations/":
            begun = read_json(body, kind, xenforo.BegunAnswer).conversation
            topic = f"c{begun.conversation_id}"
            return Published(f"{topic}m{begun.first_message_id}", topic)
        if find_conversation(request.about) or find_message(request.about):
            message = read_json(body, kind, xenforo.MessageAnswer).message
            topic = f"c{message.conversation_id}"
            return self._confirm(request, f"{topic}m{message.message_id}", topic, message.user_id)
        post = read_json(body, kind, xenforo.PostAnswer).post
        if post.state == xenforo.MODERATED:
            return Queued()
        return self._confirm(request, str(post.post_id), str(post.thread_id), post.user_id)

    def judge_upload(self, request: Request, answer: Answer) -> Uploaded | Refused:
        """See `PictureCalls.judge_upload`. A key without a file: the forum took none."""
        body, kind = answer.body, answer.content_type
        if request.about:
            kept = read_json(body, kind, xenforo.AttachmentAnswer).attachment
            return Uploaded(f"{ATTACHMENT}:{kept.attachment_id}", request.about)
        made = read_json(body, kind, xenforo.KeyAnswer)
        if made.attachment is None:
            return Refused(msg("sent/no-picture"))
        return Uploaded(f"{ATTACHMENT}:{made.attachment.attachment_id}", made.key)

    def explain(self, request: Request, answer: Answer) -> tuple[str, float | None]:
        """See `Calls.explain`: by codes; the words are in the account's language."""
        faults = read_json(answer.body, answer.content_type, xenforo.Faults)
        said = " ".join(fault.message for fault in faults.errors)
        wait = xenforo.find_wait(faults)
        return said, None if wait is None else wait or self._capabilities.min_interval

    def own_text(self, post_id: str) -> str:
        """See `Calls.own_text`."""
        return self._pages.raw_text(post_id)

    def probe(self, topic: str) -> None:
        """See `Calls.probe`."""
        page, _ = self._pages.fetch(topic, 1)
        if not page.open:
            raise NotATopic("forum/closed", f"thread {topic} is closed to this account")
        self._need("thread:write")

    def probe_private(self) -> None:
        """See `Calls.probe_private`."""
        self._pages.list_conversations(1)
        self._need("conversation:write", "user:read")

    def _need(self, *scopes: str) -> None:
        """Raise NotATopic unless the key has these rights."""
        missing = self._missing(*scopes)
        if missing:
            raise NotATopic("forum/key-rights", missing)

    def _missing(self, *scopes: str) -> str:
        """Which of these rights the key lacks."""
        key = self._account.key
        lacks = () if key is None or key.everything else (one for one in scopes if one not in key.scopes)
        return ", ".join(lacks)

    def _confirm(self, request: Request, made: str, topic: str, author: int) -> Outcome:
        """What the forum made, provided that it is what was asked for."""
        if request.kind == "edit":
            right, outcome = made == request.about, Published(made)
        else:
            right = (topic, str(author)) == (request.about, self._session.account)
            outcome = Published(made, topic)
        return outcome if right else Unknown(msg("sent/other-post", post=made))


def _form(path: str, sent: dict[str, str], kind: str, about: str) -> Request:
    return Request("POST", path, Payload(form=sent), kind, about)
