"""Runs bytecode that no compiler would write."""

ATTACK = {
    "family": "crashes",
    "stopped_by": ["the fork is the program's own"],
    "lift": ["harness"],
    "expect": ["killed", "exception", "timeout", "value", "violation", "memory"],
    "proof": "harness",
    "limits": {"case_s": 5.0},
}

import types


def attack(host):
    code = attack.__code__.replace(co_code=bytes([100, 255, 100, 250, 83, 0] + [1, 0] * 40), co_consts=(), co_stacksize=1)
    return types.FunctionType(code, {})(1)
