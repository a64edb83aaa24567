"""Samples for the contract suite of port ``Sandbox``: values that cross the boundary, and programs."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Mapping
from decimal import Decimal
from typing import Final

from mendel.contracts.plain_values import PlainValue

_HOUR: Final = dt.timedelta(hours=1)
_ZONE: Final = dt.timezone(-9.5 * _HOUR)
_DAY: Final = dt.datetime(1, 1, 1)

# One member in each set: the order of members is undefined and would show in a repr.
VALUES: Final[tuple[PlainValue, ...]] = (
    None, True, False,
    0, -1, 2**63 - 1, -(2**63), 2**63, 2**64, -(2**64), 7**1_000, -(7**1_000), 256, -256, 2**127,
    0.0, -0.0, 0.1, 1e308, 5e-324, math.inf, -math.inf, math.nan,
    0j, complex(-0.0, -0.0), complex(math.nan, math.inf), 1.5 - 2.5j,
    "", "plain", "ü\0\n\u2028\U0001f600", "\ud800", "a\udfff\ud800b", "x" * 100_000,
    b"", bytes(range(256)), bytearray(), bytearray(b"\0\xff"),
    [], [[]], [1, 2, 3], [1, 2, 3, 4], [1, 2, 3, 2**63], [1.0, -0.0, math.inf, 0.5], [1, 2.0, 3, 4.0],
    [True, 1, 1.0, 2],
    (), ((),), (1, 2, 3, 4, 5), (None, (True, ("deep", [b"x", {"k": (0.5,)}]))),
    set(), {1}, {(1, "a")}, {frozenset({2.5})}, frozenset(), frozenset({"x"}), frozenset({frozenset()}),
    {}, {"b": 1, "a": 2}, {1: [1], 2: [2], 3: [3], 4: [4]}, {None: {}, (1, 2): {"x": {True}}, 0.5: b""},
    dt.date.min, dt.date.max, dt.date(2_024, 2, 29),
    dt.time(), dt.time(23, 59, 59, 999_999, fold=1), dt.time(1, 2, 3, 4, _ZONE),
    dt.datetime.min, dt.datetime.max, _DAY.replace(fold=1), _DAY.replace(tzinfo=dt.UTC), _DAY.replace(tzinfo=_ZONE),
    dt.timedelta(0), dt.timedelta.min, dt.timedelta.max, dt.timedelta(microseconds=-1),
    dt.UTC, _ZONE, dt.timezone(dt.timedelta(hours=23, minutes=59, seconds=59, microseconds=999_999)),
    Decimal("0"), Decimal("-0.00"), Decimal("1.10"), Decimal("-1E+400"), Decimal("NaN"), Decimal("sNaN12"),
    Decimal("-Infinity"), Decimal(7) ** 25,
)  # fmt: skip
"""Every plain type, with extreme and ordinary values."""

STRANGERS: Final[Mapping[str, str]] = {
    "class": "class C:\n    pass\n\ndef f():\n    return C()\n",
    "dataclass": "import dataclasses\n@dataclasses.dataclass\nclass C:\n    x: int\n\ndef f():\n    return C(1)\n",
    "subclass of list": "class L(list):\n    pass\n\ndef f():\n    return L()\n",
    "subclass of int": "class I(int):\n    pass\n\ndef f():\n    return I(1)\n",
    "subclass of str": "class S(str):\n    pass\n\ndef f():\n    return {'a': [S('x')]}\n",
    "subclass of dict": "import collections\n\ndef f():\n    return collections.OrderedDict(a=1)\n",
    "named tuple": "import collections\n\ndef f():\n    return collections.namedtuple('P', 'x')(1)\n",
    "member of an enum": "import enum\nclass E(enum.IntEnum):\n    A = 1\n\ndef f():\n    return [E.A] * 9\n",
    "generator": "def f():\n    return (n for n in range(3))\n",
    "range": "def f():\n    return range(3)\n",
    "function": "def f():\n    return f\n",
    "class itself": "def f():\n    return int\n",
    "module": "import math\n\ndef f():\n    return math\n",
    "object": "def f():\n    return object()\n",
    "exception": "def f():\n    return ValueError(1)\n",
    "memory": "def f():\n    return memoryview(b'x')\n",
    "fraction": "import fractions\n\ndef f():\n    return fractions.Fraction(1, 3)\n",
    "key": "class K:\n    pass\n\ndef f():\n    return {K(): 1}\n",
    "zone of its own": "import datetime as d\nclass Z(d.tzinfo): pass\n\ndef f():\n    return d.time(tzinfo=Z())\n",
    "name too long to tell": "def f():\n    return type('A' * 10_000_000, (), {})()\n",
}
"""Programs that return something that must not cross."""

LOAD_FAILURES: Final[Mapping[str, tuple[str, str, int | None]]] = {
    "syntax": ("x = 1\ndef f(:\n    pass\n", "SyntaxError", 2),
    "null byte": ("x = '\0'\n", "SyntaxError", None),
    "import": ("\nimport no_such_module_at_all\n", "ModuleNotFoundError", 2),
    "name": ("import math\n\nfrom math import no_such_name\n", "ImportError", 3),
    "entry": ("def g():\n    pass\n", "AttributeError", None),
    "raises": ("def g():\n    raise KeyError('no')\n\ng()\n", "KeyError", 2),
    "exits": ("raise SystemExit(0)\n", "SystemExit", 1),
    "interrupts": ("raise KeyboardInterrupt\n", "KeyboardInterrupt", 1),
}
"""Programs that cannot be loaded, with the type and line of their error."""

HOSTILE_EXCEPTIONS: Final[Mapping[str, str]] = {
    "raises": "def __str__(self):\n        raise ValueError('ha')",
    "exits": "def __str__(self):\n        raise SystemExit(0)",
    "no text": "def __str__(self):\n        return 3",
    "text of its own kind": "def __str__(self):\n        return T('ha')",
    "endless text": "def __str__(self):\n        return 'x' * 50_000_000",
    "surrogates": "def __str__(self):\n        return chr(0xd800)",
    "attributes": "def __getattribute__(self, name):\n        raise ValueError('ha')",
}
"""Bodies of an exception class that prevents its own description."""

HOSTILE_TEXT: Final = "class T(str):\n    def __getitem__(self, key):\n        return object()\n\n"

STATEFUL: Final[Mapping[str, str]] = {
    "counts": "n = 0\n\ndef f(x):\n    global n\n    n += 1\n    return n\n",
    "remembers": "seen = []\n\ndef f(x):\n    seen.append(x)\n    return sum(seen)\n",
    "default": "def f(x, seen={}):\n    seen[x] = 1\n    return len(seen)\n",
    "fails once": "n = []\n\ndef f(x):\n    n.append(x)\n    if len(n) > 4:\n        raise ValueError\n    return x\n",
    "draws": "import random\n\ndef f(x):\n    return random.random()\n",
}
"""Programs with answers that depend on earlier cases."""

PURE: Final[Mapping[str, str]] = {
    "number": "def f(x):\n    return x * 2\n",
    "nan": "def f(x):\n    return [float('nan'), {(float('nan'), x): float('nan')}, {float('nan')}]\n",
    "decimal": "from decimal import Decimal as D\n\ndef f(x):\n    return D('NaN'), D('sNaN'), {D('NaN')}\n",
    "raises": "def f(x):\n    raise ValueError(x)\n",
    "set of texts": "def f(x):\n    return {str(n) for n in range(100)}, [*{'a', 'b', 'c', 'd', 'e'}]\n",
    "remembers answers": "import functools\n\n@functools.cache\ndef f(x):\n    return x * 2\n",
}
"""Programs with answers that do not depend on earlier cases."""

MARKS: Final[Mapping[str, tuple[str, str]]] = {
    "module": ("import math\nmath.mark = 1", "import math\nfound = hasattr(math, 'mark')"),
    "builtin": (
        "import builtins\nbuiltins.sorted = builtins.mark = str",
        "import builtins\nfound = sorted('ba') != ['a', 'b'] or hasattr(builtins, 'mark')",
    ),
    "environment": ("import os\nos.environ['MARK'] = '1'", "import os\nfound = bool(os.environ)"),
    "loaded module": ("import sys\nsys.modules['mark'] = sys", "import sys\nfound = 'mark' in sys.modules"),
    "globals": ("mark = 1", "found = 'mark' in globals()"),
    "path": ("import sys\nsys.path.insert(0, 'mark')", "import sys\nfound = 'mark' in sys.path"),
    "finder": ("import sys\nsys.meta_path.append(None)", "import sys\nfound = None in sys.meta_path"),
    "context": (
        "import decimal\ndecimal.getcontext().prec = 3",
        "import decimal\nfound = decimal.getcontext().prec == 3",
    ),
    "recursion": ("import sys\nsys.setrecursionlimit(3_000)", "import sys\nfound = sys.getrecursionlimit() == 3_000"),
    "file": ("open('mark', 'w').write('x')", "import os\nfound = os.listdir('.') != []"),
    "hidden file": (
        "import os\nos.mkdir('a')\nopen('a/mark', 'w').close()\nfor path in ('a', '.'):\n    os.chmod(path, 0)",
        "import os\nfound = os.listdir('.') != []\nopen('x', 'w').close()",
    ),
    "folder": ("import os\nos.mkdir('d')\nos.chdir('d')", "import os\nfound = os.getcwd().endswith('d')"),
    "signal": (
        "import signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)",
        "import signal\nfound = signal.getsignal(signal.SIGTERM) == signal.SIG_IGN",
    ),
    "output": ("import sys\nsys.stdout = None", "import sys\nfound = sys.stdout is None"),
}
"""Traces that a program could leave behind, with code by which the next program would find them."""
