"""Saved pages of Comunidad Umbría: the posts of a game's scene.

What is known of these pages is how a post is built (forums.md and its sample): nothing is known of how a
scene is cut into pages, of edit marks, or of the page of somebody who isn't logged in. So a page proves
itself only (each post whole, and nothing that looks like a post elsewhere), never that no other page is
missing: that is the director's word.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime
from zoneinfo import ZoneInfo

from bs4 import Tag

from parsers.pages.guard import IncompletePageError, NotATopicPage
from parsers.pages.moments import Moment, localize
from rules.play.posts import Post, Precision

_ID = re.compile(r"msj([0-9]{1,18})")
_ACCOUNT = re.compile(r"/companeros/([0-9]{1,18})(?:[/?#]|$)")
_DATE = re.compile(r"([0-9]{1,2})/([0-9]{1,2})/([0-9]{4}), ([0-9]{1,2}):([0-9]{2})")


def parse_scene(page: Tag, zone: ZoneInfo, link: Callable[[str], str]) -> tuple[Post, ...]:
    """The posts of a page, in the order in which they stand there.

    The players' texts are taken out of the tree first, so that nothing people write is mistaken for
    structure; private notes (`notas`) stand outside of the texts and aren't read.

    zone: in which whoever saved the page sees times. link: makes a post's address from its id.

    Raises:
        NotATopicPage: no list of posts. IncompletePageError: a post without author, time or text, one inside
        another, a post twice, or a thing that looks like a post and stands elsewhere.
    """
    frame = page.find(id="listaMensajes")
    if not isinstance(frame, Tag):
        raise NotATopicPage("page/no-topic", "no list of posts")
    boxes = frame.select("div.mensaje[id^=msj]")
    bodies = [_take_body(box) for box in boxes]
    if not boxes:
        raise NotATopicPage("page/no-posts", "a scene has at least one post, this page has none")
    _check_boxes(page, boxes)
    posts = tuple(_parse_post(box, body, zone, link) for box, body in zip(boxes, bodies, strict=True))
    if len({post.id for post in posts}) != len(posts):
        raise IncompletePageError("page/repeated-post", "a post stands on the page twice")
    return posts


def _take_body(box: Tag) -> str:
    bodies = box.find_all("div", class_="texto", recursive=False)
    if len(bodies) != 1 or bodies[0].select_one("div.mensaje, div.wrapMensaje, div.notas") is not None:
        # Unclosed markup in a post lets the next one, or its private notes, slip into its text.
        raise IncompletePageError("page/no-body", f"post {box.get('id')} has no text of its own")
    body: Tag = bodies[0].extract()
    return body.decode_contents().strip()


def _check_boxes(page: Tag, boxes: list[Tag]) -> None:
    marked = page.select("[id^=msj], div.mensaje")
    nested = [box for box in boxes if box.find_parent("div", class_="mensaje") is not None]
    if nested or len(marked) != len(boxes):
        detail = f"{len(marked)} things look like posts, {len(boxes) - len(nested)} stand where posts stand"
        raise IncompletePageError("page/drift", detail)


def _parse_post(box: Tag, body: str, zone: ZoneInfo, link: Callable[[str], str]) -> Post:
    found = _ID.fullmatch(str(box.get("id")))
    if found is None:
        raise IncompletePageError("page/drift", f"a post with the id {box.get('id')!r}")
    author_id, author = _parse_author(box, found[1])
    moment = _parse_time(box, found[1], zone)
    return Post(
        id=found[1],
        topic="",
        author_id=author_id,
        author=author,
        created_at=moment.utc,
        precision=Precision.MINUTE,
        url=link(found[1]),
        html=body,
        ambiguous=moment.ambiguous,
    )


def _parse_author(box: Tag, post_id: str) -> tuple[str, str]:
    """Account id and name, from the picture that links to the player's page."""
    anchor, picture = box.select_one(".avatar a.linkAvatar"), box.select_one(".avatar img.fotoAvatar")
    account = _ACCOUNT.search(str(anchor.get("href"))) if anchor is not None else None
    name = str(picture.get("title") or "").strip() if picture is not None else ""
    if account is None or not name:
        raise IncompletePageError("page/no-author", f"post {post_id} doesn't say who wrote it")
    return account[1], name


def _parse_time(box: Tag, post_id: str, zone: ZoneInfo) -> Moment:
    shown = box.select_one("div.fecha")
    text = " ".join(shown.get_text().split()) if shown is not None else ""
    found = _DATE.fullmatch(text)
    if found is None:
        raise IncompletePageError("page/bad-time", f"post {post_id}: {text!r} is no date")
    day, month, year, hour, minute = (int(part) for part in found.groups())
    try:
        return localize(datetime(year, month, day, hour, minute, tzinfo=zone), zone)
    except ValueError as error:
        raise IncompletePageError("page/bad-time", f"post {post_id}: {error}") from None
