"""Pictures on Misago: over its stand-in, and over the real forum with `--forums`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol, cast

import pytest
import requests

from jobs.demo.misago_server import MisagoServer
from processor.forums.misago_publishing import INTERVAL
from processor.ports import Uploading
from rules.engine.messages import msg
from rules.play.posts import Published, Refused, Unknown, Uploaded
from tests.support.forum_fixtures import ACCOUNTS, ALICE, BOT, SCENE, Adapter
from tests.support.forum_scene import Meanwhile, Scene, post_id
from tests.support.json_answers import changed
from tests.support.pictured import draw, hand_over, write
from tests.support.standin import MisagoStandIn

DAY = 86_400
NONE, SMALL = 0, 1
"""Kilobytes of a file: members may upload none, or hardly any."""


@pytest.fixture
def scene(request: pytest.FixtureRequest, misago_name: str) -> Scene:
    """The same small forum, played by the stand-in and, where it runs, real."""
    return Scene(request.getfixturevalue(misago_name))


@pytest.fixture(params=[NONE, SMALL], ids=["none", "small"])
def narrow(request: pytest.FixtureRequest, misago_name: str) -> Iterator[Scene]:
    """The forum where members may upload no files, or small ones only."""
    if misago_name == "misago_standin":
        with MisagoStandIn(ACCOUNTS, **SCENE) as standin:
            standin.views.kilobytes = request.param
            yield Scene(standin)
        return
    build, cluster = (request.getfixturevalue(one) for one in ("misago_build", "cluster"))
    settings = {"max_attachment_size": request.param}
    with MisagoServer(build, ACCOUNTS, cluster=cluster, settings=settings, **SCENE) as server:
        yield Scene(server)


class Bot(Adapter, Uploading, Protocol):
    """A forum's adapter that takes pictures."""


def enter(scene: Scene, **options: Any) -> Bot:
    """Our account, inside."""
    bot = scene.connect(BOT, **options)
    bot.open()
    return cast("Bot", bot)


def visit(address: str, *, follow: bool = False) -> requests.Response:
    """What a guest is answered."""
    return requests.get(address, headers={"User-Agent": "Guest"}, allow_redirects=follow, timeout=20)


def is_shown(scene: Scene, picture: Uploaded) -> bool:
    """Whether a guest is led to the picture, and not to one that says that there is none."""
    answer = visit(f"{scene.server.url}{picture.reference}")
    assert 302 == answer.status_code
    return "/media/attachments/" in answer.headers["Location"]


def clear(scene: Scene) -> None:
    """What the forum's host does each night."""
    if isinstance(scene.server, MisagoStandIn):
        scene.server.views.clear_files()
    elif isinstance(scene.server, MisagoServer):
        scene.server.clear_files()


def test_guests_see_pictures_once_a_post_shows_them(scene: Scene) -> None:
    """Until then nobody does; an edit of the post takes nothing from it, and a day changes nothing."""
    bot = enter(scene)
    pictures = [hand_over(bot, scene.topic), hand_over(bot, scene.topic, 50)]
    assert [False, False] == [is_shown(scene, one) for one in pictures]
    text = write("misago", *pictures)
    made = post_id(bot.post_with(scene.topic, text, tuple(one.handle for one in pictures)))
    assert [True, True] == [is_shown(scene, one) for one in pictures]
    assert Published(made) == scene.connect(BOT).edit(made, text.replace("Informe", "El informe"))
    scene.server.shift_clock(DAY + 1)
    clear(scene)
    assert [True, True] == [is_shown(scene, one) for one in pictures]


def test_a_guest_is_given_what_was_handed_over(scene: Scene) -> None:
    """Byte by byte; the stand-in leads to the picture and has none to give."""
    bot = enter(scene)
    picture = hand_over(bot, scene.topic)
    bot.post_with(scene.topic, write("misago", picture), (picture.handle,))
    if isinstance(scene.server, MisagoStandIn):
        assert [draw(bot)[1]] == [one.content for one in scene.server.state.pictures]
    else:
        given = visit(f"{scene.server.url}{picture.reference}", follow=True)
        assert draw(bot)[1] == given.content


