"""A game small enough to kill many times: one order, one die each, and real values all along.

The folder holds `game.json` (settings, see `write_folder`), and the pipeline's functions are plain stand-ins
for those of `processor/pipeline`. Orders are lines `tirar WORD`; `preguntar` asks the director, who
answers with an override file that holds `respuesta`; `dudar` asks its seat, which answers `responder P1 sí`
or `no` (read by the real pipeline: it is what resumes the turn); an override file with `mal` is a bad one.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta
from html import unescape
from pathlib import Path
from typing import Any

from jobs.catalogues import load_catalogue
from processor.forums.reading import rank
from processor.pipeline.context import (
    Commitments,
    Frozen,
    Opens,
    PlayContext,
    PostVersion,
    Secrets,
    TurnResult,
)
from processor.pipeline.following import Followed, follow_clock
from processor.pipeline.schedule import next_deadline
from processor.service.bundle import FolderFault, LoadedGame, Pipeline
from rules.engine import ptd1
from rules.engine.audience import PUBLIC, only
from rules.engine.codec import canonical_json, dump_state
from rules.engine.dice import Roll
from rules.engine.events import Event
from rules.engine.messages import Message, Name, msg
from rules.engine.orders import Args, Order
from rules.engine.questions import Asked, Question
from rules.engine.resolution import Resolution, RolledDie
from rules.engine.ruleset import Kind, Outcome, Ruleset
from rules.play.clock import TurnClock
from rules.play.game import ForumSettings, Game, Policies, Schedule, Seat
from rules.play.outgoing import TOPIC, Outgoing, ReportFile
from rules.play.posts import Post
from rules.play.reading import LineRead, PostRef, SeatReading, SkippedText, Submission, TurnReading
from rules.play.turns import Deadline

SEATS = ("norte", "sur")
_BLOCK = re.compile(r"\[órdenes\](.*?)\[/órdenes\]", re.DOTALL)
_TAGS = re.compile(r"<[^<>]*>")


@dataclass
class SmallState:
    """Points by seat."""

    points: dict[str, int] = field(default_factory=dict)


KIND = Kind("turno", (), ())
RULESET = Ruleset(
    id="small",
    version="1",
    title="Juego pequeño",
    state=SmallState,
    options=dict,
    kinds={"turno": KIND},
    seats=lambda state: {seat: Name(seat.title()) for seat in SEATS},
    groups=lambda state: {},
    view=lambda state, viewer, options: state,
)


def write_folder(folder: Path, **settings: Any) -> Path:
    """A game's folder. settings: id, software, url, topic, account, forum_zone, accounts (seat -> (id,
    login)), director, lease, quiet (seconds), reminder, early, grace, outage, canary (hours), zone, first and
    at (local, ISO), every_days, night, last (number of the last turn), first_turn, secret.
    """
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "game.json").write_text(json.dumps(settings), encoding="utf-8")
    return folder


def load_game(folder: Path) -> LoadedGame:
    """The game that `write_folder` described. Raises FolderFault where the folder holds a file `broken`."""
    if (folder / "broken").exists():
        raise FolderFault(f"{folder / 'game.json'}: está rota")
    told = json.loads((folder / "game.json").read_text(encoding="utf-8"))
    accounts = told.get("accounts", {"norte": ["2", "alice"], "sur": ["3", "bob"]})
    seats = tuple(_seat(seat, *accounts.get(seat, (None, None))) for seat in SEATS)
    first = datetime.fromisoformat(told.get("first", "2026-12-06T22:00"))
    game = Game(
        id=told.get("id", "pequena"),
        title="Partida pequeña",
        ruleset="small",
        language="es",
        zone=told.get("zone", "Europe/Madrid"),
        forum=ForumSettings(
            told.get("software", "spirit"),
            told.get("url", "http://foro.example"),
            told.get("topic", "7"),
            told.get("account", "turnero"),
            told.get("forum_zone", "Europe/Madrid"),
            told.get("secret", True),
        ),
        schedule=Schedule(
            time.fromisoformat(told.get("at", "22:00")),
            first,
            every_days=told.get("every_days", 7),
            night=told.get("night", False),
        ),
        seats=seats,
        policies=Policies(
            lease=timedelta(seconds=told.get("lease", 300)),
            quiet=timedelta(seconds=told.get("quiet", 120)),
            reminder=_hours(told.get("reminder", 3)),
            early=_hours(told.get("early")),
            grace=_hours(told.get("grace")),
            canary=_hours(told.get("canary")),
            outage=timedelta(hours=told.get("outage", 9999)),  # these nights leave out whole weeks
        ),
        options={"last": told.get("last", 99)},
        first_turn=told.get("first_turn", 1),
        director=told.get("director"),
    )
    return LoadedGame(game, RULESET, load_catalogue("es"), "http://foro.example/tema")


def _hours(count: float | None) -> timedelta | None:
    return None if count is None else timedelta(hours=count)


def _seat(seat: str, account: str | None, login: str | None) -> Seat:
    return Seat(seat, account, login, Name(seat.title()))


def load_setup(folder: Path, loaded: LoadedGame) -> SmallState:
    """Nobody has points."""
    return SmallState(dict.fromkeys(SEATS, 0))


def commitments(play: PlayContext, secrets: Secrets) -> Commitments:
    """C, and a digest over nothing else."""
    made = ptd1.commitment(play.ref.dice_game, play.ref.turn, secrets.seed)
    return Commitments(made, ptd1.groups_digest([made]))


def wants_raw(post: Post, software: str) -> bool:
    """Posts with a block."""
    return "[órdenes]" in (post.html or "")


def read_turn(play: PlayContext, versions: Sequence[PostVersion], own_account: str) -> TurnReading:
    """The newest block of each seat that was written before the deadline's minute was over."""
    newest = {one.post.id: one for one in versions}
    ordered = sorted(newest.values(), key=lambda one: (one.post.created_at, rank(one.post.id)))
    blocks: dict[str, Submission] = {}
    late: list[SkippedText] = []
    for one in ordered:
        for seat in play.game.seats_of(one.post.author_id):
            block = _read_block(seat.id, one.post)
            if block is None or one.missing or one.post.author_id == own_account:
                continue
            if one.post.created_at > play.deadline.cut_off:
                late.append(SkippedText(block.post, "late", seat.id))
            else:
                blocks[seat.id] = block
    seats = tuple(_reading(seat.id, blocks.get(seat.id)) for seat in play.game.seats)
    return TurnReading(seats, (), tuple(late))


