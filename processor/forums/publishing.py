"""Posts and edits through a forum's own forms, and says honestly what became of each (see `sending`)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Protocol

from bs4 import Tag

from parsers.pages.forms import Form, parse_form
from parsers.pages.guard import PageError
from parsers.pages.topics import TopicPage
from processor.forum_words import explain_error
from processor.forums.http import Answer
from processor.forums.reading import TopicReader, rank
from processor.forums.sending import TRY_LATER, Sender, change_post, not_stored
from processor.forums.session import Session, as_forum_errors
from processor.ports import ForumError, NotATopic
from rules.engine.messages import msg
from rules.play.posts import Capabilities, Outcome, Published, Refused, Unknown


class Forms(Protocol):
    """How a forum's software takes posts.

    text: name of the field that holds a post's text. stale: status with which the forum refuses a form whose
    token is too old. reply, edit: names by which the form for replies and the
    one for edits are known, `text` among them.
    """

    text: str
    stale: int
    reply: tuple[str, ...]
    edit: tuple[str, ...]

    def reply_path(self, topic: str) -> str:
        """Where a reply is sent to."""
        ...

    def edit_path(self, post_id: str) -> str:
        """Where a post's text is edited: the form's page, and where it is sent to unless `edit_target` says
        otherwise. Raises ForumError.
        """
        ...

    def find_post(self, location: str) -> str | None:
        """The id of the post to which a redirect points, None where it points elsewhere."""
        ...

    def judge_page(self, page: Tag) -> Outcome:
        """What a page with status 200 means that comes back in place of a redirect."""
        ...

    def judge_elsewhere(self, location: str) -> Outcome:
        """What a redirect means that leads to no post. Raises ForumError."""
        ...


class PointedPages(Protocol):
    """Where the pages stand to which a forum points after posting."""

    def find(self, location: str) -> TopicPage:
        """The topic's page at that address. Raises ForumError."""
        ...


