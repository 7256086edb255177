"""Training: the stages at small scale, going on after an interrupt, and the command."""

import json
import signal
import subprocess
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import needs
from lostcities.agents.lookahead import Lookahead, LookSettings
from lostcities.agents.network import forward
from lostcities.agents.network.weights import read_weights, shipped_path
from lostcities.kernel.round import deck_left
from lostcities.kernel.rules import pack_rules
from lostcities.training.draw import Wanted, draw_part, drawn_by_threads, joined
from lostcities.training.measure import duel, looking_player, network_player, steady_player
from lostcities.training.stage import Step, TrainingError, Watch
from lostcities.training.teach import TeachSettings, read_lessons, shard_path, teach
from networks import random_arrays, random_network
from running import assert_refused, command, environment, run_here

pytestmark = [pytest.mark.needs("numba"), pytest.mark.slow]

RULES = pack_rules(stall=30)
NETWORK = forward.flatten(random_arrays())
TEACH = TeachSettings(shards=3, rounds=2, look=LookSettings(samples=4, depth=2))


@pytest.fixture(autouse=True)
def _one_thread() -> None:
    """Threads that wait for each other on a busy machine cost more than they bring."""
    if needs.missing("torch") is None:
        import torch

        torch.set_num_threads(1)


def ignore(step: Step) -> None:
    """Watch nothing."""


def stop_after(count: int, unit: str) -> Watch:
    """Interrupt after so many steps of a unit."""

    def watch(step: Step) -> None:
        if step.unit == unit and step.done >= count:
            raise KeyboardInterrupt

    return watch


# ---- lessons ------------------------------------------------------------------------------------


def test_lessons_have_values_for_what_was_tried(tmp_path: Path) -> None:
    assert teach(tmp_path, NETWORK, RULES, TEACH, ignore) == 3
    lesson = read_lessons([tmp_path])
    tried = ~np.isnan(lesson.values)
    assert lesson.values.shape == (len(lesson.rows), 106)
    assert len(lesson.rows) > 100
    assert (tried.sum(axis=1) >= 2).all()
    assert np.abs(lesson.values[tried]).max() < 400


def test_lessons_are_the_same_whatever_the_threads_and_interrupts(tmp_path: Path) -> None:
    whole, torn = tmp_path / "whole", tmp_path / "torn"
    teach(whole, NETWORK, RULES, TEACH, ignore, jobs=2)
    with pytest.raises(KeyboardInterrupt):
        teach(torn, NETWORK, RULES, TEACH, stop_after(1, "shards"))
    assert not shard_path(torn, 2).exists()
    teach(torn, NETWORK, RULES, TEACH, ignore)
    for number in range(3):
        ours, theirs = (read_shards(folder, number) for folder in (whole, torn))
        assert (ours[0] == theirs[0]).all()
        np.testing.assert_array_equal(ours[1], theirs[1])


def test_a_teacher_may_look_ahead_only_late(tmp_path: Path) -> None:
    late = replace(TEACH, deck=9, shards=1)
    teach(tmp_path, NETWORK, RULES, late, ignore)
    left = [deck_left(row) for row in read_lessons([tmp_path]).rows]
    assert max(left) <= 9
    assert min(left) < 9
    with pytest.raises(TrainingError, match="another teacher: deck"):
        teach(tmp_path, NETWORK, RULES, replace(late, deck=10), ignore)


def read_shards(folder: Path, number: int) -> tuple[np.ndarray, np.ndarray]:
    with np.load(shard_path(folder, number)) as shard:
        return shard["rows"], shard["values"]


def test_a_folder_of_another_teacher_is_refused_but_may_grow(tmp_path: Path) -> None:
    small = replace(TEACH, shards=1, rounds=1)
    teach(tmp_path, NETWORK, RULES, small, ignore)
    with pytest.raises(TrainingError, match="another teacher: look"):
        teach(tmp_path, NETWORK, RULES, replace(small, look=LookSettings(samples=5)), ignore)
    with pytest.raises(TrainingError, match="another teacher: network"):
        teach(tmp_path, forward.flatten(random_arrays(1)), RULES, small, ignore)
    assert teach(tmp_path, NETWORK, RULES, replace(small, shards=2), ignore) == 2


def test_damaged_shards_and_empty_folders_are_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(TrainingError, match="no shards here"):
        read_lessons([tmp_path])
    shard_path(tmp_path, 4).write_bytes(b"PK\3\4 torn")
    with pytest.raises(TrainingError, match=r"shard-00004\.npz: not a shard"):
        read_lessons([tmp_path])


