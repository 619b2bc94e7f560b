"""Handlers around a service, one within the other."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, reduce
from typing import TYPE_CHECKING, TypeAlias

from fake_server.common.wsgi import Request, Response

if TYPE_CHECKING:
    from collections.abc import Sequence

#: Answers a request.
Endpoint: TypeAlias = Callable[[Request], Response]
#: Answers a request itself, or has it answered by what comes next in the chain.
Handler: TypeAlias = Callable[[Endpoint, Request], Response]


def chain(handlers: Sequence[Handler], endpoint: Endpoint) -> Endpoint:
    """Return an endpoint with handlers around it, the first one outermost."""
    return reduce(lambda inner, handler: partial(handler, inner), reversed(handlers), endpoint)
