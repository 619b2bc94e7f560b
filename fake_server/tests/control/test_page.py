"""The page at ``/_fake/``, in a real browser."""

from __future__ import annotations

import pytest
import requests

from fake_server.server import FakeServer
from fake_server.settings import Settings

EVIL = "<img src=x onerror=\"document.title='evil'\"><script>document.title='evil'</script>"
LAB = {
    "nodes": [
        {
            "name": "node-1",
            "provision_state": "available",
            "traits": ["CUSTOM_GOLD"],
            "ports": [
                {"address": "52:54:00:00:00:01", "internal_info": {"tenant_vif_port_id": "vif-1"}}
            ],
            "volume_connectors": [{"type": "iqn", "connector_id": "iqn.1"}],
            "volume_targets": [
                {
                    "volume_type": "iscsi",
                    "volume_id": "vol-1",
                    "boot_index": 0,
                    "properties": {"auth_password": "s3cret"},
                }
            ],
        },
        {"name": "node-2", "last_error": EVIL, "provision_state": "deploy failed"},
    ]
}
NODES = "document.getElementById('nodes').innerText"


in_browser = pytest.mark.slow("needs a browser")


@pytest.fixture
def server():
    with FakeServer(seed=LAB) as server:
        server.clock.switch("manual", start=1_700_000_000)
        yield server


@pytest.fixture
def page(browser, server):
    browser.events.clear()
    browser.open(f"{server.url}/_fake/")
    browser.wait_for(f"{NODES}.includes('node-1')")
    yield browser
    assert browser.complaints() == []


def click(page, selector):
    page.run(f"document.querySelector({selector!r}).click()")


def put(server, path, body):
    headers = {"X-OpenStack-Ironic-API-Version": "1.80"}
    return requests.put(server.url + path, json=body, headers=headers, timeout=5).status_code


@in_browser
def test_nodes_with_all_that_is_theirs(page):
    shown = page.run(NODES)
    for text in ("node-1", "available", "CUSTOM_GOLD", "vif-1", "iqn iqn.1", "vol-1", "power off"):
        assert text in shown
    assert "s3cret" not in page.run("document.documentElement.outerHTML")
    assert page.run("document.getElementById('number').innerText") == "(2)"


@in_browser
def test_what_looks_like_markup_is_text(page, server):
    server.faults.add({"path": f"/{EVIL}"}, {"status": 500, "message": EVIL})
    requests.get(f"{server.url}/v1/nodes/{EVIL}", timeout=5)
    page.wait_for("document.getElementById('requests').innerText.includes('<img')")
    page.wait_for("document.getElementById('faults').innerText.includes('<script>')")
    assert EVIL in page.run(NODES)
    assert page.run("document.title") == "Fake Ironic"
    assert page.run("document.querySelectorAll('main img, main script').length") == 0


@in_browser
def test_a_deployment_is_moved_on_by_the_clock(page, server):
    server.delays.set(transitions={"deploying": 600})
    assert put(server, "/v1/nodes/node-1/states/provision", {"target": "active"}) == 202
    page.wait_for(f"{NODES}.includes('deploying 00:10:00')")
    assert "deploying → active" in page.run(NODES)
    click(page, "[data-advance='60']")
    page.wait_for(f"{NODES}.includes('deploying 00:09:00')")
    click(page, "[data-advance='600']")
    page.wait_for(f"{NODES}.includes('active') && !{NODES}.includes('deploying')")
    assert server.clock.seconds() == 1_700_000_660
    assert page.run("document.getElementById('now').innerText") == "2023-11-14 22:24:20"


@in_browser
def test_faults_requests_and_snapshots(page, server):
    server.faults.add({"node": "node-1"}, {"locked": True}, times=3)
    page.wait_for("document.getElementById('faults').innerText.includes('0 of 0, at most 3')")
    assert put(server, "/v1/nodes/node-1/states/power", {"target": "power on"}) == 409
    page.wait_for("document.getElementById('requests').innerText.includes('409')")
    page.wait_for("document.getElementById('faults').innerText.includes('1 of 1')")
    click(page, "#faults button")
    page.wait_for("document.getElementById('faults').innerText == ''")
    assert server.faults.rules() == []
    click(page, "#take")
    page.wait_for("document.querySelector('#snapshots button')")
    server.seed({"nodes": [{"name": "node-3"}]})
    page.wait_for(f"{NODES}.includes('node-3')")
    click(page, "#snapshots button")
    page.wait_for(f"!{NODES}.includes('node-3')")
    click(page, "#reset")
    page.wait_for("document.getElementById('sure').open")
    assert "node-1" in page.run(NODES)
    click(page, "#reset-now")
    page.wait_for("!document.querySelector('#requests').innerText.includes('409')")


