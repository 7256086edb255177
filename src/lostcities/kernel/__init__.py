"""The same rules over one compact row a round, compiled: for millions of turns a second.

The core is the authority and the kernel is held to it by tests at every action. Use it where many
rounds are played: search, training, environments. What it takes and gives are ints and arrays, see
:mod:`lostcities.kernel.layout`; :mod:`lostcities.kernel.bridge` converts from and to the core's values.
Functions over rows are meant to be called from compiled functions of one's own: decorate those that
run a loop over rows with ``in_place``, small helpers with ``inlined``, and those that make arrays with
``njit``. :class:`Batch` holds many rounds for training loops and environments.

>>> from lostcities.kernel import deal_seeded, empty_rows, pack_rules, playout
>>> rules = pack_rules(colours=5)
>>> row = empty_rows(1)[0]
>>> deal_seeded(row, rules, 7, 0)
>>> -400 < playout(row, rules) < 400
True
"""

try:
    import numpy as np  # noqa: F401
except ImportError as error:
    raise ImportError(
        "lostcities.kernel needs NumPy (and, to be fast, Numba): pip install 'lostcities[fast]'"
    ) from error

from lostcities.kernel.batch import Batch
from lostcities.kernel.hidden import resample, unseen_faces, unseen_wagers
from lostcities.kernel.jit import BIT_INSTRUCTIONS, COMPILED, describe, in_place, inlined, njit
from lostcities.kernel.layout import RULES_LENGTH, WORDS, empty_rows
from lostcities.kernel.observe import (
    OBSERVATION_VERSION,
    observation_length,
    observation_scale,
    write_mask,
    write_observation,
)
from lostcities.kernel.playout import playout
from lostcities.kernel.round import (
    apply,
    apply_draw,
    apply_lay,
    apply_turn,
    copy_row,
    deal,
    deal_next,
    deal_seeded,
    deck_left,
    is_legal,
    laying,
    lead,
    legal_discards,
    legal_draws,
    legal_plays,
    over,
    score,
    stalled,
    top_of,
)
from lostcities.kernel.rules import all_cards, pack_rules

__all__ = [
    "BIT_INSTRUCTIONS",
    "COMPILED",
    "OBSERVATION_VERSION",
    "RULES_LENGTH",
    "WORDS",
    "Batch",
    "all_cards",
    "apply",
    "apply_draw",
    "apply_lay",
    "apply_turn",
    "copy_row",
    "deal",
    "deal_next",
    "deal_seeded",
    "deck_left",
    "describe",
    "empty_rows",
    "in_place",
    "inlined",
    "is_legal",
    "laying",
    "lead",
    "legal_discards",
    "legal_draws",
    "legal_plays",
    "njit",
    "observation_length",
    "observation_scale",
    "over",
    "pack_rules",
    "playout",
    "resample",
    "score",
    "stalled",
    "top_of",
    "unseen_faces",
    "unseen_wagers",
    "write_mask",
    "write_observation",
]
