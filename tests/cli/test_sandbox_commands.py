"""`mendel sandbox …`, on the real sandbox."""

import pytest
from tests.support import skip_or_fail

from mendel.adapters.host.kernel_features import usable
from mendel.adapters.sandbox import native

SOURCE = """
def double(number):
    print("doubling", number)
    return number * 2

def pair(left, right):
    return (left, right)

def wrong(number):
    raise ValueError(f"not {number}")

def escape():
    return open("/etc/passwd").read()

def loop():
    while True:
        pass

def counted(numbers):
    counted.calls = getattr(counted, "calls", 0) + 1
    return counted.calls
"""


@pytest.fixture(autouse=True, scope="module")
def walls():
    found = usable()
    if found["user"] != "ok" and found["landlock"] != "ok":
        skip_or_fail("no sandbox can be had here: sysctl -w user.max_user_namespaces=15000")


@pytest.fixture
def candidate(tmp_path):
    file = tmp_path / "candidate.py"
    file.write_text(SOURCE)
    return file


def outcome(mendel, *arguments):
    result = mendel("sandbox", "run", *arguments, "--json")
    assert result.code == 0
    return result.json["outcome"]


def test_a_value_comes_back_with_all_that_is_known_of_it(mendel, candidate):
    result = mendel("sandbox", "run", f"{candidate}:double", "--input", "[21]", "--json")
    assert result.code == 0
    told = result.json
    assert told["outcome"] == told["outcomes"][0]
    assert (told["outcome"]["kind"], told["outcome"]["value"]) == ("value", 42)
    assert told["output"] == "doubling 21\n"
    assert told["isolation"]["tier"] in ("full", "namespaces", "landlock")
    assert told["usage"]["cpu_s"] > 0
    assert told["usage"]["forks"] == 1


def test_values_that_json_lacks_cross_in_both_directions(mendel, candidate):
    given = '[{"$set": [1]}, {"$bytes": "aGk="}]'
    assert outcome(mendel, f"{candidate}:pair", "--input", given)["value"] == {
        "$tuple": [{"$set": [1]}, {"$bytes": "aGk="}]
    }


def test_what_the_program_does_is_no_failure_of_the_sandbox(mendel, candidate):
    raised = outcome(mendel, f"{candidate}:wrong", "--input", "[7]")
    assert (raised["kind"], raised["error_type"], raised["error_code"]) == (
        "exception",
        "ValueError",
        "SANDBOX_EXCEPTION",
    )
    assert (raised["message"], raised["line"]) == ("not 7", 10)
    assert outcome(mendel, f"{candidate}:escape")["error_type"] == "FileNotFoundError"
    assert outcome(mendel, f"{candidate}:loop", "--seconds", "0.2")["error_code"] == "SANDBOX_TIMEOUT"
    assert outcome(mendel, f"{candidate}:nobody")["error_code"] == "SANDBOX_LOAD_FAILED"


def test_several_inputs_are_several_cases_and_state_between_them_is_found(mendel, candidate):
    inputs = [word for number in range(4) for word in ("--input", f"[{number}]")]
    result = mendel("sandbox", "run", f"{candidate}:counted", *inputs, "--recheck", "1", "--json")
    assert [each["value"] for each in result.json["outcomes"]] == [1, 2, 3, 4]
    assert result.json["stateful"] is True


def test_for_people_it_is_one_line_for_each_input(mendel, candidate):
    result = mendel("sandbox", "run", f"{candidate}:double", "--input", "[1]", "--input", '["a"]', "--opcodes")
    assert "value 2" in result.out
    assert 'value "aa"' in result.out
    assert "opcodes" in result.out
    assert "sandbox full" in result.err or "sandbox" in result.err


