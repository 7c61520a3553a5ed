"""Scenario files: both forms, what comes out of them, and mistakes with file, line and key."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobs.catalogues import load_catalogue
from parsers.files.errors import FileErrors
from parsers.files.override import Ruling
from parsers.files.scenario import Expected, ScenarioTrack, flatten_state, load_scenario
from parsers.files.toml import MAX_BYTES

ROOT = Path(__file__).parent
GOLDENS = sorted((ROOT / "golden").rglob("*.toml"))
FILES = sorted([*GOLDENS, *(ROOT / "scenarios").rglob("*.toml")])

SHORT = """\
title = "Una noche corta"
ruleset = "conquista"
number = 3

[state]

[orders]
Imperio = "producir"

[dice]
"round/1/Imperio" = [4]
"""


def problems_of(text: str) -> list[tuple[int | None, str, str]]:
    """Line, key and code of all that is wrong with a scenario."""
    with pytest.raises(FileErrors) as raised:
        load_scenario(text, "noche.toml")
    return [(one.line, one.key, one.code) for one in raised.value.problems]


def said_about(text: str) -> str:
    """What the director reads about a scenario."""
    with pytest.raises(FileErrors) as raised:
        load_scenario(text, "noche.toml")
    return raised.value.say(load_catalogue("es"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_scenario_of_the_tests_follows_the_format(file: Path) -> None:
    """Files under `tests/golden` and `tests/scenarios` load, and every turn of them expects something."""
    scenario = load_scenario(file.read_text(encoding="utf-8"), file.name)

    assert [] == [turn.line for turn in scenario.turns if turn.expect is None]


@pytest.mark.parametrize("file", GOLDENS, ids=lambda file: file.stem)
def test_each_expectation_of_a_golden_names_its_source(file: Path) -> None:
    """A golden says for every event, state value and report from which part of the original it comes."""
    scenario = load_scenario(file.read_text(encoding="utf-8"), file.name)
    unsourced: list[str] = []
    for turn in scenario.turns:
        expect = turn.expect
        assert expect is not None
        items = [("events", one) for one in expect.events or ()]
        items += [("diagnostics", one) for one in expect.diagnostics or ()]
        unsourced += [str(one.data) for where, one in items if not (one.source or expect.source_of(where))]
        unsourced += [path for path in expect.state if not expect.source_of(f"state/{path}")]
        unsourced += [
            name for name, one in expect.report.items() if not (one.source or expect.source_of("report"))
        ]

    assert [] == unsourced


def test_the_worked_example_asserts_every_result_of_the_original() -> None:
    """9 supplies, 21 cells, 4 actions, dominion 30, armies of 2, 3, 2, 2, 3 and the outpost are expected."""
    file = ROOT / "golden" / "conquista" / "imperio-turno-3.toml"
    expect = load_scenario(file.read_text(encoding="utf-8"), file.name).turns[0].expect

    assert expect is not None
    assert 9 == expect.state["factions/Imperio/supplies"]
    assert 30 == expect.state["factions/Imperio/dominion"]
    assert [2, 3, 2, 2, 3] == [expect.state[f"armies/E{number}/troops"] for number in range(1, 6)]
    assert "puesto avanzado" == expect.state["cells/CM-33/building"]
    events = {str(one.data["id"]): one.data for one in expect.events or ()}
    assert 21 == events["conquista/dominion-counted"]["cells"]
    assert 4 == events["conquista/actions-counted"]["actions"]


def test_the_short_form_is_one_turn() -> None:
    """With `number` at the top the rest of the file is that turn."""
    scenario = load_scenario(SHORT, "noche.toml")

    assert ("Una noche corta", "conquista") == (scenario.title, scenario.ruleset)
    assert [(3, "", {"Imperio": "producir"})] == [
        (turn.number, turn.track, dict(turn.orders)) for turn in scenario.turns
    ]
    assert {"round/1/Imperio": (4,)} == scenario.turns[0].dice


def test_the_long_form_has_tracks_posts_replies_and_turns_that_go_on() -> None:
    """A second `[[turn]]` of the same number and track resumes it with dice, overrides and replies."""
    scenario = load_scenario(
        """\
title = "Duelo"
ruleset = "hyspania"
[options]
wounds = 6
[state]
[[track]]
name = "duelo"
kind = "combat"
seats = ["Lope", "Íñigo"]
with = { distance = 1 }
[[turn]]
number = 1
track = "duelo"
seed = "000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F"
[[turn.post]]
seat = "Lope"
time = 2026-12-06T21:58:00
text = "[órdenes]"
[[turn.post]]
author = "Mirón"
time = 2026-12-06T21:59:00
text = "¡Ánimo!"
[[turn]]
number = 1
track = "duelo"
replies = { Lope = "responder P1 rendirse" }
[[turn.override]]
ruling = "clima"
answer = "llueve"
reason = "Es otoño"
[[turn]]
number = 2
track = "duelo"
""",
        "duelo.toml",
    )

    assert (ScenarioTrack("duelo", "combat", ("Lope", "Íñigo"), {"distance": 1}),) == scenario.tracks
    assert {"wounds": 6} == scenario.options
    assert [False, True, False] == [turn.resumes for turn in scenario.turns]
    first, again, _ = scenario.turns
    assert "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f" == first.seed
    assert [("Lope", None), (None, "Mirón")] == [(post.seat, post.author) for post in first.posts]
    assert "2026-12-06T21:58:00" == first.posts[0].time.isoformat()
    assert {"Lope": "responder P1 rendirse"} == again.replies
    assert (Ruling("Es otoño", False, 27, 1, "clima", "llueve"),) == again.overrides


def test_expectations_keep_the_difference_between_none_and_not_given() -> None:
    """`held = []` means that nothing may be held, no `held` that it isn't compared; sources aren't data."""
    expect = (
        load_scenario(
            SHORT
            + """
