"""Pages in the dialect of phpBB 3.3, written by hand: the structure that prosilver has, nothing else.

The parser's tests and the stand-in forum share them. phpBB can't be run here: what is known of it was read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from html import escape

from tests.support.bbcode_renderer import render_stack
from tests.support.phpbb_words import say


@dataclass(frozen=True, slots=True)
class ShownPost:
    """A post on a page. author_id: None for an account that is gone. edits: as its notice counts them.

    state: `visible`, `deleted`, `unapproved` or `ignored`.
    """

    id: str
    author_id: str | None
    author: str
    date: datetime
    html: str = ""
    edits: int = 0
    reason: str = ""
    bumped: bool = False
    state: str = "visible"
    signature: str = ""
    attached: str = ""


@dataclass(frozen=True, slots=True)
class Viewer:
    """Whose session a page is made for. language: in which it is written. moderator: of this forum."""

    id: str
    name: str
    language: str = "es"
    moderator: bool = False


@dataclass(frozen=True, slots=True)
class ShownFile:
    """A file of a post, or of none yet. size: in bytes."""

    id: int
    name: str
    size: int
    orphan: bool


def render(text: str) -> str:
    """Turn a post's text into HTML much as phpBB does."""
    return render_stack(text)


def generate_quote(text: str, name: str, **values: object) -> str:
    """A text as phpBB gives it to whoever wants to quote it."""
    parts = "".join(f" {key}={_quoted(str(value))}" for key, value in sorted(values.items()))
    head = f"[quote={_quoted(name)}{parts}]"
    apart = "\n" if len(f"{head}{text}[/quote]".encode()) > 80 or "\n" in text else ""
    return f"{head}{apart}{text}{apart}[/quote]"


def _quoted(value: str) -> str:
    if not re.search(r"""[ "'\\\]]""", value):
        return value
    double = '"' + re.sub(r'(["\\])', r"\\\1", value) + '"'
    single = "'" + re.sub(r"(['\\])", r"\\\1", value) + "'"
    return single if len(single) < len(double) else double


def show_name(name: str, account: str | None) -> str:
    """An account's name, with a link to its profile while it exists."""
    if account is None:
        return f'<span class="username">{escape(name)}</span>'
    return f'<a href="./memberlist.php?mode=viewprofile&amp;u={account}" class="username">{escape(name)}</a>'


def frame(content: str, viewer: Viewer | None, refresh: str | None = None) -> str:
    """The page around all content: the menu of a member or of a guest. refresh: where it leads by itself."""
    language = viewer.language if viewer else "es"
    if viewer is None:
        menu = '<li class="rightside"><a href="./ucp.php?mode=login&amp;redirect=index.php">Entrar</a></li>'
    else:
        moderating = '<li><a href="./mcp.php?i=main">Moderar</a></li>' if viewer.moderator else ""
        menu = (
            f'{moderating}<li id="username_logged_in" class="rightside">'
            '<div class="header-profile dropdown-container">'
            f'<a href="./ucp.php" class="header-avatar dropdown-trigger">{escape(viewer.name)}</a>'
            '<ul class="dropdown-contents"><li><a href="./ucp.php">Panel</a></li>'
            f'<li><a href="./memberlist.php?mode=viewprofile&amp;u={viewer.id}">Perfil</a></li>'
            '<li><a href="./ucp.php?mode=logout&amp;sid=abc">Salir</a></li></ul></div></li>'
        )
    meta = f'<meta http-equiv="refresh" content="{escape(refresh)}" />' if refresh else ""
    return (
        f'<!DOCTYPE html>\n<html dir="ltr" lang="{language}">\n<head><meta charset="utf-8" />{meta}'
        '<title>Foro</title></head>\n<body id="phpbb" class="nojs notouch section-viewtopic ltr">\n'
        '<div id="wrap" class="wrap"><div id="page-header"><div class="navbar"><div class="inner">'
        f'<ul id="nav-main" class="nav-main linklist">{menu}</ul></div></div></div>\n'
        f'<div id="page-body" class="page-body">{content}</div>\n'
        '<div id="page-footer">Powered by phpBB</div></div>\n</body>\n</html>\n'
    )


