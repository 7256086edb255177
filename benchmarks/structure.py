"""What the network's structure is worth: the same lessons for networks that differ in one thing.

    python benchmarks/structure.py --positions 300000 --epochs 3

Each learns the choices of ``steady@1`` and what comes of them, as ``lostcities train clone`` does, on the same
positions in the same order. Told are the share of held-out positions on which it chooses as its teacher, how
surprised it is by the choices that it does not make, and how much of what is still to come its value explains.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from lostcities.agents.network import features
from lostcities.kernel.rules import pack_rules
from lostcities.training.clone import CloneSettings, clone_data
from lostcities.training.fit import Fit, FitSettings, Targets, fit
from lostcities.training.net import Inputs, Net
from lostcities.training.stage import Step

COLOURS = 5
EACH = features.COLOUR_BITS + features.COLOUR_NUMBERS
SHARED = features.SHARED_BITS + features.SHARED_NUMBERS
WORKED_OUT = (128, 162)
"""Bits of a colour that follow from others of it: what fits where."""


@dataclass(frozen=True, slots=True)
class Variant:
    """A network.

    Attributes:
        name: what it differs in.
        width: numbers a colour in each layer.
        layers: after the first.
        pools: what colours hear of each other in: ``mean``, ``max``, both or nothing.
        shared: whether all colours have the same weights; otherwise a plain network of all inputs.
        blind: inputs of a colour that are hidden from it.
    """

    name: str
    width: int = 64
    layers: int = 2
    pools: tuple[str, ...] = ("mean", "max")
    shared: bool = True
    blind: tuple[int, int] = (0, 0)


SHIPPED = Variant("as shipped")
VARIANTS = (
    SHIPPED,
    replace(SHIPPED, name="pools the mean only", pools=("mean",)),
    replace(SHIPPED, name="pools the maximum only", pools=("max",)),
    replace(SHIPPED, name="colours hear nothing of each other", pools=()),
    replace(SHIPPED, name="one layer less", layers=1),
    replace(SHIPPED, name="one layer more", layers=3),
    replace(SHIPPED, name="half as wide", width=32),
    replace(SHIPPED, name="twice as wide", width=128),
    replace(SHIPPED, name="without what fits where", blind=WORKED_OUT),
    replace(SHIPPED, name="without sums and scores", blind=(features.COLOUR_BITS, EACH)),
    replace(SHIPPED, name="colours share no weights (plain, 192 wide)", width=192, shared=False),
)


class Shared(Net):
    """A network whose colours share their weights, as the shipped one's do."""

    def __init__(self, variant: Variant, seed: int) -> None:
        nn.Module.__init__(self)
        torch.manual_seed(seed)
        width, self.variant = variant.width, variant
        self.first, self.common = nn.Linear(EACH, width), nn.Linear(SHARED, width, bias=False)
        self.own = nn.ModuleList(nn.Linear(width, width) for _ in range(variant.layers))
        pooled = max(1, len(variant.pools)) * width
        self.pooled = nn.ModuleList(
            nn.Linear(pooled, width, bias=False)
            for _ in range(variant.layers if variant.pools else 0)
        )
        self.out, self.deck = nn.Linear(width, 21), nn.Linear(2 * width, 1)
        self.value = nn.Sequential(nn.Linear(2 * width, 32), nn.ReLU(), nn.Linear(32, 1))

    def _heard(self, h: Tensor) -> Tensor:
        parts = {"mean": h.mean(1), "max": h.amax(1)}
        return torch.cat([parts[each] for each in self.variant.pools], 1)

    def forward(self, colours: Tensor, shared: Tensor) -> tuple[Tensor, Tensor]:
        """See :meth:`lostcities.training.net.Net.forward`."""
        first, last = self.variant.blind
        if last:
            colours = colours.clone()
            colours[:, :, first:last] = 0
        h = functional.relu(self.first(colours) + self.common(shared)[:, None])
        for i, own in enumerate(self.own):
            heard = self.pooled[i](self._heard(h))[:, None] if self.variant.pools else 0
            h = functional.relu(own(h) + heard)
        pool = torch.cat([h.mean(1), h.amax(1)], 1)
        return ordered(self.out(h), self.deck(pool)), self.value(pool)[:, 0]


class Plain(Net):
    """A plain network of everything in a row."""

    def __init__(self, variant: Variant, seed: int) -> None:
        nn.Module.__init__(self)
        torch.manual_seed(seed)
        width = variant.width
        sizes = [COLOURS * EACH + SHARED, *[width] * (variant.layers + 1)]
        layers = [
            part
            for i, size in enumerate(sizes[1:])
            for part in (nn.Linear(sizes[i], size), nn.ReLU())
        ]
        self.trunk = nn.Sequential(*layers)
        self.out, self.deck = nn.Linear(width, 21 * COLOURS), nn.Linear(width, 1)
        self.value = nn.Linear(width, 1)

    def forward(self, colours: Tensor, shared: Tensor) -> tuple[Tensor, Tensor]:
        """See :meth:`lostcities.training.net.Net.forward`."""
        h = self.trunk(torch.cat([colours.flatten(1), shared], 1))
        return ordered(self.out(h).view(-1, COLOURS, 21), self.deck(h)), self.value(h)[:, 0]


def ordered(out: Tensor, deck: Tensor) -> Tensor:
    """Logits of the colours ``(n, colours, 21)`` and of the deck in the order of actions."""
    plays, discards = out[:, :, :10].flatten(1), out[:, :, 10:20].flatten(1)
    return torch.cat([plays, discards, deck, out[:, :, 20]], 1)


def microseconds(
    net: Net, inputs: Inputs, index: np.ndarray[tuple[int], np.dtype[np.int64]]
) -> float:
    """Microseconds a position that torch takes, many at once."""
    batch = inputs.batch(index)
    with torch.no_grad():
        net(*batch)
        begin = time.thread_time()
        net(*batch)
        return 1e6 * (time.thread_time() - begin) / len(index)


def main() -> None:
    """Fit all, tell how each did."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--positions", type=int, default=300_000)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--seeds", type=int, default=2, help="networks of each kind")
    args = parser.parse_args()
    torch.set_num_threads(1)
    rules = pack_rules(stall=100)
    rows, chosen, gain = clone_data(CloneSettings(args.positions), rules, quietly)
    inputs = Inputs.of(rows, rules)
    policy = torch.zeros(inputs.legal.shape)
    policy[torch.arange(len(rows)), torch.from_numpy(chosen.astype(np.int64))] = 1.0
    targets = Targets(policy, torch.from_numpy(gain))
    settings = FitSettings(args.epochs, batch=512, rate=3e-3, decay=1e-4, held_out=0.05)
    print("| network | weights | agrees | policy loss | value explains | µs in torch |")
    print("|---|---|---|---|---|---|")
    for variant in VARIANTS:
        found: list[Fit] = []
        for seed in range(args.seeds):
            net = (Shared if variant.shared else Plain)(variant, seed)
            found.append(fit(net, inputs, targets, settings, quietly))
        mean = [
            float(np.mean([getattr(each, name) for each in found]))
            for name in ("agree", "policy_loss", "explained")
        ]
        weights = sum(each.numel() for each in net.parameters())
        took = microseconds(net, inputs, np.arange(min(4096, len(rows))))
        print(
            f"| {variant.name} | {weights:,} | {mean[0]:.1%} | {mean[1]:.3f} | {mean[2]:.1%} | {took:.1f} |",
            flush=True,
        )


def quietly(_step: Step) -> None:
    """The table's lines are the progress."""


if __name__ == "__main__":
    main()
