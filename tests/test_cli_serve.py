"""The command `serve`: what it says, and what stops it."""

import contextlib
import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from lostcities.cli import serve
from lostcities.server.settings import Settings
from running import run_here


@contextlib.contextmanager
def serving(*options: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The room in a process of its own, and its address as it printed it."""
    with subprocess.Popen(
        [sys.executable, "-m", "lostcities", "serve", "--port", "0", *options],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        assert process.stderr is not None
        first = process.stdout.readline()
        found = re.search(r"http://\S+", first)
        assert found, first + process.stderr.read()
        try:
            yield process, found[0]
        finally:
            if process.poll() is None:
                process.kill()


def taken_port() -> socket.socket:
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    listening.listen()
    return listening


def refused(*options: str) -> str:
    """The one line on stderr of a room that does not start."""
    ran = run_here("serve", "--host", "127.0.0.1", *options)
    assert ran.status == 1
    assert ran.out == ""
    lines = ran.err.splitlines()
    assert len(lines) == 1, lines
    return lines[0]


@pytest.mark.skipif(os.name == "nt", reason="signals are sent")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_room_opens_says_where_and_closes(tmp_path: Path, number: int) -> None:
    with serving("--host", "127.0.0.1", "--data-dir", str(tmp_path / "data")) as (process, url):
        assert httpx2.get(f"{url}/api/health").json()["ok"]
        process.send_signal(number)
        assert process.wait(30) == 0
        assert process.stdout is not None
        assert process.stderr is not None
        out = process.stdout.read()
        assert process.stderr.read() == ""
    assert "Reachable from this machine only." in out
    assert f"Matches are kept in: {tmp_path / 'data' / 'room.sqlite3'}" in out
    assert "The room is closed; every match is kept." in out
    assert (tmp_path / "data" / "room.sqlite3").exists()


def test_a_port_in_use(tmp_path: Path) -> None:
    with taken_port() as taken:
        port = str(taken.getsockname()[1])
        line = refused("--port", port, "--data-dir", str(tmp_path))
    assert f"cannot listen on 127.0.0.1 port {port}: it is in use" in line
    assert list(tmp_path.iterdir()) == [], "nothing was made"


def test_a_second_room_on_the_same_data(tmp_path: Path) -> None:
    with serving("--host", "127.0.0.1", "--data-dir", str(tmp_path)) as (_, url):
        line = refused("--port", "0", "--data-dir", str(tmp_path))
        assert f"another room is using {tmp_path / 'room.sqlite3'}" in line
        assert httpx2.get(f"{url}/api/health").is_success


def test_a_data_folder_that_cannot_be_made(tmp_path: Path) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.write_text("")
    line = refused("--port", "0", "--data-dir", str(in_the_way / "data"))
    assert line.startswith(
        f"lostcities serve: cannot open {in_the_way / 'data' / 'room.sqlite3'}: "
    )


@pytest.mark.skipif(getattr(os, "geteuid", lambda: 1)() == 0, reason="root may write everywhere")
def test_a_folder_that_may_only_be_read(tmp_path: Path) -> None:
    tmp_path.chmod(0o555)
    line = refused("--port", "0", "--data-dir", str(tmp_path))
    tmp_path.chmod(0o755)
    assert "cannot open" in line


@pytest.mark.skipif(getattr(os, "geteuid", lambda: 1)() == 0, reason="root may write everywhere")
def test_a_database_that_may_only_be_read(tmp_path: Path) -> None:
    path = tmp_path / "room.sqlite3"
    sqlite3.connect(path).close()
    path.chmod(0o444)
    assert "readonly" in refused("--port", "0", "--data-dir", str(tmp_path))


@pytest.mark.skipif(sys.platform != "linux", reason="limits the size of files")
def test_a_disk_that_is_full_from_the_start(tmp_path: Path) -> None:
    code = (
        "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))\n"
        "from lostcities.cli.main import main\nraise SystemExit(main())"
    )
    options = ["--host", "127.0.0.1", "--port", "0", "--data-dir", str(tmp_path)]
    # A child whose files may not grow cannot write the data of `make coverage` either.
    unmeasured = {name: each for name, each in os.environ.items() if "COVERAGE" not in name}
    ran = subprocess.run(
        [sys.executable, "-c", code, "serve", *options],
        capture_output=True, text=True, timeout=60, check=False, env=unmeasured,
    )  # fmt: skip
    assert ran.returncode == 1
    assert len(ran.stderr.splitlines()) == 1, ran.stderr
    assert f"cannot open {tmp_path / 'room.sqlite3'}" in ran.stderr


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (("--public-url", "cards.example.org"), "no address of a room"),
        (("--port", "0", "--database", "mysql://x/y"), "not supported"),
        (("--port", "0", "--host", "192.0.2.77"), "cannot listen on 192.0.2.77"),
    ],
)
def test_wrong_options_are_refused_in_words(options: tuple[str, ...], reason: str) -> None:
    assert reason in refused(*options)


def test_the_data_folder_follows_the_system(tmp_path: Path) -> None:
    from argparse import ArgumentParser

    from platformdirs import user_data_path

    parser = ArgumentParser()
    serve.configure(parser)
    expected = user_data_path("lostcities", appauthor=False) / "room.sqlite3"
    assert serve.database_url(parser.parse_args([])) == f"sqlite:///{expected}"
    given = parser.parse_args(["--data-dir", str(tmp_path)])
    assert serve.database_url(given) == f"sqlite:///{tmp_path / 'room.sqlite3'}"
    elsewhere = parser.parse_args(["--database", "postgresql://x/y"])
    assert serve.database_url(elsewhere) == "postgresql://x/y"


@pytest.mark.parametrize(
    ("settings", "lines"),
    [
        (Settings("192.168.1.5", 80), ["On the home network: http://192.168.1.5:80", "plain HTTP"]),
        (Settings("127.0.0.1", 80), ["this machine only"]),
        (Settings("127.0.0.1", 80, "https://cards.example.org"), ["https://cards.example.org"]),
    ],
)
def test_the_greeting_says_how_far_the_room_reaches(settings: Settings, lines: list[str]) -> None:
    greeting = serve.greeting(settings, "/data/room.sqlite3")
    assert "Matches are kept in: /data/room.sqlite3" in greeting
    for line in lines:
        assert line in greeting


@pytest.mark.skipif(os.name == "nt", reason="signals are sent")
def test_the_browser_is_opened(tmp_path: Path) -> None:
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {tmp_path / "opened"}\n')
    browser.chmod(0o755)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BROWSER", str(browser))
        options = ("--host", "127.0.0.1", "--data-dir", str(tmp_path), "--open")
        with serving(*options) as (process, url):
            for _ in range(200):
                if (tmp_path / "opened").exists() and (tmp_path / "opened").read_text():
                    break
                time.sleep(0.05)
            assert (tmp_path / "opened").read_text().strip() == url
            process.terminate()
            assert process.wait(30) == 0


@pytest.mark.parametrize("port", ["99999", "-1", "many"])
def test_a_port_that_is_none_is_wrong_usage(port: str) -> None:
    ran = run_here("serve", "--port", port)
    assert ran.status == 2
    assert "--port" in ran.err


def test_a_room_that_is_open_already_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[str] = []
    monkeypatch.setattr("webbrowser.open", shown.append)
    with serving("--host", "127.0.0.1", "--data-dir", str(tmp_path)) as (_, url):
        port = url.rstrip("/").rpartition(":")[2]
        ran = run_here("serve", "--host", "127.0.0.1", "--port", port, "--open")
    assert ran.status == 0
    assert shown == [url]
    assert "open already" in ran.out


def test_something_else_on_the_port_is_no_room() -> None:
    with taken_port() as other:
        assert "in use" in refused("--port", str(other.getsockname()[1]), "--open")


def test_the_password_comes_from_a_file_or_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "password"
    file.write_text("open sesame\nmore\n", encoding="utf-8")
    assert serve._password(file) == "open sesame"
    monkeypatch.setenv("LOSTCITIES_PASSWORD", "from outside")
    assert serve._password(None) == "from outside"
    file.write_text("\n", encoding="utf-8")
    assert "no password" in refused("--password-file", str(file))
    assert "No such file" in refused("--password-file", str(tmp_path / "absent"))
