"""Where decks come from."""

from collections import Counter
from itertools import permutations, product

from lostcities.core.cards import parse_cards
from lostcities.core.rules import Rules
from lostcities.core.shuffle import SystemEntropy, shuffled

CHOICES = list(product(range(4), range(3), range(2)))


class Choices:
    """The choices of one shuffle, each asked for with its bound."""

    def __init__(self, choices: tuple[int, ...]) -> None:
        self.left = list(zip(choices, (4, 3, 2), strict=True))

    def __call__(self, below: int) -> int:
        choice, bound = self.left.pop(0)
        assert below == bound
        return choice


def test_every_order_comes_from_one_way_of_choosing() -> None:
    """With uniform choices every order is as likely as any other."""
    cards = parse_cards("Y2 Y3 Y4 Y5")
    orders = Counter(shuffled(cards, Choices(choices)) for choices in CHOICES)
    assert orders == Counter(permutations(cards))


def test_the_systems_entropy_gives_whole_decks_each_in_its_own_order() -> None:
    source = SystemEntropy()
    for rules in (Rules(), Rules(colours=6), Rules(colours=2, hand=3, top=4)):
        decks = [source.deck(rules, number) for number in (1, 2, 3)]
        assert all(Counter(deck) == Counter(rules.all_cards()) for deck in decks)
        assert len(set(decks)) > 1
    assert {source.coin() for _ in range(200)} == {0, 1}
