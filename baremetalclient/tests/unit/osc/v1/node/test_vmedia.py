from __future__ import annotations

import pytest

from baremetalclient.tests.unit.scripted import Reply


@pytest.mark.parametrize(
    ("words", "target"),
    [
        ([], "/v1/nodes/a/vmedia"),
        (["all"], "/v1/nodes/a/vmedia"),
        (["cdrom", "disk", "cdrom"], "/v1/nodes/a/vmedia?device_types=cdrom,disk"),
    ],
)
def test_media_are_detached_from_all_devices_or_from_some(run, words, target):
    done = run("node", "vmedia", "detach", "a", *words, script=(Reply(status=204),))
    assert [request.target for request in done.requests] == [target]
