"""``baremetal-fake-server ctl``: the controls of a running server, from the shell."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from fake_server.cli.ctl_commands.parser import LOCAL, parser
from fake_server.cli.defaults import TOKEN_VARIABLE, URL_VARIABLE
from fake_server.cli.messages import reason, tell
from fake_server.clients.controls import ControlClient, ControlError

if TYPE_CHECKING:
    from collections.abc import Sequence


def main(words: Sequence[str]) -> int:
    """Run the command, ``ctl`` and its arguments; return the exit status."""
    options = parser().parse_args(words[1:])
    url, origin = options.url, "which --url names"
    if not url:
        url, origin = os.environ.get(URL_VARIABLE), f"which {URL_VARIABLE} names"
    if not url:
        url, origin = LOCAL, f"the default of --url and {URL_VARIABLE}"
    token = options.token or os.environ.get(TOKEN_VARIABLE)
    cacert = options.cacert or os.environ.get("OS_CACERT")
    try:
        options.act(ControlClient(url, token, cacert, origin), options, _show)
    except BrokenPipeError:
        raise
    except (ControlError, OSError, ValueError) as exc:
        tell(reason(exc))
        return 1
    return 0


def _show(value: Any) -> None:
    print(json.dumps(value, indent=2, ensure_ascii=False))
