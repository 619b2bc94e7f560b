"""Fixtures for tests of software that talks to Ironic; pytest finds them by itself.

``baremetal_server`` is a new :class:`~fake_server.server.FakeServer` for each test, with its own
port and database, so tests can run in parallel. Its time stands still until a client waits.
``baremetal_client`` is a client of it, which sends requests again that are refused because the node
is locked or the service unavailable: a test of such an error makes its own client, by
``get_client(1, **baremetal_server.client_options, max_retries=0)``. The marker
``baremetal_server`` has the options of the server::

    @pytest.mark.baremetal_server(seed={"nodes": [{"name": "n"}]}, clock="manual", delay=600)

The marker ``baremetal_sweep`` repeats a test once for each request that it makes and each way in
which that can go wrong; each case that isn't survived fails as a test of its own::

    @pytest.mark.baremetal_sweep(kinds=["lost-answer", "killed"], allow=["said-so"])

The report of a test that fails names the faults that met nothing, and the requests that a fault
refused and the client sent again, so that the test saw no error. ``--baremetal-report DIR`` writes
an HTML report, too: what the program asked, which states the nodes were in, and what was due next.
"""

from __future__ import annotations

import inspect
import re
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from baremetalclient.v1.client import Client
    from fake_server.server import FakeServer

_MARKER = "baremetal_server"
_SWEEP = "baremetal_sweep"
_FIXTURES = ("baremetal_server", "baremetal_shared_server")
_LONGEST_NAME = 150
_FAILED = pytest.StashKey[bool]()
#: What the servers of a test had recorded when it ended, as they are gone once it is torn down.
_TIMELINES = pytest.StashKey[list[dict[str, Any]]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option for reports."""
    parser.getgroup("baremetal").addoption(
        "--baremetal-report",
        metavar="DIR",
        type=Path,
        help="write an HTML report of the fake Ironic of each test that fails to this directory",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker."""
    config.addinivalue_line(
        "markers",
        f"{_MARKER}(seed, clock, db, strict, **settings): options of the test's fake Ironic: its "
        "lab, its clock, its database, whether it is strict, and those of "
        "fake_server.settings.Settings.",
    )
    config.addinivalue_line(
        "markers",
        f"{_SWEEP}(kinds, routes, limit, timeout, seed, allow): repeat the test with one fault at "
        "a time; verdicts in allow are no failures, beside survived and not-reached.",
    )


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Sweep a test that has the marker; others are called as usual."""
    marker = pyfuncitem.get_closest_marker(_SWEEP)
    if marker is None:
        return None
    _sweep(pyfuncitem, dict(marker.kwargs))
    return True


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Note that a test failed: its server needn't complain, too. Tell what its server knows."""
    report = yield
    if call.excinfo is not None:
        item.stash[_FAILED] = True
    if report.failed and call.when == "call" and (lines := list(_mistakes(item))):
        report.sections.append(("Faults of the fake Ironic", "\n".join(lines)))
    directory: Path | None = item.config.getoption("--baremetal-report")
    if directory is not None and report.failed:
        for timeline in item.stash.get(_TIMELINES, None) or _timelines(item):
            written = _write_report(directory, item, timeline, report.longreprtext)
            report.sections.append(("Report of the fake Ironic", str(written)))
    return report


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item) -> None:
    """Keep what a report would show, in case the test fails only now."""
    if item.config.getoption("--baremetal-report") is not None:
        item.stash[_TIMELINES] = _timelines(item)


@pytest.fixture
def baremetal_server(request: pytest.FixtureRequest) -> Iterator[FakeServer]:
    """Return a running fake Ironic; ``url`` is its URL, and the environment is for it."""
    server = _made(_options(request))
    with server.in_environment():
        yield server
        if _FAILED in request.node.stash:
            server.strict = None


@pytest.fixture
def baremetal_shared_server(
    request: pytest.FixtureRequest, _baremetal_session_server: FakeServer
) -> Iterator[FakeServer]:
    """Return a running fake Ironic of the whole session, restored before each test."""
    from fake_server import cloud_config

    server = _baremetal_session_server
    server.reset()
    with cloud_config.in_use(server.environ):
        yield server
    if server.strict and _FAILED not in request.node.stash:
        server.check_unmet()


@pytest.fixture(scope="session")
def baremetal_shared_options() -> dict[str, Any]:
    """Return the options of ``baremetal_shared_server``: a test suite may have its own fixture."""
    return {}


