"""Attacks by programs that were granted commands: each ends as an outcome of its own, and touches nothing.

The walls are the same for both ways in but for the mounts; so what the mounts stop is tried by both, the rest by one.
"""

from __future__ import annotations

import asyncio
import os
import platform
import secrets
import shutil
import socket
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
import pytest_asyncio
from tests.support import skip_or_fail

from mendel.adapters.sandbox.bubblewrap import bubblewrap
from mendel.adapters.sandbox.native import NativeSandbox
from mendel.contracts.errors import SandboxError
from mendel.contracts.evaluations import MIB, Evaluation
from mendel.ports.command_program import GRANTS, LIMITS, CommandResult, command_case, command_program, result_of

SMALL = replace(LIMITS, memory_bytes=128 * MIB, scratch_bytes=8 * MIB, scratch_files=200)
PLACES = "/ /usr /usr/bin /usr/local/bin /usr/lib /etc /etc/alternatives /dev /dev/shm /proc /sys /var /home /root"
TRACER = """
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <stdio.h>
#include <unistd.h>
int main(void) {
    pid_t child = fork();
    if (child == 0) { pause(); return 0; }
    if (ptrace(PTRACE_ATTACH, child, 0, 0) == 0 || ptrace(PTRACE_TRACEME, 0, 0, 0) == 0) puts("SUCCEEDED");
    return 0;
}
"""
# perl's own syscall(): number and arguments; each must fail
CALLS = {
    "ptrace": (101, 0), "process_vm_readv": (310, 1), "process_vm_writev": (311, 1), "mount": (165, 0),
    "umount2": (166, 0), "pivot_root": (155, 0), "chroot": (161, 0), "unshare": (272, 0x10000000), "setns": (308, 0),
    "clone_user": (56, 0x10000011), "keyctl": (250, 0), "add_key": (248, 0), "bpf": (321, 0), "io_uring": (425, 1),
    "userfaultfd": (323, 0), "perf_event_open": (298, 0), "kexec_load": (246, 0), "init_module": (175, 0),
    "finit_module": (313, 0), "socket_unix": (41, 1), "socket_inet": (41, 2), "socket_netlink": (41, 16),
    "memfd_create": (319, 0), "seccomp": (317, 0), "capset": (126, 0), "pidfd_getfd": (438, 0), "reboot": (169, 0),
    "setns_time": (308, 1), "execveat": (322, 0), "shmget": (29, 0), "personality": (135, 0), "fanotify": (300, 0),
    "sched_setaffinity": (203, 0), "setpriority": (141, 0), "prctl_dumpable": (157, 4), "name_to_handle": (303, 0),
}  # fmt: skip


@dataclass(frozen=True)
class Targets:
    """What attacks are after: a file, a variable, a server, and whoever leaves a process behind."""

    secret: str
    home: Path
    port: int
    mark: str

    def filled(self, text: str) -> str:
        values = {
            "HOME_": str(self.home),
            "PORT_": str(self.port),
            "MARK_": self.mark,
            "PLACES_": PLACES,
            "TEST_": __file__,
        }
        for name, value in values.items():
            text = text.replace(name, value)
        return text


