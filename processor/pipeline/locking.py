"""The lock: what is fixed before the dice are known, and what is published of it
(docs/adr/0004-lock-manifest.md).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from hashlib import sha256
from itertools import groupby

from parsers.files.override import (
    AcceptPost,
    Add,
    Cancel,
    IgnorePost,
    Override,
    Replace,
    Ruling,
    SetDie,
    SetValue,
)
from processor.pipeline.context import Commitments, Frozen, PlayContext, PostVersion, Secrets
from processor.pipeline.keeping import stand_in
from processor.pipeline.override_entries import read_quietly
from processor.pipeline.reading import read_and_carry
from rules.engine import ptd1
from rules.engine.audience import DIRECTOR_SEAT
from rules.engine.codec import canonical_json, dump_state
from rules.engine.dice import Ptd1Source
from rules.engine.folding import fold
from rules.engine.ruleset import Ruleset
from rules.play.reading import Submission, TurnReading
from rules.play.turns import TurnRef

OPTION_DIGITS = 12
"""Hexadecimal digits of the options' hash in a `rules_id`."""


def dice_source(play: PlayContext, secrets: Secrets, entropy: ptd1.Entropy = ptd1.SEED) -> Ptd1Source:
    """The provable dice of the turn."""
    ref = play.ref
    return Ptd1Source(
        ref.dice_game,
        ref.turn,
        secrets.seed,
        entropy=entropy,
        secret=secrets.game_secret,
        attempt=secrets.attempt,
    )


def commitments(play: PlayContext, secrets: Secrets) -> Commitments:
    """What is published before the deadline: C, the digest over the commitments of all groups, and H's."""
    source = dice_source(play, secrets)
    every = source.commitments(("", *sorted(play.ruleset.groups(play.state))))
    secret = ptd1.secret_commitment(play.ref.game, secrets.game_secret)
    return Commitments(every[""], ptd1.groups_digest(every.values()), secret, play.game.proof)


def rules_id(ruleset: Ruleset, options: object) -> str:
    """Name and version of the rules and a hash of the game's options: `conquista-1-0123456789ab`."""
    digest = sha256(canonical_json(dump_state(options, defaults=True)).encode()).hexdigest()
    return f"{ruleset.id}-{ruleset.version}-{digest[:OPTION_DIGITS]}"


def make_salt(secrets: Secrets, ref: TurnRef, source: str) -> bytes:
    """The 16 bytes that hide a secret leaf; its author finds them in the private receipt.

    source: the id of the post, or what `override_source` says.
    """
    return ptd1.leaf_salt(secrets.game_secret, ref.dice_game, ref.turn, source)


def freeze(
    play: PlayContext,
    versions: Sequence[PostVersion],
    own_account: str,
    overrides_text: str,
    secrets: Secrets,
) -> Frozen:
    """Lock the turn: what counts, the override file, the rules, and the tag over all of them."""
    reading, carried = read_and_carry(play, versions, own_account)
    posts_read = len({one.post.id for one in versions})
    frozen = freeze_reading(play, stand_in(play, reading), overrides_text, secrets, posts_read)
    ordered = sorted(versions, key=lambda one: (one.post.created_at, one.post.id, one.seen_at))
    return replace(frozen, versions=tuple(ordered), carried=carried)


def freeze_reading(
    play: PlayContext, reading: TurnReading, overrides_text: str, secrets: Secrets, posts_read: int
) -> Frozen:
    """Lock what was read. posts_read: how many posts the reading saw, to be published with the tag."""
    salted = salt_reading(play, reading, secrets)
    public, hidden = split_overrides(reading, overrides_text)
    leaves = [ptd1.leaf(make_salt(secrets, play.ref, source), seat, text) for source, seat, text in hidden]
    frozen = ptd1.manifest([*manifest_entries(salted), *leaves])
    rules = rules_id(play.ruleset, play.game.options)
    tag = ptd1.lock_tag(play.ref.dice_game, play.ref.turn, secrets.seed, frozen, public, rules)
    return Frozen(salted, overrides_text, tag, sha256(frozen).hexdigest(), rules, posts_read)


