"""Batches: masks and observations against a slow builder from the core; stepping, dealing, ending."""

import os
import random

import numpy as np
import pytest
from numpy.typing import NDArray

import kernel_differential as differential
from kernel_observation import slow_mask, slow_observation
from lostcities import encoding
from lostcities.core.rules import Rules
from lostcities.core.seats import SEATS
from lostcities.core.views import view_of_round
from lostcities.kernel import bridge
from lostcities.kernel import layout as at
from lostcities.kernel import round as kernel
from lostcities.kernel.batch import ENDED, RUNNING, STALLED, Batch
from lostcities.kernel.hidden import resample
from lostcities.kernel.observe import (
    OBSERVATION_VERSION,
    PLANE_NAMES,
    PLANES,
    observation_length,
    observation_memory,
    observation_scale,
    write_observation,
)


def observe(row: NDArray[np.uint64], packed: NDArray[np.int32], seat: int) -> NDArray[np.uint8]:
    colours = int(packed[at.COLOURS])
    out = np.full(observation_memory(colours), 77, dtype=np.uint8)
    write_observation(row, packed, seat, out, np.uint64(0))
    return out[: observation_length(colours)]


def random_actions(masks: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.int64]:
    actions: NDArray[np.int64] = np.argmax(rng.random(masks.shape) * masks, axis=1)
    return actions


def test_observations_are_those_built_from_the_core() -> None:
    seed = int(os.environ.get("LOSTCITIES_SEED") or random.randrange(2**32))
    print(f"LOSTCITIES_SEED={seed}")
    for walk in differential.walk_rounds(600, seed):
        for seat in SEATS:
            seen = observe(walk.row, walk.packed, seat)
            assert seen.tobytes() == slow_observation(walk.state, seat), walk.rules


def test_observations_do_not_tell_what_is_hidden() -> None:
    for walk in differential.walk_rounds(300, seed=21):
        for seat in SEATS:
            twin = walk.row.copy()
            resample(twin, walk.packed, seat)
            before, after = (observe(row, walk.packed, seat) for row in (walk.row, twin))
            assert np.array_equal(before, after)


def test_a_view_is_observed_as_the_round_is() -> None:
    for walk in differential.walk_rounds(300, seed=22):
        if walk.state.lay is None:
            for seat in SEATS:
                row = bridge.view_to_row(view_of_round(walk.state, seat))
                seen = observe(walk.row, walk.packed, seat)
                if walk.state.over:  # a view of a round that is over has no seat to move
                    row[at.MOVER] = walk.row[at.MOVER]
                assert np.array_equal(observe(row, walk.packed, seat), seen)


def test_observations_keep_their_place() -> None:
    # Who changes this changes the version.
    assert OBSERVATION_VERSION == 1
    assert (PLANES, observation_length(5), observation_length(6)) == (10, 608, 728)
    assert PLANE_NAMES[7] == "unseen"


@pytest.mark.parametrize("text", ["", "colours=6", "colours=1 hand=2 wagers=1 top=7", "stall=3"])
def test_a_batch_shows_what_the_core_shows(text: str) -> None:
    rules = Rules.parse(text)
    batch = Batch(6, bridge.pack(rules), seed=4)
    rng = np.random.default_rng(1)
    states = [bridge.from_row(row, rules) for row in batch.rows]
    ended = 0
    for _ in range(90):
        for i, state in enumerate(states):
            assert batch.seats[i] == state.to_move
            assert batch.masks[i].tobytes() == slow_mask(state)
            assert batch.observations[i].tobytes() == slow_observation(state, state.to_move)
        actions = random_actions(batch.masks, rng)
        batch.step(actions)
        for i, state in enumerate(states):
            states[i] = differential.core_step(state, int(actions[i]))
            if states[i].over:
                ended += 1
                assert batch.done[i] == (STALLED if states[i].stalled else ENDED)
                assert tuple(batch.scores[i]) == tuple(states[i].score)
                states[i] = bridge.from_row(batch.rows[i], rules)
                assert states[i].ply == 0
            else:
                assert batch.done[i] == RUNNING
                assert bridge.from_row(batch.rows[i], rules) == states[i]
    assert ended or rules.deck_size > 50


def test_a_batch_that_does_not_deal_again_stays_at_the_end() -> None:
    batch = Batch(3, bridge.pack(Rules(colours=1, hand=1, wagers=0, top=5)), again=False)
    rng = np.random.default_rng(2)
    while (batch.done == RUNNING).any():
        batch.step(random_actions(batch.masks, rng))
    assert not batch.masks.any()
    rows, scores = batch.rows.copy(), batch.scores.copy()
    batch.step(np.array([-5, 0, 10**9]))
    assert np.array_equal(batch.rows, rows)
    assert np.array_equal(batch.scores, scores)
    assert (batch.done == ENDED).all()


