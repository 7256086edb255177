"""The contract that keeps the table of packages catches what it should."""

import pytest
from grimp import ImportGraph
from tools.import_table import breaches, parse_rows, row_for

ROWS = [
    "(root): core",
    "core: (nothing)",
    "kernel: core",
    "kernel.bridge: core, agents",
    "agents: *",
]
THIRD_PARTY = ["core: (nothing)", "kernel: numpy"]


def graph_of(*imports: tuple[str, str]) -> ImportGraph:
    graph = ImportGraph()
    for importer, imported in imports:
        for module in (importer, imported):
            graph.add_module(module, is_squashed="lostcities" not in module)
        graph.add_import(importer=importer, imported=imported, line_number=7, line_contents="…")
    return graph


@pytest.mark.parametrize(
    ("importer", "imported"),
    [
        ("lostcities.core.cards", "lostcities.core.rules"),
        ("lostcities.kernel.play", "lostcities.core.cards"),
        ("lostcities.kernel.bridge", "lostcities.agents"),
        ("lostcities.agents.steady", "lostcities.server.app"),
        ("lostcities", "lostcities.core"),
        ("lostcities.core.cards", "dataclasses"),
        ("lostcities.kernel.play", "numpy"),
        ("lostcities.agents.steady", "anything"),
    ],
)
def test_an_allowed_import_passes(importer: str, imported: str) -> None:
    rows = [*ROWS, "server: agents"]
    assert breaches(graph_of((importer, imported)), rows, THIRD_PARTY) == []


@pytest.mark.parametrize(
    ("importer", "imported"),
    [
        ("lostcities.core.cards", "lostcities.kernel"),
        ("lostcities.kernel.play", "lostcities.agents"),
        ("lostcities.kernel.play", "lostcities"),
        ("lostcities", "lostcities.agents"),
        ("lostcities.core.cards", "msgspec"),
        ("lostcities.kernel.play", "numba"),
        ("lostcities.core", "lostcities.corealis"),
    ],
)
def test_a_forbidden_import_is_named_with_its_line(importer: str, imported: str) -> None:
    rows = [*ROWS, "corealis: core"]
    [found] = breaches(graph_of((importer, imported)), rows, THIRD_PARTY)
    assert str(found).startswith(f"{importer} imports {imported} (line 7): ")


def test_a_package_without_a_row_is_refused() -> None:
    [found] = breaches(graph_of(("lostcities.chess.board", "typing")), ROWS, THIRD_PARTY)
    assert (found.importer, found.reason[:10]) == ("lostcities.chess.board", "has no row")


def test_the_most_specific_row_wins() -> None:
    table = parse_rows(ROWS)
    assert row_for("lostcities.kernel.bridge", table) == "kernel.bridge"
    assert row_for("lostcities.kernel.bridges", table) == "kernel"


@pytest.mark.parametrize("rows", [["core encoding"], ["core: a", "core: b"]])
def test_a_broken_table_is_refused(rows: list[str]) -> None:
    with pytest.raises(ValueError, match="import table"):
        parse_rows(rows)
