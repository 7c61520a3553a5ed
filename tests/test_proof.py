"""Proofs of dice: built, written, read and judged, beside the 15-line verifier of reliability.md 1.5."""

from __future__ import annotations

import contextlib
import copy
import io
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parsers.files.proof import parse_proof
from reporters.proof import build_proof, render_proof
from reporters.verification import render_doubts, render_problems, render_verdict
from rules.engine import ptd1
from rules.engine.dice import Dice, Ptd1Source
from rules.engine.proofs import Problem, read_proof
from rules.engine.verification import doubts_about, verify_proof

SEED = bytes(range(32))
SECRET = bytes(range(100, 132))
VERIFIER = Path(__file__).parent.parent / "jobs" / "demo" / "verifier.py"
CODE = compile(VERIFIER.read_text(encoding="utf-8"), "verifier", "exec")
# Primes: whichever bit of n is flipped, no value of theirs can stay the same by chance.
PRIMES = (
    4294967311,
    4294967357,
    8589934609,
    17179869209,
    1099511627791,
    2199023255579,
    281474976710677,
    65537,
)

Data = dict[str, Any]
entropies = pytest.mark.parametrize(
    "entropy", [ptd1.SEED, ptd1.beacon(27946612, SECRET), ptd1.orders(b"all")], ids=lambda one: one.mode
)


def make_source(entropy: ptd1.Entropy = ptd1.SEED) -> Ptd1Source:
    """The dice of a turn."""
    return Ptd1Source("veth", 3, SEED, entropy=entropy, secret=SECRET)


def full_proof(entropy: ptd1.Entropy = ptd1.SEED) -> Data:
    """A proof of our own with everything it can hold, of 16 dice with many sides, one of them replaced."""
    source = make_source(entropy)
    dice = Dice(source, {"search/ñandú": (9,)})
    for n in PRIMES:
        dice.roll(n, "combat", "bur", purpose="combate")
        dice.roll(n, "search", "ñandú", purpose="búsqueda")
    dice.roll(6, "spy", "tau", audience_group="tau", purpose="espionaje")
    return build_proof(source, dice.rolls, groups=ptd1.groups_digest([]), rules="conquista-1", lock="ab" * 32)


def plain_proof(entropy: ptd1.Entropy = ptd1.SEED) -> Data:
    """The same in the bare format of reliability.md 1.5."""
    proof = full_proof(entropy)
    bare = {key: proof[key] for key in ("game", "turn", "seed", "commitment", "entropy")}
    rolls = [{key: roll[key] for key in ("label", "i", "n", "value")} for roll in proof["rolls"]]
    return {**bare, "rolls": rolls}


def accepts15(proof: Data) -> bool:
    """Whether the 15 lines accept a proof; run in this process, since many are judged."""
    stdin, sys.stdin = sys.stdin, io.StringIO(json.dumps(proof))
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            exec(CODE, {})  # noqa: S102  # the verifier of our own specification
    except SystemExit as end:
        return not end.code
    except AssertionError:
        return False
    finally:
        sys.stdin = stdin
    raise AssertionError("the verifier always exits")


def codes(proof: object) -> list[str]:
    """The codes of all that is wrong with a proof."""
    return [problem.code for problem in verify_proof(proof)]


def changed(proof: Data, **values: object) -> Data:
    """A copy with other values at the top."""
    return {**copy.deepcopy(proof), **values}


def changed_roll(proof: Data, number: int, **values: object) -> Data:
    """A copy with other values in one roll."""
    other = copy.deepcopy(proof)
    other["rolls"][number].update(values)
    return other


@entropies
@pytest.mark.parametrize("make", [full_proof, plain_proof])
def test_a_true_proof_is_accepted_by_both_verifiers(
    make: Callable[[ptd1.Entropy], Data], entropy: ptd1.Entropy
) -> None:
    """With our extra keys and without, in each mode."""
    proof = make(entropy)
    assert [] == verify_proof(proof)
    assert [] == doubts_about(proof)
    assert accepts15(proof)


def test_the_15_lines_accept_our_file_as_a_program_of_their_own() -> None:
    """As a player runs them: the file on standard input, whatever the system's encoding."""
    text = render_proof(full_proof())
    done = subprocess.run(
        [sys.executable, "-I", "-X", "utf8=0", str(VERIFIER)],
        input=text.encode("ascii"),
        capture_output=True,
        env={"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0"},
        check=False,
    )
    assert (0, b"OK 16 rolls\n", b"") == (done.returncode, done.stdout.replace(b"\r", b""), done.stderr)


