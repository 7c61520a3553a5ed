"""A turn's inbox: what a person has brought from the forum, as text files and saved pages.

Nothing in it is passed over in silence: what can't be read is told and holds the closing, since a file that
is skipped looks like a player without orders.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from parsers.files.copied import CopiedPost, parse_copied, unknown_author
from parsers.files.copied_dates import parse_copied_date
from parsers.files.errors import FileErrors, FileProblem
from parsers.files.models import quoted
from parsers.files.toml import MAX_BYTES
from parsers.pages.guard import MAX_BYTES as MAX_PAGE_BYTES
from parsers.pages.guard import PageError
from parsers.pages.saved import READABLE, OtherSoftware, SavedPage, parse_saved
from processor.forums.folder_pages import join_pages
from rules.engine.messages import Message, msg
from rules.engine.text import fold
from rules.play.game import Game, Seat
from rules.play.posts import Post

INBOX = "inbox"
"""The folder in a game's folder."""

COMPLETE = ("completo", "complete")
"""Names, folded, of the file that says that nothing is missing in an inbox."""

_TEXTS = frozenset((".txt", ".md", ".bbcode", ""))
_PAGES = frozenset((".html", ".htm"))
_TURN = re.compile(r"turn-\d{3,}")
_BESIDE = re.compile(r".*[_ -](?:files|archivos|ficheros)")
"""Folders into which browsers put a saved page's pictures."""
_SAVED = re.compile(r"(\d{4}-\d{2}-\d{2})[ T_-]+(\d{2})[.:h_-]?(\d{2})")
"""When a page was saved, as its name may tell: `tema 2026-12-06 22.05.html`."""


@dataclass(frozen=True, slots=True)
class Inbox:
    """What stands in a turn's inbox. word: when the director said that nothing is missing, UTC.

    until: up to when it is complete, None where neither the director's word nor the saved pages say so.
    """

    posts: tuple[Post, ...] = ()
    problems: tuple[FileProblem, ...] = ()
    word: datetime | None = None
    until: datetime | None = None


@dataclass
class _Found:
    """What the files give, as it is gathered."""

    copied: list[CopiedPost] = field(default_factory=list)
    pages: list[SavedPage] = field(default_factory=list)
    problems: list[FileProblem] = field(default_factory=list)
    word: datetime | None = None

    def wrong(self, name: str, code: str, wrong: Message, right: Message | None = None) -> None:
        self.problems.append(FileProblem(name, None, "", f"inbox/{code}", wrong, right))


def list_inboxes(folder: Path) -> tuple[str, ...]:
    """The turns that have an inbox, ascending, tracks behind the main one."""
    root = folder / INBOX
    found = [one for one in root.rglob("turn-*") if one.is_dir() and _TURN.fullmatch(one.name)]
    return tuple(
        sorted((one.relative_to(root).as_posix() for one in found), key=lambda name: (len(name), name))
    )


def read_inbox(game: Game, turn: str, now: datetime) -> Inbox:
    """Read a turn's inbox from the game's folder. turn: as `TurnRef.inbox`. now: UTC."""
    found = _Found()
    root = Path(game.forum.folder) / INBOX
    _check_neighbours(root, found)
    for path in _list(root / turn, found):
        _read_file(game, path, f"{INBOX}/{turn}/{path.name}", found)
    _check_posts(game, found, now)
    posts, until = _join(game, turn, found)
    if found.word is not None:
        until = max(found.word, until) if until is not None else found.word
    problems = tuple(sorted(found.problems, key=lambda one: (one.file, one.line or 0)))
    return Inbox(posts, problems, found.word, None if problems else until)


def _check_neighbours(root: Path, found: _Found) -> None:
    """Files and folders beside the turns' folders: somebody took them for one."""
    for path in _entries(root):
        if path.is_dir() and not _TURN.fullmatch(path.name) and not any(path.glob("turn-*")):
            found.wrong(f"{INBOX}/{path.name}", "folder", msg("folder/no-turn"), msg("folder/name-turn"))
        elif not path.is_dir():
            found.wrong(f"{INBOX}/{path.name}", "outside", msg("folder/outside"), msg("folder/name-turn"))


