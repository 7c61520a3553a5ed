"""Pages that are read by their shape.

Such a page proves itself only: each post whole, and nothing that looks like a post elsewhere. That no other
page is missing, it doesn't prove.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from bs4 import Tag

from parsers.markup.dialect import DIALECTS
from parsers.pages.guard import IncompletePageError, NotATopicPage
from parsers.pages.moments import Moment
from parsers.pages.shapes import PageShape, Place
from parsers.pages.topics import attribute, count_alike
from rules.play.posts import Post


@dataclass(frozen=True, slots=True)
class ShownPost:
    """A post as a page shows it: who, when and what, before the time is understood.

    account: None for somebody without one. edited: what the forum notes of edits, "" for nothing. notes: HTML
    of the texts for few, "" for none.
    """

    id: str
    account: str | None
    author: str
    character: str
    time: str
    edited: str
    body: str
    notes: str


def show_posts(page: Tag, shape: PageShape) -> tuple[ShownPost, ...]:
    """The posts of a page, in the order in which they stand there.

    The players' texts are taken out of the tree first, so that nothing people write is mistaken for
    structure.

    Raises:
        NotATopicPage: no list of posts, or no post in it. IncompletePageError: a post without author, time or
        text, one inside another, a post twice, or a thing that looks like a post and stands elsewhere.
    """
    if shape.frame and page.select_one(shape.frame) is None:
        raise NotATopicPage("page/no-topic", "no list of posts")
    boxes = page.select(f"{shape.frame} {shape.post}")
    if not boxes:
        raise NotATopicPage("page/no-posts", "the page shows no post")
    texts = [_take_texts(box, shape) for box in boxes]
    _check_boxes(page, boxes, shape)
    posts = tuple(_show_post(box, *text, shape) for box, text in zip(boxes, texts, strict=True))
    if len({post.id for post in posts}) != len(posts):
        raise IncompletePageError("page/repeated-post", "a post stands on the page twice")
    return posts


def read_posts(
    page: Tag, shape: PageShape, zone: ZoneInfo, link: Callable[[str], str]
) -> tuple[tuple[Post, ShownPost], ...]:
    """The posts of a page as the archive knows them, each with what the page shows.

    zone: in which whoever saved the page sees times. link: makes a post's address from its id. Raises as
    `show_posts` does; IncompletePageError for a time that can't be understood, too.
    """
    return tuple((_make_post(shown, shape, zone, link), shown) for shown in show_posts(page, shape))


def find_topic(page: Tag, shape: PageShape) -> str:
    """The id of the topic that a page is of, "" where it doesn't say."""
    return (shape.topic and _find(page, shape.topic)) or ""


def _make_post(shown: ShownPost, shape: PageShape, zone: ZoneInfo, link: Callable[[str], str]) -> Post:
    moment = _understand(shown.id, shown.time, shape, zone)
    edited = _understand(shown.id, shown.edited, shape, zone).utc if shown.edited else None
    return Post(
        id=shown.id,
        topic="",
        author_id=shown.account,
        author=shown.author,
        created_at=moment.utc,
        precision=shape.precision,
        url=link(shown.id),
        html=shown.body,
        edits=1 if shown.edited else 0,
        edited_at=edited,
        ambiguous=moment.ambiguous,
        character=shown.character,
    )


def _understand(post_id: str, text: str, shape: PageShape, zone: ZoneInfo) -> Moment:
    try:
        return shape.read_time(text, zone)
    except (ValueError, OverflowError, OSError) as error:
        raise IncompletePageError("page/bad-time", f"post {post_id}: {error}") from None


def _take_texts(box: Tag, shape: PageShape) -> tuple[str, str]:
    """The author's text and the notes beside it, cut out of a post; signatures go, too."""
    bodies = box.select(shape.body)
    inside = [shape.post, *([shape.notes] if shape.notes else ())]
    if len(bodies) != 1 or count_alike(bodies[0], ", ".join(inside)):
        # Unclosed markup in a post lets the next one, or its private notes, slip into its text.
        raise IncompletePageError("page/no-body", f"post {_name(box)} has no text of its own")
    body = bodies[0].extract().decode_contents().strip()
    notes = (
        [one.extract().decode_contents().strip() for one in box.select(shape.notes)] if shape.notes else []
    )
    for signature in box.select(", ".join(DIALECTS[shape.software].signatures) or "turnero-none"):
        signature.extract()
    return body, "\n".join(notes)


def _name(box: Tag) -> str:
    return attribute(box, "id") or attribute(box, "data-content") or attribute(box, "data-pid")


def _check_boxes(page: Tag, boxes: Sequence[Tag], shape: PageShape) -> None:
    known = {id(box) for box in boxes}
    nested = sum(any(id(parent) in known for parent in box.parents) for box in boxes)
    alike = count_alike(page, shape.alike)
    if nested or alike != len(boxes):
        detail = f"{alike} things look like posts, {len(boxes) - nested} stand where posts stand"
        raise IncompletePageError("page/drift", detail)


def _show_post(box: Tag, body: str, notes: str, shape: PageShape) -> ShownPost:
    post_id = _find(box, shape.id)
    if post_id is None:
        raise IncompletePageError("page/drift", f"a post with the id {_name(box)!r}")
    edited = _take_note(box, shape)
    author, account = _find(box, shape.author), _find(box, shape.account)
    if author is None or account is None:
        raise IncompletePageError("page/no-author", f"post {post_id} doesn't say who wrote it")
    time = _find(box, shape.time)
    if time is None:
        raise IncompletePageError("page/bad-time", f"post {post_id} doesn't say when it was written")
    return ShownPost(
        id=post_id,
        account=None if account == shape.guest else account,
        author=author,
        character=(shape.character and _find(box, shape.character)) or "",
        time=time,
        edited=edited,
        body=body,
        notes=notes,
    )


def _take_note(box: Tag, shape: PageShape) -> str:
    """The note that a post was edited, cut out of it, since it may stand within the time."""
    if shape.edited is None:
        return ""
    said = _find(box, shape.edited) or ""
    for note in box.select(shape.edited[0].partition("@")[0]):
        note.extract()
    return said


def _find(box: Tag, place: Place) -> str | None:
    """What stands at a place, blanks folded; None where nothing does, or something else."""
    where, pattern = place
    for one in where.split(", "):
        selector, _, name = one.partition("@")
        tag = box.select_one(selector) if selector else box
        if tag is not None:
            found = re.fullmatch(
                pattern, " ".join((attribute(tag, name) if name else tag.get_text()).split())
            )
            return found[1] if found is not None else None
    return None