def test_an_argument_from_standard_input(mendel, candidate, monkeypatch):
    monkeypatch.setattr("sys.stdin.read", lambda: "[5]", raising=False)
    assert outcome(mendel, f"{candidate}:double", "--input", "-")["value"] == 10


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["candidate.py:double", "--input", "{}"], "list of arguments"),
        (["candidate.py:double", "--input", "[1"], "not usable JSON"),
        (["candidate.py:double", "--input", '[{"$nothing": 1}]'], "known are"),
        (["candidate.py"], "FILE:FUNC"),
        (["nowhere.py:f"], "nowhere.py: cannot be read"),
        (["candidate.py:double", "--memory", "0"], "memory_bytes"),
        (["candidate.py:double", "--file", "x"], "NAME=PATH"),
        (["candidate.py:double", "--package", "nobody_has_this"], "pip install nobody_has_this"),
        (["candidate.py:double", "--network"], "does not allow it"),
    ],
)
def test_what_is_asked_wrongly_is_answered_with_what_to_do(mendel, candidate, arguments, said):
    result = mendel("sandbox", "run", *arguments)
    assert result.code == 2
    assert said in result.err


def test_doctor_names_every_layer(mendel):
    result = mendel("sandbox", "doctor", "--json")
    assert result.code == 0
    told = result.json
    assert told["adoptable"] is True
    assert {*told["layers"], *told["missing"]} == set(native.EVERY_LAYER)
    assert told["p50_ms"] > 0
    shown = mendel("sandbox", "doctor")
    for layer in native.EVERY_LAYER:
        assert layer in shown.out


def test_where_a_needed_layer_is_missing_it_refuses_names_it_and_goes_on_only_when_told(mendel, candidate, monkeypatch):
    monkeypatch.setattr(native.seccomp, "known", lambda _machine: False)
    refused = mendel("sandbox", "run", f"{candidate}:double", "--input", "[1]")
    assert refused.code == 4
    assert "seccomp" in refused.err
    assert "CONFIG_SECCOMP_FILTER" in refused.err
    allowed = mendel("sandbox", "run", f"{candidate}:double", "--input", "[1]", "--allow-weak-sandbox", "--json")
    assert allowed.code == 0
    assert allowed.json["isolation"]["tier"] == "weak"
    assert "WEAK SANDBOX" in allowed.err
    assert mendel("sandbox", "doctor").code == 4


def test_lint_says_where_and_what_to_do(mendel, tmp_path):
    file = tmp_path / "tool.py"
    file.write_text("import socket\n\n\ndef f():\n    return socket\n")
    result = mendel("sandbox", "lint", str(file), "--json")
    assert result.code == 1
    finding = result.json["findings"][0]
    assert (finding["code"], finding["line"], finding["column"]) == ("AST_IMPORT_FORBIDDEN", 1, 8)
    assert finding["hint"]
    assert mendel("sandbox", "lint", str(file), "--allow-import", "socket").code == 0
    assert mendel("sandbox", "lint", str(file), "--profile", "nobody").code == 2
    file.write_text("x = [][0]\n")
    assert mendel("sandbox", "lint", str(file)).code == 0
    loaded = mendel("sandbox", "lint", str(file), "--load", "--json")
    assert [(each["code"], each["line"]) for each in loaded.json["findings"]] == [("SANDBOX_EXCEPTION", 1)]
    file.write_bytes(b"\xff\xfe\x00" * 1_000)
    assert mendel("sandbox", "lint", str(file)).code == 1


def test_attack_prints_what_each_attempt_met(mendel):
    result = mendel("sandbox", "attack", "crash_null", "exec_system", "--json")
    assert result.code == 0
    assert [each["name"] for each in result.json["attacks"]] == ["crash_null", "exec_system"]
    assert not any(each["escaped"] or each["forged"] or each["disturbed"] for each in result.json["attacks"])
    shown = mendel("sandbox", "attack", "crash_null")
    assert "held crash_null" in shown.out
    assert "1 attacks in 1 families: 0 escapes, 0 forged results, 0 effects on the next program" in shown.out
    assert mendel("sandbox", "attack", "nobody_has_this").code == 2
