"""A tiny game for the tests of texts: three Houses with grain that nobody else may count, and one die a turn.

It is enough of a rule set to have views, secrets, a document and templates; nothing is ever resolved here.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, time

from jobs.catalogues import load_catalogue
from processor.pipeline.context import Frozen, PlayContext, Secrets, TurnResult
from processor.pipeline.locking import commitments, dice_source
from reporters.markdown import MarkdownRenderer
from reporters.proof import build_proof
from reporters.renderer import Renderer
from reporters.setting import Setting
from rules.engine.audience import DIRECTOR_SEAT, PUBLIC, Audience, only
from rules.engine.catalogue import Catalogue
from rules.engine.codec import dump_state
from rules.engine.diagnostics import Diagnostic, Span, error, warning
from rules.engine.dice import Roll
from rules.engine.document import Align, Document, Items, Paragraph, Section, Table
from rules.engine.events import Event, event
from rules.engine.messages import Code, Message, Name, Param, Quoted, msg
from rules.engine.orders import Args, Order
from rules.engine.resolution import Resolution, RolledDie
from rules.engine.ruleset import Kind, Ruleset, Template
from rules.engine.view import View
from rules.play.game import ForumSettings, Game, Policies, Schedule, Seat
from rules.play.posts import Capabilities, Precision
from rules.play.reading import LineRead, PostRef, SeatReading, Submission, TurnReading
from rules.play.turns import Deadline, TurnRef

TEXTS = {
    "mini/title": "Turno {turn}",
    "mini/what-happened": "Lo que ha pasado.",
    "mini/standings": "Cómo queda todo.",
    "mini/house": "Casa",
    "mini/fields": "Campos",
    "mini/name": "{name}",
    "mini/number": "{number}",
    "mini/quiet": "Nada se mueve en el valle.",
    "mini/took": "{who, The} {plural, if, {toman}, {toma}} el campo {field} y deja dicho: «{words}».",
    "mini/hid": "Escondes {grain, plural, one {# saco} other {# sacos}} en {place}.",
    "mini/granary": "Tienes {grain, plural, one {# saco} other {# sacos}}.",
    "mini/facts": "{fields, plural, one {# campo} other {# campos}}, {grain, plural, one {# saco} "
    "other {# sacos}}.",
    "mini/told-sow": "Sembrar {field} (1 saco; te {left, plural, one {queda} other {quedan}} {left})",
    "mini/told-hide": "Esconder {grain, plural, one {# saco} other {# sacos}} en {place}",
    "mini/not-your-field": "no tienes ningún campo {field}. Tus campos: {own}.",
    "mini/overspent": "entendido, pero con lo anterior gastas {spent} sacos y tienes {grain}: esta orden se "
    "cancelará.",
    "mini/roll-harvest": "Cosecha de la Casa Alta",
    "mini/roll-thief": "Robo en el granero",
    "mini/won": "La Casa Alta tiene 5 campos.",
}


@dataclass
class House:
    """A House. grain: nobody else may know it."""

    fields: int = 1
    grain: int = 0


@dataclass
class Valley:
    """The state: Houses by seat."""

    houses: dict[str, House] = field(default_factory=dict)


@dataclass
class MiniOptions:
    """Open: everybody sees everything."""

    open: bool = False


def view(state: Valley, viewer: str, options: MiniOptions) -> Valley:
    """Fields are public, grain is not."""
    if viewer == DIRECTOR_SEAT or options.open:
        return state
    return Valley({k: House(h.fields, h.grain if k == viewer else 0) for k, h in state.houses.items()})


def report(before: View[Valley], after: View[Valley], events: tuple[Event, ...]) -> Document:
    """What happened, the standings, and the own granary."""
    told = tuple(Message(one.id, one.data) for one in events if one.id.startswith("mini/"))
    happened = Items(told) if told else Paragraph(msg("mini/quiet"))
    rows = tuple(
        (msg("mini/name", name=NAMES[key]), msg("mini/number", number=house.fields))
        for key, house in sorted(after.state.houses.items())
    )
    table = Table((msg("mini/house"), msg("mini/fields")), rows, (Align.LEFT, Align.RIGHT))
    sections = [Section("events", msg("mini/what-happened"), (happened,))]
    if after.viewer in after.state.houses:
        granary = msg("mini/granary", grain=after.state.houses[after.viewer].grain)
        sections.append(Section("own", None, (Paragraph(granary),)))
    else:
        sections.append(Section("standings", msg("mini/standings"), (table,)))
    return Document(msg("mini/title", turn=after.number), tuple(sections))


def template(seen: View[Valley]) -> Template:
    """The House's own numbers."""
    house = seen.state.houses[seen.viewer]
    return Template((msg("mini/facts", fields=house.fields, grain=house.grain),))


