"""The deploy interfaces beside ``direct``, and images that come from Glance."""

import pytest

from fake_server.baremetal.drivers.autodetect import AutodetectDeploy
from fake_server.baremetal.hardware_types import TYPES
from fake_server.tests.baremetal.api import Api

DEPLOY = ("fake", "direct", "ramdisk", "autodetect", "ansible", "anaconda", "bootc", "custom-agent")
CHECKSUM = "0" * 32
HTTP = {"image_source": "http://images/linux.qcow2", "image_checksum": CHECKSUM}
REGISTRY = {"image_source": "oci://registry/linux"}
ISO = {"boot_iso": "http://images/live.iso", "ironic_ramdisk_deploy": True}
LINUX = {"name": "linux", "disk_format": "qcow2", "container_format": "bare"}


def lab(agent="simulated", **settings):
    interfaces = {
        "deploy": DEPLOY,
        "network": ("noop", "neutron", "ironic-networking"),
        "console": ("fake", "no-console", "redfish-graphical"),
    }
    return Api(agent=agent, hardware_types=tuple(TYPES), interfaces=interfaces, **settings)


def deploy(api, interface, info):
    api.enrol(
        driver="redfish",
        boot_interface="redfish-virtual-media",
        deploy_interface=interface,
        driver_info={"redfish_address": "a", "deploy_kernel": "k", "deploy_ramdisk": "r"},
        instance_info=info,
    )
    api.provision("manage", "provide")
    answer = api.provision("active")
    assert answer == (202, None)
    for _ in range(10):
        api.clock.advance(10)
    return api.node()


@pytest.mark.parametrize(
    ("info", "chosen"), [(HTTP, "direct"), (REGISTRY, "direct"), (ISO, "ramdisk")]
)
def test_autodetect_switches_the_node_until_it_is_cleaned(info, chosen):
    api = lab()
    node = deploy(api, "autodetect", info)
    assert (node["provision_state"], node["deploy_interface"]) == ("active", chosen)
    assert node["driver_internal_info"]["original_deploy_interface"] == "autodetect"
    api.provision("deleted")
    node = api.node()
    assert (node["provision_state"], node["deploy_interface"]) == ("available", "autodetect")
    assert "original_deploy_interface" not in node["driver_internal_info"]


@pytest.mark.parametrize("verb", ["clean", "service"])
@pytest.mark.parametrize("agent", ["simulated", "external"])
def test_autodetect_is_back_after_steps(verb, agent):
    api = lab(agent=agent)
    if verb == "clean":
        api.enrol(deploy_interface="autodetect")
        api.provision("manage")
    else:
        api.enrol(deploy_interface="autodetect", instance_info=HTTP)
        api.provision("manage", "adopt")
    steps = [{"interface": "deploy", "step": "erase_devices_metadata"}]
    assert api.provision(verb, **{f"{verb}_steps": steps}) == (202, None)
    if agent == "external":
        assert api.state() == f"{verb} wait"
        assert api.node()["deploy_interface"] == "direct"
        api.provision("abort")
    for _ in range(10):
        api.clock.advance(10)
    assert api.node()["deploy_interface"] == "autodetect"


@pytest.mark.parametrize(
    ("machine", "expected"),
    [({}, ("active", "direct")), ({"failing": ["boot_device"]}, ("adopt failed", "autodetect"))],
)
def test_autodetect_takes_over_what_others_deployed(machine, expected):
    api = lab(agent="external")
    api.enrol(
        driver="redfish",
        boot_interface="redfish-https",
        deploy_interface="autodetect",
        driver_info={"redfish_address": "a"},
        instance_info=HTTP,
    )
    api.provision("manage")
    assert api("PATCH", "/_fake/machines/n", machine)[0] == 200
    api.provision("adopt")
    node = api.node()
    assert (node["provision_state"], node["deploy_interface"]) == expected


def test_autodetect_keeps_the_interface_that_failed():
    api = lab(agent="none")
    node = deploy(api, "autodetect", HTTP)
    assert (node["provision_state"], node["deploy_interface"]) == ("deploy failed", "direct")


