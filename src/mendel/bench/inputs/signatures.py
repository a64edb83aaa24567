"""A plan from the types of a function's parameters."""

from __future__ import annotations

import ast
import difflib
from collections.abc import Iterator
from typing import Final

from mendel.bench.inputs.annotations import Reader
from mendel.bench.inputs.classes import ClassReader, is_dataclass
from mendel.bench.inputs.graphs import with_graphs
from mendel.bench.inputs.kinds import BOOL, FloatKind, IntKind, Kind, ManyKind, TextKind
from mendel.bench.inputs.plan import InputPlan, Parameter, Receiver
from mendel.bench.inputs.scope import Scope
from mendel.bench.inputs.ties import likely
from mendel.bench.inputs.unusable import IsCode, Unusable
from mendel.breeding.code import Code, Function
from mendel.contracts.errors import NoInputs, NoSuchFunction

_DEFAULTS: Final[dict[type, Kind]] = {bool: BOOL, int: IntKind(), float: FloatKind(), str: TextKind()}


def plan_from_annotations(code: Code, qualname: str) -> InputPlan:
    """Return the plan that the types of the parameters define.

    A parameter with a default but without a usable type is never given, nor is any parameter after it.

    Raises:
        NoSuchFunction: the file has no function of that name.
        NoInputs: a parameter has no usable type; the message names it and what to add.
    """
    function = function_named(code, qualname)
    reader = Reader(Scope.of(code), variables=_type_variables(function))
    receiver, own = _receiver(code, qualname, function, reader)
    parameters = [Parameter(name=own.arg, of=_record(code, qualname, reader))] if receiver == "record" and own else []
    problems, code_wanted = _by_keyword_only(function), False
    for argument, default in _positional(function, skipped=receiver != "none"):
        try:
            parameters.append(_parameter(reader, argument, default))
        except Unusable as error:
            if default is not None:  # it keeps its default, and later parameters cannot be given without it
                break
            problems.append(f"parameter {argument.arg!r} {error}")
            code_wanted |= isinstance(error, IsCode)
    if problems:
        raise NoInputs((advice_on_code if code_wanted else advice)(function, qualname, problems))
    return InputPlan(parameters=tuple(parameters), relations=likely(parameters), receiver=receiver)


def function_named(code: Code, qualname: str) -> Function:
    """Return the function of that name.

    Raises:
        NoSuchFunction: there is none; the message offers the nearest names.
    """
    function = code.function(qualname)
    if function is not None:
        return function
    names = [name for name, _ in code.functions()]
    near = difflib.get_close_matches(qualname, names, 3, 0.4) or names[:5]
    offer = f"; there is {', '.join(near)}" if near else "; it has no functions"
    raise NoSuchFunction(f"{code.path} has no function {qualname!r}{offer}")


def advice(function: Function, qualname: str, problems: list[str]) -> str:
    """Return the error text: what is wrong, and every remedy."""
    first, *others = _example_names(function) or ["items"]
    name, call = function.name, ", ".join(["[2, 1]", *("3" for _ in others)])
    return (
        f"cannot make inputs for {qualname}: {'; '.join(problems)}. Add one of these: a type hint such as"
        f" `{first}: list[int]`; an example in its docstring such as `>>> {name}({call})`; `--tests FILE` with calls of"
        f" {name}; or a task.py with a generator"
    )


def advice_on_code(function: Function, qualname: str, problems: list[str]) -> str:
    """Return the error text for a function that takes functions or classes: what is wrong, and what would help."""
    return (
        f"cannot make inputs for {qualname}: {'; '.join(problems)}. Inputs must be plain data, also from a task.py."
        f" Move such a parameter to the end and give it a default, which is then used. Or write a function in the"
        f" same file, call_{function.name} say, that takes plain data and calls {qualname} with code of its own, and"
        f" name that function instead: the functions that it calls are improved with it"
    )


def _example_names(function: Function) -> list[str]:
    return [argument.arg for argument, _ in _positional(function, skipped=False) if argument.arg not in ("self", "cls")]


def _positional(function: Function, *, skipped: bool) -> Iterator[tuple[ast.arg, ast.expr | None]]:
    """Yield every positional parameter, with its default."""
    given = [*function.args.posonlyargs, *function.args.args]
    defaults = [None] * (len(given) - len(function.args.defaults)) + list(function.args.defaults)
    yield from list(zip(given, defaults, strict=True))[1 if skipped else 0 :]


def _by_keyword_only(function: Function) -> list[str]:
    pairs = zip(function.args.kwonlyargs, function.args.kw_defaults, strict=True)
    needed = [argument.arg for argument, default in pairs if default is None]
    return [f"parameter {name!r} can be given by keyword only, but inputs are positional" for name in needed]


def _parameter(reader: Reader, argument: ast.arg, default: ast.expr | None) -> Parameter:
    annotation = argument.annotation
    kind = with_graphs(_of_default(default) if annotation is None else reader.kind(annotation))
    if isinstance(kind, ManyKind) and "sorted" in argument.arg.lower():
        kind = kind.model_copy(update={"ascending": True})
    return Parameter(name=argument.arg, of=kind, optional=default is not None)


def _of_default(default: ast.expr | None) -> Kind:
    """Return the kind of a parameter without a type, from its default."""
    value = default.value if isinstance(default, ast.Constant) else None
    if type(value) not in _DEFAULTS:
        raise Unusable("has no type hint")
    return _DEFAULTS[type(value)]


def _type_variables(function: Function) -> frozenset[str]:
    """Return the type variables of ``def f[T](…)``, which is Python 3.12 syntax that 3.11 does not parse."""
    return frozenset(str(each.name) for each in getattr(function, "type_params", ()))


def _receiver(code: Code, qualname: str, function: Function, reader: Reader) -> tuple[Receiver, ast.arg | None]:
    """Return the owner of a method, and the parameter that stands for it."""
    owner = _owner(code, qualname)
    decorators = {ast.unparse(each) for each in function.decorator_list}
    given = [*function.args.posonlyargs, *function.args.args]
    if owner is None or "staticmethod" in decorators or not given:
        return "none", None
    if "classmethod" in decorators:
        return "class", given[0]
    if is_dataclass(owner) and owner.name in reader.scope.classes:
        return "record", given[0]
    _made_without_arguments(owner, qualname, function)
    return "instance", given[0]


def _record(code: Code, qualname: str, reader: Reader) -> Kind:
    owner = _owner(code, qualname)
    if owner is None:
        raise NoInputs(f"{qualname} is not a method")
    try:
        return with_graphs(ClassReader(reader.scope, reader.kind).kind(owner))
    except Unusable as error:
        raise NoInputs(f"cannot make inputs for {qualname}: its first parameter {error}") from None


def _owner(code: Code, qualname: str) -> ast.ClassDef | None:
    body, owner = code.tree.body, None
    for name in qualname.split(".")[:-1]:
        owner = next((node for node in body if isinstance(node, ast.ClassDef) and node.name == name), None)
        if owner is None:
            return None
        body = owner.body
    return owner


def _made_without_arguments(owner: ast.ClassDef, qualname: str, function: Function) -> None:
    for node in owner.body:
        if isinstance(node, Function) and node.name == "__init__":
            needed = [argument.arg for argument, default in _positional(node, skipped=True) if default is None]
            if needed:
                raise NoInputs(
                    f"cannot make inputs for {qualname}: {owner.name} cannot be made without"
                    f" {', '.join(needed)}, and is no dataclass. Make it a dataclass with type hints, give its"
                    f" parameters defaults, or move the work into a function that {function.name} then calls"
                )