NAMES = {
    "alta": Name("Casa Alta", "f", article="la"),
    "rio": Name("Casa del Río", "f", article="la"),
    "monte": Name("Monteses", "m", plural=True, article="los"),
}

KIND = Kind("mes", (), (), report=report, template=template)

RULESET = Ruleset(
    id="mini",
    version="1",
    title="Mini",
    state=Valley,
    options=MiniOptions,
    kinds={"mes": KIND},
    seats=lambda state: {key: NAMES[key] for key in state.houses},
    groups=lambda state: {},
    view=view,
)

DEADLINE = Deadline(datetime(2026, 12, 6, 21, 0, tzinfo=UTC), "Europe/Madrid")
SPIRIT = Capabilities(
    Precision.MINUTE, private=True, edit=True, max_chars=3000, min_interval=10.0, line_end=2
)
REF = TurnRef("valle", 3)


def catalogue() -> Catalogue:
    """Our own texts and the game's."""
    own = load_catalogue("es")
    return Catalogue("es", {**own._texts, **TEXTS})


def game(*, secret: bool = True) -> Game:
    """Three Houses, each with a player of its own."""
    forum = ForumSettings("spirit", "https://foro.example", "7", "Turnero", "Europe/Madrid", secret)
    seats = tuple(Seat(key, str(at), key, NAMES[key]) for at, key in enumerate(NAMES, 11))
    schedule = Schedule(time(22), datetime(2026, 11, 22, 22), (6,))  # noqa: DTZ001 - local time
    return Game(
        "valle",
        "El valle de Orún",
        "mini",
        "es",
        "Europe/Madrid",
        forum,
        schedule,
        seats,
        Policies(),
        MiniOptions(open=not secret),
    )


def setting(
    *, secret: bool = True, renderer: Renderer | None = None, forum: Capabilities = SPIRIT
) -> Setting:
    """The third turn of the game."""
    return Setting(game(secret=secret), REF, DEADLINE, catalogue(), forum, renderer or MarkdownRenderer())


def post(number: int, hour: int = 19, minute: int = 12, *, day: int = 6, private: bool = False) -> PostRef:
    """A post of December, its hour in UTC + 1."""
    at = datetime(2026, 12, day, hour - 1, minute, tzinfo=UTC)
    url = f"https://foro.example/comment/{number}/find/"
    return PostRef(str(number), None if private else number, url, at, private)


def accepted(number: int, text: str, told: Message | None = None, *findings: Diagnostic) -> LineRead:
    """A line that counts."""
    order = Order("alta", number, "sow", Args(), text)
    return LineRead(number, number + 1, text, order, told, findings)


def refused(number: int, text: str, finding: Diagnostic) -> LineRead:
    """A line that doesn't."""
    return LineRead(number, number + 1, text, None, None, (finding,))


def sow(number: int = 1) -> LineRead:
    """The usual order."""
    return accepted(number, "sembrar C-1", msg("mini/told-sow", field=Code("C-1"), left=2))


def misspelt(number: int = 2, text: str = "senbrar C-2", wrong: str = "senbrar") -> LineRead:
    """A verb that isn't known, with what was meant."""
    finding = Diagnostic(
        msg("parse/unknown-order", word=Code(wrong), choices=(Code("sembrar"),), near=1),
        span=Span(text.index(wrong), text.index(wrong) + len(wrong)),
        suggest=(text.replace(wrong, "sembrar"),),
    )
    return refused(number, text, finding)


def foreign_field(number: int = 3) -> LineRead:
    """A field of somebody else, with its place in the line."""
    finding = error("mini/not-your-field", field=Code("C-9"), own=(Code("C-1"), Code("C-2")))
    return refused(number, "sembrar C-9", finding.at(Span(8, 11)))


