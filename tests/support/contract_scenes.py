"""What people do in a forum, the same for each adapter: the contract's tests play on these scenes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Protocol

from jobs.catalogues import load_catalogue
from jobs.demo.forum_server import ForumServer
from jobs.folders import load_game
from processor.forums.folder import FolderForum
from processor.forums.folder import Scene as ReadScene
from processor.forums.http import ForumHttp, Limits
from processor.forums.pace import origin_of
from processor.forums.umbria import UmbriaScene
from processor.gate import Gate
from processor.ports import Forum
from processor.service.carriage import carriage_of
from rules.play.game import ForumSettings
from rules.play.posts import Published
from tests.support.folder_game import SETUP
from tests.support.forum_fixtures import ACCOUNTS, BOT, TITLE, enter
from tests.support.hand_clock import HandClock
from tests.support.spirit_pages import ShownPost, Viewer, render_markdown, show_topic
from tests.support.standin import StandIn
from tests.support.umbria_site import UmbriaSite

IDS = {"alice": "2", "bob": "3"}
"""The players' accounts where forums number them."""
BEGAN = datetime(2026, 12, 2, 20, 30, tzinfo=UTC)
PER_PAGE = 3

GAME = """\
id = "alfa"
title = "Alfa"
ruleset = "conquista"
zone = "UTC"
[forum]
software = "folder"
dialect = "{dialect}"
topic = 12
zone = "UTC"
max_chars = 3000
[schedule]
first = 2026-12-06
at = "22:00"
days = ["domingo"]
[seats]
Imperio = {{ account = 2, login = "alice" }}
Tau = {{ account = 3, login = "bob" }}
Caos = {{}}
"""


class Scene(Protocol):
    """A forum with an empty turn's topic, and two players. Ids are those that its readings have.

    software: whose HTML its posts have. ids: the players' accounts.
    """

    topic: str
    software: str
    ids: Mapping[str, str]

    @property
    def forum(self) -> Forum:
        """The forum as we see it."""
        ...

    def write(self, author: str, text: str) -> str:
        """A post by a player; its id."""
        ...

    def rewrite(self, post_id: str, text: str) -> None:
        """Its author edits it."""
        ...

    def delete(self, post_id: str) -> None:
        """It is gone as if it had never been."""
        ...

    def whisper(self, author: str, text: str) -> None:
        """A private message to us."""
        ...


@dataclass
class Reached:
    """A forum that is reached, real or a stand-in, three posts a page."""

    server: ForumServer | StandIn

    def __post_init__(self) -> None:
        self.topic = self.server.topics[TITLE]
        self.forum: Forum = enter(self.server, BOT)
        self.software = self.server.software
        self.ids: Mapping[str, str] = self.server.accounts

    def write(self, author: str, text: str) -> str:
        """See `Scene.write`."""
        return self.server.write_post(self.topic, author, text)

    def rewrite(self, post_id: str, text: str) -> None:
        """See `Scene.rewrite`: later, since some forums don't mark what is mended at once."""
        self.server.shift_clock(120)
        self.server.edit_post(post_id, text)

    def delete(self, post_id: str) -> None:
        """See `Scene.delete`."""
        self.server.delete_post(post_id)

    def whisper(self, author: str, text: str) -> None:
        """See `Scene.whisper`."""
        account = next(one for one in ACCOUNTS if one.name == author)
        assert isinstance(enter(self.server, account).send_private(BOT.name, "Órdenes", text), Published)