@pytest.fixture(scope="session")
def _baremetal_session_server(baremetal_shared_options: dict[str, Any]) -> Iterator[FakeServer]:
    server = _made(baremetal_shared_options)
    server.start()
    yield server
    server.stop()


@pytest.fixture
def baremetal_client(request: pytest.FixtureRequest) -> Iterator[Client]:
    """Return a client of the test's server, authenticated as its first account.

    While it waits, the clock of the server goes on.
    """
    from baremetalclient import client

    shared = "baremetal_shared_server" in request.fixturenames
    name = "baremetal_shared_server" if shared else "baremetal_server"
    server: FakeServer = request.getfixturevalue(name)
    with client.use_clock(server.clock.pause, server.clock.seconds):
        yield client.get_client(1, **server.client_options)


def _sweep(item: pytest.Function, options: dict[str, Any]) -> None:
    """Sweep a test, and report each case that isn't allowed as a test of its own."""
    from fake_server.sweep import sweep
    from fake_server.sweep.judge import FINE, VERDICTS
    from fake_server.sweep.junit import told

    allowed = {*FINE, *options.pop("allow", ())}
    servers = _servers(item)
    if not servers:
        raise pytest.UsageError(f"{_SWEEP} needs one of the fixtures {', '.join(_FIXTURES)}.")
    if unknown := allowed.difference(VERDICTS):
        raise pytest.UsageError(f"{_SWEEP}: {min(unknown)!r} is none of {', '.join(VERDICTS)}.")
    taken = inspect.signature(item.obj).parameters
    given = {name: value for name, value in item.funcargs.items() if name in taken}
    results = sweep(lambda _: item.obj(**given), server=servers[0], **options)
    findings = list(results.findings(allowed))
    for case in findings:
        report = pytest.TestReport(
            nodeid=f"{item.nodeid}[{case.id}]",
            location=item.location,
            keywords={},
            outcome="failed",
            longrepr=f"{case.verdict}: {VERDICTS[case.verdict]}\n{told(case)}",
            when="call",
            duration=case.seconds,
        )
        item.ihook.pytest_runtest_logreport(report=report)
    if findings:
        names = ", ".join(case.id for case in findings)
        pytest.fail(f"{len(findings)} of {len(results.cases)} cases: {names}", pytrace=False)


def _timelines(item: pytest.Item) -> list[dict[str, Any]]:
    """Return what the servers that a test has got from fixtures have recorded."""
    return [server.app.control.timeline(bodies=True) for server in _servers(item)]


def _mistakes(item: pytest.Item) -> Iterator[str]:
    """Yield which faults met nothing, and which of them a client tried again."""
    for server in _servers(item):
        from fake_server.control import mistakes

        yield from mistakes.unmet(server.faults.unmet())
        yield from mistakes.retried(server.requests.find())


def _servers(item: pytest.Item) -> list[FakeServer]:
    given: dict[str, Any] = getattr(item, "funcargs", {})
    return [given[name] for name in _FIXTURES if name in given]


def _write_report(
    directory: Path, item: pytest.Item, timeline: dict[str, Any], failure: str
) -> Path:
    from fake_server.control import report

    # Names that differ only in other characters, or at their end, have files of their own.
    name = re.sub(r"[^\w.-]+", "-", item.nodeid)[:_LONGEST_NAME]
    path = directory / f"{name}-{zlib.crc32(item.nodeid.encode()):08x}.html"
    directory.mkdir(parents=True, exist_ok=True)
    page = report.page({**timeline, "title": item.nodeid, "note": failure})
    path.write_text(page, encoding="utf-8")
    return path


def _made(options: dict[str, Any]) -> FakeServer:
    # Imported here, because pytest imports this module in every run.
    from fake_server.extra import MissingExtraError, required

    try:
        with required():
            from fake_server.server import FakeServer
    except MissingExtraError as exc:
        pytest.fail(str(exc), pytrace=False)
    return FakeServer.with_options(**options)


def _options(request: pytest.FixtureRequest) -> dict[str, Any]:
    """Return the options in the markers of a test; the nearest one takes precedence."""
    options: dict[str, Any] = {}
    for marker in reversed(list(request.node.iter_markers(_MARKER))):
        if marker.args:
            raise pytest.UsageError(f"The marker {_MARKER} takes options by name only.")
        options |= marker.kwargs
    return options
