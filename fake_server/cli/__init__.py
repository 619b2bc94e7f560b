"""``baremetal-fake-server``: choose the command; its module is loaded when it runs."""

from __future__ import annotations

import gc
import sys
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

#: Modules of commands that aren't about running a server.
_COMMANDS = {"capture": "fake_server.cli.capture", "ctl": "fake_server.cli.ctl"}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command with its arguments, by default the process's; return the exit status."""
    words = list(sys.argv[1:] if argv is None else argv)
    if words and words[0] in _COMMANDS:
        return int(import_module(_COMMANDS[words[0]]).main(words[1:]))
    # What is loaded here stays: to search it for garbage again and again is a tenth of the start.
    gc.disable()
    from fake_server.cli import serve

    gc.freeze()
    gc.enable()
    return serve.main(words)


if __name__ == "__main__":
    sys.exit(main())
