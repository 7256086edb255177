"""Lighthouse on the home page and on a table with a live match.

    make lighthouse [ARGS="--runs 3"]

A room of its own on this machine, the built page, the installed Chromium; as a phone (Lighthouse's slow
network and processor, simulated) and as a desktop. Accessibility and best practices are the same in every
run; performance is not on a busy machine, so a page with one button is measured in turns with ours.
"""

import argparse
import json
import statistics
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import needs
from serving import Serving

HERE = Path(__file__).parent / "lighthouse"
LEAST = {"accessibility": 95, "best-practices": 95, "performance": 95}


def measured(runs: int, which: str = "all") -> dict[str, list[dict[str, Any]]]:
    """By page and form, what each run of Lighthouse found; ``which`` is all, or phone for fewer."""
    chromium = needs.chromium()
    if chromium is None:
        raise SystemExit("lighthouse: there is no Chromium")
    with tempfile.TemporaryDirectory() as folder:
        room = Serving(Path(folder))
        room.start()
        try:
            found = subprocess.run(
                ["node", HERE / "measure.mjs", room.url, chromium, str(runs), which],
                stdout=subprocess.PIPE,
                check=True,
            )
        finally:
            room.stop()
    result: dict[str, list[dict[str, Any]]] = json.loads(found.stdout)
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description="Lighthouse's scores of home and table.")
    parser.add_argument("--runs", type=int, default=1, help="how often (1)")
    found = measured(parser.parse_args().runs)
    short = []
    print(f"{'page':22} " + " ".join(f"{name:>15}" for name in LEAST))
    for page, runs in found.items():
        scores = {name: statistics.median(run["scores"][name] for run in runs) for name in LEAST}
        print(f"{page:22} " + " ".join(f"{score:15g}" for score in scores.values()))
        for fault in sorted({fault for run in runs for fault in run["faults"]}):
            print(f"    {fault}")
        short += [f"{page}: {name}" for name, score in scores.items() if score < LEAST[name]]
    if short:
        raise SystemExit(f"lighthouse: below 95: {', '.join(short)}")


if __name__ == "__main__":
    main()
