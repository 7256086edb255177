"""The compiled kernel: equal to the core, random play, dealing, perft, hidden cards dealt anew."""

import os
import random
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import kernel_differential as differential
from data_files import position, read_positions
from lostcities import encoding
from lostcities.core.cards import parse_card
from lostcities.core.errors import HiddenCardsError, NotationError
from lostcities.core.rules import Rules
from lostcities.core.seats import SEATS
from lostcities.core.views import view_of_round
from lostcities.kernel import bits, bridge, jit
from lostcities.kernel import layout as at
from lostcities.kernel import round as kernel
from lostcities.kernel.hidden import (
    hand_count,
    known_count,
    resample,
    resample_by,
    unseen_faces,
    unseen_wagers,
)
from lostcities.kernel.playout import playout
from lostcities.kernel.rules import all_cards

PERFT = read_positions("perft.txt")
LEGAL = read_positions("legal.txt")
RULES = [
    Rules(),
    Rules(colours=6),
    Rules(colours=1, hand=3),
    Rules(colours=3, hand=4, wagers=1, top=6, own_discard=True, stall=5),
    Rules(colours=2, hand=5, wagers=0),
]


def test_core_and_kernel_agree() -> None:
    seed = int(os.environ.get("LOSTCITIES_SEED") or random.randrange(2**32))
    print(f"LOSTCITIES_SEED={seed}")
    differential.run(1000, seed)


@pytest.mark.slow
def test_core_and_kernel_agree_for_longer() -> None:
    seed = int(os.environ.get("LOSTCITIES_SEED") or random.randrange(2**32))
    print(f"LOSTCITIES_SEED={seed}")
    differential.run(60_000, seed)


def test_every_action_is_judged_alike() -> None:
    for walk in differential.walk_rounds(300, seed=5):
        legal = set() if walk.state.over else set(walk.legal())
        actions = range(-3, encoding.actions(walk.rules.colours) + 3)
        judged = {a for a in actions if kernel.is_legal(walk.row, walk.packed, a)}
        assert judged == legal


@pytest.mark.parametrize("length", [1, 2, pytest.param(3, marks=pytest.mark.slow)])
def test_perft_files(length: int) -> None:
    for colours, text, counts in PERFT:
        state = position(text, f"colours={colours}")
        assert bridge.perft(state, length) == int(counts.split()[length - 1]), text


def test_legal_files() -> None:
    for colours, text, turns in LEGAL:
        state = position(text, f"colours={colours}")
        packed, row = bridge.pack(state.rules), bridge.to_row(state)
        listed = []
        for lay in differential.kernel_legal(row, packed):
            laid = row.copy()
            kernel.apply(laid, packed, lay)
            draws = differential.kernel_legal(laid, packed)
            listed += [bridge.actions_to_turn(lay, draw, colours) for draw in draws]
        assert sorted(map(str, listed)) == sorted(turns.split())


def test_perft_in_the_middle_at_the_end_and_of_nothing() -> None:
    middle = position("0 | G2 | B3 Y4 | - | - | R5 B4 | W4 W5 | -R5")
    assert [bridge.perft(middle, length) for length in (0, 1)] == [1, 2]
    assert bridge.perft(position("1 | G2 R5 | B3 Y4 | W2 | - | R3 | -"), 1) == 0


def test_perft_says_what_is_hidden() -> None:
    hidden = position("0 | B3 Y4 | ?2 | - | - | - | ?9")
    assert bridge.perft(hidden, 1) == 4
    with pytest.raises(HiddenCardsError):
        bridge.perft(hidden, 2)
    with pytest.raises(HiddenCardsError):
        bridge.perft(position("1 | B3 Y4 | ?2 | - | - | - | ?9"), 1)
    with pytest.raises(HiddenCardsError):
        bridge.to_row(hidden)


# ---- dealing and random play --------------------------------------------------------------------


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_a_seeded_deal_is_a_whole_deck(rules: Rules) -> None:
    packed = bridge.pack(rules)
    assert np.array_equal(all_cards(packed), bridge.faces_of(rules.all_cards()))
    row = at.empty_rows(1)[0]
    decks = set()
    for seed in range(20):
        kernel.deal_seeded(row, packed, seed, 1)
        state = bridge.from_row(row, rules)
        cards = Counter([*state.hands[0], *state.hands[1], *state.deck])
        assert cards == Counter(rules.all_cards())
        assert len(state.hands[0]) == len(state.hands[1]) == rules.hand
        assert (state.to_move, state.ply) == (1, 0)
        decks.add((state.hands, state.deck))
        again = at.empty_rows(1)[0]
        kernel.deal_seeded(again, packed, seed, 1)
        assert np.array_equal(again, row)
    assert len(decks) == 20


