"""What is refused is refused as Ironic does it, in the same words, and nothing is changed by it."""

from __future__ import annotations

import pytest

from fake_server.tests.baremetal.api import Api
from fake_server.tests.baremetal.refused_requests import MAX_MINOR, ROWS, Lab, RealIronic


@pytest.fixture(scope="module")
def lab(request):
    """A lab on the server under test, which has to be the same afterwards."""
    url = request.config.getoption("--real-ironic")
    made = Lab(RealIronic(url) if url else Api(max_minor=MAX_MINOR))
    before = made.everything()
    yield made
    assert made.everything() == before
    made.delete()


@pytest.mark.parametrize("row", ROWS, ids=[row["request"] for row in ROWS])
def test_refusal(request, lab, row):
    if row.get("own") and request.config.getoption("--real-ironic"):
        pytest.skip("Ironic fails with status 500.")
    assert lab.refusal(row) == (row["status"], row["says"])
