"""Posts, edits and sends private messages in a Spirit forum, and says honestly what became of each.

Nothing here is ever sent twice. `Refused` means certainly not stored; whatever can't be told is `Unknown` and
is settled by reading back (reliability.md 2.1).
"""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlsplit

from bs4 import Tag

from parsers.pages.guard import PageError
from parsers.pages.spirit import read_page
from parsers.pages.spirit_forms import (
    parse_complaints,
    parse_form,
    parse_found_post,
    parse_private_topic,
    parse_public_topic,
    parse_wait,
)
from processor.forums.http import Answer, NotSent
from processor.forums.spirit_reading import SpiritReader
from processor.forums.spirit_session import SpiritSession, as_forum_errors, is_login
from processor.ports import ForumError, LoginFailed, NotATopic
from rules.play.posts import Capabilities, Outcome, Published, Refused, Unknown

# For refusals that pass by themselves but name no time.
_TRY_LATER = 60.0
# Spirit takes no second conversation with the same title for half an hour.
_SAME_TITLE = 1800.0
_MAX_TITLE = 255


class SpiritPublisher:
    """Sends each form once and keeps the forum's distance between two of a kind."""

    def __init__(self, session: SpiritSession, reader: SpiritReader, capabilities: Capabilities) -> None:
        self._session, self._reader = session, reader
        self._capabilities = capabilities
        self._sent: dict[str, float] = {}

    def probe(self, topic: str) -> None:
        """Raise ForumError unless the topic shows the own account its reply form."""
        page, tree = self._reader.last_page(topic)
        if not page.open:
            raise NotATopic("forum/closed", f"topic {topic} is closed")
        with as_forum_errors():
            parse_form(tree, "comment", "comment_hash")

    def probe_private(self) -> None:
        """Raise ForumError unless the form for new conversations is shown."""
        with as_forum_errors():
            parse_form(self._session.fetch("topic/private/publish/").tree, "title", "users", "comment")

    def post(self, topic: str, text: str) -> Outcome:
        """See `Forum.post`. The ids seen before tell a new post from the old one of Spirit's same-text
        rule.
        """
        too_long = self._check_length(text)
        if too_long:
            return too_long
        try:
            page, tree = self._reader.last_page(topic)
            if not page.open:
                return Refused(f"topic {topic} is closed")
            with as_forum_errors():
                form = parse_form(tree, "comment", "comment_hash")
        except ForumError as error:
            return _not_stored(error)
        newest = max(int(post.id) for post in page.posts)
        return self._send(
            "comment",
            f"comment/{topic}/publish/",
            form.filled(comment=_as_browser(text)),
            lambda location: self._confirm(topic, location, newest),
        )

    def edit(self, post_id: str, text: str) -> Outcome:
        """See `Forum.edit`. A text that stands there already is not sent again."""
        too_long = self._check_length(text)
        if too_long:
            return too_long
        path = f"comment/{post_id}/update/"
        try:
            with as_forum_errors():
                form = parse_form(self._session.fetch(path).tree, "comment")
        except ForumError as error:
            return _not_stored(error)
        if form.text == text.strip():
            return Published(post_id)

        def judge(location: str) -> Outcome:
            same = parse_found_post(location) == post_id
            return (
                Published(post_id)
                if same
                else Unknown(f"the forum leads from editing {post_id} to {location}")
            )

        return self._send("edit", path, form.filled(comment=_as_browser(text)), judge)

    def send_private(self, to: str, title: str, text: str) -> Outcome:
        """See `Forum.send_private`."""
        title = " ".join(title.split())
        bad = self._check_length(text) or _check_envelope(to, title)
        if bad:
            return bad
        path = "topic/private/publish/"
        try:
            with as_forum_errors():
                form = parse_form(self._session.fetch(path).tree, "title", "users", "comment")
        except ForumError as error:
            return _not_stored(error)
        data = form.filled(title=title, users=to, comment=_as_browser(text))
        return self._send(
            "private", path, data, lambda location: self._confirm_private(location, title, text)
        )

    def open_topic(self, category: str, title: str, text: str) -> Outcome:
        """Open a public topic; `Published.topic` is its id."""
        title = " ".join(title.split())
        bad = self._check_length(text) or _check_envelope("-", title)
        if bad:
            return bad
        path = f"topic/publish/{category}/"
        try:
            with as_forum_errors():
                form = parse_form(self._session.fetch(path).tree, "title", "category", "comment")
        except ForumError as error:
            return _not_stored(error)
        data = form.filled(title=title, category=category, comment=_as_browser(text))
        return self._send(
            "topic", path, data, lambda location: self._first_post(parse_public_topic(location))
        )

    def _send(self, kind: str, path: str, data: dict[str, str], judge: Callable[[str], Outcome]) -> Outcome:
        """Send a form once; `judge` decides where the forum's redirect means success."""
        if kind != "edit":
            self._keep_interval(kind)
        try:
            answer = self._session.http.post(path, data, path)
        except NotSent as error:
            return _not_stored(error)
        except ForumError as error:
            return Unknown(str(error))
        if answer.location is None:
            return self._judge_page(answer)
        if is_login(answer.location):
            return Unknown("the session ended while posting")
        try:
            return judge(answer.location)
        except ForumError as error:
            return Unknown(f"the forum took it, but it can't be seen yet: {error}")

    def _keep_interval(self, kind: str) -> None:
        http = self._session.http
        wait = self._sent.get(kind, float("-inf")) + self._capabilities.min_interval - http.clock()
        if wait > 0:
            http.sleep(wait)
        self._sent[kind] = http.clock()

    def _judge_page(self, answer: Answer) -> Outcome:
        """What an answer means that is no redirect: the form again with complaints, or an error."""
        status = answer.status
        if status == 429:
            return Refused("too many requests", answer.retry_after or self._capabilities.min_interval)
        if status == 403:
            # Spirit answers so to a token that has gone stale; the next attempt fetches a new one.
            return Refused("the forum forbids it (403)", _TRY_LATER)
        if 400 <= status < 500 and status not in (408, 409):
            return Refused(f"the forum answers {status}")
        if status != 200:
            return Unknown(f"the forum answers {status}")
        try:
            tree = read_page(answer.body, answer.content_type)
        except PageError as error:
            return Unknown(str(error))
        return self._judge_complaints(tree)

    def _judge_complaints(self, tree: Tag) -> Outcome:
        said = parse_complaints(tree)
        form_again = (
            tree.select_one("form.js-reply textarea[name=comment], form textarea[name=comment]") is not None
        )
        if not (said and form_again):
            return Unknown("the forum answers with a page that says neither yes nor no")
        limited = not tree.select("ul.errorlist")
        wait = max(parse_wait(said[0]) or 0.0, self._capabilities.min_interval) if limited else None
        return Refused(" ".join(said), wait)

    def _confirm(self, topic: str, location: str, newest: int) -> Outcome:
        """A redirect is success only if it leads to a post that is new, in the topic, and ours."""
        post_id = parse_found_post(location)
        if post_id is None:
            return Unknown(f"the forum leads to {urlsplit(location).path}, which is no post")
        if int(post_id) <= newest:
            return Unknown(
                f"the forum takes the text for a repetition and points to the older post {post_id}"
            )
        post = self._reader.post_at(location, post_id)
        if post is None or post.topic != topic or post.author_id != self._session.account:
            return Unknown(f"post {post_id}, to which the forum points, is not the one sent")
        return Published(post_id, topic)

    def _confirm_private(self, location: str, title: str, text: str) -> Outcome:
        topic = parse_private_topic(location)
        if topic is not None:
            return self._first_post(topic)
        if not urlsplit(location).path.endswith("/topic/private/"):
            return Unknown(f"the forum leads to {urlsplit(location).path}, which is no conversation")
        return self._settle_same_title(title, text)

    def _settle_same_title(self, title: str, text: str) -> Outcome:
        """Spirit's list instead of the conversation: the title was used a moment ago, perhaps by this very
        text.
        """
        for link in self._reader.conversations():
            if link.title == title:
                first = self._reader.read(link.topic).posts[0]
                if first.author_id == self._session.account and self.own_text(first.id) == text.strip():
                    return Published(first.id, link.topic)
        return Refused(f"a conversation with the title {title!r} was opened a moment ago", _SAME_TITLE)

    def _first_post(self, topic: str | None) -> Outcome:
        if topic is None:
            return Unknown("the forum leads to no topic")
        first = self._reader.read(topic).posts[0]
        if first.number != 1 or first.author_id != self._session.account:
            return Unknown(f"the first post of topic {topic} is not ours")
        return Published(first.id, topic)

    def own_text(self, post_id: str) -> str:
        """The text of an own post as typed. Raises ForumError."""
        with as_forum_errors():
            return parse_form(self._session.fetch(f"comment/{post_id}/update/").tree, "comment").text

    def _check_length(self, text: str) -> Refused | None:
        if not text.strip():
            return Refused("the text is empty")
        size, most = self._capabilities.size(text.strip()), self._capabilities.max_chars
        return Refused(f"the text has {size} characters, the forum takes {most}") if size > most else None


def _check_envelope(to: str, title: str) -> Refused | None:
    # A comma would address the message to somebody else as well.
    if not to or any(c == "," or c.isspace() for c in to):
        return Refused(f"{to!r} is no account name")
    if not 1 <= len(title) <= _MAX_TITLE:
        return Refused(f"a title has 1 to {_MAX_TITLE} characters, this one {len(title)}")
    return None


def _not_stored(error: ForumError) -> Refused:
    """Nothing was sent; what waiting may mend is worth another try."""
    hopeless = isinstance(error, NotATopic) and error.code in ("forum/missing", "forum/forbidden")
    hopeless = hopeless or (isinstance(error, LoginFailed) and error.retry_after is None)
    return Refused(str(error), None if hopeless else error.retry_after or _TRY_LATER)


def _as_browser(text: str) -> str:
    """Line ends as browsers send them, so that a person who edits the post later meets the same length."""
    return text.strip().replace("\r\n", "\n").replace("\n", "\r\n")