def test_the_15_lines_refuse_a_changed_file_as_a_program_of_their_own() -> None:
    """Exit code 1 for a changed value."""
    text = json.dumps(changed_roll(full_proof(), 3, value=5))
    done = subprocess.run(
        [sys.executable, "-I", str(VERIFIER)], input=text.encode(), capture_output=True, check=False
    )
    assert 1 == done.returncode


def flip_hex(digits: str, bit: int) -> str:
    """The digits of the bytes with one bit flipped."""
    raw = bytearray.fromhex(digits)
    raw[bit // 8] ^= 1 << bit % 8
    return raw.hex()


def flip_text(text: str, bit: int) -> str | None:
    """The text with one bit of its UTF-8 flipped; None where that is no text."""
    raw = bytearray(text.encode())
    raw[bit // 8] ^= 1 << bit % 8
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return None


def flips(proof: Data) -> list[Data]:
    """Every copy with one bit of seed, commitment, beacon, game, turn or of anything in a roll flipped."""
    copies = [
        changed(proof, **{key: flip_hex(proof[key], bit)})
        for key in ("seed", "commitment")
        for bit in range(256)
    ]
    mode, source, value = proof["entropy"]
    copies += [
        changed(proof, entropy=[mode, source, f"hex:{flip_hex(value[4:], bit)}"]) for bit in range(256)
    ]
    copies += [changed(proof, turn=proof["turn"] ^ 1 << bit) for bit in range(40)]
    texts = [flip_text(proof["game"], bit) for bit in range(8 * len(proof["game"]))]
    copies += [changed(proof, game=text) for text in texts if text is not None]
    for number, roll in enumerate(proof["rolls"]):
        size = 8 * len(roll["label"].encode())
        names = [flip_text(roll["label"], bit) for bit in range(size)]
        copies += [changed_roll(proof, number, label=name) for name in names if name is not None]
        for key in ("i", "n", "value"):
            copies += [changed_roll(proof, number, **{key: roll[key] ^ 1 << bit}) for bit in range(64)]
    return copies


@pytest.mark.parametrize("make", [full_proof, plain_proof])
def test_any_flipped_bit_is_refused(make: Callable[[ptd1.Entropy], Data]) -> None:
    """Property (d), exhaustive: every bit of seed, commitment, entropy, game, turn, label, i, n and value.

    The entropy and the rest are tried on dice of so many sides that no change can hit by chance.
    """
    copies = flips(make(ptd1.beacon(27946612, SECRET)))
    assert [] == [one for one in copies if not verify_proof(one)]
    assert 5000 < len(copies)


def test_any_flipped_bit_is_refused_by_the_15_lines_too() -> None:
    """Both judges agree on what was changed, but for values in no shape at all (n = 0)."""
    copies = [one for one in flips(plain_proof(ptd1.beacon(27946612, SECRET))) if well_shaped(one)]
    assert [] == [one for one in copies[::7] if accepts15(one)]


def well_shaped(proof: Data) -> bool:
    """Whether a proof can be computed at all."""
    return read_proof(proof)[0] is not None


@given(
    st.sampled_from(["beacon", "seed"]),
    st.dictionaries(
        st.text(st.characters(codec="utf-8"), min_size=1, max_size=8).map(
            lambda label: normalize("NFC", label)
        ),
        st.integers(1, 4),
        max_size=5,
    ),
    st.integers(0, 2**40),
)
def test_proofs_of_any_dice_are_accepted_by_both(mode: str, labels: dict[str, int], turn: int) -> None:
    """Whatever the names, the two judges agree with the maker."""
    entropy = ptd1.SEED if mode == "seed" else ptd1.beacon(turn + 1, SECRET)
    source = Ptd1Source("veth/duelo", turn, SEED, entropy=entropy)
    dice = Dice(source)
    for label, count in labels.items():
        dice.pool(count, 6, "act", label.replace("/", "-"), purpose="x")
    proof = json.loads(render_proof(build_proof(source, dice.rolls)))
    assert [] == verify_proof(proof)
    assert accepts15(proof)


@entropies
def test_another_mode_of_entropy_is_refused(entropy: ptd1.Entropy) -> None:
    """No mode can be passed off as another."""
    proof = plain_proof(entropy)
    others = (ptd1.SEED, ptd1.beacon(27946613, SECRET), ptd1.orders(b"x"))
    assert all(codes(changed(proof, entropy=one.texts())) for one in others if one != entropy)


def test_a_proof_without_rolls_must_carry_its_key() -> None:
    """Nothing else would bind the entropy; dice of one side bind nothing either."""
    source = make_source()
    proof = build_proof(source, [])
    bare = {key: value for key, value in proof.items() if key != "K"}
    one_sided = [{"label": "a", "i": 0, "n": 1, "value": 1}]
    assert [] == codes(proof)
    assert ["proof/unbound"] == codes(bare)
    assert ["proof/unbound"] == codes(changed(bare, rolls=one_sided))
    assert ["proof/key"] == codes(changed(proof, entropy=ptd1.beacon(1, SECRET).texts()))
    assert ["proof/key"] == codes(changed(proof, K=flip_hex(source.key_of().hex(), 0)))


def test_a_wrong_key_is_refused_beside_true_rolls() -> None:
    """K is checked wherever it stands."""
    assert ["proof/key"] == codes(changed(full_proof(), K="00" * 32))


def test_a_changed_value_is_told_with_what_falls_instead() -> None:
    """Both numbers, so that the reader can judge."""
    proof = plain_proof()
    true = proof["rolls"][2]["value"]
    detail = {"label": "combat/bur", "i": 1, "n": PRIMES[1], "value": 5, "computed": true}
    expected = [Problem("proof/roll", "rolls[2].value", detail)]
    assert expected == verify_proof(changed_roll(proof, 2, value=5))


def test_a_roll_that_stands_twice_is_refused() -> None:
    """One die can't pass for two."""
    proof = plain_proof()
    twice = changed(proof, rolls=[*proof["rolls"], proof["rolls"][0]])
    assert [Problem("proof/twice", "rolls[16]", {"label": "combat/bur", "i": 0, "first": "rolls[0]"})] == (
        verify_proof(twice)
    )


def test_a_value_beyond_its_sides_is_refused() -> None:
    """A six-sided die never shows 7."""
    proof = changed(plain_proof(), rolls=[{"label": "combat/bur", "i": 0, "n": 6, "value": 7}])
    assert ["proof/value-range"] == codes(proof)


def test_a_missing_die_is_a_doubt_and_no_refusal() -> None:
    """The test vectors hold die 3 of a label alone; the 15 lines accept that, so do we, and say it."""
    proof = plain_proof()
    kept = changed(proof, rolls=[roll for roll in proof["rolls"] if roll["i"] != 2])
    assert [] == verify_proof(kept)
    assert [
        Problem("proof/gap", "rolls", {"label": "combat/bur", "i": 2}),
        Problem("proof/gap", "rolls", {"label": "search/ñandú", "i": 2}),
    ] == doubts_about(kept)


def test_keys_that_nobody_checks_are_doubts() -> None:
    """An unknown key may belong to a later version, but nobody should believe that it was checked."""
    proof = changed_roll(changed(plain_proof(), verified=True), 1, wert=6)
    assert [] == verify_proof(proof)
    assert [("proof/unchecked-key", "verified"), ("proof/unchecked-key", "rolls[1].wert")] == [
        (doubt.code, doubt.where) for doubt in doubts_about(proof)
    ]
    assert [] == doubts_about({"game": 7})


@pytest.mark.parametrize(
    ("values", "code", "where"),
    [
        ({"game": 7}, "proof/wrong-type", "game"),
        ({"game": ""}, "proof/empty", "game"),
        ({"game": "cafe\u0301"}, "proof/not-nfc", "game"),
        ({"game": "a\ud800"}, "proof/not-unicode", "game"),
        ({"turn": True}, "proof/wrong-type", "turn"),
        ({"turn": "3"}, "proof/wrong-type", "turn"),
        ({"turn": 3.0}, "proof/wrong-type", "turn"),
        ({"turn": -3}, "proof/out-of-range", "turn"),
        ({"turn": 10**50}, "proof/out-of-range", "turn"),
        ({"seed": SEED.hex().upper()}, "proof/not-digits", "seed"),
        ({"seed": SEED.hex() + "\n"}, "proof/not-digits", "seed"),
        ({"seed": " ".join(SEED.hex())}, "proof/not-digits", "seed"),
        ({"seed": SEED.hex()[2:]}, "proof/not-digits", "seed"),
        ({"seed": None}, "proof/wrong-type", "seed"),
        ({"commitment": ""}, "proof/not-digits", "commitment"),
        ({"K": None}, "proof/wrong-type", "K"),
        ({"K": "00"}, "proof/not-digits", "K"),
        ({"entropy": "seed"}, "proof/wrong-type", "entropy"),
        ({"entropy": ["seed", 0]}, "proof/entropy", "entropy"),
        ({"entropy": ["seed"]}, "proof/entropy", "entropy"),
        ({"rolls": {}}, "proof/wrong-type", "rolls"),
        ({"rolls": [7]}, "proof/wrong-type", "rolls[0]"),
        ({"groups": "x"}, "proof/not-digits", "groups"),
        ({"lock": 1}, "proof/wrong-type", "lock"),
        ({"rules": ""}, "proof/empty", "rules"),
        ({"overrides": "x"}, "proof/wrong-type", "overrides"),
        ({"overrides": [None]}, "proof/wrong-type", "overrides[0]"),
    ],
)
def test_values_of_the_wrong_shape_are_refused_with_their_place(values: Data, code: str, where: str) -> None:
    """Each value has one type and one spelling."""
    assert [(code, where)] == [
        (problem.code, problem.where) for problem in verify_proof(changed(full_proof(), **values))
    ]


@pytest.mark.parametrize(
    ("values", "code", "where"),
    [
        ({"label": ""}, "proof/empty", "rolls[1].label"),
        ({"label": None}, "proof/wrong-type", "rolls[1].label"),
        ({"label": "search/n\u0303andú"}, "proof/not-nfc", "rolls[1].label"),
        ({"i": "0"}, "proof/wrong-type", "rolls[1].i"),
        ({"i": False}, "proof/wrong-type", "rolls[1].i"),
        ({"i": -1}, "proof/out-of-range", "rolls[1].i"),
        ({"n": 0}, "proof/out-of-range", "rolls[1].n"),
        ({"n": 2**64 + 1}, "proof/out-of-range", "rolls[1].n"),
        ({"n": 6.0}, "proof/wrong-type", "rolls[1].n"),
        ({"value": 0}, "proof/out-of-range", "rolls[1].value"),
        ({"value": [1]}, "proof/wrong-type", "rolls[1].value"),
        ({"purpose": 1}, "proof/wrong-type", "rolls[1].purpose"),
        ({"purpose": "cafe\u0301"}, "proof/not-nfc", "rolls[1].purpose"),
    ],
)
def test_rolls_of_the_wrong_shape_are_refused_with_their_place(values: Data, code: str, where: str) -> None:
    """Each value of a roll has one type and one spelling; an empty purpose is allowed."""
    found = verify_proof(changed_roll(full_proof(), 1, **values))
    assert [(code, where)] == [(problem.code, problem.where) for problem in found]
    assert [] == verify_proof(changed_roll(full_proof(), 1, purpose=""))


@pytest.mark.parametrize("key", ["game", "turn", "seed", "commitment", "entropy", "rolls"])
def test_a_missing_key_is_named(key: str) -> None:
    """The six of the format."""
    proof = full_proof()
    del proof[key]
    assert [Problem("proof/missing-key", key)] == verify_proof(proof)


@pytest.mark.parametrize("key", ["label", "i", "n", "value"])
def test_a_missing_key_of_a_roll_is_named(key: str) -> None:
    """The four of a roll."""
    proof = full_proof()
    del proof["rolls"][4][key]
    assert [Problem("proof/missing-key", f"rolls[4].{key}")] == verify_proof(proof)


def test_all_that_is_wrong_with_the_shape_is_told_at_once() -> None:
    """Nobody should have to mend a file one error at a time."""
    proof = changed_roll(changed(plain_proof(), turn="3", seed="x"), 5, n=0)
    assert ["proof/wrong-type", "proof/not-digits", "proof/out-of-range"] == codes(proof)
    assert ["proof/wrong-type"] == codes([])


def test_overrides_stand_beside_the_true_values() -> None:
    """What the rules saw is listed with whose word it was; the roll keeps what truly fell."""
    proof = full_proof()
    fell = ptd1.roll(make_source().key_of(), "search/ñandú", 0, PRIMES[0])
    assert [{"label": "search/ñandú", "i": 0, "value": 9, "by": "director"}] == proof["overrides"]
    assert [fell] == [
        roll["value"] for roll in proof["rolls"] if (roll["label"], roll["i"]) == ("search/ñandú", 0)
    ]


@pytest.mark.parametrize(
    ("values", "code"),
    [
        ({"label": "search/fleet"}, "proof/override-without-roll"),
        ({"i": 99}, "proof/override-without-roll"),
        ({"value": PRIMES[0] + 1}, "proof/value-range"),
        ({"value": 0}, "proof/out-of-range"),
        ({"by": ""}, "proof/empty"),
    ],
)
def test_overrides_must_belong_to_a_roll_and_show_one_of_its_faces(values: Data, code: str) -> None:
    """A replaced die without a true value beside it would hide what fell."""
    proof = full_proof()
    proof["overrides"][0].update(values)
    assert [code] == codes(proof)


def test_a_die_is_replaced_once() -> None:
    """Two values for one die contradict each other."""
    proof = full_proof()
    proof["overrides"] *= 2
    assert ["proof/twice"] == codes(proof)


def test_the_public_proof_tells_nothing_of_other_groups() -> None:
    """Neither their rolls nor their number: byte-equal with and without hidden dice."""
    files = []
    for hidden in (0, 3):
        dice = Dice(make_source())
        dice.pool(hidden, 6, "spy", "tau", audience_group="tau", purpose="espionaje")
        dice.roll(6, "combat", "bur", purpose="combate")
        files.append(render_proof(build_proof(make_source(), dice.rolls)))
    assert files[0] == files[1]


def test_a_groups_proof_is_an_ordinary_one() -> None:
    """Its seed, its game id, its rolls; both verifiers accept it, and it holds no public roll."""
    dice = Dice(make_source())
    dice.roll(6, "combat", "bur", purpose="combate")
    dice.pool(9, 2**40, "spy", "tau", audience_group="tau", purpose="espionaje")
    proof = build_proof(make_source(), dice.rolls, group="tau")
    assert ("veth/@tau", {"spy/tau"}) == (proof["game"], {roll["label"] for roll in proof["rolls"]})  # type: ignore[attr-defined]
    assert SEED.hex() not in render_proof(proof)
    assert SECRET.hex() not in render_proof(proof)
    assert [] == verify_proof(proof)
    assert accepts15(proof)


def test_a_proof_is_written_in_one_way_and_comes_back() -> None:
    """ASCII, a key a line and a roll a line; the director's 3 is listed though 3 fell by itself."""
    source = Ptd1Source("alpha", 12, SEED)
    dice = Dice(source, {"search/ñandú": (3,)})
    dice.roll(6, "combat", "bur", purpose="combate")
    dice.roll(20, "search", "ñandú", purpose="búsqueda")
    text = render_proof(build_proof(source, dice.rolls, rules="conquista-1"))
    key = "3b05333b3a6ba69eaff30dbb8cbeab0f60162811dbadfc1b184e8557a15b769f"
    expected = f"""{{
  "game": "alpha",
  "turn": 12,
  "seed": "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
  "commitment": "7141fa4695ad2b9307d1372dd1409588f63780fd15c02390c211333924d8d71d",
  "entropy": ["seed", ""],
  "K": "{key}",
  "rules": "conquista-1",
  "rolls": [
    {{"label": "combat/bur", "i": 0, "n": 6, "value": 1, "purpose": "combate"}},
    {{"label": "search/\\u00f1and\\u00fa", "i": 0, "n": 20, "value": 3, "purpose": "b\\u00fasqueda"}}
  ],
  "overrides": [
    {{"label": "search/\\u00f1and\\u00fa", "i": 0, "value": 3, "by": "director"}}
  ]
}}
"""
    assert expected == text
    assert (json.loads(text), []) == parse_proof(text.encode())


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        (b"", Problem("proof/not-json", "", {"line": 1, "column": 1})),
        (b'{\n "game": }', Problem("proof/not-json", "", {"line": 2, "column": 10})),
        (b"{} {}", Problem("proof/not-json", "", {"line": 1, "column": 4})),
        (b'{"game": "a", "game": "b"}', Problem("proof/duplicate-key", "game")),
        (b'{"rolls": [{"i": 0, "i": 1}]}', Problem("proof/duplicate-key", "i")),
        (b'{"turn": NaN}', Problem("proof/not-a-number", "", {"found": "NaN"})),
        (b'{"turn": -Infinity}', Problem("proof/not-a-number", "", {"found": "-Infinity"})),
        (b'{"turn": -0}', Problem("proof/not-a-number", "", {"found": "-0"})),
        (b'{"turn": ' + b"9" * 5000 + b"}", Problem("proof/not-a-number", "", {"found": "9" * 40})),
        (b'{"game": "\xff"}', Problem("proof/not-utf8", "", {"byte": 11})),
        (b"[" * 100_000, Problem("proof/too-deep", "")),
        (b" " * (32 * 1024 * 1024 + 1), Problem("proof/too-big", "", {"most": 32})),
    ],
    ids=lambda one: one.code if isinstance(one, Problem) else "",
)
def test_files_that_readers_could_disagree_about_are_refused(source: bytes, problem: Problem) -> None:
    """Broken JSON with its place; double keys, numbers that are none, bombs."""
    assert (None, [problem]) == parse_proof(source)