[expect]
held = []
events = [{ id = "conquista/produced", supplies = 8, source = "003: PRODUCCIÓN" }]
absent = ["armies/E2"]
[expect.state]
"armies/E1/troops" = 2
factions = { Imperio = { supplies = 9 }, Tau = {} }
[expect.report.Imperio]
has = ["9 suministros"]
[expect.source]
"state/factions" = "003: FASE FINAL"
"state/factions/Tau" = ["003: uno", "003: otro"]
""",
            "noche.toml",
        )
        .turns[0]
        .expect
    )

    assert expect is not None
    assert () == expect.held
    assert expect.diagnostics is None
    assert (Expected({"id": "conquista/produced", "supplies": 8}, ("003: PRODUCCIÓN",)),) == expect.events
    assert {"armies/E1/troops": 2, "factions/Imperio/supplies": 9, "factions/Tau": {}} == expect.state
    assert ("9 suministros",) == expect.report["Imperio"].has
    assert ("003: FASE FINAL",) == expect.source_of("state/factions/Imperio/supplies")
    assert ("003: uno", "003: otro") == expect.source_of("state/factions/Tau")
    assert () == expect.source_of("events")


def test_one_source_for_all_expectations_of_a_turn() -> None:
    """`source` may be one text, which stands for everything that names none of its own."""
    expect = load_scenario(SHORT + '[expect]\nsource = "003: INVASIÓN"\n', "noche.toml").turns[0].expect

    assert expect is not None
    assert ("003: INVASIÓN",) == expect.source_of("state/armies")


def test_paths_and_nested_tables_mean_the_same_state() -> None:
    """Keys with `/` and tables in tables are flattened alike."""
    assert {"a/b/c": 1, "a/b/d": []} == flatten_state({"a": {"b/c": 1, "b": {"d": []}}})


def test_five_mistakes_are_five_errors_with_their_lines() -> None:
    """All mistakes are told at once, each with line, key, what is wrong and what would be right."""
    text = """\
title = "Cinco faltas"
rulesset = "conquista"
number = "tres"

[state]

[orders]
Imperio = 7

[dice]
"invasion/CM-40/Imperio/E1" = [4, 0]

