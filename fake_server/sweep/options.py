"""What users choose of a sweep."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from fake_server.sweep.kinds import KINDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fake_server.sweep.kinds import Kind


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