def _reading(seat: str, block: Submission | None) -> SeatReading:
    return SeatReading(seat, (block,) if block else (), block)


def _read_block(seat: str, post: Post) -> Submission | None:
    text = post.raw if post.raw is not None else unescape(_TAGS.sub("\n", post.html or ""))
    found = _BLOCK.search(text)
    if found is None:
        return None
    written = [line.strip() for line in found[1].split("\n") if line.strip()]
    lines = [line for line in written if line != "listo"]
    return Submission(
        seat,
        PostRef(post.id, post.number, post.url, post.created_at, post.private),
        tuple(_read_line(seat, number, line, post) for number, line in enumerate(lines, 1)),
        ready="listo" in written,
    )


def _read_line(seat: str, number: int, line: str, post: Post) -> LineRead:
    words = line.split()
    order = Order(seat, number, words[0], Args({"word": words[-1]}), line, post=post.id, secret=post.private)
    return LineRead(number, number + 1, line, order if words[0] in ("tirar", "preguntar", "dudar") else None)


def freeze(
    play: PlayContext, versions: Sequence[PostVersion], own_account: str, overrides: str, secrets: Secrets
) -> Frozen:
    """What counts, with manifest and lock tag."""
    reading = read_turn(play, versions, own_account)
    texts = [
        (block.post.id, seat.seat, "\n".join(line.text for line in block.lines))
        for seat, block in _blocks(reading)
    ]
    manifest = ptd1.manifest(texts)
    ref = play.ref
    tag = ptd1.lock_tag(ref.dice_game, ref.turn, secrets.seed, manifest, overrides.encode(), "small-1")
    digest = hashlib.sha256(manifest).hexdigest()
    return Frozen(reading, overrides, tag, digest, "small-1", len({one.post.id for one in versions}))


