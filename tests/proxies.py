"""The proxies of deploy/ as they are shipped, running before a room on this machine.

A copy of the example is changed in what cannot be had here: the certificate, the privileged port, and
the room's own port. All else is what a host would use.
"""

import contextlib
import re
import socket
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import trustme

import needs

DEPLOY = Path(__file__).parents[1] / "deploy"
HOST = "cards.example.org"
PUBLIC = f"https://{HOST}"
ROOM = "127.0.0.1:8420"
PATIENCE = 15.0

NGINX = """\
daemon off;
master_process off;
pid {folder}/nginx.pid;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/example.conf;
}}
"""
CADDY = """\
{{
	admin off
	auto_https disable_redirects
	https_port {port}
	default_bind 127.0.0.1
}}
{example}"""


@dataclass(frozen=True)
class Site:
    """What an example is changed in: its folder, its port, that of the room, and a certificate."""

    folder: Path
    port: int
    room_port: int
    authority: trustme.CA

    def certificate(self) -> tuple[Path, Path]:
        """The files of a certificate for the example's name and of its key."""
        made = self.authority.issue_cert(HOST)
        chain, key = self.folder / "chain.pem", self.folder / "key.pem"
        chain.write_bytes(b"".join(each.bytes() for each in made.cert_chain_pems))
        made.private_key_pem.write_to_path(key)
        return chain, key


def changed(text: str, what: str, into: str) -> str:
    """The text with one place changed; an example without it has to be looked at again."""
    assert len(re.findall(what, text)) == 1, f"the example has not one {what!r}"
    return re.sub(what, lambda _: into, text)


def _example(name: str, site: Site) -> str:
    text = (DEPLOY / name).read_text(encoding="utf-8")
    return changed(text, re.escape(ROOM), f"127.0.0.1:{site.room_port}")


def nginx(site: Site) -> list[str]:
    """The command that runs nginx with the example, but for what it shall do."""
    chain, key = site.certificate()
    text = _example("nginx.conf", site)
    text = changed(text, r"listen 443 ssl;", f"listen 127.0.0.1:{site.port} ssl;")
    text = changed(text, r"ssl_certificate [^;]*;", f"ssl_certificate {chain};")
    text = changed(text, r"ssl_certificate_key [^;]*;", f"ssl_certificate_key {key};")
    (site.folder / "example.conf").write_text(text, encoding="utf-8")
    around = site.folder / "nginx.conf"
    around.write_text(NGINX.format(folder=site.folder), encoding="utf-8")
    program = needs.program("nginx")
    assert program is not None
    return [program, "-e", "stderr", "-p", str(site.folder), "-c", str(around)]


def caddy(site: Site) -> list[str]:
    """The command that runs Caddy with the example."""
    chain, key = site.certificate()
    text = _example("Caddyfile", site)
    text = changed(text, rf"{re.escape(HOST)} \{{", f"{HOST} {{\n\ttls {chain} {key}")
    around = site.folder / "Caddyfile"
    around.write_text(CADDY.format(port=site.port, example=text), encoding="utf-8")
    program = needs.program("caddy")
    assert program is not None
    return [program, "run", "--adapter", "caddyfile", "--config", str(around)]


COMMANDS = {"nginx": nginx, "caddy": caddy}


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextlib.contextmanager
def proxy(name: str, folder: Path, room_port: int) -> Iterator[Site]:
    """One of the proxies before the room at a port of this machine, until the block ends."""
    site = Site(folder, free_port(), room_port, trustme.CA())
    said = folder / "proxy.log"
    with said.open("wb") as log:
        process = subprocess.Popen(COMMANDS[name](site), stdout=log, stderr=log)
    try:
        _wait(site.port, process, said)
        yield site
    finally:
        process.terminate()
        process.wait(timeout=PATIENCE)


def _wait(port: int, process: "subprocess.Popen[bytes]", said: Path) -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and process.poll() is None:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.02)
    pytest.fail(f"the proxy did not open:\n{said.read_text(encoding='utf-8', errors='replace')}")
