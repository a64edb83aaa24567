"""The process in which a replay runs can import nobody and reach nobody."""

import os
import subprocess
import sys

import pytest
from tests.support.rows import check_rows

from mendel.kernel.replay_process import FORBIDDEN


def locked_down(code):
    program = f"from mendel.kernel.replay_process import lock_down\nlock_down()\n{code}\nprint('got through')"
    environment = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-P", "-c", program]
    return subprocess.run(command, capture_output=True, text=True, env=environment)


@check_rows("module", FORBIDDEN)
def test_it_imports_nobody(module):
    done = locked_down(f"import {module}")
    assert "got through" not in done.stdout
    assert f"must not import {module}" in done.stderr


@pytest.mark.parametrize(
    "code",
    [
        "import socket; socket.create_connection(('127.0.0.1', 9))",
        "import socket; socket.getaddrinfo('example.org', 80)",
        "import os; os.system('true')",
        "import os; os.fork()",
        "import os; os.execv('/bin/true', ['true'])",
        "import os; os.posix_spawn('/bin/true', ['true'], {})",
        "open('written', 'w')",
        "from pathlib import Path; Path('written').write_text('x')",
        "import os; os.open('written', os.O_WRONLY | os.O_CREAT)",
        "import time; time.time()",
        "import time; time.sleep(1)",
        "import time; time.perf_counter()",
        "try:\n    import time; time.time()\nexcept Exception:\n    pass",
    ],
)
def test_it_reaches_nobody_and_no_clock(code, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = locked_down(code)
    assert "got through" not in done.stdout
    assert "ReachedOut" in done.stderr
    assert not list(tmp_path.iterdir())


def test_folding_needs_nothing_of_that():
    done = locked_down("import mendel.kernel.fold, mendel.kernel.digest, mendel.kernel.replaying")
    assert done.stdout == "got through\n"


def test_what_is_not_a_run_file_is_told_in_json():
    command = [sys.executable, "-P", "-m", "mendel.kernel.replay_process"]
    environment = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run(command, input=b"no run file\n", capture_output=True, env=environment)
    assert done.returncode == 1
    assert b'"code":"run_file"' in done.stdout