def _blocks(reading: TurnReading) -> list[tuple[SeatReading, Submission]]:
    return [(seat, block) for seat in reading.seats for block in seat.in_force]


def resolve_turn(play: PlayContext, frozen: Frozen, secrets: Secrets) -> TurnResult:
    """A die for each order, its points to the seat."""
    overrides = frozen.overrides if frozen.late_overrides is None else frozen.late_overrides
    if "mal" in overrides:
        return TurnResult(_resolution(play.state, (), (), ()), None, {}, problems=("turn-001.toml: mal",))
    orders = [order for seat in frozen.reading.seats for order in seat.orders]
    asked = tuple(
        _ask(order) for order in orders if order.name == "preguntar" and "respuesta" not in overrides
    )
    doubts = tuple(_doubt(order, frozen) for order in orders if order.name == "dudar")
    asked += tuple(one for one in doubts if one.answer is None)
    if asked:
        return TurnResult(_resolution(play.state, (), (), asked), None, {}, None, _handles(asked))
    key = ptd1.turn_key(play.ref.dice_game, play.ref.turn, secrets.seed, ptd1.SEED)
    state = SmallState(dict(play.state.points))
    events: list[Event] = []
    rolls: list[RolledDie] = []
    for order in orders:
        label = f"{order['word']}/{order.seat}/{order.number}"
        value = ptd1.roll(key, label, 0, ptd1.WORD)
        audience = only(order.seat) if order.secret else PUBLIC
        rolls.append(RolledDie(Roll(label, 0, ptd1.WORD, value, value, "tirada"), audience, len(events)))
        events.append(Event("small/rolled", {"value": value % 6 + 1}, audience, order.seat, order.number))
        state.points[order.seat] += value % 6 + 1
    ended = play.ref.turn >= play.game.options["last"]
    outcome = Outcome((tuple(SEATS),), msg("small/over")) if ended else None
    proof = {"game": play.ref.dice_game, "turn": play.ref.turn, "seed": secrets.seed.hex()}
    done = _resolution(state, tuple(events), tuple(rolls), ())
    return TurnResult(done, dump_state(state), {"": proof}, outcome)


def _ask(order: Order) -> Asked:
    return Asked(Question(f"duda/{order.seat}", "duda", msg("small/doubt")), None, 0, 0)


def _doubt(order: Order, frozen: Frozen) -> Asked:
    legal = {"sí": (), "no": ()}
    question = Question(f"duda/{order.seat}", "duda", msg("small/doubt"), order.seat, legal=legal)
    return Asked(question, frozen.answers.get(question.id), 0, 0)


def _handles(asked: tuple[Asked, ...]) -> dict[str, str]:
    return {one.question.id: "P1" for one in asked if one.question.to != "director"}


def _resolution(
    state: SmallState, events: tuple[Event, ...], rolls: tuple[RolledDie, ...], asked: tuple[Asked, ...]
) -> Resolution:
    return Resolution(
        state, events, rolls, asked, tuple(one.question for one in asked), len(events), len(rolls)
    )


def opening(play: PlayContext, made: Commitments) -> tuple[Outgoing, ...]:
    """The first turn's post."""
    until = f"{play.deadline.at:%d/%m/%Y %H:%M} UTC"
    body = f"**Turno {play.ref.turn}** hasta el {until}.\n\nCompromiso: {made.commitment}"
    return (Outgoing("open", TOPIC, (body,)),)


