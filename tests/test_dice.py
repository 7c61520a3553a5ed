"""Dice as rule code sees them: addresses, groups, draws, scripts and the director's replacements."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.engine import ptd1
from rules.engine.dice import Dice, DiceScriptError, Ptd1Source, Roll, ScriptedSource

SEED = bytes(range(32))
SECRET = bytes(range(100, 132))
DECK = ("as-de-copas", "dos-de-copas", "sota-de-oros", "rey-de-bastos")

labels = st.sampled_from([f"invasion/CM-{n}" for n in range(6)] + ["weather", "search/ñandú"])
asked = st.lists(st.tuples(labels, st.sampled_from([2, 6, 20, 2**40])), max_size=30)


def source(turn: int = 12, entropy: ptd1.Entropy = ptd1.SEED) -> Ptd1Source:
    """The dice of one turn of the game alpha, with a secret for its groups."""
    return Ptd1Source("alpha", turn, SEED, entropy=entropy, secret=SECRET)


class Constant:
    """A source that knows only rolls and always gives the same value."""

    def __init__(self, value: int) -> None:
        self.value = value

    def roll(self, group: str, label: str, index: int, sides: int) -> int:
        """Give the value."""
        return self.value


def throw(requests: list[tuple[str, int]]) -> dict[str, list[tuple[int, int]]]:
    """The dice of each label as (sides, value), thrown in that order."""
    dice = Dice(source())
    for label, sides in requests:
        dice.roll(sides, *label.split("/"), purpose="test")
    seen: dict[str, list[tuple[int, int]]] = {}
    for roll in dice.rolls:
        seen.setdefault(roll.label, []).append((roll.sides, roll.value))
    return seen


def test_dice_of_an_address_are_those_of_the_vectors() -> None:
    """The facade numbers dice from 0: ten d6 of combat/bur as in reliability.md 1.6."""
    assert (1, 6, 2, 2, 2, 2, 6, 2, 3, 6) == Dice(source()).pool(10, 6, "combat", "bur", purpose="combate")


def test_a_repeated_act_continues_at_the_next_die() -> None:
    """One die, then nine of the same address, are the ten of the pool."""
    dice = Dice(source())
    first = dice.roll(6, "combat", "bur", purpose="combate")
    rest = dice.pool(9, 6, "combat", "bur", purpose="combate")
    assert (1, 6, 2, 2, 2, 2, 6, 2, 3, 6) == (first, *rest)
    assert list(range(10)) == [roll.index for roll in dice.rolls]


@given(asked, asked, st.randoms(use_true_random=False))
def test_no_label_depends_on_another(
    own: list[tuple[str, int]], more: list[tuple[str, int]], mix: Random
) -> None:
    """Property (a): other labels added, removed or thrown in between leave a label's dice as they are."""
    alone = throw([(label, sides) for label, sides in own if label == "weather"])
    others = [(label, sides) for label, sides in more if label != "weather"]
    mixed = [("weather", sides) for label, sides in own if label == "weather"]
    for request in others:
        mixed.insert(mix.randrange(len(mixed) + 1), request)
    assert alone.get("weather") == throw(mixed).get("weather")


@given(st.permutations([(label, 6) for label in ("a", "b", "c/d", "c/e", "f") for _ in range(2)]))
def test_the_sequence_of_labels_changes_no_die(requests: list[tuple[str, int]]) -> None:
    """Property (a), reordering: every label has the same dice in every sequence."""
    assert throw(sorted(requests)) == throw(requests)


def test_turns_games_modes_and_groups_have_dice_of_their_own() -> None:
    """The same address in another turn, game, mode or group is another die."""
    sources = [
        (source(), ""),
        (source(13), ""),
        (Ptd1Source("alpha/duelo", 12, SEED, secret=SECRET), ""),
        (source(entropy=ptd1.beacon(7, SECRET)), ""),
        (source(), "tau"),
        (source(), "eldar"),
    ]
    assert len(sources) == len({one.roll(group, "a", 0, 2**64) for one, group in sources})


