"""The native sandbox keeps the contract, entered by bubblewrap and by our own launcher."""

from functools import partial

import pytest

from mendel.adapters.sandbox.native import NativeSandbox
from mendel.conformance.sandbox import SandboxContract


class TestByBubblewrap(SandboxContract):
    @pytest.fixture(scope="class")
    @classmethod
    def open_sandbox(cls):
        return NativeSandbox


class TestByOurOwnLauncher(SandboxContract):
    @pytest.fixture(scope="class")
    @classmethod
    def open_sandbox(cls):
        return partial(NativeSandbox, use_bubblewrap=False)
