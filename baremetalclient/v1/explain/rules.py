"""All rules; of problems with the same severity, those of the first rule come first."""

from __future__ import annotations

from baremetalclient.v1.explain import access, parts, states
from baremetalclient.v1.explain.finding import Rule

RULES = (
    Rule("conductor-down", access.conductor_down),
    Rule("reserved", access.reserved),
    Rule("validation", parts.validation),
    Rule("fault", states.fault),
    Rule("maintenance", states.maintenance),
    Rule("stuck", states.stuck),
    Rule("last-error", states.last_error),
    Rule("failed-state", states.failed_state),
    Rule("power-off-active", states.power_off_active),
    Rule("no-ports", parts.no_ports),
    Rule("no-boot-port", parts.no_boot_port),
    Rule("port-without-switch", parts.port_without_switch),
    Rule("vif-without-port", parts.vif_without_port),
    Rule("connector-unmatched", parts.connector_unmatched),
    Rule("trait-missing", parts.trait_missing),
    Rule("no-resource-class", parts.no_resource_class),
    Rule("health", states.health),
    Rule("on-hold", states.on_hold),
    Rule("retired", states.retired),
    Rule("protected", states.protected),
    Rule("next-step", states.next_step),
    Rule("history", states.history),
    Rule("microversion", access.microversion),
    Rule("incomplete", access.incomplete),
)
"""The rules."""
