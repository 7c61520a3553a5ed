"""What the service is given: the pure functions of the game, and the outside world.

The service knows when things happen and makes them durable; what they mean, the functions of `Pipeline` say.
`jobs/wiring.py` binds the real ones, tests bind small ones.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Protocol

from processor.checkpoints import Reach
from processor.gate import Gate
from processor.pipeline import texts
from processor.pipeline.answering import Heard, Listening, hear_answers
from processor.pipeline.context import (
    Commitments,
    Frozen,
    Opens,
    PlayContext,
    PostVersion,
    Secrets,
    TurnResult,
)
from processor.pipeline.filing import Drawn, public_pictures
from processor.pipeline.following import Followed, follow_clock
from processor.pipeline.reading import carry
from processor.pipeline.resolving import foretell_turn
from processor.pipeline.telling import tell_readers
from processor.pipeline.voiding import void_notice
from processor.ports import Beacon, Clock, Forum
from processor.store.database import Database
from rules.engine.catalogue import Catalogue
from rules.engine.document import Document
from rules.engine.messages import Message
from rules.engine.ptd1 import SEED, Entropy
from rules.engine.ruleset import Ruleset
from rules.play.attempts import Redo, ToldLines, VoidedTurn
from rules.play.carried import Carried
from rules.play.clock import TurnClock
from rules.play.game import Game, Schedule
from rules.play.outgoing import Outgoing, ReportFile
from rules.play.posts import Post
from rules.play.reading import TurnReading
from rules.play.turns import Deadline, TurnRef


class FolderFault(Exception):
    """A file of a game's folder can't be used.

    said: for the director, as a message, or ready words with file, line and key.
    """

    def __init__(self, said: Message | str) -> None:
        super().__init__(f"{said.id} {dict(said.params)}" if isinstance(said, Message) else said)
        self.said = said

    def say(self, catalogue: Catalogue) -> str:
        """What is wrong, in a language."""
        return catalogue.text(self.said) if isinstance(self.said, Message) else self.said


@dataclass(frozen=True, slots=True)
class LoadedGame:
    """A game's folder as read. topic_url: where readers find the topic."""

    game: Game
    ruleset: Ruleset
    catalogue: Catalogue
    topic_url: str = ""


class Reports(Protocol):
    """All texts of a resolved turn; `following` and `deadline` are None where the game ends."""

    def __call__(
        self,
        play: PlayContext,
        frozen: Frozen,
        result: TurnResult,
        now: Commitments,
        following: Commitments | None,
        deadline: Deadline | None,
        next_state: Any,
    ) -> tuple[Outgoing, ...]:
        """The public report, the private ones, the director's digest."""
        ...


class Letters(Protocol):
    """Why a turn waits: a result with open questions or problems, or the reason of a hold and its code."""

    def __call__(
        self,
        play: PlayContext,
        subject: TurnResult | Message | str,
        code: str = "",
        until: Mapping[str, datetime] | None = None,
    ) -> tuple[Outgoing, ...]:
        """Texts to the director, and to seats that are asked something. until: by question, UTC."""
        ...


@dataclass(frozen=True, slots=True)
class Pipeline:
    """The game's pure functions. Those that read the folder raise FolderFault.

    load_setup: the state that the game starts from. dump_reading: as plain data that JSON can hold.
    choose_posts: a reading with the choice of posts that the text of an override file makes.
    carry: what the seats would take into the next turn if the turn closed now.
    foretell: what may come of a turn, for its director alone.
    """

    load_game: Callable[[Path], LoadedGame]
    load_setup: Callable[[Path, LoadedGame], Any]
    commitments: Callable[[PlayContext, Secrets], Commitments]
    wants_raw: Callable[[Post, str], bool]
    read_turn: Callable[[PlayContext, Sequence[PostVersion], str], TurnReading]
    freeze: Callable[[PlayContext, Sequence[PostVersion], str, str, Secrets], Frozen]
    resolve_turn: Callable[[PlayContext, Frozen, Secrets], TurnResult]
    opening: Callable[[PlayContext, Commitments], tuple[Outgoing, ...]]
    receipts: Callable[[PlayContext, TurnReading, Frozen | None], tuple[Outgoing, ...]]
    reports: Reports
    letters: Letters
    report_files: Callable[
        [PlayContext, Frozen, TurnResult, tuple[Outgoing, ...], Opens], tuple[ReportFile, ...]
    ]
    dump_reading: Callable[[TurnReading], Any]
    load_reading: Callable[[Any], TurnReading]
    next_deadline: Callable[[Schedule, str, datetime], Deadline]
    choose_posts: Callable[[PlayContext, TurnReading, Sequence[PostVersion], str], TurnReading]
    entropy: Callable[[PlayContext, Frozen], Entropy] = lambda play, frozen: SEED
    reminders: Callable[[PlayContext, TurnReading, timedelta], tuple[Outgoing, ...]] = texts.reminders
    follow_clock: Callable[[PlayContext, TurnClock, str, datetime], Followed] = follow_clock
    hear_answers: Callable[[PlayContext, Frozen, Listening, Sequence[PostVersion]], Heard] = hear_answers
    carry: Callable[[PlayContext, Sequence[PostVersion]], Carried] = carry
    announce: Callable[[PlayContext, Frozen, int, str, bool], Outgoing] = texts.announce
    fall_back: Callable[[PlayContext, int, str, str], Outgoing] = texts.fall_back
    foretell: Callable[[PlayContext, Frozen, Secrets], Document | None] = foretell_turn
    void_notice: Callable[[PlayContext, Redo, Sequence[VoidedTurn]], tuple[Outgoing, ...]] = void_notice
    tell_readers: Callable[[PlayContext, TurnResult], Mapping[str, ToldLines]] = tell_readers
    pictures: Callable[[PlayContext, TurnResult], tuple[Drawn, ...]] = public_pictures


class Folder(Protocol):
    """A game's folder, as far as the service reads and writes it."""

    def read_overrides(self, folder: Path, ref: TurnRef) -> str:
        """The override file's text, "" for none. Raises FolderFault."""
        ...

    def write_overrides(self, folder: Path, ref: TurnRef, text: str) -> None:
        """Write the override file, at once or not at all. Raises FolderFault."""
        ...

    def find_overrides(self, folder: Path, track: str) -> Mapping[int, str]:
        """The turns of a track that have an override file, by number, with the file's stamp.

        Two stamps are the same only where the file is; "" for one so new that it could change unseen.
        """
        ...

    def write_reports(
        self,
        folder: Path,
        ref: TurnRef,
        files: tuple[ReportFile, ...],
        voided: Mapping[int, tuple[ReportFile, ...]],
    ) -> None:
        """Write the files of a report, each at once or not at all; an SVG as PNG too.

        voided: files of earlier attempts that were published, by attempt; they are put aside.
        """
        ...

    def read_reports(self, folder: Path, ref: TurnRef) -> Mapping[str, bytes]:
        """The files that lie where a turn's report was written, by name. Raises FolderFault."""
        ...


@dataclass(frozen=True, slots=True)
class Service:
    """Everything the service works with; one per process.

    open_forum: the forum of a game, the same object for the same account. random_bytes: n unguessable bytes.
    owner: names this process in leases. beacon: for games that are proved by it. vetted: games that it has
    compared with their forum.
    """

    database: Database
    clock: Clock
    pipeline: Pipeline
    open_forum: Callable[[Game], Forum]
    folder: Folder
    random_bytes: Callable[[int], bytes]
    owner: str
    gate: Gate
    reach: Reach
    beacon: Beacon
    vetted: set[str] = field(default_factory=set, compare=False)
