"""The proof file of a turn's dice: what a reader needs to compute every roll again (reliability.md 1.5)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from rules.engine.dice import PUBLIC_GROUP, Ptd1Source, Roll

ProofData = dict[str, object]


def build_proof(
    source: Ptd1Source,
    rolls: Iterable[Roll],
    *,
    group: str = PUBLIC_GROUP,
    groups: str = "",
    rules: str = "",
    lock: str = "",
    by: str = "director",
) -> ProofData:
    """The proof of one group's dice: its seed, its rolls with their true values, what was replaced.

    source: the dice of the turn with the entropy it was resolved with. rolls: all rolls of the turn in the
    order thrown; those of other groups are left out, and nothing tells how many they were. groups, rules,
    lock: the groups' digest, the `rules_id` and the lock tag as published, "" for none. by: whose word
    replaced dice.
    """
    own = [roll for roll in rolls if roll.group == group]
    proof: ProofData = {
        "game": source.game_of(group),
        "turn": source.turn,
        "seed": source.seed_of(group).hex(),
        "commitment": source.commitment(group),
        "entropy": source.entropy.texts(),
        "K": source.key_of(group).hex(),
    }
    stated = {"groups": groups, "rules": rules, "lock": lock}
    proof.update({key: text for key, text in stated.items() if text})
    proof["rolls"] = [_roll_data(roll) for roll in own]
    proof["overrides"] = [_override_data(roll, by) for roll in own if roll.overridden]
    return proof


def _roll_data(roll: Roll) -> dict[str, object]:
    return {
        "label": roll.label,
        "i": roll.index,
        "n": roll.sides,
        "value": roll.true_value,
        "purpose": roll.purpose,
    }


def _override_data(roll: Roll, by: str) -> dict[str, object]:
    return {"label": roll.label, "i": roll.index, "value": roll.value, "by": by}


def render_proof(proof: Mapping[str, object]) -> str:
    """A proof as JSON, byte-equal for equal proofs: a key a line, within lists an entry a line.

    Only ASCII, since the 15-line verifier reads in whatever encoding its system has.
    """
    lines = [f"  {json.dumps(key)}: {_render_value(value)}" for key, value in proof.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def render_closing(closing: Mapping[str, object]) -> str:
    """The proof of a whole game as JSON, byte-equal for equal ones and only ASCII."""
    return json.dumps(closing, indent=1) + "\n"


def _render_value(value: object) -> str:
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return "[\n" + ",\n".join(f"    {json.dumps(entry)}" for entry in value) + "\n  ]"
    return json.dumps(value)
