"""Content negotiation: the media type of a response, by the header ``Accept``."""

from __future__ import annotations

import re
from functools import lru_cache

JSON = "application/json"
HTML = "text/html"
PLAIN = "text/plain"

_SPACE = r"[ \t]*"
_WORD = r"[!#$%&'*+.^_`|~0-9A-Za-z-]+"
_QUOTED = r'"(?:[\t !#-\[\]-~\x80-\xff]|\\[\t -~\x80-\xff])*"'
_PARAMETER = rf"{_SPACE};{_SPACE}(?![qQ]=){_WORD}=(?:{_WORD}|{_QUOTED})"
_WEIGHT = rf"{_SPACE};{_SPACE}[qQ]=(?P<weight>0(?:\.[0-9]{{0,3}})?|1(?:\.0{{0,3}})?)"
_EXTENSION = rf"{_SPACE};{_SPACE}{_WORD}(?:=(?:{_WORD}|{_QUOTED}))?"
_RANGE = re.compile(
    rf"(?P<name>{_WORD}/{_WORD})(?P<parameters>(?:{_PARAMETER})*)"
    rf"(?:{_WEIGHT}(?:{_EXTENSION})*)?"
)
_ITEM = re.sub(r"\?P<\w+>", "?:", _RANGE.pattern)
_HEADER = re.compile(rf"(?:,|{_ITEM})(?:{_SPACE},(?:{_SPACE}{_ITEM})?)*")


def best(accept: str | None, *offers: str) -> str | None:
    """Return the offer that suits best, the first of equals; ``None`` if none is acceptable.

    :param accept: the header; without it, JSON is meant.
    """
    accept = JSON if accept in (None, "*/*") else accept
    ranges = _ranges(accept or "*/*")
    chosen, highest = None, 0.0
    for offer in offers:
        quality = 1.0 if ranges is None else _quality(ranges, offer)
        if quality > highest:
            chosen, highest = offer, quality
    return chosen


def takes_json(accept: str | None) -> bool:
    """Return whether a request may be answered in JSON."""
    return best(accept, JSON) is not None or bool(accept and accept.startswith(JSON))


@lru_cache(maxsize=64)
def _ranges(accept: str) -> dict[str, float] | None:
    """Return the media ranges of a header with their quality; ``None`` if it can't be read.

    Of equal ranges the first counts. A type with parameters suits no offer, since offers have none.
    """
    if _HEADER.fullmatch(accept) is None:
        return None
    ranges: dict[str, float] = {}
    for item in _RANGE.finditer(accept):
        name = item["name"].lower()
        if name.endswith("/*") or not item["parameters"]:
            ranges.setdefault(name, float(item["weight"] or 1))
    return ranges


def _quality(ranges: dict[str, float], offer: str) -> float:
    """Return the quality of the most specific range that an offer is in."""
    for name in (offer, f"{offer.partition('/')[0]}/*", "*/*"):
        if name in ranges:
            return ranges[name]
    return 0.0
