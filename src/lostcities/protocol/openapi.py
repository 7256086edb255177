"""The HTTP API as an OpenAPI document, for programs that want to talk to a room.

``GET /api/openapi.json`` serves it, and ``python -m lostcities.protocol.openapi`` prints it. The bodies
are those of :mod:`.http` and its neighbours, which say what they mean; a test keeps the list of
operations equal to the room's routes.
"""

from __future__ import annotations

import functools
import json
import sys
from dataclasses import dataclass
from typing import Any

import msgspec

from lostcities.protocol import account, company, history, http, messages, notices, practice

REF = "#/components/schemas/{name}"
Body = type[http.Body]


@dataclass(frozen=True, slots=True)
class Operation:
    """One thing that can be asked of a room.

    Attributes:
        method: ``GET`` or ``POST``.
        path: with its parameters in braces.
        reads: the body it takes, or None.
        answers: the body of success, the media type of a file, or None for ``{}``.
        status: of success.
        query: parameters that may follow a question mark, each with its schema.
    """

    method: str
    path: str
    reads: Body | None = None
    answers: Body | str | None = None
    status: int = 200
    query: tuple[tuple[str, dict[str, Any]], ...] = ()


def _get(path: str, answers: Body | str, *query: tuple[str, dict[str, Any]]) -> Operation:
    return Operation("GET", path, None, answers, 200, query)


def _post(
    path: str, reads: Body | None = None, answers: Body | str | None = None, status: int = 200
) -> Operation:
    return Operation("POST", path, reads, answers, status)


TEXT, CSV, ZIP, SVG = "text/plain", "text/csv", "application/zip", "image/svg+xml"
_LIMIT = ("limit", {"type": "integer", "minimum": 1, "maximum": 100})
_BEFORE = ("before", {"type": "string"})
_TABLE = "/api/tables/{match}"

OPERATIONS: tuple[Operation, ...] = (
    _get("/api/health", http.Health),
    _get("/api/room", http.RoomInfo),
    _get("/api/openapi.json", "application/json"),
    _get("/api/tables", http.MyTables),
    _post("/api/tables", http.NewTable, http.TableMade, 201),
    _get("/api/invites/{code}", http.InviteInfo),
    _post("/api/invites/{code}", http.Join, http.Joined),
    _post(f"{_TABLE}/leave"),
    _post(f"{_TABLE}/again", None, http.TableMade),
    _post(f"{_TABLE}/device", None, http.DeviceCode),
    _post("/api/device", http.UseDeviceCode, http.Joined),
    _get(f"{_TABLE}/record", TEXT),
    _get(f"{_TABLE}/qr.svg", SVG),
    _get(
        "/api/games",
        history.Games,
        ("opponent", {"type": "string"}),
        ("rules", {"type": "string"}),
        ("result", {"type": "string"}),
        _BEFORE,
        _LIMIT,
    ),
    _get("/api/games/results", history.Results),
    _get("/api/games.csv", CSV),
    _get("/api/games.zip", ZIP),
    _get("/api/replays/{id}", history.ReplayOutline),
    _get("/api/replays/{id}/{round}", history.ReplayRound),
    _post(f"{_TABLE}/share", None, history.Shared),
    _post(f"{_TABLE}/unshare"),
    _post("/api/records/look", history.RecordText, history.RecordLook),
    _post("/api/records", history.RecordText, history.Kept, 201),
    _get("/api/records", history.Records, _BEFORE, _LIMIT),
    _get("/api/records/{id}", TEXT),
    _post("/api/records/{id}/drop"),
    _post("/api/sheets", history.SheetLink, history.KeptSheet, 201),
    _get("/api/sheets", history.KeptSheets, ("rules", {"type": "string"}), _BEFORE, _LIMIT),
    _post("/api/sheets/{id}/drop"),
    _get("/api/account", account.AccountInfo),
    _post("/api/account", account.NewAccount, account.AccountInfo),
    _post("/api/account/sign-in", account.SignIn, account.AccountInfo),
    _post("/api/account/sign-out"),
    _post("/api/account/sign-out-others", None, account.AccountInfo),
    _post("/api/account/passphrase", account.NewPassphrase, account.AccountInfo),
    _post("/api/account/forget", account.Forget),
    _get("/api/notices", notices.NoticeInfo),
    _post("/api/notices/push", notices.Subscription, notices.NoticeInfo),
    _post("/api/notices/push/drop", None, notices.NoticeInfo),
    _post("/api/notices/test", None, notices.NoticeTried),
    _post("/api/notices/when", notices.NoticeWhen, notices.NoticeInfo),
    _post("/api/notices/mail", notices.MailAddress, notices.NoticeInfo),
    _post("/api/notices/mail/drop", None, notices.NoticeInfo),
    _post("/api/notices/mail/confirm", notices.MailCode),
    _post("/api/notices/mail/stop/{stop}"),
    _get("/api/lobby", company.Lobby),
    _post(f"{_TABLE}/join", http.Join, http.Joined),
    _post(f"{_TABLE}/forget-chat"),
    _post("/api/enter", company.Password),
    _post("/api/host", company.HostCode),
    _get("/api/host", company.Desk),
    _post("/api/host/tables/{match}", company.TableOrder),
    _post("/api/host/people", company.PersonOrder),
    _post("/api/host/classes", company.NewClass, company.ClassMade, 201),
    _post("/api/host/classes/{code}", company.ClassOrder),
    _get("/api/host/classes/{code}/qr.svg", SVG),
    _get("/api/classes/{code}", company.ClassInfo),
    _post("/api/classes/{code}", http.Join, http.Joined),
    _post("/api/lessons", practice.NewLesson, practice.LessonMade, 201),
    _get("/api/lessons/{code}", practice.LessonInfo),
    _post("/api/lessons/{code}", practice.StartLesson, http.TableMade, 201),
    _post(f"{_TABLE}/hint", None, practice.Hint),
)


