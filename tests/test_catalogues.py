"""The texts: each that the code asks for is there, in both languages, with the same parameters."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from itertools import chain
from pathlib import Path

import pytest

from jobs.catalogues import LANGUAGES, CatalogueError, load_catalogue, read_texts
from processor.forum_words import SAID as FORUM_ERRORS
from rules.conquista.state import NOTHING, Feature
from rules.engine.messages import Code, Name, Quoted, msg
from rules.engine.questions import AnswerSource
from rules.engine.templates import Choose, Insert, Marked, Template, parameters, parse_template
from rules.engine.text import confusables
from rules.play.game import NmrPolicy

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = sorted(
    ".".join(folder.parent.relative_to(ROOT).parts)
    for top in ("rules", "reporters", "parsers", "processor", "jobs")
    for folder in (ROOT / top).rglob("locale")
)
SPOKEN = ("rules", "parsers", "reporters", "processor", "jobs")
RAISED = frozenset(
    (
        *("ForumError", "NotATopic", "IncompletePage", "Unreachable", "Doubtful", "NotSent", "LoginFailed"),
        *("Elsewhere", "ForeignAddress", "NotATopicPage", "IncompletePageError", "Unready"),
    )
)
SAYING = frozenset(("msg", "error", "warning", "note", "event", "Message", "say", "Event"))
RULESETS = tuple(f"{package.removeprefix('rules.')}/" for package in PACKAGES if package != "rules.engine")
OWN = re.compile(
    r"(?:parse|block|engine|state|post|part|receipts?|skipped|finding|opening|template|report|held|ask|digest|private|reminder|guide|files|correct|replies|rehearse|hold|clock|deadline|void|folder|backup|cli|sent|try)/[\w-]*\w"
)


@cache
def modules() -> tuple[tuple[Path, ast.Module], ...]:
    """The modules that say something, parsed."""
    paths = chain.from_iterable((ROOT / top).rglob("*.py") for top in SPOKEN)
    return tuple((path, ast.parse(path.read_text(encoding="utf-8"))) for path in sorted(paths))


def literals(tree: ast.AST) -> Iterator[str]:
    """Ids named in a module: first arguments of what says something, and our own anywhere."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and node.args:
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            yield from whole_texts(node.args[0]) if name in SAYING else ()
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and OWN.fullmatch(node.value):
            yield node.value


def whole_texts(node: ast.expr) -> Iterator[str]:
    """The text that stands there, or the two between which a condition chooses."""
    if isinstance(node, ast.IfExp):
        yield from chain(whole_texts(node.body), whole_texts(node.orelse))
    elif isinstance(node, ast.Constant) and isinstance(node.value, str) and "/" in node.value:
        yield node.value


def asked_for() -> dict[str, str]:
    """Every message id that the code names, with a file that does."""
    found: dict[str, str] = {}
    for path, tree in modules():
        for one in literals(tree):
            if OWN.fullmatch(one) or (one.startswith(RULESETS) and one[-1] != "-"):
                found[one] = str(path.relative_to(ROOT))
    return found


def needed(template: Template, excused: frozenset[str] = frozenset()) -> set[str]:
    """Parameters without which a text can't be said: those inserted, save where it asks first for them."""
    names: set[str] = set()
    for node in template:
        if isinstance(node, Insert) and node.name not in excused:
            names.add(node.name)
        elif isinstance(node, Choose):
            asked = excused | {node.name} if node.how == "if" else excused
            names |= set().union(*(needed(case, asked) for _, case in node.cases))
        elif isinstance(node, Marked):
            names |= needed(node.inner, excused) | ({node.url} if node.url else set())
    return names


def given() -> Iterator[tuple[str, frozenset[str], str]]:
    """Each call that says an id with parameters written out: the id, the parameters, the file."""
    for path, tree in modules():
        for node in ast.walk(tree):
            name = getattr(
                getattr(node, "func", None), "id", getattr(getattr(node, "func", None), "attr", "")
            )
            if isinstance(node, ast.Call) and node.args and name in SAYING - {"event", "Event", "Message"}:
                keys = frozenset(one.arg for one in node.keywords if one.arg is not None)
                if len(keys) == len(node.keywords):
                    yield from ((one, keys, path.name) for one in whole_texts(node.args[0]))


@cache
def all_texts(language: str) -> dict[str, str]:
    """The texts of every package."""
    return {key: text for package in PACKAGES for key, text in read_texts(language, package).items()}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_that_the_code_asks_for_is_there(language: str) -> None:
    """A missing text would end in an exception in front of a player."""
    texts = all_texts(language)
    assert {} == {key: where for key, where in asked_for().items() if key not in texts}


