"""The package as a whole: what importing costs, what the locks and the repository hold."""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LARGEST = 1 << 20
# Trained weights are data of the package and may be larger.
WEIGHTS = re.compile(r"^src/lostcities/.*\.(npz|safetensors)$")


def tracked() -> list[Path]:
    """Files that git knows, or all but the ignored ones before they are added."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return [ROOT / name for name in listed.split("\0") if name and (ROOT / name).is_file()]


def in_a_fresh_python(code: str) -> str:
    command = [sys.executable, "-c", code]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def test_importing_lostcities_loads_the_standard_library_only() -> None:
    code = (
        "import sys; before = set(sys.modules); import lostcities\n"
        "print('\\n'.join(set(sys.modules) - before))"
    )
    loaded = {name.partition(".")[0] for name in in_a_fresh_python(code).split()}
    assert "lostcities" in loaded
    assert loaded - sys.stdlib_module_names == {"lostcities"}


def test_importing_lostcities_loads_no_asyncio_nor_sqlite() -> None:
    """They are the room's, and cost more time than all the rest of the import."""
    code = "import sys, lostcities; print({'asyncio', 'sqlite3'} & set(sys.modules))"
    assert in_a_fresh_python(code).strip() == "set()"


@pytest.mark.parametrize(
    "lock", sorted(ROOT.glob("requirements/*.txt")), ids=lambda path: path.name
)
def test_a_lock_pins_by_hash_and_names_no_address(lock: Path) -> None:
    text = lock.read_text()
    assert "://" not in text
    pins = [line for line in text.splitlines() if re.match(r"\w", line)]
    assert pins
    assert [line for line in pins if "==" not in line or not line.endswith("\\")] == []


def test_the_runtime_lock_covers_every_base_dependency() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = {re.split(r"[^\w-]", line)[0] for line in project["dependencies"]}
    pinned = {
        line.partition("==")[0].partition("[")[0]
        for line in (ROOT / "requirements/runtime.txt").read_text().splitlines()
        if "==" in line
    }
    assert wanted - pinned == set()


def test_the_locks_agree_on_versions() -> None:
    pins: dict[str, set[tuple[str, str]]] = {}
    for lock in sorted(ROOT.glob("requirements/*.txt")):
        found: dict[str, set[str]] = {}
        for name, version in re.findall(r"^([\w.-]+)==([^ \\]+)", lock.read_text(), re.MULTILINE):
            found.setdefault(name, set()).add(version)
        for name, versions in found.items():
            pins.setdefault(name, set()).add((", ".join(sorted(versions)), lock.name))
    torn = {
        name: found for name, found in pins.items() if len({version for version, _ in found}) > 1
    }
    assert torn == {}


def test_the_page_lock_records_no_download_address() -> None:
    lock = json.loads((ROOT / "web/package-lock.json").read_text())
    packages = {name: entry for name, entry in lock["packages"].items() if name}
    assert len(packages) > 10
    assert [name for name, entry in packages.items() if "resolved" in entry] == []
    assert [name for name, entry in packages.items() if "integrity" not in entry] == []


def test_no_tracked_file_is_large_or_built() -> None:
    files = {path.relative_to(ROOT).as_posix(): path.stat().st_size for path in tracked()}
    assert "pyproject.toml" in files
    large = {name: size for name, size in files.items() if size > LARGEST}
    assert [name for name in large if not WEIGHTS.match(name)] == []
    assert [name for name in files if "/web_dist/" in name or name.endswith((".whl", ".so"))] == []


def test_nothing_lies_at_the_top_that_does_not_belong_there() -> None:
    """Logs and lock files of test runs have been committed by accident before."""
    belongs = {
        ".ci", ".gitignore", "CHANGELOG.md", "CITATION.cff", "CONTRIBUTING.md", "LICENSE", "Makefile",
        "README.md", "benchmarks", "deploy", "docs", "examples", "pyproject.toml", "requirements", "src",
        "tests", "tools", "web",
    }  # fmt: skip
    found = {path.relative_to(ROOT).parts[0] for path in tracked()}
    assert found - belongs == set()


def test_links_between_documents_lead_somewhere() -> None:
    documents = [path for path in tracked() if path.suffix == ".md"]
    assert documents
    dead = []
    for document in documents:
        for target in re.findall(r"\]\(([^)\s]+)\)", document.read_text()):
            path = target.partition("#")[0]
            if "://" in target or target.startswith("mailto:") or not path:
                continue
            if not (document.parent / path).exists():
                dead.append(f"{document.relative_to(ROOT)}: {target}")
    assert dead == []