# ---- duels --------------------------------------------------------------------------------------


def test_a_duel_is_fair_and_repeats_itself() -> None:
    told = duel((steady_player(), steady_player()), RULES, 10, 5, ignore)
    assert told.points == 0
    assert told.deals == [0.0] * 10
    players = network_player(NETWORK), steady_player()
    ours, again = (duel(players, RULES, 4, 5, ignore) for _ in range(2))
    turned = duel(players[::-1], RULES, 4, 5, ignore)
    assert ours == again
    assert ours.points == -turned.points < -20


# ---- fitting ------------------------------------------------------------------------------------


def test_one_that_looks_ahead_only_late_plays_as_its_network_before() -> None:
    ahead = Lookahead(NETWORK, LookSettings("policy", samples=2, doubt=0, bonus=0))
    alone = network_player(NETWORK)
    never = duel((looking_player(ahead, 1, deck=0), alone), RULES, 3, 0, ignore)
    assert never.points == 0
    late = duel((looking_player(ahead, 1, deck=20), alone), RULES, 3, 0, ignore)
    assert late.scores != never.scores


@pytest.mark.needs("torch")
def test_the_compiled_network_answers_as_the_one_in_torch() -> None:
    import torch

    from lostcities.training.net import Inputs, Net
    from networks import played_rows

    for text in ("stall=100", "colours=6 stall=100"):
        positions = list(played_rows(text, 4))
        rows, rules = np.array([row for row, _ in positions]), positions[0][1]
        inputs, net = Inputs.of(rows, rules), Net().load(random_arrays())
        with torch.no_grad():
            index = np.arange(len(rows))
            logits, values = net(*inputs.batch(index))
            logits = inputs.masked(logits, index)
        ours = np.zeros(logits.shape[1], np.float32)
        for row, wanted, value, lead in zip(rows, logits, values, inputs.leads, strict=True):
            got = forward.evaluate(NETWORK, row, rules, forward.scratch(), ours)
            legal = ours > -1e29
            assert (legal == (wanted.numpy() > -1e8)).all()
            np.testing.assert_allclose(ours[legal], wanted.numpy()[legal], atol=2e-4)
            assert got == pytest.approx(lead + 50 * float(value), abs=1e-2)
    assert (Net().load(random_arrays()).flat() == NETWORK).all()


@pytest.mark.needs("torch")
def test_a_fit_goes_on_where_it_was_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from lostcities.training import fit as fitting
    from lostcities.training.clone import CloneSettings, clone

    monkeypatch.setattr(fitting, "SAVE_EVERY", 3)
    settings = CloneSettings(2000, fit=fitting.FitSettings(epochs=2, batch=128))
    whole, told = clone(settings, RULES, ignore)
    kept = tmp_path / "net.checkpoint"
    with pytest.raises(KeyboardInterrupt):
        clone(settings, RULES, stop_after(20, "steps"), kept)
    assert kept.exists()
    seen: list[int] = []
    torn, again = clone(
        settings, RULES, lambda step: seen.append(step.done) if step.unit == "steps" else None, kept
    )
    assert seen[0] == 19
    assert (torn.flat() == whole.flat()).all()
    assert told == again
    assert not kept.exists()


@pytest.mark.needs("torch")
def test_a_checkpoint_of_something_else_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from lostcities.training import fit as fitting
    from lostcities.training.clone import CloneSettings, clone

    kept = tmp_path / "net.checkpoint"
    kept.write_bytes(b"nothing")
    settings = CloneSettings(2000, fit=fitting.FitSettings(epochs=1, batch=128))
    with pytest.raises(TrainingError, match=r"net\.checkpoint: not a checkpoint"):
        clone(settings, RULES, ignore, kept)
    kept.unlink()
    monkeypatch.setattr(fitting, "SAVE_EVERY", 1)
    with pytest.raises(KeyboardInterrupt):
        clone(settings, RULES, stop_after(2, "steps"), kept)
    with pytest.raises(TrainingError, match="another run: seed"):
        clone(replace(settings, fit=replace(settings.fit, seed=9)), RULES, ignore, kept)
    assert kept.exists()


