"""The native sandbox keeps the contract, entered by bubblewrap and by our own launcher."""

import pytest_asyncio

from mendel.adapters.sandbox.native import NativeSandbox
from mendel.conformance.sandbox import SandboxContract


class TestByBubblewrap(SandboxContract):
    @pytest_asyncio.fixture(scope="class", loop_scope="class")
    @classmethod
    async def sandbox(cls):
        async with NativeSandbox() as sandbox:
            yield sandbox


class TestByOurOwnLauncher(SandboxContract):
    @pytest_asyncio.fixture(scope="class", loop_scope="class")
    @classmethod
    async def sandbox(cls):
        async with NativeSandbox(use_bubblewrap=False) as sandbox:
            yield sandbox
