"""From a finger to the paint: how long the page takes to show a lay, on a processor four times slower.

    PYTHONPATH=tests python benchmarks/paint.py [--times 40] [--slower 4]

The built page in the installed Chromium, before a room that costs nothing (the one of the tests), on a
phone's screen with motion on. A card is picked, laid on its row and taken back again, by mouse and by
keys, and turns are sent by drawing. Beside it in the same browser and in turns with it: a page with one
button that writes into itself. A time is that of the browser's own Event Timing, from the input to the
next paint after it was handled (in steps of 8 ms), the longest event of an interaction counting.

Those are times by the clock, and on a machine that others use they say little. Therefore a second table:
how much processor time the page's main thread takes from the input to the end of the frame that shows it,
at full speed, out of a trace; times four that is what the slower processor would take.
"""

import argparse
import json
import statistics
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any

from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

import needs
from fake_room import FIVE_FULL, MIDDLE, FakeRoom
from on_page import ready

BUTTON = """<!doctype html><title>One button</title><button>0</button>
<script>const button = document.querySelector('button');
document.onkeydown = button.onclick = () => { button.textContent = +button.textContent + 1; };
</script>"""
WATCH = """() => {
  window.seen = [];
  new PerformanceObserver((list) => window.seen.push(...list.getEntries())).observe(
    { type: 'event', durationThreshold: 16, buffered: false });
}"""
# What takes less than two frames is not reported: it counts as the least that would have been.
TAKE = """() => new Promise((resolve) => setTimeout(() => {
  const all = window.seen.splice(0).filter((entry) => entry.interactionId > 0);
  resolve(Math.max(8, ...all.map((entry) => entry.duration)));
}, 60))"""
"""The longest event since the last look, in milliseconds; its report comes after the paint."""

Times = dict[str, list[float]]


def slowed(page: Page, factor: float) -> CDPSession:
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": factor})
    return session


def opened(browser: Browser, factor: float, position: str) -> Page:
    page = browser.new_page(viewport={"width": 390, "height": 844})
    FakeRoom(page, position).open()
    ready(page)
    slowed(page, factor)
    page.evaluate(WATCH)
    return page


def button(browser: Browser, factor: float) -> Page:
    page = browser.new_page(viewport={"width": 390, "height": 844})
    page.set_content(BUTTON)
    slowed(page, factor)
    page.evaluate(WATCH)
    return page


def timed(page: Page, times: Times, what: str, act: Callable[[], Any]) -> None:
    page.evaluate(TAKE)
    act()
    times.setdefault(what, []).append(page.evaluate(TAKE))


def by_mouse(page: Page, times: Times, slot: int, name: str) -> None:
    card = page.locator(f".hand [data-slot='{slot}']")
    timed(page, times, f"{name}: pick, mouse", lambda: card.click(force=True))
    place = page.locator(".zone.play").bounding_box()
    assert place is not None
    x, y = place["x"] + place["width"] / 2, place["y"] + place["height"] / 2
    timed(page, times, f"{name}: lay, mouse", lambda: page.mouse.click(x, y))
    assert page.locator(".place.staged").count() == 1
    page.wait_for_timeout(300)
    timed(page, times, f"{name}: take back", lambda: page.keyboard.press("Escape"))


def by_keys(page: Page, times: Times, slot: int, name: str) -> None:
    timed(page, times, f"{name}: pick, key", lambda: page.keyboard.press(str(slot + 1)))
    timed(page, times, f"{name}: lay, key", lambda: page.keyboard.press("p"))
    assert page.locator(".place.staged").count() == 1
    page.wait_for_timeout(300)
    page.keyboard.press("Escape")


def turn(browser: Browser, factor: float, times: Times) -> None:
    """A turn is sent once; each needs a table of its own."""
    page = opened(browser, factor, MIDDLE)
    page.keyboard.press("8")
    page.keyboard.press("p")
    page.wait_for_timeout(400)
    timed(page, times, "table: draw and send", lambda: page.keyboard.press("0"))
    page.close()


