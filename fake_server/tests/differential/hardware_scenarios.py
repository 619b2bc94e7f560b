"""Scenarios of hardware: the requests that are recorded, by name."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from fake_server.tests.differential import hardware_flows as flows
from fake_server.tests.differential.hardware_calls import (
    LATEST,
    NODE,
    VALUES,
    WITH_MACHINES,
    WITH_REDFISH,
    change,
    controller,
    create,
    delete,
    get,
    power,
    provision,
)
from fake_server.tests.differential.pair import Request
from fake_server.tests.differential.recording import Call

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    #: Gets the port of the real Ironic; its controllers are on the ports after that.
    Scenario = Callable[[int], Iterator[Call]]

CHASSIS = "15693887-7984-9484-3272-842188918912"


def drivers(driver: str, port: int) -> Iterator[Call]:
    kinds = sorted(VALUES["interfaces"])
    fields = "name,type," + ",".join(f"default_{kind}_interface" for kind in kinds)
    for path in (f"?fields={fields}", "/raid/logical_disk_properties", "/vendor_passthru/methods"):
        for version in (LATEST, *VALUES["versions"]):
            yield Call(Request("GET", f"/v1/drivers/{driver}{path}", version))


def interfaces(driver: str, port: int) -> Iterator[Call]:
    for kind, names in VALUES["interfaces"].items():
        field = f"{kind}_interface"
        for name in names:
            yield create(driver, **{field: name})
            patch = [{"op": "remove", "path": f"/{field}"}]
            yield Call(Request("PATCH", NODE, body=patch))
            patch = [{"op": "add", "path": f"/{field}", "value": name}]
            yield Call(Request("PATCH", NODE, body=patch))
            yield delete()


def driver_info(driver: str, port: int) -> Iterator[Call]:
    varied = VALUES["redfish_info" if driver in WITH_REDFISH else "ipmi_info"]
    infos = [{**base, key: value} for base, key, found in varied for value in found]
    for info in ({}, *infos):
        yield create(driver, driver_info=info)
        yield get("/validate")
        yield get("")
        yield delete()


def unreadable(driver: str, port: int) -> Iterator[Call]:
    """Ask for what needs a controller of a node that has no address of one."""
    for version in (LATEST, *VALUES["versions"]):
        yield create(driver, version, name="n")
        for path in VALUES["below"]:
            yield get(path, version)
        yield delete()
    yield create(driver)
    for target in ("power on", "power off", "rebooting", "soft power off", "soft rebooting"):
        yield from power(target)
    for verb in ("manage", "inspect", "provide", "adopt", "clean", "deleted"):
        yield from provision(verb)
    yield from others()


def others() -> Iterator[Call]:
    """Changes other than those of power and provision state."""
    for device in ("pxe", "disk", "cdrom", "bios", "banana", None):
        yield from change("PUT", "/management/boot_device", {"boot_device": device})
    yield from change("PUT", "/management/inject_nmi", {})
    yield from change("PUT", "/states/boot_mode", {"target": "bios"})
    yield from change("PUT", "/states/secure_boot", {"target": True})
    yield from change("PUT", "/states/console", {"enabled": True})
    yield from change("PUT", "/states/raid", {"logical_disks": []})
    disks = [{"size_gb": "MAX", "raid_level": "1", "is_root_volume": True}]
    yield from change("PUT", "/states/raid", {"logical_disks": disks})
    for method in ("send_raw", "bmc_reset", "create_subscription", "eject_vmedia", "bogus"):
        yield from change("POST", f"/vendor_passthru/{method}", {})
    yield from change("POST", "/vmedia", {"device_type": "cdrom", "image_url": "http://h/x"})
    yield from change("DELETE", "/vmedia")
    for name in ("led@chassis", "led"):
        yield from change("PUT", f"/management/indicators/{name}", {"state": "on"})
        yield get(f"/management/indicators/{name}")


def machine(driver: str, port: int) -> Iterator[Call]:
    yield create(driver, driver_info=controller(driver, port))
    yield from power("power on")
    yield from power("power off")
    yield from provision("manage")
    yield from change("PUT", "/management/boot_device", {"boot_device": "disk", "persistent": True})
    for version in (LATEST, *VALUES["versions"]):
        for path in VALUES["below"]:
            yield get(path, version)
    yield get("/bios?detail=True")
    for device in ("disk", "cdrom", "pxe"):
        for persistent in (True, False):
            body = {"boot_device": device, "persistent": persistent}
            yield from change("PUT", "/management/boot_device", body)
            yield get("/management/boot_device")
    for target in ("power on", "soft rebooting", "soft power off", "rebooting", "power off"):
        yield from power(target)
    yield from provision("inspect")
    for path in ("/inventory", "/ports", "/history"):
        yield get(path)
    yield from provision("adopt")
    yield get("/validate")


def misuse(driver: str, port: int) -> Iterator[Call]:
    yield create(driver, driver_info=controller(driver, port))
    yield from provision("manage")
    yield from others()


def redfish(driver: str, port: int) -> Iterator[Call]:
    yield create(driver, driver_info=controller(driver, port))
    yield from provision("manage")
    yield get("/management/indicators")
    for name in (f"{CHASSIS}@chassis", "foo@system", "foo@bar", "foo"):
        for state in ("off", "on"):
            yield from change("PUT", f"/management/indicators/{name}", {"state": state})
            yield get(f"/management/indicators/{name}")
    image = f"http://127.0.0.1:{port + 2}/x.iso"
    for device in ("cdrom", "floppy", "disk", "banana"):
        yield from change("POST", "/vmedia", {"device_type": device, "image_url": image})
        yield get("/vmedia")
    for query in ("?device_types=cdrom", "?device_types=disk", ""):
        yield from change("DELETE", f"/vmedia{query}")
        yield get("/vmedia")
    for mode, secure in (("bios", True), ("uefi", True), ("uefi", False)):
        yield from change("PUT", "/states/boot_mode", {"target": mode})
        yield from change("PUT", "/states/secure_boot", {"target": secure})
    for body in ({}, {"Destination": "x"}, {"Destination": "https://x", "Context": 1}):
        yield from change("POST", "/vendor_passthru/create_subscription", body)
    yield from change("POST", "/vendor_passthru/eject_vmedia", {})


def _each(scenario: Callable[[str, int], Iterator[Call]], names: tuple[str, ...]) -> Any:
    return {f"{scenario.__name__}-{name}": partial(scenario, name) for name in names}


SCENARIOS: dict[str, Scenario] = {
    **_each(drivers, VALUES["drivers"]),
    **_each(interfaces, VALUES["drivers"]),
    **_each(driver_info, WITH_MACHINES),
    **_each(unreadable, VALUES["drivers"]),
    **_each(machine, WITH_MACHINES),
    **_each(misuse, WITH_MACHINES),
    **_each(redfish, WITH_REDFISH),
    **_each(flows.console, ("ipmi", "intel-ipmi")),
    **_each(flows.wrong_steps, ("redfish", "ipmi", "intel-ipmi")),
    **_each(flows.bios_steps, WITH_REDFISH),
    **_each(flows.cleaning, ("redfish", "ipmi")),
    **_each(flows.agent_raid, WITH_REDFISH),
    **_each(flows.automated_cleaning, ("redfish", "idrac", "ipmi")),
    **_each(flows.servicing, ("redfish", "ipmi")),
    **_each(flows.life, ("redfish", "idrac", "ipmi")),
    **_each(flows.virtual_media, ("redfish",)),
}
