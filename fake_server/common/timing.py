"""How long something takes, and how it ends: fixed, or drawn at random.

A timing is seconds, a text, or both with outcomes: ``5``, ``10m``, ``5±2``, ``uniform(2, 9)``,
``normal(5, 1)``, ``90% active, 10% deploy failed``, ``5±2, 90% active, 10% deploy failed``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from fake_server.common import durations

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet
    from random import Random

#: The longest, in seconds; a test needs no more than thirty years.
LONGEST = 1e9
#: Characters of a text at most, some of which take time that grows with the square of their number.
_MOST_CHARACTERS = 1000
FORMS = (
    "seconds or a duration such as 10m, one like 5±2, uniform(2,9) or normal(5,1), outcomes such "
    "as '90% active, 10% deploy failed', or a duration and outcomes"
)
_PART = re.compile(r"(?:[^,(]|\([^)]*\))+")
_OUTCOME = re.compile(r"([0-9]+(?:\.[0-9]+)?)\s*%\s*(.+)", re.ASCII)
_DRAWN = re.compile(r"(uniform|normal)\(([^,]+),([^,]+)\)|(.+?)\s*(?:±|\+-)\s*(.+)")


@dataclass(frozen=True, slots=True)
class Timing:
    """How long something takes, and how it ends.

    :param form: ``uniform`` between two numbers of seconds, or ``normal`` with a mean and a
        standard deviation.
    :param outcomes: the states that it may end in, with the percentage of each.
    """

    form: str
    first: float
    second: float
    outcomes: tuple[tuple[float, str], ...] = ()

    @property
    def is_fixed(self) -> bool:
        """Whether it is always the same."""
        return self.form == "uniform" and self.first == self.second and not self.outcomes

    def seconds(self, generator: Random) -> float:
        """Return how long it takes this time."""
        draw = generator.uniform if self.form == "uniform" else generator.gauss
        return min(max(draw(self.first, self.second), 0.0), LONGEST)

    def outcome(self, generator: Random, states: AbstractSet[str]) -> str | None:
        """Return the state in which it ends this time, if these are among the outcomes."""
        if states.isdisjoint(found := [state for _, state in self.outcomes]):
            return None
        return generator.choices(found, [weight for weight, _ in self.outcomes])[0]


@lru_cache(1024, typed=True)
def parse(value: float | str) -> Timing:
    """Return the timing of a number of seconds or a text; raise ValueError for another value."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise ValueError(f"has to be {FORMS}, not {value!r}")
    if not isinstance(value, str):
        if not 0 <= value <= LONGEST:
            raise ValueError(f"has to be from 0 to {LONGEST:.0f} seconds, not {value}")
        return Timing("uniform", float(value), float(value))
    if len(value) > _MOST_CHARACTERS:
        raise ValueError(f"has to be {FORMS}, not a text of {len(value)} characters")
    parts = [part.strip() for part in _PART.findall(value)]
    matches = [_OUTCOME.fullmatch(part) for part in parts]
    outcomes = tuple((float(match[1]), match[2]) for match in matches if match)
    others = [part for part, match in zip(parts, matches, strict=True) if not match]
    if len(others) > 1 or not parts:
        raise ValueError(f"has to be {FORMS}, not {value!r}")
    if outcomes and abs(sum(weight for weight, _ in outcomes) - 100) > 1e-6:
        raise ValueError(f"has outcomes that aren't 100 % together: {value!r}")
    form, first, second = _drawn(others[0], value) if others else ("uniform", 0.0, 0.0)
    return Timing(form, first, second, outcomes)


def _drawn(text: str, whole: str) -> tuple[str, float, float]:
    match = _DRAWN.fullmatch(text)
    try:
        if match is None:
            seconds = durations.parse(text)
            return "uniform", seconds, seconds
        if match[1]:
            first, second = (durations.parse(one.strip()) for one in (match[2], match[3]))
        else:
            middle, spread = (durations.parse(one.strip()) for one in (match[4], match[5]))
            first, second = middle - spread, middle + spread
    except ValueError as exc:
        raise ValueError(f"has to be {FORMS}, not {whole!r}") from exc
    if match[1] != "normal" and (first < 0 or second < first):
        raise ValueError(f"has to be from a number of seconds to a greater one, not {text!r}")
    return match[1] or "uniform", first, second