def measured(browser: Browser, count: int, factor: float) -> Times:
    times: Times = {}
    plain = button(browser, factor)
    tables = {
        "table": (opened(browser, factor, MIDDLE), 7),
        "full table": (opened(browser, factor, FIVE_FULL), 0),
    }
    for number in range(count):
        plain.bring_to_front()
        timed(plain, times, "button, mouse", lambda: plain.click("button", force=True))
        timed(plain, times, "button, key", lambda: plain.keyboard.press("a"))
        for name, (page, slot) in tables.items():
            page.bring_to_front()
            by_mouse(page, times, slot, name)
            by_keys(page, times, slot, name)
        if number % 8 == 0:
            turn(browser, factor, times)
    return times


TRACED = ["devtools.timeline", "toplevel"]
KEYS = {"pick": "8", "lay": "p", "take back": "Escape"}


def traced(browser: Browser, count: int) -> Times:
    """Milliseconds of processor that a key costs the main thread until it is painted."""
    times: Times = {}
    for name, page, keys in (
        ("table", opened(browser, 1, MIDDLE), KEYS),
        ("button", button(browser, 1), {"key": "a"}),
    ):
        browser.start_tracing(page=page, categories=TRACED)
        for _ in range(count):
            for key in keys.values():
                page.keyboard.press(key)
                page.wait_for_timeout(350)
        costs = list(costs_of(json.loads(browser.stop_tracing())["traceEvents"]))
        for index, what in enumerate(keys):
            # The first of each kind still compiles the page's script.
            times[f"{name}: {what}"] = costs[index + len(keys) :: len(keys)]
    return times


def costs_of(events: list[dict[str, Any]]) -> Iterator[float]:
    """For each key pressed, the processor time of its thread until it has painted."""
    threads: dict[Any, list[dict[str, Any]]] = defaultdict(list)
    for event in sorted(events, key=lambda event: (event["ts"], -event.get("dur", 0))):
        if event["ph"] == "X" and "tdur" in event:
            threads[event["pid"], event["tid"]].append(event)
    for thread in threads.values():
        tasks = outermost(thread)
        for event in thread:
            if event["name"] != "EventDispatch" or event["args"]["data"]["type"] != "keydown":
                continue
            paint = next(
                (e for e in thread if e["name"] == "Paint" and e["ts"] > event["ts"]), None
            )
            if paint is not None:
                within = [t for t in tasks if ends(t) >= event["ts"] and t["ts"] <= paint["ts"]]
                yield sum(task["tdur"] for task in within) / 1000


def ends(event: dict[str, Any]) -> float:
    return float(event["ts"] + event["dur"])


def outermost(thread: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The tasks that lie in no other."""
    found: list[dict[str, Any]] = []
    for event in thread:
        if "RunTask" in event["name"] and (not found or event["ts"] >= ends(found[-1])):
            found.append(event)
    return found


def told(times: Times, base: Callable[[str], str]) -> None:
    print(f"{'interaction':28} {'n':>3} {'median':>7} {'mean':>6} {'p95':>5} {'most':>5} : button")
    for what, each in sorted(times.items()):
        p95 = statistics.quantiles(each, n=20)[-1] if len(each) > 1 else each[0]
        ratio = statistics.median(each) / statistics.median(times[base(what)])
        print(
            f"{what:28} {len(each):3} {statistics.median(each):7.1f} {statistics.mean(each):6.1f} "
            f"{p95:5.0f} {max(each):5.0f} {ratio:6.2f}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description="From an input to the paint, beside one button.")
    parser.add_argument("--times", type=int, default=40, help="how often (40)")
    parser.add_argument("--slower", type=float, default=4.0, help="how much slower (4)")
    wish = parser.parse_args()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=needs.chromium(), args=["--no-sandbox", "--disable-gpu"]
        )
        print(f"by the clock, {wish.slower:g} times slower, ms")
        told(
            measured(browser, wish.times, wish.slower),
            lambda what: "button, mouse" if "mouse" in what else "button, key",
        )
        print("processor time of the main thread at full speed, ms")
        told(traced(browser, wish.times), lambda _: "button: key")
        browser.close()


if __name__ == "__main__":
    main()
