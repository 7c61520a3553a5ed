"""Override files: every kind of correction, answer and schedule change, and what is wrong with bad ones."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobs.catalogues import load_catalogue
from parsers.files.errors import FileErrors
from parsers.files.override import (
    AcceptPost,
    Add,
    Cancel,
    Extend,
    IgnorePost,
    OrderRef,
    Override,
    Pause,
    Replace,
    Resume,
    Ruling,
    SetDeadline,
    SetDie,
    SetValue,
    UseBeacon,
    Void,
    load_overrides,
    parse_overrides,
)
from parsers.files.override_tables import KINDS, LARGEST_DIE
from rules.play.attempts import Orders

WHY = 'reason = "Avisó"\n'


def one_of(entry: str) -> Override:
    """The one correction of a file with this entry."""
    (override,) = load_overrides(f"[[override]]\n{entry}{WHY}", "turn-003.toml")
    return override


def problems_of(text: str) -> list[tuple[int | None, str, str]]:
    """Line, key and code of all that is wrong with an override file."""
    with pytest.raises(FileErrors) as raised:
        load_overrides(text, "turn-003.toml")
    return [(one.line, one.key, one.code) for one in raised.value.problems]


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        (
            'replace = "Imperio#2"\nwith = "producir"\nwas = "esperar"\nforce = true\nsecret = true\n',
            Replace("Avisó", True, 1, 1, OrderRef("Imperio", 2), "producir", "esperar", True),
        ),
        (
            'replace = "Casa Norte#12"\nwith = "producir"\n',
            Replace("Avisó", False, 1, 1, OrderRef("Casa Norte", 12), "producir"),
        ),
        ('cancel = "Tau#1"\n', Cancel("Avisó", False, 1, 1, OrderRef("Tau", 1))),
        (
            'cancel = "Tau#1"\nwas = "producir"\n',
            Cancel("Avisó", False, 1, 1, OrderRef("Tau", 1), "producir"),
        ),
        ('add = "director"\norder = "crear reloj"\n', Add("Avisó", False, 1, 1, "director", "crear reloj")),
        ('ignore_post = "41"\n', IgnorePost("Avisó", False, 1, 1, "41")),
        ("accept_post = 41\n", AcceptPost("Avisó", False, 1, 1, "41")),
        (
            'set = "factions/Imperio/supplies"\nvalue = 4\n',
            SetValue("Avisó", False, 1, 1, ("factions", "Imperio", "supplies"), 4),
        ),
        ('set = "a"\nvalue = { b = [] }\n', SetValue("Avisó", False, 1, 1, ("a",), {"b": []})),
        ('die = "invasion/CM-40/E1"\nvalue = 6\n', SetDie("Avisó", False, 1, 1, "invasion/CM-40/E1", (6,))),
        ('die = "a/b"\nvalue = [1, "reloj"]\n', SetDie("Avisó", False, 1, 1, "a/b", (1, "reloj"))),
        (
            f'die = "round/1"\nvalue = {LARGEST_DIE}\n',
            SetDie("Avisó", False, 1, 1, "round/1", (LARGEST_DIE,)),
        ),
        (
            'ruling = "reloj/deshielo"\nanswer = "llueve"\n',
            Ruling("Avisó", False, 1, 1, "reloj/deshielo", "llueve"),
        ),
        ('ruling = "a"\nanswer = 3\nif_asked = true\n', Ruling("Avisó", False, 1, 1, "a", "3", True)),
        (
            "deadline = 2026-12-06T22:00:00Z\n",
            SetDeadline("Avisó", False, 1, 1, datetime(2026, 12, 6, 22, tzinfo=UTC)),
        ),
        ('extend = "24h"\n', Extend("Avisó", False, 1, 1, 24, "h")),
        ('extend = "2d"\n', Extend("Avisó", False, 1, 1, 2, "d")),
        ("pause = true\n", Pause("Avisó", False, 1, 1)),
        ("resume = true\n", Resume("Avisó", False, 1, 1)),
        ('void = 1\norders = "keep"\n', Void("Avisó", False, 1, 1, 1, Orders.KEEP)),
        ('beacon = "seed"\n', UseBeacon("Avisó", False, 1, 1, "seed")),
    ],
)
def test_each_kind_of_entry(entry: str, expected: Override) -> None:
    """Corrections, answers and schedule changes come out as values of their own types."""
    assert expected == one_of(entry)


def test_every_kind_that_the_format_knows_is_tried_above() -> None:
    """The keys of design.md 4, and what 8 says of the beacon's value; no more and no fewer."""
    assert {
        *("replace", "cancel", "add", "ignore_post", "accept_post", "set", "die"),
        *("ruling", "deadline", "extend", "pause", "resume", "void", "beacon"),
    } == set(KINDS)


