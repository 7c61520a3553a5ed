"""Scenes in the dialect of Comunidad Umbría, written by hand from what is known of how a post is built."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape


@dataclass(frozen=True, slots=True)
class UmbriaPost:
    """A post on a page. date: as shown. notes: private ones to the director, "" for none."""

    id: int
    account: int
    author: str
    date: str
    html: str
    notes: str = ""


def show_umbria_post(post: UmbriaPost) -> str:
    """One post."""
    notes = f'<div class="notas" id="notas{post.id}"><h3>Notas de juego</h3>{post.notes}</div>'
    name = escape(post.author)
    return (
        f'<div class="wrapMensaje">\n <div class="mensaje" id="msj{post.id}">\n  <div class="avatar">'
        f'<a class="linkAvatar" href="/comunidad/companeros/{post.account}">'
        f'<img class="fotoAvatar" src="/x/{post.account}.jpg" title="{name}" alt="{name}" /></a></div>\n'
        f'  <div class="fecha">{post.date}</div>\n  <div class="pj">Alguien</div>\n'
        f'  <div class="texto">{post.html}</div>\n  {notes if post.notes else ""}\n </div>\n</div>\n'
    )


def show_scene(posts: Sequence[UmbriaPost]) -> str:
    """A page with these posts."""
    shown = "".join(show_umbria_post(post) for post in posts)
    return (
        '<!DOCTYPE html>\n<html>\n<head><meta charset="utf-8"><title>Escena</title></head>\n<body>\n'
        f'<div id="listaMensajes">\n{shown}</div>\n</body>\n</html>\n'
    )
