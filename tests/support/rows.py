"""One test over a table: every row is tried, and every row that fails is named."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

_LONGEST_LABEL = 200


def check_rows(names: str | tuple[str, ...], rows: Iterable[Any]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Call a test with every row of a table, like ``pytest.mark.parametrize``, but as a single test.

    Every row is tried, whatever the others did; the failure names each row that failed, with its traceback. The rows
    share the fixtures of one test: where a row changes what it is given, or takes long, parametrise instead.
    """
    keys = tuple(name.strip() for name in names.split(",")) if isinstance(names, str) else tuple(names)
    table = [dict(zip(keys, row if len(keys) > 1 else (row,), strict=True)) for row in rows]
    if not table:
        raise ValueError("a table without rows checks nothing")

    def decorate(test: Callable[..., Any]) -> Callable[..., Any]:
        checked = _checking_later(test, table) if inspect.iscoroutinefunction(test) else _checking(test, table)
        # Hypothesis keeps its marks in __dict__; only pytest's go on to the whole.
        functools.update_wrapper(checked, test, updated=())
        checked.pytestmark = list(getattr(test, "pytestmark", []))  # type: ignore[attr-defined]
        signature = inspect.signature(test)
        fixtures = [each for name, each in signature.parameters.items() if name not in keys]
        checked.__signature__ = signature.replace(parameters=fixtures)  # type: ignore[attr-defined]
        return checked

    return decorate


def _checking(test: Callable[..., Any], table: list[dict[str, Any]]) -> Callable[..., Any]:
    def checked(*args: Any, **kwargs: Any) -> None:
        failed: list[Exception] = []
        for row in table:
            with _noted(row, failed):
                test(*args, **kwargs, **row)
        _tell(failed, len(table))

    return checked


def _checking_later(test: Callable[..., Any], table: list[dict[str, Any]]) -> Callable[..., Any]:
    async def checked(*args: Any, **kwargs: Any) -> None:
        failed: list[Exception] = []
        for row in table:
            with _noted(row, failed):
                await test(*args, **kwargs, **row)
        _tell(failed, len(table))

    return checked


@contextmanager
def _noted(row: dict[str, Any], failed: list[Exception]) -> Iterator[None]:
    try:
        yield
    except pytest.skip.Exception as skip:
        failed.append(_labelled(AssertionError(f"a row cannot be skipped, only a test: {skip}"), row))
    except pytest.fail.Exception as error:
        failed.append(_labelled(AssertionError(str(error)), row))
    except Exception as error:  # noqa: BLE001 - whatever a row does, the others are tried
        failed.append(_labelled(error, row))


def _labelled(error: Exception, row: dict[str, Any]) -> Exception:
    label = ", ".join(f"{name}={value!r}" for name, value in row.items())
    error.add_note(f"row: {label[:_LONGEST_LABEL]}")
    return error


def _tell(failed: list[Exception], count: int) -> None:
    if failed:
        raise ExceptionGroup(f"{len(failed)} of {count} rows fail", failed)
