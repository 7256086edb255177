"""The network: what it is shown, its colour symmetry, its blindness to hidden cards, its files."""

import hashlib
import itertools
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from lostcities.agents.network import features, forward, weights
from lostcities.agents.network.weights import WeightsError, read_weights, write_weights
from lostcities.agents.trials import steady_choice
from lostcities.core.cards import parse_card
from lostcities.core.position import parse_position
from lostcities.core.rules import Rules
from lostcities.core.turn import parse_turn
from lostcities.kernel import layout as at
from lostcities.kernel.bits import U
from lostcities.kernel.bridge import lay_to_action, pack, to_row
from lostcities.kernel.choose import MOST_LEGAL, list_legal
from lostcities.kernel.round import apply, apply_lay, deal_seeded, over
from networks import PackedRules, Row, played_rows, random_arrays, redealt

pytestmark = pytest.mark.needs("numba")

RULES = ["stall=100", "colours=6 stall=100", "colours=3 hand=5 wagers=1 top=7 stall=40"]
NETWORK = forward.flatten(random_arrays())
DOCS = Path(__file__).parents[1] / "docs"
WEIGHTS = sorted(weights.shipped_path("policy-1").parent.glob("*.safetensors"))


# ---- what it is shown ---------------------------------------------------------------------------


class Shown:
    """The features of a position, by name."""

    def __init__(self, row: Row, rules: PackedRules) -> None:
        colours = int(rules[at.COLOURS])
        self.bits = np.zeros((colours, features.COLOUR_WORDS), np.uint64)
        numbers = np.zeros(colours * features.COLOUR_NUMBERS, np.float32)
        self.shared = np.zeros(features.SHARED_NUMBERS, np.float32)
        self.word = int(features.write_features(row, rules, self.bits, numbers, self.shared))
        self.numbers = numbers.reshape(colours, -1)

    def field(self, colour: int, first: int, length: int) -> int:
        whole = sum(int(word) << (64 * i) for i, word in enumerate(self.bits[colour]))
        return whole >> first & ((1 << length) - 1)

    def twelve(self, colour: int, first: int) -> str:
        """A field of wagers and numbers as ranks: `XX5`, with `0` for ten."""
        field = self.field(colour, first, 12)
        wagers = {0: "", 1: "X", 3: "XX", 7: "XXX"}[field & 7]
        return wagers + "".join(str((i + 2) % 10) for i in range(9) if field >> 3 + i & 1)

    def ten(self, colour: int, first: int) -> str:
        """A field of a wager and numbers."""
        field = self.field(colour, first, 10)
        return "".join("X" if i == 0 else str((i + 1) % 10) for i in range(10) if field >> i & 1)


POSITION = "0 | YX Y4 Y8 R2 R10 | YX Y9 B2 W6 G3 | YX Y3 | Y5 R3 R4 | RX R7 B5 | ?12"


def shown(text: str = POSITION, lay: str = "", rules: str = "hand=5 stall=100") -> Shown:
    played = Rules.parse(rules)
    row = to_row(parse_position(text, played), fill_hidden=True)
    if lay:
        turn = parse_turn(f"{lay}*")
        apply_lay(row, pack(played), lay_to_action(turn.lay, played.colours))
    return Shown(row, pack(played))


YELLOW, RED, BLUE = (int(parse_card(f"{letter}2").colour) for letter in "YRB")


def test_the_bits_of_a_colour_say_where_its_cards_are() -> None:
    seen = shown()
    assert [seen.twelve(YELLOW, at) for at in (0, 12, 24, 36)] == ["X48", "X3", "5", ""]
    assert [seen.twelve(RED, at) for at in (0, 12, 24, 36)] == ["20", "", "34", "X7"]
    # The other's hand is no part of it: those cards are unseen, as the deck's are.
    assert seen.twelve(YELLOW, 76) == "X26790"
    assert seen.twelve(RED, 76) == "XX5689"
    assert [seen.ten(RED, at) for at in (88, 98)] == ["7", "X"]
    assert [seen.ten(BLUE, at) for at in (88, 98)] == ["5", ""]


