"""Options that several stages of ``lostcities train`` have."""

from __future__ import annotations

import argparse
from pathlib import Path

from lostcities.cli import options

ALWAYS = 72
"""No deck has more cards."""


def add_fit(parser: argparse.ArgumentParser) -> None:
    """How to fit a network."""
    parser.add_argument("--epochs", type=options.positive, metavar="N", help="passes over the data")
    parser.add_argument("--batch", type=options.positive, metavar="N", help="positions a step")
    parser.add_argument("--rate", type=float, metavar="R", help="highest learning rate")
    parser.add_argument(
        "--jobs", type=options.positive, default=1, metavar="J", help="threads (%(default)s)"
    )
    add_compute(parser)


def add_compute(parser: argparse.ArgumentParser) -> None:
    """Where to learn, and what else is told of it."""
    parser.add_argument(
        "--device", choices=("cpu", "cuda"), help="where it learns; default: a GPU if there is one"
    )
    parser.add_argument(
        "--precision", choices=("float32", "bfloat16"), default="float32",
        help="bfloat16 where the processor or the GPU has it (%(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--tensorboard", type=Path, metavar="FOLDER", help="what is measured, for TensorBoard too"
    )


def add_look(parser: argparse.ArgumentParser, samples: int | None) -> None:
    """How to look ahead."""
    parser.add_argument(
        "--samples", type=options.positive, default=samples, metavar="N",
        help="trials for each half-turn in the mean" + (" (%(default)s)" if samples else ""),
    )  # fmt: skip
    parser.add_argument(
        "--playout", default="steady", metavar="HOW",
        help="how a trial is played on: steady, policy, steady-value, policy-value, policy-steady, "
        "policy-exact (%(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--depth", type=int, default=24, metavar="N",
        help="half-turns of a trial before the second part of HOW (%(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--candidates", type=options.positive, default=24, metavar="N",
        help="half-turns tried at most (%(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--doubt", type=float, default=1.0, metavar="D",
        help="standard errors by which one must be ahead of the network's choice (%(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--deck", type=options.positive, default=ALWAYS, metavar="N",
        help="look ahead only while the deck has at most N cards (always)",
    )  # fmt: skip


def add_cluster(parser: argparse.ArgumentParser) -> None:
    """Who plays."""
    parser.add_argument(
        "--jobs", type=options.positive, metavar="J",
        help="threads (1), or processors of the cluster to use at most (all)",
    )  # fmt: skip
    parser.add_argument(
        "--cluster", metavar="HOST:PORT",
        help="play on a Ray cluster; auto: the one on this machine",
    )  # fmt: skip