def test_the_dice_of_a_group_follow_from_the_games_secret() -> None:
    """Design.md 6: S_g, with `slug/@g` for the game in every formula."""
    seed = ptd1.group_seed(SECRET, "alpha", 12, "tau")
    key = ptd1.turn_key("alpha/@tau", 12, seed, ptd1.SEED)
    dice = Dice(source())
    assert ptd1.roll(key, "spy/tau", 0, 2**40) == dice.roll(
        2**40, "spy", "tau", audience_group="tau", purpose="espionaje"
    )
    assert seed == source().seed_of("tau")
    assert {"": ptd1.commitment("alpha", 12, SEED), "tau": ptd1.commitment("alpha/@tau", 12, seed)} == (
        source().commitments(["", "tau"])
    )


def test_group_dice_without_the_games_secret_are_refused() -> None:
    """They could not be proven."""
    with pytest.raises(ValueError, match="secret"):
        Ptd1Source("alpha", 12, SEED).roll("tau", "a", 0, 6)


def test_a_label_belongs_to_one_group() -> None:
    """The same address for the public and for a faction is an error of rule code."""
    dice = Dice(source())
    dice.roll(6, "spy", "tau", audience_group="tau", purpose="espionaje")
    with pytest.raises(ValueError, match="belong to group 'tau'"):
        dice.roll(6, "spy", "tau", purpose="espionaje")


@pytest.mark.parametrize("parts", [(), ("",), ("a", ""), ("a/b",), ("cafe\u0301",), ("a", -1)])
def test_bad_address_parts_are_errors_of_rule_code(parts: tuple[str | int, ...]) -> None:
    """Parts are names in NFC, without "/", or whole numbers."""
    with pytest.raises(ValueError, match="address"):
        Dice(source()).roll(6, *parts, purpose="test")


@pytest.mark.parametrize("group", ["a/b", "cafe\u0301"])
def test_bad_group_names_are_errors_of_rule_code(group: str) -> None:
    """A group stands in a dice game id, so it obeys the same rules."""
    with pytest.raises(ValueError, match="address"):
        Dice(source()).roll(6, "a", audience_group=group, purpose="test")


def test_numbers_in_addresses_are_their_decimals() -> None:
    """`roll(2^64, "round", 3, id)` of design.md 8."""
    dice = Dice(source())
    dice.roll(2**64, "round", 3, "E1", purpose="orden de la ronda")
    assert ["round/3/E1"] == [roll.label for roll in dice.rolls]


@given(st.permutations(DECK))
def test_the_listing_of_ids_never_matters_to_a_draw(listed: list[str]) -> None:
    """Every permutation of the same ids draws the same one."""
    assert Dice(source()).draw(DECK, "deck", purpose="carta") == Dice(source()).draw(
        listed, "deck", purpose="carta"
    )


def test_a_draw_is_recorded_as_a_roll_over_the_number_of_ids() -> None:
    """Its value is the position in the sorted ids, so that the proof can hold it."""
    dice = Dice(source())
    chosen = dice.draw(DECK, "deck", purpose="carta")
    value = ptd1.roll(source().key_of(), "deck", 0, 4)
    assert sorted(DECK)[value - 1] == chosen
    assert [Roll("deck", 0, 4, value, value, "carta", "", chosen, chosen)] == dice.rolls


@pytest.mark.parametrize(("ids", "words"), [((), "nothing"), (("a", "b", "a"), "twice")])
def test_draws_from_nothing_or_from_doubles_are_refused(ids: tuple[str, ...], words: str) -> None:
    """Both are errors of rule code."""
    with pytest.raises(ValueError, match=words):
        Dice(source()).draw(ids, "deck", purpose="carta")


def test_scripted_values_come_first_and_the_rest_from_the_inner_source() -> None:
    """Values by plain address, from die 0 on; a draw by id."""
    script = ScriptedSource({"combat/bur": [4, 5], "deck": ["sota-de-oros"]}, source())
    dice = Dice(script)
    assert (4, 5, 2) == dice.pool(3, 6, "combat", "bur", purpose="combate")
    assert "sota-de-oros" == dice.draw(DECK, "deck", purpose="carta")
    assert Dice(source()).roll(6, "weather", purpose="tiempo") == dice.roll(6, "weather", purpose="tiempo")
    assert {} == script.unused()
    assert not any(roll.overridden for roll in dice.rolls)


