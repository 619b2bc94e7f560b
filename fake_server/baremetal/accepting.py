"""What media types a request accepts, by its header ``Accept``."""

from __future__ import annotations

import re
from functools import lru_cache

JSON = "application/json"
HTML = "text/html"
PLAIN = "text/plain"

_WORD = r"[!#$%&'*+.^_`|~0-9A-Za-z-]+"
_PARAMETER = rf'[ \t]*;[ \t]*{_WORD}=(?:{_WORD}|"[^"]*")'
_RANGE = re.compile(rf"[ \t]*({_WORD}/{_WORD})((?:{_PARAMETER})*)[ \t]*")
_QUALITY = re.compile(r";[ \t]*q=([0-9.]+)[ \t]*$", re.IGNORECASE)


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
    """Tell whether a request may be answered in JSON."""
    return best(accept, JSON) is not None or bool(accept and accept.startswith(JSON))


@lru_cache(maxsize=64)
def _ranges(accept: str) -> dict[str, float] | None:
    """Return the media ranges of a header with their quality; ``None`` if it can't be read.

    Ranges with parameters suit no offer, since offers have none.
    """
    ranges = {}
    for item in accept.split(","):
        if not item.strip():
            continue
        match = _RANGE.fullmatch(item)
        if match is None:
            return None
        name, parameters = match.groups()
        quality = _QUALITY.search(parameters)
        if _QUALITY.sub("", parameters):
            continue
        try:
            ranges[name.lower()] = float(quality.group(1)) if quality else 1.0
        except ValueError:
            return None
    return ranges


def _quality(ranges: dict[str, float], offer: str) -> float:
    """Return the quality of the most specific range that an offer is in."""
    for name in (offer, f"{offer.partition('/')[0]}/*", "*/*"):
        if name in ranges:
            return ranges[name]
    return 0.0