def test_shuffles_are_even() -> None:
    packed = bridge.pack(Rules(colours=1, hand=1, wagers=0, top=6))
    row = at.empty_rows(1)[0]
    seen: Counter[tuple[int, ...]] = Counter()
    rounds = 24_000
    for seed in range(rounds):
        kernel.deal_seeded(row, packed, seed, 0)
        deck = row.view(np.uint8)[at.DECK_BYTES + at.DECK_END - 5 : at.DECK_BYTES + at.DECK_END]
        seen[tuple(int(face) for face in deck)] += 1
    assert len(seen) == 120
    expected = rounds / 120
    assert sum((count - expected) ** 2 / expected for count in seen.values()) < 181  # 1 in 5000


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_playouts_end_in_states_of_the_core(rules: Rules) -> None:
    packed = bridge.pack(rules)
    row = at.empty_rows(1)[0]
    for seed in range(30):
        kernel.deal_seeded(row, packed, seed, seed % 2)
        for _ in range(seed % 3):  # from a fresh deal, in mid-turn, and after a turn
            kernel.apply(row, packed, differential.kernel_legal(row, packed)[-1])
        lead = playout(row, packed)
        state = bridge.from_row(row, rules)
        assert state.over
        assert kernel.over(row, packed)
        held = [*state.hands[0], *state.hands[1], *state.deck]
        laid = [
            card for rows in (*state.expeditions, state.piles) for pile in rows for card in pile
        ]
        assert Counter(held + laid) == Counter(rules.all_cards())
        assert len(state.hands[0]) == len(state.hands[1]) == rules.hand
        assert lead == state.score[0] - state.score[1]
        assert state.to_move == (seed + state.ply) % 2


def test_a_playout_chooses_evenly() -> None:
    # Two cards, one deck card: four lays; after a discard only the deck, after a play also the pile.
    state = position("0 | Y2 Y5 | G3 G4 | - | - | B2 | W4")
    packed, made = bridge.pack(state.rules), bridge.to_row(state)
    seen: Counter[str] = Counter()
    trials = 8000
    for seed in range(trials):
        row = made.copy()
        row[at.RNG] = seed * 977
        playout(row, packed)
        end = bridge.from_row(row, state.rules)
        if end.ply == 1:
            seen["+" if end.expeditions[0][0] else "-"] += 1
    assert abs(seen["+"] - trials / 4) < 200  # half the lays, half the draws
    assert abs(seen["-"] - trials / 4) < 200


def test_a_stalled_round_is_told_from_a_natural_end() -> None:
    state = position("0 | Y2 Y5 | G3 G4 | - | - | B2 B3 | W4 W5", "stall=1")
    packed, row = bridge.pack(state.rules), bridge.to_row(state)
    for action in (encoding.face_of(0, 2), encoding.pile_action(5, 1)):
        kernel.apply(row, packed, action)
    assert kernel.over(row, packed)
    assert kernel.stalled(row, packed)
    assert differential.kernel_legal(row, packed) == []


# ---- hidden cards -------------------------------------------------------------------------------


def test_resampled_rows_show_their_seat_the_same() -> None:
    for count, walk in enumerate(differential.walk_rounds(300, seed=11)):
        seat = count % 2
        row = walk.row.copy()
        resample(row, walk.packed, seat)
        state = bridge.from_row(row, walk.rules)
        assert view_of_round(state, seat) == view_of_round(walk.state, seat)
        other = 1 - seat
        assert not Counter(state.taken[other]) - Counter(state.hands[other])
        hidden = Counter([*walk.state.hands[other], *walk.state.deck])
        assert Counter([*state.hands[other], *state.deck]) == hidden


def test_resampling_does_not_look_at_what_is_hidden() -> None:
    rng = random.Random(3)
    for walk in differential.walk_rounds(400, seed=12):
        if walk.actions % 9:
            continue
        seat = rng.randrange(2)
        first, second = walk.row.copy(), walk.row.copy()
        resample(second, walk.packed, seat)
        second[at.RNG] = first[at.RNG] = rng.getrandbits(60)
        resample(first, walk.packed, seat)
        resample(second, walk.packed, seat)
        assert bridge.from_row(first, walk.rules) == bridge.from_row(second, walk.rules)


