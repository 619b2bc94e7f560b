"""What users choose of a sweep."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from fake_server.common.suggestion import suggestion
from fake_server.sweep.kinds import KINDS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from fake_server.sweep.kinds import Kind


def check_names(what: str, given: Iterable[str], known: Collection[str]) -> None:
    """Raise ValueError for the first unknown name.

    :param what: what it is the name of, for the message.
    """
    for name in given:
        if name not in known:
            raise ValueError(f"Unknown {what} {name!r}.{suggestion(name, known, 'There are')}")


@dataclass(frozen=True)
class Options:
    """The options of a sweep.

    :param kinds: the kinds of faults.
    :param routes: patterns of the requests that go wrong, such as ``POST /v1/nodes*``; all if none.
    :param limit: the number of cases that are run; all if ``None``.
    :param jobs: how many are run at a time.
    :param timeout: seconds that a run may take; by default ten times the clean one, at least 10.
    :param seed: of what is chosen at random, here and by the server.
    :param report: the folder for the results.
    :param case: the only case to be run.
    """

    kinds: Sequence[Kind] = tuple(KINDS.values())
    routes: Sequence[str] = ()
    limit: int | None = None
    jobs: int = 1
    timeout: float | None = None
    seed: int = 0
    report: Path = Path("sweep")
    case: str | None = None
