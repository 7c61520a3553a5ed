"""What a game whose posts a person carries wants from its director: inbox, word, texts to paste."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from pathlib import Path

from jobs import host
from jobs.speech import catalogue, say
from parsers.files.errors import FileProblem
from processor.forum_words import explain_error
from processor.forums.folder import FolderForum
from processor.forums.folder_inbox import list_inboxes
from processor.forums.folder_list import describe_text
from processor.ports import Unready
from processor.service.looking import Look
from processor.service.posting import needs_word
from processor.store.rows import OutboxRow, SendState
from rules.play.game import UMBRIA, Game
from rules.play.posts import Post
from rules.play.turns import TurnStatus

LISTENING = (TurnStatus.OPEN, TurnStatus.ASKING)


def is_carried(game: Game) -> bool:
    """Whether a person carries the game's posts."""
    return game.forum.carried


def open_folder_forum(game: Game) -> FolderForum:
    """The forum of such a game."""
    forum = host.open_forum(game)
    if not isinstance(forum, FolderForum):
        raise TypeError(f"{game.id} is played in a forum that is reached")
    return forum


def find_inbox_problems(game: Game) -> tuple[FileProblem, ...]:
    """All that can't be read in the inboxes of such a game's turns; nothing of other games."""
    if not is_carried(game):
        return ()
    forum = open_folder_forum(game)
    turns = list_inboxes(Path(game.forum.folder)) or (f"turn-{game.first_turn:03}",)
    found = [one for turn in turns for one in forum.read_inbox(turn).problems]
    return tuple(dict.fromkeys(found))


def read_all_posts(game: Game) -> tuple[Post, ...]:
    """The posts of all inboxes of such a game, as far as they can be read, and of its scene. Raises
    ForumError.
    """
    forum = open_folder_forum(game)
    inboxes = list_inboxes(Path(game.forum.folder))
    return (*forum.read_scene(""), *(post for turn in inboxes for post in forum.read_inbox(turn).posts))


def waits_for_hand(look: Look, now: datetime) -> bool:
    """Whether the game can't go on without its director's hand: a word, a file to mend, a text to paste."""
    if not is_carried(look.loaded.game):
        return False
    if look.turn.status is TurnStatus.PUBLISHING:
        return any(one.state is SendState.WRITTEN and not one.editable for one in look.texts)
    forum = open_folder_forum(look.loaded.game)
    problems = look.turn.status in LISTENING and forum.read_inbox(look.turn.ref.inbox).problems
    return bool(problems) or needs_word(look.turn, forum, now)


def describe_carried(look: Look, now: datetime, folder: str) -> Iterable[str]:
    """The lines for such a game, none for others. folder: as the director would type it."""
    game = look.loaded.game
    if not is_carried(game):
        return
    forum = open_folder_forum(game)
    if look.turn.status in LISTENING:
        yield from _describe_inbox(look, forum, now, folder)
    try:
        yield from _describe_texts(look.texts, forum, folder)
    except Unready as fault:
        yield f"✘ {catalogue().text(explain_error(fault))}."


def _describe_inbox(look: Look, forum: FolderForum, now: datetime, folder: str) -> Iterable[str]:
    name = look.turn.ref.inbox
    inbox = forum.read_inbox(name)
    if inbox.problems:
        yield say("cli/inbox-wrong", inbox=name, count=len(inbox.problems))
        yield from (f"  ✘ {one.say(catalogue())}" for one in inbox.problems)
        return
    if look.loaded.game.forum.software == UMBRIA:
        yield say("cli/scene", url=look.loaded.game.forum.url, folder=folder)
    yield say("cli/inbox", inbox=name, count=len(inbox.posts))
    if needs_word(look.turn, forum, now):
        early = int(inbox.word is not None)
        yield say("cli/inbox-word", inbox=name, folder=folder, early=early)


def _describe_texts(texts: Iterable[OutboxRow], forum: FolderForum, folder: str) -> Iterable[str]:
    waiting = [one for one in texts if one.state is SendState.WRITTEN]
    if not waiting:
        return
    yield say("cli/to-paste", count=len(waiting))
    for row in waiting:
        post_id = row.forum_post_id or ""
        written = forum.find_written(post_id)
        if written is not None:
            yield f"  reports/{post_id}"
            yield f"    {describe_text(written, catalogue())}"
            yield from (f"    {say('folder/list-kept', file=kept)}" for kept in written.kept)
    yield say("cli/when-pasted", folder=folder)
