"""What a test may have got wrong, in words: a fault that met nothing, or that nobody noticed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from fake_server.control.fault import Fault
    from fake_server.control.recorded_request import RecordedRequest

_GOOD = range(200, 300)


def unmet(faults: Iterable[Fault]) -> list[str]:
    """Return a sentence for each of the faults that met nothing."""
    return [f"No request or step met the fault {_told(fault)}." for fault in faults]


def unrouted(requests: Iterable[tuple[str, str]]) -> list[str]:
    """Return a sentence for each method and path that no service has."""
    return [f"No service has {method} {path}." for method, path in requests]


def retried(requests: Sequence[RecordedRequest]) -> Iterator[str]:
    """Yield a sentence for each request that a fault refused, and that a client sent again."""
    for at, refused in enumerate(requests):
        if refused.fault is None or refused.status in _GOOD:
            continue
        again = next((one for one in requests[at + 1 :] if _is_same(one, refused)), None)
        if again is not None and again.status in _GOOD:
            yield (
                f"Fault {refused.fault} refused {refused.method} {refused.path}"
                f" ({refused.status or 'no answer'}), but the client sent it again and got"
                f" {again.status}. To see the error, give the client max_retries=0, or the fault"
                " more times than the client tries."
            )


def _is_same(one: RecordedRequest, other: RecordedRequest) -> bool:
    address = (other.method, other.path, other.query)
    return (one.method, one.path, one.query) == address and one.sent == other.sent


def _told(fault: Fault) -> str:
    return f"{fault.id} ({json.dumps(dict(fault.match))}: {json.dumps(dict(fault.do))})"
