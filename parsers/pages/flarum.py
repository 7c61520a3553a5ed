"""What Flarum's interface (JSON:API) answers, as far as an adapter relies on it, and posts made of it.

A discussion's answer holds twenty posts from an offset on, and the ids of all of them in order: positions are
places in that list, and a page that isn't exactly its part of the list is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

from pydantic import Field, ValidationError

from parsers.pages.guard import IncompletePageError
from parsers.pages.json_body import Instant, Shape, whole_second
from parsers.pages.topics import TopicPage, check_numbers, check_part
from rules.play.posts import Post, Precision, Visibility

_COMMENT = "comment"


class Reference(Shape):
    """What a relationship points to."""

    type: str
    id: str


class ToOne(Shape):
    """A relationship to at most one; None: to nobody, as where an account was deleted."""

    data: Reference | None


class ToMany(Shape):
    """A relationship to several, in order."""

    data: tuple[Reference, ...]


class ActorLinks(Shape):
    """Whose answer it is."""

    actor: ToOne


class ForumData(Shape):
    """The forum itself."""

    relationships: ActorLinks


class ForumShape(Shape):
    """What stands at the interface's root: among other things, as whom it takes us."""

    data: ForumData


class TokenShape(Shape):
    """What a login gives."""

    token: str
    userId: int | str  # noqa: N815 - the forum's name for it


class PostAttributes(Shape):
    """A post. content: as typed, only for who may edit it. isApproved: False where a moderator has to let it
    through. isHidden: only there where it is hidden.
    """

    number: int
    createdAt: Instant  # noqa: N815
    contentType: str  # noqa: N815
    content: object = None
    contentHtml: str | None = None  # noqa: N815
    editedAt: Instant | None = None  # noqa: N815
    isHidden: bool = False  # noqa: N815
    isApproved: bool = True  # noqa: N815
    canEdit: bool = False  # noqa: N815


class PostLinks(Shape):
    """Whose post it is, and where it stands."""

    user: ToOne | None = None
    discussion: ToOne


class PostData(Shape):
    """A post and what it is related to."""

    type: Literal["posts"]
    id: str
    attributes: PostAttributes
    relationships: PostLinks


class UserAttributes(Shape):
    """How an account is called."""

    displayName: str  # noqa: N815


class UserData(Shape):
    """An account."""

    type: Literal["users"]
    id: str
    attributes: UserAttributes


class OtherData(Shape):
    """Whatever else comes along."""

    type: str


class DiscussionAttributes(Shape):
    """A discussion."""

    title: str
    canReply: bool = False  # noqa: N815


class DiscussionLinks(Shape):
    """All of its posts."""

    posts: ToMany


class DiscussionData(Shape):
    """A discussion and its posts' ids."""

    id: str
    attributes: DiscussionAttributes
    relationships: DiscussionLinks


class DiscussionShape(Shape):
    """A discussion with one page of its posts among what is included."""

    data: DiscussionData
    included: tuple[dict[str, object], ...]


class PostShape(Shape):
    """A single post, with its author among what is included."""

    data: PostData
    included: tuple[dict[str, object], ...] = ()


class ErrorData(Shape):
    """One thing that is wrong. detail: in the account's language; code: stable."""

    status: str | None = None
    code: str | None = None
    detail: str | None = None


class ErrorShape(Shape):
    """Why it refuses."""

    errors: tuple[ErrorData, ...] = Field(default=())


def count_shown(shape: DiscussionShape, offset: int) -> int:
    """How many posts came, one after the other from an offset on. Raises IncompletePageError."""
    loaded, _ = _sort_included(shape.included)
    rest = shape.data.relationships.posts.data[offset:]
    return next((at for at, one in enumerate(rest) if one.id not in loaded), len(rest))


def make_page(
    shape: DiscussionShape, number: int, size: int, viewer: str, link: Callable[[str, int], str]
) -> TopicPage:
    """The page of a discussion that was asked for.

    number: 1-based. size: posts on a full page. viewer: the own account. link: makes a post's address of the
    discussion and its number.

    Raises:
        IncompletePageError: other posts than those that stand there in the list, or of another shape.
    """
    discussion = shape.data
    ids = [one.id for one in discussion.relationships.posts.data]
    loaded, names = _sort_included(shape.included)
    shown = [one for one in ids[(number - 1) * size : number * size] if one in loaded]
    check_part(shown, ids, number, size)
    first = (number - 1) * size + 1
    posts = tuple(make_post(loaded[one], names, position, link) for position, one in enumerate(shown, first))
    check_numbers(posts)
    return TopicPage(
        topic=discussion.id,
        title=discussion.attributes.title,
        private=False,
        page=number,
        pages=-(-len(ids) // size),
        posts=posts,
        viewer=viewer,
        participants=(),
        open=discussion.attributes.canReply,
    )


def make_post(
    post: PostData, names: Mapping[str, str], number: int | None, link: Callable[[str, int], str]
) -> Post:
    """A post as values. names: of accounts by id. number: its position, None where that isn't known.

    Raises:
        IncompletePageError: it stands in no discussion.
    """
    told, place = post.attributes, post.relationships.discussion.data
    if place is None:
        raise IncompletePageError("page/other-shape", f"post {post.id} stands in no discussion")
    author = post.relationships.user.data if post.relationships.user else None
    visibility = _visibility(told)
    seen = visibility is Visibility.VISIBLE
    typed = told.content if isinstance(told.content, str) else None
    return Post(
        id=post.id,
        topic=place.id,
        author_id=author.id if author else None,
        author=names.get(author.id, "") if author else "",
        created_at=whole_second(told.createdAt),
        precision=Precision.SECOND,
        url=link(place.id, told.number),
        html=told.contentHtml if seen else None,
        raw=typed if seen else None,
        edits=int(told.editedAt is not None),
        edited_at=whole_second(told.editedAt) if told.editedAt else None,
        visibility=visibility,
        number=number,
    )


def name_people(included: tuple[dict[str, object], ...]) -> Mapping[str, str]:
    """The names of the accounts that came along, by id. Raises IncompletePageError."""
    return _sort_included(included)[1]


def _sort_included(
    included: tuple[dict[str, object], ...],
) -> tuple[Mapping[str, PostData], Mapping[str, str]]:
    posts: dict[str, PostData] = {}
    names: dict[str, str] = {}
    try:
        for one in included:
            if one.get("type") == "posts" and "attributes" in one:
                post = PostData.model_validate(one)
                posts[post.id] = post
            elif one.get("type") == "users":
                user = UserData.model_validate(one)
                names[user.id] = user.attributes.displayName
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise IncompletePageError("page/other-shape", f"included.{where}: {first['msg']}") from None
    return posts, names


def _visibility(post: PostAttributes) -> Visibility:
    if post.contentType != _COMMENT:
        return Visibility.NOTICE
    if not post.isApproved:
        return Visibility.UNAPPROVED
    return Visibility.REMOVED if post.isHidden else Visibility.VISIBLE
