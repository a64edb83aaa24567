"""What a domain may declare of its tables; how stores keep them is in their contract suites."""

import pytest

from mendel.contracts.errors import InvalidRow
from mendel.ports.domain_tables import Column, DomainTables, Retention, Table

PEA, AT = Column("pea", "text"), Column("at", "time", nullable=True)


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"name": "Peas"}, "'Peas' is no name"),
        ({"columns": (Column("a b", "text"), PEA)}, "'a b' is no name"),
        ({"columns": (PEA, PEA)}, "names of their own"),
        ({"columns": (PEA, Column("run_id", "text"))}, "none is called run_id"),
        ({"key": ()}, "it has no key"),
        ({"key": ("pod",)}, "no column 'pod'"),
        ({"key": ("at",)}, "'at' is part of the key and cannot be null"),
        ({"unique": (("pod",),)}, "no column 'pod'"),
        ({"indexes": (("pod",),)}, "no column 'pod'"),
        ({"retention": Retention(by="pod", rows=1)}, "no column 'pod'"),
        ({"retention": Retention(by="pea", age_s=1)}, "a column of the kind time"),
    ],
)
def test_a_table_that_cannot_be_is_told_when_it_is_declared(fields, told):
    with pytest.raises(ValueError, match=told):
        Table(**{"name": "peas", "columns": (PEA, AT), "key": ("pea",), **fields})


def test_an_unknown_table_is_answered_with_the_known_ones_and_no_value_is_told():
    table = Table(name="peas", columns=(PEA, Column("weight", "real", at_most=5)), key=("pea",))
    with pytest.raises(InvalidRow, match="there are peas"):
        DomainTables(tables=(table,)).table("pods")
    with pytest.raises(InvalidRow, match="weight of the table peas takes real to 5") as caught:
        table.checked({"pea": "a", "weight": 123456.0})
    assert "123456" not in str(caught.value)
