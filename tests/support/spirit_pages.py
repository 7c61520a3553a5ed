"""Pages in the dialect of django-spirit, written by hand: the structure that its templates have, nothing
else.

The parsers' tests and the stand-in forum share them; that the real forum speaks the same way is what the
contract tests show, which run over both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from html import escape
from zoneinfo import ZoneInfo

from markdown_it import MarkdownIt

_MONTHS = ("Jan.", "Feb.", "March", "April", "May", "June", "July", "Aug.", "Sept.", "Oct.", "Nov.", "Dec.")
_MARKDOWN = MarkdownIt("commonmark", {"breaks": True, "html": False, "langPrefix": "lang-"})


@dataclass(frozen=True, slots=True)
class ShownPost:
    """A post on a page. kind: `comment`, `removed`, or the icon of a notice such as `lock`."""

    id: str
    number: int
    author_id: str
    author: str
    date: datetime
    html: str = ""
    edits: int = 0
    kind: str = "comment"


@dataclass(frozen=True, slots=True)
class Viewer:
    """Whose session a page is made for."""

    id: str
    name: str
    zone: str = "UTC"


def render_markdown(text: str) -> str:
    """Turn a post's text into HTML much as Spirit does."""
    return str(_MARKDOWN.render(text))


def show_time(moment: datetime, zone: str = "UTC") -> str:
    """A time as Django writes it in English."""
    local = moment.astimezone(ZoneInfo(zone))
    hour, half = local.hour % 12 or 12, "a.m." if local.hour < 12 else "p.m."
    clock = f"{hour}:{local.minute:02} {half}" if local.minute else f"{hour} {half}"
    if local.minute == 0 and local.hour in (0, 12):
        clock = "midnight" if local.hour == 0 else "noon"
    return f"{_MONTHS[local.month - 1]} {local.day}, {local.year}, {clock}"


def frame(content: str, viewer: Viewer | None, path: str = "/", messages: Sequence[str] = ()) -> str:
    """The page around all content: header with the session's menu, or with the way to log in."""
    if viewer is None:
        menu = f'<a class="header__login" href="/user/login/?next={escape(path)}">Log in</a>'
    else:
        menu = (
            '<div class="header__tabs_content"><div class="header__tabs_content__tab js-user-content">'
            '<ul class="menu_list">'
            f'<li><a class="menu_list__link" href="/user/{viewer.id}/{viewer.name}/">Profile</a></li>'
            '<li><a class="menu_list__link" href="/topic/private/">Private topics</a></li>'
            "</ul></div></div>"
        )
    said = "".join(f"<li>{escape(message)}</li>" for message in messages)
    note = f'<div class="js-messages messages"><ul class="message_text">{said}</ul></div>' if said else ""
    return (
        '\n\n<!doctype html>\n<html>\n<head>\n<meta charset="utf-8">\n<title>Foro</title>\n</head>\n<body>\n'
        f'<header class="layout__header">{menu}{note}</header>\n{content}\n'
        '<footer class="layout__footer"></footer>\n</body>\n\n</html>\n'
    )


def show_post(post: ShownPost, zone: str = "UTC") -> str:
    """One post, removed post or notice in a topic."""
    when = show_time(post.date, zone)
    place = f'id="c{post.number}" data-number="{post.number}" data-pk="{post.id}"'
    user = f'href="/user/{post.author_id}/{post.author}/"'
    if post.kind != "comment":
        icon = "trash-o" if post.kind == "removed" else post.kind
        return (
            f'<div class="comments_list__item js-comment" {place}>'
            f'<div class="comments_list__item__badge"><i class="fa fa-{icon}"></i></div>'
            f'<div class="comments_list__item__info"><span><a {user}>{escape(post.author)}</a> '
            f'<span title="{when}">a while ago</span></span></div></div>\n'
        )
    pencil = f'<li><a href="/comment/history/{post.id}/"><i class="fa fa-pencil"></i> {post.edits}</a></li>'
    return (
        f'<div class="comments_list__comment js-comment" {place}>\n<div class="comment__info">'
        f'<div class="comment__info__username"><a class="comment__info__username__link" {user}>'
        f"<span>{escape(post.author)}</span></a></div>"
        f'<ul class="comment__info__date">{pencil if post.edits else ""}<li title="{when}">3m</li></ul>'
        "</div>\n"
        f'<div class="comment__text js-comment-text">\n{post.html}\n</div>\n'
        f'<div class="comment__footer"><ul class="comment__actions"></ul></div>\n</div>\n'
    )


