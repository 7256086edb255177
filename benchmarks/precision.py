"""What learning in sixteen bits brings: a step of training in both precisions, in turns with each other.

    python benchmarks/precision.py [--device cpu] [--threads 1] [--times 40]

The network of the policies (lostcities.training.net) on made-up inputs of five colours, forward, backward and
the optimiser's step; processor time on a processor, time by the clock on a graphics card. Needs torch.
"""

import argparse
import statistics
import time
from collections.abc import Callable

import torch
from torch.nn import functional

from lostcities.agents.network import features
from lostcities.training.compute import Compute, chosen
from lostcities.training.net import Net

COLOURS = 5
BATCHES = (256, 512, 1024, 4096, 16384)


def stepper(compute: Compute, batch: int) -> Callable[[], None]:
    """Does one step."""
    net = Net(1).on(compute)
    optimizer = torch.optim.AdamW(net.parameters(), lr=1e-3)
    own = torch.rand(batch, COLOURS, features.COLOUR_BITS + features.COLOUR_NUMBERS)
    shared = torch.rand(batch, features.SHARED_BITS + features.SHARED_NUMBERS)
    wanted = torch.randint(0, 21 * COLOURS + 1, (batch,))

    def step() -> None:
        logits, value = net(own, shared)
        loss = functional.cross_entropy(logits, wanted) + value.square().mean()
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call, unused-ignore]
        optimizer.step()

    return step


def main() -> None:
    parser = argparse.ArgumentParser(description="A step of training in both precisions.")
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--times", type=int, default=40, help="steps of each (40)")
    wish = parser.parse_args()
    torch.set_num_threads(wish.threads)
    clock = time.process_time if wish.device == "cpu" else time.perf_counter
    print("positions a step | float32 ms | bfloat16 ms | bfloat16 : float32")
    for batch in BATCHES:
        kinds = [chosen(wish.device, name) for name in ("float32", "bfloat16")]
        steps = [stepper(kind, batch) for kind in kinds]
        times: list[list[float]] = [[], []]
        for _ in range(wish.times):
            for number, step in enumerate(steps):
                began = clock()
                step()
                times[number].append(1000 * (clock() - began))
        full, short = (statistics.median(each) for each in times)
        print(f"{batch:6} | {full:.2f} | {short:.2f} | {short / full:.2f}")


if __name__ == "__main__":
    main()
