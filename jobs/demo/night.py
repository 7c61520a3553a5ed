"""One night of the demo: what the people at the forum can do and see, and Turnero at work between."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from jobs.commands.paper import draw_chapters
from jobs.demo.browser import Browser, Comment
from jobs.demo.play import Play
from jobs.demo.players import DIRECTOR, Person
from jobs.demo.stage import Stage
from jobs.demo.telling import Teller, shown
from jobs.tick import tick
from processor.service.foretelling import set_trial, tell_ahead
from processor.store import games, turns
from processor.store.rows import TurnRow
from reporters.layout import lay_out
from rules.play.turns import GameStatus, TurnRef, TurnStatus

LONGEST = 120.0
"""Seconds after which something that should have happened in the forum is given up."""
_BREATH = 0.5
_SNIPPET = re.compile(r"```toml\n(.*?)\n```", re.DOTALL)
_TOO_SLOW = "esta máquina va tan lenta que el turno se ha cerrado antes de tiempo: prueba otra vez"


class NightFailed(Exception):
    """The night did not come to its end; the text says what was waited for, and what the turn says."""


@dataclass(frozen=True, slots=True)
class Letter:
    """What the director is asked. shown: as a reader sees it. snippet: what it says to copy."""

    shown: str
    snippet: str

    def filled(self, answer: str, reason: str) -> str:
        """The snippet with its blanks filled in; where it names the answers there are, with the last one."""
        return "".join(f"{self._fill(line, answer, reason)}\n" for line in self.snippet.splitlines())

    def _fill(self, line: str, answer: str, reason: str) -> str:
        key, _, rest = line.partition(" = ")
        if "…" not in rest:
            return line
        named = rest.partition("  # ")[2]
        value = (named.split(" | ")[-1] if named else answer) if key == "answer" else reason
        return f'{key} = "{value}"'


@dataclass(frozen=True, slots=True)
class Night:
    """A night while it is played."""

    play: Play
    stage: Stage
    teller: Teller

    # what people do

    def tell(self, text: str) -> None:
        """What is about to happen, for who watches."""
        self.teller.step(text)

    def whisper(self, who: Person, text: str) -> None:
        """Answer in one's private conversation with the bot."""
        topic, _ = next(self.conversations(who.name))
        self._browser(who).post(topic, text)

    def post(self, who: Person, text: str) -> str:
        """Write in the topic; the post's id."""
        return self._browser(who).post(self.stage.topic, text)

    def edit(self, who: Person, text: str) -> None:
        """Rewrite one's first post of the topic."""
        browser = self._browser(who)
        own = next(one for one in browser.comments(self._topic) if one.author_name == who.name)
        browser.edit(own.id, text)

    def quotation(self, who: Person, post: str) -> str:
        """A post of the topic as the forum's quote button hands it over."""
        return self._browser(who).form_text(f"comment/{self.stage.topic}/publish/{post}/quote/")

    def link(self, post: str) -> str:
        """The address of a post."""
        return f"{self.stage.server.url}/comment/{post}/find/"

    @property
    def corrections(self) -> Path:
        """The director's file for the turn."""
        return self.stage.folder / "overrides" / "turn-001.toml"

    def write_corrections(self, text: str) -> None:
        """Add entries to the director's file."""
        self.corrections.parent.mkdir(exist_ok=True)
        before = self.corrections.read_text(encoding="utf-8") + "\n" if self.corrections.exists() else ""
        self.corrections.write_text(before + text, encoding="utf-8")

    # what they see

    @property
    def _topic(self) -> str:
        return f"topic/{self.stage.topic}/"

    def _browser(self, who: Person) -> Browser:
        return self.stage.people[who.name]

    def conversations(self, name: str) -> Iterator[tuple[str, str]]:
        """A person's private conversations with the bot: topic and path."""
        return iter(self.stage.people[name].conversations().items())

    def _message(self, name: str, mark: str) -> tuple[str, Comment] | None:
        """The bot's newest private text with a mark for somebody, and its topic; None before there is one."""
        browser = self.stage.people[name]
        found = [
            (topic, one)
            for topic, path in self.conversations(name)
            for one in browser.comments(path)
            if one.author == self.stage.bot and mark in one.html
        ]
        return found[-1] if found else None

    def _told(self, who: Person, kind: str) -> str:
        """The newest private text of a kind for a player, "" before there is one."""
        found = self._message(who.name, f":{kind}-{who.seat.lower()}:")
        return found[1].html if found is not None else ""

    def receipt(self, who: Person) -> str:
        """A player's receipt as it stands now, "" before there is one."""
        return self._told(who, "receipt")

    def receipts(self, *people: Person) -> Mapping[Person, str]:
        """Receipts as they stand now."""
        return {one: self.receipt(one) for one in people}

    def report(self) -> str:
        """The public report, in plain lines."""
        told = self.stage.people[DIRECTOR].comments(self._topic)
        return "\n\n".join(shown(one.html) for one in told if ":report:" in one.html)

    def show_exchange(self, who: Person, text: str, style: str) -> None:
        """What somebody wrote, and what the bot answered."""
        self.teller.quote(f"{who.name} escribió", text)
        self.teller.quote("turnero le contestó", shown(self.receipt(who)), style)

    def foretell(self) -> str:
        """What `turnero preview` can tell the director ahead of the dice."""
        service = self.stage.service
        with service.database.read() as connection:
            row = games.get_game(connection, self.stage.game)
        trial = set_trial(service, row, service.clock.now())
        document = tell_ahead(service, trial)
        return draw_chapters(lay_out(document, trial.play.catalogue, titled=False)) if document else ""

    # what they wait for

    def await_opening(self) -> None:
        """Wait until everybody has been written to."""
        zone = ZoneInfo(self.stage.zone)
        local = self.stage.deadline.astimezone(zone)
        city = self.stage.zone.rpartition("/")[2].replace("_", " ")
        self.tell(f"La partida está en {self.stage.topic_url} y cierra a las {local:%H:%M} ({city})")
        with self.teller.waiting("Turnero abre el turno 1: compromiso, cierre y plantillas"):
            self._tick_until(lambda: all(self._told(one, "open") for one in self.play.people), "la apertura")

    def await_receipts(self) -> None:
        """Wait until everybody has a receipt."""
        with self.teller.waiting("Turnero lee el foro y contesta con recibos"):
            self._tick_until(lambda: all(self.receipt(one) for one in self.play.people), "los recibos")

    def await_new_receipts(self, before: Mapping[Person, str]) -> None:
        """Wait until receipts are others than before. Raises NightFailed where the turn is closed by now."""
        if datetime.now(UTC) >= self.stage.closes:
            raise NightFailed(_TOO_SLOW)
        with self.teller.waiting("Turnero vuelve a leer y corrige sus recibos"):
            self._tick_until(
                lambda: all(self.receipt(one) != text for one, text in before.items()),
                "los recibos corregidos",
            )

    def await_deadline(self) -> None:
        """Wait until the turn's last minute is over."""
        left = (self.stage.closes - datetime.now(UTC)).total_seconds()
        told = "Espero al cierre: el minuto entero cuenta, y manda el reloj del foro"
        self.teller.count_down(max(0.0, left) + 1.0, told)

    def await_letter(self, kind: str) -> Letter:
        """Wait until the director has a letter of a kind."""
        mark = f":{kind}:"
        self._tick_until(lambda: self._message(DIRECTOR, mark) is not None, "la carta", held=True)
        found = self._message(DIRECTOR, mark)
        if found is None:
            raise NightFailed("la carta ya no está")
        topic, comment = found
        snippets = _SNIPPET.findall(self.stage.people[DIRECTOR].text_of(topic, comment.id))
        return Letter(shown(comment.html), "\n\n".join(snippets))

    def await_told(self, who: Person, kind: str) -> None:
        """Wait until a player has a private text of a kind."""
        self._tick_until(lambda: self._told(who, kind) != "", f"lo que se le dice a {who.name}", held=True)

    def await_report(self) -> None:
        """Wait until the turn is published."""
        with self.teller.waiting("Turnero cierra el turno, tira los dados y publica el informe"):
            self._tick_until(
                lambda: self._turn().status is TurnStatus.PUBLISHED,
                "el informe",
                held=bool(self.play.letters),
            )

    # Turnero at work

    def _turn(self) -> TurnRow:
        with self.stage.service.database.read() as connection:
            found = turns.find_attempt(connection, TurnRef(self.stage.game, 1))
        if found is None:
            raise NightFailed("el turno 1 no está en la base de datos")
        return found

    def _find_trouble(self, *, held: bool) -> str | None:
        """Why nothing will happen by itself, None while all is well. held: whether a held turn is."""
        turn = self._turn()
        if turn.status is TurnStatus.HELD and not held:
            return f"el turno se ha quedado parado: {turn.reason}"
        with self.stage.service.database.read() as connection:
            row = games.get_game(connection, self.stage.game)
        return f"la partida está apartada: {row.note}" if row.status is GameStatus.PARKED else None

    def _tick_until(self, happened: Callable[[], bool], what: str, *, held: bool = False) -> None:
        """Let Turnero work until something can be seen. Raises NightFailed in trouble, or after a while."""
        ends = time.monotonic() + LONGEST
        while not happened():
            self.teller.heed()
            trouble = self._find_trouble(held=held)
            if trouble:
                raise NightFailed(f"esperando {what}: {trouble}")
            if time.monotonic() > ends:
                status = self._turn().status
                raise NightFailed(
                    f"esperando {what}: en {LONGEST:.0f} s no ha pasado; el turno está «{status}»"
                )
            tick(self.stage.service, only={self.stage.game}, budget=3.0, patience=1.5)
            time.sleep(_BREATH)
