"""Booting real Spirit: side by side, without the caller's environment, and never left behind."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from jobs.demo.spirit_server import Account, Build, ForumBootError, SpiritServer, install_spirit
from tests.support.forum_fixtures import ACCOUNTS, ALICE, BUILD, SCENE, TITLE, connect

Start = Callable[..., SpiritServer]


def test_two_forums_run_side_by_side(start_spirit: Start) -> None:
    """Each has its own port, accounts and posts."""
    one, two = start_spirit(ACCOUNTS, **SCENE), start_spirit((ALICE,))
    assert one.url != two.url
    one.write_post(one.topics[TITLE], ALICE.name, "aquí")
    assert len(one.posts()) == 2
    assert two.posts() == []
    assert (connect(one, ALICE).open(), connect(two, ALICE).open()) == ("2", "1")


def test_an_installed_forum_is_found_again(spirit_build: Build) -> None:
    """A second call installs nothing and says nothing."""
    said: list[str] = []
    assert install_spirit(BUILD, said.append) == spirit_build
    assert said == []


def test_the_forum_lives_in_its_own_environment(spirit_build: Build) -> None:
    """Spirit is importable there and not here."""
    code = "import spirit, sys; print(sys.prefix != sys.base_prefix)"
    there = subprocess.run([spirit_build.python, "-c", code], capture_output=True, text=True, check=True)
    assert there.stdout == "True\n"
    with pytest.raises(ModuleNotFoundError):
        __import__("spirit")


def test_the_caller_s_environment_stays_here(start_spirit: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the caller has in its environment, such as a password, does not reach the forum."""
    monkeypatch.setenv("TURNERO_PASSWORD", "canary-7261")
    monkeypatch.setenv("DJANGO_SETTINGS_MODULE", "nonsense")
    server = start_spirit()
    assert server._process is not None
    environment = Path(f"/proc/{server._process.pid}/environ").read_bytes()
    assert b"HOME=" in environment
    assert b"canary-7261" not in environment


def test_a_stopped_forum_leaves_neither_port_nor_folder(spirit_build: Build) -> None:
    """Stopping ends the process and removes its copy; stopping again does nothing."""
    with SpiritServer(spirit_build, ACCOUNTS) as server:
        folder = server._folder
        assert folder is not None
        assert folder.exists()
    server.stop()
    assert not folder.exists()
    assert not _is_open(server.url)


def test_a_forum_ends_with_its_owner(spirit_build: Build) -> None:
    """When whoever started it is killed, the forum ends by itself."""
    code = (
        "import json, sys, time; from pathlib import Path\n"
        "from jobs.demo.spirit_server import Account, Build, SpiritServer\n"
        "build = Build(Path(sys.argv[1]), Path(sys.argv[2]))\n"
        "with SpiritServer(build, [Account('alice', 'Passw0rd-alice')]) as server:\n"
        "    print(json.dumps([server.url, server._process.pid, str(server._folder)]), flush=True)\n"
        "    time.sleep(60)\n"
    )
    owner = subprocess.Popen(
        [sys.executable, "-c", code, str(spirit_build.python), str(spirit_build.pristine)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).resolve().parents[2],
        env={**os.environ, "PYTHONPATH": "."},
    )
    with owner:
        assert owner.stdout is not None
        url, pid, folder = json.loads(owner.stdout.readline())
        assert _is_open(url)
        owner.send_signal(signal.SIGKILL)
    _wait_for_end(pid)
    assert not _is_open(url)
    shutil.rmtree(folder)


def test_a_forum_that_can_t_start_says_why(spirit_build: Build) -> None:
    """A wrong setting ends in an error with the end of the forum's log, and leaves nothing running."""
    with (
        pytest.raises(ForumBootError, match="nonsense"),
        SpiritServer(spirit_build, ACCOUNTS, settings={"INSTALLED_APPS": ["nonsense"]}),
    ):
        pass


def test_a_topic_by_nobody_is_refused(spirit_build: Build) -> None:
    """A mistake in the description is told, too."""
    with (
        pytest.raises(ForumBootError, match="gamemaster"),
        SpiritServer(spirit_build, [Account("alice", "Passw0rd-alice")], **SCENE),
    ):
        pass


def test_the_judge_lists_what_the_database_holds(spirit: SpiritServer) -> None:
    """Posts, edits and removals as the forum itself knows them."""
    topic = spirit.topics[TITLE]
    written = spirit.write_post(topic, ALICE.name, "uno\ndos")
    spirit.edit_post(written, "tres")
    spirit.remove_post(written)
    post = spirit.posts()[-1]
    assert (post["id"], post["topic"], post["title"]) == (written, topic, TITLE)
    assert (post["author"], post["author_id"], post["text"]) == ("alice", spirit.accounts["alice"], "tres")
    assert (post["edits"], post["removed"], post["private"], post["action"]) == (1, True, False, 0)


def test_reset_brings_back_the_start(spirit: SpiritServer) -> None:
    """Posts, clock and sessions are as at the start."""
    start = spirit.posts()
    alice = connect(spirit, ALICE)
    alice.post(spirit.topics[TITLE], "hola")
    spirit.shift_clock(7200)
    spirit.reset()
    assert spirit.posts() == start
    assert alice.read_topic(spirit.topics[TITLE]).last == 1


def test_forums_know_nothing_of_what_they_are_not_told(spirit: SpiritServer) -> None:
    """An unknown command is an error, and the forum lives on."""
    with pytest.raises(ForumBootError, match="unknown command"):
        spirit._ask({"do": "nothing"})
    assert len(spirit.posts()) == 1


def _is_open(url: str) -> bool:
    parts = urlsplit(url)
    with socket.socket() as probe:
        return probe.connect_ex((parts.hostname, parts.port)) == 0


def _wait_for_end(pid: int) -> None:
    for _ in range(500):
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
        except FileNotFoundError:
            return
        if state == "Z":
            return
        time.sleep(0.02)
    raise TimeoutError(f"process {pid} still runs")