def test_a_byte_order_mark_is_skipped() -> None:
    """Editors on Windows put one in front."""
    text = render_proof(full_proof())
    assert parse_proof(text.encode()) == parse_proof(text.encode("utf-8-sig"))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)
PLACES = ("game", "turn", "seed", "commitment", "entropy", "rolls", "K", "groups", "lock", "overrides", "x")


@given(st.sampled_from(PLACES), json_values)
def test_whatever_stands_in_a_proof_is_judged_and_never_raises(place: str, value: object) -> None:
    """Any value at any place gives problems that can be told in both languages, and no exception."""
    proof = changed(full_proof(), **{place: value})
    for language in ("es", "en"):
        lines = render_problems(verify_proof(proof), language) + render_doubts(doubts_about(proof), language)
        assert all(line.isprintable() for line in lines)


def test_problems_are_told_in_spanish_with_their_place() -> None:
    """What a player reads who checks a changed file."""
    proof = changed(plain_proof(), rolls=[{"label": "combat/bur", "i": 0, "n": 6, "value": 7}], turn="3")
    assert ["✘ `turn`: aquí va un número entero y hay un texto."] == render_problems(verify_proof(proof))
    assert ["✘ `rolls[0].value`: `combat/bur`, dado 0: 7 no puede salir en un dado de 6 caras."] == (
        render_problems(verify_proof({**proof, "turn": 3}))
    )
    assert ["✘ el archivo: no es JSON válido: línea 1, columna 1. Descárgalo otra vez sin cambiarlo."] == (
        render_problems(parse_proof(b"")[1])
    )


