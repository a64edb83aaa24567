from importlib.metadata import EntryPoint

import pytest

from mendel.contracts.errors import BrokenPlugin, UnknownPlugin
from mendel.ports import handlers


def test_a_handler_nobody_has_is_answered_with_the_known_ones():
    with pytest.raises(UnknownPlugin, match=r"mendel\.task_handlers has no"):
        handlers.find_handler("nobody.has_this")


def test_what_cannot_be_called_is_no_handler(monkeypatch):
    monkeypatch.setattr(handlers, "resolve", lambda _group, _name: 7)
    with pytest.raises(BrokenPlugin, match="int, not a function"):
        handlers.find_handler("sample.look")


def test_a_handler_is_what_its_entry_point_names(monkeypatch):
    entry = EntryPoint("sample.look", "builtins:len", handlers.GROUP)
    monkeypatch.setattr(handlers, "resolve", lambda _group, _name: entry.load())
    assert handlers.find_handler("sample.look") is len


def test_a_second_argument_is_for_the_ports():
    class Callable:
        async def __call__(self, work, ports): ...

    async def both(work, ports): ...
    async def one(work): ...
    async def more(work, *, pause=1): ...
    async def preset(work, pause=1): ...

    assert handlers.takes_ports(both)
    assert handlers.takes_ports(Callable())
    assert not any(map(handlers.takes_ports, (one, more, preset, print)))