def test_the_bits_of_a_colour_say_what_rows_take() -> None:
    seen = shown()
    assert [seen.ten(YELLOW, at) for at in (108, 118)] == ["4567890", "67890"]
    assert seen.ten(YELLOW, 128) == "48"
    assert [seen.ten(YELLOW, at) for at in (138, 148)] == ["6790", "6790"]
    assert [seen.field(RED, at, 1) for at in (158, 159, 160, 161)] == [0, 1, 1, 1]
    assert [seen.field(YELLOW, at, 1) for at in (158, 159, 160, 161)] == [0, 0, 0, 0]


def test_a_pile_is_closed_after_a_discard() -> None:
    seen = shown(lay="-R2")
    assert [seen.field(RED, at, 1) for at in (158, 159, 160, 161)] == [1, 1, 1, 0]
    assert seen.ten(RED, 88) == "2"
    assert seen.word & 1 == 1
    assert shown().word & 1 == 0


def test_the_numbers_of_a_colour() -> None:
    seen = shown()
    yellow = [3 / 20, 5 / 20, -34 / 50, -15 / 50, 12 / 20, 32 / 40, 32 / 40, 2 / 8, 1 / 8, 24 / 50]
    assert seen.numbers[YELLOW] == pytest.approx(yellow)
    red = [0, 7 / 20, 0, -13 / 50, 12 / 20, 28 / 40, 28 / 40, 0, 2 / 8, 12 / 50]
    assert seen.numbers[RED] == pytest.approx(red)


def test_what_all_colours_share() -> None:
    seen = shown()
    # Yellow: 3 - 20 twice; the other: 5 - 20 and 7 - 20.
    wanted = [12 / 44, -34 / 50, -28 / 50, 1 / 5, 2 / 5, 0, 0]
    assert seen.shared == pytest.approx(wanted)
    steps = [int(step <= 12) for step in features.DECK_STEPS]
    assert [seen.word >> 2 + i & 1 for i in range(len(steps))] == steps
    assert seen.word >> 23 == 0
    six = shown("0 | Y2 | R3 | - | - | - | ?7", rules="colours=6 hand=1 stall=100")
    assert six.word >> 1 & 1 == 1
    assert six.word >> 29 == 1


def test_known_cards_and_turns_from_piles_are_shown() -> None:
    rules = Rules.parse("hand=2 stall=100")
    state = parse_position("0 | Y4 R2 | B2 W6 | - | - | Y7 G3 | ?12", rules)
    for turn in ("-R2<Y", "-B2<G"):
        state = state.play(parse_turn(turn))
    seen = Shown(to_row(state, fill_hidden=True), pack(rules))
    green = int(parse_card("G2").colour)
    assert [seen.twelve(green, 48), seen.twelve(YELLOW, 64)] == ["3", "7"]
    assert [seen.twelve(green, 64), seen.twelve(YELLOW, 48)] == ["", ""]
    assert seen.shared[5:] == pytest.approx([1 / 8, 1 / 8])
    assert [seen.word >> 23 + i & 1 for i in range(6)] == [1, 1, 0, 0, 0, 0]


# ---- symmetry and blindness ---------------------------------------------------------------------


def recoloured(row: Row, order: list[int]) -> Row:
    """The row with colour `c` renamed to `order[c]`."""
    new = row.copy()

    def move(word: int, width: int, first: int = 0) -> None:
        mask = (1 << width) - 1
        old = int(row[word]) >> first
        moved = sum((old >> width * c & mask) << width * to for c, to in enumerate(order))
        new[word] = U(moved << first)

    for base in (0, at.SEAT):
        for word in (at.HAND, at.OPEN, at.LAID, at.KNOWN):
            move(base + word, 10)
        move(base + at.WAGERS, 8)
    move(at.PILED, 10)
    move(at.PILED_WAGERS, 8)
    move(at.CLOSED, 1)
    for c, to in enumerate(order):
        new[at.PILES + 1 + to] = row[at.PILES + 1 + c]
    return new


