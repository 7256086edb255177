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
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_it_reads_observations_as_they_are(ppo: Any) -> None:
    assert (ppo.PLANES, ppo.WAGERS, ppo.STACK, ppo.NUMBERS) == (PLANES, WAGER_ROWS, STACK, NUMBERS)


def test_an_advantage_follows_its_own_seat(ppo: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """One seat lays and draws, the other lays and draws and ends the round; then another begins."""
    monkeypatch.setattr(ppo, "LAMBDA", 1.0)
    rewards, going = np.zeros((8, 1), dtype=np.float32), np.ones((8, 1), dtype=np.float32)
    rewards[3], going[3] = 5.0, 0.0
    values = np.arange(9, dtype=np.float32)[:, None]
    found = ppo.advantages(rewards, values, going)[:, 0]
    # The value where the rollout ends is that of the seat that lays at the fifth step and in the last.
    assert found.tolist() == [-5.0, -5.0 - 1, 5.0 - 2, 5.0 - 3, 8.0 - 4, 8.0 - 5, 0.0, 0.0, 0.0]


def test_what_the_other_seat_expects_does_not_enter(
    ppo: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ppo, "LAMBDA", 0.5)
    rewards, going = np.zeros((8, 1), dtype=np.float32), np.ones((8, 1), dtype=np.float32)
    values = np.random.default_rng(1).random((9, 1)).astype(np.float32)
    before = ppo.advantages(rewards, values, going)
    values[[2, 3, 6, 7]] += 10  # the other seat's
    after = ppo.advantages(rewards, values, going)
    assert np.array_equal(before[[0, 1, 4, 5]], after[[0, 1, 4, 5]])
    assert not np.array_equal(before[[2, 3]], after[[2, 3]])


def test_a_seat_loses_what_the_other_gains(ppo: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """With nothing discounted and no values, every advantage is the outcome for the seat to act."""
    for name, value in (("LAMBDA", 1.0), ("STEPS", 64)):
        monkeypatch.setattr(ppo, name, value)
    learner = new_learner(ppo, monkeypatch)
    monkeypatch.setattr(ppo.Rollout, "_values", lambda self, _: np.zeros_like(self.leads))
    play = ppo.SelfPlay(32, "mini", seed=3)
    rng, played = np.random.default_rng(4), []

    def follow(logits: Any) -> Any:
        del logits
        played.append(play.seats.copy())
        return ppo.any_legal(play, rng), np.zeros(32, dtype=np.float32)

    monkeypatch.setattr(play, "choose", follow)
    paid: list[Any] = []
    step = play.step

    def noted(*arguments: Any, **options: Any) -> Any:
        answer = step(*arguments, **options)
        paid.append(answer)
        return answer

    monkeypatch.setattr(play, "step", noted)
    found = ppo.Rollout(play, learner).advantages
    checked = 0
    for i in range(32):
        start = 0
        for t in range(64 - 8):
            rewards, terminated, truncated = paid[t]
            if terminated[i] or truncated[i]:
                for each in range(start, t + 1):
                    wanted = rewards[i, played[each][i]] / ppo.POINTS
                    assert found[each, i] == pytest.approx(wanted)
                    checked += 1
                start = t + 1
    assert checked > 1000


def test_no_colour_differs_from_another(ppo: Any) -> None:
    torch.manual_seed(1)
    policy, critic, order = ppo.Policy(), ppo.Critic(), torch.tensor([3, 0, 4, 1, 2])
    seen = torch.rand(2, observation_length(5))
    moved = seen.clone()
    at = 0
    for rows, each in ((PLANES, 10), (WAGER_ROWS, 1), (1, STACK), (1, 1)):
        block = seen[:, at : at + rows * 5 * each].view(2, rows, 5, each)
        moved[:, at : at + rows * 5 * each] = block[:, :, order].reshape(2, -1)
        at += rows * 5 * each
    assert at == observation_length(5) - NUMBERS
    logits, other, leads = policy(seen), policy(moved), torch.tensor([0.5, -1.0])
    assert torch.allclose(critic(seen, leads), critic(moved, leads), atol=1e-5)
    assert torch.allclose(critic(seen, leads), critic(seen, 0 * leads) + leads, atol=1e-5)
    assert torch.allclose(logits[:, 100], other[:, 100], atol=1e-5)
    for first, each in ((0, 10), (50, 10), (101, 1)):
        block = logits[:, first : first + 5 * each].view(2, 5, each)[:, order]
        assert torch.allclose(block.reshape(2, -1), other[:, first : first + 5 * each], atol=1e-5)


@pytest.mark.parametrize("agent", ["steady", "greedy"])
def test_a_tiny_run_learns_and_keeps_its_curve(
    ppo: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, agent: str
) -> None:
    for name, value in (("ROUNDS", 8), ("CLONING_ROUNDS", 8), ("STEPS", 8), ("PART", 16)):
        monkeypatch.setattr(ppo, name, value)
    monkeypatch.setattr(ppo, "DEALS", 4)
    log, save = tmp_path / "curve.jsonl", tmp_path / "ppo.pt"
    command = f"ppo --minutes 0.03 --reports 4 --imitate {agent} --log {log} --save {save}"
    monkeypatch.setattr(sys, "argv", command.split())
    ppo.main()
    lines = [json.loads(line) for line in log.read_text("utf-8").splitlines()]
    assert {line["stage"] for line in lines} == {"random", "imitate", "warm", "improve"}
    assert lines[0]["steps"] == 0 < lines[-1]["steps"]
    before, after = ppo.Policy(), torch.load(save)
    assert before.state_dict().keys() == after.keys()
    assert all(torch.isfinite(each).all() for each in after.values())


def new_learner(ppo: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A learner of the small study rules, so that a test of many rounds is short."""
    monkeypatch.setattr(ppo, "COLOURS", 1)
    torch.manual_seed(2)
    return ppo.Learner(ppo.observation_scale(ppo.SelfPlay(1, "mini").batch.rules))


def chance(learner: Any, lessons: dict[str, Any], name: str) -> float:
    """The mean chance that the policy gives to the actions of this name."""
    some = {key: torch.from_numpy(lessons[key]) for key in ("masks", name)}
    some["seen"] = learner.scaled(lessons["seen"])
    with torch.no_grad():
        logs = sys.modules["ppo_example"].log_chances(learner.policy, some)
    return float(logs.exp().gather(1, some[name][:, None]).mean())


def test_learning_raises_the_chance_of_what_paid(ppo: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ppo, "STEPS", 8)
    learner = new_learner(ppo, monkeypatch)
    rollout = ppo.Rollout(ppo.SelfPlay(64, "mini", seed=3), learner)
    rollout.advantages = np.zeros((9, 64), dtype=np.float32)
    rollout.advantages[:8] = np.where(rollout.actions % 2 == 0, 1.0, -1.0)
    lessons = rollout.lessons()
    even = lessons["actions"] % 2 == 0
    some = {key: lessons[key][even] for key in ("masks", "seen", "actions")}
    before = chance(learner, some, "actions")
    for _ in range(20):
        ppo.learn(learner, rollout, 0.5, stage="improve")
    assert chance(learner, some, "actions") > before + 0.02


def test_imitating_raises_the_chance_of_what_was_wanted(
    ppo: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ppo, "STEPS", 8)
    learner = new_learner(ppo, monkeypatch)
    play = ppo.SelfPlay(64, "mini", seed=3)
    rollout = ppo.Rollout(play, learner, "steady", np.random.default_rng(1))
    assert (rollout.actions == rollout.wanted).mean() > 0.8
    before = chance(learner, rollout.lessons(), "wanted")
    for _ in range(20):
        ppo.learn(learner, rollout, 0.05, stage="imitate")
    assert chance(learner, rollout.lessons(), "wanted") > before + 0.1


def test_warming_teaches_the_critic_alone(ppo: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ppo, "STEPS", 8)
    learner = new_learner(ppo, monkeypatch)
    rollout = ppo.Rollout(ppo.SelfPlay(64, "mini", seed=3), learner)
    policy = {name: each.clone() for name, each in learner.policy.state_dict().items()}

    def error() -> float:
        return float(((rollout.targets - rollout._values(learner))[:6] ** 2).mean())

    before = error()
    for _ in range(20):
        ppo.learn(learner, rollout, 0.18, stage="warm")
    assert error() < 0.9 * before
    assert all(
        torch.equal(each, policy[name]) for name, each in learner.policy.state_dict().items()
    )


def test_the_options_are_told(ppo: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["ppo", "--help"])
    with pytest.raises(SystemExit) as ended:
        ppo.main()
    assert ended.value.code == 0