def test_an_installer_says_that_it_starts_and_ends():
    """Anaconda's heartbeats have a status, and only the last one lets the deployment go on."""
    api = lab(delay=10)
    stages = {"kernel": "http://i/k", "ramdisk": "http://i/r", "stage2": "http://i/s"}
    api.enrol(
        driver="redfish",
        boot_interface="ipxe",
        deploy_interface="anaconda",
        driver_info={"redfish_address": "a", "deploy_kernel": "k", "deploy_ramdisk": "r"},
        instance_info={**HTTP, **stages},
    )
    api("POST", "/v1/ports", {"node_uuid": api.node()["uuid"], "address": "52:54:00:00:00:01"})
    for verb in ("manage", "provide", "active"):
        assert api.provision(verb) == (202, None)
        api.clock.advance(10)
    seen = []
    for _ in range(30):
        node = api.node()
        told = node["driver_internal_info"].get("agent_status")
        if (node["provision_state"], told) not in seen:
            seen.append((node["provision_state"], told))
        api.clock.advance(1)
    assert seen == [("wait call-back", None), ("wait call-back", "start"), ("active", "end")]


def upload(api, image):
    """Fill an image."""
    binary = {"CONTENT_TYPE": "application/octet-stream"}
    assert api("PUT", f"/image/v2/images/{image}/file", b"content", **binary)[0] == 204


def test_an_image_of_glance_is_served_by_the_conductor():
    api = lab(deploy_http_url="http://conductor:8080")
    _, image = api("POST", "/image/v2/images", LINUX)
    upload(api, image["id"])
    _, image = api("GET", f"/image/v2/images/{image['id']}")
    assert image["os_hash_algo"] == "sha512"
    node = deploy(api, "direct", {"image_source": image["id"]})
    assert node["provision_state"] == "active"
    info = node["instance_info"]
    assert info["image_disk_format"] == "raw"
    assert info["image_os_hash_value"] == image["os_hash_value"]
    assert info["image_properties"] == {}


def test_an_image_that_glance_lacks_fails_the_deployment():
    missing = "00000000-0000-4000-8000-000000000000"
    node = deploy(lab(), "direct", {"image_source": missing, "image_type": "whole-disk"})
    assert node["last_error"] == (
        f"Failed to prepare to deploy: Image {missing} could not be found."
    )


@pytest.mark.parametrize("info", [{"image_source": "file:///linux", "image_checksum": CHECKSUM}])
@pytest.mark.parametrize(("url", "valid"), [("", False), ("http://127.0.0.1:8080", True)])
def test_a_conductor_without_web_server_serves_no_images(info, url, valid):
    api = lab(deploy_http_url=url)
    uuid = api.enrol(deploy_interface="direct", instance_info=info)
    found = api("GET", f"/v1/nodes/{uuid}/validate")[1]["deploy"]
    assert found["result"] is valid
    assert valid or found["reason"].endswith("Missing are: ['[deploy]http_url']")


MISSING = (
    "Cannot validate image information for node {uuid} because one or more parameters are missing "
    "from its instance_info and insufficient information is present to boot from a remote volume. "
    "Missing are: {names}"
)


KERNEL = {"kernel": "http://images/kernel", "ramdisk": "http://images/ramdisk"}


@pytest.mark.parametrize(
    ("interface", "boot", "info", "reason"),
    [
        ("ramdisk", "ipxe", {}, MISSING.replace("{names}", "['kernel', 'ramdisk']")),
        ("ramdisk", "ipxe", HTTP, None),
        ("ramdisk", "ipxe", KERNEL, None),
        (
            "ramdisk",
            "redfish-virtual-media",
            {**HTTP, "boot_iso": "http://images/live.iso"},
            "An 'image_source' and 'boot_iso' parameter may not be specified at the same time.",
        ),
        ("ramdisk", "redfish-virtual-media", HTTP, None),
        (
            "anaconda",
            "redfish-virtual-media",
            {},
            MISSING.replace("{names}", "['image_source', 'kernel', 'ramdisk']"),
        ),
        ("anaconda", "pxe", HTTP, None),
        ("bootc", "pxe", HTTP, "Invalid image href http://images/linux.qcow2."),
        ("bootc", "pxe", REGISTRY, None),
        (
            "ansible",
            "pxe",
            {},
            "Node {uuid} failed to validate deploy image info. Some parameters were missing. "
            "Missing are: ['instance_info.image_source']",
        ),
        (
            "direct",
            "pxe",
            {**HTTP, "boot_iso": "http://images/live.iso"},
            "An 'image_source' and 'boot_iso' parameter may not be specified at the same time",
        ),
    ],
)
def test_what_an_interface_needs(interface, boot, info, reason):
    # As a real Ironic answers.
    api = lab()
    uuid = api.enrol(
        driver="redfish",
        boot_interface=boot,
        deploy_interface=interface,
        instance_info=info,
        driver_info={"redfish_address": "a", "deploy_kernel": "k", "deploy_ramdisk": "r"},
    )
    api("POST", "/v1/ports", {"node_uuid": uuid, "address": "52:54:00:00:00:01"})
    found = api("GET", f"/v1/nodes/{uuid}/validate")[1]["deploy"]
    assert found.get("reason") == (reason and reason.replace("{uuid}", uuid))


