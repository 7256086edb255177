"""Messages of the socket, as tagged unions (``type`` names the kind).

The socket is at ``/api/socket``. A client sends :data:`ClientMessage`, the server
:data:`ServerMessage`, one JSON object a frame. Every push carries the whole view of its seat and
the events since, for animation: the page holds no rules. Types are exported to the page as JSON schema, see :mod:`lostcities.protocol.schema`.

msgspec checks on decoding only, never on construction.
"""

from __future__ import annotations

from typing import Annotated

import msgspec

from lostcities.protocol.terms import Terms

PROTOCOL_VERSION = 5
"""Raised whenever the meaning of a message changes."""

CommandId = Annotated[str, msgspec.Meta(min_length=8, max_length=64)]
"""Chosen by the client, unique a command: a retry with the same id is answered, not applied."""
SAY_MOST = 200
"""Characters of a chat line; a longer one is refused."""
PHRASES = (
    "hello", "good_luck", "good_move", "thanks", "sorry", "one_moment", "back", "take_your_time",
    "good_game", "another",
)  # fmt: skip
"""Codes of the ready phrases; every page says them in its own language."""


class Message(msgspec.Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """Base of all messages."""


# What a client sends.


class Hello(Message, frozen=True, tag="hello"):
    """First message of a socket: which match, and the last seq already seen (0 for none).

    ``seat`` chooses between the two where one browser holds both. A browser without a seat watches,
    where the terms of the table allow it. ``run`` is what the last :class:`Ready` said: after another
    run of the room ``last_seq`` counts for nothing, since a backup may have been restored. Null keeps
    it counting, for programs that do not mind.
    """

    match: str
    last_seq: int = 0
    protocol: int = PROTOCOL_VERSION
    seat: int | None = None
    run: Annotated[str, msgspec.Meta(max_length=32)] | None = None


class Play(Message, frozen=True, tag="play", omit_defaults=True):
    """Play a turn (a token without the face drawn), having seen ``ply`` turns of ``round`` and
    ``back`` turns of the match being taken back.
    """

    cmd_id: CommandId
    round: int
    ply: int
    turn: Annotated[str, msgspec.Meta(max_length=16)]
    back: int = 0


class Continue(Message, frozen=True, tag="continue"):
    """After ``round``: go on to the next one, or (``go`` false) end the match there."""

    cmd_id: CommandId
    round: int
    go: bool = True


class Resign(Message, frozen=True, tag="resign"):
    """Give the match up."""

    cmd_id: CommandId


class OfferDraw(Message, frozen=True, tag="offer_draw"):
    """Offer to end the match as a draw; meets a standing offer as agreement."""

    cmd_id: CommandId


class AnswerDraw(Message, frozen=True, tag="answer_draw"):
    """Accept or decline the other's offer, or take one's own back (``accept`` false)."""

    cmd_id: CommandId
    accept: bool


class AskBack(Message, frozen=True, tag="ask_back"):
    """Ask to take one's last turn back, having seen ``ply`` turns of ``round`` (it among them) and
    ``back`` turns of the match being taken back. Lapses with whatever happens next.
    """

    cmd_id: CommandId
    round: int
    ply: int
    back: int


class AnswerBack(Message, frozen=True, tag="answer_back"):
    """Let the other take the turn back or not, or give up one's own wish (``accept`` false);
    ``round``, ``ply`` and ``back`` as when it was asked.
    """

    cmd_id: CommandId
    round: int
    ply: int
    back: int
    accept: bool


class Say(Message, frozen=True, tag="say"):
    """Write to the table: ``text``, or the code of a ready ``phrase``. Not a command: it has no id,
    changes no match, and comes back as a ``chat`` message if it was taken.
    """

    text: str | None = None
    phrase: str | None = None


class EndAbsent(Message, frozen=True, tag="end_absent"):
    """End the match because the other has been away for as long as the time rules allow."""

    cmd_id: CommandId


class Look(Message, frozen=True, tag="look"):
    """Whether the page is being looked at now; until a client says so, it is. No command either."""

    looking: bool


class Ping(Message, frozen=True, tag="ping"):
    """Is anybody there? Answered by a pong with the same ``n``."""

    n: int = 0


ClientMessage = (
    Hello | Play | Continue | Resign | OfferDraw | AnswerDraw | AskBack | AnswerBack | EndAbsent
    | Say | Look | Ping
)  # fmt: skip
"""Everything that a client may send."""


# What the server sends.


class RulesInForce(msgspec.Struct, frozen=True):
    """The rules of a match, every key; see the notation."""

    colours: int
    hand: int
    cost: int
    bonus: int
    bonus_at: int
    rounds: int | str
    first: int | str
    next: str
    own_discard: bool
    stall: int
    wagers: int
    top: int


class SeatView(msgspec.Struct, frozen=True):
    """What one seat may see (see the notation, View); a spectator's has ``seat`` null.

    ``known`` of a spectator is by seat; ``hand`` and ``exposed`` are then absent (null here), and
    ``hands`` are both, by seat, once the round is over.
    """

    seat: int | None
    to_move: int | None
    round: int
    rounds: int | str
    ply: int
    expeditions: list[dict[str, list[str]]]
    piles: dict[str, list[str]]
    deck: int
    hand_sizes: list[int]
    known: list[str | list[str]]
    scores: list[int]
    totals: list[int]
    last_turn: str | None
    legal: list[str]
    rules: RulesInForce
    hand: list[str] | None = None
    exposed: list[str] | None = None
    run: int | None = None
    hands: list[list[str]] | None = None


class Working(msgspec.Struct, frozen=True):
    """The working of one row: ``(sum - cost) * multiplier + bonus = total``."""

    cards: int
    sum: int
    cost: int
    multiplier: int
    bonus: int
    total: int


class PaceInfo(msgspec.Struct, frozen=True):
    """The time rules of a table, in seconds and days; 0 for what does not apply.

    ``kind`` is ``none``, ``turn`` (a time for each turn), ``clock`` (``bank`` a round and
    ``increment`` a turn) or ``days`` (for each turn). ``timeout`` is ``forfeit`` or ``safe`` (a
    turn named by the rules is played). ``absent`` is after how many seconds a match may be ended
    for absence, null for never. ``pause`` is how long a seat may take to go on after a round, null
    for as long as it likes. ``written`` is all of it as one writes it.
    """

    kind: str
    turn: int
    bank: int
    increment: int
    days: int
    timeout: str
    absent: int | None
    pause: int | None
    written: str


class ClockInfo(msgspec.Struct, frozen=True):
    """The clocks when the message was sent, by seat: milliseconds ``left`` (null where a seat has
    no time of its own now) and whether they are ``running``.
    """

    left: list[int | None]
    running: list[bool]


class ClassWait(msgspec.Struct, frozen=True):
    """What somebody who waits at a table of a class waits for: the next who follows its link.

    ``label`` is what the host calls the class. ``agent`` takes the free seat by itself ``after`` so
    many seconds of waiting; both null if none does. ``open`` is false once the link has ended.
    """

    label: str
    agent: str | None = None
    after: int | None = None
    open: bool = True


class SeatInfo(msgspec.Struct, frozen=True):
    """Who sits in a seat, as everybody at the table may know.

    ``kind`` is ``empty``, ``person`` or ``agent``; ``present`` whether a socket of theirs is open
    (agents always are); ``continued`` whether they have said continue after this round.
    """

    kind: str
    name: str
    present: bool
    continued: bool


class RoundInfo(msgspec.Struct, frozen=True):
    """A finished round: who started, points by seat, ``stall`` or null, how many turns."""

    start: int
    score: list[int]
    termination: str | None
    turns: int


class TableInfo(msgspec.Struct, frozen=True):
    """What everybody at the table may know besides the view.

    ``phase``: ``waiting`` (a seat is empty), ``dealing``, ``playing``, ``between`` or ``over``.
    ``starter`` is who started the present round; ``next_starter`` who will start the next one (null
    when left to chance or when there is none). ``workings`` are by seat, then colour letter, for
    opened rows. ``winner`` is a seat, or null (a draw, or not over). ``offer`` is the seat whose
    draw offer stands. ``termination`` as in records (``resigned 0``), null for a normal end; ``closed`` by the host,
    ``sent_away`` with the seat that is missing because the host sent it away, or ``left`` with the seat that closed a table before its match began.
    ``clock`` is null where nobody's time runs; ``away``, by seat, is in how many milliseconds the
    other may end the match for its absence, null where absence does not count now.
    """

    match: str
    phase: str
    seats: list[SeatInfo]
    rules: RulesInForce
    rounds_done: list[RoundInfo]
    totals: list[int]
    starter: int | None
    next_starter: int | None
    workings: list[dict[str, Working]]
    offer: int | None
    termination: str | None
    winner: int | None
    pace: PaceInfo
    clock: ClockInfo | None
    away: list[int | None]
    terms: Terms
    paused: bool = False
    """The host has stopped the table for a while: no turn is taken until it goes on."""
    invite: str | None = None
    """The path of the invite link, only for the seat that may hand it out."""
    again: str | None = None
    """The table where either of the two has asked to play again; ask too and sit down there."""
    again_by: int | None = None
    """The seat that has asked to play again."""
    practice: bool = False
    """It began from a lesson, and counts in no results."""
    lesson: str | None = None
    """What the lesson says, if anything."""
    back: int = 0
    """How many turns of this match were taken back; goes along with every turn."""
    back_open: int | None = None
    """The seat that may ask now to take its last turn back."""
    back_asked: int | None = None
    """The seat that has asked."""
    sent_away: int | None = None
    """The seat that is missing because the host sent it away, or shut the room to it, while the match goes on."""
    group: ClassWait | None = None
    """For whoever waits at a table of a class."""
    moved_to: str | None = None
    """The path of the table where this seat sits now instead: it was brought together with somebody there."""


class SeenEvent(msgspec.Struct, frozen=True):
    """An event as this seat may see it, for animation and the log.

    ``kind``: ``started``, ``dealt``, ``turn``, ``continued``, ``declined``, ``draw_offered``,
    ``draw_declined``, ``draw_withdrawn`` (by its maker), ``draw_agreed``, ``resigned``,
    ``abandoned``, ``timed_out``, ``joined``,
    ``left``, ``again``, ``again_withdrawn`` (its new table is closed), ``sent_away`` (by the host),
    ``moved_on`` (to another table, see :class:`TableInfo`), ``paused``, ``went_on``, ``closed`` (by the host), ``hint``, ``time_used``,
    ``back_asked``, ``back_declined``, ``back_withdrawn`` (by who asked),
    ``taken_back`` (the turn of ``seat`` at ``ply`` does not count), ``overdue`` (a seat's time was out, and what follows was done for it). ``turn`` is a token; it
    names the face drawn only to the seat that drew it.
    """

    seq: int
    kind: str
    seat: int | None = None
    round: int | None = None
    ply: int | None = None
    turn: str | None = None


class Snapshot(Message, frozen=True, tag="snapshot"):
    """Everything this seat may see at ``seq``; sent after hello when a tail will not do.

    ``seat`` is the seat of this socket, null for a spectator. ``view`` is null before the first
    deal. ``log`` holds the turns of the present round so far, ``overdue`` before those that a time
    that was out has played.
    """

    seq: int
    seat: int | None
    table: TableInfo
    view: SeatView | None
    log: list[SeenEvent]


class Update(Message, frozen=True, tag="update"):
    """What is new: events ``from_seq + 1 … seq`` and the view after them."""

    from_seq: int
    seq: int
    events: list[SeenEvent]
    table: TableInfo
    view: SeatView | None


class Ready(Message, frozen=True, tag="ready"):
    """The socket is level with the table at ``seq``; updates follow. ``run`` names this opening of the
    room, for the next :class:`Hello`.
    """

    seq: int
    run: str


class Presence(Message, frozen=True, tag="presence"):
    """Who is there has changed, or a clock has begun to run; not an event, so it has no seq.

    ``clock`` and ``away`` as in :class:`TableInfo`; ``watching`` counts watchers.
    """

    present: list[bool]
    clock: ClockInfo | None
    away: list[int | None]
    watching: int = 0


class Ack(Message, frozen=True, tag="ack"):
    """The command was accepted and is on disk; its events end at ``seq``."""

    cmd_id: str
    seq: int


class Refused(Message, frozen=True, tag="refused"):
    """The command was refused, nothing has changed; ``reason`` for programs, ``text`` for people.

    The present view comes along, so that a client that was behind is level again.
    """

    cmd_id: str
    reason: str
    text: str
    seq: int
    table: TableInfo | None = None
    view: SeatView | None = None


class ChatLine(msgspec.Struct, frozen=True):
    """Something said at a table. ``body`` of the kind ``text`` is what was typed, of ``phrase`` its
    code; ``host`` lines come from the room's host. ``seat`` is null for the host.
    """

    number: int
    at: int
    seat: int | None
    name: str
    kind: str
    body: str


class Chat(Message, frozen=True, tag="chat"):
    """What was said: all that is kept (``whole``, after hello), or what is new."""

    lines: list[ChatLine]
    whole: bool = False


class ChatRefused(Message, frozen=True, tag="chat_refused"):
    """A line was not taken: ``chat_off``, ``muted``, ``too_long``, ``too_fast``, ``empty``,
    ``watching``, ``not_saved``.
    """

    reason: str
    text: str


class Failed(Message, frozen=True, tag="failed"):
    """The socket cannot serve: ``reason`` is ``bad_message``, ``no_table``, ``not_allowed``,
    ``moved`` (the seat went to another device), ``protocol`` (reload the page), ``too_fast``,
    ``shutdown``, ``banned``, ``kicked``, ``locked`` (the room wants its password).
    """

    reason: str
    text: str


class Pong(Message, frozen=True, tag="pong"):
    """Answer to a ping."""

    n: int


ServerMessage = (
    Snapshot | Update | Ready | Presence | Ack | Refused | Chat | ChatRefused | Failed | Pong
)
"""Everything that the server may send."""
