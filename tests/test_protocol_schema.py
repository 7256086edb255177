"""The page's types are made from the wire's; what is checked in must be what the wire is now."""

import json
from pathlib import Path

from lostcities.protocol.schema import schema

CHECKED_IN = Path(__file__).parents[1] / "web/src/net/wire.schema.json"


def test_the_schema_checked_in_is_the_wire_of_today() -> None:
    known = json.loads(CHECKED_IN.read_text(encoding="utf-8"))
    assert known == schema(), "run `npm run types` in web/"


def test_messages_are_told_apart_by_their_type() -> None:
    definitions = schema()["definitions"]
    for union in ("ClientMessage", "ServerMessage"):
        assert definitions[union]["discriminator"]["propertyName"] == "type"


def test_what_the_room_writes_is_whole() -> None:
    definitions = schema()["definitions"]
    assert set(definitions["SeatView"]["required"]) == set(definitions["SeatView"]["properties"])
    assert "last_seq" not in definitions["Hello"].get("required", [])
