"""What players of the OpenSpiel game know: with perfect recall, or as it lies on the table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pyspiel

from lostcities import encoding
from lostcities.core.cards import FACES, format_cards
from lostcities.core.rules import Rules
from lostcities.core.seats import BySeat, other
from lostcities.core.views import View, view_of_round
from lostcities.envs.openspiel_round import ChanceRound, Floats, turn_text
from lostcities.kernel import bridge
from lostcities.kernel.observe import PLANES, WAGER_ROWS, observation_length, observation_scale

_OWN_HAND, _UNSEEN = 0, 7
_WAGERS_OWN, _WAGERS_UNSEEN = 0, 6

Pieces = dict[str, tuple[int, ...]]


def _faces_text(faces: list[int]) -> str:
    return format_cards(FACES[face] for face in faces)


def history_text(truth: ChanceRound, seat: int | None = None, *, public: bool = True) -> str:
    """The hands first dealt and every turn since.

    Args:
        truth: the round.
        seat: whose knowledge; None for everything.
        public: whether what both players see is told too; if not, only own cards are.
    """
    hands = [_faces_text(truth.first_hand(each)) for each in (0, 1) if seat in (None, each)]
    turns = (_turn_text(truth, ply, seat, public=public) for ply in range(len(truth.turns)))
    begun = [_begun_text(truth)] if public and truth.lay >= 0 else []
    return " ".join([*(f"[{hand}]" for hand in hands), *filter(None, turns), *begun])


def _begun_text(truth: ChanceRound) -> str:
    return turn_text(truth.lay, truth.rules.colours) + "*" * truth.drawing


def _turn_text(truth: ChanceRound, ply: int, seat: int | None, *, public: bool) -> str:
    lay, draw, face = truth.turns[ply]
    colours = truth.rules.colours
    deck = draw == encoding.deck_action(colours)
    own = str(FACES[face]) if deck and seat in (None, truth.mover(ply)) else ""
    return turn_text(lay, colours) + turn_text(draw, colours) + own if public else own


class LostCitiesObserver:
    """Tensors and strings of what a player knows.

    With perfect recall: the hand first dealt and every turn, own draws with their face. Without: the
    table as it lies, as :mod:`lostcities.kernel.observe` has it, from which neither the order of play
    nor the hand first dealt can be told. The pieces, all ``float32``:

    ============== ================== =================================================================
    piece          shape              there with
    ============== ================== =================================================================
    ``player``     ``(2,)``           always
    ``first_hand`` ``(10 C,)``        perfect recall and private information
    ``turns``      ``(turns, 2)``     perfect recall and public information: lay and draw, each as
                                      ``(action + 1) / (actions + 1)``, 0 where not made
    ``drawn``      ``(turns,)``       perfect recall and private information: the face of an own draw
                                      from the deck, as ``(face + 1) / (10 C)``
    ``table``      ``(length,)``      no recall and public information: the kernel's observation, scaled;
                                      without private information own hand and unseen cards are 0
    ``hand``       ``(10 C,)``        no recall and private information only: how many of each face
    ============== ================== =================================================================

    Attributes:
        tensor: all pieces in a row.
        dict: the pieces by name, views of the tensor.
    """

    def __init__(
        self, kind: Any, rules: Rules, turns: int, params: Mapping[str, Any] | None = None
    ) -> None:
        """Make room for the pieces of a kind of observation.

        Raises:
            ValueError: parameters, or both players' private information, neither of which there is.
        """
        if params:
            raise ValueError(f"observations have no parameters, not {dict(params)}")
        if kind.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS:
            raise ValueError("no observation shows both hands")
        self._public = bool(kind.public_info)
        self._private = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self._recall = bool(kind.perfect_recall)
        self._colours = rules.colours
        self._scale = observation_scale(bridge.pack(rules))
        self._lay_out(self._pieces(turns))

    def _pieces(self, turns: int) -> Pieces:
        faces = encoding.faces(self._colours)
        wanted: list[tuple[str, bool, tuple[int, ...]]] = [
            ("player", True, (2,)),
            ("first_hand", self._recall and self._private, (faces,)),
            ("turns", self._recall and self._public, (turns, 2)),
            ("drawn", self._recall and self._private, (turns,)),
            ("table", not self._recall and self._public, (observation_length(self._colours),)),
            ("hand", not self._recall and self._private and not self._public, (faces,)),
        ]
        return {name: shape for name, there, shape in wanted if there}

    def _lay_out(self, pieces: Pieces) -> None:
        sizes = [int(np.prod(shape)) for shape in pieces.values()]
        self.tensor: Floats = np.zeros(sum(sizes), dtype=np.float32)
        self.dict: dict[str, Floats] = {}
        ends = np.cumsum(sizes)
        for (name, shape), size, end in zip(pieces.items(), sizes, ends, strict=True):
            self.dict[name] = self.tensor[end - size : end].reshape(shape)

    # ---- the tensor -----------------------------------------------------------------------------

    def set_from(self, state: Any, player: int) -> None:
        """Write what a player knows of a state into the tensor."""
        truth: ChanceRound = state.truth
        self.tensor.fill(0)
        self.dict["player"][player] = 1
        if "first_hand" in self.dict:
            np.add.at(self.dict["first_hand"], truth.first_hand(player), 1)
        if "turns" in self.dict:
            self._write_turns(truth)
        if "drawn" in self.dict:
            self._write_drawn(truth, player)
        if "table" in self.dict and truth.round is not None:
            self.dict["table"][:] = truth.round.observation(player) / self._scale
            if not self._private:
                self._hide_own()
        if "hand" in self.dict:
            np.add.at(self.dict["hand"], self._hand(truth, player), 1)

    def _write_turns(self, truth: ChanceRound) -> None:
        whole = encoding.actions(self._colours) + 1
        rows = self.dict["turns"]
        for ply, (lay, draw, _) in enumerate(truth.turns):
            rows[ply] = (lay + 1) / whole, (draw + 1) / whole
        if truth.lay >= 0:
            rows[len(truth.turns), 0] = (truth.lay + 1) / whole
        if truth.drawing:
            rows[len(truth.turns), 1] = (encoding.deck_action(self._colours) + 1) / whole

    def _write_drawn(self, truth: ChanceRound, player: int) -> None:
        deck = encoding.deck_action(self._colours)
        for ply, (_, draw, face) in enumerate(truth.turns):
            if draw == deck and truth.mover(ply) == player:
                self.dict["drawn"][ply] = (face + 1) / encoding.faces(self._colours)

    def _hide_own(self) -> None:
        faces = encoding.faces(self._colours)
        table = self.dict["table"]
        for plane in (_OWN_HAND, _UNSEEN):
            table[plane * faces : (plane + 1) * faces] = 0
        wagers = table[PLANES * faces :][: WAGER_ROWS * self._colours]
        for row in (_WAGERS_OWN, _WAGERS_UNSEEN):
            wagers[row * self._colours : (row + 1) * self._colours] = 0

    def _hand(self, truth: ChanceRound, player: int) -> list[int]:
        if truth.round is None:
            return truth.first_hand(player)
        return [card.face for card in truth.round.state().hands[player]]

    # ---- the string -----------------------------------------------------------------------------

    def string_from(self, state: Any, player: int) -> str:
        """What a player knows of a state, as text; equal exactly where the knowledge is equal."""
        truth: ChanceRound = state.truth
        if self._recall:
            seat = player if self._private else -1
            return f"p{player} {history_text(truth, seat, public=self._public)}".rstrip()
        hand = _faces_text(self._hand(truth, player)) if self._private else "-"
        if not self._public or truth.round is None:
            return f"p{player} | {hand}"
        view = view_of_round(truth.round.state(), player)
        lay = turn_text(truth.lay, self._colours) if truth.lay >= 0 else "-"
        # Where a card is to be drawn, neither seat is to act.
        to_act = "*" if truth.drawing else str(truth.round.seat)
        return f"p{player} | {hand} | {to_act} {lay} | {_table_text(view, player)}"


def _table_text(view: View, player: int) -> str:
    rows = (_rows_text(view.expeditions[seat]) for seat in (player, other(player)))
    known: BySeat[Any] = view.known
    held = (format_cards(known[seat]) for seat in (other(player), player))
    counts = f"{view.deck} {view.pile_run} {view.ply}"
    return " | ".join([*rows, _rows_text(view.piles), *held, counts])


def _rows_text(rows: Any) -> str:
    return format_cards(card for row in rows for card in row)