def test_a_local_deadline_keeps_its_lack_of_a_zone() -> None:
    """It is in the game's zone, which the file doesn't know."""
    override = one_of("deadline = 2026-12-06T22:00:00\n")

    assert isinstance(override, SetDeadline)
    assert ("2026-12-06T22:00:00", None) == (override.at.isoformat(), override.at.tzinfo)


def test_entries_keep_file_order_line_and_place() -> None:
    """They are applied in file order; messages name the entry's line."""
    text = f'[[override]]\ncancel = "Tau#2"\n{WHY}\n[[override]]\ncancel = "Tau#1"\n{WHY}'

    assert [(1, 1, 2), (5, 2, 1)] == [
        (one.line, one.place, one.order.number)
        for one in load_overrides(text, "turn-003.toml")
        if isinstance(one, Cancel)
    ]


def test_an_empty_file_corrects_nothing() -> None:
    """A file with comments only is right."""
    assert () == load_overrides("# nada todavía\n", "turn-003.toml")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('[[override]]\ncancel = "Tau#1"\n', [(1, "override#1.reason", "file/missing-key")]),
        ('[[override]]\ncancel = "Tau#1"\nreason = " "\n', [(3, "override#1.reason", "file/value")]),
        ('[[override]]\ncancel = "Tau#1"\nreasn = "x"\n', [(3, "override#1.reasn", "file/unknown-key")]),
        (f'[[override]]\ncancel = "Tau"\n{WHY}', [(2, "override#1.cancel", "file/value")]),
        (f'[[override]]\ncancel = "Tau#0"\n{WHY}', [(2, "override#1.cancel", "file/value")]),
        (f'[[override]]\ncancel = "#1"\n{WHY}', [(2, "override#1.cancel", "file/value")]),
        (f"[[override]]\ncancel = 1\n{WHY}", [(2, "override#1.cancel", "file/type")]),
        (
            f'[[override]]\ncancel = "Tau#1"\nforce = true\n{WHY}',
            [(3, "override#1.force", "file/misplaced-key")],
        ),
        (f'[[override]]\nreplace = "Tau#1"\n{WHY}', [(1, "override#1.with", "file/missing-key")]),
        (f'[[override]]\nadd = "Tau"\n{WHY}', [(1, "override#1.order", "file/missing-key")]),
        (f'[[override]]\nset = "a//b"\nvalue = 1\n{WHY}', [(2, "override#1.set", "file/value")]),
        (f'[[override]]\nset = "a"\n{WHY}', [(1, "override#1.value", "file/missing-key")]),
        (f'[[override]]\ndie = "a"\nvalue = 0\n{WHY}', [(3, "override#1.value", "file/value")]),
        (f'[[override]]\ndie = "a"\nvalue = {2**64 + 1}\n{WHY}', [(3, "override#1.value", "file/value")]),
        (f'[[override]]\ndie = "a"\nvalue = [2, true]\n{WHY}', [(3, "override#1.value", "file/value")]),
        (f'[[override]]\ndie = "/a"\nvalue = 1\n{WHY}', [(2, "override#1.die", "file/value")]),
        (f'[[override]]\nruling = "a"\nanswer = true\n{WHY}', [(3, "override#1.answer", "file/type")]),
        (f'[[override]]\ndeadline = "mañana"\n{WHY}', [(2, "override#1.deadline", "file/type")]),
        (f"[[override]]\ndeadline = 2026-12-06\n{WHY}", [(2, "override#1.deadline", "file/type")]),
        (f'[[override]]\nextend = "24"\n{WHY}', [(2, "override#1.extend", "file/value")]),
        (f'[[override]]\nextend = "0h"\n{WHY}', [(2, "override#1.extend", "file/value")]),
        (f"[[override]]\npause = false\n{WHY}", [(2, "override#1.pause", "file/type")]),
        (f'[[override]]\nvoid = 0\norders = "keep"\n{WHY}', [(2, "override#1.void", "file/type")]),
        (f'[[override]]\nvoid = 1\norders = "again"\n{WHY}', [(3, "override#1.orders", "file/value")]),
        (f"[[override]]\nvoid = 1\n{WHY}", [(1, "override#1.orders", "file/missing-key")]),
        (f"[[override]]\nignore_post = true\n{WHY}", [(2, "override#1.ignore_post", "file/type")]),
        (
            f'[[override]]\nreplce = "Tau#1"\nwith = "x"\n{WHY}',
            [(2, "override#1.replce", "file/unknown-key")],
        ),
        (f"[[override]]\n{WHY}", [(1, "override#1", "override/nothing")]),
        (
            f'[[override]]\ncancel = "Tau#1"\nignore_post = "4"\n{WHY}',
            [(3, "override#1.ignore_post", "override/several")],
        ),
        ("override = 1\n", [(1, "override", "file/type")]),
        ("override = [1]\n", [(1, "override#1", "file/type")]),
        ("[[overide]]\n", [(1, "overide", "file/unknown-key")]),
        (
            '[[override]]\ncancel = "Tau"\n[[override]]\nextend = "x"\n',
            [
                (1, "override#1.reason", "file/missing-key"),
                (2, "override#1.cancel", "file/value"),
                (3, "override#2.reason", "file/missing-key"),
                (4, "override#2.extend", "file/value"),
            ],
        ),
    ],
)
def test_mistakes(text: str, expected: list[tuple[int | None, str, str]]) -> None:
    """All mistakes at once, one error for each, at the line where it stands."""
    assert expected == problems_of(text)


