"""Rules as an array of ints, with the score of every possible row worked out beforehand."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lostcities import encoding
from lostcities.kernel import layout as at


def pack_rules(
    *,
    colours: int = 5,
    hand: int = 8,
    cost: int = 20,
    bonus: int = 20,
    bonus_at: int = 8,
    own_discard: bool = False,
    stall: int = 0,
    wagers: int = 3,
    top: int = 10,
) -> NDArray[np.int32]:
    """The rules of a round as the kernel takes them; see :class:`lostcities.core.rules.Rules`.

    They are not checked here: :func:`lostcities.kernel.bridge.pack` takes a ``Rules``, which cannot be
    impossible.

    Returns:
        ``int32`` of shape ``(RULES_LENGTH,)``, as :mod:`lostcities.kernel.layout` describes.
    """
    rules = np.zeros(at.RULES_LENGTH, dtype=at.RULES)
    rules[at.COLOURS] = colours
    rules[at.HAND_SIZE] = hand
    rules[at.OWN_DISCARD] = own_discard
    rules[at.STALL] = stall
    rules[at.WAGERS_EACH] = wagers
    rules[at.TOP] = top
    rules[at.DECK_SIZE] = colours * (wagers + top - 1)
    rules[at.COST], rules[at.BONUS], rules[at.BONUS_AT] = cost, bonus, bonus_at
    face_bits = (1 << top) - 1 - (wagers == 0)
    for index in range(colours):
        half = index // 3
        rules[at.FACES_LOW + half] |= face_bits << 10 * (index % 3)
        rules[at.EACH_LOW + half] |= wagers << 8 * (index % 3)
    rules[at.SCORES :] = _scores(cost, bonus, bonus_at)
    return rules


def _scores(cost: int, bonus: int, bonus_at: int) -> NDArray[np.int64]:
    """``(sum - cost) * (1 + wagers)``, plus the bonus from ``bonus_at`` cards; 0 without a card."""
    index = np.arange(at.RULES_LENGTH - at.SCORES)
    wagers = index & 3
    numbers = range(encoding.LOWEST_NUMBER, encoding.HIGHEST_NUMBER + 1)
    held = np.array([index >> (2 + place) & 1 for place in range(len(numbers))])
    cards = held.sum(axis=0) + wagers
    total = (np.array(numbers) @ held - cost) * (1 + wagers)
    score: NDArray[np.int64] = np.where(cards > 0, total + bonus * (cards >= bonus_at), 0)
    return score


def all_cards(rules: NDArray[np.int32]) -> NDArray[np.uint8]:
    """The faces of the whole deck in canonical order, each as often as the deck has it."""
    copies = np.ones(encoding.FACES_PER_COLOUR, dtype=np.int64)
    copies[0] = rules[at.WAGERS_EACH]
    copies[rules[at.TOP] :] = 0
    each = np.tile(copies, rules[at.COLOURS])
    return np.repeat(np.arange(each.size), each).astype(np.uint8)
