"""What is pending at a node happens at its time, whatever is asked in the meantime.

The moments are those of Ironic's options and of the delays that are set. The requests are those of
the facts about Ironic's answers; a scene asks all that its node accepts.
"""

from __future__ import annotations

import random
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
import sqlalchemy as sa

from fake_server.app import Application
from fake_server.baremetal.conductor.due.registry import KINDS
from fake_server.baremetal.conductor.work import WORK
from fake_server.baremetal.conductor_hosts import parse
from fake_server.baremetal.hardware_types import TYPES
from fake_server.common import due_work
from fake_server.tests.baremetal.api import Api
from fake_server.tests.baremetal.rights import conditions
from tools.rows import some

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

NODE, OTHER = conditions.NODE, conditions.OTHER
TIMEOUT, SYNC, ORPHANS, CONSOLE = 1800, 120, 60, 600
#: How long the transition takes that is looked at, and how long others of the node take.
TRANSITION = 300
DELAY = 5
DIRECT = {
    "deploy_interface": "direct",
    "instance_info": {"image_source": "http://192.0.2.1/i.raw", "image_checksum": "a" * 32},
    "driver_info": {
        f"{purpose}_{name}": f"http://192.0.2.1/{name}"
        for purpose in ("deploy", "rescue")
        for name in ("kernel", "ramdisk")
    },
}
REDFISH = {"driver": "redfish", "driver_info": {**DIRECT["driver_info"], "redfish_address": "bmc"}}
SETTING = {"name": "ProcTurboMode", "value": "Disabled"}
BIOS = {"interface": "bios", "step": "apply_configuration", "args": {"settings": [SETTING]}}
ERASE = {"interface": "deploy", "step": "erase_devices"}
RESET = {"interface": "bios", "step": "factory_reset"}
MEDIUM = {"device_type": "cdrom", "image_url": "http://192.0.2.1/x.iso"}
INTERFACES = {"console": ("fake", "no-console", "fake-graphical")}
NOTHING = ("nothing", 0, ("GET", "/v1/nodes", None))
#: What is asked beside that of the facts.
MORE = tuple(
    (f"{method} {path}", 0, (method, f"/v1/nodes/{NODE}/{path}", body))
    for method, path, body in (
        ("POST", "vmedia", MEDIUM),
        ("DELETE", "vmedia", None),
        ("PUT", "management/indicators/led@system", {"state": "ON"}),
        ("GET", "management/boot_device/supported", None),
    )
)
#: After these, the node is another one, or gone.
ANOTHER = {"DELETE", "PATCH driver", "PATCH conductor_group"}
#: Periodic tasks leave nodes in maintenance alone.
MAINTENANCE = {"PUT maintenance", "PATCH maintenance"}
POWER = {name for name in conditions.CHANGES if name.startswith("power ")}


class Scene(NamedTuple):
    """A node at which something is pending.

    :param kind: what is pending.
    :param seconds: after how many seconds it happens.
    :param prepare: brings the node there.
    :param is_done: whether it has happened.
    :param ends: the requests that end what is pending, or begin it anew.
    :param node: fields of the node.
    :param options: those of the server.
    :param again: after how many seconds it is tried again at a node that is reserved.
    """

    kind: str
    seconds: int
    prepare: Callable[[Api], object]
    is_done: Callable[[Api], bool]
    ends: set[str] = ANOTHER
    node: Mapping[str, Any] = MappingProxyType({})
    options: Mapping[str, Any] = MappingProxyType({"agent": "none"})
    again: int = 60


def asked(*verbs, waiting=None, delays=None, **arguments):
    """Return what asks for verbs, one after the other."""

    def prepare(api):
        *before, last = verbs
        for verb in before:
            assert api.provision(verb, ident=NODE)[0] == 202
        if delays:
            assert api("PUT", "/_fake/delays", delays)[0] == 200
        status, answer = api.provision(last, ident=NODE, **arguments)
        assert status == 202, answer
        assert waiting in (None, api.state(NODE)), api.node(NODE)["last_error"]

    return prepare


def waits_for_agent(failed, waiting, *verbs, **arguments):
    """Return the scene of a node that waits for an agent that never comes."""
    return Scene(
        "agent_callback_timeout",
        TIMEOUT,
        asked(*verbs, waiting=waiting, **arguments),
        lambda api: api.state(NODE) == failed,
        {*ANOTHER, *MAINTENANCE, *("heartbeat", "report", "abort", "deleted", "undeploy")},
        DIRECT,
        {"agent": "external"},
    )


