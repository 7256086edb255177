"""Draw docs/envs/ppo.svg from the curves that examples/ppo.py kept.

python benchmarks/ppo_chart.py
"""

import json
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parents[1] / "docs" / "envs"
LINES = {"greedy": "#2f6f8f", "steady": "#b5562f"}
LEFT, TOP, WIDTH, HEIGHT = 60, 40, 560, 260
LOW, HIGH = -20.0, 50.0

Curve = list[dict[str, Any]]


def curves() -> list[Curve]:
    """The curves, one a seed, in the order of the seeds; without what was before the first lesson."""
    texts = (path.read_text("utf-8") for path in sorted(DOCS.glob("ppo-*.jsonl")))
    return [[json.loads(line) for line in text.splitlines()[1:]] for text in texts]


def height(points: float) -> float:
    """Where so many points a round lie."""
    return TOP + HEIGHT * (HIGH - points) / (HIGH - LOW)


def draw(found: list[Curve]) -> str:
    """The chart as SVG: a line for every seed and opponent."""
    last = max(line["cpu_s"] for curve in found for line in curve)
    cloned = max(line["cpu_s"] for line in found[0] if line["stage"] == "warm")

    def across(seconds: float) -> float:
        return LEFT + WIDTH * seconds / last

    view = f"0 0 {LEFT + WIDTH + 110} {TOP + HEIGHT + 50}"
    look = 'font-family="sans-serif" font-size="14" role="img"'
    said = "Points a round over greedy and over steady while the example learns"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{view}" {look} aria-label="{said}">',
        '<rect width="100%" height="100%" fill="#ffffff"/>',
        f'<rect x="{LEFT}" y="{TOP}" width="{across(cloned) - LEFT:.0f}" height="{HEIGHT}" fill="#eeeeee"/>',
        f'<text x="{LEFT + 6}" y="{TOP - 12}" fill="#555555">imitation</text>',
        f'<text x="{across(cloned) + 6:.0f}" y="{TOP - 12}" fill="#555555">self-play</text>',
        f'<text x="{LEFT + WIDTH}" y="{TOP + HEIGHT + 42}" text-anchor="end" fill="#555555">CPU seconds</text>',
    ]
    for points in range(int(LOW), int(HIGH) + 1, 10):
        y, strong = height(points), "#555555" if points == 0 else "#d8d8d8"
        parts.append(
            f'<line x1="{LEFT}" x2="{LEFT + WIDTH}" y1="{y:.0f}" y2="{y:.0f}" stroke="{strong}"/>'
            f'<text x="{LEFT - 8}" y="{y + 5:.0f}" text-anchor="end" fill="#555555">{points:+d}</text>'
        )
    for seconds in range(0, last + 1, 60):
        x = across(seconds)
        parts.append(
            f'<text x="{x:.0f}" y="{TOP + HEIGHT + 22}" text-anchor="middle" fill="#555555">{seconds}</text>'
        )
    for name, colour in LINES.items():
        for curve in found:
            dots = " ".join(
                f"{across(line['cpu_s']):.1f},{height(line[name]):.1f}" for line in curve
            )
            parts.append(
                f'<polyline points="{dots}" fill="none" stroke="{colour}" stroke-width="2"/>'
            )
        y = height(found[0][-1][name])
        parts.append(
            f'<text x="{LEFT + WIDTH + 8}" y="{y + 5:.0f}" fill="{colour}">over {name}</text>'
        )
    return "\n".join([*parts, "</svg>", ""])


if __name__ == "__main__":
    (DOCS / "ppo.svg").write_text(draw(curves()))
