"""Domains' tables in memory keep the contract."""

import pytest

from mendel.adapters.memory.domain_tables import MemoryTableStore
from mendel.conformance.domain_tables import TableStoreContract


class TestMemoryTableStore(TableStoreContract):
    @pytest.fixture
    def open_store(self):
        store = MemoryTableStore()

        async def open_store():
            return store

        return open_store
