"""What a stage measures, for `TensorBoard <https://www.tensorflow.org/tensorboard>`_ to show."""

from __future__ import annotations

from pathlib import Path

from lostcities.training.stage import Step, TrainingError


class Board:
    """Writes the figures of steps to a folder that TensorBoard reads.

    Args:
        folder: made if it is not there; each run adds a file to it.

    Raises:
        TrainingError: TensorBoard is not installed, or nothing can be written there.
    """

    def __init__(self, folder: Path) -> None:
        try:
            from torch.utils.tensorboard import SummaryWriter
        except ImportError as error:
            raise TrainingError(
                "--tensorboard",
                f"needs TensorBoard: pip install 'lostcities[tensorboard]' ({error})",
            ) from error
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._writer = SummaryWriter(str(folder))  # type: ignore[no-untyped-call, unused-ignore]
        except OSError as error:
            raise TrainingError(str(folder), error.strerror or str(error)) from error

    def take(self, step: Step) -> None:
        """Add the figures of a step."""
        for name, value, _ in step.figures:
            self._writer.add_scalar(name, value, step.done)  # type: ignore[no-untyped-call, unused-ignore]
        if step.news:
            self._writer.flush()  # type: ignore[no-untyped-call, unused-ignore]

    def save(self) -> None:
        """Write what is still held back."""
        self._writer.close()  # type: ignore[no-untyped-call, unused-ignore]
