"""All rules; of problems with the same severity, those of the first rule come first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from baremetalclient.v1.explain import conductor_rules, requirement_rules, state_rules

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from baremetalclient.v1.explain.facts import Facts
    from baremetalclient.v1.explain.finding import RuleFinding

    Rule = Callable[[Facts], Iterator[RuleFinding]]

RULES: Mapping[str, Rule] = {
    "conductor-down": conductor_rules.conductor_down,
    "reserved": conductor_rules.reserved,
    "unknown-driver-info": requirement_rules.unknown_driver_info,
    "trait-missing": requirement_rules.trait_missing,
    "validation": requirement_rules.validation,
    "last-error": state_rules.last_error,
    "failed-state": state_rules.failed_state,
    "fault": state_rules.fault,
    "maintenance": state_rules.maintenance,
    "stuck": state_rules.stuck,
    "no-ports": requirement_rules.no_ports,
    "no-boot-port": requirement_rules.no_boot_port,
    "port-without-switch": requirement_rules.port_without_switch,
    "power-off-waiting": state_rules.power_off_waiting,
    "waiting": state_rules.waiting,
    "power-off-active": state_rules.power_off_active,
    "vif-without-port": requirement_rules.vif_without_port,
    "connector-unmatched": requirement_rules.connector_unmatched,
    "no-resource-class": requirement_rules.no_resource_class,
    "health": state_rules.health,
    "on-hold": state_rules.on_hold,
    "retired": state_rules.retired,
    "protected": state_rules.protected,
    "next-step": state_rules.next_step,
    "history": state_rules.history,
    "microversion": conductor_rules.microversion,
    "incomplete": conductor_rules.incomplete,
}
"""The rules, by their names in explanations."""
