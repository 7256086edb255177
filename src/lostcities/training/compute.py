"""Where torch computes: on the processor or a graphics card, in 32 or in part in 16 bits."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any, Self

import torch
from torch import Tensor, nn

from lostcities.training.stage import TrainingError


@dataclass(frozen=True, slots=True)
class Compute:
    """Where and how precisely networks are computed while they learn.

    Attributes:
        device: as torch names it, ``cpu`` or ``cuda``.
        short: matrices are multiplied in ``bfloat16``; weights, sums and losses stay in 32 bits.
    """

    device: str = "cpu"
    short: bool = False

    def cast(self) -> AbstractContextManager[Any]:
        """Within it, torch multiplies as precisely as is wanted."""
        return torch.autocast(self.device, torch.bfloat16) if self.short else nullcontext()

    def __str__(self) -> str:
        return f"{self.device}, {'bfloat16' if self.short else 'float32'}"


CPU = Compute()


def chosen(device: str | None, precision: str) -> Compute:
    """What is there of what is wanted.

    Args:
        device: ``cpu`` or ``cuda``; None for a graphics card if there is one.
        precision: ``float32`` or ``bfloat16``.

    Raises:
        TrainingError: there is no such device, or it has no ``bfloat16``.
    """
    if device == "cuda" and not torch.cuda.is_available():
        raise TrainingError("--device", "torch finds no graphics card that it can use here")
    where = device or ("cuda" if torch.cuda.is_available() else "cpu")
    short = precision == "bfloat16"
    if short and not has_bfloat16(where):
        raise TrainingError("--precision", f"the {where} of this machine has no bfloat16")
    return Compute(where, short)


def has_bfloat16(device: str) -> bool:
    """Whether a device multiplies ``bfloat16`` itself; torch would emulate it otherwise, slowly."""
    if device == "cuda":
        return torch.cuda.is_bf16_supported()
    # torch 2.9 cannot tell it yet.
    tell: Callable[[], dict[str, Any]] = getattr(torch.cpu, "get_capabilities", dict)
    return any(tell().get(name, False) for name in ("avx512_bf16", "amx_bf16", "bf16"))


class Placed(nn.Module):
    """A network that takes what it is shown to where it lies, and brings back what it says."""

    compute = CPU

    def on(self, compute: Compute) -> Self:
        """Move there; returns itself."""
        self.compute = compute
        return self.to(compute.device)

    def taken(self, *shown: Tensor) -> list[Tensor]:
        """Inputs, where the network lies."""
        return [each.to(self.compute.device) for each in shown]

    @staticmethod
    def told(answer: Tensor) -> Tensor:
        """An answer in 32 bits, where the targets lie."""
        return answer.float().cpu()
