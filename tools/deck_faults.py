"""Deck files that cannot serve: an edit of a shipped deck's file, and the reason that must be given.

The package's tests and the page's tests read the same table, so that a file which the command
refuses is refused by the page as well, and for the same things.
"""

from importlib import resources

BASE = "mtttgc3"
"""The shipped deck whose file is edited."""

_BLUE = """letter = "B"
name = "blue"
fill = "#0D47CF"
ink = "#FFFFFF"
symbol = "wave"
numbers = "17-25"
"""
_FILLS = f"""#0D47CF{_BLUE.partition("#0D47CF")[2]}wagers = "76-78"

[[colours]]
letter = "G"
name = "green"
fill = "#3FA093"
"""
_MANY = """letter = "P"
name = "red"
fill = "#3FA093"
ink = "white"
symbol = "pizza"
numbers = "10-17"
sort = 1
"""

FAULTS: dict[str, tuple[str, str, str]] = {
    "an index twice": ('"17-25"', '"10-18"', "the index 10 stands 2 times"),
    "too few numbers": ('"17-25"', '"17-24"', "colour 2 (blue): numbers: 8 indices, but the 2 to 10"),
    "too many wagers": ('"76-78"', '"76-79"', "colour 2 (blue): wagers: 4 indices"),
    "no number at all": ('numbers = "17-25"\n', "", "colour 2 (blue): numbers: 0 indices"),
    "a colour twice": ('letter = "B"', 'letter = "R"', "the letter R stands 2 times"),
    "a colour that the rules lack": ('letter = "B"', 'letter = "P"', "letter B: no colour has it"),
    "no such letter": ('letter = "B"', 'letter = "Q"', "colour 2 (blue): letter: 'Q': not a colour"),
    "no letter": ('letter = "B"\n', "", "colour 2 (blue): letter: missing"),
    "a name twice": ('name = "blue"', 'name = "red"', "the name red of a colour stands 2 times"),
    "no name of a colour": ('name = "blue"\n', "", "colour 2: name: missing"),
    "a name that is no text": ('name = "blue"', "name = 7", "colour 2: name: 7 is not a line"),
    "a name with a digit": ('name = "blue"', 'name = "blue2"', "only letters"),
    "a name that is another colour's letter": (
        'name = "blue"', 'name = "r"', "the name r of a colour is the letter of another colour than B",
    ),
    "another name that is another colour's letter": (
        'name = "blue"', 'name = "blue"\nother_names = ["Y"]', "the name y of a colour is the letter of",
    ),
    "a name twice, in letters put together otherwise": (
        'name = "blue"', 'name = "blåu"\nother_names = ["bla\\u030au"]', "the name blåu of a colour stands 2 times",
    ),
    "a name twice, with a ligature": (
        'name = "blue"', 'name = "ﬁg"\nother_names = ["FIG"]', "the name fig of a colour stands 2 times",
    ),
    "a name twice, in large letters": (
        'name = "blue"', 'name = "größe"\nother_names = ["GRÖSSE"]', "the name grösse of a colour stands 2 times",
    ),
    "a name that is a wager's": (
        'name = "blue"', 'name = "handshake"', "the name handshake of a colour is also a word for a wager",
    ),
    "a name with a space": ('name = "blue"', 'name = "sky blue"', "the name sky blue of a colour has a space"),
    "a fill twice": ('"#0D47CF"', '"#3FA093"', "the fill #3FA093 stands 2 times"),
    "a fill twice in white": (
        _FILLS, _FILLS.replace("0D47CF", "ffffff").replace("3FA093", "FFFFFF"), "the fill #FFFFFF stands",
    ),
    "a fill twice in small letters": ('"#0D47CF"', '"#3fa093"', "the fill #3FA093 stands 2 times"),
    "fills that nobody can tell apart": (
        '"#0D47CF"', '"#40A194"', "the fills #40A194 and #3FA093 cannot be told apart",
    ),
    "a fill that is none": ('"#0D47CF"', '"blue"', "colour 2 (blue): fill: 'blue' is not a colour"),
    "a symbol that nobody draws": (
        'symbol = "wave"', 'symbol = "pizza"', "symbol: 'pizza' is not one of crescent, flame, leaf",
    ),
    "the name of a shipped deck": ('name = "attic"', 'name = "five"', "name: 'five' is that of a deck"),
    "another name of a shipped deck": ('name = "attic"', 'name = "blog"', "name: 'blog' is that of"),
    "many things at once": (_BLUE, _MANY, "the index 10 stands 2 times"),
    "a letter that is none, and more": (_BLUE, _MANY.replace('"P"', '"Q"'), "the name red of a"),
    "a title that turns text": ('title = "', 'title = "\\u202e', "is not a line of text"),
    "a title with what cannot be seen": ('title = "', 'title = "A\\u200b', "title: 'A\\u200b"),
    "a word that cannot be seen": ('["travel"]', '["tra\\u200bvel"]', "is not a list of words"),
    "a title that fills the page": ('title = "', f'title = "{"ä😀" * 31}', "letters, at most 60"),
    "numbers for a title": ('title = "', 'title = [1] # "', "title: [1] is not a line of text"),
    "a key that no deck has": ('title = ', 'titel = ', "titel: unknown (one of"),
    "a key that no colour has": ('fill = "#0D47CF"', 'full = "#0D47CF"', "colour 2: full: unknown"),
    "rules of another size": ('"travel"\ntake', '"long"\ntake', "5 of them, but its rules have 6"),
    "rules of four colours": ('"travel"\ntake', '"colours=4"\ntake', "rules: colours=4: a deck has five colours or six"),
    "a colour that lacks": (
        f'{_BLUE}wagers = "76-78"\n\n[[colours]]\n', "", "letter B: no colour has it, and a deck of 5 colours",
    ),
    "rules that are none": ('"travel"\ntake', '"chess"\ntake', "rules: 'chess': unknown preset"),
    "rules out of range": ('"travel"\ntake', '"hand=99"\ntake', "rules: hand: 99 is not a number"),
    "a name of a bad form": ('name = "attic"', 'name = "M 3"', "not lower-case letters"),
    "no name": ('name = "attic"\n', "", "name: missing"),
    "backwards": ('"17-25"', '"25-17"', "the range 25-17 runs backwards"),
    "not an index": ('"17-25"', "[1.5]", "1.5 is not an index"),
    "no whole number": ('"17-25"', '[17.0, "18-25"]', "17.0 is not an index"),
    "yes is no index": ('"17-25"', '[true, "18-25"]', "True is not an index"),
    "below zero": ('"17-25"', '[-1, "18-25"]', "-1 is not an index"),
    "an index too long": ('"17-25"', '["seventeen", "18-25"]', "'seventeen' is not an index"),
    "the code of another card": ('"17-25"', '["R3", "18-25"]', "is the code of another card than B2"),
    "an index that is a name": ('"17-25"', '["blue", "18-25"]', "the index BLUE is also a name"),
    "indices in some colours only": (
        'numbers = "17-25"\nwagers = "76-78"\n', "", "blue: no indices, though other colours have",
    ),
    "a wager's sign twice": ('"handshake", "w"]', '"w", "w"]', "the name w of a wager stands 2 times"),
    "a wager's sign with a digit": ('"handshake", "w"]', '"w2"]', "a word or sign without digits"),
    "a name of a colour too long": ('name = "blue"', f'name = "{"b" * 41}"', "name: 41 letters, at most 40"),
    "a word for a wager too long": (
        '"handshake", "w"]', f'"{"w" * 41}"]', "wager: other_names: 41 letters, at most 40",
    ),
    "a wager's name too long": (
        'name = "investment"', f'name = "{"i" * 41}"', "wager: name: 41 letters, at most 40",
    ),
    "no part of wagers": ('[wager]\nname', 'wager = 3\n[extra]\nname', "wager: is not a part [wager]"),
    "names that are no list": ('other_names = ["travel"]', "other_names = 3", "is not a list of words"),
    "not TOML": ('name = "blue"', "name = blue", "not TOML:"),
}  # fmt: skip
"""What is wrong: the text of the file, what stands there instead, and words of the reason."""


def base_text() -> str:
    """The file that is edited."""
    folder = resources.files("lostcities.table") / "decks"
    text = (folder / f"{BASE}.toml").read_text("utf-8")
    return text.replace(f'name = "{BASE}"', 'name = "attic"', 1)


def edited(what: str) -> str:
    """The file with one fault."""
    old, new, _ = FAULTS[what]
    text = base_text()
    assert old in text, what
    return text.replace(old, new, 1)
