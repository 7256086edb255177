"""Mail is handed in to a real SMTP server, kept from others, and says no more than it should."""

import asyncio
import ssl
from pathlib import Path

import pytest

from lostcities.service.notices.mail import (
    Mail,
    Mailer,
    MailError,
    MailSettings,
    checked_address,
    written,
)
from lostcities.service.notices.texts import known, languages, say, texts
from mail_server import SENDER, free_port, mail_server

# The server of the tests thinks of encryption only where it was begun by STARTTLS.
pytestmark = pytest.mark.filterwarnings("ignore:Requiring AUTH while not requiring TLS")

MAIL = Mail(
    "ada@example.org", "Your turn: Zoë", "It is your turn.\n.\nSo it is.\n", "https://x/stop"
)


@pytest.mark.parametrize("security", ["none", "starttls", "tls"])
@pytest.mark.parametrize("password", [None, "a secret"])
async def test_a_mail_arrives_as_it_was_written(security: str, password: str | None) -> None:
    with mail_server(security, password) as server:
        mailer = Mailer(server.settings)
        assert await mailer.send(MAIL) is None
        mailer.close()
    (mail,) = server.mails
    assert server.recipients == [["ada@example.org"]]
    assert (mail["From"], mail["To"], mail["Subject"]) == (SENDER, MAIL.to, MAIL.subject)
    assert str(mail.get_content()).splitlines() == MAIL.text.splitlines()
    assert mail["Auto-Submitted"] == "auto-generated"
    assert mail["List-Unsubscribe"] == "<https://x/stop>"


async def test_a_server_that_is_not_the_one_named_gets_nothing() -> None:
    with mail_server("starttls") as server:
        settings = MailSettings(
            "localhost",
            server.settings.port,
            "starttls",
            SENDER,
            trust=ssl.create_default_context(),
        )
        mailer = Mailer(settings)
        assert await mailer.send(MAIL) is not None
        mailer.close()
        assert server.mails == []


async def test_a_wrong_password_is_no_reason_to_try_for_ever() -> None:
    with mail_server("starttls", "right") as server:
        wrong = MailSettings(
            "localhost", server.settings.port, "starttls", SENDER, "room", "wrong",
            server.settings.trust,
        )  # fmt: skip
        mailer = Mailer(wrong)
        with pytest.raises(MailError):
            await mailer.send(MAIL)
        mailer.close()


@pytest.mark.parametrize(("answer", "again"), [("450 later", True), ("550 never", False)])
async def test_later_and_never_are_told_apart(answer: str, again: bool) -> None:
    with mail_server() as server:
        mailer = Mailer(server.settings)
        for refusal in ("refusal", "no_address"):
            setattr(server, refusal, answer)
            if again:
                assert await mailer.send(MAIL) is not None
            else:
                with pytest.raises(MailError):
                    await mailer.send(MAIL)
        mailer.close()


async def test_where_nobody_listens_it_may_go_through_later() -> None:
    mailer = Mailer(MailSettings("localhost", free_port(), "none", SENDER))
    assert await mailer.send(MAIL) is not None
    mailer.close()


def test_a_password_is_in_no_log() -> None:
    assert "secret" not in repr(MailSettings("h", 1, "tls", SENDER, "me", "secret"))


@pytest.mark.parametrize(
    "text",
    [
        "", "ada", "ada@", "@example.org", "ada@localhost", "a b@example.org",
        "ada@example.org, eve@example.org", "Ada <ada@example.org>", "ada@example.org\r\nBcc: eve@x.y",
        "ada@exämple.org", "äda@example.org", '"a b"@example.org', "ada@[127.0.0.1]", "ada@ex;ample.org",
    ],
)  # fmt: skip
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="no mail address"):
        checked_address(text)


def test_an_address_is_taken_as_it_is() -> None:
    assert checked_address(" Ada.L+cards@Example.org ") == "Ada.L+cards@Example.org"


def test_a_name_cannot_add_a_header() -> None:
    with pytest.raises(ValueError, match=r"newline|linefeed"):
        written(Mail("ada@example.org", "Your turn: x\r\nBcc: eve@example.org", "", None), SENDER)


# ---- what notices say ---------------------------------------------------------------------------


def test_every_language_says_the_same_things() -> None:
    words = Path(__file__).parents[1] / "web/src/words"
    assert languages() == {each.name for each in words.iterdir() if each.is_dir()}
    shape = {section: set(said) for section, said in texts("en").items()}
    for language in languages():
        assert {section: set(said) for section, said in texts(language).items()} == shape


def test_places_in_names_are_not_filled() -> None:
    assert say("en", "turn", "body", name="{url} {0}") == "At the table with {url} {0}"


def test_a_language_without_texts_is_written_to_in_english() -> None:
    assert [known(code) for code in ("de-AT", "DE", "xx", "..", "en")] == [
        "de",
        "de",
        "en",
        "en",
        "en",
    ]


async def test_a_server_that_hangs_holds_nothing_up() -> None:
    async def hang(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(0.2)
        writer.close()

    server = await asyncio.start_server(hang, "127.0.0.1", 0)
    mailer = Mailer(MailSettings("127.0.0.1", server.sockets[0].getsockname()[1], "none", SENDER))
    sending = asyncio.create_task(mailer.send(MAIL))
    await asyncio.wait_for(asyncio.to_thread(lambda: None), 5)
    assert await sending is not None
    server.close()
    mailer.close()
