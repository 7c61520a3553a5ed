"""A night with a real rule set and the real pipeline on the forum in memory; what each reader could read."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from itertools import count
from pathlib import Path
from typing import Any

from jobs.pipeline import PIPELINE
from jobs.tick import tick
from parsers.files.toml_text import write_setup, write_toml
from processor.gate import ANSWERED, LEAVING
from processor.ports import ForumError
from processor.service.bundle import Service
from processor.service.registering import register_game
from rules.play.posts import (
    Capabilities,
    Outcome,
    PictureKind,
    Post,
    Refused,
    Unknown,
    Uploaded,
    Uploads,
)
from tests.support.databases import new_database
from tests.support.hand_clock import DEADLINE, HandClock
from tests.support.memory_forum import BOT, CAPABILITIES, TOPIC, Kept, MemoryForum
from tests.support.small_night import make_service

DIRECTOR = ("9", "gm")
EARLY, LATE, CLOSED = (DEADLINE + timedelta(minutes=minutes) for minutes in (-40, -20, 2))


@dataclass
class KeepingForum(MemoryForum):
    """A forum that remembers each text that ever stood in a post: (topic, author, text)."""

    written: list[tuple[str, str, str]] = field(default_factory=list)

    def write(self, author: str, text: str, topic: str = TOPIC, at: Any = None) -> Kept:
        """See `MemoryForum.write`."""
        self.written.append((topic, author, text))
        return super().write(author, text, topic, at)

    def rewrite(self, post_id: int, text: str) -> None:
        """See `MemoryForum.rewrite`."""
        super().rewrite(post_id, text)
        post = self.find(post_id)
        self.written.append((post.topic, post.author, text))

    def _shown(self, post: Kept) -> Post:
        """As forums do it, with the author's line breaks."""
        shown = super()._shown(post)
        return replace(shown, html=(shown.html or "").replace("\n", "<br>"))


SHOWING = replace(CAPABILITIES, uploads=Uploads(PictureKind.GIF, 1024 * 1024))


@dataclass
class ShowingForum(KeepingForum):
    """One that keeps pictures, by name, and what went along with texts.

    uploading: consumed one for each picture: what is answered in its place; what is `Unknown` is kept.
    places: consumed one for each picture that is kept: what is said of where it is. refusing: in answer to
    texts with pictures. shut: why nobody gets in any more once a picture came.
    """

    pictures: list[tuple[str, bytes]] = field(default_factory=list)
    uploading: deque[Refused | Unknown | ForumError | None] = field(default_factory=deque)
    enclosed: list[tuple[str, ...]] = field(default_factory=list)
    places: deque[str] = field(default_factory=deque)
    handle: str = ""
    refusing: Refused | None = None
    shut: ForumError | None = None
    asked_for_pictures: bool = False
    capabilities: Capabilities = SHOWING

    def open(self) -> str:
        """See `Forum.open`."""
        if self.shut is not None and self.asked_for_pictures:
            raise self.shut
        return super().open()

    def upload(self, topic: str, name: str, content: bytes, beside: str = "") -> Uploaded | Refused | Unknown:
        """See `Uploading.upload`."""
        self._request()
        self.asked_for_pictures = True
        self.gate(LEAVING)
        answer = self.uploading.popleft() if self.uploading else None
        if isinstance(answer, ForumError):
            raise answer
        if not isinstance(answer, Refused):
            self.pictures.append((name, content))
        self.gate(ANSWERED)
        place = self.places.popleft() if self.places else f"/media/{len(self.pictures)}-{name}"
        return answer or Uploaded(place, beside or self.handle)

    def post_with(self, topic: str, text: str, handles: tuple[str, ...]) -> Outcome:
        """See `Uploading.post_with`."""
        self.enclosed.append(handles)
        if self.refusing is not None:
            return self.refusing
        return self.post(topic, text)


@dataclass(frozen=True)
class Table:
    """Who plays what. ruleset: its id. players: account and login by seat."""

    ruleset: str
    players: Mapping[str, tuple[str, str]]
    title: str


