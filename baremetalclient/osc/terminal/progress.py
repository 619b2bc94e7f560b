"""``--wait`` and ``--timeout``, and how commands that wait tell of states and failures."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING, Any

from baremetalclient import exc
from baremetalclient.osc import argument_types

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from baremetalclient._bulk.result import Result
    from baremetalclient.osc.parser import ArgumentParser
    from baremetalclient.osc.terminal.printer import Printer

_REQUEST_ID = re.compile(r" \(Request-ID: [^)]*\)")
_IP_ADDRESS = re.compile(r"\b\d{1,3}(?:\.\d{1,3}){3}\b|\[[0-9A-Fa-f]*:[0-9A-Fa-f:.]+\]")
_REPEAT_AFTER = 30.0
_MOST_NAMED = 10
"""The maximum number of resources that a line names."""


def add_wait(parser: ArgumentParser, condition: str) -> None:
    """Add ``--wait``.

    :param condition: what the command waits for, as a clause.
    """
    parser.add_argument(
        "--wait",
        dest="wait_timeout",
        metavar="<time-out>",
        type=argument_types.duration,
        nargs="?",
        const=0,
        help=f"Wait until {condition}, for at most this time: seconds, or a number with a unit, "
        "such as 30m. There is no limit without it, or with 0.",
    )


def add_timeout(parser: ArgumentParser, help: str) -> None:  # noqa: A002 - argparse's name
    """Add ``--timeout`` of a command that waits or watches.

    :param help: what the duration is for.
    """
    parser.add_argument(
        "--timeout",
        dest="duration",
        metavar="<duration>",
        type=argument_types.duration,
        default=0,
        help=f"{help}: seconds, or a number with a unit, such as 90s, 30m or 2h. There is no limit "
        "by default, or with 0.",
    )


class ProgressReporter:
    """Report each change of a state, and repeat unchanged states from time to time.

    :param noun: what the resources are, such as ``node``.
    """

    def __init__(self, command: Printer, noun: str = "node") -> None:
        self._command = command
        self._noun = noun
        self._last: dict[str, tuple[str, str | None, float]] = {}
        self._noted: dict[tuple[str, str | None], list[str]] = {}
        self._seconds = 0.0

    def note(self, name: str, state: str, target: str | None, seconds: float) -> None:
        """Note a state for the end of a poll, if it is to be reported."""
        *known, reported_at = self._last.get(name, (None, None, 0.0))
        if known == [state, target] and seconds < reported_at + _REPEAT_AFTER:
            return
        self._last[name] = state, target, seconds
        self._noted.setdefault((state, target), []).append(name)
        self._seconds = seconds

    def polled(self) -> None:
        """Report what was noted, with one line for all that are in the same state."""
        from baremetalclient._bulk.kinds import has_failed

        for (state, target), names in self._noted.items():
            transition = f", target {target!r}" if target and not has_failed(state) else ""
            now = f"{state!r}{transition} ({self._seconds:.0f} s)"
            if len(names) == 1:
                self._command.report(f"{names[0]} is {now}")
                continue
            self._command.report(f"{len(names)} {self._noun}s are {now}: {some_names(names)}")
        self._noted.clear()


def some_names(names: Sequence[str]) -> str:
    """Return the first names, and how many more there are."""
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    return ", ".join(names[:_MOST_NAMED]) + more


def state_cells(item: Mapping[str, Any] | None, state_field: str) -> tuple[str, str]:
    """Return the state of a resource and a remark about it, for a table.

    :param item: the fields of the resource, None if it is gone.
    :param state_field: the field with its state, empty if it has none.
    """
    if item is None:
        return "deleted", ""
    target = item.get(f"target_{state_field}")
    remark = item.get("last_error") or (f"target {target}" if target else "")
    # A node that was never managed has no power state.
    return str(item.get(state_field, "present") or "unknown"), remark


def failure_messages(
    kind: str, results: Iterable[Result], action: str = "", *, few_names: bool = False
) -> list[str]:
    """Return a message for each way in which resources failed, whatever they are called.

    :param kind: the name of the type of resource, such as ``node``.
    :param action: the action that was refused, such as ``delete``; empty if there was none.
    :param few_names: whether to name only the first of those that failed alike.
    """
    shown: Callable[[Sequence[str]], str] = some_names if few_names else ", ".join
    return [
        f"{message.rstrip('.')}: {shown(names)}" if len(names) > 1 else message
        for message, names in failure_groups(kind, results, action)
    ]


def failure_groups(
    kind: str, results: Iterable[Result], action: str = ""
) -> list[tuple[str, list[str]]]:
    """Return a message for each way in which resources failed, with the names of these.

    The arguments are those of :func:`failure_messages`.
    """
    prefix = f"Failed to {action} " if action else ""
    alike: dict[tuple[str, str | None], list[Result]] = {}
    for one in results:
        text = without_names(one.error or "", f"<{kind}>", (one.uuid, one.name))
        alike.setdefault((text, one.state), []).append(one)
    return [
        (_failure_message(kind, group, text, state, prefix), [one.label for one in group])
        for (text, state), group in alike.items()
    ]


def _failure_message(
    kind: str, group: list[Result], text: str, state: str | None, prefix: str
) -> str:
    several = len(group) > 1
    named = f"{len(group)} {kind}s" if several else f"{kind} {group[0].label}"
    message = prefix + named if prefix else named[0].upper() + named[1:]
    message += f": {text if several else group[0].error or ''}".rstrip()
    if state:
        remains = "they remain" if several else "it remains"
        message = f"{message.rstrip('.')}; {remains} in {state!r}"
    return message


def without_names(text: str, instead: str, names: Iterable[str | None]) -> str:
    """Return an error without what differs from resource to resource.

    That is the ID of its request, the names of the resource, and IP addresses, such as that of its
    management controller.

    :param text: the error.
    :param instead: what replaces the names.
    :param names: what the resource is called.
    """
    text = _REQUEST_ID.sub("", text)
    for name in filter(None, names):
        text = re.sub(rf"(?<![\w-]){re.escape(name)}(?![\w-])", instead, text)
    return _IP_ADDRESS.sub("<address>", text)


def is_explained(error: exc.ClientException, *, changes_state: bool) -> bool:
    """Return whether ``node explain`` may explain why Ironic refused a request.

    :param changes_state: whether the request asked for another state, so that an error 400 is about
        the node instead of the arguments.
    """
    if isinstance(error, exc.ValidationError):
        return False
    if isinstance(error, exc.BadRequest):
        return changes_state
    return isinstance(error, exc.Conflict | exc.ServiceUnavailable)


def hint_for(noun: str, name: str) -> str:
    """Return the command that tells more about a resource that has failed; nothing if none does.

    :param noun: what it is, such as ``node``.
    :param name: its name or identifier.
    """
    from baremetalclient._bulk.kinds import kind_of

    hint = kind_of(noun).hint
    return f"To see what is in the way: {hint} {shlex.quote(name)}" if hint else ""


def print_hint(command: Printer, noun: str, name: str) -> None:
    """Name the command that tells more on stderr, unless ``--quiet`` is given; see `hint_for`."""
    if hint := hint_for(noun, name):
        command.report(hint)
