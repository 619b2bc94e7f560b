"""Waiting for servers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, cast

from baremetalclient import exc
from baremetalclient._bulk.kinds import SERVER
from baremetalclient.osc.service_command import ComputeCommand
from baremetalclient.osc.terminal.printing_listener import PrintingListener
from baremetalclient.osc.terminal.progress import failure_messages, hint_for
from baremetalclient.osc.wait_command import NamedWaitCommand

if TYPE_CHECKING:
    import argparse
    from collections.abc import Collection, Iterator, Sequence

    from baremetalclient._bulk.fetcher import Fetcher
    from baremetalclient._bulk.goal import Goal
    from baremetalclient._bulk.kinds import Kind
    from baremetalclient._bulk.listener import Target
    from baremetalclient._bulk.result import Result
    from baremetalclient._bulk.vocabulary import Vocabulary
    from baremetalclient._resource.resource import Item
    from baremetalclient.compute.objects import Server
    from baremetalclient.compute.service import Compute
    from baremetalclient.osc.command import Command


class WaitBaremetalServer(ComputeCommand, NamedWaitCommand):
    """Wait until conditions hold for servers.

    A server with the status ERROR that no condition names is a failure, and so is one that is gone
    without the condition 'deleted'; the exit code is 1. It is 124 if the time is over.
    """

    examples = ("baremetal server wait --for status=ACTIVE --timeout 30m web",)
    identifiers = "Name or ID"

    @property
    def kind(self) -> Kind:
        return SERVER

    @property
    def vocabulary(self) -> Vocabulary:
        from baremetalclient._bulk.vocabulary import Vocabulary
        from baremetalclient.compute.objects import Server

        names = sorted(Server.__required_keys__ | Server.__optional_keys__)
        return Vocabulary.of_names("server", names)

    def fetcher(self, parsed_args: argparse.Namespace, fields: Collection[str]) -> Fetcher:
        from baremetalclient.compute.wait import server_fetcher

        return server_fetcher(self.compute(parsed_args))


def until_active(
    command: Command, compute: Compute, ids: Sequence[str], timeout: int
) -> list[Server]:
    """Wait until servers are active, and return them.

    :param timeout: the maximum seconds for all together, 0 for no limit.
    :raises StateTransitionFailed: with all failures, after waiting for each server.
    :raises StateTransitionTimeout: if the time was over before they were active.
    """
    from baremetalclient._bulk.goal import StateGoal

    console = _ServersListener(command)
    active = StateGoal(SERVER, "ACTIVE", ("status",), ("ACTIVE",), stable_fails=False)
    late = f"not 'ACTIVE' after {timeout} seconds"
    wait = _wait(console, compute, ids, active, timeout, late)
    failed = [result for _, result in wait if not result]
    if failed:
        only_late = all(result.result == "timeout" for result in failed)
        kind = exc.StateTransitionTimeout if only_late else exc.StateTransitionFailed
        hint = hint_for(SERVER.name, failed[0].label)
        raise kind("\n".join([*failure_messages(SERVER.name, failed), hint]))
    return [cast("Server", console.servers[ident]) for ident in ids]


def until_gone(
    command: Command, compute: Compute, ids: Sequence[str], timeout: int
) -> Iterator[tuple[str, Result]]:
    """Wait until servers are gone, and yield each id with the result.

    The arguments are those of :func:`until_active`.
    """
    from baremetalclient._bulk.goal import Deleted

    late = f"not deleted after {timeout} seconds"
    gone = Deleted(SERVER, "deleted", ("status",))
    return _wait(_ServersListener(command), compute, ids, gone, timeout, late)


class _ServersListener(PrintingListener):
    """Shows the states of servers, and keeps the servers as they were last seen."""

    def __init__(self, command: Command) -> None:
        super().__init__(command, SERVER.name, SERVER.state)
        self.servers: dict[str, Item | None] = {}

    def seen(self, target: Target, item: Item | None, state_field: str, seconds: float) -> None:
        self.servers[target.ident] = item
        super().seen(target, item, state_field, seconds)

    def failed(self, result: Result) -> None:
        """Leave it to the command, which prints all failures together."""


def _wait(
    console: PrintingListener,
    compute: Compute,
    ids: Sequence[str],
    goal: Goal,
    timeout: int,
    late: str,
) -> Iterator[tuple[str, Result]]:
    from baremetalclient._bulk.wait import wait_for_each
    from baremetalclient.compute.wait import server_fetcher

    fetcher = server_fetcher(compute)
    for ident, result in wait_for_each(fetcher, ids, goal, timeout=timeout, listener=console):
        yield ident, replace(result, error=late) if result.result == "timeout" else result
