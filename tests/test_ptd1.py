"""The construction `ptd1`: test vectors of reliability.md 1.6, a second implementation, its properties."""

from __future__ import annotations

import hashlib
import random
from collections import Counter

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rules.engine import ptd1
from tests.support import second_ptd1

SEED = bytes(range(32))
GAME, TURN = "alpha", 12
RANDOMNESS = bytes.fromhex("dd659f8a49133759d495ee5d15262cdc0050f9027e20c7bed3e0599e27adec4b")
KEY = bytes.fromhex("3b05333b3a6ba69eaff30dbb8cbeab0f60162811dbadfc1b184e8557a15b769f")
BEACON_KEY = bytes.fromhex("be464e59d049da9e1233824b351a5f8c4a8752a8edfbe10452b0abf42ebe00fd")
HUGE = 2**63 + 1

words = st.text(st.characters(codec="utf-8"), max_size=12)


def test_the_commitment_is_that_of_the_vectors() -> None:
    """C of 1.6."""
    expected = "7141fa4695ad2b9307d1372dd1409588f63780fd15c02390c211333924d8d71d"
    assert expected == ptd1.commitment(GAME, TURN, SEED)


def test_entropy_of_mode_seed_gives_the_key_of_the_vectors() -> None:
    """E and K of mode seed."""
    assert bytes.fromhex("000000047365656400000000") == ptd1.SEED.encoded
    assert KEY == ptd1.turn_key(GAME, TURN, SEED, ptd1.SEED)


def test_entropy_of_mode_beacon_gives_the_key_of_the_vectors() -> None:
    """E and K of mode beacon."""
    entropy = ptd1.beacon(27946612, RANDOMNESS)
    head = "00000006626561636f6e00000011717569636b6e65743a323739343636313200000020"
    assert bytes.fromhex(head) + RANDOMNESS == entropy.encoded
    assert BEACON_KEY == ptd1.turn_key(GAME, TURN, SEED, entropy)


@pytest.mark.parametrize(
    ("label", "i", "n", "value"),
    [
        pytest.param("combat/bur", 0, 6, 1, id="V1"),
        pytest.param("combat/bur", 1, 6, 6, id="V2"),
        pytest.param("weather", 0, 100, 13, id="V3"),
        pytest.param("search/ñandú", 3, 20, 6, id="V4"),
        pytest.param("shuffle/deck", 2, HUGE, 7815966170422392162, id="V5-second-word"),
        pytest.param("shuffle/deck", 0, HUGE, 4228379557990509652, id="V6-second-block"),
    ],
)
def test_rolls_are_those_of_the_vectors(label: str, i: int, n: int, value: int) -> None:
    """V1 to V6, with rejected words and a rejected block among them."""
    assert value == ptd1.roll(KEY, label, i, n)


@pytest.mark.parametrize(
    ("label", "i", "c", "digest"),
    [
        ("combat/bur", 0, 0, "819c3a49993dd8188db3860c32838a8839f3af23793d09cbc2e1bea5d1212bbc"),
        ("combat/bur", 1, 0, "d3ba956e45f46743b3446321aa1b03381d84f9484e71ea5840c77c0d1473b1de"),
        ("weather", 0, 0, "5650b1fb61265120bbbc5fb0eab79610d12be83a61daed278516f2cf2142c686"),
        ("search/ñandú", 3, 0, "7785af3cd4b142352312b8681389e272c0a10be6a96652250a51274ac7b7ca9e"),
        ("shuffle/deck", 2, 0, "b341fdb7ebd853726c77e3d23c7f35618392f45e1d7aa749fec96b4265d1c169"),
        ("shuffle/deck", 0, 0, "af7b256f2076b7fcec80f0d9a09a042de61777bf055cea2a8a7b92f94c10293a"),
        ("shuffle/deck", 0, 1, "3aae38ce198c2c5303460acb96a4fc0f1757ecdcf9bbc40f9cb9c816f503cbdc"),
    ],
)
def test_blocks_are_those_of_the_vectors(label: str, i: int, c: int, digest: str) -> None:
    """B of V1 to V6."""
    assert digest == ptd1.block(KEY, label, i, c).hex()


