"""Answers of Misago 0.39's JSON interface: threads page by page, private threads, who is asking.

A page of a thread ends with the post with which the next one begins; between posts stand lines of the forum's
own (events), which are no posts and count for no position. Ids name the thread, since nothing can be done
with a post otherwise: `12` is a public thread and `12-345` a post in it, `p7` a private one and `p7-81` a
post there.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC

from parsers.pages.guard import IncompletePageError, NotATopicPage
from parsers.pages.json_body import Instant, Shape
from parsers.pages.topics import TopicLink, TopicList, TopicPage, check_numbers
from rules.play.posts import Post, Precision, Visibility


class Viewer(Shape):
    """Who asks: None for a guest."""

    id: int | None


class Rights(Viewer):
    """The same with what the account may do. can_start_private_threads: 0 or 1, or a truth value.

    max_attachment_size: of a file that it may upload, in kilobytes; 0: none, None: the forum doesn't say.
    """

    class Acl(Shape):
        """Of the account, everywhere."""

        can_start_private_threads: int = 0
        max_attachment_size: int | None = None

    acl: Acl


class Member(Shape):
    """An account, as it stands beside what it has written."""

    id: int


class ShownPost(Shape):
    """A post. poster: None where the account is gone. content: None where it can't be seen."""

    id: int
    poster: Member | None
    poster_name: str
    content: str | None
    posted_on: Instant
    updated_on: Instant
    edits: int
    is_hidden: bool
    is_unapproved: bool
    is_event: bool


class PostSet(Shape):
    """A page of posts. before, more: posts in front of and behind it. next: the next page's number."""

    results: tuple[ShownPost, ...]
    page: int
    pages: int
    count: int
    before: int
    more: int
    next: int | None


class Thread(Shape):
    """A thread and a page of its posts. participants: of a private one."""

    class Acl(Shape):
        """What the account may do here."""

        can_reply: bool

    id: int
    title: str
    is_closed: bool
    acl: Acl
    post_set: PostSet
    participants: tuple[Member, ...] | None = None


class ThreadEntry(Shape):
    """A thread in a list of threads."""

    id: int
    title: str


class ThreadList(Shape):
    """A part of the list of private threads. next: where the following part begins, None for the last."""

    results: tuple[ThreadEntry, ...]
    next: int | None


class Source(Shape):
    """A post's text as typed."""

    post: str


class Attachment(Shape):
    """A file that the forum keeps."""

    class Addresses(Shape):
        """Where it stands. index: whole, as posts show it; without the forum's own address."""

        index: str

    id: int
    url: Addresses


class Made(Shape):
    """What the forum says of a thread that it has made."""

    id: int


def read_thread(thread: Thread, private: bool, link: Callable[[str], str]) -> TopicPage:
    """A page of a thread, whole or not at all.

    link: makes a post's address from its id.

    Raises:
        NotATopicPage: a thread without posts.
        IncompletePageError: the posts aren't as many as the page says, one stands there twice, or one that
            should be seen has no text.
    """
    shown, found = [one for one in thread.post_set.results if not one.is_event], thread.post_set
    if not shown:
        raise NotATopicPage("page/no-posts", "a thread has at least one post, this page has none")
    repeated = int(found.next is not None)
    if found.before + len(shown) + found.more != found.count + repeated:
        said = f"{found.before} posts before, {len(shown)} here, {found.more} behind, {found.count} in all"
        raise IncompletePageError("page/gap", f"the page says: {said}")
    name = topic_id(thread.id, private)
    posts = [_read_post(one, name, private, at, link) for at, one in enumerate(shown, found.before + 1)]
    check_numbers(posts)
    return TopicPage(
        topic=name,
        title=thread.title,
        private=private,
        page=found.page,
        pages=found.pages,
        posts=tuple(posts[: len(posts) - repeated]),
        viewer=None,
        participants=tuple(str(number) for number in sorted(one.id for one in thread.participants or ())),
        open=thread.acl.can_reply,
        leads_to=posts[-1].id if repeated else None,
    )


def _read_post(shown: ShownPost, topic: str, private: bool, number: int, link: Callable[[str], str]) -> Post:
    visibility = visibility_of(shown)
    name = post_id(topic, shown.id)
    if shown.content is None and visibility is not Visibility.REMOVED:
        raise IncompletePageError("page/no-body", f"post {name} has no text")
    return Post(
        id=name,
        topic=topic,
        author_id=str(shown.poster.id) if shown.poster else None,
        author=shown.poster_name,
        created_at=shown.posted_on.astimezone(UTC).replace(microsecond=0),
        precision=Precision.SECOND,
        url=link(name),
        html=None if visibility is Visibility.REMOVED else shown.content,
        edits=shown.edits,
        edited_at=shown.updated_on.astimezone(UTC).replace(microsecond=0) if shown.edits else None,
        visibility=visibility,
        private=private,
        number=number,
    )


def visibility_of(shown: ShownPost) -> Visibility:
    """Whether readers see it: moderators are given hidden texts, too."""
    if shown.is_hidden:
        return Visibility.REMOVED
    return Visibility.UNAPPROVED if shown.is_unapproved else Visibility.VISIBLE


def read_list(listed: ThreadList) -> TopicList:
    """A part of the list of private threads."""
    links = tuple(
        TopicLink(topic_id(one.id, private=True), one.title, f"p/-/{one.id}/") for one in listed.results
    )
    return TopicList(links, listed.next is not None, None)


def topic_id(number: int, private: bool) -> str:
    """A thread's id with us."""
    return f"p{number}" if private else str(number)


def post_id(topic: str, number: int) -> str:
    """A post's id with us."""
    return f"{topic}-{number}"
