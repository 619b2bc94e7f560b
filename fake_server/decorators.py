"""Decorate tests with what they use."""

from __future__ import annotations

import inspect
from contextlib import nullcontext
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager
    from unittest import TestCase

Target = TypeVar("Target", bound="Callable[..., Any]")
#: The parameter of a test that the server stands in.
_PARAMETER = "server"
#: The attribute of a test of unittest that holds the server, from ``setUp`` on.
_RUNNING = "_baremetal_server"


def decorate(target: Target, run: Callable[[], AbstractContextManager[Any]]) -> Target:
    """Return a test that has a server as long as it runs.

    :param target: a function, a coroutine function, or a class whose methods ``test…`` are tests.
    :param run: returns a context with a new server.
    """
    if not isinstance(target, type):
        decorated: Target = _decorated(target, lambda *_: run())
        return decorated
    # Imported here, because servers outside tests don't need it.
    import unittest

    of_unittest = issubclass(target, unittest.TestCase)
    for name, member in list(vars(target).items()):
        if name.startswith("test") and callable(member):
            find = _running if of_unittest else lambda *_: run()
            setattr(target, name, _decorated(member, find))
    if of_unittest:
        target.setUp = _with_server(target.setUp, run)  # type: ignore[attr-defined]
    return target


def _with_server(
    set_up: Callable[[Any], None], run: Callable[[], AbstractContextManager[Any]]
) -> Callable[[Any], None]:
    """Return a ``setUp`` that can use the server, which is there until all is cleaned up."""

    @wraps(set_up)
    def decorated(test: Any) -> None:
        setattr(test, _RUNNING, test.enterContext(run()))
        set_up(test)

    return decorated


def _running(test: TestCase, *_: Any) -> AbstractContextManager[Any]:
    return nullcontext(getattr(test, _RUNNING))


def _decorated(test: Any, find: Callable[..., AbstractContextManager[Any]]) -> Any:
    """Return a function with the server in its parameter for it.

    :param find: returns the context of a server, by the positional arguments of the function.
    """
    signature = inspect.signature(test)
    takes_server = _PARAMETER in signature.parameters

    def given(server: Any, named: dict[str, Any]) -> dict[str, Any]:
        return {**named, _PARAMETER: server} if takes_server else named

    if inspect.iscoroutinefunction(test):

        @wraps(test)
        async def decorated(*args: Any, **named: Any) -> Any:
            __tracebackhide__ = True
            with find(*args) as server:
                return await test(*args, **given(server, named))

    else:

        @wraps(test)
        def decorated(*args: Any, **named: Any) -> Any:
            __tracebackhide__ = True
            with find(*args) as server:
                return test(*args, **given(server, named))

    # Runners such as pytest must not look for the parameter themselves.
    left = [one for one in signature.parameters.values() if one.name != _PARAMETER]
    decorated.__signature__ = signature.replace(parameters=left)  # type: ignore[attr-defined]
    return decorated