[[expect.diagnostics]]
seat = "Tau"
linea = 2
"""

    assert [
        (2, "rulesset", "file/unknown-key"),
        (3, "number", "file/value"),
        (8, "orders.Imperio", "file/type"),
        (11, 'dice."invasion/CM-40/Imperio/E1"', "file/value"),
        (15, "expect.diagnostics#1.linea", "file/unknown-key"),
    ] == problems_of(text)


def test_a_mistake_is_told_with_what_would_be_right() -> None:
    """The sentence names file, line and key, what stands there and what to write."""
    assert (
        "noche.toml, línea 15, «expect.diagnostics#1.linea»: no conozco la clave «linea». "
        "¿Querías decir «line»?"
    ) == said_about(SHORT + "\n\n[[expect.diagnostics]]\nlinea = 2\n")


def test_a_wrong_type_says_what_belongs_there() -> None:
    """The description of the key is the advice."""
    assert (
        "noche.toml, línea 8, «orders.Imperio»: aquí está el número 7. "
        'Pon una tabla con el texto de cada puesto: Imperio = """…""".'
    ) == said_about(SHORT.replace('"producir"', "7"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (SHORT.replace("number = 3\n", ""), [(None, "number", "file/missing-key")]),
        (SHORT.replace("[state]\n", ""), [(None, "state", "file/missing-key")]),
        (SHORT.replace('"conquista"', '"con quista"'), [(2, "ruleset", "file/value")]),
        (SHORT.replace('"Una noche corta"', '" "'), [(1, "title", "file/value")]),
        (SHORT.replace("number = 3", "number = true"), [(3, "number", "file/value")]),
        (SHORT.replace("number = 3", 'number = 3\nseed = "00"'), [(4, "seed", "file/value")]),
        (SHORT.replace("[4]", "4"), [(11, 'dice."round/1/Imperio"', "file/value")]),
        (SHORT.replace("[4]", "[]"), [(11, 'dice."round/1/Imperio"', "file/value")]),
        (SHORT.replace("round/1/", "round//"), [(11, 'dice."round//Imperio"', "scenario/address")]),
        (SHORT.replace("[state]", 'track = "a"\n[state]'), [(5, "track", "scenario/track-in-short-form")]),
        (SHORT + "[expect]\nabsent = ['armies/']\n", [(13, "expect.absent#1", "scenario/path")]),
        (SHORT + "[expect]\nevents = [\n{ at = 1 },\n]\n", [(14, "expect.events#1", "file/missing-key")]),
        (SHORT + "[expect]\nheld = 'reloj'\n", [(13, "expect.held", "file/type")]),
        (SHORT + "[expect]\nevents = [{ id = 'a', at = 1.5 }]\n", [(13, "expect.events#1", "file/value")]),
        (SHORT + "[expect.report.Imperio]\nhas = [1]\n", [(13, "expect.report.Imperio.has#1", "file/type")]),
        (SHORT + "[turn]\nnumber = 4\n", [
            (3, "number", "scenario/outside-turn"),
            (7, "orders", "scenario/outside-turn"),
            (10, "dice", "scenario/outside-turn"),
            (12, "turn", "scenario/turn-list"),
        ]),
    ],
)  # fmt: skip
def test_mistakes_in_the_short_form(text: str, expected: list[tuple[int | None, str, str]]) -> None:
    """Each mistake is one error at its own line."""
    assert expected == problems_of(text)


LONG = """\
title = "Larga"
ruleset = "valar"
[state]
[[turn]]
number = 5
[[turn]]
number = 6
"""


POST = """\
[[turn.post]]
seat = "A"
time = 2026-12-06T10:00:00
text = ""
"""
TRACK = "[[track]]\nname = 'a'\nkind = 'k'\n"


@pytest.mark.parametrize(
    ("more", "line", "key", "code"),
    [
        ("[[turn]]\nnumber = 6\n[turn.orders]\nAna = 'x'\n", 10, "turn#3.orders", "scenario/resumed"),
        ("[[turn]]\nnumber = 8\n", 9, "turn#3.number", "scenario/sequence"),
        ("[[turn]]\nnumber = 5\n", 9, "turn#3.number", "scenario/sequence"),
        (TRACK + TRACK, 12, "track#2.name", "scenario/track-twice"),
        (POST.replace("T10:00:00", ""), 10, "turn#2.post#1.time", "file/type"),
        (POST.replace('seat = "A"', ""), 8, "turn#2.post#1", "scenario/author"),
        ("[turn.orders]\nA = ''\n" + POST, 10, "turn#2.post", "scenario/orders-and-posts"),
        (POST + POST.replace("00:00", "00:00Z"), 8, "turn#2.post", "scenario/mixed-times"),
        ("[[turn.override]]\ncancel = 'Ana#1'\n", 8, "turn#2.override#1.reason", "file/missing-key"),
        ("[[turn.overide]]\ncancel = 'Ana#1'\n", 8, "turn#2.overide", "file/unknown-key"),
        (
            "[turn.expect.report.public]\nhass = []\n",
            9,
            "turn#2.expect.report.public.hass",
            "file/unknown-key",
        ),
    ],
)
def test_mistakes_between_turns(more: str, line: int, key: str, code: str) -> None:
    """Turns count on by one, are resumed only right behind themselves, and hold orders or posts."""
    assert [(line, key, code)] == problems_of(LONG + more)


def test_an_empty_list_of_turns_is_a_mistake() -> None:
    """A scenario plays at least one turn."""
    assert [(1, "turn", "scenario/turn-list")] == problems_of(
        'turn = []\ntitle = "Nada"\nruleset = "valar"\nstate = {}\n'
    )


def test_a_scenario_of_more_than_256_kb_is_refused_unread() -> None:
    """The size is looked at before anything is parsed, in bytes."""
    assert [(None, "", "file/too-big")] == problems_of("= ñ" + "ñ" * (MAX_BYTES // 2))


JUNK = st.sampled_from(
    [
        "",
        "[state]",
        "[[turn]]",
        "[turn.expect]",
        "x = 1",
        "[[turn.override]]",
        'id = ["a"]',
        "track = 3",
        '"""',
        "}",
    ]
)


@given(st.sampled_from(FILES), st.data())
def test_a_damaged_scenario_is_read_or_refused(file: Path, data: st.DataObject) -> None:
    """Whatever a slip of the hand makes of a file, it loads or has errors in it; nothing else happens."""
    lines = file.read_text(encoding="utf-8").splitlines()
    place = data.draw(st.integers(0, len(lines) - 1))
    lines[place : place + data.draw(st.integers(0, 2))] = [data.draw(JUNK)]
    text = "\n".join(lines)
    problems: list[int | None] = []
    titles: list[str] = []
    try:
        titles.append(load_scenario(text, file.name).title)
    except FileErrors as found:
        problems = [one.line for one in found.problems]

    assert bool(titles) != bool(problems)
    assert all(line is None or 1 <= line <= len(lines) for line in problems)
