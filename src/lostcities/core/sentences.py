"""Every sentence that the readers of the core complain with, and the places that they name.

The words of the page stand in ``web/src/words/*/faults.json``; a test holds both to the same codes
and facts.
"""

from __future__ import annotations

from lostcities.core.said import Sentence

# ---- places ------------------------------------------------------------------------------------
LINE = Sentence("place.line", "line {n}")
LINE_COLUMN = Sentence("place.line_column", "line {line}, column {column}")
ROUND = Sentence("place.round", "round {n}")
PLY = Sentence("place.ply", "round {round}, ply {ply}")
CARD = Sentence("place.card", "card {n}")
SEAT = Sentence("place.seat", "seat {n}")
TURN = Sentence("place.turn", "turn {turn!r}")
POSITION = Sentence("place.position", "position")
RECORD = Sentence("place.record", "record")
TO_MOVE = Sentence("place.to_move", "seat to move")
HAND_OF = Sentence("place.hand_of", "hand of seat {seat}")
ROWS_OF = Sentence("place.rows_of", "rows of seat {seat}")
HANDS = Sentence("place.hands", "hands")
PILES = Sentence("place.piles", "piles")
DECK = Sentence("place.deck", "deck")
LAY = Sentence("place.lay", "lay")

# ---- cards and turns ---------------------------------------------------------------------------
NO_COLOUR = Sentence("card.no_colour", "not a colour (one of {letters})")
NO_CARD_COLOUR = Sentence(
    "card.no_card_colour", "not a card: it starts with a colour, one of {letters}"
)
NO_CARD_RANK = Sentence(
    "card.no_card_rank",
    "not a card: after the colour comes a number from 2 to 10, or X for a wager",
)
ABSENT = Sentence("card.absent", "{card} is not in the deck of these rules")
COLOUR_LACKS = Sentence("card.colour_lacks", "these rules have no colour {colour}")
CARD_COLOUR_LACKS = Sentence(
    "card.card_colour_lacks", "{card}: these rules have no colour {colour}"
)
COLOUR_BEYOND = Sentence(
    "card.colour_beyond", "{card}: these rules have no colour {colour} (colours={colours})"
)
OFTEN = Sentence("card.often", "{card} appears too often")
MORE_THAN = Sentence("card.more_than", "{card} appears more than {most} times")
TWICE = Sentence("card.twice", "{card} appears twice")
WAGER_LATE = Sentence("card.wager_late", "{card} is a wager after the number {before}")
LOWER = Sentence("card.lower", "{card} does not ascend after {before}")
LOWER_BEFORE = Sentence(
    "card.lower_before", "{card} is not higher than {before}, which comes before it"
)
NO_LAY = Sentence("turn.no_lay", "a lay starts with + (play) or - (discard)")
NO_DRAW = Sentence("turn.no_draw", "a turn ends with its draw: * (deck) or < and a colour (pile)")

# ---- why a turn is illegal ---------------------------------------------------------------------
ILLEGAL = Sentence("turn.illegal", "{turn}: {why}")
ROUND_OVER = Sentence("turn.round_over", "the round is over")
OTHER_LAY_MADE = Sentence("turn.other_lay_made", "{lay} has already been laid this turn")
NOT_HELD = Sentence("turn.not_held", "seat {seat} does not hold {card}")
WAGER_AFTER = Sentence("turn.wager_after", "{card} may not follow the number {before}")
NOT_HIGHER = Sentence("turn.not_higher", "{card} is not higher than {before}")
OWN_DISCARD = Sentence(
    "turn.own_discard", "the {colour} pile is closed this turn: you have just discarded on it"
)
PILE_EMPTY = Sentence("turn.pile_empty", "the {colour} pile is empty")
FACE_NAMED = Sentence("turn.face_named", "only a draw from the deck has a face to name")
DECK_EMPTY = Sentence("turn.deck_empty", "the deck is empty")
FACE_OTHER = Sentence("turn.face_other", "the card drawn is {card}, not {said}")
FACE_GONE = Sentence("turn.face_gone", "every {card} is elsewhere, it cannot be drawn")

# ---- positions ---------------------------------------------------------------------------------
FIELD_COUNT = Sentence(
    "position.field_count", "{n} fields separated by |, expected 7 (8 in mid-turn)"
)
NO_SEAT = Sentence("position.no_seat", "{found!r} is not 0 or 1")
NO_HIDDEN = Sentence(
    "position.no_hidden", "{found!r} is not ? and a number of hidden cards up to {most}"
)
EMPTY_FIELD = Sentence("position.empty_field", "empty (an empty field is written -)")
TOO_MANY = Sentence("position.too_many", "{n} cards, but the deck has {size}")
OFTEN_THERE = Sentence("position.often", "{card} appears more than {most} times in the position")
TWICE_THERE = Sentence("position.twice", "{card} appears twice in the position")
LAY_NOT_ON_PILE = Sentence(
    "position.lay_not_on_pile", "{lay} was laid, but {card} is not last on its pile"
)
LAY_NOT_ON_ROW = Sentence(
    "position.lay_not_on_row", "{lay} was laid, but {card} is not last on its row of seat {seat}"
)
OTHER_CARDS = Sentence("position.other_cards", "the deck does not hold the cards of these rules")
HIDDEN_HAND = Sentence("position.hidden_hand", "hidden, so its legal turns are not known")

