"""A forum that a person carries: posts come in as files, texts go out as files to paste (design.md 7).

No request leaves and nothing is sent: `post` and `edit` write a file and answer Published. Whether that
counts as published is the director's word (`Capabilities.confirmed`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Protocol

from processor.forums.folder_inbox import Inbox, read_inbox
from processor.forums.folder_list import write_list
from processor.forums.folder_shelf import PUBLIC, Marker, NoMarker, Shelf, Written, last_line, list_later
from processor.gate import ANSWERED, LEAVING, Watch
from processor.pipeline.voiding import NOTICE
from processor.ports import Clock, Unready
from reporters.dialects import ending_for, renderer_for
from rules.engine.catalogue import Catalogue
from rules.engine.messages import msg
from rules.play.game import UMBRIA, Game
from rules.play.posts import (
    Capabilities,
    Found,
    Limit,
    Outcome,
    Post,
    Precision,
    Published,
    Reading,
    Refused,
    Unknown,
)

OWN = "turnero:folder"
"""Account of our own texts: no author of a file and no forum's account is called so."""

REPORTS = "reports"

MOST_CHARS = 20_000
"""Characters of a text where the game doesn't say what its forum takes: all forums that we know take them."""

OF_SCENES = frozenset((Limit.EDIT_MARKS, Limit.ABSENCE))
"""What isn't known of a scene that we read ourselves."""
_CARRIED = frozenset((Limit.POSITIONS, Limit.RAW_TEXT, Limit.CONVERSATIONS, Limit.MISSING_TOPICS))


def capabilities_of(game: Game) -> Capabilities:
    """What a person can carry."""
    return Capabilities(
        precision=Precision.MINUTE,
        private=True,
        edit=True,
        max_chars=game.forum.max_chars or MOST_CHARS,
        min_interval=0.0,
        by_hand=True,
        confirmed=game.forum.confirm,
        limits=_CARRIED | (OF_SCENES if game.forum.software == UMBRIA else frozenset()),
    )


class Scene(Protocol):
    """A topic whose pages we read ourselves, though a person carries what is to be published there."""

    def read(self) -> tuple[Post, ...]:
        """All its posts, as far as its pages tell. Raises ForumError."""
        ...


