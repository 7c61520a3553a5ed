"""How a phpBB forum takes posts and private messages."""

from __future__ import annotations

import re
from urllib.parse import quote, urlsplit

from bs4 import Tag

from parsers.pages import phpbb_forms
from parsers.pages.forms import Form, parse_form
from parsers.pages.letters import bare_title, is_conversation, name_conversation
from processor.forum_words import explain_error
from processor.forums.phpbb_mailbox import Mailbox, is_letter
from processor.forums.phpbb_pictures import Attachments
from processor.forums.phpbb_reading import PhpbbPages
from processor.forums.publishing import Publisher
from processor.forums.reading import TopicReader
from processor.forums.sending import TRY_LATER, check_envelope, not_stored
from processor.forums.session import Session, as_forum_errors
from processor.ports import ForumError
from rules.engine.messages import msg
from rules.play.posts import Capabilities, Outcome, Published, Queued, Refused, Unknown, Uploaded

_MAX_TITLE = 120
_COMPOSE = "ucp.php?i=pm&mode=compose"
_ADDRESS = re.compile(r"address_list\[u\]\[([0-9]{1,18})\]")


class PhpbbForms:
    """Implements `processor.forums.publishing.Forms`."""

    text = "message"
    stale = 400  # never: phpBB shows the form again, with status 200
    reply: tuple[str, ...] = ("message", "subject", "form_token")
    edit: tuple[str, ...] = ("message", "subject", "form_token")

    def __init__(self, min_interval: float) -> None:
        """min_interval: seconds that a refused text waits for at least."""
        self._wait = min_interval or TRY_LATER

    def reply_path(self, topic: str) -> str:
        """See `Forms.reply_path`."""
        return f"posting.php?mode=reply&t={topic}"

    def edit_path(self, post_id: str) -> str:
        """See `Forms.edit_path`."""
        return f"posting.php?mode=edit&p={post_id}"

    def find_post(self, location: str) -> str | None:
        """See `Forms.find_post`."""
        return phpbb_forms.find_post(location)

    def judge_page(self, page: Tag) -> Outcome:
        """See `Forms.judge_page`.

        The form again: too soon after the last text, a token of before, somebody has posted meanwhile, or
        something in the text. Which of them it is stands there only in words; all but the last pass.
        """
        notice = phpbb_forms.parse_notice(page)
        if notice is not None:
            return _judge_notice(notice)
        if not phpbb_forms.is_posting_form(page):
            return Unknown(msg("sent/unclear"))
        said = " ".join(phpbb_forms.parse_complaints(page))
        return Refused(said or msg("sent/crossed"), self._wait)

    def judge_elsewhere(self, location: str) -> Outcome:
        """See `Forms.judge_elsewhere`: only reading back can tell."""
        return Unknown(msg("sent/elsewhere", address=urlsplit(location).path))


def _judge_notice(notice: phpbb_forms.Notice) -> Outcome:
    """A message was stored that the notice leads to, a post waits for a moderator where it leads to its topic
    only; what leads nowhere is a refusal that lasts, since the form was shown a moment ago.
    """
    letter = phpbb_forms.find_letter(notice.target or "")
    if letter is not None:
        return Published(f"m{letter}")
    waits = phpbb_forms.leads_to_topic(notice.target or "")
    return Queued(notice.words) if waits else Refused(notice.words)


