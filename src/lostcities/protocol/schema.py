"""The wire as one JSON schema, from which the page's types are generated.

``python -m lostcities.protocol.schema`` prints it; ``npm run types`` (in ``web/``) writes it down
and makes TypeScript of it. Both files are checked in and tests compare them with this module.
"""

from __future__ import annotations

import inspect
import json
import sys
from typing import Any

import msgspec

from lostcities.protocol import account, company, history, http, messages, notices, practice

BODIES = (http, history, account, company, practice, notices)
"""The modules of the HTTP API's bodies."""

REF = "#/definitions/{name}"


def wire_types() -> tuple[Any, ...]:
    """The two message unions and every body of the HTTP API, in the order of their modules."""
    bodies = [
        value
        for module in BODIES
        for value in vars(module).values()
        if inspect.isclass(value) and issubclass(value, http.Body) and value is not http.Body
    ]
    return (messages.ClientMessage, messages.ServerMessage, *bodies)


def schema() -> dict[str, Any]:
    """JSON schema whose ``definitions`` hold every type of the wire, sorted by name.

    ``ClientMessage`` and ``ServerMessage`` are discriminated by ``type``. What the server writes is
    always whole, so a key with a default is required of it; of a client it is optional.
    """
    outs, components = msgspec.json.schema_components(wire_types(), ref_template=REF)
    for name in _written_by_server(components):
        component = components[name]
        component["required"] = list(component["properties"])
    components["ProtocolVersion"] = {"const": messages.PROTOCOL_VERSION}
    components["ClientMessage"] = outs[0]
    components["ServerMessage"] = outs[1]
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "Wire",
        "description": f"The wire, protocol version {messages.PROTOCOL_VERSION}.",
        "type": "object",
        "definitions": dict(sorted(components.items())),
    }


_READ_BY_SERVER = {
    "Hello", "Play", "Continue", "Resign", "OfferDraw", "AnswerDraw", "AskBack", "AnswerBack",
    "EndAbsent", "Ping", "NewTable", "Join", "UseDeviceCode", "RecordText", "SheetLink",
    "NewAccount", "SignIn", "NewPassphrase", "Forget",
    "Say",
    "Password", "HostCode", "TableOrder", "PersonOrder", "NewClass", "ClassOrder",
    "NewLesson", "StartLesson", "Look", "Subscription", "NoticeWhen", "MailAddress", "MailCode",
}  # fmt: skip


def _written_by_server(components: dict[str, Any]) -> list[str]:
    return [
        name
        for name, component in components.items()
        if name not in _READ_BY_SERVER and "properties" in component
    ]


def main() -> None:
    """Print the schema."""
    json.dump(schema(), sys.stdout, indent=2, ensure_ascii=False)
    sys.stdout.write("\n")


if __name__ == "__main__":
    main()
