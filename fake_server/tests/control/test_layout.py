"""The page as it looks in a browser: wide and narrow, light and dark, with few and many nodes."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
import requests

from fake_server.server import FakeServer

pytestmark = pytest.mark.slow("needs a browser")

LAYOUT = Path(__file__).with_name("layout.js").read_text()
ERROR = "Deploy step deploy.write_image failed: No space left on device; the image needs 20 GiB."
LAB = {
    "nodes": [
        {"name": "node-{index}", "count": 5, "driver": "ipmi"},
        {
            "name": "a-node-with-the-long-name-of-its-rack-and-row-{index}",
            "count": 2,
            "provision_state": "active",
            "traits": ["CUSTOM_GOLD", "HW_CPU_X86_VMX"],
            "volume_targets": [
                {"volume_type": "iscsi", "volume_id": "c1b6e5a4-0001", "boot_index": 0}
            ],
        },
        {"name": "busy-{index}", "count": 2, "provision_state": "deploying"},
        {"name": "waits", "provision_state": "clean wait"},
        {
            "name": "broken",
            "driver": "redfish",
            "provision_state": "deploy failed",
            "last_error": ERROR,
        },
        {"name": "retired", "provision_state": "available", "maintenance": True},
    ]
}
MANY = {"nodes": [*LAB["nodes"], {"name": "more-{index}", "count": 288}]}
SIZES = {"wide": (1280, 900), "narrow": (400, 800)}


@pytest.fixture(scope="module", params=[None, LAB, MANY], ids=["0", "12", "300"])
def server(request):
    with FakeServer(seed=request.param, clock="manual") as server:
        if request.param:
            for path in ("/v1/nodes", "/v1/nodes/nobody", "/v1/nodes/broken"):
                requests.get(f"{server.url}{path}", params={"fields": "uuid,name,provision_state"})
            server.faults.add({"path": "/v1/ports", "method": "POST"}, {"status": 503}, times=2)
            server.snapshots.take()
        server.seeded = request.param is not None
        yield server
        server.faults.clear()


@pytest.fixture(params=["light", "dark"])
def theme(request, browser):
    feature = {"name": "prefers-color-scheme", "value": request.param}
    browser.send("Emulation.setEmulatedMedia", features=[feature])


@pytest.fixture(params=SIZES)
def page(request, browser, server, theme):
    width, height = SIZES[request.param]
    browser.send(
        "Emulation.setDeviceMetricsOverride",
        **{"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False},
    )
    browser.open(f"{server.url}/_fake/")
    shown = "#nodes tr" if server.seeded else "#no-nodes:not([hidden])"
    browser.wait_for(f"document.querySelector('{shown}')")
    return browser


def problems(page):
    """Return what is wrong once the page has drawn what it was asked to."""
    for _ in range(20):
        found = page.run(LAYOUT)
        if not found:
            break
        time.sleep(0.1)
    return found


def test_the_page_can_be_read(page):
    assert problems(page) == []


@pytest.mark.parametrize("view", ["wall", "timeline"])
def test_other_views_can_be_read(page, server, view):
    page.run(f"document.querySelector('[data-view={view}]').click()")
    if not server.seeded:
        assert "No nodes yet" in page.run("document.querySelector('#nodes-section').innerText")
        return
    box = f"document.querySelector('#{view}-part .scroller')"
    page.wait_for(f"{box}.scrollHeight > 40 && {box}.scrollWidth <= {box}.clientWidth")
    assert problems(page) == []
    wide = page.run(f"document.querySelector('#{view}-part').clientWidth")
    assert wide > 0.9 * page.run("document.documentElement.clientWidth")


def test_forms_can_be_read(page):
    page.run("document.querySelectorAll('main details').forEach((one) => { one.open = true; })")
    page.wait_for("document.querySelectorAll('#paths option').length > 0")
    assert problems(page) == []


def test_a_node_can_be_read(page, server):
    if not server.seeded:
        assert "baremetal node create" in page.run("document.querySelector('#no-nodes').innerText")
        return
    page.run("document.querySelector('#nodes .link').click()")
    page.wait_for("document.querySelector('#details').open")
    assert ERROR in page.run("document.querySelector('#details-body').innerText")
    assert problems(page) == []
    page.run("document.querySelector('#details').close()")


def test_what_failed_comes_first_and_what_is_busy_next(page, server):
    rows = "[...document.querySelectorAll('#nodes tr')]"
    states = page.run(f"{rows}.slice(0, 5).map((row) => row.querySelector('.state').innerText)")
    wanted = ["deploy failed", "deploying", "deploying", "clean wait", "enroll"]
    assert states == (wanted if server.seeded else [])
