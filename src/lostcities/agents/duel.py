"""Rounds between two agents on a given deck: what the arena and the tuning of agents stand on.

A *duplicate deal* is one deck played twice with the seats swapped, so that both agents get both
hands and the better luck of one of them cancels out.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from random import Random

from lostcities import encoding
from lostcities.agents.agent import Agent, AgentFailureError
from lostcities.core.cards import Card
from lostcities.core.refusal import Refusal
from lostcities.core.round import RoundState, deal
from lostcities.core.rules import Rules
from lostcities.core.seats import BySeat, Seat, other
from lostcities.core.shuffle import shuffled
from lostcities.core.turn import Turn
from lostcities.core.views import view_of_round

GRACE_MS = 50
"""What an answer may be late by before it counts as late, in milliseconds."""
FIRST_MS = 30_000
"""The budget of an agent's first answer, in which it may load or compile, in milliseconds."""
FORFEIT = -60
"""The difference at which an agent that fails loses its round, unless it was further behind."""


@dataclass(slots=True)
class Player:
    """An agent at work: its time budget and what its answers took.

    Attributes:
        agent: who chooses.
        time_ms: the budget of a turn in milliseconds; None for no limit.
        times: what each answer took in milliseconds, the first one after a start left out.
        started: whether it has answered before (an outside program: since it was last started).
    """

    agent: Agent
    time_ms: int | None = None
    times: list[float] = field(default_factory=list)
    started: bool = False

    def choose(self, state: RoundState, rng: Random) -> Turn:
        """The agent's turn, found legal and in time.

        Raises:
            AgentFailureError: it is illegal, late or missing.
        """
        fresh = bool(getattr(self.agent, "fresh", not self.started))
        view = view_of_round(state, state.to_move)
        begin, begin_cpu = time.perf_counter(), time.process_time()
        try:
            turn = self.agent.choose(view, self.time_ms, rng).turn
        except AgentFailureError:
            raise
        except Exception as error:
            raise AgentFailureError("illegal", f"raised {error!r}") from error
        finally:
            self.started = True
        took = 1000 * (time.perf_counter() - begin)
        if not fresh:
            self.times.append(took)
        self._check_time(took, 1000 * (time.process_time() - begin_cpu), fresh)
        self._check_legal(state, turn)
        return turn

    def _check_time(self, took: float, computed: float, fresh: bool) -> None:
        """An outside program has the clock's time; an agent in this process its computing time.

        So the load of the machine does not make our own agents late, and results repeat; one that
        waits for something is late after ``FIRST_MS`` by the clock.
        """
        if self.time_ms is None:
            return
        longest = max(FIRST_MS, self.time_ms)
        budget = longest if fresh else self.time_ms
        spent = took if getattr(self.agent, "outside", False) else computed
        if spent > budget + GRACE_MS or took > longest + GRACE_MS:
            raise AgentFailureError("late", f"answered after {took:.0f} ms of {budget} ms")

    def _check_legal(self, state: RoundState, turn: Turn) -> None:
        refused: Refusal | None = state.refusal(turn.public)
        if refused is not None:
            raise AgentFailureError("illegal", f"{turn}: {refused}")


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a round ended before its end: an agent lost it by a failure.

    Attributes:
        seat: whose agent failed.
        kind: ``"illegal"`` (also garbage, a crash or nothing at all) or ``"late"``.
        reason: one line.
    """

    seat: Seat
    kind: str
    reason: str


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """A round between two agents.

    Attributes:
        start: who started.
        deck: the whole shuffled deck, top first.
        turns: as played, with the faces drawn.
        score: points by seat. Where an agent failed, its own are lowered until it is behind by the
            lower of 60 and what it was behind by.
        termination: ``"stall"``, or None for a natural end or a failure.
        failure: who failed and why, or None.
    """

    start: Seat
    deck: tuple[Card, ...]
    turns: tuple[Turn, ...]
    score: BySeat[int]
    termination: str | None
    failure: Failure | None


def actions_of(turns: Iterable[Turn], colours: int) -> bytes:
    """Turns as bytes, two each: the action of the lay and that of the draw (:mod:`lostcities.encoding`)."""
    found = bytearray()
    for turn in turns:
        face, pile = turn.lay.card.face, turn.draw
        lay = encoding.discard_action(colours, face) if turn.lay.discard else face
        draw = (
            encoding.deck_action(colours) if pile is None else encoding.pile_action(colours, pile)
        )
        found += bytes((lay, draw))
    return bytes(found)


def play_round(
    rules: Rules,
    deck: tuple[Card, ...],
    start: Seat,
    players: BySeat[Player],
    rngs: BySeat[Random],
) -> PlayedRound:
    """Play one round to its end, or until an agent fails."""
    state, turns = deal(rules, deck, start), []
    failure: Failure | None = None
    while not state.over:
        seat = state.to_move
        try:
            turn = players[seat].choose(state, rngs[seat])
        except AgentFailureError as error:
            failure = Failure(seat, error.kind, error.reason)
            break
        state = state.play(turn.public)
        turns.append(state.last_turn or turn)
    score = state.score if failure is None else _forfeit(state.score, failure.seat)
    return PlayedRound(start, deck, tuple(turns), score, state.termination, failure)


def _forfeit(score: BySeat[int], seat: Seat) -> BySeat[int]:
    behind = min(FORFEIT, score[seat] - score[other(seat)])
    return score.replace(seat, score[other(seat)] + behind)


def deal_rng(seed: int | str, deal_number: int) -> Random:
    """The generator that shuffles the deck of a numbered deal of a seed."""
    return Random(f"lostcities deal {seed} {deal_number}")  # noqa: S311 - measurements repeat


def deal_deck(rules: Rules, seed: int | str, deal_number: int) -> tuple[Card, ...]:
    """The deck of a numbered deal of a seed; the same on every machine."""
    return shuffled(rules.all_cards(), deal_rng(seed, deal_number).randrange)


def agent_rng(seed: int | str, deal_number: int, game: int, which: int) -> Random:
    """The random source of an agent (0 for a, 1 for b) in one of the two games of a deal."""
    text = f"lostcities agent {seed} {deal_number} {game} {which}"
    return Random(text)  # noqa: S311 - measurements repeat


def first_seat(rules: Rules) -> Seat:
    """The seat that starts every round of a deal: seat 0 unless the rules say so."""
    return 0 if rules.first == "random" else rules.first


@dataclass(frozen=True, slots=True)
class PlayedDeal:
    """A duplicate deal: ``first`` with agent a at seat 0, ``second`` with it at seat 1."""

    number: int
    first: PlayedRound
    second: PlayedRound

    @property
    def differences(self) -> tuple[int, int]:
        """Points of a less those of b in both games."""
        first, second = self.first.score, self.second.score
        return first[0] - first[1], second[1] - second[0]


def play_deal(rules: Rules, seed: int | str, number: int, a: Player, b: Player) -> PlayedDeal:
    """Play a numbered deal of a seed twice, seats swapped; seat 0 starts unless the rules say so."""
    deck = deal_deck(rules, seed, number)
    start = first_seat(rules)
    rounds = []
    for game, players in enumerate((BySeat(a, b), BySeat(b, a))):
        own = [agent_rng(seed, number, game, which) for which in (0, 1)]
        rngs = BySeat(*own) if game == 0 else BySeat(own[1], own[0])
        rounds.append(play_round(rules, deck, start, players, rngs))
    return PlayedDeal(number, rounds[0], rounds[1])
