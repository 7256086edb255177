"""Every sentence that the readers of decks and sheets complain with; see
:mod:`lostcities.core.sentences`.
"""

from __future__ import annotations

from lostcities.core.said import Sentence

# ---- deck files --------------------------------------------------------------------------------
COLOUR = Sentence("place.colour", "colour {n}")
COLOUR_NAMED = Sentence("place.colour_named", "colour {n} ({name})")
BOTH = Sentence("deck.both", "{one}; {two}")
"""A complaint, then the others."""
NO_DECK = Sentence("deck.none", "no such deck (one of {due}, or a file NAME.toml)")
LARGE = Sentence("deck.large", "larger than 64 KiB, that is no deck file")
NOT_UTF8 = Sentence("deck.not_utf8", "not UTF-8")
NOT_TOML = Sentence("deck.not_toml", "not TOML: {why}")
DEEP = Sentence("deck.deep", "parts within parts, deeper than can be read")
NO_COLOURS = Sentence("deck.no_colours", "missing: a deck has a [[colours]] part for each colour")
NO_WAGER_PART = Sentence("deck.no_wager_part", "is not a part [wager]")
LONG = Sentence("deck.long", "{n} letters, at most {most}")
NAME_FORM = Sentence("deck.name_form", "{found!r} is not lower-case letters, digits and hyphens")
NAME_TAKEN = Sentence("deck.name_taken", "{found!r} is that of a deck that comes with this program")
FEW_COLOURS = Sentence("deck.few_colours", "colours={n}: a deck has five colours or six")
COLOUR_COUNT = Sentence("deck.colour_count", "{n} of them, but its rules have {due}")
NO_SYMBOL = Sentence("deck.no_symbol", "{found!r} is not one of {due}")
NUMBER_COUNT = Sentence("deck.number_count", "{n} indices, but the 2 to {top} need {due}")
WAGER_COUNT = Sentence("deck.wager_count", "{n} indices, but the wagers need {due}")
UNKNOWN_KEY = Sentence("deck.unknown_key", "unknown (one of {due})")
NO_LINE = Sentence("deck.no_line", "{found!r} is not a line of text")
MISSING = Sentence("deck.missing", "missing")
NO_WORDS = Sentence("deck.no_words", "is not a list of words")
NO_PAINT = Sentence("deck.no_paint", "{found!r} is not a colour #RRGGBB")
NO_RANGE = Sentence("deck.no_range", "{found!r} is not an index or a range such as 2-10")
BACKWARDS = Sentence("deck.backwards", "the range {found} runs backwards")
NO_INDEX = Sentence("deck.no_index", "{found!r} is not an index: at most 6 letters or digits")
COLOUR_TWICE = Sentence("deck.colour_twice", "the name {found} of a colour stands {n} times")
WAGER_TWICE = Sentence("deck.wager_twice", "the name {found} of a wager stands {n} times")
FILL_TWICE = Sentence("deck.fill_twice", "the fill {found} stands {n} times")
LETTER_TWICE = Sentence("deck.letter_twice", "the letter {found} stands {n} times")
INDEX_TWICE = Sentence("deck.index_twice", "the index {found} stands {n} times")
NAME_LETTERS = Sentence(
    "deck.name_letters", "name {found!r}: only letters, so that a number can follow it"
)
WAGER_FORM = Sentence("deck.wager_form", "wager: {found!r}: a word or sign without digits")
NAME_IS_LETTER = Sentence(
    "deck.name_is_letter",
    "the name {found} of a colour is the letter of another colour than {letter}",
)
NAME_IS_WAGER = Sentence(
    "deck.name_is_wager", "the name {found} of a colour is also a word for a wager"
)
NAME_SPACE = Sentence(
    "deck.name_space", "the name {found} of a colour has a space, so that it cannot be typed"
)
ALIKE = Sentence("deck.alike", "the fills {one} and {two} cannot be told apart")
LETTER_LACKS = Sentence(
    "deck.letter_lacks",
    "letter {letters}: no colour has it, and a deck of {n} colours needs {due}",
)
LETTERS_LACK = Sentence(
    "deck.letters_lack",
    "letters {letters}: no colour has them, and a deck of {n} colours needs {due}",
)
SOME_INDICES = Sentence("deck.some_indices", "{names}: no indices, though other colours have them")
INDEX_IS_NAME = Sentence("deck.index_is_name", "the index {found} is also a name")
INDEX_IS_CODE = Sentence(
    "deck.index_is_code", "the index {found} is the code of another card than {card}"
)
OTHER_CARDS = Sentence(
    "deck.other_cards",
    "it has {n} cards in {colours} colours, these rules need {due} in {due_colours}",
)

# ---- links that hold a sheet -------------------------------------------------------------------
LINK = Sentence("place.link", "link")
CARDS = Sentence("place.cards", "deck")
NO_SHEET = Sentence("sheet.none", "it holds no sheet")
VERSION = Sentence("sheet.version", "its version is {found}, this program reads {due}")
DAMAGED = Sentence("sheet.damaged", "it is damaged or cut short")
UNREADABLE = Sentence("sheet.unreadable", "it holds no sheet that can be read")
NO_FIRST = Sentence("sheet.no_first", "the first start is 0, 1 or null")
TWO_NAMES = Sentence("sheet.two_names", "there are two names")
NO_RULES = Sentence("sheet.no_rules", "the rules are missing")
ROUNDS = Sentence("sheet.rounds", "there are 1 to {most} rounds")
TWO_SIDES = Sentence("sheet.two_sides", "there are two sides")
NO_ROW = Sentence("sheet.no_row", "{found!r} is no row of cards")
EACH_INDICES = Sentence("sheet.each_indices", "there are indices for each round")
NOT_LYING = Sentence("sheet.not_lying", "{found!r} is none of the wagers that lie there")
EACH_START = Sentence(
    "sheet.each_start", "there is a start for each round after the first, which has null"
)
NO_STARTER = Sentence("sheet.no_starter", "who started it is 0, 1 or null")
NOT_SHIPPED = Sentence("sheet.not_shipped", "{found!r} is not one of the decks that come along")
DECK_MISSING = Sentence("sheet.deck_missing", "it is missing")

# ---- what cannot lie there ---------------------------------------------------------------------
WAGER_SHARED = Sentence("sheet.wager_shared", "the wager with index {index} lies on both sides")
BOTH_SIDES = Sentence("sheet.both_sides", "{card} lies on both sides")
LIES_TWICE = Sentence("sheet.twice", "{card} lies there twice")
ONLY = Sentence("sheet.only", "there are only {n} {card}")
MOST_LIE = Sentence(
    "sheet.most_lie", "{n} cards, but at most {most} can lie there: {size} less two hands of {hand}"
)
ALL_ONE_SIDE = Sentence(
    "sheet.all_one_side",
    "{n} cards on one side, but at least one that the other side laid is not there",
)
