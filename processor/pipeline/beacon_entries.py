"""What the director says about the beacon in a turn's override file, where the beacon doesn't answer."""

from __future__ import annotations

from collections.abc import Sequence

from parsers.files.override import Override, UseBeacon
from parsers.files.override_tables import FALL_BACK
from processor.pipeline.context import Frozen, PlayContext
from processor.pipeline.override_entries import read_quietly
from reporters.beacon import BeaconFacts
from rules.engine.ptd1 import Entropy, beacon
from rules.play.beacons import Pulse

SOURCE = "quicknet:"
"""How a round is named in a proof."""


def find_beacon(entries: Sequence[Override]) -> UseBeacon | None:
    """The entry about the beacon; of several the last."""
    found = [one for one in entries if isinstance(one, UseBeacon)]
    return found[-1] if found else None


def to_entropy(pulse: Pulse) -> Entropy:
    """E of a round."""
    return beacon(pulse.round, pulse.randomness)


def round_of(entropy: Entropy) -> int | None:
    """The round of a beacon's E, None for another."""
    source = str(entropy.parts[1])
    return int(source.removeprefix(SOURCE)) if source.startswith(SOURCE) else None


def gather_beacon(play: PlayContext, frozen: Frozen) -> BeaconFacts | None:
    """What a report says of the beacon, None for a turn without."""
    if play.proof != "beacon" or frozen.entropy is None:
        return None
    entry = find_beacon(read_quietly(frozen.overrides_now, play.ref.attempt))
    number = round_of(frozen.entropy)
    if number is None:
        return BeaconFacts(reason=entry.reason if entry is not None else "")
    value = frozen.entropy.parts[2]
    typed = entry is not None and entry.value != FALL_BACK
    by_hand = typed and entry is not None and Pulse(number, bytes.fromhex(entry.value)).randomness == value
    return BeaconFacts(number, bytes(value).hex() if isinstance(value, bytes) else "", by_hand=by_hand)
