"""Arguments in the forms in which callers give them."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, Literal, TypedDict

from baremetalclient import exc

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from baremetalclient._http.retry import Deadline
    from baremetalclient.microversion import VersionRequest


class CallOptions(TypedDict, total=False):
    """What every call to the API takes besides its own arguments.

    :param os_ironic_api_version: the version for this call, or several acceptable ones.
    :param global_request_id: an id of the form ``req-<UUID>`` that goes along with the call.
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

_TRUE = frozenset({"1", "t", "true", "on", "y", "yes"})
_FALSE = frozenset({"0", "f", "false", "off", "n", "no"})


def parse_boolean(value: object) -> bool | None:
    """Return the boolean that a value stands for, None if it stands for none.

    Reads what oslo.utils reads, whose import would take longer than that of the whole client.

    :param value: a boolean, or text such as ``true``, ``on``, ``no`` or ``0``, in any case.
    """
    if isinstance(value, bool):
        return value
    text = str(value).strip().lower()
    return True if text in _TRUE else False if text in _FALSE else None


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
    """Return text that has to say something.

    :param value: what was given.
    :param name: the name of the argument, for the message.
    :raises ValidationError: if it is empty or no text.
    """
    if not isinstance(value, str) or not value.strip():
        raise exc.ValidationError(f"Argument {name!r}: {value!r} is no text or is empty.")
    return value


def options_from(arguments: dict[str, Any]) -> CallOptions:
    """Take the options of every call out of arguments that hold other things too."""
    options: CallOptions = {}
    for name in CALL_OPTIONS:
        if name in arguments:
            options[name] = arguments.pop(name)
    return options


def checking_arguments(method: Callable[..., Any]) -> Callable[..., Any]:
    """Return a method with ``**call`` that accepts nothing there but the options of every call.

    :param method: the method, which is not called with anything else.
    """
    code = method.__code__
    own = code.co_varnames[1 : code.co_argcount + code.co_kwonlyargcount]
    known = (*own, *CALL_OPTIONS)

    @functools.wraps(method)
    def checked(self: Any, *args: Any, **arguments: Any) -> Any:
        refuse_unknown(f"{type(self).__name__}.{method.__name__}", arguments, known)
        return method(self, *args, **arguments)

    return checked


def refuse_unknown(function: str, given: Iterable[str], known: Collection[str]) -> None:
    """Refuse keyword arguments that a function does not know.

    :param function: its name, for the message.
    :param given: the names of the arguments.
    :param known: the names that it knows.
    :raises TypeError: naming the first unknown one, what may have been meant, and the known ones.
    """
    for name in given:
        if name not in known:
            import difflib

            close = difflib.get_close_matches(name, known, n=1)
            raise TypeError(
                f"{function}() got an unexpected keyword argument {name!r}."
                f"{f' Did you mean {close[0]!r}?' if close else ''} "
                f"Known arguments: {', '.join(known)}."
            )
