import ast
import builtins

from tests.support.rows import check_rows

from mendel.ports.lint import vocabulary
from mendel.ports.lint.members import public_members
from mendel.ports.lint.policies import POLICIES, PROGRAM, TOOL, TRAIT, policy_for


def test_a_tool_may_what_a_program_may():
    assert TOOL.builtins > PROGRAM.builtins > TRAIT.builtins
    assert set(TOOL.modules) > set(PROGRAM.modules) > set(TRAIT.modules)
    assert PROGRAM.dunders > TRAIT.dunders


@check_rows("policy", POLICIES.values())
def test_every_word_exists(policy):
    later = {"TypeAlias", "TypeVar", "ParamSpec", "TypeVarTuple"}
    assert all(hasattr(ast, name) for name in policy.syntax - later)
    assert all(hasattr(builtins, name) for name in policy.builtins)
    for module, members in policy.modules.items():
        assert members or public_members(module), module
        exceptions = {"os": {"path"}, "urllib": {"parse"}}.get(module, set())
        assert (members or frozenset()) - exceptions <= set(dir(__import__(module))), module


def test_every_builtin_of_this_python_is_known():
    unknown = {name for name in dir(builtins) if not name.startswith("_")} - vocabulary.BUILTINS
    assert unknown - {"True", "False", "None", "WindowsError"} == set()


@check_rows(
    ("module", "member", "offered"),
    [
        ("math", "sqrt", True),
        ("collections", "abc", True),
        ("collections", "_sys", False),
        ("enum", "sys", False),
        ("typing", "get_type_hints", False),
        ("sys", "maxsize", True),
        ("sys", "modules", False),
        ("os", "path", False),
    ],
)
def test_what_a_program_may_take_from_a_module(module, member, offered):
    assert PROGRAM.offers(module, member) == offered


def test_grants_reach_down_and_never_up():
    policy = policy_for("trait", ["a.b"])
    assert policy.imports("a.b")
    assert policy.imports("a.b.c")
    assert not policy.imports("a")
    assert not policy.imports("a.bc")
    assert policy.offers("a", "b")
    assert policy_for("trait") is TRAIT
