"""The fields of a node; policies and masking follow from them, too."""

from __future__ import annotations

from fake_server.baremetal import arguments, microversions
from fake_server.baremetal.errors import NotAcceptable
from fake_server.baremetal.fields import (
    BOOLEAN,
    LINK,
    LINKED_LIST,
    MESSAGE,
    OBJECT,
    TIME,
    UNCHECKED_BOOLEAN,
    UUID,
    Field,
    Fields,
    Filter,
    Settable,
)

MAX_DESCRIPTION = 4096


def _interface(kind: str, since: int = 31) -> Field:
    return Field(
        f"{kind}_interface", since=since, settable=ALWAYS, policy="update:driver_interfaces"
    )


ALWAYS = Settable.ALWAYS
_SHOWN_WITH = "Redacted - requires baremetal:node:get:{} permission."

#: In the order in which nodes are shown.
NODES = Fields(
    Field("uuid", UUID, nullable=False, settable=Settable.CREATE),
    Field("created_at", TIME),
    Field("updated_at", TIME),
    Field("automated_clean", BOOLEAN, 47, settable=ALWAYS),
    _interface("bios", 40),
    _interface("boot"),
    Field("boot_mode", since=75, length=16, settable=Settable.CREATE),
    Field("clean_step", OBJECT, 7),
    Field("conductor_group", since=46, index=True, default="", settable=ALWAYS,
              policy="update:conductor_group", filter=Filter(microversions.CONDUCTOR_GROUP_FILTER)),
    Field("console_enabled", BOOLEAN, default=False, settable=Settable.CREATE),
    _interface("console"),
    Field("disable_power_off", BOOLEAN, 95, default=False, nullable=True, settable=ALWAYS,
              policy="update:disable_power_off"),
    _interface("deploy"),
    Field("deploy_step", OBJECT, 44),
    Field("description", since=51, length=None, settable=ALWAYS,
              limits={"maxLength": MAX_DESCRIPTION}),
    Field("driver", index=True, settable=ALWAYS, required=True, limits={"type": "string"},
              policy="update:driver_interfaces", filter=Filter(microversions.DRIVER_FILTER)),
    Field("driver_info", OBJECT, settable=ALWAYS, policy="update:driver_info",
              secrets=("snmp_auth_key", "snmp_priv_key"),
              redacted=f"** {_SHOWN_WITH.format('driver_info')} **"),
    Field("driver_internal_info", OBJECT, 3, secrets=(),
              redacted="** Redacted - Requires baremetal:node:get:driver_internal_info "
              "permission. **"),
    Field("extra", OBJECT, settable=ALWAYS, policy="update_extra"),
    Field("fault", since=42, filter=Filter(microversions.FAULT_FILTER)),
    _interface("firmware", 86),
    Field("health", since=109, length=32),
    Field("inspection_finished_at", TIME, 6),
    Field("inspection_started_at", TIME, 6),
    _interface("inspect"),
    Field("instance_info", OBJECT, settable=ALWAYS, policy="update_instance_info",
              secrets=("configdrive", "image_url")),
    Field("instance_name", since=104, settable=ALWAYS, policy="update_instance_info",
              limits={"minLength": 1, "maxLength": 255},
              filter=Filter(microversions.INSTANCE_NAME_FILTER,
                            refusal="instance_name is not acceptable in this API version")),
    Field("instance_uuid", UUID, settable=ALWAYS, policy="update:instance_uuid",
              filter=Filter(converter=arguments.uuid)),
    Field("last_error", MESSAGE,
              redacted="** Value Redacted - Requires baremetal:node:get:last_error permission. **"),
    Field("lessee", since=65, index=True, settable=ALWAYS, policy="update:lessee",
              filter=Filter(microversions.LESSEE_FILTER)),
    Field("maintenance", BOOLEAN, default=False, settable=ALWAYS,
              filter=Filter(converter=arguments.boolean)),
    Field("maintenance_reason", MESSAGE),
    _interface("management"),
    Field("name", since=5, settable=ALWAYS, policy="update:name"),
    Field("network_data", OBJECT, 66, settable=ALWAYS, policy="update:network_data"),
    _interface("network", 20),
    Field("owner", since=50, index=True, settable=ALWAYS, policy="update:owner",
              filter=Filter(microversions.OWNER_FILTER)),
    Field("parent_node", since=83, length=36, index=True, settable=ALWAYS,
              limits={"maxLength": 36}, policy="update:parent_node"),
    _interface("power"),
    Field("power_state", length=15),
    Field("properties", OBJECT, settable=ALWAYS, policy="update:properties"),
    Field("protected", BOOLEAN, 48, default=False, settable=Settable.PATCH),
    Field("protected_reason", since=48, length=None, settable=Settable.PATCH),
    Field("provision_state", length=15, index=True,
              filter=Filter(microversions.PROVISION_STATE_FILTER, refusal=NotAcceptable.template)),
    Field("provision_updated_at", TIME),
    Field("raid_config", OBJECT, 12),
    _interface("raid"),
    _interface("rescue", 38),
    Field("reservation", index=True,
              redacted=f"** {_SHOWN_WITH.format('reservation')} **"),
    Field("resource_class", since=21, length=80, index=True, settable=ALWAYS,
              limits={"maxLength": 80}, filter=Filter(microversions.RESOURCE_CLASS_FILTER)),
    Field("retired", BOOLEAN, 61, default=False, nullable=True, settable=ALWAYS,
              policy="update:retired", filter=Filter(converter=arguments.boolean)),
    Field("retired_reason", since=61, length=None, settable=ALWAYS, policy="update:retired"),
    Field("secure_boot", UNCHECKED_BOOLEAN, 75, settable=Settable.CREATE),
    Field("service_step", OBJECT, 87),
    Field("shard", since=82, index=True, settable=ALWAYS, policy="update:shard"),
    _interface("storage", 33),
    Field("target_power_state", length=15),
    Field("target_provision_state", length=15),
    Field("target_raid_config", OBJECT, 12),
    _interface("vendor"),
    Field("traits", LINKED_LIST, 37),
    Field("conductor", LINK, 49),
    Field("allocation_uuid", LINK, 52),
    Field("chassis_uuid", LINK, settable=ALWAYS, policy="update:chassis_uuid"),
    Field("events", LINK, 54, shown=False),
    listed=("instance_uuid", "maintenance", "power_state", "provision_state", "uuid", "name"),
)  # fmt: skip
