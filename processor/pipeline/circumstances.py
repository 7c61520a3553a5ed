"""What a resolved turn's texts rest on besides state, orders and dice, kept so that they can be made again:
the game as its folder said, and the turn that the report opens (reliability.md 4, I2).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass, field, replace
from typing import Any

from processor.pipeline.context import Commitments, Opens, Pictures, PlayContext
from rules.engine.codec import StateError, canonical_json, dump_state, load_state
from rules.engine.ruleset import Ruleset
from rules.play.archive import ArchiveError, dump_value, load_value
from rules.play.attempts import Tally
from rules.play.game import Game
from rules.play.posts import Capabilities
from rules.play.sightings import Flaw, Moment, Sighting
from rules.play.turns import Deadline


@dataclass(frozen=True, slots=True)
class Circumstances:
    """The game of a turn as it was when the turn was resolved; the rest as in `PlayContext` and `Opens`."""

    game: Game
    forum: Capabilities
    topic_url: str = ""
    nth: Mapping[str, int] = field(default_factory=dict)
    following: Commitments | None = None
    deadline: Deadline | None = None
    tally: Tally | None = None
    sightings: tuple[Sighting, ...] = ()
    pictures: Pictures = field(default_factory=Pictures)

    @classmethod
    def of(cls, play: PlayContext, opens: Opens) -> Circumstances:
        """Those of a turn that is resolved now."""
        return cls(
            game=play.game,
            forum=play.forum,
            topic_url=play.topic_url,
            nth=play.nth,
            following=opens.following,
            deadline=opens.deadline,
            tally=play.tally,
            sightings=play.sightings,
            pictures=play.pictures,
        )

    def put_into(self, play: PlayContext) -> PlayContext:
        """The turn as it was then."""
        return replace(
            play,
            game=self.game,
            forum=self.forum,
            topic_url=self.topic_url,
            nth=self.nth,
            tally=self.tally,
            sightings=self.sightings,
            pictures=self.pictures,
        )


def dump_circumstances(held: Circumstances) -> str:
    """As canonical JSON; the options as a rule set's own values, defaults included."""
    following = held.following
    return canonical_json(
        {
            "game": dump_value(replace(held.game, options=None)),
            "options": dump_state(held.game.options, defaults=True),
            "forum": dump_value(held.forum),
            "topic_url": held.topic_url,
            "nth": dict(held.nth),
            "following": None if following is None else [following.commitment, following.groups],
            "secret": "" if following is None else following.secret,
            "proof": "seed" if following is None else following.proof,
            "deadline": dump_value(held.deadline),
            "tally": None if held.tally is None else list(astuple(held.tally)),
            "sightings": [[one.flaw, one.moment] for one in held.sightings],
            "pictures": [held.pictures.shown, held.pictures.missing],
        }
    )


def load_circumstances(text: str, ruleset: Ruleset) -> Circumstances:
    """What `dump_circumstances` wrote. Raises ArchiveError, also where the rules no longer have an option."""
    try:
        data = json.loads(text)
        options = load_state(ruleset.options, data["options"])
        return Circumstances(
            replace(load_value(data["game"]), options=options),
            load_value(data["forum"]),
            data["topic_url"],
            data["nth"],
            _load_commitments(data),
            load_value(data["deadline"]),
            Tally(*data["tally"]) if data.get("tally") else None,
            tuple(Sighting(Flaw(flaw), Moment(moment)) for flaw, moment in data.get("sightings", ())),
            _load_pictures(*data.get("pictures", ({}, ()))),
        )
    except (ValueError, TypeError, KeyError, AttributeError, StateError) as fault:
        raise ArchiveError(str(fault)) from fault


def _load_commitments(data: dict[str, Any]) -> Commitments | None:
    if data["following"] is None:
        return None
    commitment, groups = data["following"]
    return Commitments(commitment, groups, data["secret"], data.get("proof", "seed"))


def _load_pictures(shown: Mapping[str, str], missing: Iterable[Sequence[str]]) -> Pictures:
    return Pictures(shown, tuple((file, reason) for file, reason in missing))
