"""Handlers: what is declared of a method that answers requests, and how it is called.

A handler is a method of a :class:`~.routing.Controller` that is decorated with :class:`expose`.
What overrides it answers the same requests, unless it is decorated itself. What all handlers of a
controller have in common is said by the controller: ``since``, ``closed``, ``asks_first``,
``cacheable`` and ``called``.
"""

from __future__ import annotations

import inspect
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeVar

from fake_server.baremetal import errors
from fake_server.baremetal.api import permissions
from fake_server.baremetal.api.list_query import ListQuery, schema
from fake_server.baremetal.api.policies import POLICIES
from fake_server.baremetal.arguments import (
    ArgumentChecker,
    as_it_is,
    not_null,
    string,
    string_list,
    uuid_or_name,
)
from fake_server.common.guarded_routes import UnguardedError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from fake_server.baremetal.api.context import Context
    from fake_server.baremetal.api.list_query import ListArgument
    from fake_server.baremetal.arguments import Converter
    from fake_server.common.schemas import Schema

Arguments: TypeAlias = "Mapping[str, ListArgument]"
#: What converts parameters that many handlers have.
_USUAL: Mapping[str, Converter] = {
    "driver_name": string,
    "fields": string_list,
    "node_ident": uuid_or_name,
}
HandlerT = TypeVar("HandlerT", bound="Callable[..., Any]")


class PerClass(NamedTuple):
    """An option of :class:`expose` that each controller with the handler has its own of.

    :param of: returns it for the class of the controller.
    """

    of: Callable[[Any], Any]


class expose:  # noqa: N801
    """Decorate a method of a controller that answers requests.

    The method gets the :class:`~.context.Context` and its arguments: positional ones from the
    path, named ones from the query and from a body that is an object. What it returns is sent as
    JSON. A method that takes ``**named`` gets by name what has a converter; with an underscore
    before the name, as in ``**_ignored``, it gets anything.

    :param policy: what the caller has to be allowed, without ``baremetal:``; ``{kind}`` stands for
        that of the controller. It is asked before the method is called if the controller
        ``asks_first``, else by the method, of what it finds. Of several, and of those whose names
        begin so, the method asks one at least; of ``None`` it asks nothing, as Ironic doesn't.
    :param status: HTTP status of a success; 204 sends nothing.
    :param action: the HTTP method of a custom action, which is addressed by the method's name.
    :param since: minor version before which the address doesn't exist, if it isn't the
        controller's.
    :param closed: what the answer before that version says that it doesn't allow, if it isn't
        what the controller says; without either, the answer is Ironic's general one.
    :param body: name of the parameter that gets the decoded body.
    :param body_schema: checks the body, before the number of parts of the path is checked; if that
        depends on the version, this and the next two are by the minor version from which on they
        count.
    :param query: JSON schema of the named arguments, after they were converted.
    :param listed: the arguments of a list, in the order in which the parts of a path stand for
        them; the method gets a :class:`~.list_query.ListQuery`.
    :param checked: whether the arguments of a list are checked against their schemas.
    :param cacheable: whether the response depends on the request and the database alone, if it
        isn't as the controller says.
    :param converters: converter by parameter, beside the usual ones. Parameters without one are
        taken as they are. With any, unknown arguments are refused before the schemas are asked,
        else after them.
    """

    def __init__(
        self,
        status: int = 200,
        *,
        policy: str | None,
        action: str = "",
        since: int | None = None,
        closed: str | None = None,
        body: str | None = None,
        body_schema: ArgumentChecker | Mapping[int, ArgumentChecker] | None = None,
        query: Schema | Mapping[int, Schema] | PerClass | None = None,
        listed: Arguments | Mapping[int, Arguments] | PerClass | None = None,
        checked: bool = True,
        cacheable: bool | None = None,
        **converters: Converter | PerClass,
    ) -> None:
        self.policy = policy
        self.status = status
        self.action = action
        self.since = since
        self.closed = closed
        self.body = body
        self.body_schema = body_schema
        self.query = query
        self.listed = listed
        self.checked = checked
        self.cacheable = cacheable
        self.converters = converters

    def __call__(self, function: HandlerT) -> HandlerT:
        """Declare a method."""
        function.exposed = self  # type: ignore[attr-defined]
        return function


