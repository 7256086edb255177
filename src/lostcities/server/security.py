"""Who may ask: origins, session cookies, and the headers on every answer."""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lostcities.server.settings import Settings

YEAR = 365 * 24 * 3600

CSP = (
    "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; "
    "object-src 'none'"
)
HEADERS = {
    "content-security-policy": CSP,
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}


class SecurityHeaders:
    """Puts the headers on every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        await self._app(scope, receive, with_headers)


def is_secure(connection: HTTPConnection, settings: Settings) -> bool:
    """Whether the browser talks HTTPS: to us, to a trusted proxy, or to the public URL's host."""
    if connection.url.scheme in ("https", "wss"):
        return True
    public = urlsplit(settings.public_url or "")
    return public.scheme == "https" and connection.headers.get("host", "").lower() == public.netloc


def origin_allowed(connection: HTTPConnection, settings: Settings) -> bool:
    """Whether a request that changes something, or a socket, comes from our own page.

    Browsers always name the origin of such requests; a program that names none carries no browser's
    cookie and is let in. Allowed are the public URL, and the very host that was asked if it is an
    address, ``localhost``, a name without dots or one under ``.local``: a name that a stranger
    could point at a home network is not among these.
    """
    origin = connection.headers.get("origin")
    if origin is None:
        return True
    origin = origin.lower()
    if settings.public_url is not None and origin == settings.public_url:
        return True
    parts = urlsplit(origin)
    host = connection.headers.get("host", "").lower()
    return parts.scheme in ("http", "https") and parts.netloc == host and _is_home(parts.hostname)


def _is_home(host: str | None) -> bool:
    if not host:
        return False
    if "." not in host and ":" not in host:
        return True
    if host.endswith((".local", ".localhost")):
        return True
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def cookie_name(secure: bool) -> str:
    """The session cookie; under HTTPS one that no other host or plain page could have set."""
    return "__Host-lostcities" if secure else "lostcities"


def session_token(connection: HTTPConnection, settings: Settings) -> str | None:
    """The token that the browser sent, if any."""
    return connection.cookies.get(cookie_name(is_secure(connection, settings)))


def set_session(response: Response, token: str, secure: bool) -> None:
    """Give the browser its token: out of scripts' reach, for requests from our own page alone.

    ``Strict`` fits, since the page itself is the same for everybody: it asks again, from here.
    """
    response.set_cookie(
        cookie_name(secure), token, max_age=YEAR, path="/", httponly=True, secure=secure,
        samesite="strict",
    )  # fmt: skip


def end_session(response: Response, secure: bool) -> None:
    """Take the browser's token away."""
    response.delete_cookie(
        cookie_name(secure), path="/", httponly=True, secure=secure, samesite="strict"
    )
