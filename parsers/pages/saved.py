"""Pages that a person has saved from a browser: whose software they are of, and their posts.

A software without a parser here is refused by its name, so that its page is never taken for an empty one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from bs4 import Tag

from parsers.pages import flaskbb, mybb, phpbb, smf, smf_frame, spirit, umbria
from parsers.pages.guard import IncompletePageError, NotATopicPage
from parsers.pages.mybb_time import find_clock, learn_saved_face
from parsers.pages.shaped import find_topic, read_posts
from parsers.pages.shapes import SHAPES
from parsers.pages.topics import TopicPage, attribute, read_page
from rules.play.posts import Post

_NAMES: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("phpBB", re.compile(r"powered by phpbb|phpbb limited", re.IGNORECASE)),
    ("MyBB", re.compile(r"powered by .{0,80}mybb|my_post_key", re.IGNORECASE | re.DOTALL)),
    ("XenForo", re.compile(r"id=[\"']XF[\"']|data-xf-init", re.IGNORECASE)),
    ("SMF", re.compile(r"simplemachines\.org|smf_scripturl", re.IGNORECASE)),
    ("vBulletin", re.compile(r"vbulletin", re.IGNORECASE)),
    ("NodeBB", re.compile(r"nodebb", re.IGNORECASE)),
    ("Discourse", re.compile(r"content=[\"']discourse|discourse-cdn|data-discourse", re.IGNORECASE)),
    ("Flarum", re.compile(r"flarum", re.IGNORECASE)),
    ("FlaskBB", re.compile(r"flaskbb", re.IGNORECASE)),
    ("Misago", re.compile(r"misago", re.IGNORECASE)),
    ("Comunidad Umbría", re.compile(r"comunidadumbria", re.IGNORECASE)),
)
"""Marks of software that we know by name and have no parser for."""


@dataclass(frozen=True, slots=True)
class SavedPage:
    """A page of a topic or of a private conversation, as it was saved.

    file: as the director knows it. software: as in `game.toml`. saved_at: UTC. topic: "" where the page
    doesn't say. page, pages: 1-based, None where it doesn't say; then nothing proves that none is missing.
    """

    file: str
    software: str
    saved_at: datetime
    topic: str
    private: bool
    posts: tuple[Post, ...]
    page: int | None
    pages: int | None


class OtherSoftware(NotATopicPage):
    """A page of a forum for which there is no parser; `name` says which, "" where nothing tells."""

    def __init__(self, name: str) -> None:
        super().__init__("page/other-software", f"a page of {name or 'an unknown software'}")
        self.name = name


def parse_saved(
    body: bytes,
    file: str,
    saved_at: datetime,
    zone: ZoneInfo,
    link: Callable[[str], str],
    *,
    notes: bool = False,
) -> SavedPage:
    """Read a saved page, whole or not at all.

    zone: in which the account that saved it sees times. link: makes a post's address from its id. notes:
    whether what is written beside posts for few counts, as private messages.

    Raises:
        OtherSoftware: no parser for it. PageError: no topic page, cut, garbled, or with posts that are newer
        than the page.
    """
    tree = read_page(body, None)
    for marked, parse in _PARSERS.values():
        if tree.select_one(marked) is not None:
            page = parse(tree, _Save(file, saved_at, zone, link, notes))
            _check_age(page)
            return page
    text = body.decode("utf-8", errors="ignore")  # only to name the software, nothing is read from it
    raise OtherSoftware(next((name for name, mark in _NAMES if mark.search(text)), ""))


@dataclass(frozen=True, slots=True)
class _Save:
    """What is known of a saved page besides its tree."""

    file: str
    saved_at: datetime
    zone: ZoneInfo
    link: Callable[[str], str]
    notes: bool

    def of(self, software: str, page: TopicPage) -> SavedPage:
        """The page of a topic or conversation that says which of how many it is."""
        return SavedPage(
            self.file,
            software,
            self.saved_at,
            page.topic,
            page.private,
            page.posts,
            page.page,
            page.pages,
        )

    def alone(self, software: str, posts: tuple[Post, ...], topic: str = "") -> SavedPage:
        """A page that proves nothing but itself."""
        return SavedPage(self.file, software, self.saved_at, topic, False, posts, None, None)


def _parse_spirit(tree: Tag, save: _Save) -> SavedPage:
    return save.of("spirit", spirit.parse_topic(tree, save.zone, save.link))


def _parse_umbria(tree: Tag, save: _Save) -> SavedPage:
    return save.alone("umbria", umbria.parse_scene(tree, save.zone, save.link, notes=save.notes))


def _parse_flaskbb(tree: Tag, save: _Save) -> SavedPage:
    """A topic, or a conversation: its page doesn't say which one, so it is called after its first message."""
    first = tree.select_one(".conversation-message")
    if first is None:
        return save.of("flaskbb", flaskbb.parse_topic(tree, save.link))
    name = attribute(first, "id").replace("mid", "c")
    return save.of("flaskbb", flaskbb.parse_conversation(tree, name, (), save.link(name)))


def _parse_phpbb(tree: Tag, save: _Save) -> SavedPage:
    return save.of("phpbb", phpbb.parse_topic(tree, save.link))


def _parse_smf(tree: Tag, save: _Save) -> SavedPage:
    """Its words for days mean the page's own day, whenever the page was saved; it has to tell its time."""
    clock = smf_frame.read_saved_clock(tree, save.zone)
    return save.of("smf", smf.parse_topic(tree, clock, save.link))


def _parse_mybb(tree: Tag, save: _Save) -> SavedPage:
    """A topic; the clock at its foot proves by what format and how far from UTC its times are shown."""
    offset = save.saved_at.astimezone(save.zone).utcoffset() or timedelta()
    face = learn_saved_face(find_clock(tree), save.saved_at, offset)
    return save.of("mybb", mybb.parse_topic(tree, face, save.link))


def _by_shape(software: str) -> Parse:
    """The parser of a software whose pages are read by their shape."""

    def parse(tree: Tag, save: _Save) -> SavedPage:
        shape = SHAPES[software]
        read = read_posts(tree, shape, save.zone, save.link)
        return save.alone(software, tuple(post for post, _ in read), find_topic(tree, shape))

    return parse


Parse = Callable[[Tag, _Save], SavedPage]

_PARSERS: Mapping[str, tuple[str, Parse]] = {
    "spirit": ("div.comments_list, footer.layout__footer", _parse_spirit),
    "umbria": ("div#listaMensajes", _parse_umbria),
    "flaskbb": (".flaskbb-navbar", _parse_flaskbb),
    "phpbb": ("body#phpbb", _parse_phpbb),
    "mybb": ("#container > #header #panel, #posts > div.post[id^=post_]", _parse_mybb),
    "xenforo": ("html#XF, article.message[data-content^=post-]", _by_shape("xenforo")),
    "smf": ("#quickModForm, #footer a[href*='simplemachines.org']", _parse_smf),
    "nodebb": ('[component="topic"], li[component=post]', _by_shape("nodebb")),
}
"""By software: what only its pages have, and their parser."""

READABLE = tuple(_PARSERS)
"""Software whose saved pages can be read."""


def _check_age(page: SavedPage) -> None:
    """A page can't hold posts of after it was saved; a minute for times without seconds, two for clocks."""
    newest = max(post.created_at for post in page.posts)
    if (newest - page.saved_at).total_seconds() > 180:
        raise IncompletePageError(
            "page/younger-post", f"{newest:%Y-%m-%d %H:%M} is later than {page.saved_at:%Y-%m-%d %H:%M} UTC"
        )
