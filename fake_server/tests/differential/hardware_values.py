"""What the scenarios of hardware vary: interfaces, ``driver_info``, and paths below a node."""

from __future__ import annotations

from typing import Any

ADDRESS = "redfish_address"
DRIVERS = ("fake-hardware", "idrac", "intel-ipmi", "ipmi", "manual-management", "redfish")
INTERFACES = {
    "bios": ("redfish", "idrac-redfish", "no-bios", "fake", "bogus"),
    "boot": ("ipxe", "http", "redfish-virtual-media", "redfish-https", "fake", "bogus"),
    "console": ("ipmitool-socat", "no-console", "fake", "bogus"),
    "deploy": ("direct", "ramdisk", "noop", "fake", "bogus"),
    "firmware": ("redfish", "no-firmware", "fake", "bogus"),
    "inspect": ("redfish", "idrac-redfish", "agent", "no-inspect", "fake", "bogus"),
    "management": ("redfish", "idrac-redfish", "ipmitool", "intel-ipmitool", "noop", "fake"),
    "power": ("redfish", "idrac-redfish", "ipmitool", "agent", "fake", "bogus"),
    "raid": ("redfish", "idrac-redfish", "agent", "no-raid", "fake", "bogus"),
    "rescue": ("agent", "no-rescue", "fake", "bogus"),
    "storage": ("noop", "cinder", "external", "fake", "bogus"),
    "vendor": ("redfish", "idrac-redfish", "ipmitool", "no-vendor", "fake", "bogus"),
}
#: Of some kinds, the real one enables fewer than there are.
ENABLED = {
    "console": ("ipmitool-socat", "no-console", "fake"),
    "deploy": ("direct", "ramdisk", "anaconda", "bootc", "custom-agent", "noop", "fake"),
    "network": ("noop", "flat"),
}
REDFISH_INFO: list[dict[str, Any]] = [
    {},
    *({ADDRESS: value} for value in ("", 5, "https://not a uri %%", "ftp://x", "::1", "a b", "h")),
    *({ADDRESS: "h", "redfish_system_id": value} for value in (5, "", "5")),
    *({ADDRESS: "h", "redfish_verify_ca": value} for value in ("banana", "no", 5, "", None)),
    *({ADDRESS: "h", "redfish_auth_type": value} for value in ("ntlm", "basic", None)),
    *({ADDRESS: "h", "redfish_tls_minimum_version": value} for value in ("1.1", "1.4")),
    {ADDRESS: "h", "redfish_password": "s3cret"},
]
IPMI_INFO: list[dict[str, Any]] = [
    {},
    *({"ipmi_address": value} for value in ("", "1.2.3.4", "::1", "bad host!", "a.b", "A_b")),
    *({"ipmi_address": "h", "ipmi_port": value} for value in ("x", -1, 65536, "623", 1.5)),
    *({"ipmi_address": "h", "ipmi_terminal_port": value} for value in ("x", 70000, "623", "")),
    *({"ipmi_address": "h", "ipmi_priv_level": value} for value in ("GOD", "USER")),
    *({"ipmi_address": "h", "ipmi_bridging": value} for value in ("triple", "single", "dual")),
    *({"ipmi_address": "h", "ipmi_protocol_version": value} for value in (3, "1.5", 2.0)),
    *({"ipmi_address": "h", "ipmi_hex_kg_key": value} for value in ("abc", "abcd")),
    *({"ipmi_address": "h", "ipmi_cipher_suite": value} for value in ("x", "3")),
    {"ipmi_address": "h", "ipmi_cipher_suite": 3, "ipmi_protocol_version": "1.5"},
    {"ipmi_address": "h", "ipmi_password": "s3cret"},
]
#: Versions before and after what hardware brought to the API.
VERSIONS = ("1.1", "1.14", "1.30", "1.39", "1.62", "1.73", "1.85", "1.88", "1.95", None)
BELOW = (
    *("", "/states", "/validate", "/vendor_passthru/methods", "/management/boot_device"),
    *("/management/boot_device/supported", "/management/indicators", "/states/console", "/bios"),
    *("/bios/BootMode", "/firmware", "/inventory", "/vmedia", "/history"),
)
#: Steps with arguments that they need.
STEPS: list[tuple[str, str, dict[str, Any]]] = [
    ("bios", "apply_configuration", {}),
    ("bios", "apply_configuration", {"settings": []}),
    ("firmware", "update", {}),
    ("firmware", "update", {"settings": []}),
    ("raid", "create_configuration", {"create_root_volume": False}),
    ("raid", "delete_configuration", {}),
    ("raid", "apply_configuration", {}),
    ("management", "clear_secure_boot_keys", {}),
    ("management", "reset_secure_boot_keys_to_default", {}),
    ("management", "set_bmc_clock", {}),
    ("management", "update_firmware", {}),
    ("vendor", "send_raw", {}),
    ("vendor", "send_raw", {"raw_bytes": ""}),
    ("deploy", "erase_devices", {}),
]
