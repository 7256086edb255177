"""A toy implementation of the game with an adapter for the conformance suite.

It shares nothing with the lostcities package: plain Python, one file, written for reading. Run it as

    lostcities conformance --adapter "python examples/conformance/toy_adapter.py"

The protocol is documented in docs/conformance.md: a JSON object a line in, one a line out.
"""

import copy
import json
import re
import sys
from collections import Counter
from typing import Any

COLOURS = "YBWGRP"
Json = dict[str, Any]


class No(Exception):  # noqa: N818 - it is an answer, not an error
    """The request must be refused; says why."""


class Toy:
    """The rules, one small method for each, so that a variant can replace one."""

    # ---- cards ------------------------------------------------------------------------------

    def rank(self, card: str) -> int:
        """0 for a wager, else the number."""
        return 0 if card[1:] == "X" else int(card[1:])

    def deck(self, rules: Json) -> Counter[str]:
        """How many there are of each card."""
        cards: Counter[str] = Counter()
        for colour in COLOURS[: rules["colours"]]:
            cards[f"{colour}X"] = rules["wagers"]
            cards.update(f"{colour}{number}" for number in range(2, rules["top"] + 1))
        return cards

    def check_cards(self, cards: list[str], rules: Json) -> None:
        """Refuse cards that are not in the deck, or too often."""
        for card, count in Counter(cards).items():
            if count > self.deck(rules)[card]:
                raise No(f"{card}: {count} times")

    # ---- scoring ----------------------------------------------------------------------------

    def row_points(self, row: list[str], rules: Json) -> int:
        """What one row is worth."""
        if not row:
            return 0
        wagers = sum(1 for card in row if card.endswith("X"))
        points = (sum(map(self.rank, row)) - rules["cost"]) * (1 + wagers)
        return int(points + (rules["bonus"] if len(row) >= rules["bonus_at"] else 0))

    def points(self, rows: dict[str, list[str]], rules: Json) -> int:
        """What all rows of a side are worth."""
        return sum(self.row_points(row, rules) for row in rows.values())

    # ---- turns ------------------------------------------------------------------------------

    def fits(self, card: str, row: list[str]) -> bool:
        """Whether a card may be played to a row."""
        if not row:
            return True
        return self.rank(card) > self.rank(row[-1]) or self.rank(card) == self.rank(row[-1]) == 0

    def over(self, at: Json, rules: Json) -> bool:
        """Whether the round has ended."""
        return not at["deck"] or 0 < rules["stall"] <= at.get("run", 0)

    def open_piles(self, at: Json, lay: str, rules: Json) -> list[str]:
        """The colours whose pile may be drawn from after a lay."""
        fresh = lay[1] if lay[0] == "-" else ""
        colours = []
        for colour in COLOURS[: rules["colours"]]:
            filled = bool(at["piles"].get(colour)) or colour == fresh
            if filled and (colour != fresh or rules["own_discard"]):
                colours.append(colour)
        return colours

    def lays(self, at: Json) -> list[str]:
        """The first halves of the legal turns."""
        seat, found = at["to_move"], []
        for card in dict.fromkeys(at["hands"][seat]):
            if self.fits(card, at["expeditions"][seat].get(card[0], [])):
                found.append(f"+{card}")
            found.append(f"-{card}")
        return found

    def legal(self, at: Json, rules: Json) -> list[str]:
        """Every legal turn."""
        if self.over(at, rules):
            return []
        return [
            lay + draw
            for lay in self.lays(at)
            for draw in ["*", *(f"<{colour}" for colour in self.open_piles(at, lay, rules))]
        ]

    def take(self, pile: list[str]) -> str:
        """The card that a pile hands out."""
        return pile.pop()

    def lay_down(self, at: Json, lay: str) -> None:
        """Put a card from the hand where it goes."""
        seat, card = at["to_move"], lay[1:]
        at["hands"][seat].remove(card)
        rows = at["piles"] if lay[0] == "-" else at["expeditions"][seat]
        rows.setdefault(card[0], []).append(card)

    def play(self, at: Json, token: str, rules: Json) -> Json:
        """The position after a turn."""
        found = re.fullmatch(r"([+-][A-Z](?:X|\d+))(\*|<[A-Z])([A-Z](?:X|\d+))?", token)
        if found is None or (found[3] and found[2] != "*"):
            raise No(f"{token} is no turn")
        if found[1] + found[2] not in self.legal(at, rules):
            raise No(f"{token} is not legal")
        at = copy.deepcopy(at)
        self.lay_down(at, found[1])
        if found[2] == "*":
            drawn, at["run"] = at["deck"].pop(0), 0
            if found[3] and found[3] != drawn:
                raise No(f"the card drawn is {drawn}")
        else:
            drawn, at["run"] = self.take(at["piles"][found[2][1]]), at.get("run", 0) + 1
        at["hands"][at["to_move"]].append(drawn)
        at["to_move"] = 1 - at["to_move"]
        return at

    def perft(self, at: Json, length: int, rules: Json) -> int:
        """The number of turn sequences of a length."""
        turns = self.legal(at, rules)
        if length == 1:
            return len(turns)
        return sum(self.perft(self.play(at, turn, rules), length - 1, rules) for turn in turns)

    # ---- rounds and matches -----------------------------------------------------------------

    def deal(self, deck: list[str], start: int, rules: Json) -> Json:
        """The first position of a round: one card at a time, seat 0 first."""
        if Counter(deck) != self.deck(rules):
            raise No("the deck does not hold the cards of the rules")
        dealt = 2 * rules["hand"]
        hands = [deck[0:dealt:2], deck[1:dealt:2]]
        return {
            "to_move": start, "hands": hands, "expeditions": [{}, {}], "piles": {},
            "deck": deck[dealt:],
        }  # fmt: skip

    def totals(self, rounds: list[Json]) -> list[int]:
        """The points of all rounds by seat."""
        return [sum(each["score"][seat] for each in rounds) for seat in (0, 1)]

    def starter(self, rounds: list[Json], rules: Json) -> int:
        """Who starts the round after these."""
        last = rounds[-1]
        points = {"leader": self.totals(rounds), "winner": last["score"]}.get(rules["next"], [0, 0])
        if points[0] == points[1]:
            return int(1 - last["start"])
        return 0 if points[0] > points[1] else 1

    # ---- records ----------------------------------------------------------------------------

    def replay(self, text: str) -> Json:
        """The scores of a record, every turn checked."""
        header, *parts = re.split(r'(?=\[Round ")', text)
        tags = dict(re.findall(r'\[(\w+) "([^"]*)"\]', header))
        rules = self.read_rules(tags.get("Rules", ""))
        rounds: list[Json] = []
        for part in parts:
            rounds.append(self.replay_round(part, rounds, rules))
        totals = self.totals(rounds)
        if "Result" in tags:
            self.check_said("result", tags["Result"], totals)
        if len(rounds) != rules["rounds"] and "Termination" not in tags:
            raise No("the match did not end")
        return {"scores": [each["score"] for each in rounds], "result": totals}

    def check_said(self, what: str, said: str, points: list[int]) -> None:
        """Refuse points that a record states wrongly."""
        if said != "{} {}".format(*points):
            raise No(f"the {what} is wrong")

    def read_rules(self, text: str) -> Json:
        """Rules from the words of a record."""
        rules: Json = {
            "colours": 5, "hand": 8, "cost": 20, "bonus": 20, "bonus_at": 8, "rounds": 3,
            "first": "random", "next": "alternate", "own_discard": False, "stall": 0,
            "wagers": 3, "top": 10,
        }  # fmt: skip
        for word in text.split():
            key, _, value = word.partition("=")
            rules[key] = int(value) if value.isdigit() else value == "yes" if value in (
                "yes", "no") else value  # fmt: skip
        return rules

    def replay_round(self, part: str, rounds: list[Json], rules: Json) -> Json:
        """One round of a record."""
        tags = dict(re.findall(r'\[(\w+) "([^"]*)"\]', part))
        start = int(tags["Start"])
        if rounds and start != self.starter(rounds, rules):
            raise No("the wrong seat starts")
        at = self.deal(tags["Deck"].split(), start, rules)
        for token in re.sub(r"\[[^\]]*\]|\d+\.(?=\s)", " ", part).split():
            at = self.play(at, token, rules)
        score = [self.points(rows, rules) for rows in at["expeditions"]]
        if not self.over(at, rules):
            raise No("the round did not end")
        self.check_said("score", tags["Score"], score)
        return {"start": start, "score": score}

    # ---- views ------------------------------------------------------------------------------

    def view(self, at: Json, seat: int, rules: Json) -> Json:
        """What a seat may see."""
        return {
            "seat": seat, "to_move": at["to_move"], "hand": at["hands"][seat],
            "expeditions": at["expeditions"], "piles": at["piles"], "deck": len(at["deck"]),
            "legal": self.legal(at, rules) if at["to_move"] == seat else [],
        }  # fmt: skip

    # ---- the adapter ------------------------------------------------------------------------

    def answer(self, ask: Json) -> Json:
        """The answer to one request."""
        do = getattr(self, f"do_{ask['do']}", None)
        if do is None:
            return {"unsupported": ask["do"]}
        try:
            answer: Json = do(ask, ask.get("rules", {}))
        except No as no:
            return {"refused": str(no)}
        return answer

    def do_score(self, ask: Json, rules: Json) -> Json:
        """The points of a sheet."""
        self.check_cards(ask["cards"], rules)
        rows: dict[str, list[str]] = {colour: [] for colour in COLOURS[: rules["colours"]]}
        for card in ask["cards"]:
            if not self.fits(card, rows[card[0]]):
                raise No(f"{card} cannot lie there")
            rows[card[0]].append(card)
        colours = {colour: self.row_points(row, rules) for colour, row in rows.items()}
        return {"total": sum(colours.values()), "colours": colours}

    def do_legal(self, ask: Json, rules: Json) -> Json:
        """The legal turns of a position."""
        return {"turns": self.legal(ask["position"], rules)}

    def do_play(self, ask: Json, rules: Json) -> Json:
        """Where turns lead."""
        at = ask["position"]
        for token in ask["turns"]:
            at = self.play(at, token, rules)
        score = [self.points(rows, rules) for rows in at["expeditions"]]
        return {"position": at, "over": self.over(at, rules), "score": score}

    def do_perft(self, ask: Json, rules: Json) -> Json:
        """How many sequences of turns there are."""
        return {"count": self.perft(ask["position"], ask["length"], rules)}

    def do_deal(self, ask: Json, rules: Json) -> Json:
        """The deal of a deck."""
        return {"position": self.deal(ask["deck"], ask["start"], rules)}

    def do_replay(self, ask: Json, rules: Json) -> Json:
        """A record played through."""
        return self.replay(ask["record"])

    def do_starter(self, ask: Json, rules: Json) -> Json:
        """Who starts next."""
        return {
            "starter": self.starter(ask["rounds"], rules), "totals": self.totals(ask["rounds"]),
        }  # fmt: skip

    def do_view(self, ask: Json, rules: Json) -> Json:
        """What a seat may see."""
        return {"view": self.view(ask["position"], ask["seat"], rules)}


def serve(toy: Toy) -> None:
    """Answer lines until there are no more."""
    for line in sys.stdin:
        ask = json.loads(line)
        print(json.dumps({"id": ask.get("id"), **toy.answer(ask)}), flush=True)


if __name__ == "__main__":
    serve(Toy())
