"""The frozen panel: its agents choose as ever, and nothing else ever draws its deals."""

import ast
import hashlib
import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

import lostcities
from lostcities.agents.agent import Choice
from lostcities.agents.duel import deal_deck
from lostcities.agents.registry import agent_names
from lostcities.agents.steady import SteadyAgent
from lostcities.core.rules import Rules
from lostcities.kernel.jit import COMPILED
from lostcities.training.arena import hold
from lostcities.training.panel import OPPONENTS, PANEL, SEED, panel
from lostcities.training.tally import digest_of_all
from running import command, environment, run_here

# One line an agent: the digest of all its choices, and its opponents', on the first deals. If one of these
# fails, the change that made it fail needs a new version of the agent.
STORED = json.loads((Path(__file__).parent / "data" / "panel.json").read_text())
SOURCES = Path(lostcities.__file__).parent


def choices(agent: str, deals: int = STORED["deals"]) -> Any:
    return hold(panel(agent, deals=deals)).facts()["choices"]


def test_the_panel_is_the_one_that_was_frozen() -> None:
    assert (STORED["panel"], tuple(STORED["choices"])) == (PANEL, OPPONENTS)
    assert set(OPPONENTS) <= set(agent_names())


@pytest.mark.parametrize("agent", OPPONENTS)
@pytest.mark.skipif(not COMPILED, reason="networks take minutes without Numba")
def test_every_choice_is_as_ever(agent: str) -> None:
    assert choices(agent) == STORED["choices"][agent]


def test_one_other_choice_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    before, choose = choices("greedy@1", 1), SteadyAgent.choose
    count = 0

    def otherwise(self: SteadyAgent, view: Any, *rest: Any) -> Choice:
        nonlocal count
        count += 1
        if count == 7:
            own = choose(self, view, *rest).turn
            return Choice(next(turn for turn in view.legal if turn != own))
        return choose(self, view, *rest)

    monkeypatch.setattr(SteadyAgent, "choose", otherwise)
    assert choices("greedy@1", 1) != before


@pytest.mark.slow
@pytest.mark.skipif(not COMPILED, reason="compares two ways of compiling")
def test_another_processor_chooses_the_same(tmp_path: Path) -> None:
    # Code for the plainest processor of this kind: other vectors, no bit instructions.
    ran = subprocess.run(
        command("arena", "policy@2", "--panel", "--deals", str(STORED["deals"]), "--json"),
        env={**environment(), "NUMBA_CPU_NAME": "generic", "NUMBA_CACHE_DIR": str(tmp_path)},
        capture_output=True, text=True, check=True, timeout=280,
    )  # fmt: skip
    assert json.loads(ran.stdout)["choices"] == STORED["choices"]["policy@2"]


def test_no_whole_number_gives_the_decks_of_the_panel() -> None:
    rules = Rules(stall=100)
    decks = {deal_deck(rules, SEED, number) for number in range(20)}
    assert len(decks) == 20
    seeds = (-1, 0, 1, 1 << 62)
    assert not decks & {deal_deck(rules, seed, n) for seed in seeds for n in range(20)}
    assert not SEED.lstrip("-").isdecimal()


def names_in(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    modules = {n.module for n in ast.walk(tree) if isinstance(n, ast.ImportFrom) and n.module}
    names = {a.name for n in ast.walk(tree) if isinstance(n, ast.ImportFrom) for a in n.names}
    return modules | names | {n.value for n in ast.walk(tree) if _is_text(n)}  # type: ignore[attr-defined]


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def test_nothing_that_learns_can_draw_the_deals_of_the_panel() -> None:
    # Stages of training deal by the kernel from whole numbers. Numbered decks of a seed come from one
    # function, which only the arena's side asks, and only the panel has its label.
    asking = {"deal_deck", "deal_rng", "play_deal"}
    arena = {"arena", "workers", "records", "panel", "cluster"}
    files = [*(SOURCES / "training").glob("*.py"), *(SOURCES / "envs").glob("*.py")]
    assert len(files) > 20
    for path in files:
        if path.stem not in arena:
            assert not asking & names_in(path), path
    for path in SOURCES.rglob("*.py"):
        if path.stem != "panel":
            assert SEED not in names_in(path), path
        if path.relative_to(SOURCES).as_posix() != "cli/arena.py":
            assert "lostcities.training.panel" not in names_in(path), path


# ---- the command --------------------------------------------------------------------------------


def test_the_command_plays_the_panel_and_goes_on_from_its_log(tmp_path: Path) -> None:
    log = str(tmp_path / "panel.jsonl")
    words = ("arena", "greedy", "--panel", "--log", log)
    assert run_here(*words, "--deals", "1").status == 0
    ran = run_here(*words, "--deals", "2", "--json")
    facts = json.loads(ran.out)
    assert (facts["panel"], facts["agent"]) == (PANEL, "greedy@1")
    assert [pair["b"] for pair in facts["pairs"]] == list(OPPONENTS)
    assert facts["choices"] == choices("greedy@1", 2)
    mean = sum(pair["points"] for pair in facts["pairs"]) / len(OPPONENTS)
    assert facts["points"] == pytest.approx(mean)
    said = run_here(*words, "--deals", "2")
    assert said.lines[0].startswith(f"greedy@1 against {PANEL}: ")
    assert said.lines[-2] == f"  choices {facts['choices']}"


@pytest.mark.parametrize(
    "more", [("greedy",), ("--seed", "1"), ("--rules", "long"), ("--until-sure",)]
)
def test_the_deals_of_the_panel_are_its_own(more: tuple[str, ...]) -> None:
    ran = run_here("arena", "steady", "--panel", *more)
    assert ran.status == 2
    assert "--panel" in ran.err


def test_a_digest_wants_every_part() -> None:
    assert digest_of_all(["a", "b"]) == hashlib.sha256(b"a\nb").hexdigest()
    assert digest_of_all(["a", None]) is digest_of_all(["a", ""]) is None


if __name__ == "__main__":  # writes the file anew, for another panel
    found = {agent: choices(agent) for agent in OPPONENTS}
    text = json.dumps({"panel": PANEL, "deals": STORED["deals"], "choices": found}, indent=1)
    Path(__file__).with_name("data").joinpath("panel.json").write_text(text + os.linesep)
