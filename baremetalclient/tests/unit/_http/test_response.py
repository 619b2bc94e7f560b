"""Decoding the bodies of responses."""

from __future__ import annotations

import gc

import pytest

from baremetalclient import exc
from baremetalclient._http.response import Response


@pytest.mark.parametrize("enabled", [True, False])
@pytest.mark.parametrize("end", [b"]", b"is no JSON"])
def test_the_garbage_collector_is_left_as_it_was(enabled, end):
    response = Response(200, {}, b"[" + b"1," * 200_000 + b"1" + end, "GET http://lab/v1/nodes")
    was_enabled = gc.isenabled()
    (gc.enable if enabled else gc.disable)()
    try:
        if end == b"]":
            assert len(response.json()) == 200_001
        else:
            with pytest.raises(exc.InvalidResponse):
                response.json()
        assert gc.isenabled() is enabled
    finally:
        (gc.enable if was_enabled else gc.disable)()
