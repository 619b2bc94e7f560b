"""Options of Ironic that change what its API answers."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from fake_server.cli.options import parser
from fake_server.tests.baremetal.api import Api
from fake_server.tests.baremetal.test_inspection_rules import REPORT
from fake_server.tests.wsgi import request

#: What Ironic itself declares; ``tools/dev ironic-facts`` writes it.
OPTIONS = [
    line.partition(" = ")[0]
    for line in Path(__file__).with_name("options.txt").read_text().splitlines()[1:]
]
PAGE = Path(__file__).parents[3] / "doc" / "source" / "reference" / "ironic-options.rst"
MACS = ["52:54:00:00:00:0A", "52:54:00:00:00:0b"]
FACTORY_RESET = {"interface": "bios", "step": "factory_reset"}
IMAGES = {f"deploy_{name}": f"http://192.0.2.1/{name}" for name in ("kernel", "ramdisk")}


def managed(**options):
    api = Api(**options)
    api.enrol()
    api.provision("manage")
    return api


@pytest.mark.parametrize(
    ("flow", "verbs", "steps"),
    [
        ("clean", (), [FACTORY_RESET]),
        ("service", ("provide", "active"), [FACTORY_RESET]),
        ("deploy", ("provide",), [{**FACTORY_RESET, "args": {}, "priority": 10}]),
    ],
)
def test_steps_that_are_disallowed_can_not_be_asked_for(flow, verbs, steps):
    api = managed(**{f"disallow_{flow}_steps": ("bios.factory_reset",)})
    if verbs:
        api.provision(*verbs)
    target = "active" if flow == "deploy" else flow
    assert api.provision(target, **{f"{flow}_steps": steps}) == (
        400,
        f"{flow} step 'bios.factory_reset' is not allowed. Disallowed by operator configuration "
        f"[api]disallow_{flow}_steps.",
    )


def test_driver_steps_that_are_disallowed_are_left_out():
    api = managed(disallow_deploy_steps=("deploy.deploy",))
    api.provision("provide", "active")
    node = api.node()
    assert (node["provision_state"], node["last_error"]) == (
        "deploy failed",
        "No deploy steps returned by the driver",
    )


def test_agents_are_refused_where_their_endpoints_are_off():
    api = managed(ramdisk_endpoints=False)
    uuid = api.node()["uuid"]
    beat = {"callback_url": "https://192.0.2.1", "agent_token": "t", "agent_version": "9"}
    for method, path, body in (
        ("GET", f"/v1/lookup?node_uuid={uuid}", None),
        ("POST", f"/v1/heartbeat/{uuid}", beat),
        ("POST", "/v1/continue_inspection", REPORT),
    ):
        resource = path.partition("?")[0]
        assert api(method, path, body) == (
            403,
            f"Access was denied to the following resource: {resource}",
        )


@pytest.mark.parametrize("created", [True, False])
def test_ports_are_created_for_the_cards_that_a_controller_tells_of(created):
    api = Api(
        agent="external",
        hardware_types=("redfish",),
        interfaces={},
        pre_create_ports=created,
    )
    info = {"redfish_address": "bmc", **IMAGES, "bootloader": "http://192.0.2.1/esp"}
    uuid = api.enrol(
        driver="redfish",
        driver_info=info,
        inspect_interface="agent",
        boot_interface="redfish-virtual-media",
    )
    api("POST", "/v1/ports", {"node_uuid": uuid, "address": MACS[1]})
    assert api("PATCH", "/_fake/machines/n", {"nics": MACS})[0] == 200
    api.provision("manage", "inspect")
    assert api.state() == "inspect wait", api.node()["last_error"]
    found = {port["address"] for port in api("GET", "/v1/ports")[1]["ports"]}
    assert found == ({address.lower() for address in MACS} if created else {MACS[1]})


@pytest.mark.parametrize(("options", "most"), [({}, 25), ({"json_depth": 8}, 8)])
def test_json_is_as_deep_as_ironic_takes_it(options, most):
    api = Api(**options)

    def answer(depth):
        body = '{"a":' * (depth - 1) + "{}" + "}" * (depth - 1)
        return api.app.answer(request("POST", "/v1/nodes", body.encode()))

    assert b"driver" in answer(most).body
    refused = answer(most + 1)
    assert refused.status == 400
    assert b"Request body JSON is nested too deeply." in refused.body


def test_the_page_says_of_each_option_of_ironic_what_becomes_of_it():
    listed = Counter(re.findall(r"^\* ``(\[.+?)``", PAGE.read_text(), re.M))
    assert max(listed.values()) == 1
    of_sections = {name.removesuffix("*") for name in listed if name.endswith("*")}
    named = set(listed) - {f"{section}*" for section in of_sections}
    others = [name for name in OPTIONS if name not in named]
    assert named <= set(OPTIONS)
    assert {name[: name.index("]") + 1] for name in others} == of_sections


def test_the_options_that_do_the_same_are_there():
    followed = PAGE.read_text().partition("Without effect")[0]
    wanted = set(re.findall(r": ``(--[a-z-]+)``", followed))
    assert len(wanted) > 40
    assert wanted <= {word for action in parser("serve")._actions for word in action.option_strings}


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--max-json-depth", "7"], "'7' is not an integer from 8 to 1000"),
        (["--max-json-depth", "x"], "'x' is not an integer from 8 to 1000"),
        (["--disallow-clean-steps", "factory_reset"], "is not of the form INTERFACE.STEP"),
        (["--disallow-deploy-steps", "bios.a,bogus.b"], "'bogus.b' is not of the form"),
    ],
)
def test_wrong_values_are_told_in_one_line(capsys, words, told):
    with pytest.raises(SystemExit) as ended:
        parser("serve").parse_args(words)
    assert ended.value.code == 2
    (line,) = (line for line in capsys.readouterr().err.splitlines() if "error: " in line)
    assert f"argument {words[0]}: " in line
    assert told in line


def test_values_are_read():
    options = parser("serve").parse_args(
        ["--max-json-depth", "8", "--disallow-clean-steps", "bios.factory_reset, raid.x"]
    )
    assert options.json_depth == 8
    assert options.disallow_clean_steps == ("bios.factory_reset", "raid.x")
    assert parser("serve").parse_args(["--disallow-clean-steps", ""]).disallow_clean_steps == ()