def receipts(play: PlayContext, reading: TurnReading, lock: Frozen | None) -> tuple[Outgoing, ...]:
    """One public receipt, and one for each seat that wrote in private."""
    shown = [_receipt(seat) for seat in reading.seats]
    if lock is None and not any(seat.in_force for seat in reading.seats):
        return ()
    sealed = f"Cerrado: {lock.lock_tag}" if lock else "Abierto."
    late = "".join(f"\n\nTarde: #{one.post.number}" for one in reading.late)
    public = Outgoing("receipts", TOPIC, ("\n\n".join((*shown, sealed)) + late,), editable=True)
    private = [
        Outgoing(
            f"receipt-{seat.seat}",
            seat.seat,
            ("\n\n".join(line.text for line in seat.lines) + f"\n\n{sealed}",),
            title=f"Turnero: {play.game.id}, {seat.seat}",
            editable=True,
        )
        for seat in reading.seats
        if any(block.post.private for block in seat.in_force)
    ]
    return (public, *private)


def _receipt(seat: SeatReading) -> str:
    if not seat.in_force:
        return f"{seat.seat}: sin órdenes"
    if seat.in_force[0].post.private:
        return f"{seat.seat}: en privado"
    return f"{seat.seat}: [mensaje]({seat.in_force[0].post.url}): " + "; ".join(
        line.text for line in seat.lines
    )


def reports(
    play: PlayContext,
    frozen: Frozen,
    result: TurnResult,
    now: Commitments,
    following: Commitments | None,
    deadline: Deadline | None,
    next_state: SmallState,
) -> tuple[Outgoing, ...]:
    """A public report in two parts, and a private one for each seat that ordered in private."""
    rolls = [
        f"{one.roll.label} = {one.roll.value}" for one in result.resolution.rolls if one.audience.everybody
    ]
    standing = ", ".join(f"{seat} {points}" for seat, points in sorted(next_state.points.items()))
    after = (
        f"Siguiente: {deadline.at:%d/%m/%Y %H:%M} UTC, compromiso {following.commitment}"
        if deadline and following
        else "Fin."
    )
    said = "".join(f"\n\n{key}: {one.value} ({one.source})" for key, one in sorted(frozen.answers.items()))
    late = f"\n\nCorrecciones tardías: {frozen.late_overrides}" if frozen.late_overrides else ""
    seed = result.proofs[""]["seed"]
    parts = (
        f"**Informe {play.ref.turn}**: {standing}",
        "\n\n".join([*rolls, f"Semilla: {seed}", after]) + said + late,
    )
    private = [
        Outgoing(
            f"report-{seat}",
            seat,
            (f"Informe {play.ref.turn} para {seat}: {next_state.points[seat]}",),
            title=f"Turnero: {play.game.id}, {seat}",
        )
        for seat in SEATS
        if any(order.secret for order in frozen.reading.seat(seat).orders)
    ]
    return (Outgoing("report", TOPIC, parts), *private)


def letters(
    play: PlayContext,
    subject: TurnResult | Message | str,
    code: str = "",
    until: Mapping[str, datetime] | None = None,
) -> tuple[Outgoing, ...]:
    """Why the turn waits: a letter to each seat that is asked, or one to the director."""
    handles = subject.handles if isinstance(subject, TurnResult) else {}
    if handles:
        return tuple(_question(play, key.partition("/")[2], handle) for key, handle in handles.items())
    if isinstance(subject, TurnResult):
        why = f"Pregunta: {', '.join(one.id for one in subject.resolution.open)}"
    else:
        why = f"{code}: {subject if isinstance(subject, str) else play.catalogue.text(subject)}"
    return (Outgoing("held", "director", (why,), title=f"Turnero: {play.game.id}, dirección"),)


def _question(play: PlayContext, seat: str, handle: str) -> Outgoing:
    title = f"Turnero: {play.game.id}, {seat}"
    return Outgoing(f"question-{seat}-{handle.lower()}", seat, (f"{handle}: ¿sí o no?",), title=title)