def _entries(folder: Path) -> list[Path]:
    if not folder.is_dir():
        return []
    return sorted(one for one in folder.iterdir() if not _is_aside(one.name))


def _is_aside(name: str) -> bool:
    """Whether a file isn't meant to be read: hidden, an editor's, or set aside by its director."""
    return name.startswith((".", "_")) or name.endswith("~")


def _list(folder: Path, found: _Found) -> Iterable[Path]:
    try:
        entries = _entries(folder)
    except OSError as fault:
        found.wrong(folder.name, "unreadable", msg("files/unreadable", strerror=fault.strerror or ""))
        return
    for path in entries:
        if not path.is_dir():
            yield path
        elif not _BESIDE.fullmatch(path.name):
            wrong, right = msg("folder/inside"), msg("folder/lift-out")
            found.wrong(f"{INBOX}/{folder.name}/{path.name}", "inside", wrong, right)


def _read_file(game: Game, path: Path, name: str, found: _Found) -> None:
    stem, kind = fold(path.stem), path.suffix.lower()
    if stem in COMPLETE and kind in _TEXTS:
        found.word = _read_word(path, game)
        return
    if kind not in _TEXTS | _PAGES:
        found.wrong(name, "kind", msg("folder/kind", kind=kind), msg("folder/kinds"))
        return
    try:
        most = MAX_PAGE_BYTES if kind in _PAGES else MAX_BYTES
        with path.open("rb") as file:
            body = file.read(most + 1)
    except OSError as fault:
        wrong = msg("files/unreadable", strerror=fault.strerror or "")
        found.wrong(name, "unreadable", wrong, msg("files/permissions"))
        return
    if len(body) > most:
        found.wrong(name, "too-big", msg("folder/too-big-here", size=most // 1024), msg("folder/cut-up"))
    elif kind in _PAGES:
        _read_page(game, path, name, body, found)
    else:
        _read_text(game, name, body, found)


def _read_word(path: Path, game: Game) -> datetime:
    """When the director said so: as the file says, else when it was written."""
    try:
        text = path.read_text(encoding="utf-8")[:60].strip()
        return parse_copied_date(text, ZoneInfo(game.zone)).utc
    except (OSError, ValueError):
        return datetime.fromtimestamp(path.stat().st_mtime, UTC)


def _read_text(game: Game, name: str, body: bytes, found: _Found) -> None:
    try:
        text = body.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        line = body.count(b"\n", 0, fault.start) + 1
        wrong, right = msg("files/no-utf8"), msg("files/save-utf8")
        found.problems.append(FileProblem(name, line, "", "inbox/encoding", wrong, right))
        return
    try:
        found.copied += parse_copied(text, name, ZoneInfo(game.zone))
    except FileErrors as wrong_file:
        found.problems += wrong_file.problems


def _read_page(game: Game, path: Path, name: str, body: bytes, found: _Found) -> None:
    saved = _saved_at(path, game)
    try:
        zone = ZoneInfo(game.forum.zone)
        page = parse_saved(body, name, saved, zone, lambda _: game.forum.url, notes=game.forum.notes)
    except OtherSoftware as other:
        words = quoted(READABLE)
        right = msg("folder/copy-instead", words=words)
        found.wrong(name, "software", msg("folder/no-parser", name=other.name or None), right)
        return
    except PageError as fault:
        found.wrong(name, "page", msg("folder/bad-page", detail=fault.detail), msg("folder/save-again"))
        return
    if page.software != game.forum.dialect:
        right = msg("folder/set-dialect", name=page.software)
        found.wrong(name, "dialect", msg("folder/other-dialect", name=page.software), right)
    elif game.forum.topic and not page.private and page.topic not in ("", game.forum.topic):
        wrong = msg("folder/other-topic", topic=page.topic, ours=game.forum.topic)
        found.wrong(name, "topic", wrong, msg("folder/take-out"))
    else:
        found.pages.append(page)


def _saved_at(path: Path, game: Game) -> datetime:
    """When a page was saved: as its name says, in the game's zone, else when the file was written."""
    named = _SAVED.search(path.name)
    if named:
        try:
            return parse_copied_date(f"{named[1]} {named[2]}:{named[3]}", ZoneInfo(game.zone)).utc
        except ValueError:
            pass
    return datetime.fromtimestamp(path.stat().st_mtime, UTC)


def _check_posts(game: Game, found: _Found, now: datetime) -> None:
    known = tuple(dict.fromkeys(name for seat in game.seats for name in _names(seat)))
    ids: dict[str, CopiedPost] = {}
    for post in found.copied:
        problem = unknown_author(post, known)
        found.problems += [problem] if problem is not None else []
        if (post.date.utc - now).total_seconds() > game.policies.clock_skew.total_seconds():
            wrong = msg("folder/from-future")
            found.problems.append(
                FileProblem(post.file, post.line, "", "inbox/future", wrong, msg("folder/look-at-date"))
            )
        if post.id is not None and ids.setdefault(post.id, post) is not post:
            other = ids[post.id]
            wrong = msg("folder/same-id", id=post.id, file=other.file, line=str(other.line))
            found.problems.append(
                FileProblem(post.file, post.line, "", "inbox/id", wrong, msg("folder/keep-one"))
            )


def _names(seat: Seat) -> tuple[str, ...]:
    """What an author may be called who is the seat's player."""
    former = tuple(one.account for one in seat.former)
    return tuple(one for one in (seat.account, seat.login, *former) if one is not None)


def _account_of(game: Game, author: str) -> str:
    """The account id of an author: a login name of the game means its account, exactly as written."""
    return next((seat.account for seat in game.seats if seat.account and seat.login == author), author)


def _join(game: Game, turn: str, found: _Found) -> tuple[tuple[Post, ...], datetime | None]:
    posts = list(_copied_posts(game, turn, found.copied))
    topics = dict.fromkeys(page.topic for page in found.pages)
    until: datetime | None = None
    for topic in topics:
        pages = [page for page in found.pages if page.topic == topic]
        joined = join_pages(pages)
        for name, wrong in joined.problems:
            found.wrong(name, "gap", wrong, msg("folder/save-page"))
        posts += (replace(post, topic=turn) for post in joined.posts)
        if not pages[0].private and not game.forum.secret:
            until = joined.until
    public = {page.topic for page in found.pages if not page.private}
    if len(public) > 1:
        found.wrong(f"{INBOX}/{turn}", "topics", msg("folder/two-topics", topics=quoted(sorted(public))))
    return tuple(sorted(posts, key=lambda post: (post.created_at, len(post.id), post.id))), until


def _copied_posts(game: Game, turn: str, copied: Sequence[CopiedPost]) -> Iterable[Post]:
    """One post for each copy; the same post in two files is one.

    A post is known by who wrote it and when, whichever file it stands in: files are overwritten and sorted
    anew, and what is brought for a turn that is played again may come in a file that was there before.
    """
    known: dict[str, list[str]] = {}
    zone = ZoneInfo(game.zone)
    for post in copied:
        name = post.id or f"{post.author} {post.date.utc.astimezone(zone):%Y-%m-%d %H:%M}"
        texts = known.setdefault(name, [])
        if post.text in texts:
            continue
        texts.append(post.text)
        yield Post(
            id=name if len(texts) == 1 else f"{name} #{len(texts)}",
            topic=turn,
            author_id=_account_of(game, post.author),
            author=post.author,
            created_at=post.date.utc,
            precision=post.precision,
            url=post.link or game.forum.url,
            raw=post.text,
            edited_at=post.edited.utc if post.edited is not None else None,
            private=post.private,
            number=post.number,
            ambiguous=post.date.ambiguous,
        )