def ends(kind, after, *verbs, node=MappingProxyType({}), **arguments):
    """Return the scene of a transition, which holds the node until its end.

    :param after: the provision state that it ends in.
    :param node: fields of the node.
    :param arguments: those of the last verb.
    """
    return Scene(
        kind,
        TRANSITION,
        asked(*verbs, delays={"default": TRANSITION}, **arguments),
        lambda api: api.state(NODE) == after,
        node=node,
    )


def after_wait(kind, scene, request, after):
    """Return the scene of what ends a wait.

    :param scene: that of the wait.
    :param request: the name of what is asked then.
    :param after: the provision state that follows.
    """
    asked_for = {name: asked for name, _, asked in conditions.requests("inspect")}[request]

    def prepare(api):
        SCENES[scene].prepare(api)
        assert api("PUT", "/_fake/delays", {"default": TRANSITION})[0] == 200
        assert api(*asked_for)[0] == 202

    return SCENES[scene]._replace(
        kind=kind,
        seconds=TRANSITION,
        prepare=prepare,
        is_done=lambda api: (api.state(NODE), api.node(NODE)["reservation"]) == (after, None),
        ends=ANOTHER,
    )


def changed(kind, method, path, body, is_done, node=MappingProxyType({})):
    """Return the scene of a change of a node that isn't one of its provision state."""

    def prepare(api):
        asked("manage")(api)
        assert api("PUT", "/_fake/delays", {"default": TRANSITION})[0] == 200
        assert api(method, f"/v1/nodes/{NODE}/{path}", body)[0] < 300

    def is_over(api):
        node = api.node(NODE)
        return node["reservation"] is None and is_done(node)

    return Scene(kind, TRANSITION, prepare, is_over, node=node)


def unrescue(api):
    asked("manage", "adopt", "rescue", rescue_password="p")(api)
    asked("unrescue", delays={"default": TRANSITION})(api)


def drift(api):
    asked("manage", waiting="manageable")(api)
    assert api("PATCH", f"/_fake/machines/{NODE}", {"power_state": "power on"})[0] == 200


def lose_conductor(api):
    asked("manage", "inspect", waiting="inspecting", delays={"default": 1000})(api)
    holder = api.node(NODE)["reservation"]
    assert api("PATCH", f"/_fake/conductors/{holder}", {"alive": False})[0] == 200


def open_console(api):
    assert api("PUT", f"/v1/nodes/{NODE}/states/console", {"enabled": True})[0] == 202
    assert api.node(NODE)["console_enabled"] is True


def allocate(api):
    assert api.patch("resource_class", "silver", OTHER)[0] == 200
    api.provision("manage", "provide", ident=OTHER)
    assert api("PUT", "/_fake/delays", {"default": DELAY})[0] == 200
    values = {"name": "a", "resource_class": "silver"}
    assert api("POST", "/v1/allocations", values)[1]["state"] == "allocating"


