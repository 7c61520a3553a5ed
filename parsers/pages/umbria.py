"""Pages of Comunidad Umbría: the posts of a game's scene.

What is known of these pages is how a post is built (`parsers.pages.shapes`): nothing is known of how a
scene is cut into pages, of edit marks, or of the page of somebody who isn't logged in. So a page proves
itself only (each post whole, and nothing that looks like a post elsewhere), never that no other page is
missing: that is the director's word.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from zoneinfo import ZoneInfo

from bs4 import Tag

from parsers.pages.shaped import read_posts
from parsers.pages.shapes import UMBRIA
from rules.play.posts import Post


def parse_scene(
    page: Tag, zone: ZoneInfo, link: Callable[[str], str], *, notes: bool = False
) -> tuple[Post, ...]:
    """The posts of a page, in the order in which they stand there.

    zone: in which whoever saved the page sees times. link: makes a post's address from its id.
    notes: whether the notes of a post that the page's reader is let see are private messages of its author.

    Raises:
        NotATopicPage: no list of posts. IncompletePageError: a post without author, time or text, one inside
        another, a post twice, or a thing that looks like a post and stands elsewhere.
    """
    return tuple(_list_posts(page, zone, link, notes=notes))


def _list_posts(page: Tag, zone: ZoneInfo, link: Callable[[str], str], *, notes: bool) -> Iterator[Post]:
    for post, shown in read_posts(page, UMBRIA, zone, link):
        yield post
        if notes and shown.notes:
            yield replace(post, id=f"{post.id}n", html=shown.notes, private=True)