class Endpoint:
    """A handler of a controller, as requests get to it.

    :param name: the name of the method.
    :param function: what declares it.
    :param controller: the class of the controller.
    :raises UnknownPolicyError: if it names a policy that Ironic doesn't publish.
    """

    def __init__(self, name: str, function: Any, controller: Any) -> None:
        def own(option: Any) -> Any:
            return option.of(controller) if isinstance(option, PerClass) else option

        def by_version(option: Any) -> Mapping[int, Any]:
            found = own(option)
            by_minor = isinstance(found, dict) and all(isinstance(key, int) for key in found)
            return {} if found is None else found if by_minor else {0: found}

        declared: expose = function.exposed
        called: Mapping[str, str] = controller.called
        self.name = name
        policies = (declared.policy or "").format(kind=controller.kind).split()
        self._policies = tuple(POLICIES.name(f"baremetal:{policy}") for policy in policies)
        self._asks_first = controller.asks_first and bool(policies)
        self.status = declared.status
        self.action = declared.action
        self.cacheable = controller.cacheable if declared.cacheable is None else declared.cacheable
        self._since = controller.since if declared.since is None else declared.since
        self._closed = declared.closed or controller.closed
        self._body = called.get(declared.body, declared.body) if declared.body else None
        self._bodies = by_version(declared.body_schema)
        self._inner = {given: parameter for parameter, given in called.items()}
        taken = inspect.signature(function).parameters
        usual = {key: one for key, one in _USUAL.items() if key in taken}
        converters = {
            called.get(key, key): own(one) for key, one in (usual | declared.converters).items()
        }
        queries, listed = by_version(declared.query), by_version(declared.listed)
        self._lists = bool(listed)
        if self._lists:
            converters = {key: item.converter for key, item in listed[0].items()}
            queries = {minor: schema(one) for minor, one in listed.items() if declared.checked}
        self._queries = {minor: ArgumentChecker(one) for minor, one in queries.items()}
        self._signature = _Signature(function, converters, called, lists=self._lists)
        self.takes = self._signature.takes

    def takes_in_path(self, count: int) -> bool:
        """Return whether so many segments of a path can be arguments beside the body.

        Ironic's framework counts that, too.
        """
        return self.takes(count + (self._body is not None))

    def call(self, controller: Any, ctx: Context, positional: list[str]) -> Any:
        """Convert and check the arguments, and call the method.

        :raises UnguardedError: if it answers without having asked one of its policies.
        """
        signature, body = self._signature, self._body
        named = ctx.parameters()
        named.pop("self", None)
        if body is not None:
            data = ctx.data()
            if isinstance(data, dict):
                for key in data:
                    named.pop(key, None)
            named[body] = data
        if ctx.minor < self._since:
            raise self._hidden(ctx)
        arguments = signature.convert(positional, named)
        if named and self._queries:
            _check(ctx, self._queries, named)
        if body is not None and self._bodies:
            _check(ctx, self._bodies, named[body])
        if body in signature.never_null:
            not_null(named[body], "array" if body == "patch" else "object")
        placed = signature.place(arguments, named)
        if self._inner:
            named = {self._inner.get(name, name): value for name, value in named.items()}
        ctx.policy = self._policies[0] if self._policies else ""
        if self._asks_first:
            permissions.check(ctx)
        method = getattr(controller, self.name)
        answer = method(ctx, ListQuery.of(named)) if self._lists else method(ctx, *placed, **named)
        if self._policies and not any(name.startswith(self._policies) for name in ctx.asked):
            raise UnguardedError(f"{method.__qualname__} has enforced none of its policies.")
        return answer

    def _hidden(self, ctx: Context) -> errors.NotFound:
        if self._closed is None:
            error = errors.NotFound("The API is not supported for this version")
            return error.with_code(ctx.session.dialect.hidden_status)
        error = errors.NotFound(f"The API version does not allow {self._closed}")
        return error.with_code(404 if ctx.request.method in ("GET", "HEAD") else 405)


@cache
def endpoints(controller: Any) -> Mapping[str, Endpoint]:
    """Return the handlers of a class of controllers by name."""
    declared: dict[str, Any] = {}
    for owner in reversed(controller.__mro__):
        declared |= {name: one for name, one in vars(owner).items() if hasattr(one, "exposed")}
    return {name: Endpoint(name, one, controller) for name, one in declared.items()}


class _Signature:
    """The parameters of a handler after ``self`` and ``ctx``, and their converters."""

    def __init__(
        self,
        function: Callable[..., Any],
        converters: Mapping[str, Converter],
        called: Mapping[str, str],
        *,
        lists: bool,
    ) -> None:
        self.converters = converters
        found = [] if lists else list(inspect.signature(function).parameters.values())[2:]
        parameters = [item.replace(name=called.get(item.name, item.name)) for item in found]
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
        if lists or (rest and not self.takes_any_name):
            self.names += [name for name in converters if name not in self.names]

    def convert(self, positional: list[str], named: dict[str, Any]) -> list[Any]:
        """Convert arguments, named ones in place; return the others, or raise ApiError for one."""
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
        return arguments

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


def _missing(name: str) -> errors.MissingParameterValue:
    return errors.MissingParameterValue(f"Missing mandatory parameter: {name}")
