"""Answers of XenForo 2 in JSON (its REST API): threads, conversations, and what sending is answered with.

The models are the part of the published interface that we rely on, in our own words. Accounts are known by
their numbers. Ids of conversations and their messages get letters, since they are counted apart from threads
and posts: `c5` is a conversation, `c5m7` a message in it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any

from pydantic import Field

from parsers.pages.guard import IncompletePageError, NotATopicPage
from parsers.pages.json_body import Shape
from parsers.pages.topics import TopicLink, TopicList, TopicPage, check_numbers
from rules.play.posts import Post, Precision

VISIBLE, MODERATED = "visible", "moderated"
"""States of a post; others are kinds of deleted."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MENTION = re.compile(r"\[USER=[0-9]+\](.*?)\[/USER\]", re.IGNORECASE | re.DOTALL)

Seconds = Annotated[int, Field(ge=0, le=253_402_300_799)]
"""Seconds since 1970, UTC; 0 for never."""


class Key(Shape):
    """What a key is for. kind: `user`, `super` for all accounts, `guest`. user_id: of a user's key."""

    kind: str = Field(alias="type")
    user_id: int | None
    everything: bool = Field(alias="allow_all_scopes")
    scopes: tuple[str, ...] = ()


class Index(Shape):
    """What the interface says of itself."""

    key: Key


class Person(Shape):
    """An account."""

    user_id: int
    username: str


class Me(Shape):
    """The own account."""

    me: Person


class Named(Shape):
    """The account with exactly that name, None where there is none."""

    exact: Person | None


class Paging(Shape):
    """Which page it is, 1-based, and how much there is. total: of what everybody sees."""

    page: int = Field(alias="current_page", ge=1)
    pages: int = Field(alias="last_page")
    per_page: int = Field(ge=1)
    total: int


class Thread(Shape):
    """A thread. reply: whether the own account may."""

    thread_id: int
    title: str
    reply: bool = Field(alias="can_reply")


class ThreadPost(Shape):
    """A post. position: 0-based among those that everybody sees. user_id: 0 for a guest's, or one that is
    gone.
    """

    post_id: int
    thread_id: int
    user_id: int
    username: str
    post_date: Seconds
    message: str
    parsed: str | None = Field(alias="message_parsed", default=None)
    state: str = Field(alias="message_state")
    edited: Seconds = Field(alias="last_edit_date", default=0)
    position: int


class ThreadAnswer(Shape):
    """A thread with a page of its posts. Pinned and highlighted ones come again beside them, and don't count
    there.
    """

    thread: Thread
    posts: tuple[ThreadPost, ...]
    pagination: Paging


class Conversation(Shape):
    """A private conversation. user_id: who began it. recipients: names by number; a list where none is."""

    conversation_id: int
    title: str
    user_id: int
    reply: bool = Field(alias="can_reply")
    recipients: dict[int, str] | list[Any]


class Message(Shape):
    """A message of a conversation, of which nothing tells that it was edited."""

    message_id: int
    conversation_id: int
    user_id: int
    username: str
    message_date: Seconds
    message: str
    parsed: str | None = Field(alias="message_parsed", default=None)


class ConversationAnswer(Shape):
    """A conversation with a page of its messages."""

    conversation: Conversation
    messages: tuple[Message, ...]
    pagination: Paging


class ConversationsAnswer(Shape):
    """A page of the list of conversations."""

    conversations: tuple[Conversation, ...]
    pagination: Paging


class PostAnswer(Shape):
    """A single post: asked for, sent, or edited."""

    post: ThreadPost


class MessageAnswer(Shape):
    """A single message: asked for, sent, or edited."""

    message: Message


class Begun(Shape):
    """A new conversation."""

    conversation_id: int
    first_message_id: int


class BegunAnswer(Shape):
    """The answer to beginning a conversation."""

    conversation: Begun


class Attachment(Shape):
    """A file that the forum keeps."""

    attachment_id: int


class KeyAnswer(Shape):
    """The answer to asking for a key to a post's files, with the first of them. attachment: None where the
    forum doesn't keep it.
    """

    key: str = Field(min_length=1)
    attachment: Attachment | None = None


class AttachmentAnswer(Shape):
    """The answer to a file that goes to those of a key."""

    attachment: Attachment


class Fault(Shape):
    """Why something was refused. code: for programs. params: what its words are filled with; a list for
    none.
    """

    code: str
    message: str
    params: dict[str, Any] | list[Any] | None = None


class Faults(Shape):
    """The answer to what is refused."""

    errors: tuple[Fault, ...] = Field(min_length=1)


