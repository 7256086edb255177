"""The two plainest agents, as yardsticks: ``random@1`` and ``greedy@1``."""

from __future__ import annotations

from random import Random

from lostcities.agents.agent import Choice, check_to_move
from lostcities.core.cards import Card
from lostcities.core.round import may_play
from lostcities.core.turn import Lay, Turn
from lostcities.core.views import View

WORTH_STARTING = 15
"""Sum of the numbers held of a colour at which ``greedy`` starts it."""


class RandomAgent:
    """Every legal turn with the same probability."""

    name = "random@1"

    def choose(self, view: View, time_ms: int | None, rng: Random) -> Choice:
        """See :meth:`lostcities.agents.agent.Agent.choose`."""
        check_to_move(view)
        return Choice(view.legal[rng.randrange(len(view.legal))])


class GreedyAgent:
    """Plays the lowest card it may, in colours started or worth 15 in hand; draws from the deck.

    The lowest playable card whose colour is started or sums to 15 or more in hand is played.
    Otherwise the lowest unplayable card is discarded, or else the lowest card. A wager is lower
    than every number; of equal ranks the first in canonical order is taken.
    """

    name = "greedy@1"

    def choose(self, view: View, time_ms: int | None, rng: Random) -> Choice:
        """See :meth:`lostcities.agents.agent.Agent.choose`."""
        check_to_move(view)
        return Choice(Turn(_greedy_lay(view), None))


def _greedy_lay(view: View) -> Lay:
    rows = view.expeditions[view.own_seat]
    playable = [card for card in view.hand if may_play(card, rows[card.colour])]
    wanted = [card for card in playable if rows[card.colour] or _worth_starting(card, view)]
    if wanted:
        return Lay(_lowest(wanted), discard=False)
    unplayable = [card for card in view.hand if card not in playable]
    return Lay(_lowest(unplayable or list(view.hand)), discard=True)


def _worth_starting(card: Card, view: View) -> bool:
    held = sum(other.rank for other in view.hand if other.colour == card.colour)
    return held >= WORTH_STARTING


def _lowest(cards: list[Card]) -> Card:
    return min(cards, key=lambda card: (card.rank, card.colour))