@pytest.mark.parametrize("language", LANGUAGES)
def test_ids_that_are_put_together_have_texts(language: str) -> None:
    """Where the code makes an id of a value, every value that there is has its text."""
    families = {
        "report/answer-": [one.value for one in AnswerSource],
        "report/corrected-": [
            "replace",
            "cancel",
            "add",
            "ignore_post",
            "accept_post",
            "set",
            "die",
            "deadline",
            "extend",
            "pause",
            "resume",
            "other",
        ],
        "conquista/drawn-": [*(one.value for one in Feature), NOTHING],
        "reminder/": [one.value for one in NmrPolicy],
        "reminder/call-": [one.value for one in NmrPolicy],
        "parse/script-": [confusables(letter)[0].script for letter in "аαօ"],
        "skipped/": ["late", "early", "edited-late", "doubtful", "removed", "unapproved", "no-seat"],
        "receipts/none": ["", "-closed"],
        "": sorted(FORUM_ERRORS),
        "cli/head-": ["account", "name", "posts", "last", "seat"],
    }
    wanted = {f"{start}{end}" for start, ends in families.items() for end in ends}
    assert set() == wanted - all_texts(language).keys()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_call_gives_what_its_text_needs(language: str) -> None:
    """A parameter that is missing would be an exception in front of a player."""
    texts = all_texts(language)
    lacking = {
        (one, where, tuple(sorted(missing)))
        for one, keys, where in given()
        if one in texts and (missing := needed(parse_template(texts[one])) - keys)
    }
    assert set() == lacking


def test_every_error_of_a_forum_has_a_text() -> None:
    """Whatever adapters and their parsers raise, but for pages that nobody understands."""
    raised = {
        node.args[0].value
        for path, tree in modules()
        for node in ast.walk(tree)
        if path.parent.name in ("forums", "pages")
        and isinstance(node, ast.Call)
        and getattr(node.func, "id", "") in RAISED
        and node.args
        and isinstance(node.args[0], ast.Constant)
        and isinstance(node.args[0].value, str)
    }
    assert set() == {one for one in raised if not one.startswith("page/")} - FORUM_ERRORS


def test_no_adapter_says_why_in_words_of_its_own() -> None:
    """Reasons reach the director: ours are messages with a text in each language, the forum's are quoted."""
    wordy = [
        (path.name, node.lineno)
        for path, tree in modules()
        for node in ast.walk(tree)
        if path.is_relative_to(ROOT / "processor")
        and isinstance(node, ast.Call)
        and getattr(node.func, "id", "") in ("Queued", "Refused", "Unknown")
        and path.parent.name != "pipeline"
        and any(map(is_wordy, node.args))
    ]
    assert [] == wordy


def is_wordy(node: ast.AST) -> bool:
    """Whether a sentence stands there, as it is or to be filled in."""
    if isinstance(node, ast.BoolOp):
        return any(map(is_wordy, node.values))
    whole = isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value.strip()
    return whole or isinstance(node, ast.JoinedStr)


@pytest.mark.parametrize("package", PACKAGES)
def test_both_languages_have_the_same_texts(package: str) -> None:
    """Nothing falls back to the other language."""
    spanish, english = (read_texts(language, package) for language in LANGUAGES)
    assert set() == spanish.keys() ^ english.keys()


@pytest.mark.parametrize("package", PACKAGES)
def test_both_languages_say_the_same_parameters(package: str) -> None:
    """A parameter that one language leaves out would be information that its readers miss."""
    spanish, english = (read_texts(language, package) for language in LANGUAGES)
    differing = {
        key: (mine, other)
        for key in spanish.keys() & english.keys()
        if (mine := parameters(parse_template(spanish[key])))
        != (other := parameters(parse_template(english[key])))
    }
    assert {} == differing


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_can_be_parsed(language: str) -> None:
    """A brace that is missing is found here and not on a game's night."""
    parsed = {key: bool(parse_template(text)) for key, text in all_texts(language).items()}
    assert [] == [key for key, good in parsed.items() if not good]


@pytest.mark.parametrize("package", PACKAGES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_stands_there_twice(package: str, language: str) -> None:
    """Of two texts of one id only one would ever be seen."""
    source = ROOT.joinpath(*package.split("."), "locale", f"{language}.po").read_text(encoding="utf-8")
    ids = re.findall(r'(?m)^msgid "(.+)"$', source)
    assert [] == sorted({one for one in ids if ids.count(one) > 1})


def test_a_package_without_texts_is_told() -> None:
    """Whoever forgets the file learns which."""
    with pytest.raises(CatalogueError, match=r"tests: locale/es\.po"):
        load_catalogue("es", "tests")


def test_findings_begin_in_lower_case_and_end_with_a_stop() -> None:
    """They stand behind a dash or on a line of their own; the reporter makes a capital where it is needed."""
    findings = {
        key: text
        for key, text in all_texts("es").items()
        if key.startswith(("parse/", "block/")) and not key.startswith(("parse/expected-", "parse/script-"))
    }
    wrong = [key for key, text in findings.items() if text[:1].isupper() or not re.search(r"[.?}]$", text)]
    assert [] == wrong


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("es", "no conozco moveer. Puedes escribir mover o construir."),
        ("en", "I don't know moveer. You can write mover or construir."),
    ],
)
def test_a_text_is_said_with_its_parameters(language: str, said: str) -> None:
    """Codes, lists and choices fall into place."""
    choices = (Code("mover"), Code("construir"))
    message = msg("parse/unknown-order", word=Code("moveer"), choices=choices, near=0)
    assert said == load_catalogue(language).text(message)


def test_names_agree() -> None:
    """An article melts with `de`, and what a person wrote is left alone."""
    message = msg(
        "report/answer",
        question="reloj",
        answer=Quoted("«sí»"),
        source=msg("report/answer-order", seat=Name("Imperio", "m", article="el")),
        after=1,
        reason=None,
    )
    expected = "reloj: «sí» — ya estaba en las órdenes del Imperio, con los dados ya a la vista"
    assert expected == load_catalogue("es").text(message)
