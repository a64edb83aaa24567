import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from jsonschema import Draft7Validator
from pydantic import ValidationError
from tests.support.rows import check_rows

from mendel.contracts.ids import new_task_id
from mendel.contracts.schema_files import schema_texts, write
from mendel.contracts.tasks import Result, Task

SCHEMAS = Path(__file__).parents[2] / "schemas"
MODELS = {"task": Task, "result": Result}

TASK = {
    "kind": "mutate",
    "id": new_task_id(),
    "payload": {"handler": "programs.mutate", "n": [1, None]},
    "requires": ["cpu", "docker"],
    "attempts": 0,
    "created_at": "2030-01-01T12:00:00Z",
    "schema_v": 1,
}
RESULT = {
    "task_id": TASK["id"],
    "status": "ok",
    "data": {"score": 1.5},
    "created_at": "2030-01-01T12:00:00.000001+02:00",
    "attempts": 1,
}
VALID = {"task": TASK, "result": RESULT}

# Seed 000, Appendix C, word for word but for the title.
SEED = {
    "task": {
        "required": ["kind", "id", "payload", "requires", "attempts", "created_at", "schema_v"],
        "properties": {
            "kind": {"type": "string", "enum": ["render", "mutate", "execute", "evaluate"]},
            "id": {"type": "string", "pattern": "^[0-9a-f]{16,}$"},
            "payload": {"type": "object"},
            "requires": {"type": "array", "items": {"type": "string"}},
            "attempts": {"type": "integer", "minimum": 0},
            "created_at": {"type": "string", "format": "date-time"},
            "schema_v": {"type": "integer", "minimum": 1},
        },
    },
    "result": {
        "required": ["task_id", "status", "data", "created_at", "attempts"],
        "properties": {
            "task_id": {"type": "string"},
            "status": {"type": "string", "enum": ["ok", "error", "skip"]},
            "data": {"type": "object"},
            "created_at": {"type": "string", "format": "date-time"},
            "attempts": {"type": "integer", "minimum": 1},
        },
    },
}

both = pytest.mark.parametrize("name", ["task", "result"])


def schema(name):
    return json.loads((SCHEMAS / f"{name}.schema.json").read_text())


def resolved(part, whole):
    """``part`` with its references into the definitions followed."""
    while "$ref" in part:
        part = whole["definitions"][part["$ref"].removeprefix("#/definitions/")]
    return part


def model_takes(name, instance):
    try:
        MODELS[name].model_validate_json(json.dumps(instance))
    except ValidationError:
        return False
    return True


def schema_takes(name, instance):
    return Draft7Validator(schema(name)).is_valid(instance)


def test_the_files_are_what_the_code_generates(tmp_path):
    write(tmp_path)
    assert {path.name: path.read_text() for path in SCHEMAS.glob("*.json")} == schema_texts()
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == schema_texts()


@both
def test_the_files_are_draft_07(name):
    assert schema(name)["$schema"] == "http://json-schema.org/draft-07/schema#"
    Draft7Validator.check_schema(schema(name))
    assert "$defs" not in json.dumps(schema(name))


@both
def test_what_the_seed_requires_is_required(name):
    ours = schema(name)
    assert sorted(ours["required"]) == sorted(SEED[name]["required"])
    for field, asked in SEED[name]["properties"].items():
        found = resolved(ours["properties"][field], ours)
        for key, value in asked.items():
            if isinstance(value, dict):
                assert value.items() <= found[key].items()
            else:
                assert found[key] == value, (field, key)


@both
def test_a_valid_instance_is_taken_by_both(name):
    assert schema_takes(name, VALID[name])
    assert model_takes(name, VALID[name])


@both
@pytest.mark.parametrize("field", ["kind", "id", "payload", "created_at", "attempts", "status", "data", "task_id"])
def test_a_missing_field_is_refused_by_both(name, field):
    if field in VALID[name]:
        instance = {key: value for key, value in VALID[name].items() if key != field}
        assert not schema_takes(name, instance)
        assert not model_takes(name, instance)


WRONG = [
    ("task", "kind", "destroy"),
    ("task", "kind", "RENDER"),
    ("task", "id", "0123456789abcde"),
    ("task", "id", "0123456789ABCDEF"),
    ("task", "id", "0123456789abcdeg"),
    ("task", "attempts", -1),
    ("task", "attempts", 0.5),
    ("task", "attempts", "0"),
    ("task", "attempts", True),
    ("task", "schema_v", 0),
    ("task", "payload", []),
    ("task", "requires", "cpu"),
    ("task", "requires", [""]),
    ("task", "requires", ["x" * 101]),
    ("task", "requires", [1]),
    ("task", "created_at", 0),
    ("task", "stray", 1),
    ("result", "status", "fine"),
    ("result", "attempts", 0),
    ("result", "attempts", "1"),
    ("result", "data", None),
    ("result", "task_id", 7),
    ("result", "created_at", None),
    ("result", "stray", 1),
]


@check_rows(("name", "field", "value"), WRONG)
def test_a_wrong_field_is_refused_by_both(name, field, value):
    instance = VALID[name] | {field: value}
    assert not schema_takes(name, instance)
    assert not model_takes(name, instance)


def test_a_time_without_its_zone_is_refused():
    assert not model_takes("task", TASK | {"created_at": "2030-01-01T12:00:00"})


json_text = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.just(0.5) | json_text,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(json_text, inner, max_size=3),
    max_leaves=5,
)
likely = st.sampled_from(["render", "ok", "0" * 16, "f" * 15, "A" * 16, "1", -1, 0, 1, True, {}, [], ["cpu"], [""]])


@settings(max_examples=400, deadline=None)
@given(st.sampled_from(["task", "result"]), st.data())
def test_schema_and_model_agree(name, data):
    """Dates apart: to a JSON Schema a format is a remark. And in Python's patterns ``$`` stops before a newline."""
    field = data.draw(st.sampled_from([*VALID[name], "stray"]))
    value = data.draw(likely | json_values)
    assume(not (field == "created_at" and isinstance(value, str)))
    assume(not (field == "id" and isinstance(value, str) and value.endswith("\n")))
    instance = VALID[name] | {field: value}
    assert schema_takes(name, instance) == model_takes(name, instance)


tasks = st.builds(
    Task,
    kind=st.sampled_from(["render", "mutate", "execute", "evaluate"]).map(Task.model_fields["kind"].annotation),
    id=st.from_regex(r"[0-9a-f]{16,40}", fullmatch=True),
    payload=st.dictionaries(json_text, json_values, max_size=3),
    requires=st.lists(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=100), max_size=3).map(
        tuple
    ),
    attempts=st.integers(0, 10**6),
    created_at=st.datetimes(timezones=st.just(UTC)),
    schema_v=st.integers(1, 9),
)


@given(tasks)
def test_every_task_that_can_be_made_fits_its_schema_and_comes_back(task):
    instance = json.loads(task.model_dump_json())
    assert schema_takes("task", instance)
    assert Task.model_validate_json(json.dumps(instance)) == task


def test_a_task_travels_with_its_microseconds():
    at = datetime(2030, 1, 1, 12, 0, 0, 1, tzinfo=UTC)
    task = Task.model_validate_json(json.dumps(TASK | {"created_at": at.isoformat()}))
    assert task.created_at == at
