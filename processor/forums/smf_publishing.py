"""How an SMF forum takes posts and private messages."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlsplit

from bs4 import Tag

from parsers.pages import smf_forms, smf_frame
from parsers.pages.forms import Form, parse_form
from parsers.pages.guard import PageError
from parsers.pages.letters import Letter, bare_title, is_conversation, name_conversation
from parsers.pages.smf_frame import Refusal
from processor.forums.http import Answer
from processor.forums.publishing import Publisher
from processor.forums.reading import TopicReader, rank
from processor.forums.sending import TRY_LATER, check_envelope, not_stored
from processor.forums.session import Session, as_forum_errors
from processor.forums.smf_reading import SmfPages
from processor.ports import ForumError
from rules.engine.messages import msg
from rules.play.posts import Capabilities, Outcome, Published, Queued, Refused, Unknown, Visibility

_MAX_TITLE = 80
_SEND = "index.php?action=pm;sa=send"
_SENT = "index.php?action=pm;sa=send2"
# Whoever writes at the same time is faster than this only for a while.
_REREAD = 5.0
_HOURLY = 900.0


class SmfForms:
    """Implements `processor.forums.publishing.Forms`.

    sent: the form that was filled last, with which the one that comes back is compared.
    """

    text = "message"
    stale = 0  # SMF sends the form again
    reply: tuple[str, ...] = ("message", "last_msg", "seqnum")
    edit: tuple[str, ...] = ("message", "subject", "seqnum")

    def __init__(self, pages: SmfPages) -> None:
        self._pages = pages
        self.sent: Mapping[str, str] = {}

    def reply_path(self, topic: str) -> str:
        """See `Forms.reply_path`; the form names the topic."""
        del topic
        return "index.php?action=post2"

    def edit_path(self, post_id: str) -> str:
        """See `Forms.edit_path`. Raises ForumError where the topic isn't known."""
        return f"index.php?action=post;msg={post_id};topic={self._pages.find_topic(post_id)}.0"

    def find_post(self, location: str) -> str | None:
        """See `Forms.find_post`."""
        return smf_frame.find_message(location)

    def judge_page(self, page: Tag) -> Outcome:
        """See `Forms.judge_page`: the form again, with complaints or a warning that others have written."""
        said = " ".join(smf_frame.parse_complaints(page))
        if not said or not smf_forms.is_form(page):
            return Unknown(msg("sent/unclear"))
        returned = dict(parse_form(page, "message").fields)
        if smf_forms.has_new_replies(self.sent, returned):
            return Refused(said, _REREAD)
        if not smf_forms.find_tokens(self.sent) & smf_forms.find_tokens(returned):
            return Refused(said, TRY_LATER)  # another session than the one that got the form
        return Refused(said)

    def judge_elsewhere(self, location: str) -> Outcome:
        """See `Forms.judge_elsewhere`: only reading back can tell."""
        return Unknown(msg("sent/elsewhere", address=urlsplit(location).query))