def test_draws_that_are_not_scripted_come_from_the_inner_source() -> None:
    """Scripts may wrap scripts, and any source that knows rolls."""
    inner = ScriptedSource({"deck": ["sota-de-oros"]}, Constant(1))
    dice = Dice(ScriptedSource({}, inner))
    assert "sota-de-oros" == dice.draw(DECK, "deck", purpose="carta")
    assert "as-de-copas" == dice.draw(DECK, "deck", purpose="carta")


def test_scripted_values_that_no_die_asked_for_are_listed() -> None:
    """An address never thrown, and the surplus of one that was."""
    script = ScriptedSource({"combat/bur": [4, 5, 6], "combat/par": [1]}, source())
    Dice(script).roll(6, "combat", "bur", purpose="combate")
    assert {"combat/bur": (5, 6), "combat/par": (1,)} == script.unused()


@pytest.mark.parametrize("value", [0, 7, -1, "6", True])
def test_a_scripted_value_that_the_die_cannot_show_is_an_error_with_the_address(value: int | str) -> None:
    """Numbers from 1 to the number of sides, nothing else."""
    dice = Dice(ScriptedSource({"combat/bur": [3, value]}, source()))
    with pytest.raises(DiceScriptError, match="die 1 of 'combat/bur'") as caught:
        dice.pool(2, 6, "combat", "bur", purpose="combate")
    assert ("combat/bur", 1, value, 6, ()) == (
        caught.value.address,
        caught.value.index,
        caught.value.value,
        caught.value.sides,
        caught.value.ids,
    )


@pytest.mark.parametrize("value", ["rey-de-copas", 1])
def test_a_scripted_draw_of_an_unknown_id_is_an_error_with_the_ids(value: int | str) -> None:
    """Choices are scripted by id, never by position."""
    dice = Dice(ScriptedSource({"deck": [value]}, source()))
    with pytest.raises(DiceScriptError, match="rey-de-bastos") as caught:
        dice.draw(DECK, "deck", purpose="carta")
    assert tuple(sorted(DECK)) == caught.value.ids


def test_a_replaced_die_keeps_its_true_value_beside_it() -> None:
    """The director's value is what the rules see; dice after it fall as they would have."""
    dice = Dice(source(), {"combat/bur": (5,)})
    assert (5, 6, 2) == dice.pool(3, 6, "combat", "bur", purpose="combate")
    assert [(5, 1), (6, 6), (2, 2)] == [(roll.value, roll.true_value) for roll in dice.rolls]
    assert [True, False, False] == [roll.overridden for roll in dice.rolls]
    assert {} == dice.unmatched()


def test_a_replaced_draw_keeps_what_was_truly_drawn() -> None:
    """Replacements of draws are ids too."""
    true = Dice(source()).draw(DECK, "deck", purpose="carta")
    other = next(one for one in DECK if one != true)
    dice = Dice(source(), {"deck": (other,)})
    assert other == dice.draw(DECK, "deck", purpose="carta")
    assert [(other, true)] == [(roll.chosen, roll.true_chosen) for roll in dice.rolls]


def test_replacements_out_of_range_are_errors_with_the_address() -> None:
    """A six-sided die can't show 7, and a draw can't give what isn't there."""
    with pytest.raises(DiceScriptError, match="die 0 of 'combat/bur'"):
        Dice(source(), {"combat/bur": (7,)}).roll(6, "combat", "bur", purpose="combate")
    with pytest.raises(DiceScriptError, match="die 0 of 'deck'"):
        Dice(source(), {"deck": ("rey-de-copas",)}).draw(DECK, "deck", purpose="carta")


