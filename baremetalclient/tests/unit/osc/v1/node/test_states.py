from __future__ import annotations

import pytest

from baremetalclient.tests.unit.scripted import Reply, fault

ACCEPTED = Reply(b"", 202)

MANY = {
    "abort": ("node", "abort"),
    "adopt": ("node", "adopt"),
    "boot device set": ("node", "boot", "device", "set"),
    "boot mode set": ("node", "boot", "mode", "set"),
    "clean": ("node", "clean", "--clean-steps", "[]"),
    "console disable": ("node", "console", "disable"),
    "console enable": ("node", "console", "enable"),
    "delete": ("node", "delete"),
    "deploy": ("node", "deploy"),
    "inject nmi": ("node", "inject", "nmi"),
    "inspect": ("node", "inspect"),
    "maintenance set": ("node", "maintenance", "set"),
    "maintenance unset": ("node", "maintenance", "unset"),
    "manage": ("node", "manage"),
    "power off": ("node", "power", "off"),
    "power on": ("node", "power", "on"),
    "provide": ("node", "provide"),
    "reboot": ("node", "reboot"),
    "rebuild": ("node", "rebuild"),
    "rescue": ("node", "rescue", "--rescue-password", "s3cret"),
    "secure boot off": ("node", "secure", "boot", "off"),
    "secure boot on": ("node", "secure", "boot", "on"),
    "service": ("node", "service", "--service-steps", "[]"),
    "set": ("node", "set", "--owner", "me"),
    "undeploy": ("node", "undeploy"),
    "unhold": ("node", "unhold"),
    "unrescue": ("node", "unrescue"),
    "unset": ("node", "unset", "--owner"),
}


LAST = {"boot device set": ("pxe",), "boot mode set": ("uefi",)}


@pytest.mark.parametrize("verb", MANY)
def test_a_command_acts_on_each_node(run, verb):
    nodes = ("a", "b", "c")
    script = (fault("No.", 400), Reply({}), fault("No, too.", 400))
    done = run(*MANY[verb], "--parallel", "1", *nodes, *LAST.get(verb, ()), script=script)
    assert done.code == 1
    assert len(done.requests) == 3
    assert "a" in done.err.splitlines()[0]
    assert "No." in done.err
    assert "No, too." in done.err
