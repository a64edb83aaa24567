import asyncio

import psycopg
import pytest

from mendel.adapters.postgres.database import Database
from mendel.adapters.postgres.listener import Listener
from mendel.contracts.errors import DatabaseNotReady


async def test_nobody_waits_for_a_listener_that_may_not_listen(server, fresh_database):
    with psycopg.connect(server.conninfo(dbname="postgres"), autocommit=True) as conn:
        conn.execute("CREATE ROLE outsider LOGIN")
    listener = Listener(Database(server.conninfo(user="outsider", dbname=fresh_database)))
    try:
        with pytest.raises(DatabaseNotReady):
            async with asyncio.timeout(30), listener.watch("run"):
                pass
    finally:
        with psycopg.connect(server.conninfo(dbname="postgres"), autocommit=True) as conn:
            conn.execute("DROP ROLE outsider")
