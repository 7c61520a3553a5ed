"""A test line in a topic and a test letter, for directors who want to see more than forms.

A line carries a marker while its trial runs, one that no report and no receipt has. Whoever finds a line
with it, behind a crash or a lost answer, goes on with that line and posts no second one. In the end the line
says that it was a test, and carries none. A post into which the forum has merged the line is left as it was
before. Nothing is removed: the posts behind it would move up, which costs every game in the topic a whole
reading, and few forums let an author do it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from processor.forum_words import explain_error, explain_reason
from processor.ports import Forum, ForumError
from processor.service.trying import Look
from processor.service.uploading import find_desk
from reporters.pictures.drawing import DRAW
from rules.engine.catalogue import Catalogue
from rules.engine.messages import msg
from rules.play.game import Game
from rules.play.joined import trim_end
from rules.play.posts import Found, Merged, Outcome, Published, Queued, Refused, Unknown, Uploaded


@dataclass(frozen=True, slots=True)
class Line:
    """What is written where. catalogue: of the game's language. moment: told in the line, since some forums
    take no text twice.
    """

    game: Game
    forum: Forum
    catalogue: Catalogue
    moment: str

    @property
    def marker(self) -> str:
        """The last line of what is being tried out in the name of this game."""
        return f"try1:{self.game.id}"

    @property
    def text(self) -> str:
        """The line while its trial runs."""
        return f"{self._said} ({self.moment})\n\n{self.marker}"

    def cut_off(self, post: str) -> str | None:
        """What stands above a line in its post, "" where nothing does; None where there is no such line."""
        text = "\n".join(one.rstrip() for one in post.strip().splitlines())
        begun = rf"(?:\A|\n){re.escape(self._said)} \([^()\n]*\)\n\n{re.escape(self.marker)}\Z"
        found = re.search(begun, text)
        return None if found is None else trim_end(text[: found.start()])

    @property
    def _said(self) -> str:
        return self.catalogue.text(msg("try/line"))

    @property
    def ended(self) -> str:
        """The line as it stays."""
        return self.catalogue.text(msg("try/line-ended"))


def try_posting(line: Line, topic: str) -> Iterable[Look]:
    """Post a line in a topic and edit it to its end, or go on with one that was left behind."""
    try:
        found = _find(line, topic)
        if found:
            yield Look(True, msg("try/line-found", url=found[0].url))
        else:
            outcome = line.forum.post(topic, line.text)
            found = _find(line, topic)
            yield from _tell(line, outcome, found)
        for one in found:
            yield _end(line, one)
    except ForumError as error:
        yield Look(False, explain_error(error))


def _find(line: Line, topic: str) -> tuple[Found, ...]:
    """Lines of that trial that can be seen. Raises ForumError."""
    return tuple(one for one in line.forum.find_marker(topic, line.marker) if one.visible)


def _tell(line: Line, outcome: Outcome, found: Sequence[Found]) -> Iterable[Look]:
    """What became of the line, as its answer says and as the topic shows."""
    if isinstance(outcome, Unknown) and found:
        yield Look(True, msg("try/line-there", url=found[0].url, reason=explain_reason(outcome.reason)))
        return
    yield _judge(line, outcome)
    if isinstance(outcome, Published | Merged) and not found:
        yield Look(False, msg("try/line-unseen"))


def try_uploading(line: Line, topic: str) -> Iterable[Look]:
    """Hand over a picture, which nobody is shown, since no text shows it."""
    desk = find_desk(line.game, line.forum)
    if desk is None:
        return
    try:
        line.forum.open()
        outcome = desk.take(topic, "turnero", DRAW[desk.takes.kind](_SQUARE))
    except ForumError as error:
        yield Look(False, explain_error(error))
        return
    if isinstance(outcome, Uploaded):
        yield Look(True, msg("try/picture-taken"))
    else:
        yield Look(False, msg("try/picture-refused", reason=explain_reason(outcome.reason)))


_SQUARE = '<svg xmlns="http://www.w3.org/2000/svg" width="16" height="9"><path d="M0 0h16v9H0z"/></svg>'


def try_writing(line: Line, day: str) -> Iterable[Look]:
    """Write to the director in private, once a day. day: as letters name it."""
    director = line.game.director
    if director is None:
        yield Look(False, msg("try/letter-nobody"))
        return
    title = line.catalogue.text(msg("try/letter-title", game=line.game.title, day=day))
    letter = f"{line.catalogue.text(msg('try/letter'))}\n\n{line.marker}"
    try:
        if line.forum.find_private(title, line.marker):
            yield Look(True, msg("try/letter-found", name=director))
            return
        outcome = line.forum.send_private(director, title, letter)
    except ForumError as error:
        yield Look(False, explain_error(error))
        return
    if isinstance(outcome, Published):
        yield Look(True, msg("try/letter-sent", name=director))
    else:
        yield _judge(line, outcome)


def _judge(line: Line, outcome: Outcome) -> Look:
    """What became of something sent, by class."""
    match outcome:
        case Published(post_id):
            return Look(True, msg("try/line-posted", url=line.forum.post_url(post_id)))
        case Queued(reason):
            return Look(False, msg("try/line-queued", reason=explain_reason(reason)))
        case Merged(post_id):
            return Look(False, msg("try/line-merged", url=line.forum.post_url(post_id)))
        case Refused(reason, wait):
            seconds = None if wait is None else round(wait)
            return Look(False, msg("try/line-refused", reason=explain_reason(reason), seconds=seconds))
        case Unknown(reason):
            return Look(False, msg("try/line-unknown", reason=explain_reason(reason)))


def _end(line: Line, found: Found) -> Look:
    """Let a line say that it was a test; what stood above it in the same post stays."""
    above = line.cut_off(found.text)
    if above is None:
        return Look(False, msg("try/line-stays", url=found.url))
    outcome = line.forum.edit(found.post_id, above or line.ended)
    if not isinstance(outcome, Published):
        reason = "" if isinstance(outcome, Merged) else explain_reason(outcome.reason)
        return Look(False, msg("try/line-not-edited", url=found.url, reason=reason or None))
    return Look(True, msg("try/line-cut-off" if above else "try/line-edited", url=found.url))
