"""Build hook: refuses to build a distribution that would lack the page."""

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class PageHook(BuildHookInterface):  # type: ignore[type-arg]
    """Stops a wheel or sdist whose `lostcities/web_dist` has not been built.

    An editable install needs no page: it reads the one that `make page` puts beside the sources.
    """

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Leave with one sentence when the page is missing."""
        page = Path(self.root, "src", "lostcities", "web_dist", "index.html")
        if version != "editable" and not page.is_file():
            sys.exit(
                "lostcities: the browser page is not built (src/lostcities/web_dist/index.html is "
                "missing); run `make wheel`, which builds it first."
            )
