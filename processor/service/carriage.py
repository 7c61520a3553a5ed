"""How posts get from a game's forum to here and back, and what the service makes of it.

Here alone it is asked whether a person carries them (docs/adr/0012-folder-forum.md); whatever follows from
that has a name of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from rules.play.posts import Capabilities


@dataclass(frozen=True, slots=True)
class Carriage:
    """What can be expected of a way to a forum and back.

    own_topics: whether each turn has a topic of its own, its inbox.
    resumes: whether reading can go on where it ended; else everything is read each time, and costs nothing.
    by_machine: whether we ask the forum ourselves, so that we may be late or out of order, and it may be
    down; a person takes the time that it takes.
    shows: whether our own texts can be seen as readers see them; else a person's word is all that there is.
    by_word: whether a reading is complete once a person says so.
    missing_again: how soon is looked again for a known post that is missing.
    """

    own_topics: bool
    resumes: bool
    by_machine: bool
    shows: bool
    by_word: bool
    missing_again: timedelta


REACHED = Carriage(
    own_topics=False,
    resumes=True,
    by_machine=True,
    shows=True,
    by_word=False,
    missing_again=timedelta(seconds=20),
)
"""A forum that we reach ourselves."""

CARRIED = Carriage(
    own_topics=True,
    resumes=False,
    by_machine=False,
    shows=False,
    by_word=True,
    missing_again=timedelta(seconds=2),
)
"""A forum from and to which a person carries everything, as files."""


def carriage_of(forum: Capabilities) -> Carriage:
    """The way to a forum that can do so much."""
    return CARRIED if forum.by_hand else REACHED
