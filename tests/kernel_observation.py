"""The observation and the mask built slowly from the core, as `lostcities.kernel.observe` describes them."""

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import chain

from lostcities import encoding
from lostcities.core.cards import FACES, Card
from lostcities.core.round import RoundState, may_play
from lostcities.core.rules import Rules
from lostcities.core.seats import Seat, other
from lostcities.kernel import bridge


@cache
def deck(rules: Rules) -> list[int]:
    """How many cards of each face there are."""
    return [rules.copies(card) for card in FACES]


@cache
def takers(rules: Rules) -> dict[tuple[int, int], list[int]]:
    """The faces that a row of a colour still takes, by colour and rank of its top (-1: empty)."""
    cards = sorted(set(rules.all_cards()))
    found: dict[tuple[int, int], list[int]] = {}
    for colour in rules.all_colours():
        own = [card for card in cards if card.colour == colour]
        found[colour, -1] = _faces(card for card in own if may_play(card, ()))
        for top in own:
            found[colour, top.rank] = _faces(card for card in own if may_play(card, (top,)))
    return found


def slow_observation(state: RoundState, seat: Seat) -> bytes:
    """What a seat may see, value by value."""
    rules, away = state.rules, other(seat)
    rows = [_faces(card for row in state.expeditions[s] for card in row) for s in (seat, away)]
    piled = _faces(card for pile in state.piles for card in pile)
    hand, known, shown = map(_faces, (state.hands[seat], state.taken[away], state.taken[seat]))
    left = list(deck(rules))
    for face in chain(hand, *rows, piled, known):
        left[face] -= 1
    unseen = [face for face, copies in enumerate(left) for _ in range(copies)]
    take = takers(rules)
    open_ = [
        [
            face
            for c, row in enumerate(state.expeditions[s])
            for face in take[c, row[-1].rank if row else -1]
        ]
        for s in (seat, away)
    ]
    counted = [hand, *rows, piled, known, shown, unseen]
    tops = _faces(pile[-1] for pile in state.piles if pile)
    planes = [*counted[:4], tops, *counted[4:], *open_]
    blocks: list[Sequence[int]] = [_plane(faces, rules.colours) for faces in planes]
    blocks += [_wagers(faces, rules.colours) for faces in counted]
    blocks += [_stack(pile) for pile in state.piles]
    blocks += [_closed(state), _numbers(state, seat)]
    return bytes(chain.from_iterable(blocks))


def _faces(cards: Iterable[Card]) -> list[int]:
    # Ten a colour: the wager (rank 0), then 2…10.
    return [10 * card.colour + (card.rank - 1 if card.rank else 0) for card in cards]


def _plane(faces: list[int], colours: int) -> bytearray:
    plane = bytearray(10 * colours)
    for face in faces:
        plane[face] = 1
    return plane


def _wagers(faces: list[int], colours: int) -> list[int]:
    return [faces.count(10 * colour) for colour in range(colours)]


def _stack(pile: tuple[Card, ...]) -> list[int]:
    return ([card.rank or 1 for card in reversed(pile)] + 12 * [0])[:12]


def _closed(state: RoundState) -> list[int]:
    lay = state.lay
    shut = lay is not None and lay.discard and not state.rules.own_discard
    return [int(shut and lay.card.colour == c) for c in range(state.rules.colours)]  # type: ignore[union-attr]


def _numbers(state: RoundState, seat: Seat) -> list[int]:
    away = other(seat)
    numbers = [
        int(state.lay is not None),
        state.deck_size,
        state.pile_run if state.rules.stall else 0,
        state.rules.stall,
        state.ply,
        len(state.hands[away]) - len(state.taken[away]),
        len(state.hands[seat]) - len(state.taken[seat]),
        int(not state.over and state.to_move == seat),
    ]
    return [min(number, 255) for number in numbers]


def slow_mask(state: RoundState) -> bytes:
    """1 for each action that the core allows."""
    count = state.rules.colours
    mask = bytearray(encoding.actions(count))
    if state.over:
        return bytes(mask)
    if state.lay is None:
        legal = [bridge.lay_to_action(lay, count) for lay in state.lays()]
    else:
        legal = [bridge.draw_to_action(draw, count) for draw in state.draws(state.lay)]
    for action in legal:
        mask[action] = 1
    return bytes(mask)
