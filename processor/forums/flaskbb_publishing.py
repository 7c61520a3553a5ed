"""How a FlaskBB forum takes posts and private messages."""

from __future__ import annotations

from urllib.parse import urlsplit

from bs4 import Tag

from parsers.pages import flaskbb
from parsers.pages.forms import Form, parse_form
from processor.forums.flaskbb_reading import FlaskbbPages
from processor.forums.publishing import Publisher, as_browser
from processor.forums.reading import TopicReader, rank
from processor.forums.sending import check_envelope, not_stored
from processor.forums.session import Session, as_forum_errors
from processor.ports import ForumError, NotATopic
from rules.engine.messages import msg
from rules.play.posts import Capabilities, Outcome, Published, Refused, Unknown

_MAX_TITLE = 255
_NEW = "conversations/new"


class FlaskbbForms:
    """Implements `processor.forums.publishing.Forms`."""

    text = "content"
    stale = 400
    reply: tuple[str, ...] = ("content",)
    # The form for quick replies stands where the one for edits is refused; only this one asks about tracking.
    edit: tuple[str, ...] = ("content", "track_topic")

    def __init__(self, session: Session) -> None:
        self._session = session

    def reply_path(self, topic: str) -> str:
        """See `Forms.reply_path`."""
        return f"topic/{topic}/post/new"

    def edit_path(self, post_id: str) -> str:
        """See `Forms.edit_path`."""
        return f"post/{post_id}/edit"

    def find_post(self, location: str) -> str | None:
        """See `Forms.find_post`."""
        return flaskbb.find_post(location)

    def judge_page(self, page: Tag) -> Outcome:
        """See `Forms.judge_page`: the form again with complaints."""
        said = flaskbb.parse_complaints(page)
        form_again = page.select_one("form textarea[name=content], form textarea[name=message]") is not None
        if said and form_again:
            return Refused(" ".join(said))
        return Unknown(msg("sent/unclear"))

    def judge_elsewhere(self, location: str) -> Outcome:
        """See `Forms.judge_elsewhere`: where FlaskBB refuses it leads back and says why."""
        said = flaskbb.parse_complaints(self._session.fetch(location).tree)
        if said:
            return Refused(" ".join(said))
        return Unknown(msg("sent/elsewhere", address=urlsplit(location).path))


class FlaskbbPublisher(Publisher):
    """Writes in private conversations, too, which FlaskBB's plugin keeps apart from topics."""

    def __init__(
        self, session: Session, reader: TopicReader[Tag], pages: FlaskbbPages, capabilities: Capabilities
    ) -> None:
        super().__init__(session, reader, pages, FlaskbbForms(session), capabilities)
        self._pages = pages

    def post(self, topic: str, text: str) -> Outcome:
        """See `Forum.post`."""
        return self._answer(topic, text) if topic.startswith("c") else super().post(topic, text)

    def own_text(self, post_id: str) -> str:
        """See `Publisher.own_text`: messages have no form for edits."""
        return self._pages.raw_text(post_id)

    def find_form(self, path: str, *names: str) -> Form:
        """See `Publisher.find_form`. Where FlaskBB refuses it leads elsewhere, with status 200 in the end."""
        found = self._session.fetch(path)
        if not found.path.endswith(f"/{path}"):
            said = " ".join(flaskbb.parse_complaints(found.tree))
            detail = said or f"the forum leads from {path} to {found.path}"
            raise NotATopic("forum/forbidden", detail, words=said)
        with as_forum_errors():
            return parse_form(found.tree, *names)

    def probe_private(self) -> None:
        """Raise ForumError unless the form for new conversations is shown."""
        self.find_form(_NEW, "to_user", "subject", "message")

    def send_private(self, to: str, title: str, text: str) -> Outcome:
        """See `Forum.send_private`. FlaskBB doesn't say which conversation it made: the new one is looked
        for.
        """
        title = " ".join(title.split())
        bad = self.check_length(text) or check_envelope(to, title, _MAX_TITLE)
        if bad:
            return bad
        try:
            before = {link.topic for link in self._reader.conversations()}
            form = self.find_form(_NEW, "to_user", "subject", "message")
        except ForumError as error:
            return not_stored(error)
        data = form.filled(to_user=to, subject=title, message=as_browser(text), send_message="y")

        def judge(location: str) -> Outcome:
            if not urlsplit(location).path.endswith("/conversations/sent"):
                return self._forms.judge_elsewhere(location)
            return self._find_new(before, title, text)

        return self.send("private", _NEW, data, judge)

    def _find_new(self, before: set[str], title: str, text: str) -> Outcome:
        for link in self._reader.conversations():
            if link.topic not in before and link.title == title:
                first = self._reader.read(link.topic).posts[0]
                if first.author_id == self._session.account and self.own_text(first.id) == text.strip():
                    return Published(first.id, link.topic)
        return Unknown(msg("sent/several", count=0, title=title))

    def _answer(self, topic: str, text: str) -> Outcome:
        """Write in a conversation that there is."""
        bad = self.check_length(text)
        if bad:
            return bad
        try:
            page, tree = self._reader.last_page(topic)
            if not page.open:
                return Refused(msg("sent/closed-private"))
            with as_forum_errors():
                form = parse_form(tree, "message")
        except ForumError as error:
            return not_stored(error)
        path = f"conversations/{topic.removeprefix('c')}/view"
        newest = max(rank(post.id) for post in page.posts)

        def judge(location: str) -> Outcome:
            if not urlsplit(location).path.endswith(f"/{path}"):
                return self._forms.judge_elsewhere(location)
            return self._find_answer(topic, newest)

        return self.send("private", path, form.filled(message=as_browser(text)), judge)

    def _find_answer(self, topic: str, newest: int) -> Outcome:
        """FlaskBB leads back to the conversation without naming the message: ours must be the one new one."""
        posts = self._reader.read(topic).posts
        ours = [one.id for one in posts if rank(one.id) > newest and one.author_id == self._session.account]
        return (
            Published(ours[0], topic)
            if len(ours) == 1
            else Unknown(msg("sent/several", count=len(ours), title=None))
        )