@pytest.mark.needs("torch")
def test_targets_are_soft_choices_and_what_is_still_to_come() -> None:
    from lostcities.training.learn import targets_of
    from lostcities.training.teach import Lesson

    values = np.full((2, 4), np.nan, np.float32)
    values[0, 1:3] = 10, 10
    values[1, [0, 3]] = 0, 2 * np.log(3)
    lesson = Lesson(np.zeros((2, 40), np.uint64), values)
    targets = targets_of(lesson, np.array([4, -1], np.float32))
    np.testing.assert_allclose(targets.policy, [[0, 0.5, 0.5, 0], [0.25, 0, 0, 0.75]], atol=1e-6)
    np.testing.assert_allclose(targets.value, [6, 1.5 * np.log(3) + 1], atol=1e-6)


@pytest.mark.needs("torch")
def test_a_student_learns_what_it_is_taught(tmp_path: Path) -> None:
    """Few decisions, many passes: it must come to know them by heart."""
    from lostcities.training.fit import FitSettings
    from lostcities.training.learn import LearnSettings, learn, targets_of
    from lostcities.training.net import Inputs

    teach(tmp_path, NETWORK, RULES, replace(TEACH, shards=2, rounds=1), ignore)
    lesson = read_lessons([tmp_path])
    fit = FitSettings(epochs=150, batch=32, rate=4e-3, decay=0, held_out=0)
    net, _ = learn(lesson, RULES, None, LearnSettings(fit=fit), ignore)
    inputs = Inputs.of(lesson.rows, RULES)
    known = targets_of(lesson, inputs.leads).assess(net, inputs, np.arange(len(lesson.rows)))
    assert known.agree > 0.8
    assert known.explained > 0.8


@pytest.mark.needs("torch")
def test_a_belief_counts_what_hands_hold() -> None:
    from lostcities.core.position import parse_position
    from lostcities.core.rules import Rules
    from lostcities.kernel import bridge
    from lostcities.training.believe import hands_of

    rules = Rules.parse("colours=1 hand=3 stall=30")
    state = parse_position("1 | Y2 Y3 YX | YX Y8 Y9 | Y4 | - | YX Y5 | Y6 Y7 Y10", rules)
    hands = hands_of(bridge.to_row(state)[None], bridge.pack(rules))
    # Seat 1 moves: the other holds a wager, 2 and 3; one wager is its own, one lies in the pile.
    held, unseen = (each[0].tolist() for each in (hands.held, hands.unseen))
    assert held == [1, 1, 1, 0, 0, 0, 0, 0, 0, 0]
    assert unseen == [1, 1, 1, 0, 0, 1, 1, 0, 0, 1]


@pytest.mark.needs("torch")
def test_a_belief_knows_more_than_chance(tmp_path: Path) -> None:
    """Some thousand positions are enough to see that hands keep what they can use."""
    from lostcities.training.believe import BelieveSettings, believe
    from lostcities.training.fit import FitSettings

    start = forward.flatten(read_weights(shipped_path("policy-3"))[0])
    fit = FitSettings(epochs=4, batch=256, rate=3e-3, decay=1e-4, held_out=0.2)
    settings = BelieveSettings(positions=20_000, fit=fit)
    net, told = believe(start, pack_rules(stall=100), settings, ignore)
    assert told.loss < 0.97 * told.even
    assert np.isfinite(net.flat()).all()


# ---- policy gradient ----------------------------------------------------------------------------


def test_the_critic_sees_both_hands_and_the_deck() -> None:
    from lostcities.agents.network import features
    from lostcities.training.episodes import EXTRAS, describe_open
    from networks import played_rows, redealt

    row, rules = next(played_rows("stall=100", 1, every=9))
    other = redealt(row, rules, 5)
    rows = np.stack([row, other])
    before = rows.copy()
    bits = np.zeros((2, 5, features.COLOUR_WORDS), np.uint64)
    shown = [np.zeros((2, width), np.float32) for width in (50, features.SHARED_NUMBERS)]
    extras, words = np.zeros((2, 5 * EXTRAS), np.float32), np.zeros(2, np.uint32)
    describe_open(rows, rules, row.copy(), bits, shown[0], words, shown[1], extras)
    assert (rows == before).all()
    assert (bits[0] != bits[1]).any()
    assert (extras[0] != extras[1]).any()
    soonest = extras[0].reshape(5, 2, 10)[:, 0]
    assert 1 <= soonest.max() < 3, "the next card, and wagers after it"
    assert shown[1][0, 5] == 1, "all eight cards of the other hand are known"


