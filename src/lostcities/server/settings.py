"""How a room is reached and how much it bears."""

from __future__ import annotations

import ipaddress
import socket
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

PAGE = Path(__file__).parents[1] / "web_dist"
"""Where the built page lies in the package."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one address or socket may do.

    Attributes:
        posts: requests that change something, at once, by address; `posts_a_second` come back.
        codes: device codes tried, at once, by address; one comes back every ten seconds.
        mails: links to confirm that are sent to one mail address at once; one comes back every ten
            minutes.
        messages: messages of a socket at once; `messages_a_second` come back.
        sockets: open sockets by address.
        body: bytes of a request's body.
        hello: seconds that a socket may take to say which table it wants.
    """

    posts: int = 120
    posts_a_second: float = 2.0
    codes: int = 10
    codes_a_second: float = 0.1
    mails: int = 3
    mails_a_second: float = 1 / 600
    messages: int = 60
    messages_a_second: float = 20.0
    sockets: int = 1000
    body: int = 8192
    hello: float = 10.0


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of a room.

    Attributes:
        host: the address bound to.
        port: the port bound to.
        public_url: where the room is known, without a slash at the end; None at home.
        proxies: addresses of reverse proxies whose forwarded headers are believed.
        name: the room's own name.
        page: the folder of the built page.
        limits: see there.
    """

    host: str = "127.0.0.1"
    port: int = 8420
    public_url: str | None = None
    proxies: tuple[str, ...] = ("127.0.0.1", "::1")
    name: str | None = None
    page: Path = PAGE
    limits: Limits = field(default_factory=Limits)

    @property
    def reach(self) -> str:
        """How far links work: ``public``, ``network`` or ``machine`` (this one only)."""
        if self.public_url is not None:
            return "public"
        return "machine" if _is_this_machine(self.base_host) else "network"

    @property
    def base_host(self) -> str:
        """The host of links without a public URL: an address that another device can reach."""
        if self.host not in ("", "0.0.0.0", "::"):  # noqa: S104 - compared, not bound
            return self.host
        return lan_address() or "127.0.0.1"

    @property
    def base_url(self) -> str:
        """What comes before the path of a link; without a slash at the end."""
        return self.public_url or f"http://{with_brackets(self.base_host)}:{self.port}"

    @property
    def own_url(self) -> str:
        """The room as this machine's own browser reaches it."""
        everywhere = self.host in ("", "0.0.0.0", "::")  # noqa: S104 - compared, not bound
        host = "127.0.0.1" if everywhere else with_brackets(self.host)
        return f"http://{host}:{self.port}"


def read_public_url(text: str) -> str:
    """A public URL as given, checked.

    Raises:
        ValueError: not ``http(s)://HOST[:PORT]``.
    """
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.path not in ("", "/"):
        raise ValueError(f"{text!r} is no address of a room (https://cards.example.org)")
    if parts.query or parts.fragment or parts.username:
        raise ValueError(f"{text!r}: only https://HOST or https://HOST:PORT")
    return f"{parts.scheme}://{parts.netloc.lower()}"


def with_brackets(host: str) -> str:
    """The host as it stands in a URL."""
    return f"[{host}]" if ":" in host else host


def _is_this_machine(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def lan_address() -> str | None:
    """This machine's address on its local network; None if it has none.

    Asks the system which address it would send from; nothing is sent.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address reserved for examples
            address = str(probe.getsockname()[0])
        except OSError:
            return None
    return None if address.startswith(("127.", "0.")) else address
