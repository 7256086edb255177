"""The import-linter contract that keeps the table of packages: who may import whom.

The table stands in `pyproject.toml`. A row reads `package: allowed, allowed`; a module may have a
row of its own, which then replaces its package's, and an entry may name a module instead of a whole
package. A module that no row covers is itself an error, so a new package cannot slip in without
one. Rows may speak of packages that do not exist yet.
"""

import sys
from dataclasses import dataclass
from typing import cast

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output

ROOT = "lostcities"
ROOT_ROW = "(root)"
NOTHING = "(nothing)"
ANYTHING = "*"

Table = dict[str, frozenset[str]]


@dataclass(frozen=True, slots=True)
class Breach:
    """One import that the table does not allow, or a module without a row."""

    importer: str
    imported: str
    lines: tuple[int, ...]
    reason: str

    def __str__(self) -> str:
        where = ", ".join(f"line {line}" for line in self.lines)
        what = f" imports {self.imported}" if self.imported else ""
        return f"{self.importer}{what}{f' ({where})' if where else ''}: {self.reason}"


def parse_rows(rows: list[str]) -> Table:
    """Read `package: a, b` lines.

    Raises:
        ValueError: a line without a colon, or a package with two rows.
    """
    table: Table = {}
    for row in rows:
        package, colon, allowed = row.partition(":")
        if not colon:
            raise ValueError(f"a row of the import table lacks its colon: {row!r}")
        if package in table:
            raise ValueError(f"the import table has two rows for {package!r}")
        names = frozenset(name.strip() for name in allowed.split(","))
        table[package] = names - {NOTHING}
    return table


def row_for(module: str, table: Table) -> str | None:
    """The name of the most specific row that covers `module`, a full dotted name."""
    if module == ROOT:
        return ROOT_ROW if ROOT_ROW in table else None
    parts = module.split(".")[1:]
    names = (".".join(parts[:count]) for count in range(len(parts), 0, -1))
    return next((name for name in names if name in table), None)


def _within(module: str, package: str) -> bool:
    return module == package or module.startswith(f"{package}.")


def _is_own(importer: str, imported: str) -> bool:
    """Whether both stand in the same top-level package."""
    return importer != ROOT and importer.split(".")[1] == [*imported.split("."), ""][1]


def _inside_reason(importer: str, imported: str, table: Table) -> str | None:
    row = row_for(importer, table)
    if row is None or _is_own(importer, imported):
        return None
    allowed = table[row]
    if ANYTHING in allowed or any(_within(imported, f"{ROOT}.{name}") for name in allowed):
        return None
    return f"`{row}` may import only {', '.join(sorted(allowed)) or 'nothing'}"


def _outside_reason(importer: str, imported: str, table: Table) -> str | None:
    name = imported.partition(".")[0]
    row = row_for(importer, table)
    if row is None or name in sys.stdlib_module_names or name in table[row]:
        return None
    allowed = ", ".join(sorted(table[row])) or "nothing"
    return f"of third-party packages `{row}` may import only {allowed}"


def breaches(graph: ImportGraph, rows: list[str], third_party: list[str]) -> list[Breach]:
    """Every import of the graph that the two tables do not allow, sorted by importer."""
    inside, outside = parse_rows(rows), parse_rows(third_party)
    found: list[Breach] = []
    for importer in sorted(module for module in graph.modules if _within(module, ROOT)):
        if row_for(importer, inside) is None:
            found.append(Breach(importer, "", (), "has no row in the table of pyproject.toml"))
        for imported in sorted(graph.find_modules_directly_imported_by(importer)):
            own = _within(imported, ROOT)
            judge, table = (_inside_reason, inside) if own else (_outside_reason, outside)
            if reason := judge(importer, imported, table):
                details = graph.get_import_details(importer=importer, imported=imported)
                lines = tuple(sorted({detail["line_number"] for detail in details}))
                found.append(Breach(importer, imported, lines, reason))
    return found


class ImportTable(Contract):
    """Contract type `table`; options `rows` and `third_party`, as in `pyproject.toml`."""

    rows = fields.ListField(subfield=fields.StringField())
    third_party = fields.ListField(subfield=fields.StringField())

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        """Keep the contract when no import breaks it."""
        found = breaches(graph, cast(list[str], self.rows), cast(list[str], self.third_party))
        return ContractCheck(kept=not found, metadata={"breaches": found})

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Print each breach on a line."""
        for breach in check.metadata["breaches"]:
            output.print_error(str(breach))
