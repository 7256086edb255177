"""Two worlds that differ only in cards that one seat never sees.

A script of a random match is made with the core alone. From its decks a second set is derived in
which the cards that the observer never learns (what stays in the other's hand to the end of the
script, and what is left in the deck) have changed places. Whatever the observer is told must be
the same in both.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field

from lostcities.core.cards import Card
from lostcities.core.events import Event
from lostcities.core.match import (
    MatchState,
    Phase,
    decide_answer_back,
    decide_ask_back,
    decide_continue,
    decide_deal,
    decide_turn,
    evolve,
    new_match,
    takeback_open,
)
from lostcities.core.refusal import Refusal
from lostcities.core.rules import Rules
from lostcities.core.seats import SEATS, Seat
from lostcities.core.shuffle import shuffled
from lostcities.core.turn import Turn

Deck = tuple[Card, ...]


@dataclass
class Step:
    """``seat`` does something that is accepted: a turn, going on (``turn`` None), or about taking
    a turn back (``regret``: ``ask``, ``allow`` or ``refuse``). ``back`` turns have been taken back.
    """

    seat: int
    round: int
    ply: int
    turn: Turn | None
    back: int = 0
    regret: str | None = None


@dataclass
class Holding:
    """Where the cards of one round came from: deck positions, by the seat that holds them."""

    deck: Deck
    hand: int
    next: int = 0
    held: dict[int, list[tuple[Card, int | None]]] = field(default_factory=dict)
    before: list[tuple[Card, int | None]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.held = {s: [(self.deck[i], i) for i in range(s, 2 * self.hand, 2)] for s in SEATS}
        self.next = 2 * self.hand

    def turn(self, seat: int, turn: Turn, taken: Card | None) -> None:
        # Of equal faces the one taken from a pile leaves first, as the other seat reckons too.
        copies = [each for each in self.held[seat] if each[0] == turn.lay.card]
        copies.sort(key=lambda each: each[1] is not None)
        self.before = list(self.held[seat])
        self.held[seat].remove(copies[0])
        if turn.draw is None:
            self.held[seat].append((self.deck[self.next], self.next))
            self.next += 1
        else:
            assert taken is not None
            self.held[seat].append((taken, None))

    def back(self, seat: int, turn: Turn) -> None:
        """The turn is taken back; everybody has seen the card that was laid."""
        laid = next(i for i, each in enumerate(self.before) if each[0] == turn.lay.card)
        for i, each in enumerate(self.before):
            if each[0] == turn.lay.card and each[1] is None:
                laid = i
        self.held[seat] = list(self.before)
        self.held[seat][laid] = (turn.lay.card, None)

    def hidden_from(self, observer: int | None, over: bool) -> list[int]:
        if observer is None:
            # Once the round is over a watcher sees both hands, as they are then.
            seats = [] if over else list(SEATS)
            held = [at for seat in seats for _, at in self.held[seat] if at is not None]
            return [*held, *range(self.next, len(self.deck))]
        other = [at for _, at in self.held[1 - observer] if at is not None]
        return [*other, *range(self.next, len(self.deck))]


@dataclass
class Script:
    """A random match, whole or broken off, and its decks."""

    rules: Rules
    start: int
    over: bool = False
    """Whether its last round is over."""
    steps: list[Step] = field(default_factory=list)
    holdings: list[Holding] = field(default_factory=list)

    @property
    def decks(self) -> list[Deck]:
        return [holding.deck for holding in self.holdings]

    def other_decks(self, observer: int | None, rng: random.Random) -> list[Deck]:
        """Decks of the second world; another order of what the observer (None: a watcher) never
        sees.
        """
        last = len(self.holdings) - 1
        return [
            _permuted(h.deck, h.hidden_from(observer, at < last or self.over), rng)
            for at, h in enumerate(self.holdings)
        ]


def _permuted(deck: Deck, places: list[int], rng: random.Random) -> Deck:
    cards = list(deck)
    moved = [deck[i] for i in places]
    rng.shuffle(moved)
    for i, card in zip(places, moved, strict=True):
        cards[i] = card
    return tuple(cards)


def random_script(rules: Rules, rng: random.Random, limit: int) -> Script:
    """A match of random legal turns, broken off after ``limit`` steps."""
    script = Script(rules, rng.randrange(2))
    state = new_match(rules)
    for _ in range(limit):
        state = _deal(state, script, rng)
        if state.phase is Phase.OVER:
            break
        state = _step(state, script, rng)
    script.over = state.round is not None and state.round.over
    return script


def _deal(state: MatchState, script: Script, rng: random.Random) -> MatchState:
    if state.phase is not Phase.DEALING:
        return state
    deck = shuffled(script.rules.all_cards(), rng.randrange)
    dealt = decide_deal(state, deck, script.start)
    assert not isinstance(dealt, Refusal)
    script.holdings.append(Holding(deck, script.rules.hand))
    return evolve(state, dealt)


def _step(state: MatchState, script: Script, rng: random.Random) -> MatchState:
    assert state.round is not None
    if state.phase is Phase.BETWEEN:
        seat = rng.choice([seat for seat in SEATS if not state.willing[seat]])
        said = decide_continue(state, seat, True)
        assert not isinstance(said, Refusal)
        script.steps.append(Step(seat, state.number, state.round.ply, None))
        return evolve(state, said)
    may = takeback_open(state)
    if may is not None and (state.asked is not None or rng.random() < 0.3):
        return _regret(state, may, script, rng)
    seat, ply = state.round.to_move, state.round.ply
    turn = _prefer_deck(list(state.round.legal_turns()), rng)
    taken = None if turn.draw is None else state.round.piles[turn.draw][-1]
    played = decide_turn(state, seat, turn, ply)
    assert not isinstance(played, Refusal)
    script.holdings[-1].turn(seat, turn, taken)
    script.steps.append(Step(seat, state.number, ply, turn, state.taken_back))
    return evolve(state, played)


def _regret(state: MatchState, may: Seat, script: Script, rng: random.Random) -> MatchState:
    assert state.round is not None
    wish, seat = "ask", may
    decided: Event | Refusal
    if state.asked is None:
        decided = decide_ask_back(state, may)
    else:
        wish, seat = rng.choice([("allow", 1 - may), ("refuse", 1 - may), ("refuse", may)])
        decided = decide_answer_back(state, seat, wish == "allow")
    assert not isinstance(decided, Refusal), decided
    where = (state.number, state.round.ply, None, state.taken_back)
    script.steps.append(Step(seat, *where, wish))
    if wish == "allow":
        assert state.round.last_turn is not None
        script.holdings[-1].back(may, state.round.last_turn)
    return evolve(state, decided)


def _prefer_deck(turns: list[Turn], rng: random.Random) -> Turn:
    """Mostly from the deck, so that rounds end."""
    from_deck = [turn for turn in turns if turn.draw is None]
    return rng.choice(from_deck if rng.random() < 0.8 else turns)


def guesses(script: Script, rng: random.Random) -> Iterator[str]:
    """Turns that an observer might try in order to learn something; none is ever accepted."""
    faces = script.rules.all_cards()
    while True:
        card, face = rng.choice(faces), rng.choice(faces)
        yield rng.choice([f"+{card}*{face}", f"-{card}*{face}"])
