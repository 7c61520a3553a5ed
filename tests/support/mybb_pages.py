"""Pages in the dialect of MyBB 1.8, written by hand: the structure that its templates have, nothing else.

The parser's tests and the stand-in forum share them. Nothing that runs can be compared with here; what isn't
known from pages that MyBB has made (folders of private messages, the form for options) is told from memory.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from html import escape

from tests.support.bbcode_renderer import render_pairs


@dataclass(frozen=True, slots=True)
class Viewer:
    """Whose page it is, None as an id: a guest. offset: hours from UTC. dates, times: formats of `strftime`.

    chosen: number of the account's own format of dates, "0": the board's.
    """

    id: str | None
    name: str = ""
    offset: float = 0.0
    dates: str = "%m-%d-%Y"
    times: str = "%I:%M %p"
    chosen: str = "0"

    def show(self, moment: datetime) -> str:
        """Date and time as the account sees them."""
        return f"{self.date(moment)}, {self.time(moment)}"

    def date(self, moment: datetime) -> str:
        """The date alone."""
        return f"{moment + timedelta(hours=self.offset):{self.dates}}"

    def time(self, moment: datetime) -> str:
        """The time alone."""
        return f"{moment + timedelta(hours=self.offset):{self.times}}"

    def relative(self, moment: datetime, now: datetime) -> str:
        """As MyBB shows it: in words, with what they stand for beside them, until yesterday."""
        days = (now + timedelta(hours=self.offset)).date() - (moment + timedelta(hours=self.offset)).date()
        if now - moment < timedelta(hours=1):
            return f'<span title="{self.show(moment)}">Hace un rato</span>'
        if days.days < 2:
            word = ("Hoy", "Ayer")[days.days]
            return f'<span title="{self.date(moment)}">{word}</span>, {self.time(moment)}'
        return self.show(moment)


@dataclass(frozen=True, slots=True)
class ShownPost:
    """A post on a page. author_id: None for accounts that are gone. shade: class of its box."""

    id: str
    number: int
    author_id: str | None
    author: str
    date: datetime
    html: str = ""
    edited: datetime | None = None
    shade: str = ""
    signature: str = ""


def render(text: str, *, smilies: bool = True) -> str:
    """Turn a post's text into HTML much as MyBB does."""
    html = render_pairs(text)
    if smilies:
        html = re.sub(r":\)|:my:", '<img src="x.png" alt="Smile" class="smilie" />', html)
    head = '<blockquote class="mycode_quote"><cite><span> (hace un rato)</span>alguien escribió:</cite>'
    html = html.replace("<blockquote>", head).replace("<br>", "<br />")
    html = html.replace("<hr>", '<hr class="mycode_hr" />')
    struck = '<span style="text-decoration: line-through;" class="mycode_s">'
    html = re.sub(r"<del>(.*?)</del>", lambda found: f"{struck}{found[1]}</span>", html, flags=re.DOTALL)
    box = "<div class='codebox'><p>Código: Seleccionar todo</p><code>(.*?)</code></div>"
    title = '<div class="codeblock"><div class="title">Código:</div><div class="body" dir="ltr"><code>'
    return re.sub(box, lambda found: f"{title}{found[1]}</code></div></div>", html, flags=re.DOTALL)


def frame(content: str, viewer: Viewer, now: datetime, *, title: str = "Foro") -> str:
    """The page around all content: who is logged in, where one is, and the account's time at its foot."""
    guest = (
        '<span class="welcome">¡Hola! <a href="member.php?action=login" class="login">Entrar</a></span>'
        '<form method="post" action="member.php"><input name="action" type="hidden" value="do_login" />'
        '<input name="quick_username" type="text" /><input name="quick_password" type="password" /></form>'
    )
    member = (
        f'<span class="welcome"><strong>¡Hola, <a href="member.php?action=profile&amp;uid={viewer.id}">'
        f"{escape(viewer.name)}</a></strong>. Última visita: {viewer.relative(now, now)} "
        '<a href="member.php?action=logout&amp;logoutkey=1a" class="logout">Salir</a></span>'
    )
    return (
        '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "x"><!-- start: page -->\n'
        '<html xml:lang="es"><head><title>Foro</title>'
        '<meta http-equiv="Content-Type" content="text/html; charset=UTF-8" /></head>\n<body>\n'
        f'<div id="container"><div id="header"><div id="panel">{guest if viewer.id is None else member}</div>'
        '</div><div id="content"><div class="wrapper">'
        f'<div class="navigation"><a href="index.php">Foro</a><span class="active">{escape(title)}</span>'
        '<div class="pagination pagination_breadcrumb"><a href="forumdisplay.php?fid=2&amp;page=7">7</a>'
        f'</div></div><br />{content}</div></div><div id="footer"><div class="lower"><span id="current_time">'
        f"<strong>Hora:</strong> {viewer.show(now)}</span></div></div></div>\n"
        "</body>\n</html>\n<!-- end: page -->"
    )


