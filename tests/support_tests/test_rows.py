"""A table of rows is one test, which loses none of them."""

import inspect

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.rows import check_rows


def labels(caught):
    return [each.__notes__[-1] for each in caught.value.exceptions]


def test_every_row_is_tried_and_every_failure_is_named():
    tried = []

    @check_rows("number, even", [(1, True), (2, True), (3, True), (4, True)])
    def check(number, even):
        tried.append(number)
        assert (number % 2 == 0) is even

    with pytest.raises(ExceptionGroup, match="2 of 4 rows fail") as caught:
        check()
    assert tried == [1, 2, 3, 4]
    assert labels(caught) == ["row: number=1, even=True", "row: number=3, even=True"]


def test_a_row_that_skips_fails_and_the_others_are_tried():
    tried = []

    @check_rows("number", [1, 2, 3])
    def check(number):
        tried.append(number)
        if number == 2:
            pytest.skip("not today")

    with pytest.raises(ExceptionGroup, match="1 of 3 rows fail") as caught:
        check()
    assert tried == [1, 2, 3]
    assert labels(caught) == ["row: number=2"]
    assert "not today" in str(caught.value.exceptions[0])


async def test_an_asynchronous_test_is_awaited_for_every_row():
    @check_rows("number", [1, 2])
    async def check(number):
        if number == 2:
            pytest.fail("two")

    with pytest.raises(ExceptionGroup) as caught:
        await check()
    assert labels(caught) == ["row: number=2"]


def test_tables_multiply_and_leave_the_fixtures():
    seen = []

    @check_rows("one", "ab")
    @check_rows("two", range(2))
    def check(one, two, fixture):
        seen.append((one, two, fixture))

    assert list(inspect.signature(check).parameters) == ["fixture"]
    check(fixture=7)
    assert seen == [("a", 0, 7), ("a", 1, 7), ("b", 0, 7), ("b", 1, 7)]


def test_a_property_is_tried_for_every_row():
    seen = set()

    @check_rows("row", "ab")
    @given(st.booleans())
    def check(row, value):
        seen.add((row, value))

    check()
    assert seen == {("a", False), ("a", True), ("b", False), ("b", True)}


def test_a_row_that_is_too_long_or_too_short_and_a_table_without_rows_are_refused():
    with pytest.raises(ValueError, match="zip"):
        check_rows("one, two", [(1,)])
    with pytest.raises(ValueError, match="checks nothing"):
        check_rows("one", [])


@check_rows("one, two", [(1, 1), (2, 2)])
def test_it_works_as_a_test_with_fixtures(one, two, tmp_path):
    assert one == two
    assert tmp_path.exists()