def test_many_problems_of_a_kind_are_counted() -> None:
    """One wrong seed makes every die wrong."""
    proof = changed(plain_proof(), seed="11" * 32)
    lines = render_problems(verify_proof(proof), "en")
    assert 1 + 5 + 1 == len(lines)
    assert "✘ … and 11 more like these." == lines[-1]


def test_control_characters_of_a_file_are_shown_and_never_sent_to_the_terminal() -> None:
    """A label that would clear the screen or turn the text around."""
    proof = changed_roll(plain_proof(), 0, label="a\x1b[2J\u202e")
    lines = render_problems(verify_proof(proof))
    assert all(line.isprintable() for line in lines)
    assert "`a\\u001b[2J\\u202e`" in lines[0]


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (
            full_proof(),
            [
                "✔ Turno 3 de `veth`: todos los dados de la prueba (16) salen de la semilla.",
                "Compara el compromiso con el que se publicó al abrir el turno: "
                + ptd1.commitment("veth", 3, SEED),
                "Dados cambiados por el director, con el valor verdadero al lado: 1",
            ],
        ),
        (
            build_proof(make_source(ptd1.beacon(7, SECRET)), []),
            [
                "✔ Turno 3 de `veth`: la prueba no tiene dados; la semilla y la clave cuadran.",
                "Compara el compromiso con el que se publicó al abrir el turno: "
                + ptd1.commitment("veth", 3, SEED),
                f"Compara el valor de quicknet:7 con el de drand: {SECRET.hex()}",
            ],
        ),
    ],
    ids=["seed", "beacon"],
)
def test_the_verdict_says_what_was_checked_and_what_to_compare(data: Data, lines: list[str]) -> None:
    """No more is claimed than was proven."""
    proof, _ = read_proof(data)
    assert proof is not None
    assert lines == render_verdict(proof)
