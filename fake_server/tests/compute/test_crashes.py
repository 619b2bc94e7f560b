"""A server whose next step crashes fails alone."""

from __future__ import annotations

from fake_server.compute import progress


def test_a_server_whose_step_crashes_fails_and_disturbs_nobody(cloud, monkeypatch, caplog):
    def crash(*arguments):
        raise RuntimeError("boom")

    cloud.node()
    cloud.app.control.delays.set(default=60)
    _, answer = cloud.boot(cloud.flavor(), cloud.volume())
    monkeypatch.setattr(progress, "_look", crash)
    for service, path in (("compute", "/servers"), ("network", "/ports"), ("placement", "/traits")):
        assert cloud.send(service, "GET", path)[0] == 200
    server = cloud.server(answer["server"]["id"])
    assert (server["status"], server["OS-EXT-STS:task_state"]) == ("ERROR", None)
    assert server["fault"]["message"] == "Unexpected error: RuntimeError('boom')"
    said = [(one.name, one.levelname, one.getMessage()) for one in caplog.records]
    text = f"Going on with server {server['id']} crashed"
    assert said == [("fake_server.compute.progress", "ERROR", text)]
