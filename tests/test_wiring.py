import json
import os
import subprocess
import sys

from tests.support.rows import check_rows

from mendel.settings import load_settings
from mendel.wiring import scrubber

OUTAGE = """
import asyncio
from mendel.contracts.errors import MachineryError
from mendel.ports.outages import Outage
from mendel.settings import load_settings
from mendel.wiring import open_log

async def main():
    async with open_log(load_settings().settings, create=True, announce=print):
        outage = Outage("the store", None)
        await outage.pause("password=hunter2hunter2 refused", MachineryError)
        outage.over()

asyncio.run(main())
"""


def test_diagnostics_go_to_standard_error_scrubbed(tmp_path):
    environment = {
        **os.environ,
        "MENDEL_LOG__BACKEND": "file",
        "MENDEL_TELEMETRY__LOG_JSON": "true",
        "DB_PASSWORD": "hunter2hunter2",
    }
    done = subprocess.run(
        [sys.executable, "-c", OUTAGE], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout == ""
    said = [json.loads(line) for line in done.stderr.splitlines()]
    assert [entry["event"] for entry in said] == ["log_writer_paused", "log_writer_resumed"]
    assert said[0]["reason"] == "password=[REDACTED] refused"


@check_rows(
    "address",
    [
        "postgresql://bob:hunter2hunter2@host/db",
        "host=h user=bob password=hunter2hunter2",
        "postgresql://host/db?user=bob&password=hunter2hunter2",
    ],
)
@check_rows("key", ["database.url", "database.owner_url", "redis.url"])
def test_the_scrubber_knows_the_passwords_of_the_settings(key, address):
    settings = load_settings(flags={key: address}, environ={}).settings
    assert "hunter2hunter2" not in scrubber(settings).text("my phrase is hunter2hunter2")