def test_messages_of_rolls_are_those_of_the_vectors() -> None:
    """The bytes under the HMAC of V1 and V4, letters beyond ASCII among them."""
    first = "00000009707464312f726f6c6c0000000a636f6d6261742f62757200000001300000000130"
    fourth = "00000009707464312f726f6c6c0000000e7365617263682fc3b1616e64c3ba00000001330000000130"
    assert first == ptd1.enc("ptd1/roll", "combat/bur", 0, 0).hex()
    assert fourth == ptd1.enc("ptd1/roll", "search/ñandú", 3, 0).hex()


@pytest.mark.parametrize(
    ("key", "values"),
    [
        pytest.param(KEY, [1, 6, 2, 2, 2, 2, 6, 2, 3, 6], id="seed"),
        pytest.param(BEACON_KEY, [4, 2, 5, 5, 4, 6, 3, 2, 3, 2], id="beacon"),
    ],
)
def test_ten_dice_of_one_label_are_those_of_the_vectors(key: bytes, values: list[int]) -> None:
    """Ten d6 of combat/bur in both modes."""
    assert values == [ptd1.roll(key, "combat/bur", i, 6) for i in range(10)]


def test_the_lock_tag_is_that_of_the_vectors() -> None:
    """L of 1.6, with the manifest's entries in another order than sorted."""
    entries = [
        ("1007", "p01", ""),
        ("1001", "p07", "A par -> bur\nF bre -> eng"),
        ("1004", "p03", "A mun S A par -> bur"),
    ]
    expected = "23a78c1b41684306c285526fbb128dfbe972853da90cc548753885f935ddc14b"
    assert expected == ptd1.lock_tag(GAME, TURN, SEED, ptd1.manifest(entries), b"", "rules-1.0")


def test_ten_thousand_random_addresses_agree_with_a_second_implementation() -> None:
    """Property (b): both were written from 1.2 and share no code."""
    dice = random.Random(20261129)  # noqa: S311  # addresses for a test, the same each time
    letters = "abñúZ09/-_ é\u0301中🎲"
    for _ in range(10_000):
        label = "".join(dice.choices(letters, k=dice.randrange(1, 24)))
        key, i = dice.randbytes(32), dice.choice([dice.randrange(20), dice.randrange(2**40)])
        n = dice.choice([1, 2, 6, 20, 100, dice.randrange(1, 2**64 + 1), 2**64, HUGE])
        assert second_ptd1.throw(key, label, i, n) == ptd1.roll(key, label, i, n), (label, i, n)


@given(words, st.integers(0, 2**40), st.binary(min_size=32, max_size=32), st.integers(1, 2**63))
@example("cafe\u0301", 0, SEED, 1)
def test_commitment_and_key_agree_with_a_second_implementation(
    game: str, turn: int, seed: bytes, round_number: int
) -> None:
    """C and K for any game, turn, seed and beacon; text counts in its NFC form."""
    entropy = ptd1.beacon(round_number, seed[::-1])
    parts: list[second_ptd1.Value] = ["beacon", f"quicknet:{round_number}", seed[::-1]]
    assert second_ptd1.commit(game, turn, seed).hex() == ptd1.commitment(game, turn, seed)
    assert second_ptd1.derive(game, turn, seed, parts) == ptd1.turn_key(game, turn, seed, entropy)


@given(st.lists(words | st.integers(min_value=0)), st.lists(words | st.integers(min_value=0)))
@example(["a-", 1], ["a", "-1"])
@example(["ab", ""], ["a", "b"])
def test_the_encoding_joins_no_two_lists(left: list[str | int], right: list[str | int]) -> None:
    """Lists are encoded alike exactly if their texts are the same (in NFC; a number is its decimals)."""
    same = [second_ptd1.encode([part]) for part in left] == [second_ptd1.encode([part]) for part in right]
    assert same == (ptd1.enc(*left) == ptd1.enc(*right))


