"""``python -m bench``: measure, and print a table."""

from __future__ import annotations

import argparse
import sys
import sysconfig
from itertools import chain
from pathlib import Path

from bench import client, fleet, peers, server, sweeps, table


def main() -> int:
    """Print the table; return 1 if a figure of the design is not reached."""
    parser = argparse.ArgumentParser(prog="bench", description=__doc__)
    parser.add_argument("--runs", type=int, default=5, help="counted runs of each (default: 5)")
    parser.add_argument(
        "--peers",
        type=Path,
        default=Path(".venv-peers"),
        help="environment of the peers, made where it is missing (default: .venv-peers)",
    )
    parser.add_argument(
        "--server",
        metavar="HOST:PORT,PID",
        help="measure the fake server instead, beside the real Ironic at this address",
    )
    args = parser.parse_args()
    ours = Path(sysconfig.get_path("scripts"))
    if args.server:
        return _servers(ours, args.server, args.runs)
    theirs = peers.environment(args.peers.absolute())
    print("CPU time, or wall time where it says so; medians, and ratios in the same run.")
    print(table.heading(), flush=True)
    reached = True
    measured = chain(fleet.rows(ours, theirs, args.runs), client.rows(ours, theirs, args.runs))
    for row in measured:
        print(table.line(row.cells()), flush=True)
        reached = reached and row.reached
    return 0 if reached else 1


def _servers(ours: Path, real: str, runs: int) -> int:
    address, _, pid = real.partition(",")
    print(server.HEADING, flush=True)
    reached = True
    measured = server.lines(ours, server.Server(address, int(pid)), runs)
    for row in chain(measured, sweeps.lines(ours)):
        print(row, flush=True)
        reached = reached and row.reached
    return 0 if reached else 1


if __name__ == "__main__":
    sys.exit(main())