class FolderForum:
    """The inbox and the texts to paste of one game; implements `processor.ports.Forum`.

    A topic is a turn's inbox (`TurnRef.inbox`); private messages stand in it, too, marked as such. Where the
    game is played in a scene that we read, its posts stand in each inbox besides what a person has brought.
    """

    def __init__(
        self, game: Game, catalogue: Catalogue, clock: Clock, gate: Watch, scene: Scene | None = None
    ) -> None:
        """catalogue: its language is that of the files' names. gate: passed before and after each writing."""
        self.capabilities = capabilities_of(game)
        self._game, self._catalogue, self._clock, self._gate = game, catalogue, clock, gate
        self._scene = scene

    def open(self) -> str:
        """See `Forum.open`; there is nothing to log in to."""
        return OWN

    def server_time(self) -> datetime:
        """See `Forum.server_time`: this machine's."""
        return self._clock.now()

    def read_inbox(self, topic: str) -> Inbox:
        """What stands in a turn's inbox, with what can't be read."""
        return read_inbox(self._game, topic, self._clock.now())

    def read_topic(self, topic: str, since: int | None = None, known: str | None = None) -> Reading:
        """See `Forum.read_topic`; an inbox is always read whole. Raises Unready."""
        inbox = self.read_inbox(topic)
        if inbox.problems:
            said = "\n".join(one.say(self._catalogue) for one in inbox.problems)
            raise Unready("folder/inbox", said)
        shown = self.read_scene(topic)
        read = self._reading(topic, (*inbox.posts, *shown, *self._own_posts(topic)), inbox.until)
        return replace(read, proves_absence=self._scene is None)

    def read_scene(self, topic: str) -> tuple[Post, ...]:
        """The posts of the scene as they stand there now; none where the game has no scene. Raises
        ForumError.
        """
        found = () if self._scene is None else self._scene.read()
        return tuple(replace(post, topic=topic) for post in found)

    def read_own(self, topic: str, since: int | None = None, known: str | None = None) -> Reading:
        """See `Forum.read_own`: the list says what we wrote, whatever the inbox holds. Raises Unready."""
        return self._reading(topic, self._own_posts(topic), None)

    def _reading(self, topic: str, posts: tuple[Post, ...], until: datetime | None) -> Reading:
        now = self._clock.now()
        never = datetime.min.replace(tzinfo=now.tzinfo)
        return Reading(topic, posts, 1, len(posts), now, self._game.title, until=until or never)

    def read_private(self, since: Mapping[str, int] | None = None) -> tuple[Reading, ...]:
        """See `Forum.read_private`; private messages stand in the inbox."""
        return ()

    def raw_text(self, post_id: str, topic: str) -> str | None:
        """See `Forum.raw_text`: a copied text is raw already, of a saved page there is none."""
        return None

    def read_post(self, topic: str, post_id: str, number: int) -> Post | None:
        """See `Forum.read_post`: of our own texts the files are known, not what became of them."""
        return next((one for one in self.read_topic(topic).posts if one.id == post_id), None)

    def post(self, topic: str, text: str) -> Outcome:
        """See `Forum.post`: write a file to paste into the topic."""
        return self._write(text, PUBLIC, "")

    def send_private(self, to: str, title: str, text: str) -> Outcome:
        """See `Forum.send_private`: write a file to send to one person."""
        if not to.strip() or "," in to:  # to nobody would be to everybody, a comma to somebody else as well
            return Refused(msg("sent/no-name", name=to))
        return self._write(text, to, title)

    def edit(self, post_id: str, text: str) -> Outcome:
        """See `Forum.edit`: write the file anew; what the director made of it is kept beside it."""
        try:
            shelf = self._shelf_of(text)
        except (NoMarker, OSError, ValueError) as fault:
            return Refused(msg("sent/file", fault=str(fault)))
        self._gate(LEAVING)
        try:
            changed = shelf.change(_name_of(shelf, post_id), text)
            outcome: Outcome = (
                Refused(msg("sent/unlisted", post=post_id)) if changed is None else Published(post_id)
            )
            if changed is not None:
                write_list(shelf)
        except OSError as fault:
            outcome = Unknown(msg("sent/file", fault=str(fault)))
        self._gate(ANSWERED)
        return outcome

    def retract(self, post_id: str, marker: str, text: str) -> Outcome:
        """See `Forum.retract`; each text has a file of its own."""
        return self.edit(post_id, text)

    def find_marker(self, topic: str, marker: str) -> tuple[Found, ...]:
        """See `Forum.find_marker`: texts of ours that stand in their files. Raises Unready."""
        try:
            shelf = self._shelf(Marker.of(marker).ref.inbox)
        except NoMarker:
            return ()
        one = shelf.find(marker)
        if one is None or shelf.content(one) is None:
            return ()
        text = (shelf.content(one) or "").removesuffix("\n")
        return (Found(self._id(shelf, one), topic, text, one.url),)

    def find_private(self, title: str, marker: str) -> tuple[Found, ...]:
        """See `Forum.find_private`."""
        return self.find_marker("", marker)

    def post_url(self, post_id: str) -> str:
        """See `Forum.post_url`: where the director has pasted it, else the topic's address."""
        shelf = self._shelf(post_id.rsplit(f"/{self._paste_name()}/", 1)[0])
        one = shelf.named(_name_of(shelf, post_id))
        return one.url if one is not None and one.url else self._game.forum.url

    def note_posted(self, post_id: str, url: str) -> None:
        """Remember that a text was pasted. url: where, "" where nobody cares. Raises Unready."""
        shelf = self._shelf(post_id.rsplit(f"/{self._paste_name()}/", 1)[0])
        try:
            shelf.note(_name_of(shelf, post_id), url)
            write_list(shelf)
        except OSError as fault:
            raise Unready("folder/cant-note", str(fault)) from fault

    def find_written(self, post_id: str) -> Written | None:
        """What the list says of a text, None where it says nothing. Raises Unready."""
        shelf = self._shelf(post_id.rsplit(f"/{self._paste_name()}/", 1)[0])
        return shelf.named(_name_of(shelf, post_id))

    def _write(self, text: str, to: str, title: str) -> Outcome:
        size, most = self.capabilities.size(text), self.capabilities.max_chars
        if size > most:
            return Refused(msg("sent/too-long", size=size, most=most))
        try:
            shelf = self._shelf_of(text)
        except (NoMarker, ValueError) as fault:
            return Refused(msg("sent/file", fault=str(fault)))
        self._gate(LEAVING)
        try:
            self._void_behind(shelf, Marker.of(last_line(text)))
            one = shelf.add(text, to, title, self._clock.now())
            write_list(shelf)
            outcome: Outcome = Published(self._id(shelf, one))
        except OSError as fault:
            outcome = Unknown(msg("sent/file", fault=str(fault)))
        self._gate(ANSWERED)
        return outcome

    def _void_behind(self, shelf: Shelf, marker: Marker) -> None:
        """Where a notice says that an attempt is void, so is what wasn't pasted of it and of later turns.

        Nothing of the attempts that follow is written before the notice. Raises OSError, Unready.
        """
        if marker.kind != NOTICE:
            return
        shelf.void(marker.ref.attempt)
        for turn in list_later(Path(self._game.forum.folder) / REPORTS, marker.ref.inbox):
            later = self._shelf(turn)
            if later.texts:
                later.void()
                write_list(later)

    def _own_posts(self, topic: str) -> tuple[Post, ...]:
        """Our own texts, as the list has them: a file that was taken away after pasting is no lost post, one
        that was taken away before is none. What lies there besides was written by whoever had a newer list.
        """
        shelf = self._shelf(topic)
        listed = (one for one in shelf.texts if self._counts(shelf, one))
        return tuple(
            Post(
                id=self._id(shelf, one),
                topic=topic,
                author_id=OWN,
                author=OWN,
                created_at=datetime.fromisoformat(one.at),
                precision=Precision.SECOND,
                url=one.url,
                raw=one.marker,
                private=bool(one.to),
            )
            for one in (*listed, *shelf.find_strays())
        )

    def _counts(self, shelf: Shelf, one: Written) -> bool:
        return one.posted or not self.capabilities.confirmed or (shelf.folder / one.name).exists()

    def _shelf_of(self, text: str) -> Shelf:
        return self._shelf(Marker.of(last_line(text)).ref.inbox)

    def _shelf(self, turn: str) -> Shelf:
        reports = Path(self._game.forum.folder) / REPORTS
        try:
            ending = ending_for(renderer_for(self._game.forum.markup))
            return Shelf.open(reports, turn, self._catalogue, ending)
        except (OSError, ValueError, KeyError, TypeError) as fault:
            raise Unready("folder/list-unreadable", f"{turn}: {fault}") from fault

    def _paste_name(self) -> str:
        return Shelf.open(Path(), "", self._catalogue, "").folder.name

    def _id(self, shelf: Shelf, one: Written) -> str:
        """A text's id: its file, from `reports/` on."""
        return (shelf.folder / one.name).relative_to(Path(self._game.forum.folder) / REPORTS).as_posix()


def _name_of(shelf: Shelf, post_id: str) -> str:
    """A text's file, from its turn's folder on."""
    return post_id.rsplit(f"/{shelf.folder.name}/", 1)[-1]
