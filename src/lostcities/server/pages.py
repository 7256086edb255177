"""The built page: one index for every address of the page, and its files."""

from __future__ import annotations

import os
from mimetypes import guess_type
from pathlib import Path

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

ADDRESSES = (
    "/", "/t/{match}", "/i/{code}", "/device", "/games", "/games/results", "/account", "/practice",
    "/lesson/{code}", "/c/{code}", "/host", "/replay", "/replay/{id}", "/sheet",
    "/rules", "/rules/{question}", "/learn", "/notices", "/notices/confirm/{code}", "/notices/stop/{code}",
)  # fmt: skip
"""Addresses that the page itself reads; all are the same file, and none changes anything."""

NOT_BUILT = "The page has not been built yet: run `make page`, then start the room again.\n"


class Files(StaticFiles):
    """Files of the page; what has a hash in its name is kept for a year."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """A file; for a person at an address where nothing is, the page, which says so kindly."""
        try:
            return await super().get_response(path, scope)
        except HTTPException as error:
            index = Path(str(self.directory), "index.html")
            wants_page = "text/html" in Headers(scope=scope).get("accept", "")
            if error.status_code != 404 or not wants_page or not _is_file(index):
                raise
            return FileResponse(index, 404, headers={"cache-control": "no-cache"})

    def file_response(
        self,
        full_path: str | os.PathLike[str],
        stat_result: os.stat_result,
        scope: Scope,
        status_code: int = 200,
    ) -> Response:
        """A file with its caching, packed where the build has packed it and the browser can unpack it."""
        if Path(full_path).parent.name != "assets":
            response = super().file_response(full_path, stat_result, scope, status_code)
            response.headers["cache-control"] = "no-cache"
            return response
        packed = Path(f"{full_path}.gz")
        if "gzip" in Headers(scope=scope).get("accept-encoding", "") and packed.is_file():
            kind, _ = guess_type(full_path)
            response = FileResponse(packed, status_code, media_type=kind)
            response.headers["content-encoding"] = "gzip"
        else:
            response = super().file_response(full_path, stat_result, scope, status_code)
        response.headers["cache-control"] = "public, max-age=31536000, immutable"
        response.headers["vary"] = "accept-encoding"
        return response


def _is_file(path: Path) -> bool:
    return path.is_file()


def page_routes(folder: Path) -> list[BaseRoute]:
    """The routes of the page; comes after all others, since it answers every path."""
    index = folder / "index.html"

    async def page(_request: Request) -> Response:
        if not index.is_file():
            return PlainTextResponse(NOT_BUILT, 503)
        return FileResponse(index, headers={"cache-control": "no-cache"})

    # With a stroke behind it an address is the same one, to the page as well.
    paths = [*ADDRESSES, *(f"{path}/" for path in ADDRESSES if path != "/")]
    routes: list[BaseRoute] = [Route(path, page, methods=["GET"]) for path in paths]
    if folder.is_dir():
        routes.append(Mount("/", Files(directory=folder)))
    return routes