BY_MOUNTS = {
    "reads_the_shadow_file": "cat /etc/shadow /etc/passwd /etc/group && echo SUCCEEDED",
    "reads_a_file_of_the_users": "cat HOME_/secret; ls -A HOME_ && echo SUCCEEDED; cat TEST_ && echo SUCCEEDED;"
    " find / -name secret -exec cat {} +",
    "writes_outside_its_scratch": 'for d in PLACES_ HOME_; do (: > "$d/written") && echo SUCCEEDED "$d"; done',
    "replaces_a_command": "cp /bin/true /usr/bin/awk && echo SUCCEEDED; ln -sf /bin/true /bin/sh && echo SUCCEEDED;"
    " rm -f /usr/bin/perl && echo SUCCEEDED; chmod 777 /usr/bin && echo SUCCEEDED",
    "gains_rights_by_setuid": "cp /usr/bin/id own; chmod 6755 own; ./own -u | grep -qx 65534 || echo SUCCEEDED;"
    " for c in su mount passwd; do $c </dev/null && echo SUCCEEDED; done; sudo -n true && echo SUCCEEDED",
    "reads_the_processes_of_others": "cat /proc/*/environ /proc/1/cmdline /proc/self/mounts && echo SUCCEEDED;"
    " ls /proc/* && echo SUCCEEDED; ps -e && echo SUCCEEDED",
}
BY_THE_REST = {
    "looks_for_the_environment": "env; export -p; set",
    "connects_by_the_shell": "bash -c 'exec 3<>/dev/tcp/127.0.0.1/PORT_ && echo SUCCEEDED';"
    " bash -c 'exec 3<>/dev/udp/127.0.0.1/PORT_ && echo SUCCEEDED'",
    "connects_by_perl": "perl -MSocket -e 'socket(S, PF_INET, SOCK_STREAM, 0) or die; print qq{SUCCEEDED}'",
    "connects_by_python": "python3 -c 'import socket; socket.create_connection((None, PORT_))' && echo SUCCEEDED",
    "makes_namespaces_and_mounts": "unshare -r true && echo SUCCEEDED; unshare -m true && echo SUCCEEDED; mkdir m;"
    " mount -t tmpfs x m && echo SUCCEEDED; mount --bind /usr m && echo SUCCEEDED; chroot / true && echo SUCCEEDED",
    "signals_everybody": "kill -STOP 1; kill -9 1; kill -9 -1; perl -e 'kill 9, -1; kill 9, 1 .. 4000'; echo SURVIVED",
    "bombs_by_forks": "bash -c ':(){ :|:& };:'; perl -e 'fork while 1'",
    "leaves_an_orphan": "setsid sh -c 'trap \"\" HUP TERM; sleep MARK_' & nohup sleep MARK_ >/dev/null 2>&1 &"
    " (perl -e 'fork and exit; exec qw(sleep MARK_)'); exit 0",
    "takes_memory": "perl -e '$x .= q{y} x 1000000 while 1'; echo ended",
    "takes_memory_in_many": "for i in 1 2 3 4 5 6 7 8; do perl -e '$x .= q{y} x 1000 for 1 .. 90000; sleep 9' &"
    " done; wait",
    "fills_the_disk": "head -c 1000000000 /dev/zero > big; ls -s --block-size=1 big | cut -d' ' -f1;"
    " rm big; i=0; while [ $i -lt 999 ] && : > f$i; do i=$((i+1)); done; [ $i -lt 200 ] || echo SUCCEEDED",
    "floods_its_output": "yes SOMETHING & yes SOMETHING >&2",
    "opens_every_descriptor": "for n in 3 4 5 6 7 8 9; do (echo x >&$n) 2>/dev/null && echo SUCCEEDED $n; done; exit 0",
    "raises_its_limits": "bash -c 'ulimit -u 9999 && echo SUCCEEDED; ulimit -v unlimited && echo SUCCEEDED;"
    " ulimit -n 9999 && echo SUCCEEDED; nice -n -5 true'; exit 0",
}
NEEDED = {"by_perl": "perl", "by_python": "python3", "by_the_shell": "bash", "namespaces": "unshare", "bombs": "bash"}
"""Part of an attack's name, and the command without which it would prove nothing."""


@pytest.fixture(scope="module")
def targets(tmp_path_factory):
    home = tmp_path_factory.mktemp("home")
    secret = secrets.token_hex(16)
    (home / "secret").write_text(secret)
    os.environ["MENDEL_TEST_SECRET"] = secret
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        yield Targets(secret, home, server.getsockname()[1], f"{secrets.randbelow(10**6) + 10**6}.5")
        with pytest.raises(BlockingIOError):  # nobody came
            server.accept()
    del os.environ["MENDEL_TEST_SECRET"]


async def attacked(sandbox, targets: Targets, step: str, *more: str, files=None, seconds=1.5) -> Evaluation:
    """Run the attack, and beside it an honest command of which it must know nothing."""
    case = command_case(*map(targets.filled, (step, *more)), seconds=seconds)
    honest = command_case("sleep 0.1; ls -A; cat honest.txt", seconds=20)
    evaluation, beside = await asyncio.gather(
        sandbox.evaluate(command_program(files or {}), [case], limits=SMALL, grants=GRANTS),
        sandbox.evaluate(command_program({"honest.txt": "honest"}), [honest], limits=SMALL, grants=GRANTS),
    )
    assert result_of(beside.outcomes[0]).output == "honest.txt\nmendel_command.py\nhonest"
    return evaluation


def touched_nothing(targets: Targets, evaluation: Evaluation) -> CommandResult | None:
    """Check that the attack ended, took nothing and left nothing; how its last command ended."""
    assert evaluation.outcomes[0].kind in {"value", "timeout", "memory", "killed"}
    assert evaluation.isolation.adoptable
    result = result_of(evaluation.outcomes[0])
    said = result.output + result.errors if result else ""
    assert "SUCCEEDED" not in said
    assert targets.secret not in said + evaluation.output
    assert [file.name for file in targets.home.iterdir()] == ["secret"]
    assert survivors(targets.mark) == []
    return result