class SmfPublisher(Publisher):
    """Finds what SMF stores without saying where, and writes private messages."""

    _forms: SmfForms

    def __init__(
        self, session: Session, reader: TopicReader[Tag], pages: SmfPages, capabilities: Capabilities
    ) -> None:
        super().__init__(session, reader, pages, SmfForms(pages), capabilities)
        self._pages, self._interval = pages, capabilities.min_interval

    def post(self, topic: str, text: str) -> Outcome:
        """See `Forum.post`."""
        return self._answer(topic, text) if is_conversation(topic) else super().post(topic, text)

    def edit(self, post_id: str, text: str, without: str | None = None) -> Outcome:
        """See `Writer.edit`; nobody can edit a private message in SMF."""
        if post_id.startswith("m"):
            return Refused(msg("sent/fixed-letter"))
        return super().edit(post_id, text, without)

    def edit_target(self, post_id: str, path: str) -> str:
        """See `Publisher.edit_target`."""
        del path
        return f"index.php?action=post2;msg={post_id}"

    def own_text(self, post_id: str) -> str:
        """See `Publisher.own_text`."""
        return self._pages.letter_text(post_id) if post_id.startswith("m") else super().own_text(post_id)

    def reply_form(self, topic: str, tree: Tag) -> Form:
        """See `Publisher.reply_form`; the one for quick answers, else the one behind the button."""
        if not smf_forms.is_form(tree):
            return self.find_form(f"index.php?action=post;topic={topic}.0", *self._forms.reply)
        with as_forum_errors():
            return parse_form(tree, *self._forms.reply, whole=True)

    def find_form(self, path: str, *names: str) -> Form:
        """See `Publisher.find_form`. SMF's errors come with status 200 and words."""
        tree = self._session.fetch(path).tree
        with as_forum_errors():
            smf_frame.refuse_errors(tree)
            return parse_form(tree, *names, whole=True)

    def fill(self, form: Form, text: str, **values: str) -> dict[str, str]:
        """See `Publisher.fill`; SMF is asked to lead back to the topic, where the post is looked for."""
        self._forms.sent = super().fill(form, text, goback="1", **values)
        return dict(self._forms.sent)

    def probe_private(self) -> None:
        """Raise ForumError unless the form for new messages is shown."""
        self.find_form(_SEND, "to", "subject", "message")

    def send_private(self, to: str, title: str, text: str) -> Outcome:
        """See `Forum.send_private`. SMF doesn't say which message it made: the new one is looked for."""
        title = " ".join(title.split())
        bad = self.check_length(text) or check_envelope(to, title, _MAX_TITLE, spaced=True)
        if bad or '"' in to:
            return bad or Refused(msg("sent/no-name", name=to))
        return self._send(_SEND, {"to": f'"{to}"', "subject": title}, title, text)

    def _answer(self, topic: str, text: str) -> Outcome:
        """Write in a conversation that there is, to whoever takes part in it."""
        bad = self.check_length(text)
        if bad:
            return bad
        try:
            page, _ = self._reader.last_page(topic)
        except ForumError as error:
            return not_stored(error)
        others = [one for one in page.participants if one != self._session.account]
        if len(others) != 1:
            return Refused(msg("sent/company", count=len(others)))
        number = page.posts[-1].id.removeprefix("m")
        path = f"{_SEND};pmsg={number};u={others[0]}"
        values = {"to": "", "recipient_to[]": others[0], "subject": f"Re: {page.title}"}
        return self._send(path, values, page.title, text)

    def _send(self, path: str, values: dict[str, str], title: str, text: str) -> Outcome:
        try:
            before = dict(self._pages.letters.read_box("sent"))
            form = self.find_form(path, "to", "subject", "message")
        except ForumError as error:
            return not_stored(error)
        data = {**self.fill(form, text), **values}
        # Wherever SMF leads then, the message is sent if it lies among those that were.
        return self.send("private", _SENT, data, lambda _: self._find_letter(before, title, text))

    def _find_letter(self, before: Mapping[str, Letter], title: str, text: str) -> Outcome:
        sent, title = self._pages.letters.read_box("sent"), bare_title(title)
        new = [id_ for id_, one in sent.items() if id_ not in before and bare_title(one.subject) == title]
        ours = [id_ for id_ in new if self._pages.letter_text(id_) == text.strip()]
        if len(ours) != 1:
            return Unknown(msg("sent/several", count=len(ours), title=title))
        return Published(ours[0], name_conversation(sent[ours[0]].people - {self._session.account}, title))

    def _judge_answer(self, answer: Answer) -> Outcome:
        """SMF tells its errors on a page of their own, with whatever status."""
        refusal = None
        if answer.status < 500:
            try:
                refusal = smf_frame.find_refusal(self._session.read(answer))
            except PageError:
                refusal = None
        return super()._judge_answer(answer) if refusal is None else self._judge_refusal(refusal)

    def _judge_refusal(self, refusal: Refusal) -> Outcome:
        if refusal.must_wait:
            hourly = refusal.name.endswith("per_hour")
            wait = _HOURLY if hourly else smf_forms.parse_wait(refusal.said)
            return Refused(refusal.said, max(wait or 0.0, self._interval))
        if refusal.is_final:
            return Refused(refusal.said)
        if refusal.name.startswith(("session_", "token_")):
            return Refused(refusal.said, TRY_LATER)
        # A form that was sent twice is one of these: somewhere between us the first may have arrived.
        return Unknown(refusal.said)

    def _confirm(self, topic: str, text: str, location: str, newest: int) -> Outcome:
        """SMF leads to what is new in the topic: there the one post of ours has to be."""
        if smf_frame.find_topic(location) != topic:
            return self._forms.judge_elsewhere(location)
        posts = self._reader.last_page(topic)[0].posts
        if rank(posts[0].id) > newest and posts[0].number != 1:
            posts = self._reader.read(topic).posts
        ours = [one for one in posts if rank(one.id) > newest and one.author_id == self._session.account]
        if len(ours) != 1:
            return Unknown(msg("sent/several", count=len(ours), title=None))
        if ours[0].visibility is Visibility.UNAPPROVED:
            return Queued()
        return Published(ours[0].id, topic)