@in_browser
def test_a_request_opens_with_headers_and_bodies(page, server):
    body = {"target": "rebuild", "configdrive": "s3cret"}
    assert put(server, "/v1/nodes/node-1/states/provision", body) == 400
    page.wait_for("document.getElementById('requests').innerText.includes('400')")
    click(page, "#requests .link")
    page.wait_for("document.getElementById('details').open")
    shown = page.run("document.getElementById('details-body').textContent")
    for text in ("400 Bad Request", "1.80", '"target": "rebuild"', "faultstring"):
        assert text in shown
    assert "s3cret" not in shown


@in_browser
def test_faults_delays_and_seeds_are_set(page, server):
    page.run(
        "const form = document.getElementById('fault');"
        "form.elements.path.value = '/v1/ports'; form.elements.status.value = '503';"
        "form.elements.times.value = '2'; form.requestSubmit()"
    )
    page.wait_for("document.getElementById('faults').innerText.includes('503')")
    assert requests.get(f"{server.url}/v1/ports", timeout=5).status_code == 503
    page.run(
        "document.querySelector('#delays [name=cleaning]').value = '90';"
        "document.getElementById('delays').requestSubmit()"
    )
    page.run(
        'document.querySelector(\'#seed [name=seed]\').value = \'{"nodes": [{"name": "s"}]}\';'
        "document.getElementById('seed').requestSubmit()"
    )
    page.wait_for(f"{NODES}.includes('enroll')")
    assert server.delays.show()["transitions"] == {"cleaning": 90.0}
    page.run("document.querySelector('#seed [name=seed]').value = '{'")
    page.run("document.getElementById('seed').requestSubmit()")
    page.wait_for("!document.getElementById('trouble').hidden")


@in_browser
def test_a_column_without_content_is_hidden(page, server):
    hidden = "[...document.querySelectorAll('#table-part th')].filter((one) => one.hidden)"
    shown = f"{hidden}.map((one) => one.innerText).join()"
    # Ironic looks again at the power of a node that failed.
    page.wait_for(f"{NODES}.includes('sync_power_state')")
    assert page.run(shown) == ""
    put(server, "/v1/nodes/node-2/maintenance", {})
    headers = {"X-OpenStack-Ironic-API-Version": "1.80"}
    requests.delete(f"{server.url}/v1/nodes/node-2", headers=headers, timeout=5).raise_for_status()
    page.wait_for(f"!{NODES}.includes('node-2')")
    assert page.run(shown) == "Timer,Last error"
    server.delays.set(transitions={"deploying": 600})
    put(server, "/v1/nodes/node-1/states/provision", {"target": "active"})
    page.wait_for(f"{NODES}.includes('deploying 00:10:00')")
    assert page.run(shown) == "Last error"


HOVERED = "document.querySelector('.tip:not([hidden])').innerText"


def point(part, x, y, kind="pointermove"):
    """Return a script that points to a place of a canvas, from its upper left corner."""
    return (
        f"(() => {{ const canvas = document.querySelector('{part} canvas');"
        "const at = canvas.getBoundingClientRect();"
        f"canvas.dispatchEvent(new PointerEvent('{kind}', {{clientX: at.left + {x},"
        f"clientY: at.top + {y}}})); return true }})()"
    )


@in_browser
def test_racks(page, server):
    server.nodes["node-2"].set(properties={"rack": "r1"})
    click(page, "[data-view='wall']")
    page.run("document.getElementById('by').value = 'properties.rack'")
    page.run("document.getElementById('by').dispatchEvent(new Event('change'))")
    page.wait_for(f"{point('#wall-view', 12, 30)} && {HOVERED}.startsWith('node-2')")
    assert EVIL in page.run(HOVERED)
    assert "deploy failed" in page.run("document.querySelector('#wall-view .legend').innerText")
    page.run(point("#wall-view", 12, 30, "click"))
    page.wait_for("document.getElementById('details-title').innerText == 'node-2'")
    page.run("document.getElementById('details').close()")
    page.run("document.getElementById('by').value = 'colour'")
    page.run("document.getElementById('by').dispatchEvent(new Event('change'))")
    page.wait_for("document.getElementById('trouble').innerText.includes('colour')")


@in_browser
def test_a_timeline_of_states_and_requests(page, server):
    server.delays.set(transitions={"deploying": 600})
    put(server, "/v1/nodes/node-1/states/provision", {"target": "active"})
    server.clock.advance(300)
    click(page, "[data-view='timeline']")
    # Failed nodes come first.
    first, second = 24 + 11, 24 + 22 + 11
    hovered = f"{HOVERED}.startsWith('node-2: deploy failed')"
    page.wait_for(f"{point('#timeline-view', 250, first)} && {hovered}")
    page.run(point("#timeline-view", 400, second))
    assert page.run(HOVERED) == "node-1: deploying\n22:13:20.000, for 5 min 0 s"
    page.run(point("#timeline-view", 171, second))
    assert "PUT /v1/nodes/node-1/states/provision → 202" in page.run(HOVERED)
    page.run(point("#timeline-view", 171, second, "click"))
    page.wait_for("document.getElementById('details').open")
    assert '"target": "active"' in page.run("document.getElementById('details-body').textContent")
    page.run("document.getElementById('details').close()")
    told = page.run("document.getElementById('story').innerText")
    for text in ("available at the beginning", "deploying, for 5 min", "due: deploying"):
        assert text in told
    server.clock.advance(300)
    page.wait_for("document.getElementById('story').innerText.includes('active, for 0 s')")


