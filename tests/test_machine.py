"""A match played by whim: every wish of either seat at every moment, legal or not."""

from collections import Counter
from collections.abc import Callable

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)

from lostcities import testing
from lostcities.core.cards import Card
from lostcities.core.events import (
    Event,
    MatchStarted,
    RoundDealt,
    TakebackDeclined,
    TurnPlayed,
    TurnTakenBack,
)
from lostcities.core.match import (
    MatchState,
    Phase,
    decide_abandon,
    decide_answer,
    decide_answer_back,
    decide_ask_back,
    decide_continue,
    decide_deal,
    decide_offer,
    decide_resign,
    decide_time,
    decide_turn,
    evolve,
    fold,
    new_match,
    seats_to_act,
    takeback_open,
)
from lostcities.core.position import format_position, parse_position
from lostcities.core.record import record_of, replay
from lostcities.core.record_text import format_record, parse_record
from lostcities.core.refusal import Refusal
from lostcities.core.round import RoundState
from lostcities.core.rules import Rules
from lostcities.core.scoring import score_round
from lostcities.core.seats import SEATS
from lostcities.core.turn import Turn, parse_turn
from lostcities.core.view_json import view_from_dict, view_to_dict
from lostcities.core.views import view_for


class MatchMachine(RuleBasedStateMachine):
    """The match as it is told event by event, beside the log from which it must follow."""

    def __init__(self) -> None:
        super().__init__()
        self.state: MatchState = new_match(Rules())
        self.log: list[Event] = []
        self.back: RoundState | None = None
        """The round before the last turn, while that may be taken back, noted by other means."""

    @initialize(
        rules=testing.common_rules() | testing.rules(rounds=2) | testing.common_rules("open")
    )
    def start(self, rules: Rules) -> None:
        self.log = [MatchStarted(rules)]
        self.state = new_match(rules)

    def take(self, decided: Event | Refusal) -> bool:
        """Whether the wish was granted; the event is then part of the log."""
        if isinstance(decided, Refusal):
            assert decided.text
            return False
        self.log.append(decided)
        if isinstance(decided, TurnPlayed):
            self.back = self.round if decided.turn.draw is not None else None
        elif isinstance(decided, TakebackDeclined | TurnTakenBack | RoundDealt):
            self.back = None
        self.state = evolve(self.state, decided)
        return True

    @property
    def round(self) -> RoundState:
        assert self.state.round is not None
        return self.state.round

    @rule(data=st.data(), coin=testing.seats)
    def deal(self, data: st.DataObject, coin: int) -> None:
        due = self.state.phase is Phase.DEALING
        deck = data.draw(testing.decks(self.state.rules)) if due else ()
        assert self.take(decide_deal(self.state, deck, coin)) == due

    @precondition(lambda self: self.state.phase is Phase.PLAYING)
    @rule(data=st.data())
    def play(self, data: st.DataObject) -> None:
        turn = data.draw(st.sampled_from(self.round.legal_turns()))
        assert self.take(decide_turn(self.state, self.round.to_move, turn, self.round.ply))

    @precondition(lambda self: self.state.phase is Phase.PLAYING)
    @rule(count=st.integers(1, 30), seed=testing.seeds)
    def play_on(self, count: int, seed: int) -> None:
        """Many turns in one step, so that rounds end."""
        rng = testing.generator(seed)
        for _ in range(count):
            if self.state.phase is not Phase.PLAYING:
                return
            turn = testing.choose_turn(self.round, rng)
            assert self.take(decide_turn(self.state, self.round.to_move, turn, self.round.ply))

    @rule(turn=testing.turns(), seat=testing.seats, ply=st.integers(-1, 3))
    def play_anything(self, turn: Turn, seat: int, ply: int) -> None:
        state = self.state
        at = ply if state.round is None else state.round.ply + max(ply - 2, -1)
        legal = (
            state.phase is Phase.PLAYING
            and seat == self.round.to_move
            and at == self.round.ply
            and turn in self.round.legal_turns()
        )
        assert self.take(decide_turn(state, seat, turn, at)) == legal
        if not legal:
            assert self.state is state

    @rule(seat=testing.seats, yes=st.sampled_from([True, True, True, False]))
    def go_on(self, seat: int, yes: bool) -> None:
        due = self.state.phase is Phase.BETWEEN and not (yes and self.state.willing[seat])
        assert self.take(decide_continue(self.state, seat, yes)) == due

    @rule(seat=testing.seats)
    def offer(self, seat: int) -> None:
        allowed = self.state.phase is not Phase.OVER and self.state.offer != seat
        assert self.take(decide_offer(self.state, seat)) == allowed

    @rule(seat=testing.seats, accept=st.sampled_from([False, False, False, True]))
    def answer(self, seat: int, accept: bool) -> None:
        allowed = self.state.phase is not Phase.OVER and self.state.offer is not None
        allowed = allowed and not (accept and self.state.offer == seat)
        assert self.take(decide_answer(self.state, seat, accept)) == allowed

    @rule(seat=testing.seats)
    def ask_back(self, seat: int) -> None:
        state, back = self.state, self.back
        due = state.phase is Phase.PLAYING and state.asked is None
        allowed = due and back is not None and back.to_move == seat
        assert self.take(decide_ask_back(state, seat)) == allowed

    @rule(seat=testing.seats, accept=st.booleans())
    def answer_back(self, seat: int, accept: bool) -> None:
        asked, back = self.state.asked, self.back
        allowed = asked is not None and not (accept and asked == seat)
        assert self.take(decide_answer_back(self.state, seat, accept)) == allowed
        if allowed and accept:
            assert self.state.round == back

    @rule(seat=testing.seats, how=st.sampled_from([decide_resign, decide_abandon, decide_time]),
          really=st.integers(0, 9))  # fmt: skip
    def leave(
        self, seat: int, how: Callable[[MatchState, int], Event | Refusal], really: int
    ) -> None:
        decided = how(self.state, seat)
        assert isinstance(decided, Refusal) == (self.state.phase is Phase.OVER)
        if really == 0 and self.state.number > 0:
            self.take(decided)

    # ---- what holds at every moment -------------------------------------------------------------

    @invariant()
    def the_log_folds_to_the_state(self) -> None:
        if len(self.log) % 7 == 1 or self.state.phase is Phase.OVER:
            assert fold(self.log) == self.state

    @invariant()
    def cards_are_conserved(self) -> None:
        state = self.state.round
        if state is None:
            return
        cards: list[Card] = [*state.deck, *state.hands[0], *state.hands[1]]
        cards += [card for pile in state.piles for card in pile]
        cards += [card for rows in state.expeditions for row in rows for card in row]
        assert Counter(cards) == Counter(state.rules.all_cards())
        assert all(len(hand) == state.rules.hand for hand in state.hands)
        for rows in state.expeditions:
            for row in rows:
                numbers = [card.rank for card in row if card.rank]
                assert numbers == sorted(set(numbers))
                assert not any(card.rank for card in row[: len(row) - len(numbers)])

    @invariant()
    def points_are_those_of_the_rows(self) -> None:
        state = self.state
        if state.round is not None and state.round.over:
            assert state.results[-1].score == score_round(state.round.expeditions, state.rules)
            assert len(state.results) == state.number
        assert state.totals[0] == sum(result.score[0] for result in state.results)

    @invariant()
    def a_wish_to_take_back_is_of_the_last_turn(self) -> None:
        may = takeback_open(self.state)
        assert self.state.asked in (None, may)
        if may is not None:
            assert self.round.to_move == 1 - may
            assert self.round.last_turn is not None
            assert self.round.last_turn.draw is not None

    @invariant()
    def somebody_acts_unless_it_is_over(self) -> None:
        acting = seats_to_act(self.state)
        waiting = self.state.phase in (Phase.PLAYING, Phase.BETWEEN)
        assert bool(acting) == waiting

    @invariant()
    def the_position_reads_back(self) -> None:
        if self.state.round is not None:
            text = format_position(self.state.round)
            assert format_position(parse_position(text, self.state.rules)) == text

    @invariant()
    def views_read_back(self) -> None:
        if self.state.round is not None:
            for seat in (*SEATS, None):
                view = view_for(self.state, seat)
                assert view_from_dict(view_to_dict(view)) == view
                assert (view.to_move is None) == (self.state.phase is not Phase.PLAYING)
                for turn in view.legal[:2]:
                    assert parse_turn(str(turn)) == turn

    def teardown(self) -> None:
        if self.state.round is None:
            return
        rules = self.state.rules
        record = record_of(self.log, rules, whole=True)
        text = format_record(record)
        assert parse_record(text) == record
        assert format_record(parse_record(text)) == text
        match = replay(record).match
        assert (match.results, match.termination) == (self.state.results, self.state.termination)
        assert match.round == self.state.round


MatchMachine.TestCase.settings = settings(max_examples=40, stateful_step_count=30)
TestMatch = MatchMachine.TestCase
