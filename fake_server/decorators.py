"""Decorate tests with what they use."""

from __future__ import annotations

import inspect
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

Target = TypeVar("Target", bound="Callable[..., Any]")
#: The parameter of a test that the server stands in.
_PARAMETER = "server"


def decorate(target: Target, run: Callable[[], AbstractContextManager[Any]]) -> Target:
    """Return a test that has a server as long as it runs.

    :param target: a function, a coroutine function, or a class whose methods ``test…`` are tests.
    :param run: returns a context with a new server.
    """
    if isinstance(target, type):
        for name, member in list(vars(target).items()):
            if name.startswith("test") and callable(member):
                setattr(target, name, _decorated(member, run))
        return target
    decorated: Target = _decorated(target, run)
    return decorated


def _decorated(test: Any, run: Callable[[], AbstractContextManager[Any]]) -> Any:
    signature = inspect.signature(test)
    takes_server = _PARAMETER in signature.parameters

    def given(server: Any, named: dict[str, Any]) -> dict[str, Any]:
        return {**named, _PARAMETER: server} if takes_server else named

    if inspect.iscoroutinefunction(test):

        @wraps(test)
        async def decorated(*args: Any, **named: Any) -> Any:
            __tracebackhide__ = True
            with run() as server:
                return await test(*args, **given(server, named))

    else:

        @wraps(test)
        def decorated(*args: Any, **named: Any) -> Any:
            __tracebackhide__ = True
            with run() as server:
                return test(*args, **given(server, named))

    # Runners such as pytest must not look for the parameter themselves.
    left = [one for one in signature.parameters.values() if one.name != _PARAMETER]
    decorated.__signature__ = signature.replace(parameters=left)  # type: ignore[attr-defined]
    return decorated