def test_a_report_that_is_held_back_for_days_goes_without_its_pictures(scene: Scene) -> None:
    """Misago deletes what no post has taken within a day, and says nothing of it to the post that comes."""
    bot = enter(scene)
    picture = hand_over(bot, scene.topic)
    scene.server.shift_clock(DAY + 1)
    clear(scene)
    bot.open()
    sent = bot.post_with(scene.topic, write("misago", picture), (picture.handle,))
    assert isinstance(sent, Published)
    assert not is_shown(scene, picture)


def test_more_pictures_than_a_post_may_have_are_refused_for_good(scene: Scene) -> None:
    """In the forum's own words."""
    bot = enter(scene)
    refused = bot.post_with(scene.topic, "Demasiados mapas.", tuple(str(number) for number in range(1, 18)))
    assert isinstance(refused, Refused)
    assert refused.retry_after is None
    assert "more than 16" in str(refused.reason)
    assert 1 == len(scene.server.posts())


def test_who_may_upload_nothing_or_less_is_told(narrow: Scene) -> None:
    """A right that the account lacks is no matter of time; neither is the size."""
    bot = enter(narrow)
    refused = bot.upload(narrow.topic, draw(bot)[0], draw(bot)[1].ljust(2000, b"\0"))
    assert isinstance(refused, Refused)
    assert refused.retry_after is None
    if isinstance(refused.reason, str):
        assert "larger than 1.0\u00a0KB" in refused.reason
    else:
        assert msg("sent/no-upload") == refused.reason


def test_another_kind_of_picture_is_refused_for_good(scene: Scene) -> None:
    """By the ending of its name."""
    bot = enter(scene)
    said = "You can't upload files of this type."
    assert Refused(said) == bot.upload(scene.topic, "map-cm.bmp", draw(bot)[1])


# What the stand-in alone can do.


def test_a_session_that_ends_before_a_picture_is_no_end(misago_standin: MisagoStandIn) -> None:
    """A guest's file is refused with 403: nothing is kept, and another attempt logs in again."""
    meanwhile = Meanwhile()
    bot = enter(Scene(misago_standin), checkpoint=meanwhile)
    meanwhile.action = misago_standin.end_sessions
    assert Refused(msg("sent/session-over"), 60.0) == bot.upload("1", *draw(bot))
    assert isinstance(bot.upload("1", *draw(bot)), Uploaded)


@pytest.mark.parametrize(("words", "wait"), [(None, INTERVAL), ("Nie tak szybko.", 60.0)])
def test_a_limit_on_files_passes(misago_standin: MisagoStandIn, words: str | None, wait: float) -> None:
    """As one on posts does, whatever language the forum says it in: the account still has the right."""
    bot = enter(Scene(misago_standin))
    misago_standin.fail("flood", "upload")
    misago_standin.views.said = {"flood": words} if words else {}
    refused = bot.upload("1", *draw(bot))
    assert isinstance(refused, Refused)
    assert wait == refused.retry_after


def test_a_right_that_is_taken_away_meanwhile_is_missed(misago_standin: MisagoStandIn) -> None:
    """Whoever had it a moment ago is asked for it once more before another attempt is promised."""
    meanwhile = Meanwhile()
    bot = enter(Scene(misago_standin), checkpoint=meanwhile)
    meanwhile.action = lambda: setattr(misago_standin.views, "kilobytes", NONE)
    said = "You don't have permission to upload new files."
    assert Refused(said) == bot.upload("1", *draw(bot))


@pytest.mark.parametrize("missing", ["id", "url"])
def test_an_answer_of_another_shape_is_unclear(misago_standin: MisagoStandIn, missing: str) -> None:
    """Such as a newer version's might be: a picture without a number can't go along with a post."""
    bot = enter(Scene(misago_standin))
    misago_standin.fail("mutate", "upload", mutate=changed(lambda body: body.pop(missing)))
    unclear = bot.upload("1", *draw(bot))
    assert isinstance(unclear, Unknown)
    assert "page/other-shape" in str(unclear.reason)


def test_nobody_takes_the_pictures_of_others(misago_standin: MisagoStandIn) -> None:
    """The forum passes them over in silence, as it does with what isn't there."""
    scene = Scene(misago_standin)
    alice = scene.connect(ALICE)
    alice.open()
    picture, bot = hand_over(alice, scene.topic), enter(scene)
    assert isinstance(bot.post_with(scene.topic, write("misago", picture), (picture.handle,)), Published)
    assert not is_shown(scene, picture)
