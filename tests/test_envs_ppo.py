"""The PPO example: its arithmetic, its symmetry, and a tiny run of the whole."""

import importlib.util
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lostcities.kernel.observe import NUMBERS, PLANES, STACK, WAGER_ROWS, observation_length
from needs import needs_import

torch = needs_import("torch")
needs_import("gymnasium")

PATH = Path(__file__).parents[1] / "examples" / "ppo.py"


@pytest.fixture(scope="module")
def ppo() -> Any:
    spec = importlib.util.spec_from_file_location("ppo_example", PATH)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_it_reads_observations_as_they_are(ppo: Any) -> None:
    assert (ppo.PLANES, ppo.WAGERS, ppo.STACK, ppo.NUMBERS) == (PLANES, WAGER_ROWS, STACK, NUMBERS)


def test_an_advantage_changes_its_sign_with_the_seat(
    ppo: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ppo, "LAMBDA", 1.0)
    rewards = np.array([[0.0], [0.0], [0.0], [5.0], [0.0]], dtype=np.float32)
    values = np.zeros((6, 1), dtype=np.float32)
    values[5] = 2.0
    # One seat lays and draws, the other lays and draws: the round ends. Then another round begins.
    onward = np.array([[1.0], [-1.0], [1.0], [0.0], [1.0]], dtype=np.float32)
    assert ppo.advantages(rewards, values, onward)[:, 0].tolist() == [-5.0, -5.0, 5.0, 5.0, 2.0]


def test_no_colour_differs_from_another(ppo: Any) -> None:
    torch.manual_seed(1)
    network, order = ppo.Network(), torch.tensor([3, 0, 4, 1, 2])
    seen = torch.rand(2, observation_length(5))
    moved = seen.clone()
    at = 0
    for rows, each in ((PLANES, 10), (WAGER_ROWS, 1), (1, STACK), (1, 1)):
        block = seen[:, at : at + rows * 5 * each].view(2, rows, 5, each)
        moved[:, at : at + rows * 5 * each] = block[:, :, order].reshape(2, -1)
        at += rows * 5 * each
    assert at == observation_length(5) - NUMBERS
    (logits, value), (other, same) = network(seen), network(moved)
    assert torch.allclose(value, same, atol=1e-5)
    assert torch.allclose(logits[:, 100], other[:, 100], atol=1e-5)
    for first, each in ((0, 10), (50, 10), (101, 1)):
        block = logits[:, first : first + 5 * each].view(2, 5, each)[:, order]
        assert torch.allclose(block.reshape(2, -1), other[:, first : first + 5 * each], atol=1e-5)


@pytest.mark.parametrize("agent", ["steady", "none"])
def test_a_tiny_run_learns_and_keeps_its_curve(
    ppo: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, agent: str
) -> None:
    for name, value in (("ROUNDS", 8), ("STEPS", 8), ("PARTS", 2), ("EVALUATION", 4)):
        monkeypatch.setattr(ppo, name, value)
    log, save = tmp_path / "curve.jsonl", tmp_path / "ppo.pt"
    command = [
        "ppo",
        "--minutes",
        "0.01",
        "--imitate",
        agent,
        "--log",
        str(log),
        "--save",
        str(save),
    ]
    monkeypatch.setattr(sys, "argv", command)
    ppo.main()
    lines = [json.loads(line) for line in log.read_text("utf-8").splitlines()]
    assert len(lines) >= 2
    assert lines[0]["steps"] == 0 < lines[-1]["steps"]
    before, after = ppo.Network(), torch.load(save)
    assert before.state_dict().keys() == after.keys()
    assert all(torch.isfinite(each).all() for each in after.values())


def test_learning_raises_the_chance_of_what_paid(ppo: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ppo, "STEPS", 8)
    torch.manual_seed(2)
    network = ppo.Network()
    play = ppo.SelfPlay(8, seed=3)
    scale = ppo.observation_scale(play.batch.rules)
    rollout = ppo.Rollout(play, network)
    rollout.advantages = np.where(rollout.actions % 2 == 0, 1.0, -1.0).astype(np.float32)
    seen = torch.from_numpy((rollout.seen.reshape(64, -1) / scale).astype(np.float32))
    mask = torch.from_numpy(rollout.masks.reshape(64, -1)) == 0

    def even() -> float:
        with torch.no_grad():
            chances = network(seen)[0].masked_fill(mask, -1e9).softmax(dim=1)
        return float(chances[:, ::2].sum() / 64)

    before = even()
    optimiser = torch.optim.Adam(network.parameters(), lr=1e-3)
    for _ in range(5):
        ppo.learn(network, optimiser, rollout, scale, 0.0)
    assert even() > before + 0.02


def test_the_options_are_told(ppo: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["ppo", "--help"])
    with pytest.raises(SystemExit) as ended:
        ppo.main()
    assert ended.value.code == 0
