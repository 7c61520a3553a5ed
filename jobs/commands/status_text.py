"""What `turnero status` tells of a game: its turn, who has ordered, what is missing, why it waits."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from jobs.commands.paper import draw_chapters, draw_pieces, paper_setting, say_span
from jobs.speech import catalogue, say
from processor.pipeline.given import override_file
from processor.service.backlog import Backlog
from processor.service.bundle import Service
from processor.service.looking import Look, is_movable
from processor.service.zones import find_moved_hour
from processor.store import locks, turns
from processor.store.rests import list_rests
from processor.store.rows import WAITING, GameRow, SendState
from processor.store.switches import find_pause
from reporters.letters import compose_held, compose_own_ruling, compose_question, compose_ruling_letter
from reporters.setting import Setting
from reporters.skipped import say_late, say_skipped
from rules.engine.audience import DIRECTOR_SEAT
from rules.engine.messages import Quoted
from rules.play.beacons import published_at
from rules.play.game import Seat
from rules.play.reading import SeatReading
from rules.play.turns import GameStatus, TurnStatus

_MOMENT = timedelta(minutes=1)


def needs_director(row: GameRow, look: Look | None) -> bool:
    """Whether a game waits for its director."""
    held = look is not None and (look.turn.status is TurnStatus.HELD or bool(look.stuck))
    return row.status is GameStatus.PARKED or held or (look is not None and asks_director(look))


def asks_director(look: Look) -> bool:
    """Whether the turn asks its director something."""
    return look.result is not None and any(one.to == DIRECTOR_SEAT for one in look.result.resolution.open)


def describe_switch(service: Service) -> Iterable[str]:
    """Whether the host has paused all games, and since when."""
    with service.database.read() as connection:
        since = find_pause(connection)
    if since is not None:
        yield say("cli/all-paused-since", moment=f"{since:%Y-%m-%d %H:%M} UTC")


def describe_rests(service: Service) -> Iterable[str]:
    """Which forums don't answer, since when, and when they are asked again."""
    with service.database.read() as connection:
        resting = list_rests(connection)
    for one in resting:
        since, until = (f"{moment:%Y-%m-%d %H:%M} UTC" for moment in (one.since, one.until))
        yield say("cli/forum-rests", url=one.url, since=since, until=until)


def describe_game(service: Service, look: Look, now: datetime, folder: str) -> Iterable[str]:
    """A game's lines. folder: as the director would type it."""
    game, setting = look.loaded.game, paper_setting(look.play)
    facts = {"title": game.title, "game": game.id, "ruleset": game.ruleset}
    yield say("cli/game", **facts, state=look.row.status.value)
    yield from describe_parked(look.row, folder)
    yield describe_turn(look, now)
    yield from describe_moved_hour(look)
    yield from describe_attempts(service, look)
    yield from describe_beacon(service, look)
    if look.turn.is_unproven(now):
        yield say("cli/unproven", turn=look.turn.ref.turn)
    yield from _describe_seats(look, setting)
    yield from _describe_waiting(look, setting, folder)


def describe_backlog(look: Look, backlog: Backlog | None, now: datetime) -> Iterable[str]:
    """Until when publishing will take, where that is more than a moment."""
    if backlog is None or backlog.until - now < _MOMENT:
        return
    until = paper_setting(look.play).moment(backlog.until)
    yield f"  {say('cli/backlog', games=backlog.games, texts=backlog.texts, until=until)}"


def describe_parked(row: GameRow, folder: str) -> Iterable[str]:
    """Why a game is left alone, where it is."""
    if row.status is GameStatus.PARKED:
        yield say("cli/parked", note=(row.note or "").strip())
        yield f"  {say('cli/parked-retry', folder=folder)}"


def describe_turn(look: Look, now: datetime) -> str:
    """The turn's number, state and deadline."""
    turn, setting = look.turn, paper_setting(look.play)
    left = turn.due_at - now
    shown = turn.status in (TurnStatus.PLANNED, TurnStatus.OPEN)
    attempt = turn.ref.attempt if turn.ref.attempt > 1 else None
    said = say(
        "cli/turn",
        turn=turn.ref.turn,
        attempt=attempt,
        state=turn.status.value,
        paused=int(turn.paused),
        moment=setting.moment_with_utc(turn.due_at),
    )
    return f"{said} · {_say_left(left)}" if shown and not turn.paused else said


def describe_moved_hour(look: Look) -> Iterable[str]:
    """That a deadline to come is no longer at the local time that the players were told."""
    moved = find_moved_hour(look.turn) if is_movable(look.turn) else None
    if moved is not None:
        yield f"  ⚠ {catalogue().text(moved)}"


def describe_attempts(service: Service, look: Look) -> Iterable[str]:
    """Why the turn is played once more, and which attempts at it there are besides."""
    turn, redo = look.turn, look.turn.redo
    if redo is not None:
        reason = Quoted(redo.reason) if redo.reason else None
        facts = {"turn": redo.turn, "attempt": redo.attempt, "keeps": int(redo.keeps)}
        behind = int(redo.turn != turn.ref.turn)
        yield f"  {say('cli/attempt-why', reason=reason, behind=behind, **facts)}"
    with service.database.read() as connection:
        known = turns.list_turns(connection, turn.ref.game)
    same = [one for one in known if (one.ref.track, one.ref.turn) == (turn.ref.track, turn.ref.turn)]
    others = tuple(
        say("cli/attempt", attempt=one.ref.attempt, state=one.status.value)
        for one in same
        if one.id != turn.id
    )
    if others:
        yield f"  {say('cli/attempts', attempts=others)}"