def report_files(
    play: PlayContext, frozen: Frozen, result: TurnResult, texts: tuple[Outgoing, ...], opens: Opens
) -> tuple[ReportFile, ...]:
    """The public report and its proof."""
    public = "\n\n".join(part for one in texts if one.to == TOPIC for part in one.parts)
    return (
        ReportFile("informe.md", public + "\n"),
        ReportFile("proof.json", canonical_json(result.proofs[""])),
    )


def reminders(play: PlayContext, reading: TurnReading, left: timedelta) -> tuple[Outgoing, ...]:
    """To each seat without orders that somebody plays, or one in the topic."""
    if not play.forum.private:
        silent = [one.seat for one in reading.seats if not one.in_force]
        return (Outgoing("reminder", TOPIC, (f"Faltan: {', '.join(silent)}",)),) if silent else ()
    until = f"{play.deadline.at:%d/%m/%Y %H:%M} UTC"
    return tuple(
        Outgoing(
            f"reminder-{one.seat}",
            one.seat,
            (f"Faltan {left.total_seconds() / 3600:.0f} horas: {until}",),
            title=f"Turnero: {play.game.id}, {one.seat}",
        )
        for one in reading.seats
        if not one.in_force and play.game.seat(one.seat).account
    )


def follow(play: PlayContext, clock: TurnClock, overrides: str, now: datetime) -> Followed:
    """As in a real game, where the file is one; `respuesta` and `mal` change no deadline."""
    return follow_clock(play, clock, overrides if "[[override]]" in overrides else "", now)


def dump_reading(reading: TurnReading) -> dict[str, Any]:
    """As plain data."""
    return {
        "seats": [
            {"seat": seat.seat, "blocks": [_dump_block(block) for block in seat.in_force]}
            for seat in reading.seats
        ],
        "late": [_dump_post(one.post) | {"seat": one.seat} for one in reading.late],
    }


def _dump_block(block: Submission) -> dict[str, Any]:
    return {"post": _dump_post(block.post), "lines": [line.text for line in block.lines]}


def _dump_post(post: PostRef) -> dict[str, Any]:
    return {
        "id": post.id,
        "number": post.number,
        "url": post.url,
        "at": post.at.isoformat(),
        "private": post.private,
    }


def load_reading(told: dict[str, Any]) -> TurnReading:
    """From plain data."""
    seats = []
    for one in told["seats"]:
        blocks = tuple(_load_block(one["seat"], block) for block in one["blocks"])
        seats.append(SeatReading(one["seat"], blocks, blocks[-1] if blocks else None))
    late = tuple(SkippedText(_load_post(one), "late", one["seat"]) for one in told["late"])
    return TurnReading(tuple(seats), (), late)


def _load_block(seat: str, told: dict[str, Any]) -> Submission:
    post = _load_post(told["post"])
    shown = Post(post.id, "", None, "", post.at, precision=None, url=post.url, private=post.private)  # type: ignore[arg-type]
    return Submission(
        seat, post, tuple(_read_line(seat, n, line, shown) for n, line in enumerate(told["lines"], 1))
    )


def _load_post(told: dict[str, Any]) -> PostRef:
    return PostRef(
        told["id"], told["number"], told["url"], datetime.fromisoformat(told["at"]), told["private"]
    )


PIPELINE = Pipeline(
    load_game=load_game,
    load_setup=load_setup,
    commitments=commitments,
    wants_raw=wants_raw,
    read_turn=read_turn,
    freeze=freeze,
    resolve_turn=resolve_turn,
    opening=opening,
    receipts=receipts,
    reports=reports,
    letters=letters,
    report_files=report_files,
    dump_reading=dump_reading,
    load_reading=load_reading,
    next_deadline=next_deadline,
    reminders=reminders,
    follow_clock=follow,
    choose_posts=lambda play, reading, versions, overrides: reading,
    carry=lambda play, versions: {},
)