class Publisher(ABC):
    """Sends each form once and keeps the forum's distance between two of a kind."""

    def __init__(
        self,
        session: Session,
        reader: TopicReader[Tag],
        pointed: PointedPages,
        forms: Forms,
        capabilities: Capabilities,
    ) -> None:
        self._session, self._reader, self._pointed, self._forms = session, reader, pointed, forms
        self._sender = Sender(session.http, capabilities)

    def probe(self, topic: str) -> None:
        """Raise ForumError unless the topic shows the own account its reply form."""
        page, tree = self._reader.last_page(topic)
        if not page.open:
            raise NotATopic("forum/closed", f"topic {topic} is closed")
        self.reply_form(topic, tree)

    def probe_edit(self, post_id: str) -> None:
        """Raise ForumError unless the form for edits of an own post is shown."""
        self.find_form(self._forms.edit_path(post_id), *self._forms.edit)

    def post(self, topic: str, text: str) -> Outcome:
        """See `Forum.post`."""
        return self.post_form(topic, text, lambda form: form)

    def post_form(self, topic: str, text: str, enclose: Callable[[Form], Form]) -> Outcome:
        """See `Forum.post`. The ids seen before tell a new post from an old one to which the forum points.

        enclose: puts into the form what goes along with the text; may raise ForumError.
        """
        too_long = self.check_length(text)
        if too_long:
            return too_long
        try:
            page, tree = self._reader.last_page(topic)
            if not page.open:
                return Refused(msg("sent/closed"))
            form = enclose(self.reply_form(topic, tree))
        except ForumError as error:
            return not_stored(error)
        newest = max(rank(post.id) for post in page.posts)
        return self.send(
            "post",
            self._forms.reply_path(topic),
            self.fill(form, text),
            lambda location: self._confirm(topic, text, location, newest),
        )

    def edit(self, post_id: str, text: str, without: str | None = None) -> Outcome:
        """See `Writer.edit`. A text that stands there already is not sent again."""
        too_long = self.check_length(text)
        if too_long:
            return too_long
        try:
            path = self._forms.edit_path(post_id)
            form = self.find_form(path, *self._forms.edit)
        except ForumError as error:
            return not_stored(error)
        whole = change_post(form.text, text, without)
        if whole is None:
            return Refused(msg("sent/other-texts", post=post_id))
        if form.text == whole.strip():
            return Published(post_id)
        too_long = self.check_length(whole)
        if too_long:
            return too_long

        def judge(location: str) -> Outcome:
            if self._forms.find_post(location) == post_id:
                return Published(post_id)
            return Unknown(msg("sent/other-edit", post=post_id, named=location))

        return self.send("edit", self.edit_target(post_id, path), self.fill(form, whole), judge)

    @abstractmethod
    def probe_private(self) -> None:
        """Raise ForumError unless the form for new conversations is shown."""

    @abstractmethod
    def send_private(self, to: str, title: str, text: str) -> Outcome:
        """See `Forum.send_private`."""

    def own_text(self, post_id: str) -> str:
        """The text of an own post as typed. Raises ForumError."""
        return self.find_form(self._forms.edit_path(post_id), *self._forms.edit).text

    def edit_target(self, post_id: str, path: str) -> str:
        """Where the form for edits is sent to. path: of its page."""
        del post_id
        return path

    def reply_form(self, topic: str, tree: Tag) -> Form:
        """The form for replies in a topic, which stands on its newest page. Raises ForumError."""
        with as_forum_errors():
            return parse_form(tree, *self._forms.reply)

    def judge_older(self, post_id: str, text: str) -> Outcome:
        """What it means that the forum leads from a reply to a post that was there before."""
        del text
        return Unknown(msg("sent/repeated", post=post_id))

    def find_form(self, path: str, *names: str) -> Form:
        """The form with these fields on a page of the own session. Raises ForumError."""
        with as_forum_errors():
            return parse_form(self._session.fetch(path).tree, *names)

    def fill(self, form: Form, text: str, **values: str) -> dict[str, str]:
        """A form as it is sent, with a post's text."""
        return form.filled(**{self._forms.text: as_browser(text)}, **values)

    def send(self, kind: str, path: str, data: dict[str, str], judge: Callable[[str], Outcome]) -> Outcome:
        """Send a form once; `judge` decides whether the forum's redirect means success.

        kind: of two of a kind the forum wants a distance, save of edits.
        """
        return self._sender.send(
            kind,
            lambda: self._session.send(path, data, path),
            lambda answer: self._judge(answer, judge),
        )

    def check_length(self, text: str) -> Refused | None:
        """Why a text can't be sent, None where it can."""
        return self._sender.check_length(text)

    def _judge(self, answer: Answer, judge: Callable[[str], Outcome]) -> Outcome:
        if answer.location is None:
            return self._judge_answer(answer)
        if self._session.is_login(answer.location):
            return Unknown(msg("sent/session-ended"))
        return judge(answer.location)

    def _judge_answer(self, answer: Answer) -> Outcome:
        """What an answer means that is no redirect: the form again with complaints, or an error."""
        if answer.status == self._forms.stale:  # the next attempt fetches a new token
            return Refused(msg("sent/stale-form", status=answer.status), TRY_LATER)
        judged = self._sender.judge_status(answer)
        if judged is not None:
            return judged
        try:
            return self._forms.judge_page(self._session.read(answer))
        except PageError as error:
            return Unknown(explain_error(error))

    def _confirm(self, topic: str, text: str, location: str, newest: int) -> Outcome:
        """A redirect is success only if it leads to a post that is new, in the topic, and ours."""
        post_id = self._forms.find_post(location)
        if post_id is None:
            return self._forms.judge_elsewhere(location)
        if rank(post_id) <= newest:
            return self.judge_older(post_id, text)
        posts = self._pointed.find(location).posts
        post = next((post for post in posts if post.id == post_id), None)
        if post is None or post.topic != topic or post.author_id != self._session.account:
            return Unknown(msg("sent/other-post", post=post_id))
        return Published(post_id, topic)


def as_browser(text: str) -> str:
    """Line ends as browsers send them, so that a person who edits the post later meets the same length."""
    return text.strip().replace("\r\n", "\n").replace("\n", "\r\n")
