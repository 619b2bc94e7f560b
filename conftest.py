"""Options of the whole test run."""

from __future__ import annotations

import gc
import os
import signal
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from collections.abc import Iterator

pytest_plugins = ["tools.recording", "tools.rows"]

#: Examples of a property test: on each change, and where ``--all`` runs what takes long.
_EXAMPLES, _MANY_EXAMPLES = 10, 200


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options of all tests."""
    parser.addoption(
        "--real-ironic",
        metavar="URL",
        help="Run the functional tests on the Ironic at this URL, which needs no authentication "
        "and has the hardware type fake-hardware. Without it they run on the fake server.",
    )
    parser.addoption(
        "--dialect",
        choices=("ironic", "spec"),
        default="ironic",
        help="The dialect of the fake server that the functional tests run on.",
    )
    parser.addoption(
        "--cloud",
        metavar="URL",
        help="The fake cloud, without authentication, that the Ironic of --cloud-ironic uses.",
    )
    parser.addoption(
        "--cloud-ironic",
        metavar="URL",
        help="Run the tests of clouds with this Ironic, whose Neutron and Cinder are those of "
        "--cloud. Without it they run with the fake one.",
    )
    parser.addoption(
        "--both",
        metavar="DIR",
        help="Run the tests of an environment with both this package and python-ironicclient, "
        "which is the virtual environment in this directory.",
    )
    parser.addoption(
        "--peer",
        metavar="DIR",
        help="Run the tests of compatibility with python-ironicclient, too, from the environment "
        "in this directory, which is made if it is missing.",
    )
    parser.addoption(
        "--record",
        action="store_true",
        help="Write down what tests with recorded results find, those of compatibility what "
        "python-ironicclient does, and that of hardware what the Ironic at --real-ironic answers.",
    )
    parser.addoption(
        "--all",
        action="store_true",
        help="Run the tests marked slow and night, too: those that need a browser, a database "
        "server or another environment, and those that take minutes; and all generated rows.",
    )


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Don't look for garbage among tests and modules: what is collected stays until the end."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what only ``--all`` runs, unless it is asked for by its mark."""
    slow = []
    for item in items:
        for marker in filter(None, map(item.get_closest_marker, ("slow", "night"))):
            if not marker.args:
                raise pytest.UsageError(f"{item.nodeid}: the mark {marker.name} needs a reason")
            if marker.name not in config.getoption("markexpr"):
                slow.append(item)
    if slow and not config.getoption("--all"):
        left_out = set(slow)
        items[:] = [item for item in items if item not in left_out]
        config.hook.pytest_deselected(items=slow)


def pytest_configure(config: pytest.Config) -> None:
    """Set up hypothesis and signals, and make the environment of python-ironicclient once.

    A run in the background of a script ignores SIGINT, one under nohup SIGHUP, and so would the
    programs that they start.
    """
    # How fast values are made depends on what else the machine does.
    settings.register_profile(
        "suite",
        max_examples=_MANY_EXAMPLES if config.getoption("--all") else _EXAMPLES,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow],
    )
    settings.load_profile("suite")
    # argparse looks for translations of each of its words otherwise, in whatever language.
    os.environ["LANGUAGE"] = "C"
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
    peer = config.getoption("--peer")
    if peer and not hasattr(config, "workerinput"):
        from bench.peers import environment

        environment(Path(peer))
