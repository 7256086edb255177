"""``lostcities train``: the stages of training a network, each a command of its own."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lostcities.cli import options, train_options
from lostcities.core.errors import NotationError

if TYPE_CHECKING:
    from collections.abc import Callable

    from lostcities.agents.lookahead import LookSettings
    from lostcities.agents.network.forward import Flat
    from lostcities.agents.network.weights import Arrays
    from lostcities.cli.train_show import Interruptible, Record
    from lostcities.training.believe import Belief
    from lostcities.training.compute import Compute
    from lostcities.training.draw import DrawParts
    from lostcities.training.fit import Fit
    from lostcities.training.net import Net

NAME = "train"
HELP = (
    "Trains a network, stage by stage: clone makes one that plays as steady@1 does; teach looks ahead "
    "with it at every decision of many rounds and keeps the values found; learn fits a network to "
    "those; improve lets it learn from playing itself; believe makes one of what the other hand may hold; "
    "duel measures a network over duplicate deals. clone, learn, improve and believe need torch."
)
INTERRUPTED = 130
STEADY = "steady"


def configure(parser: argparse.ArgumentParser) -> None:
    """The stages and their arguments."""
    stages = parser.add_subparsers(dest="stage", required=True, metavar="STAGE")
    _configure_clone(stages)
    _configure_teach(stages)
    _configure_learn(stages)
    _configure_improve(stages)
    _configure_believe(stages)
    _configure_duel(stages)
    options.example(
        parser,
        "lostcities train clone clone.safetensors",
        "lostcities train teach clone.safetensors lessons --shards 200 --jobs 2",
        "lostcities train learn lessons --start clone.safetensors --out student.safetensors",
        "lostcities train improve student.safetensors --out better.safetensors",
        "lostcities train duel better.safetensors steady --deals 2000",
    )


def _stage(stages: Any, name: str, text: str, run: Callable[[argparse.Namespace], int]) -> Any:
    parser: argparse.ArgumentParser = stages.add_parser(
        name, help=text, description=text, allow_abbrev=False
    )
    parser.set_defaults(run_stage=run)
    options.add_rules(parser)
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="(%(default)s)")
    parser.add_argument("--quiet", action="store_true", help="show no progress")
    return parser


def _configure_clone(stages: Any) -> None:
    text = "make a network that plays as steady@1 does and knows what comes of it"
    parser = _stage(stages, "clone", text, _clone)
    parser.add_argument("out", type=Path, metavar="OUT", help="the file to write (.safetensors)")
    parser.add_argument(
        "--smoke", action="store_true", help="little data: about a minute, 90 %% of the choices"
    )
    parser.add_argument("--positions", type=options.positive, metavar="N", help="to learn from")
    train_options.add_fit(parser)


def _configure_teach(stages: Any) -> None:
    text = "look ahead at every decision of many rounds; goes on where it was interrupted"
    parser = _stage(stages, "teach", text, _teach)
    parser.add_argument("network", metavar="NETWORK", help="a file, or a shipped one: policy@1")
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="where shards are written")
    parser.add_argument(
        "--shards", type=options.positive, default=100, metavar="N", help="(%(default)s)"
    )
    parser.add_argument(
        "--rounds", type=options.positive, default=8, metavar="N", help="a shard (%(default)s)"
    )
    train_options.add_cluster(parser)
    train_options.add_look(parser, samples=128)


def _configure_learn(stages: Any) -> None:
    text = "fit a network to what a teacher found"
    parser = _stage(stages, "learn", text, _learn)
    parser.add_argument("folders", type=Path, nargs="+", metavar="FOLDER", help="of train teach")
    parser.add_argument("--out", type=Path, required=True, metavar="OUT", help="the file to write")
    parser.add_argument("--start", metavar="NETWORK", help="begin with it; default: a new one")
    parser.add_argument(
        "--keep", type=options.positive, default=0, metavar="N",
        help="positions from before those of the lesson where it shall stay as --start is (none)",
    )  # fmt: skip
    train_options.add_fit(parser)


def _configure_improve(stages: Any) -> None:
    text = "let a network learn from rounds against itself, its past and steady@1"
    parser = _stage(stages, "improve", text, _improve)
    parser.add_argument("network", metavar="NETWORK", help="to begin with: a file, or policy@2")
    parser.add_argument("--out", type=Path, required=True, metavar="OUT", help="the file to write")
    parser.add_argument(
        "--iterations", type=options.positive, metavar="N", help="batches of 65,536 half-turns"
    )
    parser.add_argument("--rate", type=float, metavar="R", help="highest learning rate")
    parser.add_argument("--entropy", type=float, metavar="E", help="weight of variety (0.003)")
    parser.add_argument(
        "--flatten", type=float, metavar="F",
        help="multiply the logits of NETWORK by F: below 1 it begins less sure of its choices (1)",
    )  # fmt: skip
    parser.add_argument(
        "--against", metavar="OTHER",
        help="a best response: all rounds are against this network, or steady, which does not learn",
    )  # fmt: skip
    parser.add_argument(
        "--late", type=options.positive, metavar="N",
        help="seek more variety while the deck has at most N cards (never)",
    )  # fmt: skip
    parser.add_argument(
        "--parts", type=options.positive, default=1, metavar="N",
        help="draw a batch in N parts, by threads or on a cluster (%(default)s)",
    )  # fmt: skip
    train_options.add_cluster(parser)
    train_options.add_compute(parser)


def _configure_believe(stages: Any) -> None:
    text = "make a network of what the other hand may hold when a policy plays"
    parser = _stage(stages, "believe", text, _believe)
    parser.add_argument("network", metavar="NETWORK", help="the policy: a file, or policy@3")
    parser.add_argument("--out", type=Path, required=True, metavar="OUT", help="the file to write")
    parser.add_argument("--positions", type=options.positive, metavar="N", help="to learn from")
    train_options.add_fit(parser)


def _configure_duel(stages: Any) -> None:
    text = "a network against another over duplicate deals; with --samples it looks ahead"
    parser = _stage(stages, "duel", text, _duel)
    parser.add_argument("network", metavar="NETWORK", help="a file, or a shipped one: policy@1")
    parser.add_argument(
        "other", nargs="?", default=STEADY, metavar="OTHER", help="another, or steady (%(default)s)"
    )
    parser.add_argument(
        "--deals", type=options.positive, default=1000, metavar="N", help="(%(default)s)"
    )
    train_options.add_look(parser, samples=None)
    parser.add_argument(
        "--belief", metavar="NETWORK", help="deal trials by this one of train believe (evenly)"
    )
    options.add_json(parser, "the result")


def run(args: argparse.Namespace) -> int:
    """Run a stage."""
    run_stage: Callable[[argparse.Namespace], int] = args.run_stage
    return run_stage(args)


# ---- stages -------------------------------------------------------------------------------------


def _clone(args: argparse.Namespace) -> int:
    compute = _use(args, args.jobs)
    from lostcities.training.clone import SMOKE, CloneSettings, clone

    settings = SMOKE if args.smoke else CloneSettings()
    settings = replace(
        settings,
        positions=args.positions or settings.positions,
        seed=args.seed,
        fit=_fit_settings(settings.fit, args),
    )
    checkpoint = _checkpoint(args.out)
    with _shown(args, f"goes on from {checkpoint}", checkpoint) as progress:
        net, fit = clone(settings, _rules(args), progress.show, checkpoint, compute)
    if progress.stopped:
        return INTERRUPTED
    return _write(args.out, net, fit)


def _teach(args: argparse.Namespace) -> int:
    from lostcities.training.teach import TeachSettings, teach

    look = _look(args, args.samples)
    settings = TeachSettings(args.shards, args.rounds, args.seed, deck=args.deck, look=look)
    weights = _flat(args.network)
    with _shown(args, f"goes on in {args.folder}") as progress:
        teach(args.folder, weights, _rules(args), settings, progress.show, args.jobs, args.cluster)
    return INTERRUPTED if progress.stopped else 0


def _learn(args: argparse.Namespace) -> int:
    if args.keep and args.start is None:
        raise NotationError("--keep", "needs --start, the network to stay as it is")
    compute = _use(args, args.jobs)
    from lostcities.training.learn import LearnSettings, learn
    from lostcities.training.teach import read_lessons

    settings = LearnSettings(args.seed, args.keep, _fit_settings(LearnSettings().fit, args))
    lesson = read_lessons(args.folders)
    start = None if args.start is None else _arrays(args.start)
    checkpoint = _checkpoint(args.out)
    with _shown(args, f"goes on from {checkpoint}", checkpoint) as progress:
        net, fit = learn(lesson, _rules(args), start, settings, progress.show, checkpoint, compute)
    if progress.stopped:
        return INTERRUPTED
    return _write(args.out, net, fit)


def _improve(args: argparse.Namespace) -> int:
    if args.cluster is not None and args.parts == 1:
        raise NotationError("--cluster", "needs --parts of 2 or more, which it draws")
    compute = _use(args, 1 if args.cluster else args.jobs or 1)
    from lostcities.training.cluster import connect
    from lostcities.training.draw import drawn_by_threads, drawn_on_cluster
    from lostcities.training.improve import ImproveSettings, improve

    given = {"iterations": args.iterations, "rate": args.rate, "seed": args.seed}
    given |= {"late": args.late, "parts": args.parts}
    given |= {"entropy": args.entropy, "flatten": args.flatten}
    if args.against is not None:
        alone = args.against == STEADY
        given |= {"steady": float(alone), "past": float(not alone)}
    settings = ImproveSettings(**{name: each for name, each in given.items() if each is not None})
    against = None if args.against in (None, STEADY) else _flat(args.against)
    checkpoint = _checkpoint(args.out)
    draw: DrawParts = drawn_by_threads
    if args.cluster is not None:
        draw = drawn_on_cluster(connect(args.cluster), args.jobs)
    with _shown(args, f"goes on from {checkpoint}", checkpoint) as progress:
        net, curve = improve(
            _arrays(args.network), _rules(args), settings, progress.show, checkpoint, against, draw,
            compute,
        )  # fmt: skip
    if progress.stopped:
        return INTERRUPTED
    return _write(args.out, net, "; ".join(f"{n}: {points:+.2f}" for n, points, _ in curve))


def _believe(args: argparse.Namespace) -> int:
    compute = _use(args, args.jobs)
    from lostcities.training.believe import BelieveSettings, believe

    settings = BelieveSettings(seed=args.seed)
    settings = replace(
        settings,
        positions=args.positions or settings.positions,
        fit=_fit_settings(settings.fit, args),
    )
    checkpoint = _checkpoint(args.out)
    with _shown(args, f"goes on from {checkpoint}", checkpoint) as progress:
        net, told = believe(
            _flat(args.network), _rules(args), settings, progress.show, checkpoint, compute
        )
    if progress.stopped:
        return INTERRUPTED
    return _write(args.out, net, told)


def _duel(args: argparse.Namespace) -> int:
    from lostcities.agents.lookahead import Lookahead
    from lostcities.training.measure import duel, looking_player, network_player, steady_player

    weights = _flat(args.network)
    if args.samples is None:
        first = network_player(weights)
    else:
        belief = None if args.belief is None else _flat(args.belief)
        ahead = Lookahead(weights, _look(args, args.samples), belief)
        first = looking_player(ahead, args.seed, args.deck)
    second = steady_player() if args.other == STEADY else network_player(_flat(args.other))
    with _shown(args, "") as progress:
        told = duel((first, second), _rules(args), args.deals, args.seed, progress.show)
    if progress.stopped:
        return INTERRUPTED
    options.show(told.facts() if args.json else [str(told)])
    return 0


# ---- what they share ----------------------------------------------------------------------------


def _shown(args: argparse.Namespace, again: str, checkpoint: Path | None = None) -> Interruptible:
    from lostcities.cli.train_show import Interruptible

    if checkpoint is None:
        return Interruptible(args.quiet, again)
    from lostcities.training.curve import Curve, beside

    records: list[Record] = [Curve(beside(args.out), goes_on=checkpoint.exists())]
    if args.tensorboard is not None:
        from lostcities.training.board import Board

        records.append(Board(args.tensorboard))
    return Interruptible(args.quiet, again, *records)


def _rules(args: argparse.Namespace) -> Any:
    from lostcities.kernel.bridge import pack
    from lostcities.training.arena import arena_rules

    try:
        return pack(arena_rules(args.rules))
    except NotationError as error:
        raise error.within("--rules") from None


def _use(args: argparse.Namespace, threads: int) -> Compute:
    import torch

    from lostcities.training.compute import chosen

    torch.set_num_threads(threads)
    return chosen(args.device, args.precision)


def _fit_settings(settings: Any, args: argparse.Namespace) -> Any:
    given = {name: getattr(args, name) for name in ("epochs", "batch", "rate")}
    given = {name: value for name, value in given.items() if value is not None}
    return replace(settings, seed=args.seed, **given)


def _look(args: argparse.Namespace, samples: int) -> LookSettings:
    from lostcities.agents.lookahead import LookSettings

    try:
        return LookSettings(
            args.playout, args.depth, samples, candidates=args.candidates, doubt=args.doubt
        )
    except ValueError as error:
        name, _, reason = str(error).partition(": ")
        raise NotationError(f"--{name}", reason) from None


def _arrays(network: str) -> Arrays:
    from lostcities.agents.network.weights import read_weights, shipped_path

    path = Path(network)
    return read_weights(path if path.suffix else shipped_path(network.replace("@", "-")))[0]


def _flat(network: str) -> Flat:
    from lostcities.agents.network.forward import flatten

    return flatten(_arrays(network))


def _checkpoint(out: Path) -> Path:
    return out.with_name(f"{out.name}.checkpoint")


def _write(out: Path, net: Net, fit: Fit | Belief | str) -> int:
    from lostcities.agents.network.weights import write_weights

    words = " ".join(["lostcities", "train", *sys.argv[2:]]) if len(sys.argv) > 2 else ""
    kind = "curve" if isinstance(fit, str) else "held_out"
    write_weights(out, net.arrays(), {"command": words, kind: str(fit)})
    what = "points over the panel by iteration" if kind == "curve" else "on held-out positions"
    options.show([f"{out}: {what} {fit}"])
    return 0
