from __future__ import annotations

import json

import pytest

from baremetalclient.tests.unit.scripted import Reply


def test_validate(run):
    result = {"power": {"result": False, "reason": "no address"}, "boot": {"result": True}}
    done = run("node", "validate", "a", "-f", "json", script=(Reply(result),))
    assert json.loads(done.out) == [
        {"Interface": "boot", "Result": True, "Reason": ""},
        {"Interface": "power", "Result": False, "Reason": "no address"},
    ]


@pytest.mark.parametrize(
    ("response", "printed"), [(True, "true\n"), ([1], "[1]\n"), ({"a": 1}, '{"a": 1}\n')]
)
def test_a_vendor_method_may_return_anything(run, response, printed):
    words = ("node", "passthru", "call", "a", "m", "--arg", "k=1")
    done = run(*words, script=(Reply(response),))
    assert (done.code, done.out) == (0, printed)
    assert done.requests[0].json == {"k": 1}


def test_vendor_methods_are_listed_as_python_ironicclient_does(run):
    methods = {"m": {"http_methods": ["POST", "PUT"], "async": True, "attach": False}}
    done = run("node", "passthru", "list", "a", "-f", "csv", script=(Reply(methods),))
    assert done.out == (
        '"Name","Supported HTTP methods","Async","Description","Response is attachment"\n'
        '"m","POST, PUT",True,"",False\n'
    )
    done = run("driver", "passthru", "list", "d", "-f", "json", script=(Reply(methods),))
    assert list(json.loads(done.out)[0]) == [
        "name",
        "http_methods",
        "async",
        "description",
        "attach",
    ]


def test_boot_devices(run):
    script = (Reply({"supported_boot_devices": ["pxe", "disk"]}),)
    done = run("node", "boot", "device", "show", "--supported", "a", "-f", "value", script=script)
    assert done.out == "pxe, disk\n"
