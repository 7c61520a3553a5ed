"""What Discourse's interface answers, as far as an adapter relies on it, and posts made of it.

A topic's answer holds one page of posts and the ids of all of them in order (`stream`): positions are places
in that list, and a page that isn't exactly its part of the list is refused.
"""

from __future__ import annotations

from collections.abc import Callable

from pydantic import Field

from parsers.pages.guard import IncompletePageError
from parsers.pages.json_body import Instant, Shape, whole_second
from parsers.pages.topics import TopicLink, TopicList, TopicPage, check_numbers, check_part
from rules.play.posts import Post, Precision, Visibility

_REGULAR, _MODERATOR = 1, 2
"""Kinds of posts that people write; the others are the forum's own lines and whispers among its team."""
PRIVATE = "private_message"
"""What a private conversation is called."""
_DEFAULT_CHUNK = 20


class PostShape(Shape):
    """A post. version: 1, one more for each edit that Discourse counts. raw: only where it was asked for."""

    id: int
    topic_id: int
    post_number: int
    post_type: int
    user_id: int | None
    username: str
    cooked: str
    raw: str | None = None
    created_at: Instant
    updated_at: Instant
    version: int = Field(ge=1)
    can_edit: bool = False
    hidden: bool = False
    user_deleted: bool = False
    deleted_at: Instant | None = None


class PersonShape(Shape):
    """An account in a list."""

    id: int
    username: str


class GroupShape(Shape):
    """A group that may read a private conversation."""

    id: int
    name: str


class DetailsShape(Shape):
    """What a topic says besides its posts. can_create_post: missing where the account may not reply."""

    can_create_post: bool = False
    allowed_users: tuple[PersonShape, ...] = ()
    allowed_groups: tuple[GroupShape, ...] = ()


class StreamShape(Shape):
    """Posts of a page, and the ids of all; Discourse leaves those out from 10,000 posts on."""

    posts: tuple[PostShape, ...]
    stream: tuple[int, ...] | None = None


class TopicShape(Shape):
    """A topic or private conversation."""

    id: int
    title: str
    archetype: str
    closed: bool = False
    archived: bool = False
    chunk_size: int = Field(default=_DEFAULT_CHUNK, ge=1)
    post_stream: StreamShape
    details: DetailsShape = DetailsShape()


class LinkShape(Shape):
    """A topic in a list."""

    id: int
    title: str


class TopicListShape(Shape):
    """A page of a list of topics."""

    topics: tuple[LinkShape, ...]
    more_topics_url: str | None = None


class ListShape(Shape):
    """A page of a list of private conversations."""

    topic_list: TopicListShape


class OwnShape(PersonShape):
    """The own account. trust_level: 0 for a newcomer; what the forum doesn't say stands in nobody's way."""

    trust_level: int = 1
    admin: bool = False
    moderator: bool = False
    can_send_private_messages: bool = True


class UserShape(Shape):
    """The account behind a name."""

    user: OwnShape


class SentShape(Shape):
    """What Discourse answers to a new post: the post itself, or that a moderator has to let it through."""

    id: int | None = None
    topic_id: int | None = None
    user_id: int | None = None
    action: str | None = None


class EditedShape(Shape):
    """What it answers to an edit."""

    post: SentShape


class UploadShape(Shape):
    """A picture that Discourse keeps. short_url: as texts show it (`upload://…`)."""

    id: int
    short_url: str


class WaitShape(Shape):
    """How long a limit holds, in seconds."""

    wait_seconds: float | None = None


class ErrorShape(Shape):
    """Why it refuses, in the account's language. message: where something failed that has no rule."""

    errors: tuple[str, ...] = ()
    message: str | None = None
    error_type: str | None = None
    extras: WaitShape | None = None


def make_page(topic: TopicShape, number: int, viewer: str, link: Callable[[int], str]) -> TopicPage:
    """The page of a topic that was asked for.

    number: 1-based. viewer: the own account. link: makes a post's address from its id.

    Raises:
        IncompletePageError: no list of ids, or other posts than those that stand there in the list.
    """
    ids = topic.post_stream.stream
    if ids is None:
        detail = "from 10,000 posts on Discourse doesn't tell which there are"
        raise IncompletePageError("forum/too-long", detail)
    check_part([post.id for post in topic.post_stream.posts], ids, number, topic.chunk_size)
    private = topic.archetype == PRIVATE
    posts = tuple(
        make_post(post, private, position, link)
        for position, post in enumerate(topic.post_stream.posts, (number - 1) * topic.chunk_size + 1)
    )
    check_numbers(posts)
    return TopicPage(
        topic=str(topic.id),
        title=topic.title,
        private=private,
        page=number,
        pages=-(-len(ids) // topic.chunk_size),
        posts=posts,
        viewer=viewer,
        participants=_participants(topic.details) if private else (),
        open=topic.details.can_create_post,
    )


def make_post(post: PostShape, private: bool, number: int | None, link: Callable[[int], str]) -> Post:
    """A post as values. number: its position in the topic, None where that isn't known."""
    visibility = _visibility(post)
    seen = visibility is Visibility.VISIBLE
    edits = post.version - 1
    return Post(
        id=str(post.id),
        topic=str(post.topic_id),
        author_id=None if post.user_id is None else str(post.user_id),
        author=post.username,
        created_at=whole_second(post.created_at),
        precision=Precision.SECOND,
        url=link(post.id),
        html=post.cooked if seen else None,
        raw=post.raw if seen else None,
        edits=edits,
        edited_at=whole_second(post.updated_at) if edits else None,
        visibility=visibility,
        private=private,
        number=number,
    )


def make_list(shape: ListShape, viewer: str) -> TopicList:
    """A page of the list of private conversations."""
    topics = tuple(TopicLink(str(one.id), one.title, f"t/{one.id}") for one in shape.topic_list.topics)
    return TopicList(topics, shape.topic_list.more_topics_url is not None, viewer)


def _visibility(post: PostShape) -> Visibility:
    if post.post_type not in (_REGULAR, _MODERATOR):
        return Visibility.NOTICE
    gone = post.hidden or post.user_deleted or post.deleted_at is not None
    return Visibility.REMOVED if gone else Visibility.VISIBLE


def _participants(details: DetailsShape) -> tuple[str, ...]:
    """Account ids of all who can read along; a group counts as somebody who shouldn't."""
    people = tuple(str(one.id) for one in sorted(details.allowed_users, key=lambda one: one.id))
    return people + tuple(f"group {one.name}" for one in details.allowed_groups)