SCENES = {
    "wait call-back": waits_for_agent(
        "deploy failed", "wait call-back", "manage", "provide", "active"
    ),
    "wait call-back of a machine with virtual media": waits_for_agent(
        "deploy failed", "wait call-back", "manage", "provide", "active"
    )._replace(node={**DIRECT, **REDFISH}),
    "clean wait": waits_for_agent(
        "clean failed", "clean wait", "manage", "clean", clean_steps=[ERASE]
    ),
    "inspect wait": waits_for_agent("inspect failed", "inspect wait", "manage", "inspect")._replace(
        node={**REDFISH, "inspect_interface": "agent"}
    ),
    "rescue wait": waits_for_agent(
        "rescue failed", "rescue wait", "manage", "adopt", "rescue", rescue_password="p"
    )._replace(node={**DIRECT, **REDFISH, "rescue_interface": "agent"}),
    "service wait": waits_for_agent(
        "service failed", "service wait", "manage", "adopt", "service", service_steps=[ERASE]
    )._replace(node={**DIRECT, **REDFISH}),
    "a controller": Scene(
        "check_hardware",
        300,
        asked(
            *("manage", "clean"),
            waiting="clean wait",
            delays={"default": DELAY, "transitions": {"hardware": 300, "cleaning": 0}},
            clean_steps=[BIOS],
            disable_ramdisk=True,
        ),
        lambda api: api.state(NODE) != "clean wait",
        {*ANOTHER, "abort"},
        REDFISH,
    ),
    "a simulated agent": Scene(
        "simulated_agent_heartbeat",
        300,
        asked(
            *("manage", "provide", "active"),
            waiting="wait call-back",
            delays={"default": DELAY, "transitions": {"heartbeat": 300, "deploying": 0}},
        ),
        lambda api: api.state(NODE) != "wait call-back",
        # The agent ends with its machine.
        {*ANOTHER, *MAINTENANCE, *POWER, "abort", "deleted", "undeploy", "heartbeat"},
        DIRECT,
        {"agent": "simulated"},
    ),
    "a machine that was switched on": Scene(
        "sync_power_state",
        SYNC,
        drift,
        lambda api: api.node(NODE)["power_state"] == "power on",
        {*ANOTHER, *MAINTENANCE, *POWER, "clean with steps"},
        REDFISH,
        {"agent": "none", "periodic": {"force_power_state_during_sync": 0}},
        again=SYNC,
    ),
    "a conductor that is down": Scene(
        "take_over",
        ORPHANS,
        lose_conductor,
        lambda api: api.node(NODE)["reservation"] is None,
        options={"agent": "none", "conductors": tuple(map(parse, ("a", "b")))},
    ),
    "a console": Scene(
        "expire_console_session",
        CONSOLE,
        open_console,
        lambda api: api.node(NODE)["console_enabled"] is False,
        node={"console_interface": "fake-graphical"},
    ),
    "verifying": ends("do_node_verify", "manageable", "manage"),
    "inspecting": ends("finish_inspection", "manageable", "manage", "inspect"),
    "adopting": ends("_do_adoption", "active", "manage", "adopt", node=DIRECT),
    "providing": ends("finish_skipped_clean", "available", "manage", "provide"),
    "cleaning": ends("do_next_clean_step", "manageable", "manage", "clean", clean_steps=[RESET]),
    "deploying": ends("do_next_deploy_step", "active", "manage", "provide", "active"),
    "deleting": ends(
        "finish_tear_down", "cleaning", "manage", "adopt", "deleted", node=DIRECT
    )._replace(is_done=lambda api: api.state(NODE) != "deleting"),
    "rescuing": ends("finish_rescue", "rescue", "manage", "adopt", "rescue", rescue_password="p"),
    "unrescuing": ends("finish_unrescue", "active", "unrescue")._replace(prepare=unrescue),
    "servicing": ends(
        "do_next_service_step", "active", "manage", "adopt", "service", service_steps=[RESET]
    ),
    "switching on": changed(
        *("node_power_action", "PUT", "states/power", {"target": "power on"}),
        lambda node: node["power_state"] == "power on",
    ),
    "changing the boot mode": changed(
        *("node_change_boot_mode", "PUT", "states/boot_mode", {"target": "bios"}),
        lambda node: node["boot_mode"] == "bios",
        REDFISH,
    ),
    "changing secure boot": changed(
        *("node_change_secure_boot", "PUT", "states/secure_boot", {"target": True}),
        lambda node: node["secure_boot"] is True,
        REDFISH,
    ),
    "switching the console on": changed(
        *("_set_console_mode", "PUT", "states/console", {"enabled": True}),
        lambda node: node["console_enabled"] is True,
        {"console_interface": "fake"},
    ),
    "inserting media": changed(
        *("do_attach_virtual_media", "POST", "vmedia", MEDIUM), lambda node: True, REDFISH
    ),
    "ejecting media": changed(
        *("do_detach_virtual_media", "DELETE", "vmedia", None), lambda node: True, REDFISH
    ),
    "an allocation": Scene(
        "do_allocate",
        100,
        allocate,
        lambda api: api("GET", "/v1/allocations/a")[1]["state"] == "active",
        set(),
        options={"agent": "none", "delay": 100},
    ),
}

SCENES |= {
    "a report": after_wait("continue_inspection", "inspect wait", "report", "inspect failed"),
    "aborting a deployment": after_wait(
        "finish_deploy_abort", "wait call-back", "abort", "deploy failed"
    ),
    "aborting cleaning": after_wait("finish_clean_abort", "clean wait", "abort", "clean failed"),
    "aborting a rescue": after_wait("finish_rescue_abort", "rescue wait", "abort", "rescue failed"),
    "aborting servicing": after_wait("finish_service_abort", "service wait", "abort", "active"),
}


def lab(scene):
    """Return a server with what requests are about, at the beginning of a scene."""
    options = {"automated_clean": False, "hardware_types": tuple(TYPES), "interfaces": INTERFACES}
    api = Api(**options, **scene.options)
    assert api("PUT", "/_fake/delays", {"default": 0})[0] == 200
    for method, path, body in conditions.things():
        if body.get("uuid") == NODE:
            body = {**body, **scene.node}
        if path == "volume/targets":
            body = {**body, "boot_index": 7}
        status, answer = api(method, f"/v1/{path}", body)
        assert status < 300, (method, path, answer)
    if scene.node.get("driver") == "redfish":
        api("PUT", f"/v1/nodes/{NODE}/states/power", {"target": "power off"})
    scene.prepare(api)
    assert scene.kind in pending(api), pending(api)
    assert not scene.is_done(api)
    # What is asked from now on takes its time.
    api("PUT", "/_fake/delays", {"default": DELAY})
    api.keep()
    return api


