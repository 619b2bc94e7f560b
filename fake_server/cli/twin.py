"""``baremetal-fake-server twin``: a fake server that is like an Ironic."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.cli import connection, serve
from fake_server.cli.messages import tell
from fake_server.cli.options import SERVED, parse
from fake_server.clients.capture import CaptureError, Source, capture, options_like

if TYPE_CHECKING:
    from collections.abc import Sequence


def main(words: Sequence[str]) -> int:
    """Run the command, ``twin`` and its arguments; return the exit status."""
    options = parse(words[1:], words[0])
    try:
        found = connection.connect(options)
        source = Source(found.url, found.session)
        like, unknown = options_like(source)
        captured = capture(
            source, keep_drivers=options.keep_drivers, brief=options.brief, masked=True
        )
    except (CaptureError, connection.UnreachableError) as exc:
        tell(exc)
        return 1
    for note in [*captured.notes, *unknown]:
        tell(note)
    # Options that are given take precedence over what the Ironic has.
    for kind, names in like.pop("interfaces", {}).items():
        like[f"interfaces.{kind}"] = names
    for name, value in like.items():
        if getattr(options, name) is None:
            setattr(options, name, value)
    if options.port is None:
        options.port = 0 if options.command else SERVED
    return serve.start(options, captured.seed, f"the lab of {found.url}")
