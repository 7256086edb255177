"""The toy with five faults that real programs have had; the conformance suite finds each of them.

    lostcities conformance --adapter "python examples/conformance/faulty_adapter.py"
    lostcities conformance --adapter "python examples/conformance/faulty_adapter.py twin"

Without a name all five are planted; with names only those.
"""

import copy
import sys

from toy_adapter import Json, Toy, serve


class BonusMultiplied(Toy):
    """The bonus is added before the multiplication."""

    def row_points(self, row: list[str], rules: Json) -> int:
        """Right wherever a long row has no wager."""
        if not row:
            return 0
        bonus = rules["bonus"] if len(row) >= rules["bonus_at"] else 0
        wagers = sum(1 for card in row if card.endswith("X"))
        return int((sum(map(self.rank, row)) - rules["cost"] + bonus) * (1 + wagers))


class Twin(Toy):
    """The bar on the fresh discard compares faces, so that an equal wager beneath gets through."""

    def open_piles(self, at: Json, lay: str, rules: Json) -> list[str]:
        """Right unless the pile holds the twin of the wager just discarded."""
        piles = super().open_piles(at, lay, rules)
        beneath = at["piles"].get(lay[1], [])
        if lay[0] == "-" and lay.endswith("X") and beneath and beneath[-1] == lay[1:]:
            piles = [*piles, lay[1]]
        return piles


class OldestFirst(Toy):
    """A pile hands out its oldest card."""

    def take(self, pile: list[str]) -> str:
        """Right while a pile holds one card."""
        return pile.pop(0)


class EmptyDeckEnds(Toy):
    """The round ends when somebody draws from the empty deck, not when the last card is drawn."""

    def over(self, at: Json, rules: Json) -> bool:
        """Right until the last card of the deck has been drawn."""
        return bool(at.get("dry"))

    def play(self, at: Json, token: str, rules: Json) -> Json:
        """A draw from the empty deck lays the card and ends the round."""
        if at["deck"] or not token.endswith("*"):
            return super().play(at, token, rules)
        after = copy.deepcopy(at)
        self.lay_down(after, token[:-1])
        return {**after, "to_move": 1 - at["to_move"], "dry": True}


class LastRoundStarts(Toy):
    """Who starts is settled by the last round where the rules say the total."""

    def starter(self, rounds: list[Json], rules: Json) -> int:
        """Right until totals and last round disagree."""
        as_winner = "winner" if rules["next"] == "leader" else rules["next"]
        return super().starter(rounds, {**rules, "next": as_winner})


FAULTS: dict[str, type[Toy]] = {
    "bonus": BonusMultiplied,
    "twin": Twin,
    "oldest": OldestFirst,
    "empty-deck": EmptyDeckEnds,
    "last-round": LastRoundStarts,
}


def faulty(names: list[str]) -> Toy:
    """The toy with the faults of these names, or with all."""
    planted = tuple(FAULTS[name] for name in names or FAULTS)
    made: Toy = type("Faulty", planted, {})()
    return made


if __name__ == "__main__":
    serve(faulty(sys.argv[1:]))