def pending(api):
    with api.app.store.transaction(write=False) as tx:
        return [row["kind"] for row in tx.all(sa.select(due_work.due_work))]


@pytest.fixture
def most(pytestconfig):
    """After how many accepted requests it is enough: databases on servers are slow to go back."""
    if pytestconfig.getoption("--all"):
        return 1000
    return 10 if pytestconfig.getoption("--db") == "sqlite" else 4


def outcomes(name, before, until, most):
    """Return what was asked a time before something happens, and whether it happened in time.

    :param before: how many seconds before.
    :param until: the seconds after its time within which it happens.
    :param most: how many requests are looked at, which are chosen by the scene and the day.
    """
    scene = SCENES[name]
    requests = [*conditions.requests("inspect"), *MORE]
    random.Random(f"{name} {some(range(3))}").shuffle(requests)
    api = lab(scene)
    found = {}
    is_changed = True
    for asked_for, _, (method, path, body) in (NOTHING, *requests):
        if asked_for in scene.ends or len(found) == most:
            continue
        if is_changed:
            api.go_back()
            api.clock.advance(scene.seconds - before)
        is_changed = api(method, path, body)[0] < 400
        if not is_changed:
            continue
        api.clock.advance(before - 1)
        early = scene.is_done(api)
        api.clock.advance(1 + until)
        done = scene.is_done(api)
        found[asked_for] = "too early" if early else "in time" if done else "too late"
    api.app.close()
    return found


@pytest.mark.parametrize("name", SCENES)
def test_it_happens_at_its_time_whatever_is_asked_before(name, most):
    found = outcomes(name, SCENES[name].seconds // 2, 0, most)
    assert len(found) >= min(most, 5)
    assert {asked_for: when for asked_for, when in found.items() if when != "in time"} == {}


@pytest.mark.rows
@pytest.mark.parametrize("name", SCENES)
def test_it_waits_for_what_is_asked_just_before_it_at_most_until_it_is_looked_at_again(name, most):
    found = outcomes(name, 2, SCENES[name].again, most)
    assert {asked_for: when for asked_for, when in found.items() if when != "in time"} == {}


@pytest.mark.parametrize(
    "name", [name for name, scene in SCENES.items() if scene.kind == "agent_callback_timeout"]
)
def test_a_conductor_that_was_down_for_a_while_leaves_what_is_due(name):
    scene = SCENES[name]
    api = lab(scene)
    host = api.node(NODE)["conductor"]
    for alive in (False, True):
        api.clock.advance(100)
        assert api("PATCH", f"/_fake/conductors/{host}", {"alive": alive})[0] == 200
        api("GET", "/v1/nodes")
    api.clock.advance(scene.seconds - 201)
    assert not scene.is_done(api)
    api.clock.advance(1)
    assert scene.is_done(api)


def test_every_kind_that_is_not_done_at_once_is_in_a_scene():
    at_once = {name for name, work in WORK.items() if work.transition is None or work.afterwards}
    assert {scene.kind for scene in SCENES.values()} == set(KINDS) - at_once


def test_a_snapshot_has_what_is_pending():
    scene = SCENES["a console"]
    api = lab(scene)
    api.clock.advance(scene.seconds)
    assert scene.is_done(api)
    api.go_back()
    api.clock.advance(scene.seconds - 1)
    assert not scene.is_done(api)
    api.clock.advance(1)
    assert scene.is_done(api)


def test_the_page_shows_all_that_is_pending_at_a_node():
    api = lab(SCENES["wait call-back"])
    api("PUT", f"/v1/nodes/{NODE}/states/power", {"target": "rebooting"})
    (node,) = (one for one in api("GET", "/_fake/overview")[1]["nodes"] if one["uuid"] == NODE)
    assert node["due"] == [
        {"what": "power", "seconds": DELAY},
        {"what": "callback timeout", "seconds": TIMEOUT},
    ]


def test_work_that_a_newer_version_has_stored_is_not_begun(tmp_path):
    db = f"sqlite:///{tmp_path}/state"
    first = Application(db=db)
    with first.store.transaction() as tx:
        due_work.add(tx, "defragment", due_work.thing("nodes", NODE), 0.0)
    first.close()
    with pytest.raises(ValueError, match=r"due_work .* 'defragment'.*it knows .*do_node_deploy"):
        Application(db=db)
