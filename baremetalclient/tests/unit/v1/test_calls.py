"""What each method of each manager sends and returns, and the versions that it needs."""

import inspect
import warnings
from collections import Counter
from collections.abc import Iterator
from urllib.parse import quote

import pytest

from baremetalclient import client as clients
from baremetalclient import exc
from baremetalclient._resource.arguments import CALL_OPTIONS
from baremetalclient._resource.resource import Resource
from baremetalclient.microversion import CLIENT_MAX
from baremetalclient.tests import calls
from baremetalclient.tests.unit.osc.everything import ITEM, UUID, Everything, change, parts, sent
from baremetalclient.tests.unit.scripted import Reply
from baremetalclient.v1.node.features import PROVISION_VERBS

MANAGERS = list(calls.managers())
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
    "set_console_mode": [True, False, "on", "off", None],
    "set_indicator_state": ["on", "OFF"],
    "set_maintenance": [True, False, "on", "off", None],
    "set_provision_state": [*PROVISION_VERBS, "active", "deleted", "rebuild"],
    "set_power_state": ["off", "reboot", "soft power off", "power on", "rebooting"],
    "set_secure_boot": [True, False, "on", "off"],
}
"""What a node may be put into, by the methods whose last argument says so."""
PROVISIONING = {
    "active": ("deploysteps", "configdrive"),
    "clean": ("disable_ramdisk", "cleansteps"),
    "service": ("disable_ramdisk", "servicesteps"),
    "manage": ("disable_ramdisk", "cleansteps", "deploysteps"),
}
"""What is given together with targets, whether it belongs to them or not."""
STATE_NAMES = ("state", "enabled")


@pytest.fixture(scope="module")
def server():
    with Everything() as made:
        yield made


@pytest.fixture
def client(server):
    return clients.get_client(1, endpoint=server.url, max_retries=0)


def value_of(name):
    return VALUES.get(name, True if name in FLAGS else "x")


def variants(method):
    """Return the arguments that a method needs, and others to call it with, by what they change."""
    parameters = inspect.signature(method).parameters.values()
    plain = [
        one
        for one in parameters
        if one.kind not in (one.VAR_KEYWORD, one.VAR_POSITIONAL) and one.name not in CALL_OPTIONS
    ]
    needed = {
        one.name: value_of(one.name)
        for one in plain
        if one.default is one.empty or one.name == "patch"
    }
    more = [{one.name: value_of(one.name)} for one in plain if one.name not in needed]
    more += [{name: wrong} for name in needed for wrong in ("", "a/b")[method.__name__ != "get" :]]
    more += [{list(needed)[-1]: state} for state in STATES.get(method.__name__, ())]
    if method.__name__ == "set_provision_state":
        needed["state"] = "abort"
        more += [
            {"state": state, name: value_of(name)}
            for state, names in PROVISIONING.items()
            for name in names
        ]
    if method.__name__ == "create":
        more += [{"extra": {"a": 1}}, {"owner": "o"}]
    return needed, more


def plain(found):
    """Return what a method returns in a few words."""
    if isinstance(found, Resource):
        return f"{type(found).__name__}"
    if isinstance(found, Iterator):
        found = list(found)
    if isinstance(found, list | tuple):
        return f"[{', '.join(plain(item) for item in found)}]"
    if isinstance(found, dict) and len(found) > len(ITEM):
        return "all fields"
    return repr(found)[:100]


def called(method, arguments):
    try:
        return plain(method(**arguments))
    except (exc.ClientException, TypeError) as error:
        return f"{type(error).__name__}: {error}"


def refused(method, arguments, minor):
    """Say whether a version does not suffice for a call."""
    try:
        plain(method(**arguments, os_ironic_api_version=f"1.{minor}"))
    except exc.UnsupportedVersion:
        return True
    except (exc.ClientException, TypeError):
        return False
    return False


def since(method, arguments):
    """Return the first version in which a call is not refused."""
    low, high = 1, CLIENT_MAX.minor + 1
    while low < high:
        middle = (low + high) // 2
        low, high = (middle + 1, high) if refused(method, arguments, middle) else (low, middle)
    return low


def key_of(arguments):
    """Return arguments by their names, with values that are not the usual ones."""
    return " and ".join(
        name if name not in STATE_NAMES and value == value_of(name) else f"{name}={value!r}"
        for name, value in arguments.items()
    )


def changed(base, requests, arguments):
    """Say how arguments change what is sent."""
    found = change(base, requests) if requests else ""
    ((name, value), *more) = arguments.items()
    text = ",".join(map(str, value)) if isinstance(value, list) else str(value)
    return "as it is" if not more and found == f"+?{name}={quote(text, ',')}" else found