def test_a_half_turn_is_credited_with_what_comes_after_it() -> None:
    from lostcities.kernel import layout as at
    from lostcities.training.episodes import credit
    from networks import played_rows

    rows = np.stack([row for row, _ in played_rows("stall=30", 1, every=1)])[:6]
    values = np.arange(6, dtype=np.float32) * 3
    ends, lengths = np.array([10, -4], np.float32), np.array([4, 2])
    advantages, gains = np.zeros((2, 6), np.float32)
    credit(lengths, rows, values, ends, 1.0, advantages, gains, RULES)
    signs = np.where(rows[:, at.MOVER] == 0, 1, -1)
    for i in range(6):
        assert advantages[i] == pytest.approx(signs[i] * ends[i // 4] - values[i]), "all of it"
    credit(lengths, rows, values, ends, 0.0, advantages, gains, RULES)
    assert advantages[3] == pytest.approx(signs[3] * 10 - values[3]), "only the next one"
    assert advantages[0] == pytest.approx(signs[0] * signs[1] * values[1] - values[0])


@pytest.mark.needs("torch")
def test_a_student_keeps_what_it_knew_of_earlier(tmp_path: Path) -> None:
    from lostcities.training.fit import FitSettings
    from lostcities.training.learn import LearnSettings, earlier_rows, learn, own_targets
    from lostcities.training.net import Inputs, Net

    teach(tmp_path, NETWORK, RULES, replace(TEACH, deck=12, shards=6), ignore)
    lesson, start = read_lessons([tmp_path]), random_arrays()
    rows = earlier_rows(NETWORK, RULES, lesson, 500, 3)
    assert len(rows) == 500
    assert min(deck_left(row) for row in rows) == 13

    inputs, moved = Inputs.of(rows, RULES), []
    before = own_targets(Net().load(start), inputs, 500).policy
    for keep in (0, 3000):
        settings = LearnSettings(1, keep, FitSettings(epochs=8, batch=64, rate=2e-3))
        net, _ = learn(lesson, RULES, start, settings, ignore)
        after = own_targets(net, inputs, 500).policy
        moved.append(float((before - after).abs().sum(1).mean()))
    assert moved[1] < moved[0] / 2
    # A lesson that begins with the round leaves nothing before it.
    whole = tmp_path / "whole"
    teach(whole, NETWORK, RULES, TEACH, ignore)
    assert len(earlier_rows(NETWORK, RULES, read_lessons([whole]), 500, 3)) == 0


def test_a_batch_is_the_same_whoever_draws_its_parts() -> None:
    wanted = Wanted(300, 0.3, 0.3)
    drawing = NETWORK, [forward.flatten(random_arrays(1))], RULES, wanted
    seeds = [[1, 5, part] for part in range(3)]
    parts = [draw_part(seed, *drawing) for seed in seeds]
    batch, threads = joined(parts), joined(drawn_by_threads(drawing, seeds))
    for name in ("rows", "actions", "log_probs", "mine", "lengths", "ends"):
        np.testing.assert_array_equal(getattr(batch, name), getattr(threads, name))
    assert len(batch.rows) == sum(len(part.rows) for part in parts) == batch.lengths.sum()
    assert (parts[0].rows[:50] != parts[1].rows[:50]).any()
    assert 0 < batch.mine.mean() < 1


@pytest.mark.needs("torch")
@pytest.mark.parametrize("parts", [1, 3])
def test_improving_goes_on_where_it_was_stopped(parts: int, tmp_path: Path) -> None:
    from lostcities.training.improve import ImproveSettings, improve

    settings = ImproveSettings(
        iterations=4, half_turns=1500, warm=1, batch=256, panel_every=2, panel=3, keep_every=1,
        parts=parts,
    )  # fmt: skip
    start, path = random_arrays(), tmp_path / "a.checkpoint"
    straight, curve = improve(start, RULES, settings, ignore)
    assert [each[0] for each in curve] == [0, 2, 4]
    assert any((straight.arrays()[name] != start[name]).any() for name in start)
    with pytest.raises(KeyboardInterrupt):
        improve(start, RULES, settings, stop_after(3, "iterations"), path)
    other = replace(settings, rate=1e-3)
    with pytest.raises(TrainingError, match="rate differ"):
        improve(start, RULES, other, ignore, path)
    again, curve_again = improve(start, RULES, settings, ignore, path)
    assert curve_again == curve
    for name, array in straight.arrays().items():
        assert (again.arrays()[name] == array).all(), name
    assert not path.exists()


# ---- the command --------------------------------------------------------------------------------


@pytest.mark.needs("torch")
def test_a_flattened_start_has_the_same_first_choices_and_is_less_sure() -> None:
    from lostcities.agents.network import forward
    from lostcities.agents.network.weights import read_weights, shipped_path
    from lostcities.training.improve import flattened
    from networks import played_rows

    start = read_weights(shipped_path("policy-2"))[0]
    acc, sure, unsure = forward.scratch(), np.zeros(127, np.float32), np.zeros(127, np.float32)
    before, after = forward.flatten(start), forward.flatten(flattened(start, 0.5))
    for row, rules in played_rows("stall=100", 2, every=9):
        value = forward.evaluate(before, row, rules, acc, sure)
        assert forward.evaluate(after, row, rules, acc, unsure) == value
        assert sure.argmax() == unsure.argmax()
        legal = sure > -1e29
        assert unsure[legal] == pytest.approx(sure[legal] / 2, abs=1e-4)
        sure[:], unsure[:] = 0, 0


def test_the_command_teaches_and_measures(tmp_path: Path) -> None:
    network, folder = str(random_network(tmp_path)), str(tmp_path / "lessons")
    small = ("--rounds", "1", "--samples", "2", "--depth", "1", "--rules", "stall=20")
    assert run_here("train", "teach", network, folder, "--shards", "1", *small).status == 0
    ran = run_here("train", "duel", network, "--deals", "3", "--json", "--rules", "stall=20")
    facts = json.loads(ran.out)
    assert facts["deals"] == 3
    assert facts["points"] == pytest.approx(facts["mean_a"] - facts["mean_b"])
    ran = run_here("train", "duel", network, network, "--deals", "2", "--samples", "2")
    assert "over 2 deals" in ran.out


@pytest.mark.needs("torch")
def test_the_command_clones_and_learns(tmp_path: Path) -> None:
    clone, student = (str(tmp_path / f"{name}.safetensors") for name in ("clone", "student"))
    little = ("--epochs", "1", "--batch", "64")
    ran = run_here("train", "clone", clone, "--positions", "2000", *little)
    assert ran.status == 0, ran
    assert "agrees on" in ran.out
    assert "agrees on" in read_weights(Path(clone))[1]["held_out"]
    folder = str(tmp_path / "lessons")
    run_here("train", "teach", clone, folder, "--shards", "2", "--samples", "2", "--rounds", "1")
    ran = run_here("train", "learn", folder, "--start", clone, "--out", student, *little)
    assert ran.status == 0, ran
    kinds = ("curve.json", "curve.svg", "safetensors")
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        *(f"clone.{kind}" for kind in kinds), "lessons", *(f"student.{kind}" for kind in kinds)
    ]  # fmt: skip


def test_ctrl_c_keeps_what_is_done_and_says_so(tmp_path: Path) -> None:
    network, folder = str(random_network(tmp_path)), tmp_path / "lessons"
    words = ("train", "teach", network, str(folder), "--shards", "10000", "--rounds", "1")
    process = subprocess.Popen(
        command(*words, "--samples", "2", "--depth", "1"), stderr=subprocess.PIPE, env=environment()
    )
    while len(list(folder.glob("shard-*.npz"))) < 2:
        assert process.poll() is None
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=100)
    assert process.returncode == 130
    assert "of 10000 shards" in said.decode()
    assert "goes on in" in said.decode()
    assert len(read_lessons([folder]).rows) > 30


