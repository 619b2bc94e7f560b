from __future__ import annotations

import json

import pytest

from baremetalclient.tests.unit.scripted import Reply

DEVICE = {"media_types": ["CD", "DVD"], "inserted": False, "image": ""}


def test_media_are_listed(run):
    done = run("node", "vmedia", "list", "a", "-f", "json", script=(Reply([DEVICE]),))
    assert json.loads(done.out) == [DEVICE]


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


@pytest.mark.parametrize("words", [["attach", "a", "tape", "http://h/i"], ["detach", "a", "tape"]])
def test_unknown_devices_are_not_sent(run, words):
    done = run("node", "vmedia", *words)
    assert (done.code, done.requests) == (2, [])
    assert "'cdrom'" in done.err
