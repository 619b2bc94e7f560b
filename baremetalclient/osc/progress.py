"""``--wait``, and how commands that wait tell of states and failures on stderr."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from baremetalclient.osc import argument_types

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from baremetalclient._bulk.fetcher import Found, Kind
    from baremetalclient._bulk.result import Result
    from baremetalclient.osc.command import Command
    from baremetalclient.osc.live_view import LiveView
    from baremetalclient.osc.parser import ArgumentParser

_REPEAT_AFTER = 30.0
_REDRAW_AFTER = 0.2
"""The minimum seconds between two drawings of a table."""
_MOST_NAMED = 10
"""The maximum number of resources that a line names."""


def add_wait(parser: ArgumentParser, condition: str) -> None:
    """Add ``--wait``.

    :param parser: the parser of the command's arguments.
    :param condition: what the command waits for, as a clause.
    """
    parser.add_argument(
        "--wait",
        dest="wait_timeout",
        metavar="<time-out>",
        type=argument_types.non_negative_int,
        nargs="?",
        const=0,
        help=f"Wait until {condition}, for at most this many seconds. There is no limit without a "
        "number, or with 0.",
    )


class ProgressReporter:
    """Report each change of a state, and repeat unchanged states from time to time.

    :param command: the command that waits.
    :param noun: what the resources are, such as ``node``.
    """

    def __init__(self, command: Command, noun: str = "node") -> None:
        self._command = command
        self._noun = noun
        self._last: dict[str, tuple[str, str | None]] = {}
        self._reported_at: dict[str, float] = {}
        self._noted: dict[tuple[str, str | None], list[str]] = {}
        self._seconds = 0.0

    def __call__(self, name: str, state: str, target: str | None, seconds: float) -> None:
        """Report a state if it has changed or was not reported for some time."""
        self.note(name, state, target, seconds)
        self.polled()

    def note(self, name: str, state: str, target: str | None, seconds: float) -> None:
        """Note a state for the end of a poll, if it is to be reported."""
        known = self._last.get(name) == (state, target)
        if known and seconds < self._reported_at[name] + _REPEAT_AFTER:
            return
        self._last[name], self._reported_at[name] = (state, target), seconds
        self._noted.setdefault((state, target), []).append(name)
        self._seconds = seconds

    def polled(self) -> None:
        """Report what was noted, with one line for all that are in the same state."""
        from baremetalclient._bulk.fetcher import has_failed

        for (state, target), names in self._noted.items():
            transition = f", target {target!r}" if target and not has_failed(state) else ""
            now = f"{state!r}{transition} ({self._seconds:.0f} s)"
            if len(names) == 1:
                self._command.report(f"{names[0]} is {now}")
                continue
            more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
            named = ", ".join(names[:_MOST_NAMED])
            self._command.report(f"{len(names)} {self._noun}s are {now}: {named}{more}")
        self._noted.clear()


class LiveProgress:
    """Show each change of a state in a table.

    :param view: the table, with a name, a state and remarks.
    """

    def __init__(self, view: LiveView) -> None:
        self._view = view
        self._drawn = 0.0

    def __call__(self, name: str, state: str, target: str | None, seconds: float) -> None:
        """Show a state."""
        self._view.put(name, (name, state, f"target {target}" if target else ""))
        if seconds >= self._drawn + _REDRAW_AFTER:
            self._drawn = seconds
            self._view.draw(f" ({seconds:.0f} s)")


def state_cells(item: Mapping[str, Any] | None, state_field: str) -> tuple[str, str]:
    """Return the state of a resource and a remark about it, for a table.

    :param item: the fields of the resource, None if it is gone.
    :param state_field: the field with its state, empty if it has none.
    """
    if item is None:
        return "deleted", ""
    target = item.get(f"target_{state_field}")
    remark = item.get("last_error") or (f"target {target}" if target else "")
    return str(item.get(state_field, "present")), remark


def state_reporter(command: Command, kind: Kind) -> Callable[[Found, float], None]:
    """Return a function that reports each change of the states of resources after a poll.

    :param command: the command that waits.
    :param kind: the type of the resources.
    """
    tell = ProgressReporter(command, kind.name)

    def report(found: Found, seconds: float) -> None:
        for ident, item in found.items():
            if item is None or kind.state not in item:
                continue
            label = str(item.get("name") or ident)
            tell.note(label, str(item[kind.state]), item.get(f"target_{kind.state}"), seconds)
        tell.polled()

    return report


def state_table(
    command: Command, kind: Kind, idents: Sequence[str]
) -> Callable[[Found, float], None] | None:
    """Return a function that shows the states of several resources in a table after a poll.

    :param command: the command that waits.
    :param kind: the type of the resources.
    :param idents: what they are called.
    :returns: the function, None where the lines of :func:`state_reporter` are better.
    """
    from baremetalclient.osc.live_view import live_view

    view = live_view(command, ("name", kind.state or "state", "remarks"))
    if view is None or len(idents) < 2:
        return None

    def show(found: Found, seconds: float) -> None:
        for ident, item in found.items():
            label = (item or {}).get("name") or ident
            view.put(ident, (label, *state_cells(item, kind.state)))
        view.draw(f" ({seconds:.0f} s)")

    return show


def failure_messages(kind: str, results: Iterable[Result]) -> list[str]:
    """Return a message for each way in which resources failed.

    :param kind: the name of the type of resource, such as ``node``.
    :param results: the results of those that failed.
    """
    alike: dict[tuple[str, str | None], list[str]] = {}
    for one in results:
        alike.setdefault((one.error or "", one.state), []).append(one.label)
    return [
        _failure_message(kind, names, error.rstrip(), state)
        for (error, state), names in alike.items()
    ]


def _failure_message(kind: str, names: list[str], reason: str, state: str | None) -> str:
    several = len(names) > 1
    message = f"{len(names)} {kind}s: " if several else f"{kind.capitalize()} {names[0]}: "
    message += reason
    if state:
        remains = "they remain" if several else "it remains"
        message = f"{message.removesuffix('.')}; {remains} in {state!r}"
    return f"{message}: {', '.join(names)}" if several else message