STAGES = {"kernel_id": "k", "ramdisk_id": "r", "stage2_id": "s"}


@pytest.mark.parametrize(
    ("interface", "properties", "missing"),
    [
        ("ramdisk", {"kernel_id": "k"}, "ramdisk_id"),
        ("ramdisk", {"img_type": "partition"}, "kernel_id, ramdisk_id"),
        ("ramdisk", {"img_type": "partition", "boot_iso_id": "b"}, None),
        ("ramdisk", STAGES, None),
        ("anaconda", {"img_type": "partition", "boot_iso_id": "b"}, ", ".join(STAGES)),
        ("anaconda", {"kernel_id": "k", "ramdisk_id": "r"}, "stage2_id"),
        ("anaconda", STAGES, None),
    ],
)
def test_an_image_of_glance_names_what_boots_it(interface, properties, missing):
    api = lab()
    source = api("POST", "/image/v2/images", {**LINUX, **properties})[1]["id"]
    upload(api, source)
    uuid = api.enrol(
        driver="redfish",
        boot_interface="pxe",
        deploy_interface=interface,
        instance_info={"image_source": source},
        driver_info={"redfish_address": "a", "deploy_kernel": "k", "deploy_ramdisk": "r"},
    )
    api("POST", "/v1/ports", {"node_uuid": uuid, "address": "52:54:00:00:00:01"})
    found = api("GET", f"/v1/nodes/{uuid}/validate")[1]["deploy"]
    reason = f"Image {source} is missing the following properties: {missing}" if missing else None
    assert found.get("reason") == reason


@pytest.mark.parametrize(
    ("boot", "reason"),
    [
        ("ipxe", "iPXE boot is enabled but no HTTP URL or HTTP root was specified"),
        ("pxe", None),
    ],
)
def test_ipxe_needs_the_web_server_of_the_conductor(boot, reason):
    api = lab(deploy_http_url="")
    uuid = api.enrol(
        driver="redfish",
        boot_interface=boot,
        driver_info={"redfish_address": "a", "deploy_kernel": "k", "deploy_ramdisk": "r"},
    )
    api("POST", "/v1/ports", {"node_uuid": uuid, "address": "52:54:00:00:00:01"})
    assert api("GET", f"/v1/nodes/{uuid}/validate")[1]["boot"].get("reason") == reason


def test_a_graphical_console_of_redfish():
    api = lab()
    info = {"redfish_address": "a"}
    uuid = api.enrol(driver="redfish", console_interface="redfish-graphical", driver_info=info)
    assert api("PUT", f"/v1/nodes/{uuid}/states/console", {"enabled": True})[0] == 202
    console = api("GET", f"/v1/nodes/{uuid}/states/console")[1]
    assert (console["console_enabled"], console["console_info"]["type"]) == (True, "vnc")


@pytest.mark.parametrize(("info", "state"), [({}, "adopt failed"), (ISO, "active")])
def test_a_node_whose_ramdisk_stays_is_adopted_with_its_image_only(info, state):
    api = lab()
    api.enrol(
        driver="redfish",
        boot_interface="redfish-virtual-media",
        deploy_interface="ramdisk",
        driver_info={"redfish_address": "a", "deploy_kernel": "k", "deploy_ramdisk": "r"},
        instance_info=info,
    )
    api.provision("manage", "adopt")
    node = api.node()
    assert node["provision_state"] == state
    assert ("Missing are: ['kernel', 'ramdisk']" in (node["last_error"] or "")) is (info == {})