def test_a_nul_is_no_text() -> None:
    """TOML takes it as an escape; nobody means it, and not every database does."""
    problems = problems_of(f'[[override]]\nadd = "Tau"\norder = "producir\\u0000"\n{WHY}')
    assert [(3, "override#1.order", "file/control")] == problems
    assert [(1, "override#1#1", "file/control")] == problems_of('override = [["a\\u0000"]]\n')


def test_a_nul_is_shown_as_it_is_written() -> None:
    """So that it can be found."""
    with pytest.raises(FileErrors) as raised:
        load_overrides(f'[[override]]\nadd = "Tau"\norder = "a\\u0000"\n{WHY}', "turn-003.toml")
    assert (
        "turn-003.toml, línea 3, «override#1.order»: aquí no puede estar el carácter «\\u0000». "
        "Quita esa secuencia de escape."
    ) == raised.value.say(load_catalogue("es"))


def test_entries_that_come_without_a_file() -> None:
    """They are checked alike; there is no line to name."""
    assert (Cancel("x", False, None, 1, OrderRef("Tau", 1)),) == parse_overrides(
        [{"cancel": "Tau#1", "reason": "x"}]
    )
    with pytest.raises(FileErrors) as raised:
        parse_overrides([{"cancel": "Tau#1"}], "turno 3")
    said = raised.value.say(load_catalogue("es"))
    assert "turno 3, «override#1.reason»: falta la clave «reason». Pon el motivo, entre comillas" in said


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.datetimes(),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=4,
)
KEY = st.sampled_from(
    [*KINDS, "reason", "secret", "with", "was", "order", "value", "answer", "force", "if_asked", "x"]
)


@given(st.lists(st.dictionaries(KEY, JUNK, max_size=5), min_size=1, max_size=3))
def test_whatever_stands_in_an_entry_is_taken_or_refused(entries: list[dict[str, object]]) -> None:
    """No value makes the reader fail in another way, and no entry is left out in silence."""
    problems: tuple[object, ...] = ()
    overrides: tuple[Override, ...] = ()
    try:
        overrides = parse_overrides(entries)
    except FileErrors as found:
        problems = found.problems

    assert bool(problems) != (len(entries) == len(overrides))