def show_notice(words: str, viewer: Viewer | None, refresh: str | None = None) -> str:
    """What phpBB says in place of a page."""
    back = '<br /><br /><a href="./index.php">Volver</a>'
    box = f'<div class="panel" id="message"><div class="inner"><h2>!</h2><p>{words}{back}</p></div></div>'
    return frame(box, viewer, refresh)


def show_pages(language: str, url: str, page: int, pages: int, length: int) -> str:
    """The row of page numbers, which a list of one page doesn't have."""
    if pages == 1:
        return f" &bull; {say(language, 'page-of', page=1, pages=1)}"
    items = []
    if page > 1:
        items.append(_arrow("previous", "prev", _address(url, page - 1, length), say(language, "previous")))
    for number in range(1, pages + 1):
        if number == page:
            items.append(f'<li class="active"><span>{number}</span></li>')
        elif number in (1, pages) or abs(number - page) < 3:
            link = _address(url, number, length)
            items.append(f'<li><a class="button" href="{link}" role="button">{number}</a></li>')
        else:
            items.append('<li class="ellipsis" role="separator"><span>…</span></li>')
    if page < pages:
        items.append(_arrow("next", "next", _address(url, page + 1, length), say(language, "next")))
    jump = (
        '<li class="dropdown-container page-jump"><a class="button dropdown-trigger" href="#">'
        f'<span class="sr-only">{say(language, "page-of", page=page, pages=pages)}</span></a></li>'
    )
    return f"<ul>{jump}{''.join(items)}</ul>"


def _address(url: str, page: int, length: int) -> str:
    return url if page == 1 else f"{url}&amp;start={(page - 1) * length}"


def _arrow(kind: str, rel: str, link: str, words: str) -> str:
    return (
        f'<li class="arrow {kind}"><a class="button button-icon-only" href="{link}" rel="{rel}">'
        f'<span class="sr-only">{words}</span></a></li>'
    )


def show_post(post: ShownPost, language: str = "es") -> str:
    """One post of a topic."""
    name, shown = show_name(post.author, post.author_id), f"{post.date:%d %b %Y, %H:%M}"
    veiled = post.state in ("deleted", "ignored")
    hidden = ' style="display: none;"' if veiled else ""
    veil = f'<div class="ignore" id="post_hidden{post.id}">…<br /></div>' if veiled else ""
    notice = ""
    if post.state in ("deleted", "unapproved"):
        words = say(language, post.state)
        notice = f'<p class="post-notice {post.state}"><strong>{words}</strong></p>'
    below = "".join(_notices(post, language, name, shown))
    deleted = " deleted" if post.state == "deleted" else ""
    signed = f'<div id="sig{post.id}" class="signature">{post.signature}</div>' if post.signature else ""
    return (
        f'<div id="p{post.id}" class="post has-profile bg2{deleted}"><div class="inner">'
        f'<dl class="postprofile" id="profile{post.id}"{hidden}><dt class="no-avatar">{name}</dt>'
        '<dd class="profile-posts"><strong>Mensajes:</strong> <a href="./search.php?author_id=7">482</a></dd>'
        f'</dl><div class="postbody">{veil}<div id="post_content{post.id}"{hidden}>'
        f'<h3><a href="./viewtopic.php?p={post.id}#p{post.id}">Re: x</a></h3>'
        f'<p class="author"><a class="unread" href="./viewtopic.php?p={post.id}#p{post.id}"><i></i></a>'
        f'<span class="responsive-hide">{say(language, "by")} <strong>{name}</strong> &raquo; </span>'
        f'<time datetime="{post.date.isoformat(timespec="seconds")}">{shown}</time></p>{notice}'
        f'<div class="content">{post.html}{post.attached}</div>{below}{signed}</div></div>'
        '<div class="back2top"><a href="#wrap" class="top">↑</a></div></div></div>\n<hr class="divider" />\n'
    )


def _notices(post: ShownPost, language: str, name: str, shown: str) -> Sequence[str]:
    reason = f"<br /><strong>{say(language, 'reason')}</strong> <em>{post.reason}</em>" if post.reason else ""
    made = []
    if post.edits or post.reason:
        words = say(language, "edited", name=name, date=shown, count=post.edits) if post.edits else ""
        made.append(f'<div class="notice">\n{words}\n{reason}</div>')
    if post.bumped:
        made.append(f'<div class="notice"><br /><br />{say(language, "bumped", name=name, date=shown)}</div>')
    return made