@in_browser
def test_a_report_works_without_the_server(browser, server, tmp_path):
    path = tmp_path / "report.html"
    path.write_text(server.report(title=EVIL, note=EVIL), encoding="utf-8")
    server.stop()
    browser.events.clear()
    browser.open(path.as_uri())
    browser.wait_for("document.querySelector('.story')")
    shown = browser.run("document.body.innerText")
    assert browser.run("document.title") == EVIL
    assert shown.count(EVIL) == 4
    assert browser.run("document.querySelectorAll('img').length") == 0
    browser.run(
        "document.querySelector('canvas').dispatchEvent("
        "new KeyboardEvent('keydown', {key: 'ArrowDown'}))"
    )
    browser.wait_for("document.querySelector('.story h2').innerText == 'node-1'")
    assert browser.complaints() == []


@in_browser
def test_a_token_is_asked_for(browser):
    with FakeServer(Settings(control_token="t0ken"), seed=LAB) as server:
        browser.open(f"{server.url}/_fake/")
        browser.wait_for(
            "document.getElementById('guard') && !document.getElementById('guard').hidden"
        )
        assert "node-1" not in browser.run("document.body.innerText")
        browser.run("document.getElementById('token').value = 't0ken'")
        click(browser, "#guard button")
        browser.wait_for(f"{NODES}.includes('node-1')")
        click(browser, "[data-mode='manual']")
        browser.wait_for("document.getElementById('pace').innerText == 'manual'")
        assert "t0ken" not in browser.run("location.href")


@pytest.mark.parametrize("token", [None, "t"])
def test_headers(token):
    with FakeServer(Settings(control_token=token)) as server:
        for path in ("", "/", "/page/page.js", "/page/page.css"):
            answer = requests.get(f"{server.url}/_fake{path}", timeout=5)
            assert answer.status_code == 200
            policy = answer.headers["Content-Security-Policy"]
            assert policy.startswith("default-src 'none'; script-src 'self'")
            assert "unsafe" not in policy
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
            for risky in ("innerHTML", "outerHTML", "eval(", "document.write"):
                assert risky not in answer.text, path


@pytest.mark.parametrize("ident", ["node-1", "uuid"])
def test_all_of_a_node_without_secrets(server, ident):
    uuid = server.nodes["node-1"].uuid
    path = f"/_fake/nodes/{ident.replace('uuid', uuid)}"
    found = requests.get(server.url + path, timeout=5).json()
    assert (found["node"]["uuid"], found["traits"]) == (uuid, ["CUSTOM_GOLD"])
    assert found["volume_targets"][0]["properties"] == {"auth_password": "******"}
    assert found["machine"] is None
    assert requests.get(f"{server.url}/_fake/nodes/nobody", timeout=5).status_code == 404


def test_the_page_has_no_other_files(server):
    for name in ("", "secrets", "..%2Fguard.py"):
        assert requests.get(f"{server.url}/_fake/page/{name}", timeout=5).status_code == 404


def test_the_filters_of_the_page_are_given_once(server):
    answer = requests.get(f"{server.url}/_fake/overview?state=a&state=b", timeout=5)
    assert answer.status_code == 400
    assert answer.json()["error"] == "state is given more than once."


def test_the_error_of_a_node_that_failed_stays_when_ironic_clears_it(server):
    node = f"{server.url}/v1/nodes/{server.nodes['node-1'].uuid}"
    server.faults.add({"node": "node-1", "step": "deploy.*"}, {"last_error": "No space left."})
    version = {"X-OpenStack-Ironic-API-Version": "1.99"}
    body = {"target": "active"}
    assert requests.put(f"{node}/states/provision", json=body, headers=version).status_code == 202
    server.clock.advance(600)
    assert requests.get(node).json()["provision_state"] == "deploy failed"
    server.nodes["node-1"].set(last_error=None)
    shown = requests.get(f"{server.url}/_fake/overview", timeout=5).json()["nodes"]
    first = next(one for one in shown if one["name"] == "node-1")
    assert "No space left." in first["last_error"]
    history = requests.get(f"{server.url}/_fake/nodes/node-1", timeout=5).json()["history"]
    assert "No space left." in history[0]["event"]
    assert [one["name"] for one in shown[:2]] == ["node-1", "node-2"]
