"""The options of `lostcities serve` about notices, and what a room that was started with them says."""

import argparse
import json
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from lostcities.cli import notices
from lostcities.server.settings import Settings
from lostcities.service.notices import push
from lostcities.service.notices.channels import Channels
from running import command, environment
from serving import Serving


def wished(*options: str) -> Channels:
    parser = argparse.ArgumentParser()
    notices.configure(parser)
    return notices.read(parser.parse_args(options))


MAIL = ("--smtp", "mail.example.org", "--mail-from", "room@example.org")


def test_a_room_pushes_and_sends_no_mail_by_itself() -> None:
    channels = wished()
    assert channels.push is not None
    assert channels.mail is None
    assert notices.in_words(channels) == "Notices by: push."
    assert wished("--no-push").push is None
    assert notices.in_words(wished("--no-push")) == "Notices by: open pages only."


def test_without_its_packages_there_is_no_push_and_it_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(push, "NEEDED", ("no_such_package_anywhere",))
    channels = wished(*MAIL)
    assert (channels.push, channels.no_push) == (None, "missing")
    assert notices.in_words(channels) == (
        "Notices by: mail by mail.example.org. For push: pip install 'lostcities[push]'."
    )


@pytest.mark.parametrize(
    ("options", "port"),
    [((), 587), (("--smtp-security", "tls"), 465), (("--smtp-security", "none"), 25)],
)
def test_mail_has_the_usual_port_of_its_security(options: tuple[str, ...], port: int) -> None:
    mail = wished(*MAIL, *options).mail
    assert mail is not None
    assert mail.port == port


def test_mail_as_a_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "password"
    file.write_text("a secret\n")
    place = ("--smtp", "mail.example.org:2525", "--mail-from", "room@example.org")
    mail = wished(*place, "--smtp-user", "room", "--smtp-password-file", str(file)).mail
    assert mail is not None
    assert (mail.host, mail.port, mail.user, mail.password) == (
        "mail.example.org", 2525, "room", "a secret",
    )  # fmt: skip
    monkeypatch.setenv("LOSTCITIES_SMTP_PASSWORD", "another")
    mail = wished(*place, "--smtp-user", "room").mail
    assert mail is not None
    assert mail.password == "another"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--smtp", "mail.example.org"), "--smtp needs --mail-from"),
        (("--mail-from", "room@example.org"), "--mail-from needs --smtp"),
        (("--smtp-user", "room"), "--smtp-user needs --smtp"),
        (("--smtp", "mail.example.org:x", "--mail-from", "a@b.org"), "HOST or HOST:PORT"),
        (("--smtp", ":25", "--mail-from", "a@b.org"), "HOST or HOST:PORT"),
        (("--smtp", "mail.example.org", "--mail-from", "room"), "no mail address"),
        ((*MAIL, "--smtp-user", "room"), "--smtp-user needs --smtp-password-file"),
        (("--push-contact", "me@example.org"), "mailto:YOU@EXAMPLE.ORG"),
    ],
)
def test_what_does_not_fit_together_is_said(
    options: tuple[str, ...], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("LOSTCITIES_SMTP_PASSWORD", raising=False)
    with pytest.raises(ValueError, match=said):
        wished(*options)


def test_a_password_is_not_sent_in_the_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOSTCITIES_SMTP_PASSWORD", "a secret")
    plain = ("--smtp-security", "none", "--smtp-user", "room")
    with pytest.raises(ValueError, match="show the password"):
        wished(*MAIL, *plain)
    assert wished("--smtp", "localhost", "--mail-from", "a@b.org", *plain).mail is not None


@pytest.mark.parametrize(
    ("options", "public", "contact"),
    [
        (("--push-contact", "mailto:me@example.org"), None, "mailto:me@example.org"),
        (MAIL, "https://cards.example.org", "mailto:room@example.org"),
        ((), "https://cards.example.org:8443", "https://cards.example.org"),
        ((), None, "mailto:host@localhost"),
    ],
)
def test_push_services_are_told_whom_to_write_to(
    options: tuple[str, ...], public: str | None, contact: str
) -> None:
    channels = notices.in_room(wished(*options), Settings("127.0.0.1", 8420, public, name="Den"))
    assert channels.push is not None
    assert channels.push.contact == contact
    assert channels.room == "Den"
    assert channels.base_url == (public or "http://127.0.0.1:8420")


def asked(url: str) -> dict[str, Any]:
    with urllib.request.urlopen(f"{url}/api/notices", timeout=20) as answer:
        info: dict[str, Any] = json.load(answer)
        return info


@pytest.mark.slow
def test_a_room_keeps_its_key_from_its_first_start_on(tmp_path: Path) -> None:
    room = Serving(tmp_path)
    room.start()
    first = asked(room.url)
    room.stop()
    room.start()
    second = asked(room.url)
    room.stop()
    assert first == second
    assert (first["push"], first["mail"], len(first["key"])) == ("on", False, 87)
    assert "Notices by: push." in (tmp_path / "serve.log").read_text()


def test_wrong_options_are_one_sentence(tmp_path: Path) -> None:
    import subprocess

    done = subprocess.run(
        command("serve", "--port", "0", "--data-dir", str(tmp_path), "--smtp", "mail.example.org"),
        capture_output=True, text=True, env=environment(), timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr.strip() == (
        "lostcities serve: --smtp needs --mail-from, the address that mail comes from"
    )
