"""What happens around every handler: arguments in, checks, and the answer out."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from .errors import InvalidParameterValue, MissingParameterValue, NotFound
from .schemas import Checker, Schema

if TYPE_CHECKING:
    from .arguments import Converter
    from .context import Context
    from .routing import Controller


class Handler(Protocol):
    """An exposed method of a controller."""

    exposed: bool
    status: int
    call: Callable[[Controller, Context, list[str]], Any]


class _Signature:
    """The parameters of a handler after ``self`` and ``ctx``."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.names: list[str] = []
        self.required: set[str] = set()
        self.takes_more = False
        self.takes_any_name = False
        for parameter in list(inspect.signature(function).parameters.values())[2:]:
            if parameter.kind is parameter.VAR_POSITIONAL:
                self.takes_more = True
            elif parameter.kind is parameter.VAR_KEYWORD:
                self.takes_any_name = True
            else:
                self.names.append(parameter.name)
                if parameter.default is parameter.empty:
                    self.required.add(parameter.name)


def expose(
    status: int = 200,
    *,
    since: int = 0,
    body: str | None = None,
    query: Schema | None = None,
    **converters: Converter,
) -> Callable[[Callable[..., Any]], Any]:
    """Decorate a method of a controller that answers requests.

    The method gets the :class:`~.context.Context` and its arguments: positional ones from the
    path, named ones from the query and from a body that is an object. What it returns is sent as
    JSON.

    :param status: HTTP status of a success; 204 sends nothing.
    :param since: minor version before which the address doesn't exist.
    :param body: name of the parameter that gets the decoded body.
    :param query: JSON schema of the named arguments, after they were converted.
    :param converters: converter by parameter. Parameters without one are taken as they are.
    """
    checker = None if query is None else Checker(query)

    def decorate(function: Callable[..., Any]) -> Any:
        signature = _Signature(function)

        def call(controller: Controller, ctx: Context, positional: list[str]) -> Any:
            named = ctx.parameters()
            named.pop("self", None)
            if body is not None:
                data = ctx.data()
                if isinstance(data, dict):
                    for key in data:
                        named.pop(key, None)
                named[body] = data
            if ctx.minor < since:
                raise NotFound("The API is not supported for this version")
            arguments, named = _convert(signature, converters, positional, named)
            if checker is not None and named:
                checker.whole(named)
            return function(controller, ctx, *arguments, **named)

        handler: Any = function
        handler.exposed = True
        handler.status = status
        handler.call = call
        return handler

    return decorate


def _convert(
    signature: _Signature,
    converters: Mapping[str, Converter],
    positional: list[Any],
    named: dict[str, Any],
) -> tuple[list[Any], dict[str, Any]]:
    """Fit arguments to a signature and convert them, in the order of the parameters."""
    names = signature.names
    if not signature.takes_any_name:
        surplus = [name for name in named if name not in names]
        if surplus:
            raise InvalidParameterValue(f"Unexpected arguments: {', '.join(surplus)}")
    if len(positional) > len(names) and not signature.takes_more:
        raise NotFound("The address has more parts than the API knows here.")
    arguments = list(positional)
    for position, name in enumerate(names):
        converter = converters.get(name)
        if position < len(positional):
            if name in named:
                raise InvalidParameterValue(f"{name} is given both in the path and by name.")
            if converter:
                arguments[position] = converter(name, positional[position])
        elif name in named:
            if converter:
                named[name] = converter(name, named[name])
        elif name in signature.required:
            raise MissingParameterValue(f"Missing mandatory parameter: {name}")
    return arguments, named