def describe_beacon(service: Service, look: Look) -> Iterable[str]:
    """Which round of the public beacon a locked turn waits for, and when that comes out."""
    if look.turn.proof != "beacon" or not look.locked:
        return
    with service.database.read() as connection:
        number = locks.find_round(connection, look.turn.id)
        drawn = locks.find_entropy(connection, look.turn.id) is not None
    if number is not None and not drawn:
        at = published_at(number).astimezone(ZoneInfo(look.turn.zone))
        yield f"  {say('cli/beacon-waits', round=str(number), at=f'{at:%H:%M:%S}')}"


def _say_left(left: timedelta) -> str:
    if left > timedelta(0):
        return say("cli/left", span=say_span(left))
    past = -left
    return say("cli/past", span=say_span(past) if past >= timedelta(minutes=1) else None)


def _describe_seats(look: Look, setting: Setting) -> Iterable[str]:
    names = {one.id: setting.name(one.id).text for one in look.loaded.game.seats}
    width = max((len(name) for name in names.values()), default=0)
    for own in look.reading.seats:
        seat = look.loaded.game.seat(own.seat)
        out = f"{say('cli/out')} · " if own.seat in look.play.out else ""
        away = f"{say('cli/away')} · " if own.seat in look.play.absent else ""
        yield f"  {names[own.seat].ljust(width)}  {out}{away}{_describe_seat(own, seat, setting)}"
    silent = [names[one.seat] for one in look.reading.seats if not one.in_force and _is_taken(look, one.seat)]
    if silent and look.turn.status is TurnStatus.OPEN:
        yield say("cli/orders-missing", seats=tuple(silent))
    public = (*say_skipped(setting, look.reading.skipped), *say_late(setting, look.reading.late))
    if public:
        yield draw_pieces(public)


def _is_taken(look: Look, seat: str) -> bool:
    """Whether orders are waited for: somebody plays the seat, isn't away, and isn't out."""
    return look.loaded.game.seat(seat).account is not None and seat not in look.play.out | look.play.absent


def _describe_seat(own: SeatReading, seat: Seat, setting: Setting) -> str:
    vacant = f"{say('cli/vacant')} · " if seat.account is None else ""
    newest = own.latest
    broken = newest is not None and not newest.valid
    kept = _describe_kept(own, setting)
    if not own.in_force:
        return f"{vacant}{say('cli/block-invalid' if broken else 'cli/without-orders')}{kept}"
    if own.withdrawn:
        return f"{vacant}{say('cli/withdrawn')}{kept}"
    post = own.in_force[-1].post
    return (
        vacant
        + say(
            "cli/seat-orders",
            orders=len(own.orders),
            refused=len(own.lines) - len(own.orders),
            broken=int(broken),
            ready=int(any(one.ready for one in own.in_force)),
            private=int(post.private),
            post=None if post.number is None else str(post.number),
            time=setting.time(post.at),
        )
        + kept
    )


def _describe_kept(own: SeatReading, setting: Setting) -> str:
    """What acts, or would act, for a seat without orders for this turn."""
    if own.stand_in:
        shown = own.stand_in[-1]
        return f" · {say('cli/stand-in', standing=int(shown.standing), turn=shown.since)}"
    if own.standing:
        refused = sum(1 for block in own.standing for one in block.lines if one.order is None)
        turn = own.standing[-1].since or setting.ref.turn
        return f" · {say('cli/standing', turn=turn, refused=refused)}"
    return ""


def _describe_waiting(look: Look, setting: Setting, folder: str) -> Iterable[str]:
    turn, file = look.turn, override_file(look.play)
    if turn.status is TurnStatus.HELD:
        held = compose_held(setting, turn.reason or "", code=turn.held_code or "", file=file)
        yield draw_chapters(held)
        yield say("cli/to-go-on", folder=folder)
    elif turn.failures:
        yield say("cli/last-failed", reason=turn.reason, folder=folder)
    if turn.canary is not None and turn.status is TurnStatus.OPEN:
        said = " ".join(f"{one.removesuffix('.')}." for one in turn.canary.split("\n"))
        yield say("cli/canary-failed", said=said, folder=folder)
    yield from _describe_questions(look, setting, file)
    for one in look.stuck:
        yield say("cli/not-published", marker=one.marker, reason=one.reason)
    if look.stuck and turn.status is not TurnStatus.HELD:  # a turn that stands still says how to go on
        yield say("cli/not-published-again", folder=folder)
    queued = [one for one in look.texts if one.state is SendState.QUEUED]
    for one in queued:
        yield say("cli/queued", marker=one.marker, reason=one.reason)
    if queued:
        yield say("cli/queued-again", folder=folder)
    waiting = sum(1 for one in look.texts if one.state in WAITING)
    if waiting:
        yield say("cli/to-publish", count=waiting)
    put_off = next((one for one in look.texts if one.is_put_off), None)
    if put_off is not None and put_off.not_before is not None:
        yield f"  {say('cli/put-off', reason=put_off.reason, until=setting.time(put_off.not_before))}"


def _describe_questions(look: Look, setting: Setting, file: str) -> Iterable[str]:
    if look.result is None:
        return
    asked = look.result.resolution.open
    until = {question: one.due_at for question, one in look.waits.items() if one.due_at is not None}
    rulings = [one for one in asked if one.to == DIRECTOR_SEAT]
    if rulings:
        yield draw_chapters(compose_ruling_letter(setting, rulings, file, until))
    for seat in dict.fromkeys(one.to for one in asked if one.to != DIRECTOR_SEAT):
        questions = [(look.result.handles.get(one.id, one.id), one) for one in asked if one.to == seat]
        yield draw_chapters(compose_question(setting, questions, seat, until))
        yield draw_chapters(compose_own_ruling(setting, [one for _, one in questions], file))
