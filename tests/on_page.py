"""Looking at the page of a table in a browser."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page

SCROLLS = """() => {
  const root = document.scrollingElement;
  return [root.scrollWidth - innerWidth, root.scrollHeight - innerHeight];
}"""
"""How far the page scrolls, across and down: [0, 0] when everything is in view."""


def sized(page: "Page", size: tuple[int, int]) -> "Page":
    page.set_viewport_size({"width": size[0], "height": size[1]})
    return page


def ready(page: "Page") -> None:
    page.locator(".hand button").first.wait_for()
    page.locator(".board:not([aria-busy='true'])").wait_for()
    page.evaluate("document.fonts.ready")


PAINTED = (
    "() => new Promise((done) => requestAnimationFrame(() => setTimeout(() => setTimeout(done))))"
)
"""Comes true once what was done has been painted, and what the page leaves for after that."""


def prompt(page: "Page") -> str:
    page.evaluate(PAINTED)
    return page.locator(".prompt .text").inner_text()


def box(page: "Page", selector: str) -> dict[str, float]:
    found = page.locator(selector).first.bounding_box()
    assert found is not None, selector
    return {"x": found["x"], "y": found["y"], "width": found["width"], "height": found["height"]}