def test_wrong_arguments_are_refused_in_a_line(tmp_path: Path) -> None:
    network = str(random_network(tmp_path))
    assert_refused(run_here("train", "duel", str(tmp_path / "no.safetensors")), "no.safetensors")
    assert_refused(run_here("train", "duel", "no-such@1"), "no-such-1.safetensors")
    assert_refused(run_here("train", "duel", network, "--rules", "x=1"), "--rules")
    ran = run_here("train", "duel", network, "--samples", "9", "--playout", "luck")
    assert_refused(ran, "--playout", "'luck' is none of")
    ran = run_here("train", "improve", network, "--out", "o", "--cluster", "auto")
    assert_refused(ran, "--cluster", "--parts")
    ran = run_here("train", "learn", str(tmp_path), "--out", "o", "--keep", "5")
    assert_refused(ran, "--keep", "--start")
    assert run_here("train").status == 2
    assert "teach" in run_here("train", "--help").out


# ---- smoke --------------------------------------------------------------------------------------


@pytest.mark.needs("torch")
@pytest.mark.timeout(1200)
def test_a_clone_matches_nine_choices_of_ten() -> None:
    """`make train-smoke`: on positions that were held out."""
    from lostcities.training.clone import SMOKE, clone

    _, fit = clone(SMOKE, pack_rules(stall=100), ignore)
    assert fit.agree >= 0.9
    assert fit.explained > 0.5