def show_pages(page: int, pages: int, path: str) -> str:
    """The row of page numbers, nothing where there is one page only."""
    if pages == 1:
        return ""
    links = [
        f'<span class="pagination_current">{n}</span>'
        if n == page
        else f'<a href="{path}&amp;page={n}" class="pagination_page">{n}</a>'
        for n in range(1, pages + 1)
    ]
    if page < pages:
        links.append(f'<a href="{path}&amp;page={page + 1}" class="pagination_next">Siguiente &raquo;</a>')
    return f'<div class="pagination"><span class="pages">Páginas ({pages}):</span>{"".join(links)}</div>'


def show_author(author_id: str | None, name: str) -> str:
    """The column with the author's name."""
    link = f'<a href="member.php?action=profile&amp;uid={author_id}">{escape(name)}</a>'
    return (
        '<div class="post_author"><div class="author_information"><strong><span class="largetext">'
        f"{escape(name) if author_id is None else link}</span></strong><br />"
        '<span class="smalltext">Miembro</span></div>'
        '<div class="author_statistics">Mensajes: 1</div></div>'
    )


def show_post(post: ShownPost, topic: str, viewer: Viewer, now: datetime) -> str:
    """One post of a topic."""
    link = f"showthread.php?tid={topic}&amp;pid={post.id}#pid{post.id}"
    edited = (
        f'<span class="edited_post">(Última edición: {viewer.relative(post.edited, now)} por '
        f'<a href="member.php?action=profile&amp;uid=1">{escape(post.author)}</a>.)</span>'
        if post.edited
        else ""
    )
    signature = f'<div class="signature scaleimages">{post.signature}</div>' if post.signature else ""
    return (
        f'<a name="pid{post.id}" id="pid{post.id}"></a>'
        f'<div class="post {post.shade}" style="" id="post_{post.id}">'
        f'{show_author(post.author_id, post.author)}<div class="post_content">'
        '<div class="post_head"><div class="float_right">'
        f'<strong><a href="{link}" title="RE">#{post.number:,}</a></strong></div>'
        f'<span class="post_date">{viewer.relative(post.date, now)} '
        f'<span class="post_edit" id="edited_by_{post.id}">{edited}</span></span></div>'
        f'<div class="post_body scaleimages" id="pid_{post.id}">\n{post.html}\n</div>{signature}'
        f'<div class="post_meta" id="post_meta_{post.id}"></div></div></div>\n'
    )


def show_topic(
    topic: str,
    title: str,
    posts: Sequence[ShownPost],
    viewer: Viewer,
    now: datetime,
    *,
    page: int = 1,
    pages: int = 1,
    closed: bool = False,
    threaded: bool = False,
) -> str:
    """A page of a topic. threaded: with one post only, and a tree of the others."""
    pager = show_pages(page, pages, f"showthread.php?tid={topic}")
    button = "closed_button" if closed else "new_reply_button"
    shown = "".join(show_post(post, topic, viewer, now) for post in posts)
    other = "linear" if threaded else "threaded"
    content = (
        f'<a href="showthread.php?mode={other}&amp;tid={topic}">Otra vista</a>'
        f'<div class="float_left">{pager}</div><table class="tborder"><tr><td class="thead"><strong>'
        f'{escape(title)}</strong></td></tr><tr><td id="posts_container"><div id="posts">{shown}</div></td>'
        f'</tr></table><a href="newreply.php?tid={topic}" class="button {button}">Responder</a>'
        f'<div class="float_left">{pager}</div>'
    )
    return frame(content, viewer, now, title=title)


def show_notice(said: str, viewer: Viewer, now: datetime) -> str:
    """What MyBB says in place of a page."""
    return frame(
        '<table class="tborder"><tr><td class="thead"><strong>Foro</strong></td></tr>'
        f'<tr><td class="trow1">{escape(said)}</td></tr></table>',
        viewer,
        now,
    )


def show_redirect(said: str, location: str) -> str:
    """The page that leads on when something was taken; it is nobody's."""
    return (
        "<!DOCTYPE html><!-- start: redirect -->\n<html><head><title>Foro</title>"
        f'<meta http-equiv="refresh" content="2;URL={escape(location)}" />'
        '<meta http-equiv="Content-Type" content="text/html; charset=UTF-8" /></head>\n<body>'
        f'<table class="tborder"><tr><td class="trow1"><p>{escape(said)}</p></td></tr></table>'
        "</body>\n</html>\n<!-- end: redirect -->"
    )


