"""A sweep: run a program once for each of its requests and each way in which that goes wrong.

A program runs once without a fault, which says what it asks for and what it leaves. Then it runs
once for each case: one request with one kind of fault, from the same snapshot. What it leaves then
is judged against the run without a fault.
"""

from __future__ import annotations

from fake_server.sweep.functions import sweep
from fake_server.sweep.results import Case, Results
from fake_server.sweep.runs import UnsweepableError

__all__ = ["Case", "Results", "UnsweepableError", "sweep"]
