"""The client's figures: commands, imports, calls and lists."""

from __future__ import annotations

import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from bench import measure
from bench.table import Row

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

HERE = Path(__file__).parent
NO_AUTH = {"OS_AUTH_TYPE": "none"}


def rows(ours: Path, peers: Path, runs: int) -> Iterator[Row]:
    """Measure everything that the design sets a figure for.

    :param ours: directory of our environment's commands
    :param peers: directory of the peers' commands
    :param runs: counted runs of each subject
    """
    with page_server() as pages, fake_server(ours) as fake:
        yield from _commands(ours, peers, runs, {**NO_AUTH, "OS_ENDPOINT": fake})
        yield _imports(ours, peers, runs)
        for work, title, at_most in (
            ("connector", "one SDK call, a volume connector", 1.05),
            ("node", "one SDK call, a full node", 0.85),
            ("list", "list of 10,000 detailed nodes", 0.95),
        ):
            reference = {"reference": _probe(ours, "requests", work, pages)}
            theirs = {
                "python-ironicclient": _probe(peers, "ironicclient", work, pages),
                "openstacksdk": _probe(peers, "openstacksdk", work, pages),
            }
            # The peers take long for a list, and their ratios are far from ours.
            few = min(runs, 2) if work == "list" else runs
            found = measure.reports(reference | theirs, "reference", few)
            subject = {"ours": _probe(ours, "baremetalclient", work, pages)}
            found |= measure.reports(reference | subject, "reference", 3 * runs)
            yield Row(title, "requests and .json()", at_most, found)


@contextmanager
def page_server() -> Iterator[str]:
    """Run the server of recorded pages; give its URL."""
    with served([sys.executable, "-m", "bench.pages"]) as url:
        yield url


@contextmanager
def fake_server(ours: Path) -> Iterator[str]:
    """Run a fake server; give its URL."""
    with served([str(ours / "baremetal-fake-server"), "--port", "0"]) as url:
        yield url


@contextmanager
def served(command: list[str]) -> Iterator[str]:
    """Run a server; give the first line that it prints."""
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    try:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
    finally:
        process.terminate()
        process.wait()


def _commands(ours: Path, peers: Path, runs: int, env: Mapping[str, str]) -> Iterator[Row]:
    listing = ["volume", "connector", "list"]
    python = str(ours / "python")
    yield Row(
        "baremetal volume connector list",
        "import cliff.app, keystoneauth1.session",
        1.2,
        measure.processes(
            {
                "reference": [python, "-c", "import cliff.app, keystoneauth1.session"],
                "ours": [str(ours / "baremetal"), *listing],
                "python-ironicclient": [str(peers / "baremetal"), *listing],
            },
            "reference",
            runs,
            env,
        ),
    )
    # What the plug-in adds to OpenStackClient, which loads every command before it runs one.
    yield Row(
        "openstack baremetal volume connector list",
        "openstack module list",
        1.0,
        measure.processes(
            {
                "reference": [str(ours / "openstack"), "module", "list"],
                "ours": [str(ours / "openstack"), "baremetal", *listing],
                "python-ironicclient": [str(peers / "openstack"), "baremetal", *listing],
            },
            "reference",
            runs,
            env,
        ),
    )


def _imports(ours: Path, peers: Path, runs: int) -> Row:
    return Row(
        "import baremetalclient.client",
        "import keystoneauth1.session",
        1.15,
        measure.processes(
            {
                "reference": [str(ours / "python"), "-c", "import keystoneauth1.session"],
                "ours": [str(ours / "python"), "-c", "import baremetalclient.client"],
                "python-ironicclient": [str(peers / "python"), "-c", "import ironicclient.client"],
                "openstacksdk": [str(peers / "python"), "-c", "import openstack"],
            },
            "reference",
            runs,
        ),
    )


def _probe(commands: Path, library: str, work: str, url: str) -> list[str]:
    return [str(commands / "python"), str(HERE / "probe.py"), library, work, url]