@functools.cache
def document() -> dict[str, Any]:
    """The whole document, OpenAPI 3.1; made once, to be read only."""
    paths: dict[str, dict[str, Any]] = {}
    named = (each for operation in OPERATIONS for each in (operation.reads, operation.answers))
    types = [http.ErrorBody, *(each for each in named if isinstance(each, type))]
    _, components = msgspec.json.schema_components(types, ref_template=REF)
    for operation in OPERATIONS:
        paths.setdefault(operation.path, {})[operation.method.lower()] = _described(operation)
    return {
        "openapi": "3.1.0",
        "info": {"title": "A room of lostcities", "version": str(messages.PROTOCOL_VERSION)},
        "paths": paths,
        "components": {"schemas": components},
    }


def _described(operation: Operation) -> dict[str, Any]:
    success = {"description": "done", "content": _content(operation.answers)}
    error = {"description": "refused, and why", "content": _content(http.ErrorBody)}
    told: dict[str, Any] = {"responses": {str(operation.status): success, "default": error}}
    parameters = [*_path_parameters(operation.path), *_query_parameters(operation.query)]
    if parameters:
        told["parameters"] = parameters
    if operation.reads is not None:
        told["requestBody"] = {"required": True, "content": _content(operation.reads)}
    return told


def _content(what: Body | str | None) -> dict[str, Any]:
    if isinstance(what, str):
        return {what: {"schema": {}}}
    schema = {"type": "object"} if what is None else {"$ref": REF.format(name=what.__name__)}
    return {"application/json": {"schema": schema}}


def _path_parameters(path: str) -> list[dict[str, Any]]:
    names = [part[1:-1] for part in path.split("/") if part.startswith("{")]
    return [
        {"name": name, "in": "path", "required": True, "schema": _PATH.get(name, _NAME)}
        for name in names
    ]


_NAME: dict[str, Any] = {"type": "string", "minLength": 1}
_PATH: dict[str, dict[str, Any]] = {"round": {"type": "integer", "minimum": 1}}


def _query_parameters(query: tuple[tuple[str, dict[str, Any]], ...]) -> list[dict[str, Any]]:
    return [{"name": name, "in": "query", "schema": schema} for name, schema in query]


def main() -> None:
    """Print the document."""
    json.dump(document(), sys.stdout, indent=2, ensure_ascii=False)
    sys.stdout.write("\n")


if __name__ == "__main__":
    main()