def survivors(mark: str) -> list[str]:
    """Processes of this machine that were started with that word."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            words = (process / "cmdline").read_bytes().split(b"\0")
            found += [str(process)] if mark.encode() in words else []
    return found


class Attacked:
    """Attacks against a sandbox that ``sandbox`` gives."""

    use_bubblewrap = True

    @pytest_asyncio.fixture(scope="class", loop_scope="class")
    @classmethod
    async def sandbox(cls):
        if cls.use_bubblewrap and not bubblewrap():
            skip_or_fail("bubblewrap is not installed: apt install bubblewrap")
        async with NativeSandbox(workers=2, allow_commands=True, use_bubblewrap=cls.use_bubblewrap) as sandbox:
            try:
                await sandbox.evaluate(command_program({}), [command_case("true")], limits=LIMITS, grants=GRANTS)
            except SandboxError as error:
                skip_or_fail(str(error))
            yield sandbox

    @pytest.mark.parametrize("name", BY_MOUNTS)
    async def test_files_and_processes_of_others_are_out_of_reach(self, sandbox, targets, name):
        touched_nothing(targets, await attacked(sandbox, targets, BY_MOUNTS[name]))


@pytest.mark.asyncio(loop_scope="class")
class TestByOurOwnLauncher(Attacked):
    use_bubblewrap = False


@pytest.mark.asyncio(loop_scope="class")
class TestByBubblewrap(Attacked):
    @pytest.mark.parametrize("name", BY_THE_REST)
    async def test_the_sandbox_holds(self, sandbox, targets, name):
        needed = next((command for part, command in NEEDED.items() if part in name), "perl")
        if not shutil.which(needed, path="/usr/bin:/bin"):
            skip_or_fail(f"{needed} is not installed: apt install {needed}")
        touched_nothing(targets, await attacked(sandbox, targets, BY_THE_REST[name]))

    async def test_what_fills_the_disk_gets_its_own_share_of_it(self, sandbox, targets):
        step = "head -c 1000000000 /dev/zero > big; stat -c %s big"
        result = touched_nothing(targets, await attacked(sandbox, targets, step, seconds=10))
        assert 0 < int(result.output) <= SMALL.scratch_bytes

    async def test_memory_of_many_processes_is_counted_together_without_a_control_group(self, targets):
        async with NativeSandbox(workers=2, allow_commands=True, hidden={"cgroups"}) as sandbox:
            evaluation = await attacked(sandbox, targets, BY_THE_REST["takes_memory_in_many"], seconds=10)
        touched_nothing(targets, evaluation)
        assert evaluation.outcomes[0].error_code == "SANDBOX_MEMORY"

    async def test_an_attack_that_outlasts_its_case_is_ended_with_all_that_it_started(self, sandbox, targets):
        step = targets.filled("trap '' TERM HUP; setsid sleep MARK_ & sleep MARK_")
        limits = replace(LIMITS, case_s=1.0)
        case = command_case(step, seconds=600)
        evaluation = await sandbox.evaluate(command_program({}), [case], limits=limits, grants=GRANTS)
        assert evaluation.outcomes[0].error_code == "SANDBOX_TIMEOUT"
        touched_nothing(targets, evaluation)

    async def test_no_process_traces_another(self, sandbox, targets):
        if not shutil.which("gcc", path="/usr/bin:/bin"):
            skip_or_fail("gcc is not installed: apt install gcc")
        files = {"tracer.c": TRACER}
        evaluation = await attacked(sandbox, targets, "gcc tracer.c -o tracer", "./tracer", files=files, seconds=20)
        assert touched_nothing(targets, evaluation).status == 0

    async def test_dangerous_system_calls_are_refused(self, sandbox, targets):
        if platform.machine() != "x86_64" or not shutil.which("perl", path="/usr/bin:/bin"):
            skip_or_fail("the numbers are those of x86_64, and perl makes the calls: apt install perl")
        lines = [
            f"print '{name} SUCCEEDED ' unless syscall({n}, {a}, 0, 0, 0, 0) == -1 && $! == 1;"
            for name, (n, a) in CALLS.items()
        ]
        evaluation = await attacked(
            sandbox, targets, "perl calls.pl && echo told", files={"calls.pl": "\n".join(lines)}
        )
        assert touched_nothing(targets, evaluation).output == "told\n"

    async def test_a_file_that_is_called_like_a_module_does_not_answer_for_the_commands(self, sandbox, targets):
        forging = "class Popen:\n    def __init__(self, *_, **__):\n        raise SystemExit(0)\n"
        files = dict.fromkeys(("subprocess.py", "select.py", "resource.py", "signal.py", "time.py"), forging)
        result = touched_nothing(targets, await attacked(sandbox, targets, "echo honest", files=files))
        assert result.output == "honest\n"