def show_errors(wrong: Sequence[str]) -> str:
    """The list above a form that is shown again."""
    items = "".join(f"<li>{escape(one)}</li>" for one in wrong)
    return f'<div class="error"><p><em>Corrige esto:</em></p><ul>{items}</ul></div>' if wrong else ""


def show_form(
    action: str,
    hidden: Mapping[str, str],
    fields: Mapping[str, str],
    text: str | None,
    boxes: Sequence[str] = (),
    more: str = "",
) -> str:
    """A form. fields: visible ones. text: of its text area, None where it has none. boxes: checkboxes.

    more: HTML of further fields.
    """
    inputs = [f'<input type="hidden" name="{k}" value="{escape(v)}" />' for k, v in hidden.items()]
    inputs += [f'<input type="text" name="{k}" value="{escape(v)}" />' for k, v in fields.items()]
    inputs += [f'<input type="checkbox" name="{name}" value="1" checked="checked" />' for name in boxes]
    if text is not None:
        inputs.append(f'<textarea name="message" rows="20">{escape(text)}</textarea>')
    buttons = '<input type="submit" name="submit" value="Enviar" /><input type="submit" name="previewpost" />'
    return f'<form action="{action}" method="post">{"".join(inputs)}{more}{buttons}</form>'


def show_options(viewer: Viewer, now: datetime) -> str:
    """The account's own options."""
    offered = {"0": "Por defecto", "1": f"{now:%m-%d-%Y}", "5": f"{now:%d-%m-%Y}", "9": f"{now:%B %d, %Y}"}
    chosen = viewer.chosen
    options = "".join(
        f'<option value="{value}"{" selected=" + chr(34) + "selected" + chr(34) if value == chosen else ""}>'
        f"{text}</option>"
        for value, text in offered.items()
    )
    return frame(
        f'<form action="usercp.php" method="post"><select name="dateformat">{options}</select></form>',
        viewer,
        now,
        title="Opciones",
    )


def show_folder(
    entries: Sequence[tuple[str, str, str, str]],
    viewer: Viewer,
    now: datetime,
    page: int,
    pages: int,
    path: str,
) -> str:
    """A page of a folder. entries: number, subject, and the other's id and name."""
    rows = "".join(
        f'<tr><td class="trow1"><a href="private.php?action=read&amp;pmid={number}">{escape(title)}</a></td>'
        f'<td class="trow1"><a href="member.php?action=profile&amp;uid={other}">{escape(name)}</a></td>'
        f'<td class="trow1"><input type="checkbox" name="check[{number}]" value="1" /></td></tr>'
        for number, title, other, name in entries
    )
    empty = '<tr><td colspan="6" class="trow1">No hay mensajes.</td></tr>'
    content = (
        f'{show_pages(page, pages, path)}<form action="private.php" method="post" name="input">'
        '<input type="hidden" name="action" value="do_stuff" />'
        f'<table class="tborder"><tr><td class="thead">Mensajes</td></tr>{rows or empty}</table></form>'
    )
    return frame(content, viewer, now, title="Mensajes privados")


def show_letter(
    number: str, title: str, post: ShownPost, people: Sequence[tuple[str, str]], viewer: Viewer, now: datetime
) -> str:
    """A private message. people: to whom it was sent, id and name."""
    to = ", ".join(
        f'<a href="member.php?action=profile&amp;uid={i}">{escape(name)}</a>' for i, name in people
    )
    answer = f"private.php?action=send&amp;pmid={number}&amp;do=reply"
    content = (
        '<table class="tborder"><tr><td id="posts_container"><div id="posts"><a name="pid0" id="pid0"></a>'
        f'<div class="post " style="" id="post_0">{show_author(post.author_id, post.author)}'
        '<div class="post_content"><div class="post_head">'
        f'<span class="post_date">{viewer.relative(post.date, now)} '
        f'<span class="post_edit" id="edited_by_0"></span></span><br />\nPara: {to}\n</div>'
        f'<div class="post_body scaleimages" id="pid_0">\n{post.html}\n</div>'
        '<div class="post_meta" id="post_meta_0"></div></div><div class="post_controls">'
        f'<div class="postbit_buttons post_management_buttons"><a href="{answer}">Responder</a></div></div>'
        "</div></div></td></tr></table>"
    )
    return frame(content, viewer, now, title=title)
