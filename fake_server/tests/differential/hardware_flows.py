"""Scenarios of nodes over time: their steps, and their lives."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.tests.differential.hardware_calls import (
    NODE,
    VALUES,
    WITH_REDFISH,
    beat,
    boot,
    change,
    controller,
    create,
    get,
    power,
    provision,
    recover,
    step,
    with_agent,
)
from fake_server.tests.differential.pair import Request
from fake_server.tests.differential.recording import Call

if TYPE_CHECKING:
    from collections.abc import Iterator


def wrong_steps(driver: str, port: int) -> Iterator[Call]:
    """Ask for steps that fail before anything is done, in each flow."""
    yield create(driver, driver_info=controller(driver, port))
    yield from provision("manage")
    for interface, name, args in VALUES["steps"]:
        for more in ({}, {"surplus": 1}):
            wanted = step(interface, name, **args, **more)
            yield from provision("clean", clean_steps=[wanted], disable_ramdisk=True)
            yield from recover()
    yield from provision("clean", clean_steps=[step("bios", "nope"), step("raid", "nope")])
    yield from recover()
    yield from provision("clean", clean_steps=[])
    yield from provision("clean", clean_steps=[{"interface": "bios"}])


def bios_steps(driver: str, port: int) -> Iterator[Call]:
    yield create(driver, driver_info=controller(driver, port))
    yield from provision("manage")
    for value in ("Disabled", "Disabled", "banana", "Enabled"):
        setting = {"name": "ProcTurboMode", "value": value}
        wanted = [step("bios", "apply_configuration", settings=[setting])]
        ends = ("manageable", "clean failed")
        yield from provision("clean", *ends, clean_steps=wanted, disable_ramdisk=True)
        yield get("/bios")
        yield get("/history")
        yield from recover()
    wanted = [step("bios", "factory_reset"), step("bios", "factory_reset")]
    yield from provision("clean", *ends, clean_steps=wanted, disable_ramdisk=True)
    yield from provision("adopt")
    ends = ("active", "service failed")
    for value in ("Disabled", "Disabled"):
        setting = {"name": "ProcTurboMode", "value": value}
        wanted = [step("bios", "apply_configuration", settings=[setting])]
        yield from provision("service", *ends, service_steps=wanted, disable_ramdisk=True)
        yield get("/bios")


def cleaning(driver: str, port: int, **fields: Any) -> Iterator[Call]:
    """Clean with the agent: by steps of both, and with failures."""
    yield from with_agent(driver, port, **fields)
    ends = ("manageable", "clean failed")
    disks = [{"size_gb": 10, "raid_level": "1", "is_root_volume": True}]
    yield from change("PUT", "/states/raid", {"logical_disks": disks})
    for wanted in (
        [step("deploy", "erase_devices_metadata"), step("deploy", "burnin")],
        [step("raid", "delete_configuration")],
        [step("raid", "create_configuration")],
        [step("management", "set_bmc_clock")],
        [step("deploy", "nope")],
    ):
        yield from provision("clean", "clean wait", *ends, clean_steps=wanted)
        yield from boot("clean wait", *ends)
        for _ in wanted:
            yield from beat("clean wait", *ends)
        yield from recover()
    yield get("/history")
    yield from provision("clean", "clean wait", clean_steps=[step("deploy", "burnin")])
    yield from provision("abort")
    yield from recover()


def automated_cleaning(driver: str, port: int) -> Iterator[Call]:
    yield from with_agent(driver, port, automated_clean=True)
    yield from provision("provide", "clean wait", "clean failed")
    yield from boot("clean wait", "clean failed")
    yield from beat("available", "clean failed")
    yield get("/history")
    yield from provision("manage")
    yield from provision("provide", "clean wait", "clean failed")
    yield from provision("abort")
    yield from provision("manage")


def servicing(driver: str, port: int) -> Iterator[Call]:
    """Service with the agent, and without; with failures and aborts."""
    yield from with_agent(driver, port)
    yield from provision("adopt")
    ends = ("active", "service failed")
    for wanted in (
        [step("deploy", "burnin")],
        [step("deploy", "nope")],
        [step("vendor", "send_raw", raw_bytes="0x06 0x01")],
        [step("raid", "delete_configuration")],
    ):
        yield from provision("service", "service wait", *ends, service_steps=wanted)
        yield from boot("service wait", *ends)
        yield from beat(*ends)
        yield Call(Request("DELETE", f"{NODE}/maintenance"))
        yield from provision("abort", "active")
    yield from provision("service", "service wait", service_steps=[step("deploy", "burnin")])
    yield from provision("abort", *ends)
    for name in ("power_off", "power_on", "reboot"):
        wanted = [step("power", name)]
        yield from provision("service", *ends, service_steps=wanted, disable_ramdisk=True)
    yield get("/history")


def agent_raid(driver: str, port: int) -> Iterator[Call]:
    yield from cleaning(driver, port, raid_interface="agent")


def life(driver: str, port: int, *names: str, **fields: Any) -> Iterator[Call]:
    """From enrolment to deployment, rescue and back."""
    yield from with_agent(driver, port, *names, rescue_interface="agent", **fields)
    if driver in WITH_REDFISH:
        yield from provision("inspect")
        yield get("/inventory")
    yield from provision("provide")
    info = {
        "image_source": f"http://127.0.0.1:{port + 2}/x.iso",
        "image_checksum": "a" * 32,
        "root_gb": 10,
    }
    patch = [{"op": "add", "path": "/instance_info", "value": info}]
    yield Call(Request("PATCH", NODE, body=patch))
    yield get("/validate")
    ends = ("active", "deploy failed")
    yield from provision("active", "wait call-back", *ends)
    yield get("/vmedia")
    yield get("/management/boot_device")
    yield from boot("wait call-back", *ends)
    yield from beat(*ends)
    yield get("/vmedia")
    yield get("/management/boot_device")
    yield from power("rebooting")
    yield from provision("rescue", "rescue wait", "rescue failed", rescue_password="secret")
    yield get("/management/boot_device")
    yield from boot("rescue", "rescue failed")
    yield from provision("unrescue", "active", "unrescue failed")
    yield from provision("deleted", "available", "error")
    yield get("/vmedia")
    yield get("/history")


def virtual_media(driver: str, port: int) -> Iterator[Call]:
    yield from life(driver, port, "iso", boot_interface="redfish-virtual-media")


def console(driver: str, port: int) -> Iterator[Call]:
    info = {**controller(driver, port), "ipmi_terminal_port": port + 9}
    yield create(driver, driver_info=info)
    yield from provision("manage")
    yield get("/validate")
    for wanted in (True, True, False, False, None):
        yield from change("PUT", "/states/console", {"enabled": wanted})
        yield get("/states/console")
    yield from change("PUT", "/states/secure_boot", {"target": True})
    yield from change("PUT", "/states/boot_mode", {"target": "uefi"})
