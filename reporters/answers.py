"""The note to a seat that answers while the turn asks: what counts, what doesn't, and what would.

It goes to that seat alone: only its reader is sure to know what was asked (design.md 6).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from reporters.blocks import Chapter, Lines, Piece, Run, line
from reporters.cleaning import excerpt
from reporters.findings import MARKS, say_finding
from reporters.setting import Setting
from rules.engine.diagnostics import Severity
from rules.engine.inline import Fixed, Text
from rules.engine.messages import Code
from rules.play.answers import PostFinding, ReplyRead, ReplyState, SeatReplies
from rules.play.reading import PostRef

_MARK: Mapping[ReplyState, str] = {
    ReplyState.COUNTS: "✔",
    ReplyState.REPLACED: "ℹ",
}


def compose_answers(setting: Setting, own: SeatReplies) -> list[Chapter]:
    """A chapter for each post, each line that answers with what became of it."""
    head = setting.say(
        "answers/head", seat=setting.name(own.seat), turn=setting.ref.turn, track=setting.ref.track
    )
    chapters = [Chapter("head", (line(head),))]
    posts = {one.post for one in own.replies} | {one.post for one in own.findings}
    for number, post in enumerate(sorted(posts, key=lambda one: (one.at, len(one.id), one.id)), 1):
        chapters.append(Chapter(f"post-{number}", tuple(_post(setting, own, post))))
    return chapters


def _post(setting: Setting, own: SeatReplies, post: PostRef) -> Iterable[Piece]:
    drawn: list[Run] = [setting.say("answers/post", post=setting.post(post), time=setting.time(post.at))]
    drawn += [_reply(setting, one) for one in own.replies if one.post == post]
    drawn += [_finding(setting, one) for one in own.findings if one.post == post]
    yield Lines(tuple(drawn))


def _reply(setting: Setting, one: ReplyRead) -> Run:
    said = setting.say(
        f"answers/{one.state.value}",
        handle=one.handle,
        answer=Code(excerpt(one.words)),
        legal=tuple(map(Code, one.legal)),
        until=setting.moment(one.until) if one.until is not None else None,
        after=int(one.after_dice),
    )
    return (Text(f"{_MARK.get(one.state, MARKS[Severity.ERROR])} "), *said)


def _finding(setting: Setting, one: PostFinding) -> Run:
    if one.orders:
        said = setting.say("answers/orders", turn=setting.ref.turn, edited=int(one.edited))
        return (Text(f"{MARKS[Severity.WARNING]} "), *said)
    mark = Text(f"{MARKS[Severity.ERROR]} ")
    if one.finding is None:
        return (mark, *setting.say("answers/bare", line=Code(excerpt(one.bare))))
    shown: Run = (Fixed(excerpt(one.line)), Text(" — ")) if one.line.strip() else ()
    return (mark, *shown, *say_finding(setting, one.finding))
