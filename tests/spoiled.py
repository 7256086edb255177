"""Records with a fault, and where a reader finds it."""

from lostcities.core.record_text import parse_record


def with_a_wrong_turn(text: str, ply: int) -> tuple[str, str]:
    """A record whose first round has a card that no deck has, and the place of that turn.

    It is in the turn of that ply, from 1; or in an earlier one that reads alike, since two equal wagers of a
    random deal may be laid one after the other.
    """
    turns = list(map(str, parse_record(text).rounds[0].turns))
    turn = turns[ply - 1]
    return text.replace(turn, "+R10*", 1), f"round 1, ply {1 + turns.index(turn)}"
