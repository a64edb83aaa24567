"""The words that each profile may use. They are allow-lists: everything that is not listed is refused.

The one exception are attributes without double underscores, which honest code may choose freely; there, ``INTERNALS``
lists the few that lead from a value into the interpreter.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

_words: Final = str.split

# --- syntax --------------------------------------------------------------------------------------------------------

TRAIT_SYNTAX: Final = frozenset(
    _words("""
    Module Expr Pass Assign AugAssign AnnAssign Delete Return Raise Assert If For While Break Continue Try
    FunctionDef AsyncFunctionDef Await ClassDef Lambda Nonlocal Import ImportFrom alias arguments arg keyword
    Name Constant Attribute Subscript Slice Starred Call Tuple List Set Dict JoinedStr FormattedValue
    BoolOp BinOp UnaryOp Compare IfExp NamedExpr ListComp SetComp DictComp GeneratorExp comprehension Yield YieldFrom
    ExceptHandler Match match_case MatchValue MatchSingleton MatchSequence MatchMapping MatchClass MatchStar MatchAs
    MatchOr
    """)
)
PROGRAM_SYNTAX: Final = (TRAIT_SYNTAX - {"AsyncFunctionDef", "Await"}) | frozenset(
    _words("With withitem Global TryStar TypeAlias TypeVar ParamSpec TypeVarTuple")
)

# --- builtins ------------------------------------------------------------------------------------------------------

_PLAIN_EXCEPTIONS: Final = frozenset(
    _words("""
    Exception ArithmeticError AssertionError AttributeError BufferError EOFError FloatingPointError IndexError KeyError
    LookupError MemoryError NameError NotImplementedError OSError OverflowError RecursionError ReferenceError
    RuntimeError StopAsyncIteration StopIteration SyntaxError SystemError TimeoutError TypeError UnboundLocalError
    UnicodeDecodeError    UnicodeEncodeError UnicodeError UnicodeTranslateError ValueError
    ZeroDivisionError IndentationError TabError
    """)
)
TRAIT_BUILTINS: Final = _PLAIN_EXCEPTIONS | frozenset(
    _words("""
    Ellipsis NotImplemented abs all any ascii bin bool bytearray bytes callable chr classmethod complex dict divmod
    enumerate filter float format frozenset hash hex int isinstance issubclass iter len list map max min next object oct
    ord pow property range repr reversed round set slice sorted staticmethod str sum super tuple type zip
    """)
)
PROGRAM_BUILTINS: Final = TRAIT_BUILTINS | frozenset(
    _words("""
    print id memoryview getattr hasattr setattr delattr BaseException BaseExceptionGroup ExceptionGroup GeneratorExit
    ImportError ModuleNotFoundError KeyboardInterrupt FileNotFoundError FileExistsError PermissionError
    IsADirectoryError NotADirectoryError InterruptedError BrokenPipeError IOError EnvironmentError ConnectionError
    Warning DeprecationWarning RuntimeWarning UserWarning FutureWarning SyntaxWarning
    """)
)
TOOL_BUILTINS: Final = PROGRAM_BUILTINS | {"open", "input", "SystemExit"}
BUILTINS: Final = TOOL_BUILTINS | frozenset(
    _words("""
    __build_class__ __debug__ __import__ aiter anext breakpoint compile copyright credits delattr dir eval exec exit
    getattr globals hasattr help id input license locals memoryview open print quit setattr vars
    BlockingIOError ChildProcessError ConnectionAbortedError ConnectionRefusedError ConnectionResetError
    ProcessLookupError BytesWarning EncodingWarning ImportWarning PendingDeprecationWarning ResourceWarning
    UnicodeWarning PythonFinalizationError
    """)
)
"""Every name that the interpreter provides, whether or not a profile grants it."""

BY_LITERAL_NAME: Final[Mapping[str, int]] = MappingProxyType(
    {"getattr": 1, "hasattr": 1, "setattr": 1, "delattr": 1, "__setattr__": 1}
)
"""Calls that access an attribute by name, with the index of the name's argument, which must be a literal."""

MODULE_NAMES: Final = frozenset({"__name__", "__doc__", "__debug__"})
"""Names that every module has without binding them."""

# --- attributes ----------------------------------------------------------------------------------------------------

_OPERATORS: Final = (
    _words("add sub mul matmul truediv floordiv mod divmod pow lshift rshift and xor or"),
    _words("neg pos abs invert complex int float index round trunc floor ceil bool"),
    _words("lt le eq ne gt ge hash len length_hint getitem setitem delitem contains missing iter next reversed"),
    _words("init post_init call repr str format bytes slots match_args doc name qualname version author all"),
)
_WORDS: Final = [word for group in _OPERATORS for word in group]
TRAIT_DUNDERS: Final = frozenset(
    {f"__{word}__" for word in _WORDS} | {f"__{side}{word}__" for side in "ri" for word in _OPERATORS[0]}
)
"""Names with two underscores at each end that code may define and read: the protocols of values."""

PROGRAM_DUNDERS: Final = TRAIT_DUNDERS | frozenset(
    _words("""
    __new__ __enter__ __exit__ __copy__ __deepcopy__ __getattr__ __setattr__ __delattr__ __get__ __set__ __delete__
    __set_name__ __class_getitem__ __init_subclass__ __subclasshook__ __instancecheck__ __sizeof__ __dir__ __class__
    __getnewargs__ __getstate__ __setstate__ __reduce__ __module__ __main__ __future__
    """)
)
DEFINED_ONLY: Final = frozenset(
    _words("""
    __getattr__ __setattr__ __delattr__ __get__ __set__ __delete__ __dir__ __subclasshook__ __instancecheck__ __reduce__
    __getstate__ __setstate__ __main__ __future__
    """)
) | {f"__{word}__" for word in ("version", "author", "all")}
"""Those of them that may be defined in a class or spelled in a string, but not read from a value."""

