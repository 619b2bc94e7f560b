"""Arguments of public methods: the options of every call, and checks of values and names."""

from __future__ import annotations

import functools
import inspect
import re
from types import FunctionType
from typing import TYPE_CHECKING, Any, Literal, TypedDict, TypeGuard, get_args

from baremetalclient import _documents, exc
from baremetalclient._http.retry import Deadline
from baremetalclient._suggestion import suggestion
from baremetalclient.microversion import VersionRequest

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence


class CallOptions(TypedDict, total=False):
    """The options of every call to the API.

    :param os_ironic_api_version: the version for this call, or several acceptable ones.
    :param global_request_id: an id of the form ``req-<UUID>`` to send with each request.
    :param deadline: seconds that the call may take: all its pages and retries, negotiation of the
        version and authentication included.
    """

    os_ironic_api_version: VersionRequest
    global_request_id: str | None
    deadline: float | Deadline | None


CALL_OPTIONS: tuple[
    Literal["os_ironic_api_version"], Literal["global_request_id"], Literal["deadline"]
] = ("os_ironic_api_version", "global_request_id", "deadline")
"""The names of the options of every call."""

PAGING = {
    "marker": "str | None",
    "limit": "int | None",
    "sort_key": "str | None",
    "sort_dir": "SortDirection | None",
    "detail": "bool",
    "fields": "Sequence[str] | None",
}
"""The arguments of all lists, with their types."""

_TRUE = frozenset({"1", "t", "true", "on", "y", "yes"})
_FALSE = frozenset({"0", "f", "false", "off", "n", "no"})
UUID = r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
"""A regular expression for the text of a UUID."""
_UUID = re.compile(UUID)
_DURATION = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,9})?)([a-z]?)")
_SECONDS = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800}
HTTPMethod = Literal["POST", "PUT", "PATCH", "DELETE", "GET"]
HTTP_VERBS: tuple[HTTPMethod, ...] = get_args(HTTPMethod)


def parse_boolean(value: object) -> bool | None:
    """Return a boolean that may be written as text, None for anything else.

    Reads what oslo.utils reads, whose import would take longer than that of the whole client.

    :param value: a boolean, or text such as ``true``, ``on``, ``no`` or ``0``, in any case.
    """
    if isinstance(value, bool):
        return value
    text = str(value).strip().lower()
    return True if text in _TRUE else False if text in _FALSE else None


def is_uuid(value: object) -> bool:
    """Return whether a value is the text of a UUID, in small or capital letters."""
    return isinstance(value, str) and _UUID.fullmatch(value) is not None


def is_like_uuid(value: str) -> bool:
    """Return whether Ironic takes a text for a UUID, of which it doesn't require the hyphens."""
    return re.fullmatch(r"[0-9a-fA-F]{32}", value.replace("-", "")) is not None


def parse_duration(text: str, units: str = "smhdw") -> float | None:
    """Return the seconds of a duration, None if a text is none.

    :param text: a number of seconds, or a number and a unit, such as ``90``, ``1.5h`` or ``7d``.
    :param units: the units that it may have, of seconds, minutes, hours, days and weeks.
    """
    match = _DURATION.fullmatch(text)
    if match is None or match[2] not in ("", *units):
        return None
    return float(match[1]) * _SECONDS[match[2]]


def json_or_text(text: str) -> Any:
    """Return decoded JSON, or the text itself if it is not JSON."""
    try:
        return _documents.from_json(text)
    except ValueError:
        return text


def boolean(value: object, name: str) -> bool:
    """Return a boolean that may be written as text.

    :param value: a boolean, or text such as ``true``, ``on``, ``no`` or ``0``.
    :param name: the name of the argument, for the message.
    :raises InvalidAttribute: if it is neither.
    """
    found = parse_boolean(value)
    if found is None:
        raise exc.InvalidAttribute(
            f"Argument {name!r}: {value!r} is neither true nor false. Booleans can be written as "
            f"{', '.join(sorted(_TRUE | _FALSE))}."
        )
    return found


def text(value: object, name: str) -> str:
    """Return text, after checking that it is not blank.

    :param value: the value that was given.
    :param name: the name of the argument, for the message.
    :raises InvalidType: if it is not text.
    :raises ValidationError: if it is blank.
    """
    if not isinstance(value, str):
        raise exc.InvalidType(f"Argument {name!r} has to be text, not {value!r}.")
    if not value.strip():
        raise exc.ValidationError(f"Argument {name!r} has to be text, not {value!r}.")
    return value


def http_verb(http_method: object) -> str:
    """Return an HTTP method in upper case.

    :raises InvalidType: if it is not text.
    :raises InvalidAttribute: if it is not one that Ironic uses.
    """
    verb = text(http_method, "http_method").upper()
    if verb not in HTTP_VERBS:
        raise exc.InvalidAttribute(
            f"Unknown HTTP method {http_method!r}. Known methods: {', '.join(HTTP_VERBS)}."
        )
    return verb


def options_from(arguments: dict[str, Any]) -> CallOptions:
    """Remove the options of every call from keyword arguments, and return them."""
    options: CallOptions = {}
    for name in CALL_OPTIONS:
        if name in arguments:
            options[name] = arguments.pop(name)
    return options


def takes_any_keyword(method: object) -> TypeGuard[FunctionType]:
    """Whether a value is a function with keyword arguments of any name."""
    if not isinstance(method, FunctionType):
        return False
    return bool(method.__code__.co_flags & inspect.CO_VARKEYWORDS)


