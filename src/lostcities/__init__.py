"""Lost Cities: the rules, positions, records and views of the two-player card game.

>>> import lostcities as lc
>>> state = lc.parse_position("0 | G2 R5 | B3 Y4 | - | - | R3 | W4 W5")
>>> print(*state.legal_turns())
+G2* +G2<R -G2* -G2<R +R5* +R5<R -R5*

What stands here is the public library: values of the pure core, which need the standard library
only. Each name is loaded when it is first used, so that importing the package costs nearly nothing.
"""

TYPE_CHECKING = (
    False  # what type checkers take for true; typing's own would cost more than the rest
)
if TYPE_CHECKING:
    from lostcities.core.cards import (
        WAGER,
        Card,
        Colour,
        format_cards,
        parse_card,
        parse_cards,
        sort_cards,
    )
    from lostcities.core.errors import (
        HiddenCardsError,
        LostCitiesError,
        NotationError,
        RecordError,
        RulesError,
    )
    from lostcities.core.events import Event, RoundDealt, TurnPlayed
    from lostcities.core.match import (
        MatchState,
        Phase,
        Termination,
        decide_continue,
        decide_deal,
        decide_resign,
        decide_turn,
        evolve,
        fold,
        new_match,
    )
    from lostcities.core.perft import divide, perft
    from lostcities.core.position import format_position, parse_position
    from lostcities.core.record import Record, Replay, RoundRecord, record_of, replay
    from lostcities.core.record_json import record_from_dict, record_to_dict
    from lostcities.core.record_text import format_record, parse_record
    from lostcities.core.refusal import IllegalTurnError, Reason, Refusal
    from lostcities.core.round import RoundState, deal
    from lostcities.core.rules import PRESETS, Rules
    from lostcities.core.scoring import ExpeditionScore, score_expedition, score_round, score_seat
    from lostcities.core.seats import BySeat
    from lostcities.core.sheet import parse_sheet
    from lostcities.core.shuffle import DeckSource, SystemEntropy, shuffled
    from lostcities.core.turn import Lay, Turn, parse_turn
    from lostcities.core.view_json import view_from_dict, view_to_dict
    from lostcities.core.views import View, view_for, view_of_round

    __version__: str

__all__ = [
    "PRESETS",
    "WAGER",
    "BySeat",
    "Card",
    "Colour",
    "DeckSource",
    "Event",
    "ExpeditionScore",
    "HiddenCardsError",
    "IllegalTurnError",
    "Lay",
    "LostCitiesError",
    "MatchState",
    "NotationError",
    "Phase",
    "Reason",
    "Record",
    "RecordError",
    "Refusal",
    "Replay",
    "RoundDealt",
    "RoundRecord",
    "RoundState",
    "Rules",
    "RulesError",
    "SystemEntropy",
    "Termination",
    "Turn",
    "TurnPlayed",
    "View",
    "__version__",
    "deal",
    "decide_continue",
    "decide_deal",
    "decide_resign",
    "decide_turn",
    "divide",
    "evolve",
    "fold",
    "format_cards",
    "format_position",
    "format_record",
    "new_match",
    "parse_card",
    "parse_cards",
    "parse_position",
    "parse_record",
    "parse_sheet",
    "parse_turn",
    "perft",
    "record_from_dict",
    "record_of",
    "record_to_dict",
    "replay",
    "score_expedition",
    "score_round",
    "score_seat",
    "shuffled",
    "sort_cards",
    "view_for",
    "view_from_dict",
    "view_of_round",
    "view_to_dict",
]

_HOMES = {
    "cards": "WAGER Card Colour format_cards parse_card parse_cards sort_cards",
    "errors": "HiddenCardsError LostCitiesError NotationError RecordError RulesError",
    "events": "Event RoundDealt TurnPlayed",
    "match": "MatchState Phase Termination decide_continue decide_deal decide_resign decide_turn evolve fold new_match",
    "perft": "divide perft",
    "position": "format_position parse_position",
    "record": "Record Replay RoundRecord record_of replay",
    "record_json": "record_from_dict record_to_dict",
    "record_text": "format_record parse_record",
    "refusal": "IllegalTurnError Reason Refusal",
    "round": "RoundState deal",
    "rules": "PRESETS Rules",
    "scoring": "ExpeditionScore score_expedition score_round score_seat",
    "seats": "BySeat",
    "sheet": "parse_sheet",
    "shuffle": "DeckSource SystemEntropy shuffled",
    "turn": "Lay Turn parse_turn",
    "view_json": "view_from_dict view_to_dict",
    "views": "View view_for view_of_round",
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names.split()}


def __getattr__(name: str) -> object:
    """Load a public name from its home in the core and keep it."""
    if name == "__version__":
        value: object = _version()
    elif name in _HOME_OF:
        from importlib import import_module

        value = getattr(import_module(f"lostcities.core.{_HOME_OF[name]}"), name)
    else:
        raise AttributeError(f"module 'lostcities' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """The public names, loaded or not."""
    return sorted({*globals(), *__all__})


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("lostcities")
    except PackageNotFoundError:
        return "0+unknown"  # run from its source without being installed