def show_topic(
    topic: str,
    title: str,
    posts: Sequence[ShownPost],
    viewer: Viewer | None,
    *,
    start: int = 0,
    length: int = 10,
    count: int | None = None,
    closed: bool = False,
) -> str:
    """A page of a topic. start: how many posts stand on the pages before. count: of all its posts."""
    language, url = viewer.language if viewer else "es", f"./viewtopic.php?t={topic}"
    total = len(posts) + start if count is None else count
    pages, page = max(1, -(-total // length)), start // length + 1
    here = f"{url}&amp;start={start}" if start else url
    icon = "fa-lock" if closed else "fa-reply"
    reply = f'<a href="./posting.php?mode=reply&amp;t={topic}" class="button"><i class="icon {icon}"></i></a>'
    pager = (
        f'<div class="pagination"><a href="#unread" class="mark">1 sin leer</a> &bull; '
        f"{say(language, 'posts', count=total)}{show_pages(language, url, page, pages, length)}</div>"
    )
    content = (
        f'<h2 class="topic-title"><a href="{here}">{escape(title)}</a></h2>'
        f'<div class="action-bar bar-top">{reply}{pager}</div>'
        f"{''.join(show_post(post, language) for post in posts)}"
        f'<div class="action-bar bar-bottom">{reply}{pager}</div>'
    )
    return frame(content, viewer)


def hidden(fields: Mapping[str, object]) -> str:
    """Hidden fields of a form."""
    return "".join(f'<input type="hidden" name="{k}" value="{v}" />' for k, v in fields.items())


def show_login(fields: Mapping[str, object], error: str = "", captcha: bool = False) -> str:
    """The login form, as a guest sees it."""
    said = f'<div class="error">{error}</div>' if error else ""
    asked = '<input type="text" name="confirm_code" id="confirm_code" />' if captcha else ""
    form = (
        f'<form action="./ucp.php?mode=login" method="post" id="login"><div class="panel">{said}'
        '<input type="text" name="username" id="username" value="" />'
        f'<input type="password" name="password" id="password" />{asked}'
        '<input type="checkbox" name="autologin" id="autologin" />'
        f'<input type="checkbox" name="viewonline" id="viewonline" />{hidden(fields)}'
        '<input type="submit" name="login" value="Entrar" /></div></form>'
    )
    return frame(form, None)


def show_posting(
    viewer: Viewer,
    fields: Mapping[str, object],
    *,
    subject: str = "",
    text: str = "",
    error: str = "",
    letter: bool = False,
    attached: Sequence[ShownFile] | None = None,
) -> str:
    """The form for a post or, with a field for names, for a private message. attached: files that go along,
    None where none may.
    """
    said = f'<p class="error">{error}</p>' if error else ""
    names = (
        '<input type="text" name="username_list" value="" /><input type="submit" name="add_to" value="+" />'
    )
    boxes = "".join(
        f'<input type="checkbox" name="{name}"{checked} />'
        for name, checked in (("disable_bbcode", ""), ("attach_sig", ' checked="checked"'))
    )
    form = (
        f'<form id="postform" method="post" action="#" enctype="multipart/form-data">{said}'
        f'<fieldset class="fields1">{names if letter else ""}'
        f'<input type="text" name="subject" id="subject" maxlength="124" value="{escape(subject)}" />'
        f'<textarea name="message" id="message" rows="15" cols="76">{escape(text)}</textarea></fieldset>'
        f"{boxes}{_attach_panel(attached)}{hidden(fields)}"
        '<input type="submit" name="save" value="Borrador" />'
        '<input type="submit" name="preview" value="Vista previa" />'
        '<input type="submit" name="post" value="Enviar" /></form>'
    )
    return frame(form, viewer)


def _attach_panel(files: Sequence[ShownFile] | None) -> str:
    if files is None:
        return ""
    rows = []
    for place, file in enumerate(files):
        values = {"attach_id": file.id, "is_orphan": int(file.orphan), "real_filename": escape(file.name)}
        values |= {"attach_comment": "", "filesize": file.size}
        fields = hidden({f"attachment_data[{place}][{name}]": value for name, value in values.items()})
        rows.append(
            f'<tr class="attach-row" data-attach-id="{file.id}"><td>{escape(file.name)}'
            f'<input type="submit" name="delete_file[{place}]" value="Borrar" /></td>'
            f'<td><textarea name="comment_list[{place}]" rows="1" cols="30"></textarea>{fields}</td></tr>'
        )
    return (
        '<div id="attach-panel"><input type="file" name="fileupload" id="fileupload" />'
        '<input type="submit" name="add_file" value="Adjuntar" /><textarea name="filecomment"></textarea>'
        f'<table><tbody id="file-list"><tr class="attach-row" id="attach-row-tpl"></tr>{"".join(rows)}'
        "</tbody></table></div>"
    )


def show_file(file: ShownFile) -> str:
    """A picture as a post shows it."""
    return (
        f'<dl class="file"><dt class="attach-image"><img src="./download/file.php?id={file.id}" '
        f'class="postimage" alt="{escape(file.name)}" onclick="viewableArea(this);" /></dt>'
        f"<dd>{escape(file.name)} ({file.size} Bytes) Visto 3 veces</dd></dl>"
    )


@dataclass(frozen=True, slots=True)
class ShownLetter:
    """A private message. author, people: ids and names."""

    id: str
    title: str
    author: tuple[str | None, str]
    people: Sequence[tuple[str | None, str]]
    date: datetime
    html: str = ""
    taken_back: bool = False


def show_folder(
    letters: Sequence[ShownLetter],
    viewer: Viewer,
    number: int,
    *,
    start: int = 0,
    length: int = 25,
    count: int | None = None,
    held: int = 0,
) -> str:
    """A page of a folder."""
    total = len(letters) if count is None else count
    url, language = f"./ucp.php?i=pm&amp;mode=view&amp;action=view_folder&amp;f={number}", viewer.language
    rows = "".join(_row(letter, number) for letter in letters)
    listed = f'<ul class="topiclist cplist pmlist">{rows}</ul>'
    listed += (
        '<fieldset class="display-actions"><select name="mark_option"><option value="x">x</option></select>'
        f'</fieldset><input type="hidden" name="cur_folder_id" value="{number}" />'
    )
    pager = ""
    if total:
        pages = show_pages(language, url, start // length + 1, -(-total // length), length)
        pager = f"{say(language, 'letters', count=total)} &bull; {pages}"
    none = f"<p><strong>{say(language, 'no-letters')}</strong></p>"
    waiting = f'<div class="notice"><p>{say(language, "held", count=held)}<br />…</p></div>' if held else ""
    content = (
        f'<div id="cp-main" class="cp-main"><form id="viewfolder" method="post" action="{url}">'
        f'<div class="action-bar bar-top"><div class="pagination">{pager}</div></div>{waiting}'
        f'<div class="panel pm-panel-message">{listed if total else none}</div></form></div>'
    )
    return frame(content, viewer)


def _row(letter: ShownLetter, folder: int) -> str:
    named = [letter.author] if folder == 0 else letter.people
    people = ", ".join(show_name(name, account) for account, name in named)
    mode = "compose&amp;action=delete" if letter.taken_back else f"view&amp;f={folder}"
    return (
        '<li class="row bg1"><dl class="row-item pm_read"><dt><div class="list-inner">'
        f'<a href="./ucp.php?i=pm&amp;mode={mode}&amp;p={letter.id}" class="topictitle">'
        f"{escape(letter.title)}</a><br />{people} &raquo; ayer</div></dt>"
        f'<dd class="mark"><input type="checkbox" name="marked_msg_id[]" value="{letter.id}" /></dd>'
        "</dl></li>"
    )


def show_letter(letter: ShownLetter, viewer: Viewer) -> str:
    """A private message."""
    people = "&nbsp;".join(show_name(name, account) for account, name in letter.people)
    author = show_name(letter.author[1], letter.author[0])
    content = (
        '<div id="cp-main" class="cp-main"><form id="viewfolder" method="post" action="#">'
        f'<div id="post-{letter.id}" class="post pm has-profile"><div class="inner">'
        f'<dl class="postprofile" id="profile{letter.id}"><dt>{author}</dt></dl>'
        f'<div class="postbody"><h3 class="first">{escape(letter.title)}</h3>'
        f'<p class="author"><strong>Enviado:</strong> ayer<br /><strong>De:</strong> {author}'
        f"<br /><strong>Para:</strong> {people}</p>"
        f'<div class="content">{letter.html}</div></div></div></div></form></div>'
    )
    return frame(content, viewer)
