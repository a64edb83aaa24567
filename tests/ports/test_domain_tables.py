"""What a domain may declare of its tables; how stores keep them is in their contract suites."""

import pytest

from mendel.contracts.errors import InvalidRow
from mendel.ports.domain_tables import Column, DomainTables, Retention, Table

PEA, AT = Column("pea", "text"), Column("at", "time", nullable=True)

PEAS = Table(name="peas", columns=(PEA,), key=("pea",))


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"name": "Peas"}, "'Peas' is no valid name: use up to 30 lower-case letters, digits and _, beginning"),
        ({"columns": (Column("a b", "text"), PEA)}, "'a b' is no valid name"),
        ({"columns": (PEA, PEA)}, "column names must be unique"),
        ({"columns": (PEA, Column("run_id", "text"))}, "run_id is reserved"),
        ({"key": ()}, "it has no key"),
        ({"key": ("pod",)}, "no column 'pod'"),
        ({"key": ("at",)}, "'at' is part of the key and cannot be null"),
        ({"unique": (("pod",),)}, "no column 'pod'"),
        ({"indexes": (("pod",),)}, "no column 'pod'"),
        ({"retention": Retention(by="pod", rows=1)}, "no column 'pod'"),
        ({"retention": Retention(by="pea", age_s=1)}, "a column of the kind time"),
        ({"retention": Retention(by="at", rows=-1)}, "rows of its retention is -1, not a number from 0"),
        ({"retention": 100}, "retention is 100, not a Retention"),
        ({"columns": [PEA]}, "not a tuple of Column"),
        ({"columns": (PEA, ("at", "time"))}, "not a tuple of Column"),
        (
            {"columns": (PEA, Column("liking", "float"))},
            "'peas'.*'liking' is of the kind 'float'; known are text,",
        ),
        ({"columns": (PEA, Column("ctid", "text"))}, "PostgreSQL has a column ctid of its own"),
        ({"columns": (Column("pea", "text", at_least=1),)}, "has bounds, which a column of the kind text cannot have"),
        (
            {"columns": (PEA, Column("g", "real", at_least=2, at_most=1))},
            "2 and at most 1, which no number satisfies",
        ),
        ({"columns": (PEA, Column("g", "real", at_least="2"))}, "which are not numbers"),
        ({"key": "pea"}, "key is 'pea', not a tuple of columns"),
        ({"key": ("pea", "pea")}, "names a column twice"),
        ({"unique": ("pea",)}, "unique is .* not a tuple of tuples of columns"),
        ({"unique": ((),)}, "names no column"),
        ({"columns": (PEA, Column("x", "json")), "unique": (("x",),)}, "'x' is json, which can be neither part"),
    ],
)
def test_a_table_that_cannot_be_is_told_when_it_is_declared(fields, told):
    with pytest.raises(ValueError, match=told):
        Table(**{"name": "peas", "columns": (PEA, AT), "key": ("pea",), **fields})


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"tables": [PEAS]}, "tables is .* not a tuple of Table"),
        ({"tables": (PEAS, PEAS)}, "two tables are called peas"),
        ({"tables": (PEAS,), "fold": ()}, r"fold is \(\), not a function"),
    ],
)
def test_tables_that_cannot_stand_together_are_told_when_they_are_declared(fields, told):
    with pytest.raises((TypeError, ValueError), match=told):
        DomainTables(**fields)


def test_an_unknown_table_is_answered_with_the_known_ones_and_no_value_is_told():
    table = Table(name="peas", columns=(PEA, Column("weight", "real", at_most=5)), key=("pea",))
    with pytest.raises(InvalidRow, match="there are peas"):
        DomainTables(tables=(table,)).table("pods")
    with pytest.raises(InvalidRow, match="weight of the table peas takes real to 5") as caught:
        table.checked({"pea": "a", "weight": 123456.0})
    assert "123456" not in str(caught.value)
