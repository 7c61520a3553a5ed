"""The opening post of a game's first turn, and what each seat gets in private with it."""

from __future__ import annotations

from reporters.blocks import Chapter, Heading, Lines, line
from reporters.facts import NextTurn
from reporters.reports import private_template, public_template, say_commitment
from reporters.setting import Setting


def compose_opening(setting: Setting, first: NextTurn, *, again: bool = False) -> list[Chapter]:
    """Deadline, how orders are given, commitment, template. again: whether the turn was voided before."""
    ref = setting.ref
    title = setting.say("opening/title", turn=ref.turn, track=ref.track, game=setting.game.title)
    deadline = setting.say("opening/deadline", deadline=setting.moment_with_utc(first.deadline.at))
    how = [setting.say("opening/how", private=int(setting.private_orders))]
    how += [setting.say("opening/how-change"), setting.say("opening/how-receipt")]
    commitment = say_commitment(setting, first)
    if first.secret:
        commitment = (*commitment, setting.say("opening/commitment-secret", commitment=first.secret))
    return [
        Chapter("title", (Heading(title, 1), *_again(setting, again=again), line(deadline))),
        Chapter("how", (Lines(tuple(how)),)),
        Chapter("commitment", (Lines((*commitment, setting.say("opening/commitment-why"))),)),
        Chapter("template", tuple(public_template(setting, first))),
    ]


def _again(setting: Setting, *, again: bool) -> tuple[Lines, ...]:
    """That the turn is played once more, and from when on posts count."""
    return (line(setting.say("opening/again", attempt=setting.ref.attempt)),) if again else ()


def compose_private_opening(
    setting: Setting, first: NextTurn, seat: str, *, again: bool = False
) -> list[Chapter]:
    """A seat's own template, in the conversation where its orders and receipts stand from now on."""
    head = setting.say(
        "opening/private",
        seat=setting.name(seat),
        turn=setting.ref.turn,
        track=setting.ref.track,
        deadline=setting.moment_with_utc(first.deadline.at),
        private=int(setting.private_orders),
    )
    return [
        Chapter("head", (line(head), *_again(setting, again=again))),
        Chapter("template", tuple(private_template(setting, first, seat))),
    ]
