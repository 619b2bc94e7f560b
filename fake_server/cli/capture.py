"""``baremetal-fake-server capture``: print the seed of an Ironic."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import requests

from fake_server.cli.parsers import Parser
from fake_server.seeds.capture import CaptureError, Source, capture
from fake_server.seeds.serialization import as_yaml

if TYPE_CHECKING:
    from collections.abc import Sequence


def main(words: Sequence[str]) -> int:
    """Run the command, ``capture`` and its arguments; return the exit status."""
    options = _parser().parse_args(words[1:])
    session = requests.Session()
    session.verify = not options.insecure and (options.cacert or True)
    if options.token:
        session.headers["X-Auth-Token"] = options.token
    elif options.username:
        session.auth = (options.username, options.password or "")
    try:
        captured = capture(Source(options.url, session), keep_drivers=options.keep_drivers)
    except CaptureError as exc:
        print(f"baremetal-fake-server: {exc}", file=sys.stderr)
        return 1
    for note in captured.notes:
        print(f"baremetal-fake-server: {note}", file=sys.stderr)
    sys.stdout.write(as_yaml(captured.seed))
    return 0


def _parser() -> Parser:
    # With another OS_AUTH_TYPE, the name and the password of the environment are for Keystone.
    basic = os.environ if os.environ.get("OS_AUTH_TYPE") == "http_basic" else {}
    parser = Parser(
        prog="baremetal-fake-server capture",
        description=(
            "Print a seed of the chassis, nodes, ports and volume resources of an Ironic, real or "
            "fake, as its REST API shows them. Secrets that are masked there are left out; what is "
            "left out or changed is told on standard error."
        ),
    )
    parser.add_argument("url", metavar="URL", help="of the Bare Metal API: http://127.0.0.1:6385")
    parser.add_argument(
        "--token",
        default=os.environ.get("OS_TOKEN"),
        help="sent as X-Auth-Token (default: OS_TOKEN of the environment)",
    )
    parser.add_argument(
        "--username",
        metavar="NAME",
        default=basic.get("OS_USERNAME"),
        help="for HTTP basic authentication (default: OS_USERNAME, where OS_AUTH_TYPE is "
        "http_basic)",
    )
    parser.add_argument(
        "--password",
        default=basic.get("OS_PASSWORD"),
        help="beside the name (default: OS_PASSWORD, likewise)",
    )
    parser.add_argument(
        "--cacert",
        metavar="FILE",
        default=os.environ.get("OS_CACERT"),
        help="the CAs that the server's certificate is verified by (default: OS_CACERT)",
    )
    parser.add_argument(
        "--insecure", action="store_true", help="don't check the server's certificate"
    )
    parser.add_argument(
        "--keep-drivers",
        action="store_true",
        help="keep drivers and interfaces that the fake server doesn't have",
    )
    return parser
