"""Letters to the director and questions to seats: what happened, why, and exactly what to write next."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from reporters.blocks import Chapter, Fence, Lines, Listing, Piece, line
from reporters.cleaning import clean_line
from reporters.setting import Setting
from rules.engine.inline import Text
from rules.engine.messages import Code, Message, Param, Quoted, msg
from rules.engine.questions import Question

_REPLY = {"es": "responder", "en": "answer"}


def compose_held(setting: Setting, reason: Message | str, *, code: str = "", file: str = "") -> list[Chapter]:
    """A turn that waits for the director. reason: a text of the catalogue, or ready words.

    code: stable name of the obstacle; it chooses what to do next. file: the turn's override file.
    """
    said = setting.catalogue.say(reason) if isinstance(reason, Message) else None
    lines = [one for one in str(reason).split("\n") if one.strip()] if said is None else []
    title, advice = (_for_code(setting, which, code) for which in ("held/title", "held/do"))
    pieces: list[Piece] = [line(setting.say(title, turn=setting.ref.turn, track=setting.ref.track))]
    if said is not None:
        pieces.append(line(said))
    elif len(lines) == 1:
        pieces.append(line((Text(lines[0]),)))
    else:
        pieces.append(Listing(tuple((Text(one),) for one in lines)))
    pieces.append(line(setting.say(advice, turn=setting.ref.turn, file=file)))
    return [Chapter("held", tuple(pieces))]


def _for_code(setting: Setting, which: str, code: str) -> str:
    """The text for an obstacle, or the general one."""
    own = f"{which}-{code}"
    return own if own in setting.catalogue else which


def compose_ruling_letter(
    setting: Setting, questions: Sequence[Question], file: str, until: Mapping[str, datetime] | None = None
) -> list[Chapter]:
    """Questions to the director, each with the lines to copy into the override file.

    until: by question id, when its default holds if nobody has said anything, UTC.
    """
    chapters = []
    for number, question in enumerate(questions):
        pieces: list[Piece] = []
        if number == 0:
            count = len(questions)
            pieces.append(
                line(setting.say("ask/title", turn=setting.ref.turn, track=setting.ref.track, count=count))
            )
        pieces.append(line(setting.catalogue.say(question.text)))
        pieces += _legal(setting, question.legal)
        pieces += _until(setting, question, (until or {}).get(question.id))
        pieces.append(line(setting.say("ask/copy", file=file), keep=True))
        pieces.append(Fence(write_ruling(question), "toml"))
        chapters.append(Chapter(f"question-{number + 1}", tuple(pieces)))
    chapters.append(Chapter("then", (line(setting.say("ask/then")),)))
    return chapters


def compose_own_ruling(setting: Setting, questions: Sequence[Question], file: str) -> list[Chapter]:
    """The lines with which the director answers in place of a seat."""
    text = "\n\n".join(map(write_ruling, questions))
    lead = line(setting.say("ask/rule-instead", file=file), keep=True)
    return [Chapter("rule-instead", (lead, Fence(text, "toml")))]


def write_ruling(question: Question) -> str:
    """The entry to copy, with the answers that are legal behind the gap."""
    legal = f"  # {' | '.join(map(clean_line, question.legal))}" if question.legal else ""
    return f'[[override]]\nruling = "{_toml(question.id)}"\nanswer = "…"{legal}\nreason = "…"'


def _toml(text: str) -> str:
    return clean_line(text).replace("\\", "\\\\").replace('"', '\\"')


def _legal(setting: Setting, legal: Mapping[str, tuple[str, ...]]) -> Iterable[Piece]:
    if legal:
        yield line(
            setting.say("ask/legal", answers=tuple(_answer(key, words) for key, words in legal.items()))
        )


def _until(setting: Setting, question: Question, due: datetime | None) -> Iterable[Piece]:
    if due is not None:
        default = Code(question.default or "")
        yield line(setting.say("ask/until", until=setting.moment(due), default=default))


def _answer(key: str, words: tuple[str, ...]) -> Param:
    others = tuple(Code(one) for one in words if one != key)
    return msg("ask/answer", answer=Code(key), others=others)


def compose_question(
    setting: Setting,
    questions: Sequence[tuple[str, Question]],
    seat: str,
    until: Mapping[str, datetime] | None = None,
) -> list[Chapter]:
    """Questions to a seat by handle, with the lines that answer them.

    until: by question id, when an offer ends, UTC.
    """
    title = setting.say(
        "ask/seat-title", turn=setting.ref.turn, track=setting.ref.track, seat=setting.name(seat)
    )
    chapters = [Chapter("head", (line(title),))]
    for handle, question in questions:
        pieces = tuple(_seat_question(setting, handle, question, (until or {}).get(question.id)))
        chapters.append(Chapter(f"question-{handle}", pieces))
    return chapters


def _seat_question(
    setting: Setting, handle: str, question: Question, due: datetime | None
) -> Iterable[Piece]:
    asked = setting.say("ask/handle", handle=handle, question=question.text)
    answers = tuple(question.legal) or ("…",)
    shown = Quoted(question.default) if due is not None and question.default is not None else None
    end = setting.moment(due) if due is not None else None
    yield Lines((asked, setting.say("ask/reply", default=shown, until=end)), keep=True)
    word = _REPLY[setting.language]
    yield Fence("\n".join(f"{word} {handle} {clean_line(one)}" for one in answers))
