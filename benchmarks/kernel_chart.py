"""Draw docs/kernel.svg from the recorded ratios: how many times as fast the kernel is as others.

python benchmarks/kernel_chart.py
"""

import json
import math
from pathlib import Path

HERE = Path(__file__).parent
LABELS = {
    "bits 5 of_c": "C, gcc -O3 -march=native (playout)",
    "portable 5 of_c": "the same C, our portable path",
    "bits 5 of_arrays": "small-int arrays, float32 (batch, shown)",
    "others crazy_eights": "OpenSpiel crazy_eights, C++ loop",
    "others leduc_poker": "OpenSpiel leduc_poker, C++ loop",
    "others hanabi": "OpenSpiel hanabi, C++ loop",
    "bits 5 of_core": "the core in Python (playout)",
    "others gin_rummy": "OpenSpiel gin_rummy, C++ loop",
    "others leduc_holdem_v4": "PettingZoo leduc_holdem_v4",
    "others texas_holdem_v4": "PettingZoo texas_holdem_v4",
}
LEFT, TOP, LINE, WIDTH = 310, 44, 30, 420
LEAST, MOST = 0.5, 30_000.0


def place(ratio: float) -> float:
    """Where a ratio lies, on a logarithmic scale."""
    return LEFT + WIDTH * math.log(ratio / LEAST) / math.log(MOST / LEAST)


def draw(ratios: dict[str, float]) -> str:
    """The chart as SVG."""
    shown = [(label, ratios[name]) for name, label in LABELS.items() if name in ratios]
    height = TOP + LINE * len(shown) + 30
    view = f"0 0 {LEFT + WIDTH + 80} {height}"
    look = 'font-family="sans-serif" font-size="14" role="img"'
    said = "How many times as fast the kernel is"
    title = "The kernel is … times as fast as"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{view}" {look} aria-label="{said}">',
        '<rect width="100%" height="100%" fill="#ffffff"/>',
        f'<text x="{LEFT}" y="24" font-weight="bold">{title}</text>',
    ]
    for tick in (1, 10, 100, 1000, 10_000):
        x = place(tick)
        parts.append(
            f'<line x1="{x:.0f}" x2="{x:.0f}" y1="{TOP - 8}" y2="{height - 26}" stroke="#c8c8c8"/>'
            f'<text x="{x:.0f}" y="{height - 8}" text-anchor="middle" fill="#555555">{tick:,}</text>'
        )
    for index, (label, ratio) in enumerate(shown):
        y = TOP + LINE * index
        spelt = f"{ratio:,.0f}" if ratio >= 100 else f"{ratio:.3g}"
        start, end = sorted((place(1), place(ratio)))
        parts.append(
            f'<text x="{LEFT - 12}" y="{y + 15}" text-anchor="end">{label}</text>'
            f'<rect x="{start:.0f}" y="{y}" width="{max(2, end - start):.0f}" height="20" fill="#2f6f8f"/>'
            f'<text x="{end + 8:.0f}" y="{y + 15}">{spelt}</text>'
        )
    return "\n".join([*parts, "</svg>", ""])


if __name__ == "__main__":
    ratios = json.loads((HERE / "kernel_ratios.json").read_text())
    (HERE.parent / "docs" / "kernel.svg").write_text(draw(ratios))
