"""Voiding an attempt at a turn: what the players are told (docs/adr/0011-attempts.md)."""

from __future__ import annotations

from collections.abc import Sequence

from parsers.files.override import Void
from processor.pipeline.context import PlayContext, Secrets
from processor.pipeline.texts import setting_of
from reporters.attempts import compose_void_notice
from reporters.proof import build_proof
from rules.engine.dice import Ptd1Source
from rules.engine.ptd1 import SEED, Entropy
from rules.play.attempts import Redo, VoidedTurn
from rules.play.outgoing import TOPIC, Outgoing
from rules.play.turns import TurnRef

NOTICE = "void"
"""The kind of the post that tells of it; it is sent before anything else of the next attempt."""


def make_redo(entry: Void, ref: TurnRef) -> Redo:
    """Why the turn is played once more. ref: of the attempt that the entry voids."""
    return Redo(ref.turn, ref.attempt, entry.orders, "" if entry.secret else entry.reason)


def reveal(
    ref: TurnRef, secrets: Secrets, groups: str, *, published: bool, entropy: Entropy | None = None
) -> VoidedTurn:
    """An attempt whose seed is shown because it is voided. groups: digest over its groups' commitments.

    published: whether its report was; its proof stands there already. entropy: E, None where it wasn't known.
    """
    source = Ptd1Source(
        ref.dice_game,
        ref.turn,
        secrets.seed,
        entropy=entropy or SEED,
        secret=secrets.game_secret,
        attempt=secrets.attempt,
    )
    proof = None if published else build_proof(source, [], groups=groups)
    return VoidedTurn(ref.turn, ref.attempt, source.commitment(), secrets.seed.hex(), published, proof)


def void_notice(play: PlayContext, redo: Redo, voided: Sequence[VoidedTurn]) -> tuple[Outgoing, ...]:
    """The post that says what is voided, why, what happens next, and which seeds are known now.

    play: the voided attempt. voided: with it what was opened behind it, by number.
    """
    setting = setting_of(play)
    return (Outgoing(NOTICE, TOPIC, setting.parts(NOTICE, compose_void_notice(setting, redo, voided))),)
