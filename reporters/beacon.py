"""What readers are told of the beacon: the post with the lock tag and the round to come, the decision to do
without, and the value in the report (reliability.md 1.3).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from reporters.blocks import Chapter, Heading, Lines, Run, line
from reporters.receipts import Lock
from reporters.setting import Setting
from rules.engine.messages import Quoted
from rules.play.beacons import address_of, published_at


@dataclass(frozen=True, slots=True)
class BeaconFacts:
    """What went into a turn's dice beside the seed. round: None where the director decided to do without.

    value: the round's randomness in hex. by_hand: whether the director typed it in. reason: of the decision.
    """

    round: int | None = None
    value: str = ""
    by_hand: bool = False
    reason: str = ""


def compose_lock(setting: Setting, lock: Lock, number: int, *, again: bool = False) -> list[Chapter]:
    """The lock tag and the round that is to decide the dice, before that round exists. again: an earlier post
    came after its round.
    """
    title = setting.say("beacon/title", turn=setting.ref.turn, track=setting.ref.track)
    read = setting.say("receipts/lock", posts=lock.posts_read, corrections=lock.corrections)
    tag = setting.say("receipts/lock-tag", tag=lock.tag)
    rules = setting.say("receipts/lock-rules", rules=lock.rules_id)
    announced = setting.say(
        "beacon/announced", round=str(number), at=_say_second(setting, published_at(number))
    )
    why = setting.say("beacon/why", url=address_of(number))
    late = (line(setting.say("beacon/again")),) if again else ()
    return [
        Chapter("title", (Heading(title, 1),)),
        Chapter("lock", (Lines((read, tag, rules)),)),
        Chapter("beacon", (*late, line(announced), line(why))),
    ]


def compose_fall_back(setting: Setting, number: int, reason: str) -> list[Chapter]:
    """That the beacon doesn't answer and the director goes on with the seed alone; sent before that."""
    said = setting.say("beacon/fall-back", turn=setting.ref.turn, round=str(number))
    return [Chapter("beacon", (line(said), line(setting.say("void/reason", reason=Quoted(reason)))))]


def say_beacon(setting: Setting, facts: BeaconFacts) -> list[Run]:
    """The value and where anybody can read it; or that there is none, and why."""
    if facts.round is None:
        reason = Quoted(facts.reason) if facts.reason else None
        return [setting.say("report/no-beacon", reason=reason)]
    told = {"round": str(facts.round), "value": facts.value, "url": address_of(facts.round)}
    return [setting.say("report/beacon", hand=int(facts.by_hand), **told)]


def _say_second(setting: Setting, moment: datetime) -> str:
    """In the game's zone and in UTC, to the second, as rounds are."""
    local = moment.astimezone(ZoneInfo(setting.game.zone))
    return f"{local:%H:%M:%S} ({moment:%H:%M:%S} UTC)"
