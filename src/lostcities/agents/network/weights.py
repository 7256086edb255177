"""Weights on disk: the safetensors format, read and written with NumPy alone.

A file is eight bytes (little-endian length of the header), the header as JSON (for every array its
``dtype``, ``shape`` and ``data_offsets``; text under ``__metadata__``), then the arrays. The shipped
files lie in ``lostcities/agents/weights`` with a model card that names the command that made them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lostcities.agents.network.features import FEATURES_VERSION
from lostcities.agents.network.forward import SHAPES, Flat, flatten
from lostcities.core.errors import NotationError

_LENGTH = 8
_MOST_HEADER = 1 << 20
_DTYPES: dict[str, Any] = {"F32": np.dtype("<f4"), "F16": np.dtype("<f2")}
Arrays = dict[str, NDArray[np.float32]]


class WeightsError(NotationError):
    """A weights file that cannot be used; names the file and the reason."""


def write_weights(path: Path, arrays: Mapping[str, NDArray[Any]], about: Mapping[str, str]) -> None:
    """Write a network in half precision, which changes a value by some thousandths at most.

    Args:
        path: the file, replaced in one step.
        arrays: by the names of :data:`lostcities.agents.network.forward.SHAPES`.
        about: texts to keep with it, such as the command that made it.
    """
    flatten(arrays)
    parts, header, start = [], {}, 0
    for name in SHAPES:
        part = np.ascontiguousarray(arrays[name], dtype=_DTYPES["F16"]).tobytes()
        header[name] = {
            "dtype": "F16",
            "shape": list(SHAPES[name]),
            "data_offsets": [start, start + len(part)],
        }
        parts.append(part)
        start += len(part)
    texts = {"features": str(FEATURES_VERSION), **about}
    head = json.dumps({"__metadata__": texts, **header}).encode()
    head += b" " * (-len(head) % _LENGTH)
    waiting = path.with_name(f"{path.name}.part")
    waiting.write_bytes(b"".join([len(head).to_bytes(_LENGTH, "little"), head, *parts]))
    waiting.replace(path)


def read_weights(path: Path) -> tuple[Arrays, dict[str, str]]:
    """Read a network and the texts kept with it.

    Raises:
        WeightsError: not such a file, cut short, of other shapes or other features.
    """
    try:
        return _parse(path.read_bytes())
    except (
        OSError,
        ValueError,
        KeyError,
        TypeError,
        AttributeError,
        RecursionError,
    ) as error:
        raise WeightsError(str(path), f"not a network of this program ({error})") from error


def _parse(data: bytes) -> tuple[Arrays, dict[str, str]]:
    length = int.from_bytes(data[:_LENGTH], "little")
    if not 0 < length <= min(_MOST_HEADER, len(data) - _LENGTH):
        raise ValueError("the header is missing")
    header = json.loads(data[_LENGTH : _LENGTH + length])
    about = header.pop("__metadata__", {})
    if about.get("features") != str(FEATURES_VERSION):
        raise ValueError(f"features {about.get('features')!r}, expected {FEATURES_VERSION}")
    body = data[_LENGTH + length :]
    arrays = {name: _array(body, header[name]) for name in SHAPES}
    flatten(arrays)
    return arrays, about


def _array(body: bytes, entry: Mapping[str, Any]) -> NDArray[np.float32]:
    first, last = entry["data_offsets"]
    read = np.frombuffer(body[first:last], dtype=_DTYPES[entry["dtype"]])
    array: NDArray[np.float32] = read.reshape(entry["shape"]).astype(np.float32)
    return array


def shipped_path(name: str) -> Path:
    """Where a network of this package lies, e.g. ``policy-1``."""
    return Path(str(files("lostcities.agents") / "weights" / f"{name}.safetensors"))


@cache
def shipped(name: str) -> Flat:
    """A network of this package, flattened, ready for the compiled code.

    Raises:
        WeightsError: it is not there or damaged.
    """
    return flatten(read_weights(shipped_path(name))[0])
