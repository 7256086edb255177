"""The one encoding of cards and actions as plain ints, for the core, the kernel and the agents.

A *face* is what is printed on a card: ``10 * colour + r`` where ``colour`` runs over the canonical
order ``Y B W G R P`` (0…5) and ``r`` is 0 for a wager and 1…9 for the numbers 2…10. The three
wagers of a colour are one face.

An *action* is half a turn, for a deck of ``c`` colours (``actions(c)`` of them: 106 for five
colours, 127 for six)::

    play face f        f
    discard face f     10 c + f
    draw from deck     20 c
    take pile of k     20 c + 1 + k

Plain functions over ints on purpose: they compile unchanged with Numba.
"""

COLOUR_LETTERS = "YBWGRP"
MAX_COLOURS = 6
FACES_PER_COLOUR = 10
LOWEST_NUMBER = 2
HIGHEST_NUMBER = 10
MAX_WAGERS = 3


def face_of(colour: int, rank: int) -> int:
    """The face of a rank (0 wager, 2…10 numbers) in a colour (0…5)."""
    return FACES_PER_COLOUR * colour + (rank - 1 if rank else 0)


def colour_of(face: int) -> int:
    """The colour (0…5) of a face."""
    return face // FACES_PER_COLOUR


def rank_of(face: int) -> int:
    """The rank of a face: 0 for a wager, else the number 2…10."""
    r = face % FACES_PER_COLOUR
    return r + 1 if r else 0


def faces(colours: int) -> int:
    """How many faces a deck of that many colours can have."""
    return FACES_PER_COLOUR * colours


def actions(colours: int) -> int:
    """How many actions there are with that many colours."""
    return 21 * colours + 1


def play_action(face: int) -> int:
    """The action that plays a face to one's own expedition."""
    return face


def discard_action(colours: int, face: int) -> int:
    """The action that discards a face."""
    return FACES_PER_COLOUR * colours + face


def deck_action(colours: int) -> int:
    """The action that draws from the deck."""
    return 2 * FACES_PER_COLOUR * colours


def pile_action(colours: int, colour: int) -> int:
    """The action that takes the top card of a colour's pile."""
    return 2 * FACES_PER_COLOUR * colours + 1 + colour


def is_lay(colours: int, action: int) -> bool:
    """Whether an action is the first half of a turn."""
    return action < 2 * FACES_PER_COLOUR * colours