def overspent(number: int = 4) -> LineRead:
    """An order that counts and will come to nothing."""
    told = msg("mini/told-hide", grain=5, place="la cueva")
    return accepted(number, "esconder 5 en la cueva", told, warning("mini/overspent", spent=6, grain=3))


def submission(seat: str, where: PostRef, *lines: LineRead, **more: object) -> Submission:
    """A block."""
    return Submission(seat, where, lines, **more)  # type: ignore[arg-type]


def in_force(block: Submission, *older: Submission) -> SeatReading:
    """A seat whose newest block counts."""
    return SeatReading(block.seat, (*older, block), block)


def silent(seat: str) -> SeatReading:
    """A seat that hasn't posted."""
    return SeatReading(seat)


def reading(*seats: SeatReading, **more: object) -> TurnReading:
    """A turn's reading; seats not named are silent."""
    named = {one.seat: one for one in seats}
    return TurnReading(tuple(named.get(key, silent(key)) for key in NAMES), **more)  # type: ignore[arg-type]


def valley() -> Valley:
    """The state after the third turn."""
    return Valley({"alta": House(3, 4), "rio": House(2, 7), "monte": House(1, 0)})


def play(*, secret: bool = True, state: Valley | None = None, groups: bool = True) -> PlayContext:
    """The third turn as the pipeline sees it. groups: whether each House has dice of its own."""
    alone = {key: only(key) for key in NAMES} if groups else {}
    ruleset = replace(RULESET, groups=lambda state: alone)
    opened = datetime(2026, 11, 29, 21, 5, tzinfo=UTC)
    before = state or Valley({"alta": House(2, 3), "rio": House(2, 7), "monte": House(1, 1)})
    return PlayContext(
        game(secret=secret), ruleset, KIND, before, REF, DEADLINE, catalogue(), SPIRIT, opened_at=opened
    )


def roll(label: str, value: int, purpose: str, seat: str | None = None, true: int | None = None) -> RolledDie:
    """A six-sided die, of everybody or of one House."""
    audience = only(seat) if seat else PUBLIC
    return RolledDie(Roll(label, 0, 6, value, true or value, purpose, seat or ""), audience, 0)


SECRETS = Secrets(bytes(range(32)), bytes(range(32, 64)))
WORDS = "¡Para la @CasaAlta! **[pincha](http://x.es)**"


def result(own: PlayContext, *more: Event) -> TurnResult:
    """A turn in which the Casa Alta takes a field, and the Casa del Río hides grain."""
    source = dice_source(own, SECRETS)
    harvest, thief = source.roll("", "harvest/alta", 0, 6), source.roll("rio", "thief/rio", 0, 6)
    rolls = (
        roll("harvest/alta", harvest, "mini/roll-harvest"),
        roll("thief/rio", thief, "mini/roll-thief", "rio"),
    )
    took = event(
        "mini/took", who=NAMES["alta"], plural=0, field=Code("C-3"), words=Quoted(WORDS), by=("alta", 1)
    )
    hid = event("mini/hid", only("rio"), grain=2, place="la cueva", by=("rio", 1))
    events = (*more, took, hid)
    resolution = Resolution(valley(), events, rolls, (), (), len(events), len(rolls))
    groups = commitments(own, SECRETS).groups
    proofs = {
        group: build_proof(
            source, [one.roll for one in rolls], group=group, groups=groups, rules="mini-1", lock="ab" * 32
        )
        for group in ("", *own.ruleset.groups(own.state))
    }
    return TurnResult(resolution, dump_state(valley()), proofs)


def frozen(what: TurnReading, overrides: str = "") -> Frozen:
    """The lock of a reading."""
    return Frozen(what, overrides, "ab" * 32, "cd" * 32, "mini-1-0123456789ab", 23)


def correction(change: str = "replace", *, audience: Audience = PUBLIC, **data: Param) -> Event:
    """A correction as the pipeline logs it."""
    told: dict[str, Param] = {
        "target": "alta#2",
        "old": Code("sembrar C-3"),
        "new": Code("sembrar C-4"),
        "reason": Quoted("Se equivocó de campo y avisó por privado"),
        "late": 0,
    }
    return Event("engine/corrected", {"change": change, **told, **data}, audience, "alta", 2)
