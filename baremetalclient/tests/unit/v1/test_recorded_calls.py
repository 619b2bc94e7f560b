"""What each method of each manager sends and returns, with each of its arguments."""

import inspect
import itertools
import re
import warnings
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

import pytest

from baremetalclient import client as clients
from baremetalclient import exc
from baremetalclient._resource.resource import Resource
from baremetalclient.tests.unit.osc.test_recorded_requests import ITEM, UUID, Everything, sent
from baremetalclient.tests.unit.recorded import check
from baremetalclient.v1.client import Client
from baremetalclient.v1.node.verbs import VERBS

RECORD = Path(__file__).with_name("calls.json")
VERSIONS = Path(__file__).with_name("versions.json")
MANAGERS = [name for name, value in vars(Client).items() if isinstance(value, cached_property)]
# They go on until something happens, or send many requests at once.
ELSEWHERE = {"watch", "act_on", "explain", "wait", "wait_for", "wait_for_provision_state"}
STEPS = [{"interface": "deploy", "step": "s", "args": {}}]
VALUES = {
    "address": "52:54:00:00:00:01",
    "args": {"a": 1},
    "boot_device": "pxe",
    "cleansteps": STEPS,
    "configdrive": {"meta_data": {"a": 1}},
    "deploysteps": STEPS,
    "device_type": "cdrom",
    "device_types": ["cdrom", "disk"],
    "enabled": True,
    "events": [{"event": "network.bind_port"}],
    "fields": ["uuid", "extra"],
    "http_method": "PUT",
    "image_download_source": "http",
    "image_url": "http://i/i.iso",
    "limit": 1,
    "patch": [{"op": "remove", "path": "/extra/a"}],
    "runbook": "CUSTOM_R",
    "servicesteps": STEPS,
    "shards": ["s", "t"],
    "sort_dir": "desc",
    "state": "on",
    "target_raid_config": {"logical_disks": []},
    "timeout": 3,
    "trait": "CUSTOM_A",
    "boot_index": 1,
    "node": UUID,
    **{name: ["CUSTOM_A", "CUSTOM_B"] for name in ("traits", "traits_any")},
    **{name: ["CUSTOM_A", "CUSTOM_B"] for name in ("not_traits", "not_traits_any")},
}
FLAGS = ("associated", "maintenance", "retired", "sharded", "include_children", "detail", "soft")
FLAGS += ("persistent", "disable_ramdisk", "reset_interfaces", "public")
STATES = {
    "set_boot_mode": ["uefi", "bios", "x"],
    "set_console_mode": ["on", "off", "true", "x"],
    "set_indicator_state": ["on", "OFF", "blinking", "x"],
    "set_maintenance": [True, False, "on", "off", "x", None],
    "set_power_state": ["on", "off", "reboot", "soft power off", "power on", "rebooting", "x"],
    "set_secure_boot": [True, False, "on", "off", "x"],
    "set_provision_state": ["manage", "active", "deleted", "clean", "service", "rescue", "x"],
}


class Server(Everything):
    """Remembers what was sent since it was asked last."""

    def told(self):
        asked = [sent(each).replace(self.url, "URL") for each in self.all_requests]
        self.all_requests.clear()
        return asked


@pytest.fixture(scope="module")
def server():
    with Server() as made:
        yield made


def value_of(name):
    return VALUES.get(name, True if name in FLAGS else "x")


def variants(method):
    """Yield the arguments of a method: those needed, each other one, and wrong ones."""
    parameters = inspect.signature(method).parameters.values()
    plain = [one for one in parameters if one.kind not in (one.VAR_KEYWORD, one.VAR_POSITIONAL)]
    needed = {one.name: value_of(one.name) for one in plain if one.default is one.empty}
    yield needed
    for one in plain:
        if one.name not in needed:
            for value in (value_of(one.name), False, "a b", 7):
                yield {**needed, one.name: value}
    for name, wrong in itertools.product(needed, (None, "", 7, "a/b", [])):
        yield {**needed, name: wrong}
    for state in STATES.get(method.__name__, ()):
        yield {**needed, "state": state}
        if method.__name__ == "set_provision_state":
            more = ("disable_ramdisk", "cleansteps", "servicesteps", "deploysteps", "configdrive")
            yield from ({**needed, "state": state, name: value_of(name)} for name in more)
            yield {**needed, "state": state, "cleansteps": STEPS, "disable_ramdisk": True}
            yield {**needed, "state": state, "servicesteps": STEPS, "disable_ramdisk": True}
    for name in ("limit", "fields", "sort_key", "detail", "shards"):
        if name in {one.name for one in plain}:
            yield {**needed, name: -1}
    for name in {"fields"} & {one.name for one in plain}:
        yield {**needed, name: "extra"}
    for name in {"http_method"} & {one.name for one in plain}:
        yield from ({**needed, name: verb} for verb in ("get", "POST", "HEAD", "BOGUS"))
    if any(one.kind is one.VAR_KEYWORD for one in parameters):
        for version in ("1.1", "1.31", "latest"):
            yield {**needed, "os_ironic_api_version": version}
        for name, value in (("extra", {"a": 1}), ("owner", "o"), ("colour", "red")):
            yield {**needed, name: value}


