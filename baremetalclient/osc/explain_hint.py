"""The hint at ``node explain`` after failures that it explains."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from baremetalclient import exc

if TYPE_CHECKING:
    from baremetalclient.osc.command import Command


def is_explained(error: exc.ClientException, *, changes_state: bool) -> bool:
    """Return whether ``node explain`` may explain why Ironic refused a request.

    :param error: the error.
    :param changes_state: whether the request asked for another state, so that an error 400 is about
        the node instead of the arguments.
    """
    if isinstance(error, exc.ValidationError):
        return False
    if isinstance(error, exc.BadRequest):
        return changes_state
    return isinstance(error, exc.Conflict | exc.ServiceUnavailable)


def print_hint(command: Command, node: str) -> None:
    """Print the hint to stderr, in one line, unless ``--quiet`` is given.

    :param command: the command that failed.
    :param node: the name or the UUID of a node that it failed for.
    """
    command.report(f"To see what is in the way: baremetal node explain {shlex.quote(node)}")
