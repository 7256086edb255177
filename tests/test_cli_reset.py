"""`lostcities db reset-passphrase`, beside a real database."""

from pathlib import Path

import pytest

from lostcities.cli.main import main
from lostcities.service.passphrase import Passphrases
from rooms import Person, running

WORDS = "four plain words here"


async def test_the_host_resets_a_passphrase(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import asyncio

    order = ["db", "reset-passphrase", "ada", "--data-dir", str(tmp_path)]
    async with running(tmp_path / "room.sqlite3") as room, Person(room.url) as ada:
        room.room.accounts._passphrases = Passphrases(memory_kib=64, passes=1)
        await ada.post("/api/account", {"name": "Ada", "passphrase": WORDS})
        assert await asyncio.to_thread(main, order) == 1
        assert "another room is using" in capsys.readouterr().err
    assert await asyncio.to_thread(main, order) == 0
    fresh = capsys.readouterr().out.partition(": ")[2].splitlines()[0]
    assert await asyncio.to_thread(main, [*order[:2], "nobody", *order[3:]]) == 1
    assert "nobody signs in as 'nobody'" in capsys.readouterr().err
    async with running(tmp_path / "room.sqlite3") as room, Person(room.url) as phone:
        body = {"name": "Ada", "passphrase": WORDS}
        await phone.post("/api/account/sign-in", body, 403)
        info = await phone.post("/api/account/sign-in", {"name": "Ada", "passphrase": fresh})
        assert info["must_change"] is True
