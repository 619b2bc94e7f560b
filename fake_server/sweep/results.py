"""What a sweep found, as it is stored in ``sweep.json``."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Self

from fake_server.common import json_text
from fake_server.common.schemas import Checker
from fake_server.sweep.calls import Call
from fake_server.sweep.difference import Difference
from fake_server.sweep.judge import VERDICTS, Verdict
from fake_server.sweep.kinds import KINDS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from pathlib import Path

_VERSION = 1
_TEXT = {"type": "string"}
_SECONDS = {"type": "number", "minimum": 0}
_CODE = {"type": ["integer", "null"]}


class ForeignResultsError(Exception):
    """A file that holds no results of this command; the message says why."""


@dataclass(frozen=True)
class Case:
    """A request that went wrong in one way, and what became of the program.

    :param id: the ids of the request and the kind, such as ``POST/v1/nodes.1:lost-answer``.
    :param exit: exit code of the run with the fault; negative for a signal, ``None`` at the limit.
    :param rerun_exit: that of the run after it; ``None`` if there was none.
    :param output_tail: the last lines of both runs.
    :param seconds: how long it took, in real time.
    :param simulated_seconds: how long it took by the server's clock.
    """

    id: str
    request: str
    kind: str
    verdict: Verdict
    exit: int | None
    rerun_exit: int | None
    difference: Sequence[Difference]
    output_tail: str
    seconds: float
    simulated_seconds: float

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON."""
        return {**asdict(self), "difference": [one._asdict() for one in self.difference]}

    @classmethod
    def read(cls, found: dict[str, Any]) -> Self:
        """Return a case of a file."""
        differences = [Difference(**one) for one in found["difference"]]
        return cls(**{**found, "difference": differences})


@dataclass
class Results:
    """The results of a sweep.

    :param command: the program with its arguments.
    :param varies: what differs between runs without a fault.
    :param requests: what the program asks for.
    """

    command: list[str]
    seed: int
    varies: list[str]
    requests: list[Call]
    cases: list[Case] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON; the structure is in the reference."""
        counts = Counter(case.verdict for case in self.cases)
        return {
            "version": _VERSION,
            "command": self.command,
            "seed": self.seed,
            "varies": self.varies,
            "requests": [call._asdict() for call in self.requests],
            "cases": [case.as_json() for case in self.cases],
            "counts": {verdict: counts[verdict] for verdict in VERDICTS if counts[verdict]},
        }

    @classmethod
    def read(cls, file: Path, command: Sequence[str]) -> Self:
        """Return the results in a file.

        :param command: the command that they have to be of.
        :raises ForeignResultsError: if it can't be read, or is of another command or version.
        """
        try:
            found = json_text.parse(file.read_text("utf-8"))
            if found["version"] != _VERSION:
                raise ForeignResultsError(
                    f"{file} has version {found['version']} of the results; this is {_VERSION}."
                )
            if found["command"] != list(command):
                raise ForeignResultsError(
                    f"{file} is of another command: {' '.join(map(str, found['command']))}"
                )
            if problem := _FORM.problem(found):
                raise ValueError(problem)
            return cls(
                found["command"],
                found["seed"],
                found["varies"],
                [Call(**one) for one in found["requests"]],
                [Case.read(one) for one in found["cases"]],
            )
        except (OSError, ValueError, KeyError, TypeError) as exc:
            raise ForeignResultsError(f"{file} holds no results of a sweep: {exc}") from None

    def findings(self, allowed: Collection[str], known: Collection[Case] = ()) -> Iterator[Case]:
        """Yield the cases whose verdict isn't allowed and isn't known, in their order."""
        before = {(case.id, case.verdict) for case in known}
        for case in self.cases:
            if case.verdict not in allowed and (case.id, case.verdict) not in before:
                yield case


def _list_of(**members: Any) -> dict[str, Any]:
    return {"type": "array", "items": _object(**members)}


def _object(**members: Any) -> dict[str, Any]:
    """Return the schema of an object that has these members and no others."""
    return {
        "type": "object",
        "properties": members,
        "required": list(members),
        "additionalProperties": False,
    }


#: What ``sweep.json`` has.
_FORM = Checker(
    _object(
        version={"const": _VERSION},
        command={"type": "array", "items": _TEXT},
        seed={"type": "integer"},
        varies={"type": "array", "items": _TEXT},
        requests=_list_of(
            id=_TEXT,
            method=_TEXT,
            route=_TEXT,
            resource={"type": ["string", "null"]},
            nth={"type": "integer"},
        ),
        cases=_list_of(
            id=_TEXT,
            request=_TEXT,
            kind={"enum": list(KINDS)},
            verdict={"enum": list(VERDICTS)},
            exit=_CODE,
            rerun_exit=_CODE,
            difference=_list_of(path=_TEXT, expected={}, found={}),
            output_tail=_TEXT,
            seconds=_SECONDS,
            simulated_seconds=_SECONDS,
        ),
        counts={"type": "object"},
    )
)