@pytest.mark.parametrize(
    ("n", "bound"), [(2, 10.828), (3, 13.816), (6, 20.515), (20, 43.820), (100, 148.230)]
)
def test_values_are_uniform(n: int, bound: float) -> None:
    """Property (c): chi-square of 20,000 dice over 200 labels stays under its 99.9 % bound."""
    thrown = Counter(ptd1.roll(KEY, f"uniform/{k % 200}", k // 200, n) for k in range(20_000))
    mean = 20_000 / n
    chi_square = sum((thrown[face] - mean) ** 2 / mean for face in range(1, n + 1))
    assert set(range(1, n + 1)) == set(thrown)
    assert chi_square < bound


def test_a_die_of_one_side_and_one_of_two_to_the_64_are_the_limits() -> None:
    """The least and the greatest number of sides; with the greatest no word is skipped."""
    first_word = int.from_bytes(ptd1.block(KEY, "a", 0, 0)[:8], "big")
    assert 1 == ptd1.roll(KEY, "a", 0, 1)
    assert first_word + 1 == ptd1.roll(KEY, "a", 0, 2**64)


@pytest.mark.parametrize("n", [0, -6, 2**64 + 1])
def test_other_numbers_of_sides_are_refused(n: int) -> None:
    """Sides out of 1 to 2^64."""
    with pytest.raises(ValueError, match="1 to 2\\^64 sides"):
        ptd1.roll(KEY, "a", 0, n)


def test_a_boolean_is_no_number() -> None:
    """`True` would silently be 1, the more so once die 1 has been thrown (its bytes are cached)."""
    ptd1.roll(KEY, "a", 1, 6)
    with pytest.raises(TypeError, match="bool"):
        ptd1.roll(KEY, "a", 0, True)
    with pytest.raises(TypeError, match="bool"):
        ptd1.roll(KEY, "a", True, 6)
    with pytest.raises(TypeError, match="bool"):
        ptd1.commitment(GAME, True, SEED)


def test_negative_numbers_are_refused() -> None:
    """`-1` has no encoding: integers carry no sign."""
    with pytest.raises(ValueError, match="0 or more"):
        ptd1.roll(KEY, "a", -1, 6)
    with pytest.raises(ValueError, match="0 or more"):
        ptd1.turn_key(GAME, -1, SEED, ptd1.SEED)


@pytest.mark.parametrize("seed", [b"", SEED[:31], SEED + b"x"])
def test_seeds_of_another_length_are_refused(seed: bytes) -> None:
    """A seed has 32 bytes everywhere."""
    with pytest.raises(ValueError, match="32 bytes"):
        ptd1.commitment(GAME, TURN, seed)
    with pytest.raises(ValueError, match="32 bytes"):
        ptd1.group_seed(seed, GAME, TURN, "tau")
    with pytest.raises(ValueError, match="32 bytes"):
        ptd1.roll(seed, "a", 0, 6)


@pytest.mark.parametrize(
    "texts",
    [
        [],
        ["seed"],
        ["seed", "x"],
        ["seed", "", ""],
        ["Seed", ""],
        ["seed", "hex:"],
        ["beacon", "quicknet:0", "hex:" + "00" * 32],
        ["beacon", "quicknet:07", "hex:" + "00" * 32],
        ["beacon", "quicknet:٣", "hex:" + "00" * 32],
        ["beacon", "quicknet:7\n", "hex:" + "00" * 32],
        ["beacon", "nist:7", "hex:" + "00" * 32],
        ["beacon", "quicknet:7", "hex:" + "AB" * 32],
        ["beacon", "quicknet:7", "hex:" + "00" * 31],
        ["beacon", "quicknet:7", "hex:" + "0" * 63],
        ["beacon", "quicknet:7", "00" * 32],
        ["orders", "x", "hex:" + "00" * 32],
        ["orders", "", "hex:"],
        ["hex:73656564", ""],
    ],
)
def test_entropy_of_another_shape_is_refused(texts: list[str]) -> None:
    """Only the shapes of 1.2, each in one spelling."""
    with pytest.raises(ValueError, match="seed, beacon or orders"):
        ptd1.Entropy.from_texts(texts)


@pytest.mark.parametrize("entropy", [ptd1.SEED, ptd1.beacon(1, RANDOMNESS), ptd1.orders(b"all orders")])
def test_entropy_comes_back_from_its_texts(entropy: ptd1.Entropy) -> None:
    """What a proof file holds gives the same entropy."""
    assert entropy == ptd1.Entropy.from_texts(entropy.texts())


def test_a_leaf_hides_an_order_and_changes_with_each_part() -> None:
    """The formula of 1.4, and no open order can pass for a leaf in the manifest."""
    salt = bytes(16)
    preimage = second_ptd1.encode(["ptd1/leaf", salt, "p07", "espiar CM-3"])
    leaf = ptd1.leaf(salt, "p07", "espiar CM-3")
    others = {
        ptd1.leaf(bytes(15) + b"x", "p07", "espiar CM-3"),
        ptd1.leaf(salt, "p08", "espiar CM-3"),
        ptd1.leaf(salt, "p07", "espiar CM-4"),
    }
    assert hashlib.sha256(preimage).digest() == leaf
    assert 4 == len({leaf, *others})
    with pytest.raises(ValueError, match="16 bytes"):
        ptd1.leaf(b"short", "p07", "espiar CM-3")


def test_the_manifest_tells_leaves_and_orders_apart_and_forgets_their_sequence() -> None:
    """A leaf among open orders; the same entries in another sequence give the same bytes."""
    leaf = ptd1.leaf(bytes(16), "p07", "espiar CM-3")
    one: list[tuple[str, str, str] | bytes] = [("1", "p01", "producir"), leaf]
    assert ptd1.manifest(one) == ptd1.manifest(one[::-1])
    assert ptd1.manifest(one) != ptd1.manifest([one[0]])
    assert ptd1.enc("ptd1/leaf", leaf) in ptd1.manifest(one)


def test_a_groups_seed_follows_its_formula() -> None:
    """S_g of design.md 6, computed by the second implementation; the public group has none of these."""
    expected = second_ptd1.keyed(SEED, second_ptd1.encode(["ptd1/group", "alpha", 12, "tau"]))
    assert expected == ptd1.group_seed(SEED, GAME, TURN, "tau")
    assert "alpha/@tau" == ptd1.group_game(GAME, "tau")
    assert "alpha" == ptd1.group_game(GAME, "")
    with pytest.raises(ValueError, match="public"):
        ptd1.group_seed(SEED, GAME, TURN, "")


def test_the_digest_of_groups_depends_on_each_commitment_and_not_on_their_sequence() -> None:
    """Published with C: fixes every group's seed without telling which group has which."""
    commitments = [ptd1.commitment(game, TURN, SEED) for game in ("alpha", "alpha/@tau", "alpha/@director")]
    digest = ptd1.groups_digest(commitments)
    assert digest == ptd1.groups_digest(reversed(commitments))
    assert digest != ptd1.groups_digest(commitments[:2])


def test_the_commitment_to_a_games_secret_is_none_of_a_turns() -> None:
    """H and S are committed to under different words, so neither can pass for the other."""
    expected = second_ptd1.encode(["ptd1/secret", "alpha", SEED])
    assert hashlib.sha256(expected).hexdigest() == ptd1.secret_commitment(GAME, SEED)
    assert ptd1.secret_commitment(GAME, SEED) != ptd1.commitment(GAME, TURN, SEED)