def make_thread(answer: ThreadAnswer, link: Callable[[str], str], account: str) -> TopicPage:
    """A thread's page, whole or not at all. Posts that not everybody sees are left out: those that are
    deleted, which moderators see, and those that wait for one, which their authors see.

    link: makes a post's address from its id. account: for which it was made.

    Raises:
        NotATopicPage: `forum/missing` for a page behind the last. IncompletePageError: gaps, or fewer posts
            than the thread is said to have.
    """
    thread = answer.thread
    topic = str(thread.thread_id)
    shown = [post for post in answer.posts if post.state == VISIBLE]
    if any(post.thread_id != thread.thread_id for post in shown):
        raise IncompletePageError("page/drift", "a post of another thread stands among these")
    posts = tuple(_make_post(post, topic, link) for post in shown)
    _check(answer.pagination, posts)
    return TopicPage(
        topic=topic,
        title=thread.title,
        private=False,
        page=answer.pagination.page,
        pages=answer.pagination.pages,
        posts=posts,
        viewer=account,
        participants=(),
        open=thread.reply,
    )


def _make_post(post: ThreadPost, topic: str, link: Callable[[str], str]) -> Post:
    return Post(
        id=str(post.post_id),
        topic=topic,
        author_id=_known(post.user_id),
        author=post.username,
        created_at=_moment(post.post_date),
        precision=Precision.SECOND,
        url=link(str(post.post_id)),
        html=post.parsed,
        raw=tidy(post.message),
        edits=int(bool(post.edited)),
        edited_at=_moment(post.edited) if post.edited else None,
        number=post.position + 1,
    )


def make_conversation(answer: ConversationAnswer, link: Callable[[str], str], account: str) -> TopicPage:
    """A page of a private conversation, whole or not at all. Arguments and errors as for `make_thread`."""
    told, paging = answer.conversation, answer.pagination
    topic, first = f"c{told.conversation_id}", (paging.page - 1) * paging.per_page + 1
    if any(one.conversation_id != told.conversation_id for one in answer.messages):
        raise IncompletePageError("page/drift", "a message of another conversation stands among these")
    posts = tuple(
        _make_message(message, topic, number, link) for number, message in enumerate(answer.messages, first)
    )
    _check(paging, posts)
    people = {told.user_id, int(account), *(told.recipients if isinstance(told.recipients, dict) else ())}
    return TopicPage(
        topic=topic,
        title=told.title,
        private=True,
        page=paging.page,
        pages=paging.pages,
        posts=posts,
        viewer=account,
        participants=tuple(str(one) for one in sorted(people)),
        open=told.reply,
    )


def _make_message(message: Message, topic: str, number: int, link: Callable[[str], str]) -> Post:
    message_id = f"{topic}m{message.message_id}"
    return Post(
        id=message_id,
        topic=topic,
        author_id=_known(message.user_id),
        author=message.username,
        created_at=_moment(message.message_date),
        precision=Precision.SECOND,
        url=link(message_id),
        html=message.parsed,
        raw=tidy(message.message),
        private=True,
        number=number,
    )


def make_list(answer: ConversationsAnswer, account: str) -> TopicList:
    """A page of the list of conversations."""
    links = tuple(
        TopicLink(f"c{one.conversation_id}", one.title, f"conversations/{one.conversation_id}/")
        for one in answer.conversations
    )
    return TopicList(links, answer.pagination.page < answer.pagination.pages, account)


def _check(paging: Paging, posts: Sequence[Post]) -> None:
    if paging.page > paging.pages:
        raise NotATopicPage("forum/missing", f"page {paging.page} of {paging.pages}")
    if not posts:
        raise IncompletePageError("page/no-posts", f"page {paging.page} has no posts")
    check_numbers(posts)
    first, last = posts[0].number or 0, posts[-1].number or 0
    if first != (paging.page - 1) * paging.per_page + 1:
        raise IncompletePageError("page/gap", f"page {paging.page} begins with {first}")
    wanted = min(paging.total, paging.page * paging.per_page)
    if last < wanted:
        raise IncompletePageError("page/gap", f"page {paging.page} ends with {last}, not with {wanted}")


def tidy(text: str) -> str:
    """A text as typed: XenForo writes numbers into mentions when it stores them."""
    return _MENTION.sub(r"\1", text.replace("\r\n", "\n")).strip()


def find_wait(faults: Faults) -> float | None:
    """The seconds that the forum asks to wait, 0 where it names none, None where it doesn't ask; by codes."""
    for fault in faults.errors:
        if "must_wait" in fault.code or "flood" in fault.code:
            count = fault.params.get("count") if isinstance(fault.params, dict) else None
            return float(count) if isinstance(count, int | float) and count > 0 else 0.0
    return None


def _known(user_id: int) -> str | None:
    return str(user_id) if user_id > 0 else None


def _moment(seconds: int) -> datetime:
    return _EPOCH + timedelta(seconds=seconds)