class PhpbbPublisher(Publisher):
    """Writes private messages, too, which phpBB takes one by one."""

    def __init__(
        self,
        session: Session,
        reader: TopicReader[Tag],
        pages: PhpbbPages,
        mailbox: Mailbox,
        capabilities: Capabilities,
    ) -> None:
        super().__init__(session, reader, pages, PhpbbForms(capabilities.min_interval), capabilities)
        self._mailbox = mailbox
        self._attachments = Attachments(session, self._sender)

    def post(self, topic: str, text: str) -> Outcome:
        """See `Forum.post`."""
        return self._answer(topic, text) if is_conversation(topic) else super().post(topic, text)

    def post_with(self, topic: str, text: str, handles: tuple[str, ...]) -> Outcome:
        """See `Uploading.post_with`."""
        path, files = self._forms.reply_path(topic), frozenset(map(int, handles))
        return self.post_form(topic, text, lambda form: self._attachments.enclose(path, form, text, files))

    def upload(self, topic: str, name: str, content: bytes, beside: str) -> Uploaded | Refused | Unknown:
        """See `Uploading.upload`."""
        return self._attachments.upload(self._forms.reply_path(topic), name, content, beside)

    def edit(self, post_id: str, text: str, without: str | None = None) -> Outcome:
        """See `Writer.edit`."""
        if is_letter(post_id):
            return Refused(msg("sent/fixed-letter"))
        return super().edit(post_id, text, without)

    def own_text(self, post_id: str) -> str:
        """See `Publisher.own_text`."""
        return self._mailbox.text_of(post_id) if is_letter(post_id) else super().own_text(post_id)

    def reply_form(self, topic: str, tree: Tag) -> Form:
        """See `Publisher.reply_form`: it has a page of its own."""
        return self.find_form(self._forms.reply_path(topic), *self._forms.reply)

    def find_form(self, path: str, *names: str) -> Form:
        """See `Publisher.find_form`. What isn't sent counts as emptied: a poll, a topic's kind."""
        tree = self._session.fetch(path).tree
        with as_forum_errors():
            phpbb_forms.check_notice(tree)
            return parse_form(tree, *names, whole=True)

    def fill(self, form: Form, text: str, **values: str) -> dict[str, str]:
        """See `Publisher.fill`. phpBB asks for the button."""
        return super().fill(form, text, post="post", **values)

    def probe_private(self) -> None:
        """Raise ForumError unless the form for new messages is shown."""
        self.find_form(_COMPOSE, "username_list", *self._forms.reply)

    def send_private(self, to: str, title: str, text: str) -> Outcome:
        """See `Forum.send_private`. The forum is asked first whose account that is."""
        title = " ".join(title.split())
        bad = self.check_length(text) or check_envelope(to, title, _MAX_TITLE, spaced=True)
        return bad or self._write(f"{_COMPOSE}&add_to=1&username_list={quote(to)}", title, text)

    def _answer(self, topic: str, text: str) -> Outcome:
        """Write in a conversation that there is."""
        bad = self.check_length(text)
        if bad:
            return bad
        try:
            reading = self._reader.read(topic)
        except ForumError as error:
            return not_stored(error)
        others = [one for one in reading.participants if one != self._session.account]
        if len(others) != 1:
            return Refused(msg("sent/company", count=len(others)))
        return self._write(f"{_COMPOSE}&u={others[0]}", reading.title, text, others[0])

    def _write(self, path: str, title: str, text: str, expected: str | None = None) -> Outcome:
        """Send a message to the one account that the form at `path` is addressed to.

        expected: its id, where that is known before.
        """
        try:
            tree = self._session.fetch(path).tree
            with as_forum_errors():
                phpbb_forms.check_notice(tree)
                form = parse_form(tree, *self._forms.reply, whole=True)
        except ForumError as error:
            return not_stored(error)
        to = _find_recipient(form)
        if to is None or expected not in (None, to):
            said = " ".join(phpbb_forms.parse_complaints(tree))
            return Refused(said or msg("sent/no-recipient"))
        # Posts and messages share one distance.
        sent = self.send("post", _COMPOSE, self.fill(form, text, subject=title), self._forms.judge_elsewhere)
        if not isinstance(sent, Published):
            return sent
        return self._confirm_letter(sent.post_id, name_conversation((to,), bare_title(title)), text)

    def _confirm_letter(self, post_id: str, topic: str, text: str) -> Outcome:
        """What phpBB calls the new message has to be ours, with this text."""
        try:
            ours = self._mailbox.confirm(post_id, text)
        except ForumError as error:
            return Unknown(msg("sent/unseen", why=explain_error(error)))
        return Published(post_id, topic) if ours else Unknown(msg("sent/other-post", post=post_id))


def _find_recipient(form: Form) -> str | None:
    """Id of the one account to which a form is addressed; None where that is nobody, several, or a group."""
    addressed = [name for name, _ in form.fields if name.startswith("address_list[")]
    found = _ADDRESS.fullmatch(addressed[0]) if len(addressed) == 1 else None
    return found.group(1) if found else None
