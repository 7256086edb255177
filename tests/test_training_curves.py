"""What stages of training measure as they go on: kept, drawn, shown by TensorBoard; and where torch computes."""

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from lostcities.training.curve import Curve, beside, drawn, marks
from lostcities.training.stage import Figure, Step, TrainingError
from networks import random_network
from running import assert_refused, run_here

SVG = "{http://www.w3.org/2000/svg}"
LITTLE = ("--positions", "2000", "--epochs", "2", "--batch", "16")


def step(done: int, value: float, se: float = 0.0, *, news: bool = False) -> Step:
    return Step(done, 100, "steps", news=news, figures=(Figure("points", value, se),))


# ---- the curve ----------------------------------------------------------------------------------


def test_a_curve_lies_beside_its_network() -> None:
    assert beside(Path("a/b.safetensors")) == Path("a/b.curve.json")


def test_a_curve_is_written_at_news_and_at_the_end(tmp_path: Path) -> None:
    path = tmp_path / "net.curve.json"
    curve = Curve(path, goes_on=False)
    curve.save()
    curve.take(step(1, 2.0))
    assert list(tmp_path.iterdir()) == []
    curve.take(step(2, 3.0, 0.5, news=True))
    assert json.loads(path.read_text())["figures"] == {"points": [[1, 2.0, 0.0], [2, 3.0, 0.5]]}
    curve.take(step(3, 1.0))
    curve.save()
    assert len(json.loads(path.read_text())["figures"]["points"]) == 3
    assert path.with_suffix(".svg").exists()


def test_steps_taken_again_after_an_interrupt_replace_those_of_before(tmp_path: Path) -> None:
    path = tmp_path / "net.curve.json"
    curve = Curve(path, goes_on=False)
    for done in (10, 20, 30):
        curve.take(step(done, float(done)))
    curve.save()
    again = Curve(path, goes_on=True)
    again.take(step(20, -1.0, news=True))
    assert json.loads(path.read_text())["figures"]["points"] == [[10, 10.0, 0.0], [20, -1.0, 0.0]]
    assert Curve(path, goes_on=False).lines == {}


@pytest.mark.parametrize(
    "text", ["{", "[]", '{"unit": "x"}', '{"unit": "x", "figures": {"a": [[1]]}}']
)
def test_what_is_no_curve_is_refused_by_its_name(text: str, tmp_path: Path) -> None:
    path = tmp_path / "net.curve.json"
    path.write_text(text)
    with pytest.raises(TrainingError, match=r"net\.curve\.json: not a curve"):
        Curve(path, goes_on=True)


def test_a_drawing_shows_every_figure_within_its_frame(tmp_path: Path) -> None:
    curve = Curve(tmp_path / "x.curve.json", goes_on=False)
    for done, value in ((0, -31.0), (50, 4.0), (100, 12.5)):
        curve.take(step(done, value, 2.0))
        curve.take(Step(done, 100, "steps", figures=(Figure("loss < 1 & more", 0.25),)))
    root = ET.fromstring(drawn(curve.lines, "steps"))
    width, height = (float(each) for each in root.attrib["viewBox"].split()[2:])
    lines = root.findall(f"{SVG}polyline")
    assert len(lines) == 2
    for shape in [*lines, *root.findall(f"{SVG}polygon")]:
        for place in shape.attrib["points"].split():
            x, y = (float(each) for each in place.split(","))
            assert 0 <= x <= width
            assert 0 <= y <= height
    heights = [float(place.split(",")[1]) for place in lines[0].attrib["points"].split()]
    assert heights == sorted(heights, reverse=True)  # it rises
    said = [text.text for text in root.findall(f"{SVG}text")]
    assert {"points", "loss < 1 & more", "12.5", "0.25", "steps: 0 to 100"} <= set(said)


@pytest.mark.parametrize(
    ("low", "high"), [(0, 1), (-31.2, 14.9), (0.001, 0.0012), (5, 5), (0, 0), (-3, -3), (7, 1e6)]
)
def test_marks_are_few_round_and_cover_the_range(low: float, high: float) -> None:
    found = list(marks(low, high))
    assert 2 <= len(found) <= 7
    assert found[0] <= low
    assert found[-1] >= high
    apart = found[1] - found[0]
    digits = f"{apart:e}"
    assert digits[0] in "125"
    assert set(digits[2:8]) == {"0"}


