"""Pages in the dialect of FlaskBB 3, written by hand: the structure that its templates have, nothing else.

The parser's tests and the stand-in forum share them; that the real forum speaks the same way is what the
contract tests show, which run over both.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from html import escape

from tests.support.spirit_pages import render_markdown

FALSE_SUCCESS = (
    "<!doctype html>\n<html lang=en>\n<title>None Unknown Error</title>\n"
    "<h1>Unknown Error</h1>\n<p>Could not load forum data</p>\n"
)


@dataclass(frozen=True, slots=True)
class ShownPost:
    """A post on a page. author: login name. user: whether the account still exists."""

    id: str
    number: int
    author: str
    date: datetime
    html: str = ""
    edited: datetime | None = None
    hidden: bool = False
    signature: str = ""
    user: bool = True


def render(text: str) -> str:
    """Turn a post's text into HTML much as FlaskBB does: it loses the words behind a fence."""
    return re.sub(r'<code class="[^"]*">', "<code>", render_markdown(text))


def quote(name: str, text: str, post_id: str | None) -> str:
    """A text as FlaskBB gives it to whoever wants to quote it."""
    view = "" if post_id is None else f" [view post](/post/{post_id})"
    return f"> **[{name}](/user/{name}) wrote:**{view}\n>\n> " + text.strip().replace("\n", "\n> ") + "\n\n"


def frame(content: str, viewer: str | None, token: str = "t0k3n", said: Sequence[str] = ()) -> str:  # noqa: S107
    """The page around all content: the menu of a member or of a guest, and what the forum has to say."""
    if viewer is None:
        menu = '<a class="btn btn-primary" href="/auth/login">Login</a>'
    else:
        menu = (
            f'<a class="btn btn-primary" href="/user/{viewer}"><span class="fa-user"></span> {viewer}</a>'
            '<ul class="dropdown-menu"><li><a class="dropdown-item" href="/auth/logout">Logout</a></li></ul>'
        )
    flashed = "".join(f'<div class="alert alert-warning" role="alert">{escape(one)}</div>' for one in said)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head><meta charset="utf-8" />'
        f'<meta name="csrf-token" content="{token}" /><title>Foro</title></head>\n<body>\n'
        f'<nav class="navbar flaskbb-navbar"><div class="btn-group">{menu}</div></nav>\n'
        f'<div id="flashed-messages">{flashed}</div>\n<div id="page-content">{content}</div>\n'
        "</body>\n\n</html>"
    )


def show_time(moment: datetime) -> str:
    """A time as FlaskBB writes it: to the microsecond in the attribute, in words for readers."""
    return f'<time datetime="{moment.isoformat()}" data-what_to_display="date-and-time">a while ago</time>'


def show_pages(page: int, pages: int, url: str) -> str:
    """The row of page numbers."""
    items = [
        f'<li class="page-item{" active" if n == page else ""}">'
        f'<a class="page-link" href="{"#" if n == page else f"{url}?page={n}"}">{n}</a></li>'
        for n in range(1, pages + 1)
    ]
    if page < pages:
        items.append(f'<li class="page-item"><a class="page-link" href="{url}?page={page + 1}">»</a></li>')
    label = '<li class="page-item disabled"><a class="page-link" href="#"><span>Pages</span></a></li>'
    return f'<ul class="pagination">{label}{"".join(items)}</ul>'


def show_post(post: ShownPost) -> str:
    """One post of a topic."""
    name = escape(post.author)
    author = f'<a href="/user/{name}">{name}</a>' if post.user else name
    edited = (
        f" <small>(Last modified: {show_time(post.edited)} by <a>{name}</a>)</small>" if post.edited else ""
    )
    veil = '<div class="alert alert-warning"><span class="fa fa-user-secret"></span> hidden</div>'
    signature = f'<div class="post-signature d-none d-sm-block"><hr />{post.signature}</div>'
    return (
        f'<div id="{post.id}" class="row post-row"><div class="author col-md-2">'
        f'<div class="author-name"><h4>{author}</h4></div>'
        f'<div class="author-registered">Joined: {show_time(post.date)}</div></div>'
        f'<div class="post-box col-md-10"><div class="post-meta row"><div class="col-auto me-auto g-0">'
        f'<a href="/post/{post.id}">{show_time(post.date)}</a>{edited}</div>'
        f'<div class="col-auto g-0"><strong>#{post.number}</strong></div></div>'
        f'<div class="post-content" id="pid{post.id}">\n{veil if post.hidden else ""}{post.html}\n'
        f"<!-- Signature Begin -->{signature if post.signature else ''}<!-- Signature End -->\n</div>"
        '<div class="post-footer"></div></div></div>\n'
    )