def salt_reading(play: PlayContext, reading: TurnReading, secrets: Secrets) -> TurnReading:
    """The reading with the salt of each private block in force, for its author's receipt."""
    seats = tuple(
        replace(seat, in_force=tuple(_salted(play, one, secrets) for one in seat.in_force))
        for seat in reading.seats
    )
    return replace(reading, seats=seats)


def _salted(play: PlayContext, block: Submission, secrets: Secrets) -> Submission:
    if not block.post.private:
        return block
    return replace(block, salt=make_salt(secrets, play.ref, block.post.id).hex())


def manifest_entries(reading: TurnReading) -> tuple[tuple[str, str, str] | bytes, ...]:
    """What stands for the orders in force: (post, seat, text) of open ones, a salted leaf of private ones."""
    return tuple(
        ptd1.leaf(bytes.fromhex(salt), seat, text) if salt else (post, seat, text)
        for post, seat, text, salt in order_texts(reading)
    )


def order_texts(reading: TurnReading) -> Iterator[tuple[str, str, str, str]]:
    """The orders in force: post, seat, text, and the salt of private ones, "" for none.

    One entry for each post and seat; the texts of several blocks are joined by an empty line.
    """
    for seat in reading.seats:
        for (post, salt), blocks in groupby(seat.in_force, key=lambda one: (one.post.id, one.salt)):
            yield post, seat.seat, "\n\n".join(block.text for block in blocks), salt


def split_overrides(reading: TurnReading, text: str) -> tuple[bytes, tuple[tuple[str, str, str], ...]]:
    """What of an override file enters the lock tag openly, and its secret entries as (source, seat, text).

    A file without secret entries enters as it is; of one with some, the open entries as canonical JSON.
    A file that can't be read enters as it is: its game is held anyway.
    """
    entries = read_quietly(text)
    hidden = [one for one in entries if is_secret(one, reading)]
    if not hidden:
        return text.encode(), ()
    public = [entry_data(one) for one in entries if one not in hidden]
    leaves = tuple(
        (override_source(one), _seat_of(one, reading), canonical_json(entry_data(one))) for one in hidden
    )
    return canonical_json(public).encode(), leaves


def is_secret(entry: Override, reading: TurnReading) -> bool:
    """Whether a correction is secret: said so, or its order was given in private; a post that isn't known yet
    may be, and so may the director's own orders, until it has turned out what they make.
    """
    if isinstance(entry, Add) and fold(entry.seat) == DIRECTOR_SEAT:
        return True
    if isinstance(entry, IgnorePost | AcceptPost):
        return entry.secret or entry.post not in {
            one.post.id for one in reading.posts if not one.post.private
        }
    if entry.secret or not isinstance(entry, Replace | Cancel):
        return entry.secret
    blocks = [one for seat in reading.seats if seat.seat == entry.order.seat for one in seat.in_force]
    return any(
        block.post.private and line.number == entry.order.number for block in blocks for line in block.lines
    )


def may_be_secret(play: PlayContext, entry: Override, reading: TurnReading) -> bool:
    """Whether a correction may be about what not everybody knows, without its having been applied."""
    if isinstance(entry, Add) and play.game.forum.secret:
        return True
    if isinstance(entry, SetValue | SetDie | Ruling) and play.ruleset.groups(play.state):
        return True
    return is_secret(entry, reading)


def override_source(entry: Override) -> str:
    """What the salt of a secret correction is made from: no post has such an id."""
    return f"override#{entry.place}"


def entry_data(entry: Override) -> dict[str, object]:
    """A correction as plain data, without where it stands."""
    names = (name for kind in type(entry).__mro__ for name in getattr(kind, "__slots__", ()))
    data = {name: getattr(entry, name) for name in names if name not in ("line", "place")}
    return {"kind": type(entry).__name__} | {name: _plain(value) for name, value in data.items()}


def _plain(value: object) -> object:
    if isinstance(value, tuple | list):
        return [_plain(one) for one in value]
    return value if isinstance(value, str | int | dict) or value is None else str(value)


def _seat_of(entry: Override, reading: TurnReading) -> str:
    match entry:
        case IgnorePost() | AcceptPost():
            mine = (seat for one in reading.posts if one.post.id == entry.post for seat in one.seats)
            return next(mine, "director")
        case Replace() | Cancel():
            return entry.order.seat
        case Add():
            return entry.seat
    return "director"