def test_resampling_is_even() -> None:
    # Unseen by seat 0: Y4 Y5 Y6 YX YX, of which two are in the other hand: the known YX stays.
    state = position("0 | Y2 | YX Y4 Y5 | - | - | Y3 | YX YX Y6", "colours=1 hand=1 top=6")
    packed, made = bridge.pack(state.rules), bridge.to_row(state)
    made[at.SEAT + at.KNOWN] = 1
    made[at.SEAT + at.WAGERS] += np.uint64(1 << at.IN_KNOWN)
    hands: Counter[tuple[str, ...]] = Counter()
    trials = 20_000
    for seed in range(trials):
        row = made.copy()
        row[at.RNG] = seed * 7919
        resample(row, packed, 0)
        hands[tuple(map(str, bridge.from_row(row, state.rules).hands[1]))] += 1
    # Of the five hidden cards every pair is as likely, the two wagers being different cards.
    expected = {("YX", "YX", "YX"): 1}
    for number in ("Y4", "Y5", "Y6"):
        expected["YX", "YX", number] = 2
    expected |= {("YX", *pair): 1 for pair in (("Y4", "Y5"), ("Y4", "Y6"), ("Y5", "Y6"))}
    assert set(hands) == set(expected)
    chi = sum((hands[h] - trials * w / 10) ** 2 / (trials * w / 10) for h, w in expected.items())
    assert chi < 26  # six degrees of freedom: 1 in 5000


def test_rows_dealt_by_a_belief_show_their_seat_the_same() -> None:
    odds = np.random.default_rng(5).random(60, dtype=np.float32) + np.float32(0.1)
    for count, walk in enumerate(differential.walk_rounds(300, seed=15)):
        seat = count % 2
        row, twin = walk.row.copy(), walk.row.copy()
        resample(twin, walk.packed, seat)
        twin[at.RNG] = row[at.RNG]
        resample_by(row, walk.packed, seat, odds)
        resample_by(twin, walk.packed, seat, odds)
        state = bridge.from_row(row, walk.rules)
        assert state == bridge.from_row(twin, walk.rules)
        assert view_of_round(state, seat) == view_of_round(walk.state, seat)
        hidden = Counter([*walk.state.hands[1 - seat], *walk.state.deck])
        assert Counter([*state.hands[1 - seat], *state.deck]) == hidden


def test_a_belief_draws_the_other_hand_in_proportion_to_its_odds() -> None:
    # Unseen by seat 0: Y4 Y5 Y6 YX YX, of which two are in the other hand, drawn one after the other.
    state = position("0 | Y2 | YX Y4 | - | - | Y3 | YX YX Y5 Y6", "colours=1 hand=1 top=6")
    packed, made = bridge.pack(state.rules), bridge.to_row(state)
    unseen = dict(enumerate(("YX", "YX", "YX", "Y4", "Y5", "Y6")))
    weight = {"YX": 0.5, "Y4": 4.0, "Y5": 1.0, "Y6": 2.0}
    odds = np.ones(60, np.float32)
    for name, each in weight.items():
        odds[parse_card(name).face] = each
    expected: Counter[tuple[str, ...]] = Counter()
    total = sum(weight[name] for name in unseen.values())
    for one, first in unseen.items():
        for two, second in unseen.items():
            if one != two:
                chance = weight[first] / total * weight[second] / (total - weight[first])
                expected[tuple(sorted((first, second)))] += chance  # type: ignore[assignment]
    hands: Counter[tuple[str, ...]] = Counter()
    trials = 20_000
    for seed in range(trials):
        row = made.copy()
        row[at.RNG] = seed * 7919
        resample_by(row, packed, 0, odds)
        hands[tuple(sorted(map(str, bridge.from_row(row, state.rules).hands[1])))] += 1
    assert set(hands) == set(expected)
    chi = sum((hands[h] - trials * w) ** 2 / (trials * w) for h, w in expected.items())
    assert chi < 26  # six degrees of freedom: 1 in 5000


def test_unseen_cards_are_the_cores() -> None:
    for walk in differential.walk_rounds(400, seed=13):
        for seat in SEATS:
            view = view_of_round(walk.state, seat)
            shown = [*view.hand, *view.other_known]
            shown += [
                card for rows in (*view.expeditions, view.piles) for row in rows for card in row
            ]
            unseen = Counter(walk.rules.all_cards())
            unseen.subtract(shown)
            faces = int(unseen_faces(walk.row, walk.packed, seat))
            assert {card.face for card, left in unseen.items() if left} == {
                face for face in range(60) if faces >> face & 1
            }
            wagers = int(unseen_wagers(walk.row, walk.packed, seat))
            for card, left in unseen.items():
                if card.is_wager:
                    assert wagers >> 8 * card.colour & 255 == left
            assert hand_count(walk.row, seat) == walk.state.hand_size(seat)
            assert known_count(walk.row, seat) == len(walk.state.taken[seat])


def test_a_view_that_hides_too_much_is_refused() -> None:
    view = view_of_round(position("0 | Y2 | Y3 | - | - | - | Y4", "colours=1 hand=1 top=4"), 0)
    with pytest.raises(NotationError, match="9 cards are hidden, but only 5 unseen"):
        bridge.view_to_row(replace(view, deck=8))
    with pytest.raises(ValueError, match="spectator"):
        bridge.view_to_row(replace(view, seat=None))