@dataclass
class Carried:
    """A game whose director copies each post into a text file of its own."""

    folder: Path
    topic: str = "turn-001"
    software: str = "spirit"
    ids: Mapping[str, str] = field(default_factory=lambda: IDS)
    clock: HandClock = field(default_factory=lambda: HandClock(BEGAN))
    files: dict[str, Path] = field(default_factory=dict)
    dialect: str = "spirit"

    def __post_init__(self) -> None:
        self.begin(GAME.format(dialect=self.dialect))

    def begin(self, game: str) -> None:
        """Write the game's files, and open its forum."""
        (self.folder / "game.toml").write_text(game, encoding="utf-8")
        (self.folder / "setup.toml").write_text(SETUP, encoding="utf-8")
        self.game = load_game(self.folder).game
        forum = self.game.forum
        self.forum: Forum = FolderForum(
            self.game, load_catalogue("es"), self.clock, Gate(), self.find_scene(forum)
        )
        assert carriage_of(self.forum.capabilities).own_topics

    def find_scene(self, forum: ForumSettings) -> ReadScene | None:
        """The scene that is read besides the inbox, None for none."""
        del forum
        return None

    @property
    def inbox(self) -> Path:
        """The turn's inbox."""
        path = self.folder / "inbox" / self.topic
        path.mkdir(parents=True, exist_ok=True)
        return path

    def write(self, author: str, text: str) -> str:
        """See `Scene.write`."""
        return self._copy(author, text)

    def rewrite(self, post_id: str, text: str) -> None:
        """See `Scene.rewrite`: the file says what stands in the forum now, and since when."""
        head = self.files[post_id].read_text(encoding="utf-8").split("\n\n", 1)[0]
        self.clock.sleep(60)
        edited = f"editado: {self.clock.now():%Y-%m-%d %H:%M}"
        self.files[post_id].write_text(f"{head}\n{edited}\n\n{text}\n", encoding="utf-8")

    def delete(self, post_id: str) -> None:
        """See `Scene.delete`."""
        self.files.pop(post_id).unlink()

    def whisper(self, author: str, text: str) -> None:
        """See `Scene.whisper`."""
        self._copy(author, text, "privado: sí\n")

    def _copy(self, author: str, text: str, more: str = "") -> str:
        self.clock.sleep(60)
        at = f"{self.clock.now():%Y-%m-%d %H:%M}"
        path = self.inbox / f"{len(self.files):03}.txt"
        path.write_text(f"autor: {author}\nfecha: {at}\n{more}\n{text}\n", encoding="utf-8")
        self.files[f"{author} {at}"] = path
        return f"{author} {at}"


@dataclass
class Saved(Carried):
    """A game whose director saves the topic's pages after each change, and keeps the older saves."""

    shown: list[ShownPost] = field(default_factory=list)
    saves: int = 0

    def write(self, author: str, text: str) -> str:
        """See `Scene.write`."""
        self.clock.sleep(60)
        number = len(self.shown) + 1
        made = str(100 + self.saves)
        html = render_markdown(text)
        self.shown.append(ShownPost(made, number, IDS[author], author, self.clock.now(), html))
        self._save()
        return made

    def rewrite(self, post_id: str, text: str) -> None:
        """See `Scene.rewrite`."""
        self.clock.sleep(60)
        html = render_markdown(text)
        self.shown = [
            replace(one, html=html, edits=one.edits + 1) if one.id == post_id else one for one in self.shown
        ]
        self._save()

    def delete(self, post_id: str) -> None:
        """See `Scene.delete`: nothing on a page tells of it, so the director begins anew."""
        for path in self.inbox.glob("*.html"):
            path.unlink()
        left = [one for one in self.shown if one.id != post_id]
        self.shown = [replace(one, number=at) for at, one in enumerate(left, 1)]
        self._save()

    def _save(self) -> None:
        self.saves += 1
        pages = max(1, -(-len(self.shown) // PER_PAGE))
        viewer = Viewer("9", "gm")
        stamp = f"{self.clock.now() + timedelta(minutes=1):%Y-%m-%d %H.%M}"
        for page in range(1, pages + 1):
            posts = self.shown[(page - 1) * PER_PAGE : page * PER_PAGE]
            shown = show_topic("12", "Alfa", posts, viewer, page=page, pages=pages)
            path = self.inbox / f"p{page} {self.saves} {stamp}.html"
            path.write_text(shown, encoding="utf-8")


@dataclass
class Live(Carried):
    """A game in a scene of Comunidad Umbría that we read ourselves; its director brings private messages.

    The site's own first post is there from the beginning, since a scene without posts is none.
    """

    site: UmbriaSite = field(kw_only=True)
    software: str = "umbria"

    def __post_init__(self) -> None:
        self.site.write(9, "gm", "<p>Empieza la feria.</p>")
        head, _, seats = GAME.format(dialect="").partition("[forum]")
        settings = f'software = "umbria"\ntopic_url = "{self.site.address}"\nzone = "Europe/Madrid"\n'
        rest = seats[seats.index("max_chars") :]
        self.begin(f"{head}[forum]\n{settings}{rest}")

    def find_scene(self, forum: ForumSettings) -> ReadScene:
        """See `Carried.find_scene`."""
        http = ForumHttp(origin_of(forum.url), limits=Limits(gap=0.0))
        return UmbriaScene(http, forum.url, forum.zone)

    def write(self, author: str, text: str) -> str:
        """See `Scene.write`."""
        self.clock.sleep(60)
        return self.site.write(int(IDS[author]), author, render_markdown(text))

    def rewrite(self, post_id: str, text: str) -> None:
        """See `Scene.rewrite`."""
        self.clock.sleep(60)
        self.site.rewrite(post_id, render_markdown(text))

    def delete(self, post_id: str) -> None:
        """See `Scene.delete`."""
        self.site.delete(post_id)
