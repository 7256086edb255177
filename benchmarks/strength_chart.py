"""Draw docs/strength.svg from the recorded statistics of self-play and the curve of training.

python benchmarks/strength_chart.py
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
PLAYERS = (
    ("policy@4", "strength_policy4.json", "#2f6f8f"),
    ("steady@1", "strength_steady.json", "#c98a3b"),
)
WIDTH, HEIGHT, PANEL, LOW = 760, 640, 150, 24
PARTS = ("early", "middle", "late")


def _text(x: float, y: float, text: str, more: str = "") -> str:
    return f'<text x="{x:.0f}" y="{y:.0f}" {more}>{text}</text>'


def bars(top: int, title: str, groups: list[tuple[str, list[float]]]) -> list[str]:
    """Bars side by side, one for each player in every group; shares of one."""
    most = max(max(values) for _, values in groups)
    room = (WIDTH - 80) / len(groups)
    parts = [_text(30, top - 8, title, 'font-weight="bold"')]
    for i, (label, values) in enumerate(groups):
        left = 40 + i * room
        for k, value in enumerate(values):
            tall, x = (PANEL - LOW) * value / most, left + 14 + k * (room - 20) / 2
            y = top + PANEL - LOW - tall
            parts.append(
                f'<rect x="{x:.0f}" y="{y:.0f}" width="{room / 2 - 14:.0f}" height="{tall:.0f}"'
                f' fill="{PLAYERS[k][2]}"/>'
            )
            parts.append(
                _text(
                    x + room / 4 - 7,
                    y - 3,
                    f"{100 * value:.0f} %",
                    'text-anchor="middle" font-size="11"',
                )
            )
        parts.append(_text(left + room / 2, top + PANEL - 6, label, 'text-anchor="middle"'))
    return parts


def draw(facts: list[dict[str, Any]]) -> str:
    """The charts as SVG."""
    colours = [(str(n), [each["colours"].get(str(n), 0.0) for each in facts]) for n in range(1, 6)]
    discards = [(part, [f["lays"][i]["discard"] for f in facts]) for i, part in enumerate(PARTS)]
    piles = [(part, [f["draws"][i]["pile"] for f in facts]) for i, part in enumerate(PARTS)]
    look = 'font-family="sans-serif" font-size="14" role="img"'
    said = "How policy@4 and steady@1 play against themselves"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" {look} aria-label="{said}">',
        '<rect width="100%" height="100%" fill="#ffffff"/>',
    ]
    for k, (name, _, colour) in enumerate(PLAYERS):
        parts.append(f'<rect x="{30 + 130 * k}" y="12" width="14" height="14" fill="{colour}"/>')
        parts.append(_text(50 + 130 * k, 24, name))
    parts += bars(70, "Colours begun by a seat in a round", colours)
    parts += bars(265, "Lays that are discards, by third of the deck", discards)
    parts += bars(460, "Draws that are from piles, by third of the deck", piles)
    return "\n".join([*parts, "</svg>", ""])


if __name__ == "__main__":
    told = [json.loads((HERE / file).read_text("utf-8")) for _, file, _ in PLAYERS]
    (HERE.parent / "docs" / "strength.svg").write_text(draw(told), encoding="utf-8")
