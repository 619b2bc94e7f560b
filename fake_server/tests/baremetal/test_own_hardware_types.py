"""Hardware types that Ironic doesn't have: those that are like another, and those of packages."""

import pytest

from fake_server.app import Application
from fake_server.baremetal import hardware_types
from fake_server.settings import Settings
from fake_server.tests.baremetal.api import Api

MODULE = """
class NetworkDevice:
    supported_power_interfaces = ["fake"]
    supported_management_interfaces = ["noop"]
    supported_deploy_interfaces = ["noop"]


class Boot:
    pass


class OfIronic:
    supported_power_interfaces = ["fake"]
    supported_management_interfaces = ["noop"]
    supported_boot_interfaces = [Boot]


class Nameless:
    supported_power_interfaces = [Boot]
"""
POINTS = """
[fake_server.hardware_types]
netdev = some_hardware:NetworkDevice
of-ironic = some_hardware:OfIronic
nameless = some_hardware:Nameless

[ironic.hardware.interfaces.boot]
ipxe = some_hardware:Boot
"""


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """Install a package with hardware types."""
    (tmp_path / "some_hardware.py").write_text(MODULE)
    about = tmp_path / "some_hardware-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: some-hardware\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(POINTS)
    monkeypatch.syspath_prepend(tmp_path)
    hardware_types.packaged.cache_clear()
    yield
    hardware_types.packaged.cache_clear()


def test_a_type_is_like_another():
    api = Api(added_hardware_types={"netdev": "fake-hardware", "bmc": "redfish"}, interfaces={})
    names = [one["name"] for one in api("GET", "/v1/drivers")[1]["drivers"]]
    assert {"netdev", "bmc", "redfish", "fake-hardware"} <= {*names}
    api.enrol(driver="netdev")
    api.provision("manage", "provide", "active")
    assert (api.node()["driver"], api.state()) == ("netdev", "active")
    api.enrol("b", driver="bmc", driver_info={"redfish_address": "a"})
    assert api.node("b")["power_interface"] == "redfish"
    api.provision("manage", ident="b")
    assert api.state("b") == "manageable"
    status, text = api("POST", "/v1/nodes", {"driver": "bmc", "power_interface": "ipmitool"})
    assert (status, "hardware type 'RedfishHardware'" in text or "RedfishHardware" in text) == (
        *(400, True),
    )
    ours, theirs = (api("GET", f"/v1/drivers/{name}/properties")[1] for name in ("bmc", "redfish"))
    assert ours == theirs


def test_a_type_that_is_alone_brings_its_interfaces():
    settings = Settings(
        hardware_types=("netdev",), added_hardware_types={"netdev": "fake-hardware"}
    )
    found = Application(settings).settings
    assert (found.hardware_types, found.interfaces["power"]) == (("netdev",), ("fake",))
    assert found.completed() == found


@pytest.mark.parametrize(
    ("added", "message"),
    [
        ({"a": "b"}, "Unknown hardware types: 'b'. Known hardware types: fake-hardware"),
        ({"redfish": "ipmi"}, "The hardware type 'redfish' can't be added: it needs a new name."),
        ({"": "ipmi"}, "The hardware type '' can't be added: it needs a new name."),
    ],
)
def test_what_can_not_be_added(added, message):
    with pytest.raises(ValueError, match=message):
        Settings(added_hardware_types=added).completed()


def test_types_of_packages(installed):
    assert "netdev" not in Settings().completed().hardware_types
    api = Api(hardware_types=("netdev", "redfish", "of-ironic"), interfaces={})
    api.enrol(driver="netdev")
    node = api.node()
    assert [node[f"{kind}_interface"] for kind in ("power", "management", "deploy", "boot")] == [
        *("fake", "noop", "noop", "ipxe"),
    ]
    status, text = api("POST", "/v1/nodes", {"driver": "netdev", "power_interface": "redfish"})
    assert (status, "NetworkDevice" in text) == (400, True)
    shown = api("GET", "/v1/drivers/of-ironic")[1]
    assert shown["enabled_boot_interfaces"] == ["ipxe"]


def test_a_package_lists_an_interface_without_a_name(installed):
    message = "The power interface some_hardware:Boot is no entry point of ironic.hardware"
    with pytest.raises(ValueError, match=message):
        Settings(hardware_types=("nameless",)).completed()