def test_seeds_and_decks_repeat() -> None:
    packed = bridge.pack(Rules())
    one, two = Batch(5, packed, seed=9), Batch(5, packed, seed=8)
    assert not np.array_equal(one.rows, two.rows)
    two.reset(9)
    assert np.array_equal(one.rows, two.rows)
    deck = bridge.faces_of(Rules().all_cards())
    one.reset_to(np.tile(deck, (5, 1)), np.arange(5) % 2)
    state = bridge.from_row(one.rows[3], Rules())
    assert (state.to_move, len(state.deck), str(state.deck[0])) == (1, 44, "B3")
    with pytest.raises(ValueError, match="decks must be"):
        one.reset_to(np.tile(deck, (4, 1)), np.zeros(4, dtype=np.int64))
    decks = np.tile(deck, (5, 1))
    with pytest.raises(ValueError, match="round 4: seat 2 cannot start"):
        one.reset_to(decks, np.array([0, 1, 1, 0, 2]))
    decks[2, 0] = 9
    with pytest.raises(ValueError, match="round 2: the deck does not hold"):
        one.reset_to(decks, np.zeros(5, dtype=np.int64))
    assert bridge.from_row(one.rows[3], Rules()) == state


def test_an_illegal_action_is_named_and_nothing_happens() -> None:
    batch = Batch(4, bridge.pack(Rules()))
    rows = batch.rows.copy()
    actions = random_actions(batch.masks, np.random.default_rng(3))
    for wrong in (-1, encoding.deck_action(5), 106, 2**62):
        actions[2] = wrong
        with pytest.raises(ValueError, match=f"round 2: action {wrong} is illegal"):
            batch.step(actions)
    assert np.array_equal(batch.rows, rows)
    with pytest.raises(ValueError, match="actions are needed"):
        batch.step(actions[:3])
    with pytest.raises(ValueError, match="at least one round"):
        Batch(0, bridge.pack(Rules()))


def test_starting_seats_are_drawn_when_dealt_again() -> None:
    batch = Batch(64, bridge.pack(Rules(colours=1, hand=1, wagers=0, top=4)))
    rng = np.random.default_rng(4)
    starts = []
    for _ in range(60):
        batch.step(random_actions(batch.masks, rng))
        starts += list(batch.seats[batch.done != RUNNING])
    assert 0.4 < np.mean(starts) < 0.6


def test_floats_lie_between_nought_and_one() -> None:
    batch = Batch(8, bridge.pack(Rules(colours=6, stall=20)))
    rng = np.random.default_rng(5)
    for _ in range(40):
        batch.step(random_actions(batch.masks, rng))
    floats = batch.float_observations()
    assert floats.dtype == np.float32
    assert floats.min() == 0
    assert floats.max() <= 1
    assert np.allclose(floats * observation_scale(batch.rules), batch.observations)


def test_every_lay_is_one_of_the_legal() -> None:
    batch = Batch(16, bridge.pack(Rules()))
    for row, mask in zip(batch.rows, batch.masks, strict=True):
        legal = {a for a in range(106) if kernel.is_legal(row, batch.rules, a)}
        assert set(np.flatnonzero(mask).tolist()) == legal


def test_choices_follow_the_logits() -> None:
    batch = Batch(4000, bridge.pack(Rules()))
    deck = bridge.faces_of(Rules().all_cards()[::-1])
    batch.reset_to(np.tile(deck, (4000, 1)), np.zeros(4000, dtype=np.int64))
    rng = np.random.default_rng(6)
    logits = np.tile(rng.normal(size=106).astype(np.float32) * 2 + 50, (4000, 1))
    legal = np.flatnonzero(batch.masks[0])
    logits[:, np.flatnonzero(batch.masks[0] == 0)] = np.nan
    exact = np.exp(logits[0, legal].astype(float))
    exact /= exact.sum()
    actions, log_probs = batch.choose(logits)
    counts = np.array([(actions == action).sum() for action in legal])
    assert counts.sum() == 4000
    chi = ((counts - 4000 * exact) ** 2 / (4000 * exact)).sum()
    assert chi < 2.5 * len(legal) + 20
    for action, log_prob in zip(actions[:50], log_probs[:50], strict=True):
        assert abs(log_prob - np.log(exact[legal == action][0])) < 1e-4
    again, _ = batch.choose(logits)
    assert not np.array_equal(actions, again)
    with pytest.raises(ValueError, match="logits must be"):
        batch.choose(logits[:, :50])


def test_nothing_is_chosen_at_the_end() -> None:
    batch = Batch(2, bridge.pack(Rules(colours=1, hand=1, wagers=0, top=4)), again=False)
    while (batch.done == RUNNING).any():
        actions, _ = batch.choose(np.zeros(batch.masks.shape, dtype=np.float32))
        batch.step(actions)
    assert batch.choose(np.zeros(batch.masks.shape, dtype=np.float32))[0].tolist() == [-1, -1]
