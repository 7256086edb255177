"""Install the built wheel alone, away from this checkout, and use it as a newcomer would.

Run by `make wheel-check`, with the Python that makes the new environment as its argument.
Shows that the sdist alone builds the same files, that the wheel needs no Node, that the command
starts, and that the room serves the page and every file the page names.
"""

import os
import re
import socket
import subprocess
import sys
import tarfile
import tempfile
import time
import urllib.error
import urllib.request
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = "lostcities/web_dist/index.html"
START_SECONDS = 30.0


def run(*command: str | Path, cwd: Path | None = None) -> str:
    """The output of a command that must succeed."""
    words = [str(word) for word in command]
    done = subprocess.run(words, cwd=cwd, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(words)} left with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def the_only(pattern: str, folder: Path) -> Path:
    """The one file in `folder` that fits `pattern`."""
    found = list(folder.glob(pattern))
    if len(found) != 1:
        sys.exit(f"{folder} holds {len(found)} files named {pattern}; run `make wheel`")
    return found[0]


def names_in_wheel(wheel: Path) -> set[str]:
    """What the wheel installs, without its record."""
    with zipfile.ZipFile(wheel) as archive:
        return {name for name in archive.namelist() if ".dist-info/" not in name}


def check_sdist(wheel: Path, folder: Path) -> None:
    """The sdist holds the page, and builds a wheel of the same files."""
    sdist = the_only("*.tar.gz", ROOT / "dist")
    with tarfile.open(sdist) as archive:
        if not any(name.endswith(f"/src/{PAGE}") for name in archive.getnames()):
            sys.exit(f"{sdist.name} lacks the page")
    pip = [sys.executable, "-m", "pip", "--quiet", "wheel", "--no-deps", "--no-build-isolation"]
    run(*pip, "--wheel-dir", folder, sdist)
    again = names_in_wheel(the_only("*.whl", folder))
    if differing := again ^ names_in_wheel(wheel):
        sys.exit(f"the wheel built from the sdist differs in {sorted(differing)}")


def install(python: str, wheel: Path, folder: Path) -> Path:
    """A new environment with the locked dependencies and the wheel; its folder of commands."""
    run(python, "-m", "venv", folder)
    commands = folder / "bin"
    pip = [str(commands / "python"), "-m", "pip", "--quiet", "--disable-pip-version-check"]
    run(*pip, "install", "--require-hashes", "-r", ROOT / "requirements/runtime.txt")
    run(*pip, "install", "--no-deps", wheel)
    run(commands / "python", "-m", "pip", "check")
    return commands


def fetch(url: str) -> bytes:
    """The body of an answer that is 200."""
    with urllib.request.urlopen(url, timeout=5) as answer:  # noqa: S310 - our own address
        return bytes(answer.read())


def fetch_once_started(url: str, room: "subprocess.Popen[str]") -> str:
    """The first answer of a room that is still starting."""
    end = time.monotonic() + START_SECONDS
    while room.poll() is None and time.monotonic() < end:
        try:
            return fetch(url).decode()
        except urllib.error.HTTPError:
            raise
        except OSError:
            time.sleep(0.1)
    room.kill()
    sys.exit(f"the room did not answer at {url}:\n{room.communicate()[0]}")


def check_room(commands: Path, folder: Path) -> None:
    """The room serves the page and what the page names."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    command = [str(commands / "lostcities"), "serve", "--port", str(port)]
    surroundings = {**os.environ, "PATH": "/nowhere", "XDG_DATA_HOME": str(folder)}
    with subprocess.Popen(
        command,
        cwd=folder,
        env=surroundings,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    ) as room:
        try:
            page = fetch_once_started(f"{address}/", room)
            parts = re.findall(r'(?:src|href)="(/[^"]+)"', page)
            if not any(part.endswith(".js") for part in parts):
                sys.exit(f"the page names no script:\n{page}")
            for part in parts:
                fetch(f"{address}{part}")
        finally:
            room.terminate()


def main() -> None:
    """Check what stands in dist/."""
    python = sys.argv[1] if len(sys.argv) > 1 else sys.executable
    wheel = the_only("*.whl", ROOT / "dist")
    if PAGE not in names_in_wheel(wheel):
        sys.exit(f"{wheel.name} lacks the page")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        check_sdist(wheel, folder)
        commands = install(python, wheel, folder / "venv")
        run(commands / "python", "-c", "import lostcities", cwd=folder)
        run(commands / "lostcities", "--help", cwd=folder)
        check_room(commands, folder)
    print(f"{wheel.name}: installs alone, and works")


if __name__ == "__main__":
    main()
