"""What a turn's texts rest on comes back from the store as it was."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest

from processor.pipeline.circumstances import Circumstances, dump_circumstances, load_circumstances
from processor.pipeline.context import Commitments, Opens, Pictures
from rules.engine.questions import Hold, QuestionPolicy, TakeDefault, Wait
from rules.play.archive import ArchiveError
from rules.play.game import Absence, FormerPlayer, NmrPolicy, Policies
from rules.play.posts import PictureKind, Precision, Uploads
from rules.play.turns import Deadline
from tests.support.fair import make_play
from tests.toy.ruleset import RULESET
from tests.toy.state import Options

NOW = datetime(2027, 5, 2, 20, 0, tzinfo=UTC)


def circumstances(opens: Opens) -> Circumstances:
    """Those of a game in which nothing stands at its default."""
    waits: dict[str, QuestionPolicy] = {"a": Wait(timedelta(hours=30)), "b": Hold(), "c": TakeDefault()}
    play = make_play(
        policies=Policies(NmrPolicy.HOLD, breaker=0.75, grace=timedelta(days=2), questions=waits)
    )
    former = (FormerPlayer("77", NOW), FormerPlayer(None, NOW + timedelta(days=1)))
    seats = (replace(play.game.seats[0], former=former), *play.game.seats[1:])
    absences = (Absence("Ana", date(2027, 5, 1), date(2027, 5, 3)),)
    game = replace(play.game, seats=seats, absences=absences, options=Options())
    pictures = Pictures({"map-ce": "/media/7.gif"}, (("map-ve.png", "no hay sitio"),))
    forum = replace(play.forum, uploads=Uploads(PictureKind.GIF, 2048))
    told = replace(play, topic_url="http://foro.example/7", nth={"Ana": 3}, pictures=pictures, forum=forum)
    return Circumstances.of(replace(told, game=game), opens)


def test_what_is_kept_comes_back() -> None:
    """The game with its policies, seats and options, the forum's limits, and the turn that is opened."""
    opens = Opens(Commitments("c", "d"), Commitments("a", "b", "h"), Deadline(NOW, "Europe/Madrid"))
    held = circumstances(opens)
    loaded = load_circumstances(dump_circumstances(held), RULESET)

    assert held == loaded
    assert (NmrPolicy.HOLD, Precision.MINUTE) == (loaded.game.policies.nmr, loaded.forum.precision)
    assert (type(held.game.policies.nmr), type(held.game.options)) == (
        type(loaded.game.policies.nmr),
        type(loaded.game.options),
    )


def test_a_last_turn_opens_nothing() -> None:
    """There is no commitment and no deadline to come."""
    held = circumstances(Opens(Commitments("c", "d")))

    assert held == load_circumstances(dump_circumstances(held), RULESET)


def test_a_turn_from_before_pictures_and_tallies_has_none() -> None:
    """What an older program has kept can be read, and its turn played again."""
    data = json.loads(dump_circumstances(circumstances(Opens(Commitments("c", "d")))))
    for later in ("pictures", "sightings", "tally", "proof"):
        del data[later]
    del data["forum"]["Capabilities"]["uploads"]
    loaded = load_circumstances(json.dumps(data), RULESET)
    assert (Pictures(), (), None, None) == (
        loaded.pictures,
        loaded.sightings,
        loaded.tally,
        loaded.forum.uploads,
    )


@pytest.mark.parametrize("text", ["", "{", "{}", "[]"])
def test_other_texts_are_refused(text: str) -> None:
    """Only what was written so can be read."""
    with pytest.raises(ArchiveError):
        load_circumstances(text, RULESET)


def test_options_that_the_rules_no_longer_have_are_refused() -> None:
    """They can't be guessed."""
    data = json.loads(dump_circumstances(circumstances(Opens(Commitments("c", "d")))))
    data["options"]["lunas"] = 3
    with pytest.raises(ArchiveError, match="lunas"):
        load_circumstances(json.dumps(data), RULESET)