def test_replacements_that_matched_nothing_are_listed_with_near_addresses() -> None:
    """The turn is held with them, so that the director sees the slip."""
    dice = Dice(source(), {"combat/burg": (6,), "combat/bur": (6, 6)})
    dice.roll(6, "combat", "bur", purpose="combate")
    dice.roll(6, "weather", purpose="tiempo")
    assert {"combat/burg": (6,), "combat/bur": (6,)} == dice.unmatched()
    assert ("combat/bur",) == dice.nearest("combat/burg")


def test_an_empty_pool_throws_nothing_and_a_negative_one_is_refused() -> None:
    """No die, no index taken."""
    dice = Dice(source())
    assert () == dice.pool(0, 6, "a", purpose="test")
    assert [] == dice.rolls
    with pytest.raises(ValueError, match="0 or more"):
        dice.pool(-1, 6, "a", purpose="test")


@pytest.mark.parametrize("sides", [0, -6, 2**64 + 1])
def test_impossible_dice_are_refused_with_scripts_too(sides: int) -> None:
    """A script must not hide what play would refuse."""
    with pytest.raises(ValueError, match="sides"):
        Dice(ScriptedSource({"a": [1]}, source())).roll(sides, "a", purpose="test")


def test_no_seed_shows_where_a_source_is_printed() -> None:
    """A seed in a log before its publication is a leak (reliability.md, F33)."""
    shown = repr(source()) + str(source())
    assert SEED.hex() not in shown
    assert repr(SEED) not in shown
    assert repr(SECRET) not in shown


# weighted draws


ODDS = {"manufactorum": 2, "colmena": 1, "nada": 7, "tesoro": 0}


@given(st.integers(0, 10_000), st.permutations(sorted(ODDS)))
def test_a_weighted_draw_is_one_roll_over_the_sum(turn: int, listed: list[str]) -> None:
    """The sorted ids take as many values each as they weigh; how they are listed changes nothing."""
    dice = Dice(source(turn))
    chosen = dice.draw_weighted({one: ODDS[one] for one in listed}, "exploration", "CM-5", purpose="test")
    value = ptd1.roll(source(turn).key_of(), "exploration/CM-5", 0, 10)
    expected = "colmena" if value == 1 else "manufactorum" if value <= 3 else "nada"
    (roll,) = dice.rolls

    assert expected == chosen
    assert (10, value, value, chosen, chosen) == (
        roll.sides,
        roll.value,
        roll.true_value,
        roll.chosen,
        roll.true_chosen,
    )


def test_a_weighted_draw_is_written_by_hand_as_an_id() -> None:
    """In a scenario and in a correction; the value shown is the id's first."""
    scripted = Dice(ScriptedSource({"exploration/CM-5": ["manufactorum"]}, source()))
    corrected = Dice(Constant(1), {"exploration/CM-5": ["nada"]})

    assert "manufactorum" == scripted.draw_weighted(ODDS, "exploration", "CM-5", purpose="test")
    assert "nada" == corrected.draw_weighted(ODDS, "exploration", "CM-5", purpose="test")
    assert [2, 4] == [scripted.rolls[0].value, corrected.rolls[0].value]
    assert ("colmena", True) == (corrected.rolls[0].true_chosen, corrected.rolls[0].replaced)


@pytest.mark.parametrize("wrong", ["tesoro", "oro", 3])
def test_what_a_weighted_draw_cant_give_is_told_with_what_it_can(wrong: str | int) -> None:
    """An id of weight 0, an unknown one or a number: the answer lists each id once."""
    dice = Dice(ScriptedSource({"exploration/CM-5": [wrong]}, source()))
    with pytest.raises(DiceScriptError) as caught:
        dice.draw_weighted(ODDS, "exploration", "CM-5", purpose="test")
    assert ("colmena", "manufactorum", "nada") == caught.value.ids


@pytest.mark.parametrize("weights", [{}, {"a": 0}, {"a": 2, "b": -1}])
def test_weights_that_give_nothing_are_an_error_of_rule_code(weights: dict[str, int]) -> None:
    """No weight above 0, or one below."""
    with pytest.raises(ValueError, match=r"weight|draw"):
        Dice(source()).draw_weighted(weights, "x", purpose="test")
