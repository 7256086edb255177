"""What one writes first: a batch of rounds in a dozen arrays of small ints, with loops and branches.

The yardstick of the batched step, once changing the state only, and once showing for each step a mask
and an observation of the same content as ours as ``float32``.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from lostcities.kernel import in_place, inlined

Floats = NDArray[np.float32]
PLANES = 10
STACK = 12
NUMBERS = 8


class Arrays:
    """The state of ``n`` rounds of the plain rules."""

    def __init__(self, decks: NDArray[np.uint8], starts: NDArray[np.int64], colours: int) -> None:
        """Deal the decks (faces, top first) by eights."""
        count = len(decks)
        faces = 10 * colours
        self.deck = decks.astype(np.int8)
        self.place = np.full(count, 16, dtype=np.int8)
        self.hands = np.zeros((count, 2, faces), dtype=np.int8)
        self.rows = np.zeros((count, 2, faces), dtype=np.int8)
        self.known = np.zeros((count, 2, faces), dtype=np.int8)
        self.tops = np.zeros((count, 2, colours), dtype=np.int8)
        self.piles = np.zeros((count, colours, STACK), dtype=np.int8)
        self.heights = np.zeros((count, colours), dtype=np.int8)
        self.mover = starts.astype(np.int8)
        self.laid = np.full(count, -1, dtype=np.int8)
        self.closed = np.full(count, -1, dtype=np.int8)
        self.run = np.zeros(count, dtype=np.int8)
        self.ply = np.zeros(count, dtype=np.int16)
        for i in range(count):
            for place in range(16):
                self.hands[i, place % 2, decks[i, place]] += 1
        self.masks = np.zeros((count, 2 * faces + colours + 1), dtype=np.int8)
        length = PLANES * faces + (STACK + 1) * colours + NUMBERS
        self.observations = np.zeros((count, length), dtype=np.float32)

    @property
    def state(self) -> tuple[NDArray[Any], ...]:
        """What :func:`step_arrays` takes."""
        cards = self.deck, self.hands, self.rows, self.known, self.tops, self.piles, self.heights
        return *cards, self.place, self.mover, self.laid, self.closed, self.run, self.ply


@in_place
def step_arrays(actions: NDArray[np.int64], state: Any) -> None:
    """Do one legal action in every round that is not over."""
    for i in range(actions.shape[0]):
        _step(actions[i], i, state)


@inlined
def _step(action: int, i: int, state: Any) -> None:
    deck, hands, rows, known, tops, piles, heights, place, mover, laid, closed, run, ply = state
    faces = hands.shape[2]
    seat = mover[i]
    if place[i] == deck.shape[1]:
        return
    if action < 2 * faces:
        face = action % faces
        colour = face // 10
        hands[i, seat, face] -= 1
        if known[i, seat, face] > 0:
            known[i, seat, face] -= 1
        if action < faces:
            tops[i, seat, colour] = face % 10
            rows[i, seat, face] += 1
        else:
            piles[i, colour, heights[i, colour]] = face
            heights[i, colour] += 1
            closed[i] = colour
        laid[i] = face
        return
    if action == 2 * faces:
        card = deck[i, place[i]]
        place[i] += 1
        run[i] = 0
    else:
        colour = action - 2 * faces - 1
        heights[i, colour] -= 1
        card = piles[i, colour, heights[i, colour]]
        known[i, seat, card] += 1
        run[i] += 1
    hands[i, seat, card] += 1
    laid[i] = closed[i] = -1
    mover[i] = 1 - seat
    ply[i] += 1


@in_place
def step_and_show_arrays(
    actions: NDArray[np.int64], state: Any, masks: NDArray[np.int8], observations: Floats
) -> None:
    """Do one legal action in every round, and write its mask and observation."""
    for i in range(actions.shape[0]):
        _step(actions[i], i, state)
        _mask(i, state, masks)
        _observe(i, state, observations[i])


@inlined
def _mask(i: int, state: Any, masks: NDArray[np.int8]) -> None:
    deck, hands, _rows, _known, tops, _piles, heights, place, mover, laid, closed, _run, _ply = (
        state
    )
    faces, seat = hands.shape[2], mover[i]
    masks[i, :] = 0
    if place[i] == deck.shape[1]:
        return
    if laid[i] < 0:
        for face in range(faces):
            if hands[i, seat, face] > 0:
                masks[i, faces + face] = 1
                top = tops[i, seat, face // 10]
                if face % 10 > top or (face % 10 == 0 and top == 0):
                    masks[i, face] = 1
    else:
        masks[i, 2 * faces] = 1
        for colour in range(heights.shape[1]):
            if heights[i, colour] > 0 and closed[i] != colour:
                masks[i, 2 * faces + 1 + colour] = 1


@inlined
def _observe(i: int, state: Any, out: Floats) -> None:
    deck, hands, rows, known, tops, piles, heights, place, mover, laid, closed, _run, ply = state
    faces, colours = hands.shape[2], heights.shape[1]
    own = mover[i]
    other = 1 - own
    out[:] = 0.0
    for face in range(faces):
        out[face] = hands[i, own, face]
        out[faces + face] = rows[i, own, face]
        out[2 * faces + face] = rows[i, other, face]
        out[5 * faces + face] = known[i, other, face]
        out[6 * faces + face] = known[i, own, face]
        copies = 3 if face % 10 == 0 else 1
        seen = hands[i, own, face] + rows[i, own, face] + rows[i, other, face]
        out[7 * faces + face] = copies - seen - known[i, other, face]
        for which in range(2):
            top = tops[i, own if which == 0 else other, face // 10]
            if face % 10 > top or (face % 10 == 0 and top == 0):
                out[(8 + which) * faces + face] = 1.0
    for colour in range(colours):
        height = heights[i, colour]
        for depth in range(height):
            face = piles[i, colour, height - 1 - depth]
            out[3 * faces + face] += 1.0
            out[7 * faces + face] -= 1.0
            out[PLANES * faces + STACK * colour + depth] = face % 10 + 1
        if height > 0:
            out[4 * faces + piles[i, colour, height - 1]] = 1.0
    end = PLANES * faces + STACK * colours
    if closed[i] >= 0:
        out[end + closed[i]] = 1.0
    held = shown = 0
    for face in range(faces):
        held += hands[i, other, face] - known[i, other, face]
        shown += hands[i, own, face] - known[i, own, face]
    out[end + colours] = laid[i] >= 0
    out[end + colours + 1] = deck.shape[1] - place[i]
    out[end + colours + 4] = ply[i]
    out[end + colours + 5] = held
    out[end + colours + 6] = shown
    out[end + colours + 7] = 1.0