@dataclass
class SecretNight:
    """A registered game. folder: of the game."""

    table: Table
    folder: Path
    clock: HandClock
    forum: KeepingForum
    service: Service
    private: dict[str, str] = field(default_factory=dict)

    def tick(self, *, at: Any = None) -> None:
        """Do what is due, at a moment."""
        if at is not None:
            self.clock.set(at)
        tick(self.service)

    def post(self, seat: str, *lines: str) -> None:
        """A block in the topic."""
        self.forum.write(self.table.players[seat][0], block(*lines))

    def whisper(self, seat: str, *lines: str) -> None:
        """A block by private message."""
        self.forum.whisper(self.table.players[seat][0], block(*lines))

    def correct(self, *entries: dict[str, Any]) -> None:
        """The override file of the first turn."""
        path = self.folder / "overrides" / "turn-001.toml"
        path.parent.mkdir(exist_ok=True)
        tables = ("[[override]]\n" + write_toml(one) for one in entries)
        path.write_text("\n".join(tables), encoding="utf-8")

    def public(self) -> str:
        """All that everybody could read of us: posts in every version; pages, pictures and proof."""
        return "\n".join((*self._ours(TOPIC), *self._files("")))

    def sent(self, seat: str) -> str:
        """All that we have for a seat (or the director) in private: messages, their subjects, files."""
        account = DIRECTOR[0] if seat == "director" else self.table.players[seat][0]
        own = {key: title for key, (title, people) in self.forum.conversations.items() if account in people}
        texts = (text for key in own for text in self._ours(key))
        return "\n".join((*own.values(), *texts, *self._files(seat)))

    def _files(self, reader: str) -> tuple[str, ...]:
        """The files of a turn's folder that are for a reader, pictures as SVG; "" for everybody."""
        readers = ("director", *map(str.lower, self.table.players))
        texts = []
        for path in sorted(self.folder.glob("reports/*/*")):
            name = re.sub(r"-\d+$", "", path.stem.lower())  # parts of a long report
            to = next((one for one in readers if name.endswith(f"-{one}")), "")
            to = "director" if name.startswith("digest") else to
            if to == reader.lower() and path.suffix != ".png":
                texts.append(path.read_text(encoding="utf-8"))
        return tuple(texts)

    def _ours(self, topic: str) -> tuple[str, ...]:
        return tuple(text for where, author, text in self.forum.written if (where, author) == (topic, BOT))


def block(*lines: str) -> str:
    """An order block of the first turn."""
    return "\n".join(("[órdenes turno 1]", *lines, "[/órdenes]"))


def start_night(
    table: Table,
    folder: Path,
    state: Any,
    *,
    secret: bool = True,
    options: dict[str, Any] | None = None,
    policies: dict[str, Any] | None = None,
    kind: type[KeepingForum] = KeepingForum,
) -> SecretNight:
    """A game whose topic has an opening post by the director. secret: whether orders come in private. kind:
    of its forum.
    """
    folder.mkdir()
    game = _game(table, secret=secret) | ({"options": options} if options else {})
    game |= {"policies": policies} if policies else {}
    text = write_toml(game).replace('"FIRST"', "2026-12-06T22:00:00")
    (folder / "game.toml").write_text(text, encoding="utf-8")
    (folder / "setup.toml").write_text(write_setup(state), encoding="utf-8")
    database = new_database()
    clock, numbers = HandClock(), count(1)
    accounts = {login: account for account, login in (*table.players.values(), DIRECTOR)}
    forum = kind(clock, accounts={"turnero": BOT, **accounts})
    forum.write(DIRECTOR[0], "Aquí se juega.")
    service = make_service(
        database, clock, forum, random_bytes=lambda size: next(numbers).to_bytes(1, "big") * size
    )
    service = replace(service, pipeline=PIPELINE)
    register_game(service, folder)
    return SecretNight(table, folder, clock, forum, service)


def _game(table: Table, *, secret: bool) -> dict[str, Any]:
    return {
        "id": "marcas",
        "title": table.title,
        "ruleset": table.ruleset,
        "language": "es",
        "zone": "Europe/Madrid",
        "forum": {
            "software": "spirit",
            "url": "https://foro.example.net/",
            "topic": int(TOPIC),
            "account": "turnero",
            "zone": "Europe/Madrid",
            "secret": secret,
        },
        "director": {"login": DIRECTOR[1]},
        "schedule": {"first": "FIRST", "every": 7},
        "seats": {
            seat: {"account": int(account), "login": login}
            for seat, (account, login) in table.players.items()
        },
    }
