"""A room inside the test: the built page and a socket that plays one round by the real rules.

The page under test is the production build, served under the policy the room serves it with; the
views are made by the core, so what is legal is legal. Positions can be set that no match reaches in
a test's time: full rows on both sides, the last card of the deck, a table waiting for a friend.
"""

import json
import mimetypes
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import msgspec
from msgspec import to_builtins

import lostcities
from lostcities.core.cards import Colour
from lostcities.core.pace import Pace
from lostcities.core.position import parse_position
from lostcities.core.round import RoundState, play_turn
from lostcities.core.rules import Rules
from lostcities.core.scoring import score_expedition
from lostcities.core.seats import SEATS, Seat
from lostcities.core.turn import parse_turn
from lostcities.core.view_json import view_to_dict
from lostcities.core.views import view_of_round
from lostcities.protocol.messages import PROTOCOL_VERSION
from lostcities.protocol.terms import Terms
from lostcities.service.seeing import pace_info

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route, WebSocketRoute

DIST = Path(lostcities.__file__).parent / "web_dist"
ORIGIN = "http://room.test"
CSP = (
    "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; "
    "object-src 'none'"
)

LAST_CARD = (
    "0 | R9 Y4 | R10 B3 | YX YX Y2 G2 G3 G4 G5 G6 G7 G8 G9 | W4 W6 BX B9 | R3 | W5"
)  # fmt: skip
START = (
    "0 | YX Y5 B3 WX W2 G7 R4 R9 | B7 B8 Y9 W6 G2 G3 R2 R3 | - | - | - | "
    "Y2 B2 W3 G4 R5 Y6 B4 W7 G8 R10 YX BX"
)
MIDDLE = (
    "0 | YX Y5 B3 WX W2 G7 R4 R9 | ?8 | Y2 Y3 B4 B7 RX RX R2 | W4 W6 G2 G3 G4 BX | "
    "Y9 R3 W3 G6 R6 | Y4 B8 W7 G8 R5 Y6 B9 W8 G9 R7 Y7 B10 W9 G10 R8 Y8 B2"
)
FIVE_FULL = (
    "0 | Y9 Y10 B9 B10 W9 W10 G9 R10 | ?8 | YX Y2 Y3 Y4 Y5 Y6 Y7 Y8 BX B2 B3 B4 B5 B6 B7 B8 | "
    "WX WX W2 W3 W4 W5 W6 W7 GX GX G2 G3 G4 G5 G6 G7 RX RX R2 R3 R4 R5 R6 R7 | YX R8 | ?2"
)
SIX_FULL = (
    "0 | Y9 Y10 B9 B10 W9 W10 G9 P10 | ?8 | YX Y2 Y3 Y4 Y5 Y6 Y7 Y8 BX B2 B3 B4 B5 B6 B7 B8 "
    "PX PX PX P2 P3 P4 P5 P6 | "
    "WX WX W2 W3 W4 W5 W6 W7 GX GX G2 G3 G4 G5 G6 G7 RX RX R2 R3 R4 R5 R6 R7 | YX BX RX R8 | ?4"
)


def pace_of(written: str) -> dict[str, Any]:
    """Time rules as the wire has them."""
    return msgspec.structs.asdict(pace_info(Pace.parse(written)))


def full_rules(rules: Rules) -> dict[str, Any]:
    """The rules with every key, as the wire has them."""
    return rules.to_dict()