@pytest.mark.rows
@pytest.mark.parametrize("manager", MANAGERS)
def test_calls_are_as_recorded(server, client, recorded, manager):
    found = {}
    methods = inspect.getmembers(getattr(client, manager), inspect.ismethod)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, method in methods:
            if name.startswith("_") or name in ELSEWHERE:
                continue
            needed, more = variants(method)
            server.all_requests.clear()
            usual = called(method, needed)
            base = Counter(part for each in server.all_requests for part in parts(each))
            asked = [sent(each).replace(f" {CLIENT_MAX}", "")[:280] for each in server.all_requests]
            first = since(method, needed)
            told = [*asked, usual[:100], *([f"since 1.{first}"] if first > 1 else [])]
            lines = {}
            for arguments in more:
                server.all_requests.clear()
                returned = called(method, {**needed, **arguments})
                result = changed(base, server.all_requests, arguments)
                if returned != usual:
                    # An error without its advice.
                    told_first = returned.partition(". ")[0].partition("': ")[0]
                    result = f"{result} {told_first[:72].strip()}".strip()
                elif server.all_requests:
                    version = since(method, {**needed, **arguments})
                    result += f" (1.{version})" if version != first else ""
                lines.setdefault(result[:180], []).append(key_of(arguments))
            told += [f"{', '.join(keys)}: {result}"[:299] for result, keys in lines.items()]
            found[f"{name}({', '.join(needed)})"] = [
                line.replace(server.url, "URL") for line in told
            ]
    recorded(found)


def test_unknown_arguments_are_refused_before_anything_is_sent(server, client):
    server.all_requests.clear()
    problems = []
    for manager in MANAGERS:
        for name, method in inspect.getmembers(getattr(client, manager), inspect.ismethod):
            # The server decides what it may be told about a VIF.
            if name.startswith("_") or name == "vif_attach":
                continue
            needed = variants(method)[0] | ({"verb": "manage"} if name == "act_on" else {})
            known = [*needed, "os_ironic_api_version", "global_request_id", "deadline"]
            try:
                method(**needed, bogus=1)
            except TypeError as error:
                told = str(error)
                if "'bogus'" in told and (
                    inspect.getfullargspec(method).varkw or all(word in told for word in known)
                ):
                    continue
            problems.append((manager, name))
    assert problems == []
    assert not server.all_requests


def test_a_misspelt_argument_suggests_the_right_one(scripted):
    client, server = scripted()
    with pytest.raises(TypeError) as caught:
        client.node.list(provison_state="available")
    assert str(caught.value) == (
        "NodeManager.list() got an unexpected keyword argument 'provison_state'. "
        "Did you mean 'provision_state'?"
    )
    assert not server.all_requests


DONE = Reply(status=202, body=b"")


@pytest.mark.parametrize(
    "call",
    [
        lambda n: n.set_power_state("n", "on", soft=True),
        lambda n: n.set_power_state("n", "off", timeout=0),
        lambda n: n.set_power_state("n", "off", timeout="soon"),
        lambda n: n.set_boot_mode("n", "floppy"),
        lambda n: n.set_provision_state("n", ""),
        lambda n: n.set_provision_state("n", "active", configdrive="no-such-file"),
        lambda n: n.vif_attach("n", ""),
        lambda n: n.vmedia_attach("n", "cdrom", " "),
        lambda n: n.vmedia_detach("n", ["cdrom,disk"]),
        lambda n: n.vmedia_detach("n", []),
        lambda n: n.set_indicator_state("n", "", "on"),
        lambda n: n.set_indicator_state("n", "led@system", ""),
    ],
)
def test_invalid_values_are_not_sent(scripted, call):
    client, server = scripted(DONE)
    with pytest.raises(ValueError, match=r"\w"):
        call(client.node)
    assert not server.requests


def test_a_vendor_method_may_return_an_object_or_nothing_or_text(scripted):
    client, server = scripted(Reply({"a": 1}), DONE, Reply(b"<x/>", headers={"Content-Type": "x"}))
    assert client.node.vendor_passthru("n", "m", {"k": "v"}).to_dict() == {"a": 1}
    assert client.driver.vendor_passthru("d", "m", http_method="put") is None
    assert client.node.vendor_passthru("n", "m", {"k": "&"}, http_method="GET") == b"<x/>"
    assert [(request.method, request.target) for request in server.requests] == [
        ("POST", "/v1/nodes/n/vendor_passthru/m"),
        ("PUT", "/v1/drivers/d/vendor_passthru/m"),
        ("GET", "/v1/nodes/n/vendor_passthru/m?k=%26"),
    ]
