"""Decorate handlers: convert their arguments, check them against schemas, call the handler."""

from __future__ import annotations

import inspect
from functools import wraps
from typing import TYPE_CHECKING, Any

from fake_server.baremetal import errors
from fake_server.baremetal.arguments import ArgumentChecker, as_it_is, not_null

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from fake_server.baremetal.api.context import Context
    from fake_server.baremetal.api.routing import Controller
    from fake_server.baremetal.arguments import Converter
    from fake_server.common.schemas import Schema

Arguments = tuple[list[Any], dict[str, Any]]


def expose(
    status: int = 200,
    *,
    since: int = 0,
    closed: str | None = None,
    body: str | None = None,
    body_converter: Converter | None = None,
    body_schema: ArgumentChecker | None = None,
    later_body_schema: Mapping[int, ArgumentChecker] | None = None,
    query: Schema | None = None,
    later_query: Mapping[int, Schema] | None = None,
    cacheable: bool = False,
    called: Mapping[str, str] | None = None,
    **converters: Converter,
) -> Callable[[Callable[..., Any]], Any]:
    """Decorate a method of a controller that answers requests.

    The method gets the :class:`~.context.Context` and its arguments: positional ones from the
    path, named ones from the query and from a body that is an object. What it returns is sent as
    JSON. A method that takes ``**named`` gets by name what has a converter; with an underscore
    before the name, as in ``**_ignored``, it gets anything.

    :param status: HTTP status of a success; 204 sends nothing.
    :param since: minor version before which the address doesn't exist.
    :param closed: what the answer before that version says that it doesn't allow; without it,
        the answer is Ironic's general one.
    :param body: name of the parameter that gets the decoded body.
    :param body_converter: its converter, where that can't be one of ``converters`` by its name.
    :param body_schema: checks the body, before the number of parts of the path is checked.
    :param later_body_schema: what checks it by the minor version from which on it does.
    :param query: JSON schema of the named arguments, after they were converted.
    :param later_query: that schema by the minor version from which on it is in force.
    :param cacheable: whether the response depends on the request and the database alone.
    :param called: what requests call parameters that have another name there.
    :param converters: converter by parameter, as requests call it. Parameters without one are
        taken as they are. With any, unknown arguments are refused before the schemas are asked,
        else after them.
    """
    of_query = {} if query is None else {0: ArgumentChecker(query)}
    of_query |= {minor: ArgumentChecker(schema) for minor, schema in (later_query or {}).items()}
    of_body = {} if body_schema is None else {0: body_schema}
    of_body |= later_body_schema or {}
    names = called or {}
    inner = {name: parameter for parameter, name in names.items()}
    if body is not None and body_converter is not None:
        converters[body] = body_converter

    def decorate(function: Callable[..., Any]) -> Any:
        signature = _Signature(function, converters, names)

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
                raise _hidden(ctx, closed)
            arguments, named = signature.convert(positional, named)
            if named and of_query:
                _check(ctx, of_query, named)
            if body is not None and of_body:
                _check(ctx, of_body, named[body])
            if body in signature.never_null:
                not_null(named[body], "array" if body == "patch" else "object")
            placed = signature.place(arguments, named)
            if inner:
                named = {inner.get(name, name): value for name, value in named.items()}
            return function(controller, ctx, *placed, **named)

        @wraps(function)
        def handler(*arguments: Any, **named: Any) -> Any:
            return function(*arguments, **named)

        exposed: Any = handler
        exposed.exposed = True
        exposed.status = status
        exposed.cacheable = cacheable
        exposed.call = call
        exposed.takes = signature.takes
        exposed.takes_in_path = lambda count: signature.takes(count + (body is not None))
        return exposed

    return decorate


class _Signature:
    """The parameters of a handler after ``self`` and ``ctx``, and their converters."""

    def __init__(
        self,
        function: Callable[..., Any],
        converters: Mapping[str, Converter],
        called: Mapping[str, str],
    ) -> None:
        self.converters = converters
        parameters = [
            item.replace(name=called.get(item.name, item.name))
            for item in list(inspect.signature(function).parameters.values())[2:]
        ]
        in_path = [item for item in parameters if item.kind is item.POSITIONAL_ONLY]
        plain = in_path + [item for item in parameters if item.kind is item.POSITIONAL_OR_KEYWORD]
        self.only_in_path = {item.name for item in in_path}
        self.positional = [item.name for item in plain]
        self.required = {item.name for item in plain if item.default is item.empty}
        self.never_null = {item.name for item in plain if item.default is not None}
        self.takes_more = any(item.kind is item.VAR_POSITIONAL for item in parameters)
        rest = [item.name for item in parameters if item.kind is item.VAR_KEYWORD]
        self.takes_any_name = any(name.startswith("_") for name in rest)
        self.names = list(self.positional)
        if rest and not self.takes_any_name:
            self.names += [name for name in converters if name not in self.names]

    def convert(self, positional: list[str], named: dict[str, Any]) -> Arguments:
        """Convert arguments, in the order of the parameters; raise ApiError for wrong ones."""
        if self.converters:
            self._refuse_unknown(named)
        arguments: list[Any] = list(positional)
        for position, name in enumerate(self.names):
            converter = self.converters.get(name, as_it_is)
            if position < len(arguments):
                arguments[position] = converter(name, arguments[position])
            elif name in named:
                named[name] = converter(name, named[name])
            elif name in self.required and name in self.converters:
                raise _missing(name)
        return arguments, named

    def takes(self, count: int) -> bool:
        """Return whether so many segments of a path can be arguments."""
        return self.takes_more or count <= len(self.names)

    def place(self, arguments: list[Any], named: dict[str, Any]) -> list[Any]:
        """Fit converted arguments into a call.

        :param named: gets those from the path that the handler takes by name.
        :returns: those that are left in their places.
        :raises ApiError: for arguments that no call could take.
        """
        self._refuse_unknown(named)
        for name in self.positional[len(arguments) :]:
            if name in self.required and name not in named:
                raise _missing(name)
        if not self.takes(len(arguments)):
            raise errors.NotFound("The address has more parts than the API knows here.")
        for name in self.names[: len(arguments)]:
            if name in named:
                raise errors.InvalidParameterValue(f"{name} is given both in the path and by name.")
        if self.takes_more:
            return arguments
        count = len(self.positional)
        named |= zip(self.names[count:], arguments[count:], strict=False)
        return arguments[:count]

    def _refuse_unknown(self, named: dict[str, Any]) -> None:
        surplus = [name for name in named if name not in self.names or name in self.only_in_path]
        if surplus and not self.takes_any_name:
            raise errors.InvalidParameterValue(f"Unexpected arguments: {', '.join(surplus)}")


def _check(ctx: Context, checkers: Mapping[int, ArgumentChecker], value: Any) -> None:
    since = max((minor for minor in checkers if minor <= ctx.minor), default=None)
    if since is not None:
        checkers[since].whole(value)


def _hidden(ctx: Context, closed: str | None) -> errors.NotFound:
    if closed is None:
        error = errors.NotFound("The API is not supported for this version")
        return error.with_code(ctx.session.dialect.hidden_status)
    error = errors.NotFound(f"The API version does not allow {closed}")
    return error.with_code(404 if ctx.request.method in ("GET", "HEAD") else 405)


def _missing(name: str) -> errors.MissingParameterValue:
    return errors.MissingParameterValue(f"Missing mandatory parameter: {name}")
