"""What Ironic's inspection rules make of values: its own actions on its own objects."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from fake_server.tests.baremetal import rule_values
from tools.ironic.oracle import Oracle

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def rules(directory: Path) -> Iterator[str]:
    """Yield the lines of the facts about what rules write."""
    ironic = Oracle(directory)
    from ironic import objects
    from ironic.common import context
    from ironic.common.inspection_rules import actions

    admin = context.get_admin_context()
    made = objects.Node(
        admin,
        name="n",
        driver="fake-hardware",
        provision_state="inspecting",
        conductor_group="",
        **{name: {} for name in ("extra", "properties", "driver_info", "instance_info")},
    )
    made.create()
    card = objects.Port(admin, node_id=made.id, address="52:54:00:00:00:01", extra={})
    card.create()
    ironic.keep()
    for name, arguments in rule_values.cases():
        ironic.go_back()
        node, port = objects.Node.get_by_id(admin, made.id), objects.Port.get_by_id(admin, card.id)
        on_port = {"port_id": port.uuid} if "port" in name else {}
        task = SimpleNamespace(node=node, ports=[port], context=admin)
        error = None
        try:
            actions.get_action(name)()(task, **on_port, **arguments)
        except Exception as exc:
            error = str(exc)
        yield rule_values.line(name, arguments, error, _stored(admin, made, card, name, arguments))


def _stored(admin: Any, node: Any, port: Any, name: str, arguments: dict[str, Any]) -> Any:
    from ironic import objects

    field = arguments.get("path", "/traits").removeprefix("/")
    if field == "traits":
        found = objects.TraitList.get_by_node_id(admin, node.id)
        return sorted(trait.trait for trait in found.objects)
    if field in ("bogus", "chassis_uuid", "updated_at"):
        return None
    kind, ident = (objects.Port, port.id) if "port" in name else (objects.Node, node.id)
    return getattr(kind.get_by_id(admin, ident), field)
