"""Foreign words of every kind in every place of a post, for the tests of all dialects."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from hypothesis import strategies as st

from processor.pipeline import texts
from processor.pipeline.context import Commitments
from processor.pipeline.locking import commitments
from reporters.blocks import Fence, Figure, Grid, Heading, Lines, Listing, Piece, Rule
from reporters.cleaning import clean_line
from rules.engine.document import Align
from rules.engine.inline import Emphasis, Fixed, Link, Strong, Text
from rules.play.reading import SkippedText, TurnReading
from rules.play.turns import Deadline
from tests.support import mini

URL = "https://foro.example/comment/41/find/"

_PIECES = [
    *"@:;*_~`#<>[]()!|\\$&-+=^.1a8/\"'? ñ",
    *("[b]", "[/b]", "[i]", "[/i]", "[B]", "[/I]", "[u]x[/u]", "[code]", "[/code]", "[/CODE]", "[ /code]"),
    *(
        "[icode]",
        "[/icode]",
        "[tt]",
        "[/tt]",
        "[/list]",
        "[list=1]",
        "[*]",
        "[0]",
        "[@]",
        "[/url]",
        "[/size]",
    ),
    *(
        "[url]http://x.es[/url]",
        "[url=http://x.es]x[/url]",
        "[url=http://x.es]",
        "[img]http://x.es/a.png[/img]",
    ),
    *("[quote]", '[quote="[b]a"]', "[/quote]", "[hr]", "[size=200]", "[color=red]", "[font=a]", "[me=a]"),
    *("[noparse]", "[/noparse]", "[nobbc]", "[plain]", "[/plain]", "[php]", "[/php]", "[attachment=1]"),
    *("[órdenes turno 3]", "[/órdenes]", "[user=1]a[/user]", '[a="', "[a=b"),
    *("http://x.es", "https://x.es/a", "www.x.es", "x.es/a", "ftp://x", "mailto:a@b.es", "a@b.es", "x.com"),
    *("@bob", '@"bob b"', ":)", ":-)", "8)", "8-)", ";)", ":D", ":smile:", ":3", "(c)", "(tm)", "???", ">:("),
    *(
        "<b>",
        "</b>",
        "</pre>",
        "</code>",
        "<script>alert(1)</script>",
        "<img src=x onerror=a>",
        "<!--",
        "-->",
    ),
    *(
        "</style>",
        "<a href='x'>",
        "]]>",
        "<![CDATA[",
        "&lt;b&gt;",
        "&#91;b&#93;",
        "&#x5b;",
        "&nbsp;",
        "&#64;",
    ),
    *("/me baila", "/slap", "\n", "\r\n", "\t", "\u2424", "\u2060", "\u202e", "\x00", "\x1b[31m", "\u200b"),
    *("\ud800", "\u00a0", "    ", "{{7*7}}", "%(x)s", "**", "```", "# ", "- ", "1. ", "> ", "---"),
]
HOSTILE = st.lists(st.one_of(st.sampled_from(_PIECES), st.text(max_size=4)), max_size=9).map("".join)
VISIBLE = HOSTILE.filter(lambda text: bool(clean_line(text).strip()))


def document(a: str, b: str, c: str) -> list[Piece]:
    """Every kind of piece with foreign words in every place."""
    own = Link((Text("mensaje #41"),), URL)
    return [
        Heading((Text(a),), 1),
        Heading((Text(b), Fixed(c))),
        Lines(((Strong((Text(a),)), Text(" — "), own, Text(" "), Text(b)), (Text(c),), (Text(b), Text(a)))),
        Lines(((Text(c), Link((Text(a),), URL), Text(" "), Fixed(c), Text(b)),)),
        Listing(((Text(a),), (Text(b), Text(" "), Emphasis((Text(c), Fixed(a))))), ordered=True),
        Listing(((Text(c),), (Strong((Fixed(b),)),)), ordered=True, start=7),
        Rule(),
        Lines(((Text(c),),)),
        Listing(((Text(b),), (Text(c),))),
        Grid(((Text(a),), (Text(b),)), (((Text(c),), (Fixed(a),)),), (Align.LEFT, Align.RIGHT)),
        Fence("sembrar\n" + a + "\ncosechar"),
        Fence('{"a":["' + b.replace("\\", "").replace('"', "") + '"]}', "json"),
        Figure("map.svg", (Text("mapa "), Text(b))),
    ]


def harmless() -> list[Piece]:
    """The same with words that nobody acts on."""
    return document("uno", "dos", "tres")


def some_reading() -> TurnReading:
    """One seat with lines of all kinds, one in order, one too late."""
    lines = (mini.sow(1), mini.misspelt(2), mini.overspent(3))
    alta = mini.in_force(mini.submission("alta", mini.post(41), *lines))
    rio = mini.in_force(mini.submission("rio", mini.post(44), mini.sow(1)))
    return mini.reading(alta, rio, late=(SkippedText(mini.post(52, 22, 4), "late", "monte"),))


def open_report(software: str) -> tuple[str, ...]:
    """The public report of a game without secrets, in the dialect of a forum."""
    own = mini.play(secret=False, groups=False)
    own = replace(own, game=replace(own.game, forum=replace(own.game.forum, software=software)))
    done = mini.result(own, mini.correction())
    made = texts.reports(
        own,
        mini.frozen(some_reading()),
        done,
        commitments(own, mini.SECRETS),
        Commitments("c4" * 32, "d5" * 32),
        Deadline(datetime(2026, 12, 13, 21, 0, tzinfo=UTC), "Europe/Madrid"),
        done.resolution.state,
    )
    return next(one.parts for one in made if one.kind == "report")
