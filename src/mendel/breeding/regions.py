"""The editable part of a file: the bodies of some functions, and additional imports."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from mendel.breeding.code import Code, Function
from mendel.breeding.marks import marks_in
from mendel.contracts.errors import ConfigError


def edits_outside(original: Code, changed: Code, roots: Collection[str]) -> str | None:
    """Return a complaint about a change outside the editable part; None if there is none.

    Bodies of ``roots`` may change. Their signatures, everything else at the top level and in classes, and all existing
    imports must stay. Imports may be added.
    """
    before, after = list(_fixed(original, roots)), list(_fixed(changed, roots))
    lost = [name for name, text in before if (name, text) not in after]
    new = [name for name, text in after if (name, text) not in before and not name.startswith("import ")]
    if lost:
        return f"{lost[0]} may not be changed"
    return f"{new[0]} may not be added" if new else None


def size_within(code: Code, roots: Collection[str]) -> int:
    """Count the nodes that may change: those of ``roots``, and of the imports, which may grow."""
    free = [node for name, node in code.functions() if name in roots]
    imports = [node for node in code.tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    return sum(1 for node in (*free, *imports) for _ in ast.walk(node))


def _fixed(code: Code, roots: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield a readable name and the dumped tree of every piece that must stay."""
    yield from _pieces(code.tree.body, "", roots)


def _pieces(body: list[ast.stmt], prefix: str, roots: Collection[str]) -> Iterator[tuple[str, str]]:
    for node in body:
        if isinstance(node, Function):
            name = prefix + node.name
            yield f"the function {name}", _signature(node) if name in roots else ast.dump(node)
        elif isinstance(node, ast.ClassDef):
            yield f"the class {prefix}{node.name}", ast.dump(_without_body(node))
            yield from _pieces(node.body, f"{prefix}{node.name}.", roots)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            yield f"import {ast.unparse(node)}", ""
        else:
            yield f"`{ast.unparse(node)[:60]}`", ast.dump(node)


def _signature(node: Function) -> str:
    return f"{type(node).__name__} {ast.dump(node.args)}"


def _without_body(node: ast.ClassDef) -> ast.ClassDef:
    return ast.ClassDef(
        name=node.name, bases=node.bases, keywords=node.keywords, body=[], decorator_list=node.decorator_list
    )


def reachable(code: Code, entry: str) -> tuple[str, ...]:
    """Return the functions that ``entry`` may call, itself first: the editable functions of a file without marks."""
    known = dict(code.functions())
    # Types are unknown, so `x.name` may be any method with that name; of several, the last one counts.
    methods = {name.rpartition(".")[2]: name for name in known if "." in name}
    found: list[str] = []
    waiting = [entry]
    while waiting:
        name = waiting.pop(0)
        if name in found or name not in known:
            continue
        found.append(name)
        for node in ast.walk(known[name]):
            if isinstance(node, ast.Name):
                waiting.append(node.id)
            elif isinstance(node, ast.Attribute) and node.attr in methods:
                waiting.append(methods[node.attr])
    return tuple(found)


def editable(code: Code, entry: str | None) -> tuple[str, ...]:
    """Return the editable functions: the marked ones, or else those ``entry`` may call, or all without an entry.

    Raises:
        ConfigError: the marks are invalid.
    """
    marks = marks_in(code)
    everything = tuple(name for name, _ in code.functions())
    inferred = everything if entry is None else reachable(code, entry)
    chosen = sorted(marks.evolve, key=lambda name: (name != entry, everything.index(name))) or inferred
    return tuple(name for name in chosen if name not in marks.keep)


def refuse_idle_marks(code: Code, entry: str, roots: Collection[str]) -> None:
    """Check that ``entry`` may call at least one of the editable functions.

    Raises:
        ConfigError: the marks exclude all of them.
    """
    if not set(roots).isdisjoint(reachable(code, entry)):
        return
    line = marks_in(code).line
    raise ConfigError(
        f"{code.path}, line {line}: the marks allow no change to {entry} or any function it calls; put"
        f" `# mendel: evolve` above {entry} or a function that it calls, or remove a `# mendel: keep`"
    )