def test_a_deploy_interface_that_was_chosen_stays():
    api = lab()
    deploy(api, "autodetect", HTTP)
    assert api("PUT", "/v1/nodes/n/maintenance", {})[0] == 202
    assert api.patch("deploy_interface", "ramdisk")[0] == 200
    assert "original_deploy_interface" not in api.node()["driver_internal_info"]
    assert api("DELETE", "/v1/nodes/n/maintenance")[0] == 202
    api.provision("deleted")
    api.clock.advance(10)
    node = api.node()
    assert (node["provision_state"], node["deploy_interface"]) == ("available", "ramdisk")


def test_so_do_the_defaults_of_a_new_driver():
    api = lab()
    deploy(api, "autodetect", HTTP)
    assert api("PUT", "/v1/nodes/n/maintenance", {})[0] == 202
    patch = [{"op": "replace", "path": "/driver", "value": "fake-hardware"}]
    assert api("PATCH", "/v1/nodes/n?reset_interfaces=true", patch)[0] == 200
    assert "original_deploy_interface" not in api.node()["driver_internal_info"]


@pytest.mark.parametrize(
    ("verb", "doing", "failed"),
    [("clean", "cleaning", "clean failed"), ("service", "servicing", "service failed")],
)
def test_a_choice_that_fails_fails_the_flow(monkeypatch, verb, doing, failed):
    api = lab()
    api.enrol(deploy_interface="autodetect", instance_info=HTTP)
    api.provision("manage", *(("provide", "active") if verb == "service" else ()))
    api.clock.advance(60)
    if verb == "service":
        assert api("PUT", "/v1/nodes/n/maintenance", {})[0] == 202
        assert api.patch("deploy_interface", "autodetect")[0] == 200
        assert api("DELETE", "/v1/nodes/n/maintenance")[0] == 202
    # Ironic's default names interfaces that need not be enabled.
    monkeypatch.setattr(AutodetectDeploy, "candidates", ("no-such",))
    steps = {f"{verb}_steps": [{"interface": "bios", "step": "factory_reset"}]}
    assert api.provision(verb, **steps)[0] == 202
    node = api.node()
    beginning = f"Failed to select a deploy interface for {doing} node {node['uuid']}: "
    assert (node["provision_state"], node["last_error"].startswith(beginning)) == (failed, True)
    assert node["deploy_interface"] == "autodetect"


@pytest.mark.parametrize("boot", ["pxe", "ipxe", "http", "http-ipxe"])
@pytest.mark.parametrize("deploy_interface", ["direct", "anaconda"])
@pytest.mark.parametrize(
    ("capability", "value", "valid"),
    [
        ("boot_mode", "bogus", "bios, uefi"),
        ("secure_boot", "yes", "true, false"),
        ("disk_label", "mbr", "msdos, gpt"),
    ],
)
def test_capabilities_are_checked_by_boot_interfaces(
    boot, deploy_interface, capability, value, valid
):
    api = lab()
    for field, fields in (
        ("properties/capabilities", {"properties": {"capabilities": f"{capability}:{value}"}}),
        ("instance_info['capabilities']", {"instance_info": {"capabilities": {capability: value}}}),
    ):
        info = {"redfish_address": "a", "deploy_kernel": "k", "deploy_ramdisk": "r"}
        given = {**HTTP, **fields.pop("instance_info", {})}
        uuid = api.enrol(
            None,
            driver="redfish",
            boot_interface=boot,
            deploy_interface=deploy_interface,
            driver_info=info,
            instance_info=given,
            **fields,
        )
        address = f"52:54:00:00:00:{len(api('GET', '/v1/ports')[1]['ports']):02x}"
        api("POST", "/v1/ports", {"node_uuid": uuid, "address": address})
        reason = (
            f"The parameter '{capability}' from {field} has an invalid value: '{value}'. "
            f"Acceptable values are: {valid}."
        )
        _, found = api("GET", f"/v1/nodes/{uuid}/validate")
        assert found["boot"]["reason"] == found["deploy"]["reason"] == reason
        api.provision("manage", "provide", ident=uuid)
        assert api.provision("active", ident=uuid) == (
            400,
            f"Failed to validate deploy or power info for node {uuid}: {reason}",
        )