_OPTIONS = [
    inspect.Parameter(
        name,
        inspect.Parameter.KEYWORD_ONLY,
        default=None,
        annotation=CallOptions.__annotations__[name].__forward_arg__,
    )
    for name in CALL_OPTIONS
]


def _shown(signature: inspect.Signature) -> inspect.Signature:
    """Return a signature with the options of every call by name, as programs may give arguments.

    Programs for python-ironicclient give the version and the id of a request by position after the
    other arguments, and a few arguments that were added later after these; and some make forms of
    what they find in signatures.

    :param signature: one that ends with keyword arguments of any name: ``**call`` if there are no
        others but the options of every call, which take its place.
    """
    *parameters, others = signature.parameters.values()
    several = any(one.kind is one.VAR_POSITIONAL for one in parameters)
    after = others.KEYWORD_ONLY if several else others.POSITIONAL_OR_KEYWORD
    own = [one for one in parameters if one.kind is not one.KEYWORD_ONLY]
    later = [one for one in parameters if one.kind is one.KEYWORD_ONLY]
    given = {one.name for one in own}
    version, request_id, deadline = _OPTIONS
    last = [one.replace(kind=after) for one in (version, request_id, *later)]
    rest = [] if others.name == "call" else [others]
    shown = [one for one in (*last, deadline) if one.name not in given]
    return signature.replace(parameters=[*own, *shown, *rest])


def check_arguments(method: Callable[..., Any]) -> Callable[..., Any]:
    """Let a method take all arguments by position, and raise TypeError for unknown ones.

    :param method: the method to wrap, which gets the arguments by name, except those that ``*`` in
        its signature takes. Its signature ends with ``**call`` if there are no other arguments but
        the options of every call.
    """
    signature = _with_page(inspect.signature(method))
    _, *own, others = signature.parameters.values()
    several = any(one.kind is one.VAR_POSITIONAL for one in own)
    closed = others.name == "call"
    if several and not closed:
        return method
    required = sum(one.default is one.empty for one in own)
    shown = _shown(signature)
    _, *arguments_shown = shown.parameters.values()
    names = [one.name for one in arguments_shown if one.kind is one.POSITIONAL_OR_KEYWORD]
    known = dict.fromkeys([*shown.parameters][1:]) if closed else None

    @functools.wraps(method)
    def checked(self: Any, *args: Any, **arguments: Any) -> Any:
        if not (several or arguments) and len(args) == required:
            return method(self, **dict(zip(names, args, strict=False)))
        function = f"{type(self).__name__}.{method.__name__}"
        if known is not None:
            refuse_unknown(function, arguments, known)
        if several:
            return method(self, *args, **arguments)
        return method(self, **by_name(function, names, args, arguments, required))

    checked.__signature__ = shown  # type: ignore[attr-defined]
    return checked


def _with_page(signature: inspect.Signature) -> inspect.Signature:
    """Return a signature with the arguments of all lists instead of ``*page``."""
    if "page" not in signature.parameters:
        return signature
    parameters: list[inspect.Parameter] = []
    for one in signature.parameters.values():
        kind = one.POSITIONAL_OR_KEYWORD
        if one.kind is one.VAR_POSITIONAL:
            for name, annotation in PAGING.items():
                default = False if annotation == "bool" else None
                new = inspect.Parameter(name, kind, default=default, annotation=annotation)
                parameters.append(new)
        else:
            parameters.append(one.replace(kind=kind) if one.kind is one.KEYWORD_ONLY else one)
    return signature.replace(parameters=parameters)


def by_name(
    function: str, names: Sequence[str], args: Sequence[Any], given: dict[str, Any], required: int
) -> dict[str, Any]:
    """Return the arguments of a function by their names.

    :param function: its name, for messages.
    :param names: the names of the arguments that may be given by position, in order.
    :param args: those that were given by position.
    :param given: those that were given by name.
    :param required: how many of the names are required.
    :raises TypeError: if there are too many, one is given twice or a required one is missing.
    """
    if len(args) > len(names):
        raise TypeError(
            f"{function}() takes at most {len(names)} arguments by position: {', '.join(names)}."
        )
    found = dict(zip(names, args, strict=False))
    for name in found:
        if name in given:
            raise TypeError(f"{function}() got multiple values for argument {name!r}.")
    found |= given
    missing = [name for name in names[:required] if name not in found]
    if missing:
        raise TypeError(f"{function}() lacks required arguments: {', '.join(missing)}.")
    return found


def refuse_unknown(function: str, given: Iterable[str], known: Collection[str]) -> None:
    """Raise TypeError for an unknown keyword argument of a function.

    :param function: its name, for the message.
    :param given: the names of the arguments.
    :param known: the names of its arguments.
    :raises TypeError: naming the first unknown one, a similar one if any, and the known ones.
    """
    for name in given:
        if name not in known:
            raise TypeError(
                f"{function}() got an unexpected keyword argument {name!r}."
                f"{suggestion(name, known, 'Known arguments')}"
            )


def check_value(what: str, value: object, known: Iterable[str]) -> None:
    """Raise an exception for a value that is not one of a closed set.

    :param what: what has the value, such as ``provision state``.
    :param value: the value.
    :param known: the set.
    :raises ValidationError: naming a similar value, or all of them.
    """
    values = list(known)
    if value not in values:
        raise exc.ValidationError(f"Unknown {what} {value!r}.{suggestion(str(value), values)}")
