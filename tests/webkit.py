"""People in WebKit, the engine of Safari: Debian's WebKitGTK, driven by the WebDriver standard.

Each person has a driver and a browser of their own; the display is a virtual one, since this browser
has no mode without. What only a real phone shows (its address bar, its way of freezing pages) is not
tried here.
"""

import os
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from selenium.webdriver.remote.webdriver import WebDriver

PATIENCE = 30.0
_PLACE = """
const found = document.querySelectorAll(arguments[0])[arguments[1]];
if (!found) return null;
found.scrollIntoView({ block: 'nearest' });
const box = found.getBoundingClientRect();
return [Math.round(box.x + box.width / 2), Math.round(box.y + box.height / 2)];
"""


@contextmanager
def display() -> Iterator[str]:
    """A virtual display; its name is what the variable DISPLAY takes."""
    reading, writing = os.pipe()
    command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1400x1000x24"]
    with subprocess.Popen(
        [*command, "-nolisten", "tcp"], pass_fds=[writing], stderr=subprocess.DEVNULL
    ) as server:
        os.close(writing)
        with os.fdopen(reading) as told:
            number = told.readline().strip()
        try:
            yield f":{number}"
        finally:
            server.terminate()


class WebKitPerson:
    """Somebody with a WebKit of their own."""

    def __init__(self, url: str, screen: str, log: Path) -> None:
        from selenium import webdriver
        from selenium.webdriver.webkitgtk.options import Options
        from selenium.webdriver.webkitgtk.service import Service

        options = Options()
        options.binary_location = str(_mini_browser())
        options.add_argument("--automation")
        service = Service(
            "/usr/bin/WebKitWebDriver", log_output=str(log), env=_surroundings(screen)
        )
        self.driver: WebDriver = webdriver.WebKitGTK(options=options, service=service)
        self.url = url
        self._rect: dict[str, int] = {}

    def close(self) -> None:
        self.driver.quit()

    def put_away(self) -> None:
        """Minimize the window: its page is hidden and slowed, as on a phone that shows another app."""
        self._rect = self.driver.get_window_rect()
        self.driver.minimize_window()
        self.wait("that it is hidden", lambda: self.run("return document.hidden"))

    def bring_back(self) -> None:
        """Show the window again."""
        self.driver.set_window_rect(**self._rect)
        self.wait("that it is shown", lambda: self.run("return !document.hidden"))

    # ---- looking --------------------------------------------------------------------------------

    def go(self, path: str) -> None:
        self.driver.get(self.url + path)

    def count(self, selector: str) -> int:
        return int(self.run("return document.querySelectorAll(arguments[0]).length", selector))

    def text(self, selector: str) -> str:
        script = "return document.querySelector(arguments[0])?.innerText ?? ''"
        return str(self.run(script, selector))

    def run(self, script: str, *values: object) -> Any:
        """What a script on the page returns."""
        return self.driver.execute_script(script, *values)

    def is_to_move(self) -> bool:
        return bool(self.run("return document.title.startsWith('Your turn')"))

    def wait(self, what: str, fulfilled: Callable[[], object]) -> None:
        """Until it is fulfilled; `what` names it in the failure."""
        end = time.monotonic() + PATIENCE
        while not fulfilled():
            assert time.monotonic() < end, f"never saw {what}"
            time.sleep(0.05)

    def wait_for(self, selector: str) -> None:
        self.wait(selector, lambda: self.count(selector))

    def middle(self, selector: str, index: int = 0) -> tuple[int, int]:
        place = self.run(_PLACE, selector, index)
        assert place is not None, f"{selector} is not on the page"
        return place[0], place[1]

    # ---- the hand -------------------------------------------------------------------------------

    def tap(self, selector: str, index: int = 0) -> None:
        self.tap_at(self.middle(selector, index))

    def tap_at(self, place: tuple[int, int]) -> None:
        self._press(place, [])

    def drag(self, start: tuple[int, int], end: tuple[int, int]) -> None:
        """Press, move in four steps, let go."""
        steps = [
            (start[0] + (end[0] - start[0]) * i // 4, start[1] + (end[1] - start[1]) * i // 4)
            for i in range(1, 5)
        ]
        self._press(start, steps)

    def _press(self, start: tuple[int, int], steps: list[tuple[int, int]]) -> None:
        from selenium.webdriver.common.actions.action_builder import ActionBuilder

        # This driver knows the mouse only; the page takes both through the same pointer events.
        actions = ActionBuilder(self.driver, duration=20)
        pointer: Any = actions.pointer_action
        pointer.move_to_location(*start)
        pointer.pointer_down()
        for step in steps:
            pointer.move_to_location(*step)
        pointer.pointer_up()
        actions.perform()


def _mini_browser() -> Path:
    return next(Path("/usr/lib").glob("*/webkit2gtk-4.*/MiniBrowser"))


def _surroundings(screen: str) -> dict[str, str]:
    """No graphics card, no sandbox (it needs rights that containers lack), a display."""
    return {
        **os.environ,
        "DISPLAY": screen,
        "GDK_BACKEND": "x11",
        "LIBGL_ALWAYS_SOFTWARE": "1",
        "NO_AT_BRIDGE": "1",
        "WEBKIT_DISABLE_COMPOSITING_MODE": "1",
        "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1",
    }
