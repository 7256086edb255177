"""Agents for the pool's tests; at the top of a module, since other processes import them."""

import os
import signal
import time

from lostcities.core.turn import Turn
from lostcities.core.views import View


def think(name: str, view: View) -> Turn:
    """Does what its name says, then plays the last legal turn."""
    if name == "dies":
        os._exit(3)
    if name == "sleeps":
        time.sleep(600)
    if name == "dies once":
        marker = os.environ["DIES_ONCE"]
        if not os.path.exists(marker):  # noqa: PTH110
            open(marker, "w").close()  # noqa: PTH123
            os._exit(3)
    if name == "fails":
        raise LookupError("out of ideas")
    if name == "is polite":
        assert os.nice(0) == 19
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    return view.legal[-1]
