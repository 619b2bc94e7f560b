"""Facts about many cases, each recorded once with the cases in which it holds."""

from __future__ import annotations

import re
import textwrap
from collections import defaultdict
from typing import TYPE_CHECKING, Any

from tools.recording import masked

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

_SHORT = {
    "provision_state": "state",
    "target_provision_state": "target",
    "power_state": "power",
    "target_power_state": "target power",
    "last_error": "error",
}
_STEP = re.compile(r"\{'step': '(\w+)'[^{}]*?'interface': '(\w+)'[^{}]*\}")
#: As much of a sentence as tells it from others.
_LONGEST = 120
# What agents are told to do, which all nodes have.
_SETTINGS = tuple(
    f"{sign}{name}"
    for sign in "+-"
    for name in ("agent_continue_", "agent_enable_", "agent_erase_", "disk_erasure", "vmedia_")
)


def by_fact(cases: Mapping[str, Iterable[str]]) -> dict[str, str]:
    """Return the names of the cases of each fact: of the few, or of those that are left out."""
    found: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for name, those in cases.items():
        for fact in filter(None, those):
            found[_brief(fact)][masked(name)] = None
    names = dict.fromkeys(map(masked, cases))
    return {fact: _shortest(names, found[fact]) for fact in found}


def facts(value: Any, name: str = "") -> Iterator[str]:
    """Yield a line for each value in a document, but for nulls and what is empty."""
    if isinstance(value, dict):
        for key in value:
            yield from facts(value[key], f"{name}.{key}" if name else key)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from facts(item, name)
    elif value not in (None, ""):
        yield f"{name}: {value}" if name else str(value)


def changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    """Return what differs from before, with only the names of what drivers keep."""
    found = [
        f"{_SHORT.get(name, name)}={after[name]}"
        for name in after
        if name != "driver_internal_info" and after[name] != before.get(name)
    ]
    known = before.get("driver_internal_info", {})
    kept = after.get("driver_internal_info", {})
    marked = [f"+{name}" for name in kept if name not in known]
    marked += [f"-{name}" for name in known if name not in kept]
    return [*found, *(name for name in marked if not name.startswith(_SETTINGS))]


def line(name: str, found: Iterable[str]) -> Iterator[str]:
    """Yield what was found in one line, and what is long in lines of its own."""
    shown = [_brief(fact) for fact in filter(None, found)]
    brief = [fact for fact in shown if len(fact) < 60]
    yield from (f"{name}: {fact}" for fact in shown if fact not in brief)
    if brief:
        yield f"{name}: {'; '.join(brief)}"


def _brief(fact: str) -> str:
    """Cut long sentences; name steps only, of long lists of them only the first and the last."""
    text = re.sub(r"\s*Failed validating '.*", "", masked(fact), flags=re.DOTALL)
    text = _STEP.sub(r"\2.\1", text)
    text = re.sub(r"(?<=following can be updated: ).*", "…", text)
    text = re.sub(r"(?<=steps=\[)([\w.]+), .*, ([\w.]+)(?=\])", r"\1 … \2", text)
    parts = text.split("; ")
    return "; ".join(one if len(one) <= _LONGEST else f"{one[:_LONGEST]}…" for one in parts)


def _shortest(names: Mapping[str, None], those: Mapping[str, None]) -> str:
    """Return the names, those that are left out, or either with what several share in braces."""
    if len(those) == len(names):
        return "always"
    others = [name for name in names if name not in those]
    ways = (
        ", ".join(those),
        ", ".join(_braced(names, those)),
        f"all but {', '.join(others)}",
        f"all but {', '.join(_braced(names, others))}",
    )
    return textwrap.fill(min(ways, key=len), 96, break_long_words=False, break_on_hyphens=False)


def _braced(names: Iterable[str], those: Iterable[str]) -> Iterator[str]:
    """Yield ``b {c,d}`` for two names that begin with a word, and ``b *`` for all that do."""
    all_ends, ends = _by_begin(names), _by_begin(those)
    begins: defaultdict[str, list[str]] = defaultdict(list)
    for (begin, gap), found in ends.items():
        if not begin:
            yield from found
            continue
        every = len(found) == len(all_ends[begin, gap]) > 1
        begins[f"{gap}{'*' if every else _in_braces(found)}"].append(begin)
    for end, found in begins.items():
        yield f"{_in_braces(found)}{end}"


def _by_begin(names: Iterable[str]) -> dict[tuple[str, str], list[str]]:
    found: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for name in names:
        begin, gap, end = re.fullmatch(r"(?:([\w./:]+)(, |[ =]))?(.*)", name, re.DOTALL).groups("")
        found[begin, gap].append(end)
    return found


def _in_braces(names: list[str]) -> str:
    return f"{{{', '.join(names)}}}" if len(names) > 1 else names[0]