# ---- the command --------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.needs("numba")
@pytest.mark.needs("torch")
def test_a_stage_leaves_its_curve_with_its_strength(tmp_path: Path) -> None:
    out = tmp_path / "net.safetensors"
    assert run_here("train", "clone", str(out), *LITTLE).status == 0
    kept = json.loads((tmp_path / "net.curve.json").read_text())
    assert kept["unit"] == "steps"
    assert [done for done, *_ in kept["figures"]["loss"]] == [50, 100, 150, 200]
    strength = kept["figures"]["points a round over steady@1"]
    assert [done for done, *_ in strength] == [122, 244]
    assert all(se > 0 for *_, se in strength)
    assert ET.parse(tmp_path / "net.curve.svg").getroot().tag == f"{SVG}svg"


@pytest.mark.slow
@pytest.mark.needs("numba")
@pytest.mark.needs("torch")
@pytest.mark.needs("tensorboard")
def test_tensorboard_can_read_what_a_stage_measured(tmp_path: Path) -> None:
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    out, folder = str(tmp_path / "net.safetensors"), tmp_path / "board"
    assert run_here("train", "clone", out, *LITTLE, "--tensorboard", str(folder)).status == 0
    read = EventAccumulator(str(folder))
    read.Reload()
    assert [each.step for each in read.Scalars("loss")] == [50, 100, 150, 200]
    kept = json.loads((tmp_path / "net.curve.json").read_text())["figures"]["loss"]
    assert [each.value for each in read.Scalars("loss")] == pytest.approx([v for _, v, _ in kept])


@pytest.mark.needs("numba")
@pytest.mark.needs("torch")
def test_without_tensorboard_the_option_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "torch.utils.tensorboard", None)
    out = str(tmp_path / "net.safetensors")
    ran = run_here("train", "clone", out, *LITTLE, "--tensorboard", str(tmp_path / "board"))
    assert_refused(ran, "--tensorboard", "pip install")
    assert list(tmp_path.iterdir()) == []


# ---- where torch computes -----------------------------------------------------------------------


@pytest.mark.needs("numba")
@pytest.mark.needs("torch")
def test_what_a_machine_does_not_have_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    import torch

    from lostcities.training import compute

    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    network, out = str(random_network(tmp_path)), str(tmp_path / "out.safetensors")
    ran = run_here("train", "improve", network, "--out", out, "--device", "cuda")
    assert_refused(ran, "--device", "no graphics card")
    monkeypatch.setattr(compute, "has_bfloat16", lambda _: False)
    ran = run_here("train", "improve", network, "--out", out, "--precision", "bfloat16")
    assert_refused(ran, "--precision", "no bfloat16")
    assert compute.chosen(None, "float32") == compute.CPU


@pytest.mark.needs("numba")
@pytest.mark.needs("torch")
def test_a_network_in_sixteen_bits_says_nearly_the_same_and_learns() -> None:
    import numpy as np
    import torch

    from lostcities.kernel.rules import pack_rules
    from lostcities.training.compute import Compute
    from lostcities.training.critic import Critic, OpenInputs
    from lostcities.training.net import Inputs, Net
    from networks import played_rows, random_arrays

    rules = pack_rules(stall=30)
    rows = np.array([row.copy() for row, _ in played_rows("stall=30", 2, every=5)])
    inputs, opened = Inputs.of(rows, rules), OpenInputs.of(rows, rules)
    index = np.arange(len(rows))
    nets = [Net().load(random_arrays()).on(Compute(short=short)) for short in (False, True)]
    (exact, value), (rough, about) = (net(*inputs.batch(index)) for net in nets)
    assert rough.dtype == about.dtype == torch.float32
    assert not torch.equal(exact, rough)
    assert torch.allclose(exact, rough, atol=0.2)
    assert torch.allclose(value, about, atol=0.2)
    (rough.square().mean() + about.square().mean()).backward()
    gradients = [each.grad for each in nets[1].parameters()]
    assert all(each is not None and each.dtype == torch.float32 for each in gradients)
    full, short = [
        Critic(1).on(Compute(short=short))(*opened.batch(index)) for short in (False, True)
    ]
    assert torch.allclose(full, short, atol=0.1)
    assert not torch.equal(full, short)
