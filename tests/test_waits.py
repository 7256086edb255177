"""What tests wait for on a page is a function: a bare expression is compiled anew at each look, which
the page's own security policy refuses as soon as the first look says no."""

import ast
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).parent


def opening(node: ast.expr, names: dict[str, ast.expr]) -> str | None:
    """How a text begins that is written out or named in its file; None: it comes from elsewhere."""
    match node:
        case ast.Constant(value=str(said)):
            return said
        case ast.JoinedStr(values=[first, *_]):
            return opening(first, names)
        case ast.Name(name) if name in names:
            return opening(names[name], names)
        case _:
            return None


def constants(tree: ast.Module) -> dict[str, ast.expr]:
    return {
        target.id: each.value
        for each in tree.body
        if isinstance(each, ast.Assign)
        for target in each.targets
        if isinstance(target, ast.Name)
    }


def waits() -> Iterator[tuple[str, str]]:
    """Each wait for a page with how it begins; a name from another file is looked up there."""
    trees = {each: ast.parse(each.read_text(encoding="utf-8")) for each in TESTS.glob("*.py")}
    shared = {name: said for tree in trees.values() for name, said in constants(tree).items()}
    for file, tree in trees.items():
        names = shared | constants(tree)
        for node in ast.walk(tree):
            match node:
                case ast.Call(func=ast.Attribute(attr="wait_for_function"), args=[what, *_]):
                    yield f"{file.name}:{node.lineno}", opening(what, names) or ""
                case _:
                    pass


def test_what_a_test_waits_for_is_a_function() -> None:
    found = dict(waits())
    assert len(found) > 20
    bare = {where: said for where, said in found.items() if "=>" not in said}
    assert bare == {}
