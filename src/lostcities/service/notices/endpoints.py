"""Which addresses notices may be pushed to. A browser names its push service itself, so that whoever
may subscribe could otherwise make the room ask things of machines in its own network.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from urllib.parse import urlsplit

from lostcities.core.said import Said
from lostcities.service import sentences as say

PORT = 443
Address = ipaddress.IPv4Address | ipaddress.IPv6Address
_EMBEDDED = ipaddress.IPv6Network("64:ff9b::/96")
"""IPv4 addresses as a network that speaks IPv6 alone writes them (RFC 6052)."""


class EndpointError(ValueError):
    """Nothing is sent there; ``said`` tells why."""

    def __init__(self, said: Said) -> None:
        super().__init__(str(said))
        self.said = said


def origin_of(endpoint: str, *, anywhere: bool = False) -> str:
    """The origin of a push service's address: ``https://HOST``, with a port only in tests.

    Args:
        endpoint: as the browser names it.
        anywhere: other ports and addresses of this machine too; for tests alone.

    Raises:
        EndpointError: not a plain HTTPS address, or one that is not in the open internet.
    """
    try:
        parts = urlsplit(endpoint)
        host, port = parts.hostname, parts.port
    except ValueError:
        raise EndpointError(say.NO_ENDPOINT()) from None
    if parts.scheme != "https" or not host or not endpoint.isascii() or " " in endpoint:
        raise EndpointError(say.NOT_HTTPS())
    if parts.username is not None or parts.password is not None or parts.fragment:
        raise EndpointError(say.USER_OR_PART())
    if anywhere:
        return f"https://{parts.netloc}"
    if port not in (None, PORT):
        raise EndpointError(say.OTHER_PORT(port=PORT))
    _must_be_a_name(host)
    return f"https://{host}"


def _must_be_a_name(host: str) -> None:
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        if "." not in host.rstrip("."):
            raise EndpointError(say.NO_DOT()) from None
        return
    if not is_open(address):
        raise EndpointError(say.PRIVATE())


def is_open(address: Address) -> bool:
    """Whether an address belongs to the open internet, however it is written."""
    if isinstance(address, ipaddress.IPv6Address):
        if address.sixtofour is not None or address.teredo is not None:
            return False
        inner = address.ipv4_mapped
        if inner is None and address in _EMBEDDED:
            inner = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        if inner is not None:
            return is_open(inner)
    return address.is_global and not address.is_multicast and not address.is_reserved


async def open_addresses(host: str, port: int, *, anywhere: bool = False) -> list[str]:
    """Where a name leads, addresses in the open internet only.

    The connection is made to one of these, not to the name, which could lead elsewhere when asked
    again.

    Raises:
        EndpointError: the name leads nowhere, or nowhere in the open.
    """
    loop = asyncio.get_running_loop()
    try:
        found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError as error:
        raise EndpointError(say.NOWHERE(host=host, why=str(error))) from None
    addresses = list(dict.fromkeys(str(each[4][0]) for each in found))
    allowed = [a for a in addresses if anywhere or is_open(ipaddress.ip_address(a.split("%")[0]))]
    if not allowed:
        raise EndpointError(say.PRIVATE_NAME(host=host))
    return allowed
