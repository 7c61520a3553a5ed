"""Trying out a scene that is read though a person carries what is published in it."""

from __future__ import annotations

from collections.abc import Iterable
from zoneinfo import ZoneInfo

from processor.forum_words import explain_error
from processor.forums.folder import FolderForum
from processor.ports import ForumError
from processor.service.trying import Look
from rules.engine.messages import msg
from rules.play.game import Game


def try_scene(game: Game, forum: FolderForum) -> Iterable[Look]:
    """What was read, so that the director can compare it with what the site shows: its pages don't tell
    whether that is all.
    """
    try:
        posts = forum.read_scene("")
    except ForumError as error:
        yield Look(False, explain_error(error))
        return
    public = [post for post in posts if not post.private]
    newest = public[-1]
    facts = {
        "count": len(public),
        "authors": len({post.author_id for post in public}),
        "notes": len(posts) - len(public),
    }
    yield Look(True, msg("try/scene", url=game.forum.url, **facts))
    at = newest.created_at.astimezone(ZoneInfo(game.zone))
    last = {"author": newest.author, "character": newest.character or None, "at": f"{at:%d/%m/%Y %H:%M}"}
    yield Look(True, msg("try/scene-last", **last))
    known = {seat.account for seat in game.seats if seat.account is not None}
    silent = tuple(sorted(known - {post.author_id for post in public if post.author_id is not None}))
    if silent:
        yield Look(True, msg("try/scene-silent", accounts=silent))
    yield Look(True, msg("try/scene-by-hand"))
