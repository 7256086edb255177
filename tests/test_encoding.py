"""The ints of faces and actions: every one, both directions."""

import pytest

from lostcities import encoding
from lostcities.core.cards import FACES, Card, Colour

EVERY = [(colour, rank) for colour in range(6) for rank in (0, *range(2, 11))]


def test_faces_count_up_in_canonical_order() -> None:
    faces = [encoding.face_of(colour, rank) for colour, rank in EVERY]
    assert faces == list(range(60))
    assert [(encoding.colour_of(f), encoding.rank_of(f)) for f in faces] == EVERY
    assert [encoding.faces(colours) for colours in (1, 5, 6)] == [10, 50, 60]


def test_the_cards_of_the_core_are_these_faces() -> None:
    assert [card.face for card in FACES] == list(range(60))
    assert list(FACES) == [Card(Colour(colour), rank) for colour, rank in EVERY]
    assert encoding.COLOUR_LETTERS == "".join(colour.letter for colour in Colour) == "YBWGRP"


@pytest.mark.parametrize(("colours", "actions"), [(1, 22), (5, 106), (6, 127)])
def test_actions_do_not_overlap(colours: int, actions: int) -> None:
    faces = range(encoding.faces(colours))
    lays = [encoding.play_action(face) for face in faces]
    lays += [encoding.discard_action(colours, face) for face in faces]
    draws = [encoding.deck_action(colours)]
    draws += [encoding.pile_action(colours, colour) for colour in range(colours)]
    assert lays + draws == list(range(actions))
    assert encoding.actions(colours) == actions
    assert all(encoding.is_lay(colours, action) for action in lays)
    assert not any(encoding.is_lay(colours, action) for action in draws)
