"""Compiles the files of an archive; run inside Pyodide by `compile.mjs`. Imports the standard library only."""

import ast
import importlib.util
import marshal
import types
import zipfile
from pathlib import PurePosixPath

UNCHECKED_HASH = 1
NO_DOCSTRINGS = 2
SLIMMED = {"bokeh", "jinja2", "markdown_it", "narwhals", "numpy", "panel", "param", "pyviz_comms", "xyzservices"}
LAZY = {f"panel/{name}__init__.py" for name in ("", "chat/", "layout/", "models/", "pane/", "template/", "widgets/")}
FIND = """
def __getattr__(name):
    from importlib import import_module
    if name.startswith("__"):
        raise AttributeError(name)
    source, attribute = _PLACES.get(name, (".", name))
    if not source.strip("."):
        source, attribute = source + attribute, ""
    try:
        found = import_module(source, __name__)
    except ModuleNotFoundError as error:
        raise AttributeError(name) from error
    globals()[name] = getattr(found, attribute) if attribute else found
    return globals()[name]
"""
HELP_KEYWORDS = {"doc", "help"}
ENTRY_INSTRUCTIONS = 8  # of a line table's entry, see CPython's InternalDocs/code_objects.md
LINE_ENTRY = 0xE8  # "no column info", with the number of instructions less one in the last three bits
Function = ast.FunctionDef | ast.AsyncFunctionDef
Documented = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Module
Block = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.If | ast.For | ast.While | ast.With | ast.Try


def compiled(name: str, source: bytes) -> bytes:
    """Return the .pyc of a module, valid whatever the time of its source.

    Third-party packages lose what the page never reads; Panel's packages import their parts when asked for them.
    """
    package = name.partition("/")[0]
    code: types.CodeType
    if package == "roofline_app":
        code = compile(source, name, "exec", optimize=NO_DOCSTRINGS, dont_inherit=True)
    else:
        tree = ast.parse(source)
        if name in LAZY:
            tree = lazy(tree)
        if package in SLIMMED:
            tree = slimmed(tree)
        level = NO_DOCSTRINGS
        if package == "numpy":  # edits its docstrings at import: they become empty
            tree, level = with_empty_docstrings(tree), 0
        code = without_lines(compile(tree, name, "exec", optimize=level, dont_inherit=True))
    flags = UNCHECKED_HASH.to_bytes(4, "little")
    return importlib.util.MAGIC_NUMBER + flags + importlib.util.source_hash(source) + marshal.dumps(code)


def with_empty_docstrings(tree: ast.Module) -> ast.Module:
    """Return a module whose docstrings are empty."""
    for node in ast.walk(tree):
        if isinstance(node, Documented) and ast.get_docstring(node, clean=False):
            node.body[0] = ast.Expr(ast.Constant(""))
    return ast.fix_missing_locations(tree)


def lazy(tree: ast.Module) -> ast.Module:
    """Return a package whose names are imported from its modules when first asked for."""
    places: dict[str, tuple[str, str]] = {}
    others: list[ast.stmt] = []
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.level:
            source = "." * node.level + (node.module or "")
            places |= {name.asname or name.name: (source, name.name) for name in node.names}
        else:
            others.append(node)
    assignment = ast.parse(f"_PLACES = {places!r}").body
    tree.body = [*others, *assignment, *ast.parse(FIND).body]
    return ast.fix_missing_locations(tree)


class _Slimmer(ast.NodeTransformer):
    """Removes annotations of functions, overloads, and the help texts of properties and parameters."""

    def visit_FunctionDef(self, node: Function) -> ast.AST | None:
        self.generic_visit(node)
        if any(ast.unparse(decorator).endswith("overload") for decorator in node.decorator_list):
            return None
        given = node.args
        for argument in (*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg):
            if argument is not None:
                argument.annotation = None
        node.returns = None
        return node

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        node.keywords = [keyword for keyword in node.keywords if not _is_help(keyword)]
        return node


def _is_help(keyword: ast.keyword) -> bool:
    """Return whether an argument is a text for the documentation."""
    value = keyword.value
    is_text = isinstance(value, ast.JoinedStr) or (isinstance(value, ast.Constant) and isinstance(value.value, str))
    return keyword.arg in HELP_KEYWORDS and is_text


def slimmed(tree: ast.Module) -> ast.Module:
    """Return a module without what only type checkers and documentation read; class annotations stay."""
    tree = _Slimmer().visit(tree)
    for node in ast.walk(tree):
        if isinstance(node, Block) and not node.body:
            node.body = [ast.Pass()]
    return ast.fix_missing_locations(tree)


def without_lines(code: types.CodeType) -> types.CodeType:
    """Return code whose instructions all belong to the first line; an empty table would break tracebacks."""
    constants = tuple(without_lines(c) if isinstance(c, types.CodeType) else c for c in code.co_consts)
    whole, rest = divmod(len(code.co_code) // 2, ENTRY_INSTRUCTIONS)
    last = bytes([LINE_ENTRY | (rest - 1), 0]) if rest else b""
    table = bytes([LINE_ENTRY | (ENTRY_INSTRUCTIONS - 1), 0]) * whole + last
    return code.replace(co_consts=constants, co_linetable=table)


def compile_archive(source: str, target: str) -> None:
    """Write an archive in which each importable .py of another is a .pyc.

    A file that does not compile (a template, a fixture) stays as it is.
    """
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        for name in sorted(old.namelist()):
            content = old.read(name)
            path = PurePosixPath(name)
            if path.suffix == ".py" and all(part.isidentifier() for part in path.with_suffix("").parts):
                name, content = _compiled_or_as_it_is(name, content)  # noqa: PLW2901 (one file, under its new name)
            new.writestr(zipfile.ZipInfo(name), content)


def _compiled_or_as_it_is(name: str, content: bytes) -> tuple[str, bytes]:
    """Return a module's .pyc under its name, or the file itself where it does not compile."""
    try:
        return f"{name}c", compiled(name, content)
    except SyntaxError:
        return name, content
