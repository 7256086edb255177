"""Random play to the end of a round, as fast as it goes.

The words of both seats live in registers, the seats change places after every turn, and nothing
that random play cannot predict is a branch: deck or pile, play or discard are selected with masks.
"""

from __future__ import annotations

from lostcities.kernel import layout as at
from lostcities.kernel.bits import ONE, ZERO, U, popcount, select
from lostcities.kernel.jit import in_place
from lostcities.kernel.rng import GAMMA, LOW32, S32, below, mix
from lostcities.kernel.round import (
    TEN,
    PackedRules,
    Row,
    apply_draw,
    colour_of,
    deck_card,
    filled_piles,
    laid_score,
    laying,
    legal_draws,
    over,
)

_THREE = U(3)
_FOUR = U(4)
_FIFTEEN = U(15)
_NEVER = U(1 << 63)
_LAID = U(at.IN_LAID)
_END = U(at.DECK_END)
_DRAWN = U(at.PILES)
_PILE = U(at.PILES + 1)


@in_place
def playout(row: Row, rules: PackedRules) -> int:
    """Play a round to its end, each legal lay and then each legal draw equally likely.

    A turn begun is ended by a draw first. The row is used up: afterwards its hands, rows, piles, deck,
    run, ply, mover and random numbers are those of the end, and everything else is meaningless.

    Returns:
        Points by which seat 0 is ahead at the end.
    """
    if not laying(row) and not over(row, rules):
        _random_draw(row, rules)
    if not over(row, rules):
        _play_on(row, rules)
    ahead = laid_score(rules, row[at.LAID], row[at.WAGERS])
    return ahead - laid_score(rules, row[at.SEAT + at.LAID], row[at.SEAT + at.WAGERS])


@in_place
def _random_draw(row: Row, rules: PackedRules) -> None:
    options = legal_draws(row, rules)
    state = row[at.RNG] + GAMMA
    row[at.RNG] = state
    chosen = select(options, below(mix(state) & LOW32, popcount(options)))
    apply_draw(row, rules, 20 * int(rules[at.COLOURS]) + int(chosen))


@in_place
def _play_on(row: Row, rules: PackedRules) -> None:
    mover = row[at.MOVER]
    mine, theirs = at.SEAT * int(mover), at.SEAT * (1 - int(mover))
    hand, open_, laid = row[mine + at.HAND], row[mine + at.OPEN], row[mine + at.LAID]
    wagers = row[mine + at.WAGERS]
    hand2, open2, laid2 = row[theirs + at.HAND], row[theirs + at.OPEN], row[theirs + at.LAID]
    wagers2 = row[theirs + at.WAGERS]
    filled = (filled_piles(row) << ONE) | ONE
    closing = ZERO - U(rules[at.OWN_DISCARD] == 0)
    limit = U(rules[at.STALL]) if rules[at.STALL] > 0 else _NEVER
    state, place, run, ply = row[at.RNG], row[at.NEXT], row[at.RUN], row[at.PLY]
    while True:
        state += GAMMA
        bits = mix(state)
        # The lay: the n-th bit of plays, then of discards.
        plays = hand & open_
        could_play = popcount(plays)
        n = below(bits >> S32, could_play + popcount(hand))
        discard = U(n >= could_play)
        discarding = ZERO - discard
        face = select(plays ^ ((plays ^ hand) & discarding), n - (could_play & discarding))
        colour = colour_of(face)
        first = colour * TEN
        shift = colour << _THREE
        bit = ONE << face
        is_wager = U(face == first)
        wagers -= is_wager << shift
        more = is_wager & U((wagers >> shift) & _THREE != ZERO)
        hand &= ~(bit & (more - ONE))
        laid |= bit & ~discarding
        wagers += (is_wager & ~discarding) << (shift + _LAID)
        open_ &= ~(((bit << ONE) - (ONE << first)) & (is_wager - ONE) & ~discarding)
        pile = row[_PILE + colour]
        row[_PILE + colour] = pile ^ (
            (pile ^ ((pile << _FOUR) | (face - first + ONE))) & discarding
        )
        own = (discard << ONE) << colour
        filled |= own
        # The draw: bit 0 the deck, then the piles that may be taken from.
        options = filled & ~(own & closing)
        draw = select(options, below(bits & LOW32, popcount(options)))
        from_deck = U(draw == ZERO)
        pile = row[_DRAWN + draw]
        rest = pile >> _FOUR
        row[_DRAWN + draw] = rest
        filled &= ~(U(rest == ZERO) << draw) | ONE
        taken = (draw - ONE) * TEN + (pile & _FIFTEEN) - ONE
        face = taken ^ ((taken ^ deck_card(row, place)) & (ZERO - from_deck))
        colour = colour_of(face)
        hand |= ONE << face
        wagers += U(face == colour * TEN) << (colour << _THREE)
        place += from_deck
        run = (run + ONE) & (from_deck - ONE)
        ply += ONE
        hand, hand2 = hand2, hand
        open_, open2 = open2, open_
        laid, laid2 = laid2, laid
        wagers, wagers2 = wagers2, wagers
        if place == _END or run >= limit:
            break
    if (ply - row[at.PLY]) & ONE:
        mine, theirs = theirs, mine
    row[mine + at.HAND], row[mine + at.OPEN], row[mine + at.LAID] = hand, open_, laid
    row[mine + at.WAGERS] = wagers
    row[theirs + at.HAND], row[theirs + at.OPEN], row[theirs + at.LAID] = hand2, open2, laid2
    row[theirs + at.WAGERS] = wagers2
    row[at.MOVER] = mover ^ ((ply - row[at.PLY]) & ONE)
    row[at.RNG], row[at.NEXT], row[at.RUN], row[at.PLY] = state, place, run, ply
