"""What `turnero verify` says about the proof of a whole game that holds, in Spanish or English."""

from __future__ import annotations

from reporters.verification import shorten
from rules.engine.closing import Closing

_HOLDS = {
    "es": "✔ Partida `{game}`, {turns} turnos: el secreto es el prometido, y de él salen todas las semillas"
    " secretas. Los dados de las {proofs} pruebas ({rolls}) salen de sus semillas, y cada cierre corresponde"
    " a sus órdenes y correcciones ({orders}).",
    "en": "✔ Game `{game}`, {turns} turns: the secret is the one committed to, and all secret seeds follow"
    " from it. The dice of the {proofs} proofs ({rolls}) follow from their seeds, and each lock belongs to"
    " its orders and corrections ({orders}).",
}
_SECRET = {
    "es": "Compara el compromiso del secreto con el que se publicó al empezar la partida: {commitment}",
    "en": "Compare the commitment to the secret with the one published when the game began: {commitment}",
}
_TURN = {
    "es": "Turno {turn} de `{game}`: compara su compromiso con el que se publicó: {commitment}",
    "en": "Turn {turn} of `{game}`: compare its commitment with the one published: {commitment}",
}


def render_game_verdict(closing: Closing, language: str = "es") -> list[str]:
    """The lines about a proof of a game: what was checked, and what the reader has to compare.

    language: `es` or `en`.
    """
    proofs = [proof for turn in closing.turns for proof in turn.proofs]
    facts = {
        "game": shorten(closing.game),
        "turns": str(len(closing.turns)),
        "proofs": str(len(proofs)),
        "rolls": str(sum(len(proof.rolls) for proof in proofs)),
        "orders": str(sum(len(turn.orders) + len(turn.hidden) for turn in closing.turns)),
        "commitment": closing.commitment,
    }
    public = [turn.proofs[0] for turn in closing.turns]
    compare = [
        _TURN[language].format(turn=one.turn, game=shorten(one.game), commitment=one.commitment)
        for one in public
    ]
    return [_HOLDS[language].format_map(facts), _SECRET[language].format_map(facts), *compare]
