"""A beacon's answer: JSON with a round, its signature, and perhaps its randomness."""

from __future__ import annotations

import json

from rules.play.beacons import Pulse


def parse_pulse(body: bytes, number: int) -> Pulse:
    """The round that was asked for. Raises ValueError for anything else: what is wrong, in English."""
    data = json.loads(body)
    if not isinstance(data, dict) or data.get("round") != number:
        raise ValueError(f"this isn't round {number}")
    signature, randomness = data.get("signature"), data.get("randomness")
    pulse = Pulse(number, bytes.fromhex(str(signature)))
    if randomness is not None and randomness != pulse.randomness.hex():
        raise ValueError("the randomness isn't the hash of the signature")
    return pulse
