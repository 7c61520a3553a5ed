"""What a resolution has besides the play and its frozen orders: corrections, answers, dice by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from parsers.files.override import Override
from processor.pipeline.context import Frozen, PlayContext, PostVersion
from processor.pipeline.locking import entry_data
from processor.pipeline.override_entries import read_entries, read_quietly
from rules.engine.codec import canonical_json
from rules.engine.dice import Scripted
from rules.engine.ptd1 import SEED, Entropy
from rules.engine.questions import Answer
from rules.play.turns import TurnRef


@dataclass(frozen=True, slots=True)
class Given:
    """What a run has besides the play and the frozen orders.

    overrides: entries in force now. late: places of those made after the lock. dropped: entries of the lock
    that are gone. answers, handles, last_handles, published: as in `Frozen`.
    script: dice written by hand, for rehearsals only. file: name of the override file, for problems.
    lock, rules: for the proofs, "" for none. versions: as in `Frozen`. entropy: E,
    the seed's alone while the beacon is waited for.
    """

    overrides: Sequence[Override] = ()
    late: frozenset[int] = frozenset()
    dropped: Sequence[Override] = ()
    answers: Mapping[str, Answer] = field(default_factory=dict)
    handles: Mapping[str, str] = field(default_factory=dict)
    last_handles: Mapping[str, int] = field(default_factory=dict)
    published: Sequence[str] = ()
    script: Mapping[str, Sequence[Scripted]] = field(default_factory=dict)
    file: str = ""
    lock: str = ""
    rules: str = ""
    versions: Sequence[PostVersion] = ()
    entropy: Entropy = SEED


def override_file(play: PlayContext) -> str:
    """The name of the turn's override file in the game's folder."""
    return override_name(play.ref)


def override_name(ref: TurnRef) -> str:
    """The name of a turn's override file in the game's folder, whatever the attempt."""
    track = f"{ref.track}/" if ref.track else ""
    return f"overrides/{track}turn-{ref.turn:03}.toml"


def given_of(play: PlayContext, frozen: Frozen) -> Given:
    """What a locked turn is resolved with now. Raises FileErrors for an override file that can't be read."""
    file = override_file(play)
    now = read_entries(frozen.overrides_now, file, play.ref.attempt)
    late, dropped = _compare(read_quietly(frozen.overrides, play.ref.attempt), now)
    return Given(
        overrides=now,
        late=late,
        dropped=dropped,
        answers=frozen.answers,
        handles=frozen.handles,
        last_handles=frozen.last_handles,
        published=frozen.published,
        file=file,
        lock=frozen.lock_tag,
        rules=frozen.rules_id,
        versions=frozen.versions,
        entropy=frozen.entropy or SEED,
    )


def compare_overrides(locked: str, now: Sequence[Override]) -> frozenset[int]:
    """Places of the entries that weren't in the file at the lock. locked: its text then."""
    return _compare(read_quietly(locked), now)[0]


def _compare(
    locked: Sequence[Override], now: Sequence[Override]
) -> tuple[frozenset[int], tuple[Override, ...]]:
    """Places of the entries that came after the lock, and the entries that have gone since."""
    left = [(canonical_json(entry_data(one)), one) for one in locked]
    late: set[int] = set()
    for entry in now:
        same = next((one for one in left if one[0] == canonical_json(entry_data(entry))), None)
        if same is None:
            late.add(entry.place)
        else:
            left.remove(same)
    return frozenset(late), tuple(one for _, one in left)