# ---- rules and time rules ----------------------------------------------------------------------
NOT_ONE_OF = Sentence("rules.not_one_of", "{found!r} is not one of {due}")
NOT_YES = Sentence("rules.not_yes", "{found!r} is not yes or no")
HANDS_TOO_LARGE = Sentence(
    "rules.hands_too_large",
    "two hands of {hand} and one card for the deck need {need} cards, but these rules have {size}",
)
UNKNOWN_RULE = Sentence("rules.unknown", "unknown rule (one of {due})")
OUT_OF_RANGE = Sentence("rules.out_of_range", "{found!r} is not a number from {low} to {high}")
OUT_OF_ROUNDS = Sentence(
    "rules.out_of_rounds", "{found!r} is not a number from {low} to {high} or open"
)
NOT_FIRST = Sentence("rules.not_first", "{found!r} is not random, 0 or 1")
NO_KEY = Sentence("rules.no_key", "expected key=value (a preset's name comes first)")
GIVEN_TWICE = Sentence("rules.given_twice", "given twice")
UNKNOWN_PRESET = Sentence("rules.unknown_preset", "unknown preset (one of {due})")
OUT_OF_TIME = Sentence("pace.out_of_range", "{found} is not a number of {low} to {high}")
ONE_TIME = Sentence("pace.one_kind", "only one of turn, clock and days")
INCREMENT = Sentence("pace.increment", "an increment needs a clock")
NOT_TIMEOUT = Sentence("pace.not_timeout", "{found!r} is not forfeit or safe")
SAFE_NEEDS = Sentence("pace.safe_needs", "a safe turn needs a time for each turn (turn or days)")
DAYS_AWAY = Sentence("pace.days_away", "with days for a turn one may be away")
UNKNOWN_TIME = Sentence("pace.unknown", "unknown time rule (one of {due})")
TIMEOUT_NEEDS = Sentence("pace.timeout_needs", "needs one of turn, clock and days")
NO_NUMBER = Sentence("pace.no_number", "{found!r} is not a number")

# ---- records as text ---------------------------------------------------------------------------
NO_RECORD = Sentence("record.none", 'no record here: it begins with tags such as [Event "…"]')
NO_TAG = Sentence("record.no_tag", '{found!r} is not a tag [Name "value"]')
TAG_TWICE = Sentence("record.tag_twice", "[{tag}] stands twice")
NOT_TEXT = Sentence("record.not_text", "[{tag}] has a character that is not text: {sign!r}")
KNOWN_TAG = Sentence("record.known_tag", "{tag} is not among the unknown tags, it has a place")
BEFORE_ROUND = Sentence("record.before_round", "{found!r} stands before the first [Round]")
NO_ROUND_NUMBER = Sentence("record.no_round_number", "[Round] {found!r} is not a number from 1")
DECK_AND_HAND = Sentence(
    "record.deck_and_hand", "has both [Deck] and a hand; a hand stands instead of the deck"
)
NO_START = Sentence("record.no_start", "[Start] {found!r} is not 0 or 1")
NO_POINTS = Sentence("record.no_points", "[{tag}] {found!r} is not two numbers, seat 0 first")
NO_TERMINATION = Sentence("record.no_termination", "{found!r} is not a way in which a match ends")

# ---- records played through --------------------------------------------------------------------
OUT_OF_ORDER = Sentence("record.out_of_order", "out of order, round {due} is due")
UNFINISHED = Sentence("record.unfinished", "not finished, but another round follows")
ONLY_ROUNDS = Sentence("record.only_rounds", "the match has only {n} rounds")
START_MISSING = Sentence("record.start_missing", "[Start] is missing (first=random)")
OTHER_START = Sentence("record.other_start", "[Start] is {found}, but seat {due} starts by {rule}")
CARD_COUNT = Sentence("record.card_count", "{n} cards, expected {due}")
TAG_EARLY = Sentence("record.tag_early", "[{tag}] stands under a round that is not finished")
OTHER_SCORE = Sentence(
    "record.other_score", "[Score] says {said0} {said1}, the rows give {right0} {right1}"
)
OTHER_ROUND_END = Sentence(
    "record.other_round_end", "[Termination] {found!r} is not how the round ended"
)
OTHER_RESULT = Sentence(
    "record.other_result", "says {said0} {said1}, the finished rounds give {right0} {right1}"
)
END_MISSING = Sentence("record.end_missing", "missing, though the match did not reach its end")
END_REACHED = Sentence("record.end_reached", "{found}, though the match reached its end")
DECLINED_EARLY = Sentence("record.declined_early", "declined, though no round has just finished")
FROM_POSITION = Sentence(
    "record.from_position", "began from a position, which a record cannot hold"
)

# ---- records as JSON ---------------------------------------------------------------------------
KIND_NO_OBJECT = Sentence("json.kind_no_object", "{found} is not an object")
NO_OBJECT = Sentence("json.no_object", "{found!r} is not an object")
NO_LIST = Sentence("json.no_list", "{found!r} is not a list")
NO_TEXT = Sentence("json.no_text", "{found!r} is not text")
NAME_COUNT = Sentence("json.name_count", "{n} names, expected two")
NO_PAIR = Sentence("json.no_pair", "{found!r} is not two whole numbers")
NO_TAG_NAME = Sentence("json.no_tag_name", "{found!r} is not a tag's name")
TAG_EMPTY = Sentence("json.tag_empty", "{tag} has no text")
BOTH_DECK_AND_HAND = Sentence(
    "json.deck_and_hand", "has both a deck and a hand; a hand stands instead of the deck"
)
NO_WHOLE = Sentence("json.no_whole", "{found!r} is not a whole number")
NO_START_SEAT = Sentence("json.no_start", "start {found!r} is not 0 or 1")
ENTRY_COUNT = Sentence("json.entry_count", "{n} entries, expected one a seat")