def test_a_view_makes_a_row_that_tells_nothing_of_what_it_hides() -> None:
    for count, walk in enumerate(differential.walk_rounds(400, seed=14)):
        if walk.state.lay is not None:
            continue
        seat = count // 2 % 2
        view = view_of_round(walk.state, seat)
        row = bridge.view_to_row(view)
        state = bridge.from_row(row, walk.rules)
        assert view_of_round(state, seat).legal == view.legal
        assert view_of_round(state, seat).hand == view.hand
        assert state.expeditions == walk.state.expeditions
        assert state.piles == walk.state.piles
        assert state.deck_size == walk.state.deck_size
        other = walk.row.copy()
        resample(other, walk.packed, seat)
        twin = view_of_round(bridge.from_row(other, walk.rules), seat)
        assert np.array_equal(row[: at.RUN], bridge.view_to_row(twin)[: at.RUN])


# ---- bits, modes --------------------------------------------------------------------------------


@jit.njit
def found(word: bits.Word, n: bits.Word) -> tuple[bits.Word, bits.Word, bits.Word, bits.Word]:
    return (
        bits.popcount(word),
        bits.lowest(word),
        bits.select(word, n),
        bits.select_portable(word, n),
    )


def test_selecting_bits() -> None:
    rng = random.Random(1)
    for _ in range(300):
        word = rng.getrandbits(64) & rng.getrandbits(64) | 1 << rng.randrange(64)
        places = [place for place in range(64) if word >> place & 1]
        for n, place in enumerate(places):
            expected = (len(places), places[0], place, place)
            assert found(np.uint64(word), np.uint64(n)) == expected


def run_python(code: str, **environment: str) -> str:
    """The output of a program in another process, in which warnings are errors."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parent), **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


WALK = """
import kernel_differential
from lostcities import kernel
print(kernel.COMPILED, kernel.BIT_INSTRUCTIONS, kernel.describe())
print(kernel_differential.run({actions}, 3))
rules = kernel.pack_rules(stall=20)
row = kernel.empty_rows(1)[0]
for seed in range(3):
    kernel.deal_seeded(row, rules, seed, 0)
    kernel.resample(row, rules, 1)
    print(kernel.playout(row, rules), *row[:20])
"""


def test_without_the_compiler_the_same_comes_out() -> None:
    slow = run_python(WALK.format(actions=150), NUMBA_DISABLE_JIT="1").splitlines()
    fast = run_python(WALK.format(actions=150)).splitlines()
    assert slow[0].startswith("False False not compiled (NUMBA_DISABLE_JIT is set)")
    assert "slower" in slow[0]
    assert slow[1:] == fast[1:]


def test_without_numba_the_same_comes_out() -> None:
    without = "import sys; sys.modules['numba'] = None\n" + WALK.format(actions=40)
    slow = run_python(without).splitlines()
    assert slow[0].startswith("False False not compiled (Numba is not installed)")
    assert slow[1:] == run_python(WALK.format(actions=40)).splitlines()[1:]


def test_without_numpy_it_says_what_to_install() -> None:
    code = """
import sys
sys.modules["numpy"] = None
try:
    import lostcities.kernel
except ImportError as error:
    print(error)
"""
    assert "lostcities[fast]" in run_python(code)


@pytest.mark.slow
@pytest.mark.skipif(not jit.BIT_INSTRUCTIONS, reason="this processor has the portable path only")
def test_the_portable_path_plays_the_same() -> None:
    features = jit.CPU_FEATURES.replace("+bmi2", "-bmi2")
    portable = run_python(WALK.format(actions=150), NUMBA_CPU_FEATURES=features).splitlines()
    assert portable[0].startswith("True False compiled")
    assert portable[1:] == run_python(WALK.format(actions=150)).splitlines()[1:]


COUNTED = """
import sys
sys.path.insert(0, {folder!r})
import caller
print(caller.answer(1), *caller.answer.stats.cache_hits.values())
"""


def test_what_is_kept_is_thrown_away_when_a_neighbour_changes(tmp_path: Path) -> None:
    (tmp_path / "caller.py").write_text(
        "from lostcities.kernel.jit import in_place\n"
        "from callee import number\n\n\n"
        "@in_place\ndef answer(x):\n    return x + number()\n"
    )
    callee = (
        "from lostcities.kernel.jit import inlined\n\n\n@inlined\ndef number():\n    return {}\n"
    )
    program = COUNTED.format(folder=str(tmp_path))
    (tmp_path / "callee.py").write_text(callee.format(41))
    assert run_python(program).split() == ["42"]
    assert run_python(program).split() == ["42", "1"]
    (tmp_path / "callee.py").write_text(callee.format(1000))
    assert run_python(program).split() == ["1001"]
