"""What a lock fixes, and what it hides (docs/adr/0004-lock-manifest.md)."""

from __future__ import annotations

import hmac
from dataclasses import replace
from hashlib import sha256

from processor.pipeline.locking import commitments, freeze, rules_id, split_overrides
from rules.engine import ptd1
from tests.support.fair import BOT, SECRETS, Topic, block, make_play, texts
from tests.toy.ruleset import RULESET
from tests.toy.state import Options


def a_topic(private_text: str = "hurtar a Ana") -> Topic:
    """Ana orders in the open, Bea in private."""
    topic = Topic()
    topic.post("Ana", block("trabajar", "# nota"), 60)
    topic.post("Bea", block(private_text), 50, private=True)
    return topic


def tag(topic: Topic, overrides: str = "") -> str:
    """The lock tag of a turn."""
    return freeze(make_play(secret=True), topic.versions, BOT, overrides, SECRETS).lock_tag


def test_the_tag_can_be_computed_by_hand() -> None:
    """From posts, salts, override file and rules as ADR 4 says, without our code for any of it."""
    frozen = freeze(make_play(secret=True), a_topic().versions, BOT, "# nada\n", SECRETS)
    bea = frozen.reading.seat("Bea").in_force[0]
    message = ptd1.enc("ptd1/salt", "feria", 3, bea.post.id)
    salt = hmac.digest(SECRETS.game_secret, message, "sha256")[:16]
    leaf = sha256(ptd1.enc("ptd1/leaf", salt, "Bea", "hurtar a Ana")).digest()
    entries = sorted(
        [ptd1.enc("1001", "Ana", "trabajar\n# nota"), ptd1.enc("ptd1/leaf", leaf)],
    )
    manifest = ptd1.enc(2, *entries)

    assert salt.hex() == bea.salt
    assert sha256(manifest).hexdigest() == frozen.manifest_hash
    rules = rules_id(RULESET, Options())
    assert ptd1.lock_tag("feria", 3, SECRETS.seed, manifest, b"# nada\n", rules) == frozen.lock_tag
    assert (2, rules) == (frozen.posts_read, frozen.rules_id)


def test_salts_are_their_authors_alone() -> None:
    """16 bytes for each private post, other ones for each turn; none for open posts."""
    play = make_play(secret=True)
    frozen = freeze(play, a_topic().versions, BOT, "", SECRETS)
    next_turn = replace(play, ref=replace(play.ref, turn=4))
    topic = Topic()
    topic.post("Ana", block("trabajar", header=""), 60)
    topic.post("Bea", block("hurtar a Ana", header=""), 50, private=True)
    later = freeze(next_turn, topic.versions, BOT, "", SECRETS)

    assert "" == frozen.reading.seat("Ana").in_force[0].salt
    salts = [one.reading.seat("Bea").in_force[0].salt for one in (frozen, later)]
    assert [32, 32] == list(map(len, salts))
    assert salts[0] != salts[1]


def test_whatever_counts_changes_the_tag() -> None:
    """An order, a secret order, a correction, the rules' options."""
    plain = tag(a_topic())
    more = a_topic()
    more.post("Ciro", block("trabajar"), 40)
    play = make_play(secret=True)
    other = replace(play, game=replace(play.game, options=Options(to_win=4)))

    assert plain == tag(a_topic())
    assert plain != tag(more)
    assert plain != tag(a_topic("hurtar a Ciro"))
    assert plain != tag(a_topic(), "# otra cosa\n")
    assert plain != freeze(other, a_topic().versions, BOT, "", SECRETS).lock_tag


def test_what_doesnt_count_changes_nothing() -> None:
    """Late posts, prose and blocks of people who watch leave the tag alone."""
    more = a_topic()
    more.post("Ciro", block("trabajar"), -5)
    more.post("Ciro", "¡Suerte a todos!", 30)
    more.post("Mirón", block("trabajar"), 30)

    assert tag(a_topic()) == tag(more)


SECRET_ENTRY = '[[override]]\ncancel = "Ana#1"\nreason = "silencio"\nsecret = true\n'
OPEN_ENTRY = '[[override]]\nadd = "Ciro"\norder = "trabajar"\nreason = "a la vista"\n'
ON_SECRET_ORDER = '[[override]]\ncancel = "Bea#1"\nreason = "era secreta"\n'


def test_secret_corrections_are_leaves() -> None:
    """What enters the tag openly holds no word of a secret entry, nor of one about a secret order."""
    reading = a_topic().read(make_play(secret=True))

    public, hidden = split_overrides(reading, OPEN_ENTRY + SECRET_ENTRY + ON_SECRET_ORDER)

    assert b"a la vista" in public
    assert b"silencio" not in public
    assert b"era secreta" not in public
    assert [("override#2", "Ana"), ("override#3", "Bea")] == [one[:2] for one in hidden]
    assert (OPEN_ENTRY.encode(), ()) == split_overrides(reading, OPEN_ENTRY)


def test_a_broken_file_enters_as_it_is() -> None:
    """Its game is held anyway, and what it said is fixed all the same."""
    assert (b"[[override]", ()) == split_overrides(a_topic().read(), "[[override]")


def test_secret_corrections_change_the_tag_too() -> None:
    """Their leaves stand in the manifest."""
    other = SECRET_ENTRY.replace("silencio", "otro silencio")

    assert tag(a_topic(), SECRET_ENTRY) != tag(a_topic(), other)
    assert tag(a_topic(), SECRET_ENTRY) != tag(a_topic())


def test_commitments_are_those_of_all_groups() -> None:
    """C of the public seed, and the digest over the public one, the director's and each seat's."""
    play = make_play(secret=True)
    made = commitments(play, SECRETS)
    groups = ["Ana", "Bea", "Ciro", "director"]
    seeds = {one: ptd1.group_seed(SECRETS.game_secret, "feria", 3, one) for one in groups}
    every = [ptd1.commitment(f"feria/@{one}", 3, seed) for one, seed in seeds.items()]
    public = ptd1.commitment("feria", 3, SECRETS.seed)

    assert public == made.commitment
    assert ptd1.groups_digest([public, *every]) == made.groups


def test_the_frozen_reading_is_what_was_read() -> None:
    """But for the salts nothing is other than before the lock; it is known to be closed."""
    topic = a_topic()
    frozen = freeze(make_play(secret=True), topic.versions, BOT, "", SECRETS)
    bare = tuple(
        replace(seat, in_force=tuple(replace(one, salt="") for one in seat.in_force))
        for seat in frozen.reading.seats
    )

    assert topic.read(make_play(secret=True)) == replace(frozen.reading, seats=bare, closed=False)
    assert ["hurtar a Ana"] == texts(frozen.reading, "Bea")