class FakeRoom:
    """One table with seat 0 (or a spectator) in the page under test; the test is everything else."""

    def __init__(
        self,
        page: "Page",
        position: str = MIDDLE,
        rules: Rules | None = None,
        *,
        seat: Seat | None = 0,
        names: tuple[str, str] = ("Ada", "Grace"),
        kinds: tuple[str, str] = ("person", "person"),
        totals: tuple[int, int] = (0, 0),
        phase: str | None = None,
    ) -> None:
        self.page = page
        self.rules = rules or Rules()
        self.state: RoundState = parse_position(position, self.rules)
        self.seat = seat
        self.names = names
        self.kinds = kinds
        self.earlier = totals
        self.phase = phase
        self.seq = 10
        self.events: list[dict[str, Any]] = []
        self.received: list[dict[str, Any]] = []
        self.sockets: list[WebSocketRoute] = []
        self.extra: dict[str, Any] = {}
        self.continued = [False, False]
        self.pace = "absent=180"
        self.clock: dict[str, Any] | None = None
        self.away: list[int | None] = [None, None]
        self.done: list[dict[str, Any]] = []
        self.mute = False
        self.qr = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M1 1h3v3H1z"/></svg>'
        self.answer: Callable[[dict[str, Any]], None] = self._answer
        self.api: dict[str, Any] = {}
        page.route("**/*", self._serve)
        page.route_web_socket("**/api/socket", self._socket)

    # ---- what is told ---------------------------------------------------------------------------

    def view(self) -> dict[str, Any] | None:
        if self.phase == "waiting":
            return None
        number = len(self.done) + (0 if self.state.over else 1)
        totals = type(self.state.score)(*self.earlier)
        view = view_to_dict(view_of_round(self.state, self.seat, max(1, number), totals))
        return {"hand": None, "exposed": None, "run": None, **view}

    def table(self) -> dict[str, Any]:
        over = self.state.over
        phase = self.phase or ("between" if over else "playing")
        score = self.state.score
        totals = [
            self.earlier[seat] + (score[seat] if over or phase == "over" else 0) for seat in SEATS
        ]
        empty = phase == "waiting"
        return {
            "match": "m1",
            "phase": phase,
            "seats": [
                {
                    "kind": "empty" if empty and seat == 1 else self.kinds[seat],
                    "name": "" if empty and seat == 1 else self.names[seat],
                    "present": not (empty and seat == 1),
                    "continued": self.continued[seat],
                }
                for seat in SEATS
            ],
            "rules": full_rules(self.rules),
            "rounds_done": self.done,
            "totals": totals,
            "starter": 0,
            "next_starter": 1 if phase == "between" else None,
            "workings": [
                {
                    Colour(index).letter: asdict(score_expedition(row, self.rules))
                    for index, row in enumerate(self.state.expeditions[seat])
                    if row
                }
                for seat in SEATS
            ],
            "offer": None,
            "termination": None,
            "winner": None,
            "terms": to_builtins(Terms()),
            "paused": False,
            "pace": pace_of(self.pace),
            "clock": self.clock,
            "away": self.away,
            "invite": "/i/k3y" if empty else None,
            "again": None,
            "again_by": None,
            "back": 0,
            "back_open": None,
            "back_asked": None,
            "sent_away": None,
            "group": None,
            "moved_to": None,
            **self.extra,
        }

    # ---- what the page asks -----------------------------------------------------------------------

    def _serve(self, route: "Route") -> None:
        path = urlsplit(route.request.url).path
        if path.startswith("/api/"):
            return self._api(route, path)
        file = DIST / path.lstrip("/")
        if not file.is_file():
            file = DIST / "index.html"
        kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
        headers = {"content-security-policy": CSP, "content-type": kind}
        return route.fulfill(status=200, headers=headers, body=file.read_bytes())

    def _api(self, route: "Route", path: str) -> None:
        if path.endswith("/qr.svg"):
            return route.fulfill(status=200, content_type="image/svg+xml", body=self.qr)
        answers = {
            "/api/room": {
                "version": "0.1.0",
                "protocol": PROTOCOL_VERSION,
                "name": None,
                "agents": [
                    {"name": "random", "title": "Chance", "description": "Plays anything."},
                    {"name": "steady", "title": "Steady", "description": "Counts and waits."},
                ],
                "presets": [
                    {"name": "room", "rules": str(Rules())},
                    {"name": "long", "rules": "colours=6"},
                ],
                "reach": "network",
                "base_url": ORIGIN,
                "secure": False,
            },
            "/api/tables": {"tables": []},
            "/api/lobby": {"tables": []},
            **self.api,
        }
        if path not in answers:
            problem = {"error": {"reason": "not_found", "text": "There is nothing here."}}
            return route.fulfill(status=404, json=problem)
        answer = answers[path]
        if path.startswith("/api/invites/") and "host" in answer:
            answer = {"terms": to_builtins(Terms()), "pace": pace_of(self.pace), **answer}
        return route.fulfill(status=200, json=answer)

    def _socket(self, socket: "WebSocketRoute") -> None:
        self.sockets.append(socket)
        socket.on_message(lambda text: self._receive(socket, json.loads(text)))

    def _receive(self, socket: "WebSocketRoute", message: dict[str, Any]) -> None:
        self.received.append(message)
        if message["type"] == "hello":
            if not self.mute:
                self._greet(socket, message["last_seq"])
        elif message["type"] not in ("ping", "look"):
            self.answer(message)

    def _greet(self, socket: "WebSocketRoute", last: int) -> None:
        if last < self.seq:
            self.tell(
                {
                    "type": "snapshot",
                    "seq": self.seq,
                    "seat": self.seat,
                    "table": self.table(),
                    "view": self.view(),
                    "log": self.events,
                },
                socket,
            )
        self.tell({"type": "ready", "seq": self.seq, "run": "r1"}, socket)

    def tell(self, message: dict[str, Any], socket: "WebSocketRoute | None" = None) -> None:
        (socket or self.sockets[-1]).send(json.dumps(message))

    # ---- what happens -----------------------------------------------------------------------------

    def commands(self, kind: str) -> list[dict[str, Any]]:
        return [message for message in self.received if message["type"] == kind]

    def _answer(self, message: dict[str, Any]) -> None:
        if message["type"] != "play" or message["ply"] != self.state.ply:
            return
        self.play(message["turn"])
        self.tell({"type": "ack", "cmd_id": message["cmd_id"], "seq": self.seq})

    def play(self, token: str) -> None:
        """A turn of the seat to move; the page is told."""
        mover = self.state.to_move
        self.state = play_turn(self.state, parse_turn(token))
        last = self.state.last_turn
        assert last is not None
        turn = str(last if mover == self.seat else last.public)
        if self.state.over:
            score = list(self.state.score)
            ended = {"start": 0, "score": score, "termination": None, "turns": self.state.ply}
            self.done.append(ended)
        self.happen("turn", seat=mover, ply=self.state.ply, turn=turn)

    def happen(self, kind: str, **fields: Any) -> None:
        """An event; the page is told."""
        self.seq += 1
        event = {
            "seq": self.seq,
            "kind": kind,
            "seat": None,
            "round": 1,
            "ply": None,
            "turn": None,
            **fields,
        }
        self.events.append(event)
        self.tell(
            {
                "type": "update",
                "from_seq": self.seq - 1,
                "seq": self.seq,
                "events": [event],
                "table": self.table(),
                "view": self.view(),
            }
        )

    def open(self, path: str = "/t/m1") -> None:
        self.page.goto(ORIGIN + path)
