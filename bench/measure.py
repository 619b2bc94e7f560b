"""CPU time of whole processes, measured in turn so that a drifting machine cancels out."""

from __future__ import annotations

import os
import statistics
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

Command = Sequence[str]


class CommandFailed(RuntimeError):
    """A measured command exited with a status other than zero."""


@dataclass(frozen=True)
class Figure:
    """What one subject cost beside the reference.

    :param cpu: median CPU time, in seconds
    :param ratio: median of the pairwise ratios to the reference
    """

    cpu: float
    ratio: float


def environment(added: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the environment of what is measured: as what is installed has, it may keep bytecode.

    :param added: variables added to ours
    """
    ours = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**ours, **(added or {})}


def processes(
    commands: Mapping[str, Command], reference: str, runs: int, env: Mapping[str, str] | None = None
) -> dict[str, Figure]:
    """Measure whole processes.

    :param commands: the subjects by name, as argument lists
    :param reference: name of the subject that the ratios refer to
    :param runs: counted runs of each; one more warms up
    :param env: variables added to the environment
    :returns: a figure for each subject
    :raises CommandFailed: if one of them fails
    """
    full_env = environment(env)
    samples: dict[str, list[float]] = {name: [] for name in commands}
    for turn in range(runs + 1):
        for name, command in commands.items():
            seconds = cpu_of(command, full_env)
            if turn:
                samples[name].append(seconds)
    return figures(samples, reference)


def reports(
    commands: Mapping[str, Command], reference: str, runs: int, env: Mapping[str, str] | None = None
) -> dict[str, Figure]:
    """Measure what each process says it used: it prints CPU seconds as its last line.

    Takes and returns the same as :func:`processes`; for work inside a process, without the cost
    of starting it.
    """
    full_env = environment(env)
    samples: dict[str, list[float]] = {name: [] for name in commands}
    for turn in range(runs + 1):
        for name, command in commands.items():
            done = subprocess.run(command, env=full_env, capture_output=True, text=True)
            if done.returncode:
                raise CommandFailed(f"{' '.join(command)}: {done.stderr[-2000:]}")
            if turn:
                samples[name].append(float(done.stdout.split()[-1]))
    return figures(samples, reference)


def figures(samples: Mapping[str, Sequence[float]], reference: str) -> dict[str, Figure]:
    """Reduce samples taken in turn to medians.

    :param samples: seconds by subject; the n-th samples of all were taken together
    :param reference: the subject that the ratios refer to
    """
    return {
        name: Figure(
            cpu=statistics.median(taken),
            ratio=statistics.median(
                mine / theirs for mine, theirs in zip(taken, samples[reference], strict=True)
            ),
        )
        for name, taken in samples.items()
    }


def cpu_of(command: Command, env: Mapping[str, str]) -> float:
    """Run a command to its end; return the user and system time of it and its children.

    :raises CommandFailed: if it fails
    """
    process = subprocess.Popen(
        command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    complaint = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    process.stderr.close()
    if process.returncode:
        raise CommandFailed(f"{' '.join(command)}: {complaint[-2000:]}")
    return usage.ru_utime + usage.ru_stime