def plain(found):
    """Return what a method returns as JSON can hold it."""
    if isinstance(found, Resource):
        return f"{type(found).__name__} with {len(found.to_dict())} fields"
    if isinstance(found, Iterator):
        found = list(found)
    if isinstance(found, list | tuple):
        return [plain(item) for item in found]
    if isinstance(found, dict) and len(found) > len(ITEM):
        return f"{len(found)} entries"
    return found if isinstance(found, dict) else repr(found)


def called(method, arguments):
    try:
        return plain(method(**arguments))
    except (exc.ClientException, TypeError) as error:
        return f"{type(error).__name__}: {error}"


def methods(manager):
    for name, method in inspect.getmembers(manager, inspect.ismethod):
        if not name.startswith("_") and name not in ELSEWHERE:
            yield name, method


@pytest.mark.parametrize("manager", MANAGERS)
def test_calls_are_as_recorded(server, request, manager):
    client = clients.get_client(1, endpoint=server.url, max_retries=0)
    found = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, method in methods(getattr(client, manager)):
            server.told()
            for arguments in variants(method):
                returned = called(method, arguments)
                if isinstance(returned, str):
                    returned = returned.replace(server.url, "URL")
                found[f"{name}({arguments})"] = [returned, server.told()]
    check(request, RECORD, manager, found)


def refusal(method, arguments, minor):
    """Return how a call in a version is refused for its version; None if it is not."""
    try:
        plain(method(**arguments, os_ironic_api_version=f"1.{minor}"))
    except exc.UnsupportedVersion as error:
        return f"{type(error).__name__}: {error}"
    except (exc.ClientException, TypeError):
        return None
    return None


def first_version(method, arguments):
    """Return the first version in which a call is not refused, and how the one before it is."""
    low, high = 1, 116
    while low < high:
        middle = (low + high) // 2
        if refusal(method, arguments, middle):
            low = middle + 1
        else:
            high = middle
    return [low, low > 1 and refusal(method, arguments, low - 1)]


@pytest.mark.parametrize("manager", MANAGERS)
def test_calls_need_the_recorded_versions(server, request, manager):
    client = clients.get_client(1, endpoint=server.url, max_retries=0)
    found = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, method in methods(getattr(client, manager)):
            for arguments in variants(method):
                if "os_ironic_api_version" not in arguments:
                    needed = first_version(method, arguments)
                    if needed != [1, False]:
                        found[f"{name}({arguments})"] = needed
    server.told()
    check(request, VERSIONS, manager, found)


NEEDED = {
    "set": {"patch": VALUES["patch"]},
    "unset": {"patch": VALUES["patch"]},
    "boot device set": {"boot_device": "pxe"},
    "boot mode set": {"state": "uefi"},
    "trait add": {"trait": "CUSTOM_A"},
    "trait set": {"traits": ["CUSTOM_A"]},
    "vif attach": {"vif_id": "v"},
    "vif detach": {"vif_id": "v"},
    "vmedia attach": {"device_type": "cdrom", "image_url": "http://i/i.iso"},
    "clean": {"cleansteps": STEPS},
    "service": {"servicesteps": STEPS},
    "rescue": {"rescue_password": "p"},
}


def test_actions_are_as_recorded(server, request):
    nodes = clients.get_client(1, endpoint=server.url, max_retries=0).node
    found = {}
    for verb in [*VERBS, "bogus", None]:
        server.told()
        needed = NEEDED.get(verb, {})
        for more in ({}, {"colour": "red"}, {"wait": True, "timeout": -1}, {"on_error": "ask"}):
            returned = called(
                lambda arguments: list(nodes.act_on(**arguments)),
                {"arguments": {"nodes": "x", "verb": verb, **needed, **more}},
            )
            told = re.sub(r"seconds=[\d.e-]+", "", str(returned)).replace(server.url, "URL")
            found[f"{verb} {more}"] = [told, server.told()]
    check(request, RECORD, "(actions)", found)
