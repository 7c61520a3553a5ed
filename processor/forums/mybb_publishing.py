"""How a MyBB forum takes posts and private messages.

Whether something was taken is told by where the answer leads, never by its words: to the new post, to an
older one of ours, to which it was appended, or to the topic alone, where a moderator has to let it through.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from urllib.parse import urljoin, urlsplit

from bs4 import Tag

from parsers.pages import mybb
from parsers.pages.forms import Form, parse_form
from parsers.pages.guard import PageError
from parsers.pages.letters import bare_title, is_conversation, name_conversation
from parsers.pages.mybb_forms import find_wait
from parsers.pages.shown import read_lines
from processor.forum_words import explain_error
from processor.forums import mybb_pictures
from processor.forums.http import Answer
from processor.forums.mybb_mailbox import Mailbox, letter_path
from processor.forums.mybb_reading import MybbPages
from processor.forums.mybb_session import MybbSession
from processor.forums.publishing import Publisher, as_browser
from processor.forums.reading import TopicReader
from processor.forums.sending import TRY_LATER, check_envelope, not_stored
from processor.forums.session import as_forum_errors
from processor.ports import ForumError, NotATopic
from rules.engine.messages import msg
from rules.play.posts import (
    Capabilities,
    Merged,
    Outcome,
    Post,
    Published,
    Queued,
    Refused,
    Unknown,
    Uploaded,
)

_MAX_TITLE = 85
_COMPOSE = "private.php?action=send"
_AS_TYPED = {"postoptions[disablesmilies]": "1"}
_KEPT = {"options[disablesmilies]": "1", "options[savecopy]": "1"}
"""What was sent is known by its copy in the folder of what was sent."""


class MybbForms:
    """Implements `processor.forums.publishing.Forms`."""

    text = "message"
    stale = 0  # never: MyBB says it with status 200
    reply: tuple[str, ...] = ("message", "posthash")
    edit: tuple[str, ...] = ("message", "posthash")

    def reply_path(self, topic: str) -> str:
        """See `Forms.reply_path`."""
        return f"newreply.php?tid={topic}&processed=1"

    def edit_path(self, post_id: str) -> str:
        """See `Forms.edit_path`."""
        return f"editpost.php?pid={post_id}"

    def find_post(self, location: str) -> str | None:
        """See `Forms.find_post`."""
        return mybb.find_post(location)

    def judge_page(self, page: Tag) -> Outcome:
        """See `Forms.judge_page`: the form again with complaints, or a page that says why not."""
        if mybb.parse_viewer(page) is None:
            return Unknown(msg("sent/unclear"))
        said = mybb.parse_complaints(page) or tuple(filter(None, (mybb.parse_notice(page),)))
        return Refused(" ".join(said), find_wait(said)) if said else Unknown(msg("sent/unclear"))

    def judge_elsewhere(self, location: str) -> Outcome:
        """See `Forms.judge_elsewhere`: to the topic where a moderator has to let a post through."""
        if mybb.find_topic(location) is not None:
            return Queued()
        return Unknown(msg("sent/elsewhere", address=urlsplit(location).path))


class MybbPublisher(Publisher):
    """Writes private messages, too, which MyBB takes one by one."""

    def __init__(
        self,
        session: MybbSession,
        reader: TopicReader[Tag],
        pages: MybbPages,
        mailbox: Mailbox,
        capabilities: Capabilities,
    ) -> None:
        super().__init__(session, reader, pages, MybbForms(), capabilities)
        self._mailbox = mailbox

    def post(self, topic: str, text: str) -> Outcome:
        """See `Forum.post`. A minute is longer than others should wait: the text is sent when it is over."""
        return self._answer(topic, text) if is_conversation(topic) else self.post_with(topic, text, ())

    def post_with(self, topic: str, text: str, handles: tuple[str, ...]) -> Outcome:
        """See `Uploading.post_with`. What MyBB refuses in its own words, and names no time, it may refuse for
        the pictures: it takes no second post under a name.
        """
        early = self._sender.too_soon("post")
        if early:
            return early
        sent = self.post_form(topic, text, lambda form: mybb_pictures.enclose(form, handles))
        outcome = self._look_again(topic, text, sent)
        if handles and isinstance(outcome, Refused) and isinstance(outcome.reason, str):
            return outcome if outcome.retry_after != TRY_LATER else Refused(outcome.reason)
        return outcome

    def upload(self, topic: str, name: str, content: bytes, beside: str) -> Uploaded | Refused | Unknown:
        """See `Uploading.upload`."""
        return mybb_pictures.hand_over(self._session, self._sender, topic, name, content, beside)

    def edit(self, post_id: str, text: str, without: str | None = None) -> Outcome:
        """See `Writer.edit`."""
        if letter_path(post_id):
            return Refused(msg("sent/fixed-letter"))
        return super().edit(post_id, text, without)

    def own_text(self, post_id: str) -> str:
        """See `Publisher.own_text`."""
        if letter_path(post_id) is None:
            return super().own_text(post_id)
        text = self._mailbox.text_of(post_id)
        if text is None:
            raise NotATopic("page/no-raw", f"the forum gives another text than that of message {post_id}")
        return text

    def reply_form(self, topic: str, tree: Tag) -> Form:
        """See `Publisher.reply_form`: it has a page of its own, whose `posthash` counts once."""
        return self.find_form(f"newreply.php?tid={topic}", *self._forms.reply)

    def find_form(self, path: str, *names: str) -> Form:
        """See `Publisher.find_form`."""
        tree = self._session.fetch(path).tree
        with as_forum_errors():
            mybb.check_notice(tree)
            return parse_form(tree, *names, whole=True)

    def fill(self, form: Form, text: str, **values: str) -> dict[str, str]:
        """See `Publisher.fill`. No smilies: `:my:` in a marker would become one."""
        return super().fill(form, text, **{**_AS_TYPED, **values})

    def send(self, kind: str, path: str, data: dict[str, str], judge: Callable[[str], Outcome]) -> Outcome:
        """See `Publisher.send`. The forum leads on by a page, not by its status."""
        return self._sender.send(
            kind,
            lambda: self._session.send(path, data, path),
            lambda answer: self._judge_page(kind, answer, judge),
        )

    def probe_private(self) -> None:
        """Raise ForumError unless the form for new messages is shown."""
        self.find_form(_COMPOSE, "to", "subject", "message")

    def send_private(self, to: str, title: str, text: str) -> Outcome:
        """See `Forum.send_private`."""
        title = " ".join(title.split())
        bad = self.check_length(text) or check_envelope(to, title, _MAX_TITLE, spaced=True)
        return bad or self._write(to, title, text)

    def _judge_page(self, kind: str, answer: Answer, judge: Callable[[str], Outcome]) -> Outcome:
        judged = self._sender.judge_status(answer) if answer.location is None else None
        if judged is not None:
            return judged
        try:
            tree = None if answer.location else self._session.read(answer)
        except PageError as error:
            return Unknown(explain_error(error))
        leads = None if tree is None else mybb.find_refresh(tree)
        target = answer.location or (urljoin(answer.url, leads[0]) if leads else None)
        if target is not None:
            return judge(target)
        outcome = self._forms.judge_page(tree) if tree else Unknown(msg("sent/unclear"))
        if isinstance(outcome, Refused) and outcome.retry_after is None and kind != "private":
            return Refused(
                outcome.reason, TRY_LATER
            )  # a token of before, perhaps: which of them it is are words
        return outcome

    def judge_older(self, post_id: str, text: str) -> Outcome:
        """See `Publisher.judge_older`: a text that follows one of ours soon is appended to it."""
        if self.own_text(post_id).endswith(text.strip()):
            return Merged(post_id)
        return super().judge_older(post_id, text)

    def _look_again(self, topic: str, text: str, outcome: Outcome) -> Outcome:
        """What a refusal means that names no time. Where the text can be seen it came twice, by somebody
        between us, and only the second is refused; where the form isn't shown any more no waiting helps.
        """
        if not isinstance(outcome, Refused) or outcome.retry_after != TRY_LATER:
            return outcome
        try:
            page, tree = self._reader.last_page(topic)
            if self._shows(page.posts, text):
                return Unknown(outcome.reason)
            if not page.open:
                return Refused(outcome.reason)
            self.reply_form(topic, tree)
        except NotATopic:
            return Refused(outcome.reason)
        except ForumError:
            pass
        return outcome

    def _shows(self, posts: Iterable[Post], text: str) -> bool:
        """Whether one of our posts has the text's last line, in which our marker stands."""
        line = " ".join(text.strip().splitlines()[-1].split())
        ours = (post.html or "" for post in posts if post.author_id == self._session.account)
        return any(line in read_lines(html) for html in ours)

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
        names = {post.author for post in reading.posts if post.author_id == others[0]}
        return self._write("", reading.title, text, others[0], names)

    def _write(
        self, to: str, title: str, text: str, account: str = "", names: Collection[str] = ()
    ) -> Outcome:
        """Send a message. to: login name, or "" and the account by its id, whose name the form tells; names:
        under which that account has written, where it has.
        """
        early = self._sender.too_soon("private")
        if early:
            return early
        path = f"{_COMPOSE}&uid={account}" if account else _COMPOSE
        try:
            form = self.find_form(path, "to", "subject", "message")
            before = {one.id for one in self._mailbox.list_sent()}
        except ForumError as error:
            return not_stored(error)
        to = to or dict(form.fields).get("to", "")
        if names and to not in names:
            return Refused(msg("sent/other-recipient", to=to, names=tuple(sorted(names))))
        values = {"to": to, "subject": title, "bcc": "", **_KEPT}
        data = form.filled(**{self._forms.text: as_browser(text)}, **values)

        def judge(location: str) -> Outcome:
            if not urlsplit(location).path.endswith("/private.php"):
                return Unknown(msg("sent/elsewhere", address=urlsplit(location).path))
            return self._find_new(before, title, text, account)

        return self.send("private", "private.php", data, judge)

    def _find_new(self, before: set[str], title: str, text: str, account: str) -> Outcome:
        """MyBB doesn't say which message it made: the one new copy among what was sent is it."""
        new = [one for one in self._mailbox.list_sent() if one.id not in before]
        ours = [one for one in new if one.title == bare_title(title)]
        if len(ours) != 1:
            return Unknown(msg("sent/several", count=len(ours), title=title))
        post_id = f"m{ours[0].id}"
        topic, author = self._mailbox.topic_of(post_id)
        right = account == "" or topic == name_conversation((account,), bare_title(title))
        if author != self._session.account or not right or self.own_text(post_id) != text.strip():
            return Unknown(msg("sent/other-post", post=post_id))
        return Published(post_id, topic)
