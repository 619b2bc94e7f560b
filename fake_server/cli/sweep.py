"""``baremetal-fake-server exec --sweep``: sweep a program, and tell what was found."""

from __future__ import annotations

import os
import shlex
from argparse import ArgumentParser
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from fake_server.baremetal.conductor_hosts import ConductorHost
from fake_server.cli.messages import printable, reason, tell
from fake_server.cli.options import NAME, refused, settings
from fake_server.cli.signals import Interrupted, interruptible
from fake_server.clock import Clock
from fake_server.common.setting_error import SettingError
from fake_server.extra import MissingExtraError
from fake_server.server import FakeServer

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from fake_server.sweep.options import Options
    from fake_server.sweep.results import Case, Results
    from fake_server.sweep.runs import Sweep
    from fake_server.sweep.server import SweepServer

_USAGE, _FINDINGS = 2, 1
#: When each run begins, by the server's clock: any time will do.
_BEGIN = 1_700_000_000.0
#: The conductor that takes the nodes of another one.
_SECOND = "fake-second"


def is_asked(options: argparse.Namespace) -> bool:
    """Return whether a sweep is asked for, by ``--sweep`` or by what is to be swept."""
    return any(
        value is not None and value is not False
        for name, value in vars(options).items()
        if name.startswith(("sweep", "resume"))
    )


def run(options: argparse.Namespace, words: Sequence[str]) -> int:
    """Sweep the command of the options.

    :param words: the command line, which a finding is repeated with.
    :returns: 0 if all verdicts are allowed, 1 if there are findings, 2 for what can't be swept or
        can't be an option, and as shells have it after a signal.
    """
    from fake_server.sweep.results import ForeignResultsError
    from fake_server.sweep.runs import UnsweepableError

    try:
        found, status = _sweep(options, words)
    except (UnsweepableError, ForeignResultsError) as exc:
        tell(exc)
    except SettingError as exc:
        return refused(options, exc)
    except FileNotFoundError as exc:
        tell(f"{exc.strerror}: {exc.filename}")
    except (OSError, ValueError, MissingExtraError) as exc:
        tell(reason(exc))
    else:
        # Output that nobody reads is no fault of the options.
        print(found, end="")
        return status
    return _USAGE


def _sweep(options: argparse.Namespace, words: Sequence[str]) -> tuple[str, int]:
    """Return what is to be printed, and the exit status."""
    from fake_server.sweep import report
    from fake_server.sweep.judge import FINE
    from fake_server.sweep.program import Command
    from fake_server.sweep.runs import Sweep
    from fake_server.sweep.terminal import Progress, summary

    chosen = _options(options)
    allowed = {*FINE, *(options.sweep_allow or ())}
    known = _read(options.sweep_baseline, options.command)
    kept, timelines = None, None
    if options.resume:
        kept, timelines = report.read(chosen.report, options.command)
    progress = Progress()

    def told(sweep: Sweep, case: Case) -> None:
        progress.show(sweep, case)
        report.store(sweep, chosen.report)

    subject = Command(options.command, Path.cwd(), chosen.report)
    sweep = Sweep(chosen, subject, partial(_server, options), told)
    number = _interruptible(sweep, kept, timelines)
    progress.end()
    if number is not None and not sweep.chosen:
        tell("interrupted while the program ran without a fault; there are no results.")
        return "", 128 + number
    report.write(sweep, chosen.report, allowed)
    found = list(sweep.results.findings(allowed, known.cases if known else ()))
    text = summary(sweep, found, options.sweep_case is not None, partial(_again, words))
    status = 128 + number if number is not None else _FINDINGS if found else 0
    return f"{printable(text)}\n", status


@contextmanager
def _server(options: argparse.Namespace) -> Iterator[SweepServer]:
    """Yield a server of the options; it is like any other one of the sweep."""
    from fake_server.sweep.server import SweepServer

    given = settings(options)
    if given.random_seed is None:
        given = replace(given, random_seed=options.sweep_seed or 0)
    if not given.conductors:
        # Another one takes the nodes of the one that goes.
        given = replace(given, conductors=(ConductorHost(given.host), ConductorHost(_SECOND)))
    clock = options.clock or Clock("auto", start=_BEGIN)
    mine = Clock(clock.mode, factor=clock.factor, start=None if clock.mode == "real" else _BEGIN)
    with (
        FakeServer(given, clock=mine, seed=options.seed) as server,
        SweepServer(server, options.account) as made,
    ):
        yield made


def _interruptible(
    sweep: Sweep, kept: Results | None, timelines: dict[str, object] | None
) -> int | None:
    """Run a sweep; return the number of the signal that ended it, if one did."""
    try:
        with interruptible():
            sweep.run(kept, timelines)
    except Interrupted as exc:
        sweep.stop()
        return exc.number
    return None


def _options(options: argparse.Namespace) -> Options:
    from fake_server.sweep.kinds import KINDS
    from fake_server.sweep.options import Options

    return Options(
        kinds=tuple(KINDS[name] for name in options.sweep_kinds or KINDS),
        routes=options.sweep_routes or (),
        limit=options.sweep_limit,
        jobs=options.sweep_jobs or os.cpu_count() or 1,
        timeout=options.sweep_timeout,
        seed=options.sweep_seed or 0,
        report=Path(options.sweep_report or "sweep"),
        case=options.sweep_case,
    )


def _again(words: Sequence[str], case: Case) -> str:
    """Return the command that repeats a case, and leaves the report as it is."""
    end = words.index("--") if "--" in words else 1
    replaced = ArgumentParser(add_help=False, allow_abbrev=False)
    replaced.add_argument("--resume", action="store_true")
    for option in ("--sweep-case", "--sweep-report"):
        replaced.add_argument(option)
    _, kept = replaced.parse_known_args(words[:end])
    more = ["--sweep-case", case.id, "--sweep-report", "sweep-case"]
    return shlex.join([NAME, *kept, *more, *words[end:]])


def _read(baseline: str | None, command: Sequence[str]) -> Results | None:
    from fake_server.sweep.results import Results

    return None if baseline is None else Results.read(Path(baseline), command)
