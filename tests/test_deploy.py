"""The examples in deploy/: a unit and two proxies that would carry the room."""

import configparser
import re
import shlex
import subprocess
from pathlib import Path

import pytest
import trustme

from lostcities.cli.main import main
from lostcities.server import history_routes
from needs import program
from proxies import DEPLOY, Site, nginx

UNIT = DEPLOY / "lostcities.service"


def unit() -> configparser.ConfigParser:
    parser = configparser.ConfigParser(strict=True, interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read_string(UNIT.read_text(encoding="utf-8"))
    return parser


def test_the_unit_starts_the_room_with_options_it_has(capsys: pytest.CaptureFixture[str]) -> None:
    found = unit()
    assert found.sections() == ["Unit", "Service", "Install"]
    words = shlex.split(found["Service"]["ExecStart"])
    assert words[0].startswith("/")
    assert words[1] == "serve"
    assert main(["serve", "--help"]) == 0
    known = set(re.findall(r"--[a-z-]+", capsys.readouterr().out))
    assert {word for word in words if word.startswith("--")} <= known
    state = found["Service"]["StateDirectory"]
    assert words[words.index("--data-dir") + 1] == f"/var/lib/{state}"


def ran(*command: str | Path) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.needs("systemd")
def test_systemd_accepts_the_unit(tmp_path: Path) -> None:
    analyze = program("systemd-analyze")
    assert analyze is not None
    copy = tmp_path / UNIT.name
    text = UNIT.read_text(encoding="utf-8").replace("/opt/lostcities/bin/lostcities", "/bin/true")
    copy.write_text(text, encoding="utf-8")
    said = ran(analyze, "verify", copy).stderr
    assert "lostcities.service" not in said, said


def blocks(text: str) -> list[str]:
    """The statements of an nginx configuration, those that open a block ending in ``{``."""
    bare = re.sub(r"#.*", "", text)
    return [" ".join(each.split()) for each in re.findall(r"[^;{}]+[;{]|\}", bare)]


def test_nginx_passes_what_the_room_needs() -> None:
    found = blocks((DEPLOY / "nginx.conf").read_text(encoding="utf-8"))
    depth = 0
    for each in found:
        depth += each.endswith("{") - (each == "}")
        assert depth >= 0
    assert depth == 0
    for wanted in (
        "proxy_http_version 1.1;",
        "proxy_set_header Host $host;",
        "proxy_set_header Upgrade $http_upgrade;",
        "proxy_set_header Connection $connection_upgrade;",
        "proxy_set_header X-Forwarded-Proto $scheme;",
        "proxy_set_header X-Forwarded-For $remote_addr;",
    ):
        assert wanted in found


@pytest.mark.needs("nginx")
def test_nginx_takes_the_example_without_a_warning(tmp_path: Path) -> None:
    tested = ran(*nginx(Site(tmp_path, 8443, 8420, trustme.CA())), "-t")
    assert tested.returncode == 0, tested.stderr
    assert "[warn]" not in tested.stderr, tested.stderr


@pytest.mark.needs("caddy")
@pytest.mark.parametrize("way", ["validate", "adapt"])
def test_caddy_takes_the_example_as_it_lies_there(way: str) -> None:
    caddy = program("caddy")
    assert caddy is not None
    tested = ran(caddy, way, "--adapter", "caddyfile", "--config", DEPLOY / "Caddyfile")
    assert tested.returncode == 0, tested.stderr
    assert '"level":"warn"' not in tested.stderr, tested.stderr


@pytest.mark.needs("caddy")
def test_caddy_calls_the_example_well_formatted() -> None:
    caddy = program("caddy")
    assert caddy is not None
    tested = ran(caddy, "fmt", DEPLOY / "Caddyfile")
    assert tested.stdout == (DEPLOY / "Caddyfile").read_text(encoding="utf-8")


def test_nginx_lets_the_largest_body_pass() -> None:
    """It was 64k once, which kept records of long matches out of rooms behind nginx alone."""
    found = blocks((DEPLOY / "nginx.conf").read_text(encoding="utf-8"))
    (most,) = (each for each in found if each.startswith("client_max_body_size"))
    megabytes = re.fullmatch(r"client_max_body_size (\d+)m;", most)
    assert megabytes is not None
    assert int(megabytes[1]) * 2**20 >= max(history_routes.TEXT, history_routes.LINK)


def test_both_proxies_lead_to_where_the_unit_listens() -> None:
    words = shlex.split(unit()["Service"]["ExecStart"])
    place = f"{words[words.index('--host') + 1]}:{words[words.index('--port') + 1]}"
    host = words[words.index("--public-url") + 1].removeprefix("https://")
    for name in ("nginx.conf", "Caddyfile"):
        text = (DEPLOY / name).read_text(encoding="utf-8")
        assert place in text
        assert host in text