def show_topic(
    topic: str,
    title: str,
    posts: Sequence[ShownPost],
    viewer: str | None,
    *,
    page: int = 1,
    pages: int = 1,
    closed: bool = False,
    token: str = "t0k3n",  # noqa: S107 - of no session
    said: Sequence[str] = (),
) -> str:
    """A page of a topic."""
    url = f"/topic/{topic}-x"
    track = f'<form method="post" action="/topictracker/{topic}/add">{hidden(token)}</form>'
    reply = show_form("", token, {}, "content") if viewer is not None and not closed else ""
    content = (
        f'<div class="topic-view"><div id="topic-header">{show_pages(page, pages, url)}{track}</div>'
        f'<div class="card topic" id="topic-posts"><div class="card-header topic-header">'
        f'<a href="{url}">{escape(title)}</a></div>'
        f'<div class="card-body topic-body">{"".join(map(show_post, posts))}</div></div>'
        f'<div id="topic-footer">{show_pages(page, pages, url)}</div>{reply}</div>'
    )
    return frame(content, viewer, token, said)


def hidden(token: str) -> str:
    """The field with the session's token."""
    return f'<input id="csrf_token" name="csrf_token" type="hidden" value="{token}">'


def show_form(
    action: str,
    token: str,
    fields: dict[str, str],
    area: str = "",
    text: str = "",
    wrong: Sequence[str] = (),
    checkbox: str = "",
) -> str:
    """A form; `area` names its text area, if any. checkbox: name of one more field."""
    inputs = "".join(f'<input name="{name}" type="{kind}" value="">' for name, kind in fields.items())
    inputs += f'<input name="{checkbox}" type="checkbox" value="y">' if checkbox else ""
    box = (
        f'<textarea id="{area}" name="{area}" required rows="6">\r\n{escape(text)}</textarea>' if area else ""
    )
    faults = "".join(f'<div class="invalid-feedback">{escape(one)}</div>' for one in wrong)
    limit = '<div class="invalid-feedback attachment-limit-error">Only 5 attachments.</div>'
    return (
        f'<form class="form" method="post"{f" action={action!r}" if action else ""}>{hidden(token)}'
        f'{inputs}{box}{faults}{limit}<input name="submit" type="submit" value="Reply"></form>'
    )


@dataclass(frozen=True, slots=True)
class ShownMessage:
    """A private message on a page."""

    id: str
    author: str
    date: datetime
    html: str


def show_conversation(
    number: str, title: str, messages: Sequence[ShownMessage], viewer: str, token: str, said: Sequence[str]
) -> str:
    """A private conversation, whole."""
    boxes = "".join(
        f'<div class="conversation-message" id="mid{one.id}"><div class="message-header">'
        f'<div class="message-author"><a class="author-name" href="/user/{one.author}">{one.author}</a>'
        f'<div class="message-meta"><time datetime="{one.date}">{show_time(one.date)}</time>'
        f'</div></div></div><div class="message-content">{one.html}</div></div>'
        for one in messages
    )
    form = show_form(f"/conversations/{number}/view", token, {}, "message")
    content = (
        '<div id="message-content"><div class="card conversation">'
        '<div class="card-header conversation-header">'
        f"Subject: <strong>{escape(title)}</strong></div>"
        f'<div class="card-body conversation-body">{boxes}</div></div>{form}</div>'
    )
    return frame(content, viewer, token, said)


@dataclass(frozen=True, slots=True)
class ShownEntry:
    """A conversation in the list."""

    id: str
    title: str
    sender: str
    recipient: str
    html: str


def show_list(
    entries: Sequence[ShownEntry], viewer: str, page: int, pages: int, said: Sequence[str] = ()
) -> str:
    """A page of the list of private conversations."""
    rows = "".join(
        '<div class="row conversation-row hover"><div class="col conversation-info">'
        f'<div class="conversation-subject">'
        f'<a href="/conversations/{one.id}/view">{escape(one.title)}</a></div>'
        f'<div class="conversation-meta text-small">From <a href="/user/{one.sender}">{one.sender}</a> to '
        f'<a href="/user/{one.recipient}">{one.recipient}</a></div>'
        f'<div class="conversation-content">{one.html}</div></div></div>'
        for one in entries
    )
    none = '<div class="row conversation-row"><div>No conversations found.</div></div>'
    content = (
        '<div id="message-content"><div class="card conversation mb-3">'
        f'<div class="card-body conversation-body">{rows or none}</div></div>'
        f"{show_pages(page, pages, '/conversations/')}</div>"
    )
    return frame(content, viewer, said=said)