def answers(row: Row, rules: PackedRules) -> tuple[NDArray[np.float32], float]:
    logits = np.zeros(21 * int(rules[at.COLOURS]) + 1, np.float32)
    value = forward.evaluate(NETWORK, row, rules, forward.scratch(), logits)
    return logits, float(value)


def by_colour(logits: NDArray[np.float32], colours: int) -> list[NDArray[np.float32]]:
    """Logits of plays, discards and piles, each with a row a colour."""
    faces = 10 * colours
    parts = logits[:faces], logits[faces : 2 * faces], logits[2 * faces + 1 :]
    return [part.reshape(colours, -1) for part in parts]


@pytest.mark.parametrize("text", RULES)
def test_renaming_the_colours_renames_the_policy_and_leaves_the_value(text: str) -> None:
    rng, compared = np.random.default_rng(1), 0
    for row, rules in played_rows(text, 3, every=4):
        colours = int(rules[at.COLOURS])
        order = rng.permutation(colours).tolist()
        logits, value = answers(row, rules)
        renamed, same = answers(recoloured(row, order), rules)
        assert same == pytest.approx(value, abs=1e-3)
        for old, new in zip(by_colour(logits, colours), by_colour(renamed, colours), strict=True):
            np.testing.assert_allclose(new[order], old, atol=1e-4)
        assert renamed[20 * colours] == pytest.approx(logits[20 * colours], abs=1e-4)
        compared += 1
    assert compared > 30


@pytest.mark.parametrize("text", RULES)
def test_hidden_cards_change_neither_policy_nor_value(text: str) -> None:
    differing = 0
    for row, rules in played_rows(text, 3, every=5):
        twin = redealt(row, rules, 99)
        differing += int((twin[: at.RNG] != row[: at.RNG]).any())
        logits, value = answers(row, rules)
        others, same = answers(twin, rules)
        assert (others == logits).all()
        assert same == value
    assert differing > 20


@pytest.mark.parametrize("text", RULES)
def test_the_best_action_is_the_legal_one_of_the_highest_logit(text: str) -> None:
    legal = np.zeros(MOST_LEGAL, np.int64)
    for row, rules in played_rows(text, 3):
        logits, value = answers(row, rules)
        allowed = legal[: list_legal(row, rules, legal)]
        assert set(np.flatnonzero(logits > -1e29)) == set(allowed.tolist())
        scratch = forward.scratch()
        assert forward.best_action(NETWORK, row, rules, scratch) == int(logits.argmax())
        assert forward.expected_lead(NETWORK, row, rules, scratch) == value


def test_the_present_lead_is_part_of_the_value_by_construction() -> None:
    silent = {name: np.zeros(shape, np.float32) for name, shape in forward.SHAPES.items()}
    row, rules = (
        to_row(parse_position(POSITION, Rules.parse("hand=5")), fill_hidden=True),
        pack(Rules.parse("hand=5")),
    )
    scratch = forward.scratch()
    assert forward.expected_lead(forward.flatten(silent), row, rules, scratch) == -34 + 28


# ---- files --------------------------------------------------------------------------------------


def test_weights_come_back_in_half_precision(tmp_path: Path) -> None:
    arrays, path = random_arrays(), tmp_path / "net.safetensors"
    write_weights(path, arrays, {"command": "by hand"})
    read, about = read_weights(path)
    assert about == {"features": str(features.FEATURES_VERSION), "command": "by hand"}
    for name, array in arrays.items():
        assert (read[name] == array.astype(np.float16)).all()
    assert path.stat().st_size < 200_000
    assert list(tmp_path.iterdir()) == [path]