def show_topic(
    topic: str,
    title: str,
    posts: Sequence[ShownPost],
    viewer: Viewer | None,
    *,
    page: int = 1,
    pages: int = 1,
    participants: Sequence[Viewer] | None = None,
    closed: bool = False,
    token: str = "t0k3n",  # noqa: S107 - of no session
) -> str:
    """A page of a topic; with participants, of a private conversation."""
    zone = viewer.zone if viewer else "UTC"
    people = "".join(
        '<li class="menu_list__participant"><a class="menu_list__participant__user" '
        f'href="/user/{p.id}/{p.name}/">{escape(p.name)}</a></li>'
        for p in participants or ()
    )
    content = (
        f'<div class="layout__{"article" if participants is None else "comments"}">'
        f'<h1 class="headline">\n{"<i class=fa></i>" if closed else ""}\n{escape(title)}\n</h1>'
        f'<ul class="menu_list">{people}</ul>\n'
        f'<div class="comments_list">\n{"".join(show_post(post, zone) for post in posts)}</div>\n'
        f'<div class="comments__footer_menu"><div class="comments__footer_menu__paginator">'
        f"{show_pages(page, pages)}</div></div>\n"
    )
    if viewer is not None:
        reply = show_form(f"/comment/{topic}/publish/", token, ("comment_hash",), ("comment",))
        content += "" if closed else f'<div id="reply">{reply}</div>\n'
        content += (
            f'<script>stModules.bookmark(x, {{target: "/comment/bookmark/{topic}/create/"}});</script>\n'
        )
    path = f"/topic/{topic}/x/" if participants is None else f"/topic/private/{topic}/x/"
    return frame(content + "</div>", viewer, path)


def show_pages(page: int, pages: int) -> str:
    """The paginator below a topic's posts."""
    links = [page - 1] * (page > 1) + [page + 1] * (page < pages)
    buttons = "".join(f'<li class="paginator__button"><a href="?page={n}">&gt;</a></li>' for n in links)
    return f'<ul class="paginator"><li class="paginator__pages">Page {page} of {pages}</li>{buttons}</ul>'


def show_form(
    action: str,
    token: str,
    hidden: Sequence[str] = (),
    fields: Sequence[str] = (),
    text: str = "",
    errors: Sequence[str] = (),
) -> str:
    """A form; the field `comment` is an area that holds `text`."""
    faults = "".join(f"<li>{escape(error)}</li>" for error in errors)
    inputs = "".join(f'<input type="hidden" name="{name}" id="id_{name}">' for name in hidden)
    inputs += f'<ul class="errorlist">{faults}</ul>' if faults else ""
    for name in fields:
        if name == "comment":
            inputs += f'<textarea name="comment" cols="40">\n{escape(text)}</textarea>'
        elif name == "category":
            inputs += '<select name="category"></select>'
        else:
            inputs += f'<input type="text" name="{name}">'
    return (
        f'<form action="{action}" method="post" class="js-reply">'
        f'<input type="hidden" name="csrfmiddlewaretoken" value="{token}">{inputs}</form>'
    )


def show_list(
    topics: Sequence[tuple[str, str]], viewer: Viewer, page: int = 1, pages: int = 1, private: bool = True
) -> str:
    """A page of a list of topics, given as (id, title)."""
    base = "/topic/private/" if private else "/topic/"
    entries = "".join(
        '<div class="layout__topics__topic"><div class="topic__title">'
        f'<a class="topic__link" href="{base}{topic}/{topic}-x/#c1">{escape(title)}</a></div></div>'
        for topic, title in topics
    )
    if pages == 1:
        buttons = '<li class="paginator__pages">Page 1 of 1</li>'
    else:
        numbers = range(1, pages + 1)
        marks = (f"<span>{n}</span>" if n == page else f"<a href=?page={n}>{n}</a>" for n in numbers)
        buttons = "".join(f'<li class="paginator__button">{mark}</li>' for mark in marks)
    body = entries or "<p>There are no topics here, yet</p>"
    content = f'<div class="layout__topics">{body}</div><ul class="paginator">{buttons}</ul>'
    return frame(content, viewer, base)


def show_preferences(viewer: Viewer, token: str) -> str:
    """The account's preferences with its time zone."""
    zones = dict.fromkeys(("UTC", "Europe/Madrid", viewer.zone))
    options = "".join(
        f'<option value="{z}"{" selected" if z == viewer.zone else ""}>{z}</option>' for z in zones
    )
    select = f'<select name="timezone" id="id_timezone">{options}</select>'
    form = f'<form action="." method="post"><input type="hidden" name="csrfmiddlewaretoken" value="{token}">'
    return frame(f"{form}{select}</form>", viewer, "/user/")


def show_login(token: str, errors: Sequence[str] = (), messages: Sequence[str] = ()) -> str:
    """The login form."""
    return frame(show_form(".", token, (), ("username", "password"), "", errors), None, "/user/", messages)


def http_date(moment: datetime) -> str:
    """A moment as the Date header writes it."""
    return moment.astimezone(UTC).strftime("%a, %d %b %Y %H:%M:%S GMT")
