"""``lostcities serve``: the room."""

from __future__ import annotations

import argparse
import os
import socket
import threading
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING

from lostcities.cli import notices, options
from lostcities.cli.complaint import complain

if TYPE_CHECKING:
    from lostcities.server.settings import Settings
    from lostcities.service.notices.channels import Channels
    from lostcities.store.sql import SqlStore

NAME = "serve"
HELP = "The room: people, or a person and a program, play in the browser; matches are kept."

DATABASE = "room.sqlite3"
DEFAULT_PORT = 8420
EVERYWHERE = "0.0.0.0"  # noqa: S104 - so that a phone in the same home can come in


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments of this command."""
    add = parser.add_argument
    add(
        "--host",
        default=EVERYWHERE,
        metavar="ADDRESS",
        help="listen here; 127.0.0.1 for this machine only (default: every address of it)",
    )
    add("--port", type=_port, default=DEFAULT_PORT, metavar="N",
        help=f"listen on this port (default {DEFAULT_PORT})")  # fmt: skip
    add("--open", action="store_true", help="open the browser")
    add(
        "--data-dir",
        type=Path,
        metavar="DIR",
        help="keep the matches here (default: this system's folder for such data)",
    )
    add("--database", metavar="URL",
        help="keep them there instead: sqlite:///PATH or postgresql://…")  # fmt: skip
    add(
        "--public-url",
        metavar="URL",
        help="where others reach the room, e.g. https://cards.example.org, for links",
    )
    add(
        "--trust-proxy",
        action="append",
        metavar="ADDRESS",
        help="believe the forwarded headers of this reverse proxy (default: this machine's)",
    )
    add(
        "--password-file",
        type=Path,
        metavar="FILE",
        help="ask everybody for the password in the first line of this file "
        "(or set LOSTCITIES_PASSWORD)",
    )
    add("--name", help="the room's own name, shown on its page")
    notices.configure(parser)
    options.example(parser, "lostcities serve --open")


def run(args: argparse.Namespace) -> int:
    """Run the room until Ctrl-C."""
    from lostcities.server.run import BindError, bind
    from lostcities.server.settings import Settings, read_public_url
    from lostcities.store.interfaces import StoreError
    from lostcities.store.sql import SqlStore

    try:
        public = None if args.public_url is None else read_public_url(args.public_url)
        password = _password(args.password_file)
        channels = notices.read(args)
        listening = bind(args.host, args.port)
    except BindError as error:
        running = Settings(args.host, args.port).own_url
        if args.open and _is_room(running):
            print(f"The room is open already: {running}", flush=True)
            webbrowser.open(running)
            return 0
        return _fail(str(error))
    except (OSError, ValueError) as error:
        return _fail(str(error))
    try:
        store = SqlStore.open(database_url(args))
    except StoreError as error:
        listening.close()
        return _fail(str(error))
    proxies = tuple(args.trust_proxy) if args.trust_proxy else Settings().proxies
    settings = Settings(
        args.host, listening.getsockname()[1], public, proxies=proxies, name=args.name
    )
    channels = notices.in_room(channels, settings)
    return _serve(store, settings, listening, args.open, password, channels)


def _port(text: str) -> int:
    """A port as given; argparse says what is wrong with another one."""
    try:
        port = int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no number") from None
    if not 0 <= port <= 65535:
        raise argparse.ArgumentTypeError(f"{port} is no port (0 to 65535)")
    return port


def _password(file: Path | None) -> str | None:
    """The room's password, from a file or the environment: never from the command line, which
    everybody on the machine can read.
    """
    if file is None:
        return os.environ.get("LOSTCITIES_PASSWORD") or None
    with file.open(encoding="utf-8") as handle:
        password = handle.readline().strip()
    if not password:
        raise ValueError(f"{file} has no password in its first line")
    return password


def _is_room(url: str) -> bool:
    """Whether a room answers there."""
    import json
    import urllib.request

    try:
        with urllib.request.urlopen(f"{url}/api/health", timeout=2) as answer:  # noqa: S310
            return "tables" in json.load(answer)
    except (OSError, ValueError):
        return False


def _fail(reason: str) -> int:
    complain(f"lostcities serve: {reason}")
    return 1


def database_url(args: argparse.Namespace) -> str:
    """The address of the database that ``--database`` or ``--data-dir`` means."""
    if args.database is not None:
        return str(args.database)
    folder = args.data_dir
    if folder is None:
        from platformdirs import user_data_path

        folder = user_data_path("lostcities", appauthor=False)
    return f"sqlite:///{Path(folder).expanduser().absolute() / DATABASE}"


def _serve(
    store: SqlStore,
    settings: Settings,
    listening: socket.socket,
    browse: bool,
    password: str | None,
    channels: Channels,
) -> int:
    import secrets

    from lostcities.server.run import run as run_loop
    from lostcities.server.run import serve
    from lostcities.service.agents import ProcessAgents
    from lostcities.service.room import Room
    from lostcities.service.thinking import advise, agent_cards, think
    from lostcities.store.sql import now_ms

    code = secrets.token_urlsafe(9)

    def ready() -> None:
        print(greeting(settings, store.where, code, notices.in_words(channels)), flush=True)
        if browse:
            threading.Thread(target=webbrowser.open, args=(settings.own_url,), daemon=True).start()

    async def main() -> None:
        agents = ProcessAgents(agent_cards(), think, advise=advise)
        room = Room(store, agents, clock=now_ms, host_code=code, channels=channels)
        await room.house.door.lock(password)
        await serve(room, store, settings, listening, ready)

    run_loop(main)
    print("The room is closed; every match is kept.", flush=True)
    return 0


def greeting(
    settings: Settings, where: str, code: str | None = None, notices: str | None = None
) -> str:
    """What is printed when the room is open."""
    lines = [f"The room is open: {settings.own_url}"]
    if settings.reach == "network":
        lines.append(f"On the home network: {settings.base_url}")
        lines.append("It speaks plain HTTP: fine at home, not across the internet.")
    elif settings.reach == "public":
        lines.append(f"Known to others as: {settings.base_url}")
    else:
        lines.append("Reachable from this machine only.")
    lines.append(f"Matches are kept in: {where}")
    if notices is not None:
        lines.append(notices)
    if code is not None:
        lines.append(f"To keep order as its host: {settings.own_url}/host with the code {code}")
    lines.append("Ctrl-C closes it.")
    return "\n".join(lines)