def test_other_readers_of_the_format_agree(tmp_path: Path) -> None:
    path = tmp_path / "net.safetensors"
    write_weights(path, random_arrays(), {})
    content = path.read_bytes()
    length = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + length])
    ends = [entry["data_offsets"] for name, entry in header.items() if name != "__metadata__"]
    assert length % 8 == 0
    assert ends[0][0] == 0
    assert all(one[1] == two[0] for one, two in itertools.pairwise(ends))
    assert 8 + length + ends[-1][1] == len(content)


def broken_header(content: bytes, **changes: Any) -> bytes:
    length = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + length])
    header.update(changes)
    head = json.dumps(header).encode()
    return len(head).to_bytes(8, "little") + head + content[8 + length :]


@pytest.mark.parametrize(
    "damage",
    [
        lambda _: b"",
        lambda content: content[:5],
        lambda content: content[:-1],
        lambda content: b"\xff" * 8 + content[8:],
        lambda content: content[:8] + b"{" + content[9:].replace(b'"', b"'"),
        lambda content: broken_header(content, __metadata__={"features": "0"}),
        lambda content: broken_header(content, __metadata__=3),
        lambda content: broken_header(content, w1=None),
        lambda content: broken_header(content, w1={"dtype": "I8", "shape": [1], "data_offsets": [0, 1]}),
        lambda _: (2).to_bytes(8, "little") + b"[]",
        lambda _: (30_000).to_bytes(8, "little") + b"[" * 30_000,
    ],
)  # fmt: skip
def test_a_damaged_file_is_refused_by_name(tmp_path: Path, damage: Any) -> None:
    path = tmp_path / "net.safetensors"
    write_weights(path, random_arrays(), {})
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(WeightsError, match=r"net\.safetensors: not a network of this program"):
        read_weights(path)


def test_a_network_of_other_shapes_is_not_written(tmp_path: Path) -> None:
    arrays = random_arrays()
    arrays["b2"] = arrays["b2"][:-1]
    with pytest.raises(ValueError, match="b2"):
        write_weights(tmp_path / "net.safetensors", arrays, {})
    assert list(tmp_path.iterdir()) == []


def test_a_missing_network_is_named() -> None:
    with pytest.raises(WeightsError, match=r"no-such\.safetensors"):
        weights.shipped("no-such")


# ---- what is shipped ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", [path.stem for path in WEIGHTS])
def test_a_shipped_network_has_a_card_that_names_it(name: str) -> None:
    card = (DOCS / "models" / f"{name}.md").read_text("utf-8")
    path = weights.shipped_path(name)
    _, about = read_weights(path)
    assert hashlib.sha256(path.read_bytes()).hexdigest() in card
    assert about["command"] in card
    assert path.stat().st_size < 200_000


def test_the_shipped_clone_plays_as_steady_does() -> None:
    network, scratch = weights.shipped("policy-1"), forward.scratch()
    rules, row = pack(Rules.parse("stall=100")), np.zeros(at.WORDS, np.uint64)
    alike = total = 0
    for seed in range(40):
        deal_seeded(row, rules, seed, 0)
        while not over(row, rules):
            own = steady_choice(row, rules)
            alike += int(forward.best_action(network, row, rules, scratch) == own)
            total += 1
            apply(row, rules, own)
    assert total > 3000
    assert alike / total > 0.92


@pytest.mark.parametrize("text", RULES[:2])
def test_vector_instructions_compute_what_plain_loops_do(text: str) -> None:
    """Layers for five and six colours are written as vector code; the plain form is the authority."""
    rng, colours = np.random.default_rng(3), Rules.parse(text).colours
    start = rng.standard_normal(forward.SCRATCH).astype(np.float32)
    fast, plain = start.copy(), start.copy()
    target = forward.MAX_COLOURS * forward.WIDTH
    forward._dense(NETWORK, forward.LAYER_2, fast, 0, target, colours)
    forward._dense_plainly(NETWORK, forward.LAYER_2, plain, 0, target, colours)
    assert (fast == plain).all(), "to the bit: versions of agents never play differently"
    assert not np.allclose(fast, start)