INTERNALS: Final = frozenset(
    _words("""
    gi_frame gi_code gi_yieldfrom gi_running gi_suspended cr_frame cr_code cr_await cr_origin cr_running cr_suspended
    ag_frame ag_code ag_await ag_running ag_suspended tb_frame tb_next tb_lasti tb_lineno
    f_back f_builtins f_code f_globals f_locals f_lasti f_lineno f_trace f_trace_lines f_trace_opcodes f_generator
    co_code co_consts co_names co_varnames co_freevars co_cellvars co_filename co_positions co_lines co_exceptiontable
    func_globals func_code func_closure func_defaults im_class im_func im_self cell_contents mro
    """)
)
SPELLED: Final = frozenset(
    _words("""
    __globals__ __builtins__ __subclasses__ __bases__ __base__ __mro__ __code__ __closure__ __dict__ __import__
    __loader__ __spec__ __self__ __func__ __wrapped__ __traceback__ __context__ __cause__ __getattribute__ __reduce__
    __reduce_ex__ __annotations__ __defaults__ __kwdefaults__ __file__ __path__ __package__ __cached__ __build_class__
    __weakref__ __prepare__ __objclass__ __mro_entries__ __thisclass__ __self_class__ __init_subclass__ __class__
    __subclasshook__ __getattr__ __setattr__ __delattr__ __orig_bases__
    """)
)
"""Names that a string may not contain, unless the profile lets code define them: they lead into the interpreter."""

# --- modules -------------------------------------------------------------------------------------------------------

Members = frozenset[str] | None
"""The usable members of a module; None means all public ones."""


TRAIT_MODULES: Final[Mapping[str, Members]] = MappingProxyType(
    dict.fromkeys(
        _words("__future__ math random dataclasses typing enum collections collections.abc functools itertools")
    )
)
_LIMITS: Final = (
    "maxsize float_info int_info hash_info version_info byteorder getrecursionlimit setrecursionlimit intern getsizeof"
)
PROGRAM_MODULES: Final[Mapping[str, Members]] = MappingProxyType(
    {
        **TRAIT_MODULES,
        **dict.fromkeys(
            _words("""
            abc array base64 binascii bisect calendar cmath colorsys contextlib copy datetime decimal difflib fractions
            graphlib hashlib heapq hmac html html.entities json keyword numbers operator queue re reprlib
            statistics string struct textwrap tomllib unicodedata weakref zlib
            """)
        ),
        "ast": frozenset(_words("literal_eval")),
        "io": frozenset(_words("StringIO BytesIO")),
        "sys": frozenset(_words(_LIMITS)),
        "warnings": frozenset(_words("warn simplefilter filterwarnings")),
        "types": frozenset(
            _words("SimpleNamespace MappingProxyType GenericAlias UnionType NoneType NotImplementedType EllipsisType")
        ),
    }
)
TOOL_MODULES: Final[Mapping[str, Members]] = MappingProxyType(
    {
        **PROGRAM_MODULES,
        **dict.fromkeys(
            _words("""
            argparse bz2 configparser csv fnmatch getopt glob gzip io lzma os.path pathlib pprint shlex stat time
            urllib.parse zoneinfo
            """)
        ),
        "os": frozenset(_words("path sep linesep fspath")),
        "sys": frozenset(_words(_LIMITS + " argv stdin stdout stderr exit platform")),
        "urllib": frozenset(_words("parse")),
    }
)
REFUSED_MEMBERS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "string.Formatter": "use an f-string",
        "typing.get_type_hints": "it evaluates text; leave it out",
        "typing.ForwardRef": "it evaluates text; leave it out",
        "typing.evaluate_forward_ref": "it evaluates text; leave it out",
        "functools.singledispatch": "it evaluates annotations; use isinstance or match",
        "functools.singledispatchmethod": "it evaluates annotations; use isinstance or match",
        "dataclasses.make_dataclass": "write the class out",
        "enum.global_enum": "name the members through their class",
        "contextlib.chdir": "there is no folder to change to",
        "random.SystemRandom": "use random.Random with a seed",
    }
)
"""Public members that would circumvent the rules, with the advice on what to do instead."""

BARE_CALLS: Final[Mapping[str, int]] = MappingProxyType({"functools.wraps": 1, "functools.update_wrapper": 2})
"""Members that accept a choice of attributes to copy; with at most this many arguments they use the default."""

LITERAL_CALLS: Final = frozenset({"operator.attrgetter", "operator.methodcaller"})
"""Members that access attributes by name; the names must be literals."""

INSTEAD: Final[Mapping[str, str]] = MappingProxyType(
    {
        "eval": "compute the value in code; ast.literal_eval reads literals in a program",
        "exec": "write the code out",
        "compile": "write the code out",
        "__import__": "import at the top of the file",
        "open": "take the data as an argument and return the result",
        "input": "take the data as an argument",
        "print": "store what should be seen in a field",
        "getattr": "write the attribute out",
        "setattr": "assign the attribute",
        "hasattr": "give the attribute a default in __init__",
        "delattr": "set the attribute to None",
        "globals": "pass the values as arguments",
        "locals": "pass the values as arguments",
        "vars": "name the attributes",
        "dir": "name the attributes",
        "id": "compare with `is`, or give things a number of your own",
        "exit": "return from the function",
        "quit": "return from the function",
        "SystemExit": "return from the function",
        "breakpoint": "remove it",
        "help": "remove it",
        "memoryview": "slice the bytes",
        "BaseException": "catch Exception, or better the error that you expect",
    }
)
"""Advice on what to use instead of a builtin."""
