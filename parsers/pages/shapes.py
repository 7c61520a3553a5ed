"""Where the pages of forums show their posts, by software; `parsers.pages.shaped` reads them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from parsers.pages.moments import Moment, localize
from rules.play.posts import Precision

Place = tuple[str, str]
"""Where a thing stands: `selector@attribute` (of the post itself without a selector) or `selector` for its
text, and a pattern whose group it is.
"""

_WHOLE = r"\s*(.*\S)\s*"
_NUMBER = "([0-9]{1,18})"
_DAY_FIRST = re.compile(r"([0-9]{1,2})/([0-9]{1,2})/([0-9]{4}), ([0-9]{1,2}):([0-9]{2})")


@dataclass(frozen=True, slots=True)
class PageShape:
    """How a software's page shows a post; selectors hold within the post, those of its body stand in
    `parsers.markup.dialect`.

    frame: holds all posts, "" for the page. post: the posts. alike: what looks like one, wherever it stands.
    body: holds the author's text.
    id, account, author, time: as `Place`. read_time: what the time means, in the account's zone; raises
    ValueError. guest: the account of whoever has none. edited: the forum's note that a post was edited, and
    when. character: whom the author plays. notes: texts for few beside the body. topic: the page's, of the
    page.
    """

    software: str
    post: str
    alike: str
    body: str
    id: Place
    account: Place
    author: Place
    time: Place
    read_time: Callable[[str, ZoneInfo], Moment]
    precision: Precision
    frame: str = ""
    guest: str = ""
    edited: Place | None = None
    character: Place | None = None
    notes: str = ""
    topic: Place | None = None


def _read_day_first(text: str, zone: ZoneInfo) -> Moment:
    found = _DAY_FIRST.fullmatch(" ".join(text.split()))
    if found is None:
        raise ValueError(f"{text!r} is no date")
    day, month, year, hour, minute = (int(part) for part in found.groups())
    return localize(datetime(year, month, day, hour, minute, tzinfo=zone), zone)


def _read_iso(text: str, _zone: ZoneInfo) -> Moment:
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError(f"{text!r} says no zone")
    return Moment(moment.astimezone(UTC))


def _read_milliseconds(text: str, _zone: ZoneInfo) -> Moment:
    return Moment(datetime.fromtimestamp(int(text) / 1000, UTC))


def _leave_to_adapter(text: str, _zone: ZoneInfo) -> Moment:
    raise ValueError(f"{text!r} is written as the board is set")


UMBRIA = PageShape(
    software="umbria",
    frame="#listaMensajes",
    post="div.mensaje[id^=msj]",
    alike="[id^=msj], div.mensaje",
    body="div.texto",
    id=("@id", f"msj{_NUMBER}"),
    account=(".avatar a.linkAvatar@href", rf".*/companeros/{_NUMBER}(?:[/?#].*)?"),
    author=(".avatar img.fotoAvatar@title", _WHOLE),
    time=("div.fecha", _WHOLE),
    read_time=_read_day_first,
    precision=Precision.MINUTE,
    character=("div.pj", _WHOLE),
    notes="div.notas",
)
"""Comunidad Umbría. The author is whose picture it is; a character's name decides nothing."""

PHPBB = PageShape(
    software="phpbb",
    post="div.post[id^=p]",
    alike="div.post",
    body="div.content",
    id=("@id", f"p{_NUMBER}"),
    account=(
        "p.author strong a.username@href, p.author strong a.username-coloured@href",
        rf".*[?&;]u={_NUMBER}.*",
    ),
    author=("p.author strong .username, p.author strong .username-coloured", _WHOLE),
    time=("p.author time@datetime", _WHOLE),
    read_time=_read_iso,
    precision=Precision.SECOND,
    edited=("div.notice", _WHOLE),
)
"""phpBB 3.3."""

XENFORO = PageShape(
    software="xenforo",
    post="article.message[data-content^=post-]",
    alike="article.message",
    body="article.message-body > div.bbWrapper",
    id=("@data-content", f"post-{_NUMBER}"),
    account=("h4.message-name .username@data-user-id", _NUMBER),
    author=("h4.message-name .username", _WHOLE),
    time=("header.message-attribution time@datetime", _WHOLE),
    read_time=_read_iso,
    precision=Precision.SECOND,
    guest="0",
    edited=("div.message-lastEdit time@datetime", _WHOLE),
)
"""XenForo 2."""

DISCOURSE = PageShape(
    software="discourse",
    post="article[data-post-id]",
    alike="[data-post-id]",
    body="div.cooked",
    id=("@data-post-id", _NUMBER),
    account=("@data-user-id", "(-?[0-9]{1,18})"),
    author=(".names .username a", _WHOLE),
    time=(".post-date .relative-date@data-time", "([0-9]{1,15})"),
    read_time=_read_milliseconds,
    precision=Precision.SECOND,
    edited=(".post-info.edits .relative-date@data-time", _WHOLE),
)
"""Discourse with scripts. A browser holds only the posts that are near to what it shows: such a page is known
by its shape, and never taken for a topic.
"""

NODEBB = PageShape(
    software="nodebb",
    post="li[component=post]",
    alike="[data-pid][component=post]",
    body='[component="post/content"]',
    id=("@data-pid", _NUMBER),
    account=("@data-uid", "(-?[0-9]{1,18})"),
    author=("@data-username", _WHOLE),
    time=("meta[itemprop=datePublished]@content", _WHOLE),
    read_time=_read_iso,
    precision=Precision.SECOND,
    guest="0",
    edited=("meta[itemprop=dateModified]@content", _WHOLE),
    topic=("ul[component=topic]@data-tid", _NUMBER),
)
"""NodeBB. In a browser its scripts have rewritten all times but those for machines."""

MYBB = PageShape(
    software="mybb",
    post="div.post[id^=post_]",
    alike="div.post",
    body="div.post_body",
    id=("@id", f"post_{_NUMBER}"),
    account=("div.author_information strong a@href", rf".*[?&;]uid={_NUMBER}.*"),
    author=("div.author_information strong a", _WHOLE),
    time=("span.post_date", _WHOLE),
    read_time=_leave_to_adapter,
    precision=Precision.MINUTE,
    edited=("span.edited_post", _WHOLE),
)
"""MyBB 1.8."""

SMF = PageShape(
    software="smf",
    post="div[id^=msg].windowbg",
    alike="div.windowbg[id^=msg]",
    body="div.inner[data-msgid]",
    id=("@id", f"msg{_NUMBER}"),
    account=("div.poster h4 a@href", rf".*[?&;]u={_NUMBER}.*"),
    author=("div.poster h4 a", _WHOLE),
    time=("div.postinfo > a.smalltext", _WHOLE),
    read_time=_leave_to_adapter,
    precision=Precision.SECOND,
    edited=("span.modified", _WHOLE),
)
"""SMF 2.1."""

SHAPES: Mapping[str, PageShape] = {
    one.software: one for one in (UMBRIA, PHPBB, XENFORO, DISCOURSE, NODEBB, MYBB, SMF)
}
"""By the software's name in `game.toml`."""
