"""That the post which published a commitment wasn't as it was published (reliability.md 1.4)."""

from __future__ import annotations

from collections.abc import Iterable

from reporters.blocks import Run
from reporters.setting import Setting
from rules.play.sightings import Moment, Sighting


def say_sightings(setting: Setting, sightings: Iterable[Sighting]) -> list[Run]:
    """A sentence for each flaw, with the moments at which it was seen."""
    seen: dict[str, list[Moment]] = {}
    for one in sightings:
        seen.setdefault(one.flaw.value, []).append(one.moment)
    return [
        setting.say("report/promise", flaw=flaw, when="both" if len(moments) > 1 else moments[0].value)
        for flaw, moments in seen.items()
    ]
