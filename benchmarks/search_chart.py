"""Draw docs/search.svg from what search_strength.py found.

    python benchmarks/search_chart.py --log search.jsonl

With a log of its rounds it first writes their means into benchmarks/search_strength.json.
"""

from __future__ import annotations

import argparse
import json
from math import log2
from pathlib import Path

import numpy as np
from search_strength import kind, read

HERE = Path(__file__).parent
KEPT = HERE / "search_strength.json"
WIDTH, HEIGHT, LEFT, LOW, TOP = 760, 300, 60, 250, 40
MOST = 6.0
"""Points at the top of the drawing."""
CAPTION = "processor time a turn; bars: a standard error either way; above them: rounds"
COLOUR, SOFT = "#2f6f8f", "#8a8a8a"

Row = dict[str, float | str]


def summed_up(log: Path) -> list[Row]:
    """Means and standard errors of each kind of rounds in a log."""
    played = read(log)
    rows: list[Row] = []
    for key in sorted({kind(each) for each in played}):
        gains = [each.gain for each in played if kind(each) == key]
        error = float(np.std(gains)) / len(gains) ** 0.5
        agent, against, ms = key
        rows.append(
            {
                "agent": agent, "against": against, "ms": ms, "rounds": len(gains),
                "gain": round(float(np.mean(gains)), 2), "error": round(error, 2),
            }
        )  # fmt: skip
    return rows


def place(ms: float, gain: float) -> tuple[float, float]:
    """Where a time and a gain lie: doublings to the right, points upwards."""
    across = (WIDTH - LEFT - 60) / log2(32)
    return LEFT + 20 + across * log2(ms / 100), LOW - (LOW - TOP) * gain / MOST


def drawn(rows: list[Row]) -> str:
    """The drawing: a point for each time with a standard error either way."""
    parts = [
        f'<text x="{LEFT}" y="20" font-weight="bold">Points a round that search@3 gains over policy@3</text>',
        f'<text x="{LEFT}" y="{LOW + 42}" fill="{SOFT}">{CAPTION}</text>',
        f'<line x1="{LEFT}" y1="{LOW}" x2="{WIDTH - 20}" y2="{LOW}" stroke="{SOFT}"/>',
    ]
    for points in range(0, int(MOST) + 1, 2):
        y = place(100, points)[1]
        parts.append(f'<text x="{LEFT - 12}" y="{y + 4:.0f}" text-anchor="end">{points}</text>')
        parts.append(
            f'<line x1="{LEFT}" y1="{y:.0f}" x2="{WIDTH - 20}" y2="{y:.0f}" stroke="{SOFT}" '
            f'stroke-opacity="0.25"/>'
        )
    for row in rows:
        ms, gain, error = (float(row[name]) for name in ("ms", "gain", "error"))
        x, y = place(ms, gain)
        above, below = place(ms, gain + error)[1], place(ms, gain - error)[1]
        parts.append(
            f'<line x1="{x:.0f}" y1="{above:.0f}" x2="{x:.0f}" y2="{below:.0f}" stroke="{COLOUR}" '
            f'stroke-width="2"/><circle cx="{x:.0f}" cy="{y:.0f}" r="5" fill="{COLOUR}"/>'
            f'<text x="{x:.0f}" y="{LOW + 20}" text-anchor="middle">{ms / 1000:g} s</text>'
            f'<text x="{x:.0f}" y="{above - 6:.0f}" text-anchor="middle" font-size="11" fill="{SOFT}">'
            f"{row['rounds']}</text>"
        )
    inner = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'font-family="sans-serif" font-size="13">\n<rect width="100%" height="100%" fill="#fff"/>\n'
        f"{inner}\n</svg>\n"
    )


def main() -> None:
    """Sum up, draw."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--log", type=Path)
    args = parser.parse_args()
    if args.log:
        KEPT.write_text(json.dumps(summed_up(args.log), indent=1) + "\n", encoding="utf-8")
    rows: list[Row] = json.loads(KEPT.read_text(encoding="utf-8"))
    curve = [row for row in rows if row["against"] == "policy@3" and row["agent"] == "search@3"]
    (HERE.parent / "docs/search.svg").write_text(drawn(curve), encoding="utf-8")


if __name__ == "__main__":
    main()
