"""Every sentence that the room refuses a wish with where its reason alone does not tell it all; see
:mod:`lostcities.core.sentences`.
"""

from __future__ import annotations

from lostcities.core.said import Sentence

# ---- terms of a table --------------------------------------------------------------------------
ONE_DEVICE = Sentence(
    "terms.one_device",
    "a table on one device is for two people here: name the second, and do not list it",
)
LISTED = Sentence("terms.listed", "only a table with a free seat can be listed")
TAKEBACKS = Sentence(
    "terms.takebacks",
    "a program answers at once, and an answered turn cannot be taken back",
)
SECOND = Sentence("terms.second", "a second name is for a table on one device")

# ---- lessons and hints -------------------------------------------------------------------------
ONE_BEGINNING = Sentence(
    "lesson.one_beginning", "a lesson begins from one of a position, a deck and a record"
)
OVER = Sentence("lesson.over", "nothing is left to play there: the round is over")
NO_ROUND = Sentence("lesson.no_round", "the record has no round {n}")
DECK_UNKNOWN = Sentence("lesson.deck_unknown", "round {n}: its deck is not known")
NO_PLY = Sentence("lesson.no_ply", "round {n} has {turns} turns, not {ply}")
MID_TURN = Sentence("lesson.mid_turn", "a lesson begins between turns, without a lay already made")
NO_CARD = Sentence("lesson.no_card", "seat {seat} holds no card")
WHERE_HINTS = Sentence("hint.where", "hints are given against programs and in practice")
NOBODY_TO_ASK = Sentence("hint.nobody", "there is no program to ask")
NO_ADVICE = Sentence("hint.no_advice", "the program could not answer")

# ---- history and lists -------------------------------------------------------------------------
BAD_JSON = Sentence("record.bad_json", "{why}")
TOO_DEEP = Sentence("record.too_deep", "a number or a nesting is too long")
NO_PAGE = Sentence("list.no_page", "{found!r} is not where a page goes on")
NO_RESULT = Sentence("list.no_result", "{found!r} is none of {due}")
NO_OPPONENT = Sentence("list.no_opponent", "{found!r} is not person:NAME or agent:NAME")
NO_LIMIT = Sentence("list.no_limit", "a page has 1 to {most} entries, not {found!r}")

# ---- where notices may be pushed to ------------------------------------------------------------
NO_ENDPOINT = Sentence("push.no_endpoint", "this is no address of a push service")
NOT_HTTPS = Sentence("push.not_https", "the address of a push service begins with https://")
USER_OR_PART = Sentence(
    "push.user_or_part",
    "the address of a push service names no user and no part of a page",
)
OTHER_PORT = Sentence("push.other_port", "a push service is asked on port {port} only")
NO_DOT = Sentence("push.no_dot", "a push service has a name with a dot")
PRIVATE = Sentence("push.private", "this address is of a private network")
NOWHERE = Sentence("push.nowhere", "the name {host} leads nowhere: {why}")
PRIVATE_NAME = Sentence("push.private_name", "{host} is in a private network")
UNREACHED = Sentence("push.unreached", "{host} cannot be reached")
NO_KEYS = Sentence("push.no_keys", "these are no keys of a browser that takes notices")

# ---- bodies of requests ------------------------------------------------------------------------
NO_JSON = Sentence("body.no_json", "the body is not readable as JSON: {why}")
LACKS = Sentence("body.lacks", "the body lacks the field '{field}'")
UNKNOWN_FIELD = Sentence("body.unknown_field", "the body contains unknown field '{field}'")
OTHER_KIND = Sentence("body.other_kind", "expected '{due}', got '{found}'")
LONGER = Sentence("body.longer", "expected '{kind}' of length <= {most}")
SHORTER = Sentence("body.shorter", "expected '{kind}' of length >= {least}")
MORE = Sentence("body.more", "expected '{kind}' <= {most}")
LESS = Sentence("body.less", "expected '{kind}' >= {least}")
NO_CHOICE = Sentence("body.no_choice", "invalid enum value '{found}'")
