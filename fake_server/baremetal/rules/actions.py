"""The actions of inspection rules, on nodes, ports and the data of plugins."""

from __future__ import annotations

from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from fake_server.baremetal import errors, tables
from fake_server.baremetal.errors import HardwareInspectionFailure, InspectionRuleExecutionFailure
from fake_server.baremetal.errors import RuleActionExecutionFailure as Failure
from fake_server.baremetal.models.ports import PORTS
from fake_server.baremetal.models.traits import NODE_TRAITS
from fake_server.baremetal.rules import webhooks
from fake_server.baremetal.rules.attributes import Attributes
from fake_server.baremetal.rules.signatures import Operation, operation
from fake_server.db.store import RetryError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from fake_server.baremetal.task.protocol import Task

_LOG_LEVELS = ("debug", "info", "warning", "error", "critical")


def _fail(task: Task, msg: Any) -> None:
    raise HardwareInspectionFailure(error=str(msg))


def _log(task: Task, msg: Any, level: str = "info") -> None:
    if level.lower() not in _LOG_LEVELS:
        raise InspectionRuleExecutionFailure(
            f"Invalid log level: {level.lower()}. Choose from {', '.join(_LOG_LEVELS)}"
        )


def _set_attribute(task: Task, path: str, value: Any) -> None:
    with _action_failure(f"Failed to set attribute {path} with value {value}"):
        Attributes(task.session.tx, tables.nodes, task.node).put(path, value)
        task.save()


def _extend_attribute(task: Task, path: str, value: Any, unique: bool = False) -> None:
    with _action_failure(f"Failed to extend attribute {path}"):
        if not Attributes(task.session.tx, tables.nodes, task.node).extend(
            path, value, unique=unique
        ):
            raise Failure(reason=f"Cannot extend non-list attribute {path} with value {value}")
        task.save()


def _delete_attribute(task: Task, path: str) -> None:
    with _action_failure(f"Failed to delete attribute at {path}"):
        Attributes(task.session.tx, tables.nodes, task.node).remove(path)
        task.save()


def _set_capability(task: Task, name: str, value: Any) -> None:
    with _action_failure(f"Failed to set capability {name}"):
        present = task.node["properties"].get("capabilities")
        added = ":".join([name, value])
        task.node["properties"]["capabilities"] = f"{present},{added}" if present else added
        task.save()


def _unset_capability(task: Task, name: str) -> None:
    with _action_failure(f"Failed to unset capability {name}"):
        present = task.node["properties"].get("capabilities", "").split(",")
        kept = [capability for capability in present if not capability.startswith(f"{name}:")]
        task.node["properties"]["capabilities"] = ",".join(kept)
        task.save()


def _add_trait(task: Task, name: str) -> None:
    with _action_failure(f"Failed to add new trait {name}"):
        NODE_TRAITS.add(task.session, task.node, name)


def _remove_trait(task: Task, name: str) -> None:
    with _action_failure(f"Failed to remove trait {name}"), suppress(errors.NodeTraitNotFound):
        NODE_TRAITS.remove(task.session, task.node, name)


def _set_plugin_data(task: Task, path: Any, value: Any, plugin_data: dict[str, Any]) -> None:
    with _action_failure(f"Failed to set plugin data at {path}"):
        _put(plugin_data, _keys(path), value)


def _extend_plugin_data(
    task: Task, path: Any, value: Any, plugin_data: dict[str, Any], unique: bool = False
) -> None:
    with _action_failure(f"Failed to extend plugin data at {path}"):
        keys = _keys(path)
        present = _at(plugin_data, keys) or []
        _put(plugin_data, keys, present)
        if not unique or value not in present:
            present.append(value)


def _unset_plugin_data(task: Task, path: Any, plugin_data: dict[str, Any]) -> None:
    """Do nothing: Ironic 39 doesn't find anything in its own view of the data."""


def _set_port_attribute(task: Task, port_id: str, path: str, value: Any) -> None:
    port = _port(task, port_id)
    with _action_failure(f"Failed to set attribute {path} for port {port_id}"):
        Attributes(task.session.tx, tables.ports, port).put(path, value)
        _save_port(task, port)


def _extend_port_attribute(
    task: Task, port_id: str, path: str, value: Any, unique: bool = False
) -> None:
    port = _port(task, port_id)
    with _action_failure(f"Failed to extend attribute {path} for port {port_id}"):
        if not Attributes(task.session.tx, tables.ports, port).extend(path, value, unique=unique):
            raise Failure(reason=f"Cannot extend non-list attribute {path} with  value {value}")
        _save_port(task, port)


def _delete_port_attribute(task: Task, port_id: str, path: str) -> None:
    port = _port(task, port_id)
    with _action_failure(f"Failed to delete attribute {path} for port {port_id}"):
        Attributes(task.session.tx, tables.ports, port).remove(path)
        _save_port(task, port)


@contextmanager
def _action_failure(what: str) -> Iterator[None]:
    """Turn any error into the failure of the action.

    :param what: begins the reason.
    """
    try:
        yield
    except RetryError:
        raise
    except Exception as exc:
        raise Failure(reason=f"{what}: {exc}") from exc


def _port(task: Task, uuid: str) -> dict[str, Any]:
    for port in task.ports:
        if port["uuid"] == uuid:
            return {**port, "extra": dict(port["extra"] or {})}
    raise PORTS.missing(uuid)


def _save_port(task: Task, port: dict[str, Any]) -> None:
    stored = PORTS.get_by_uuid(task.session, port["uuid"])
    changes = {name: port[name] for name in port if port[name] != stored[name]}
    PORTS.update(task.session, stored, changes)


def _keys(path: Any) -> Any:
    return path.split(".") if isinstance(path, str) else path


def _put(data: dict[str, Any], keys: Any, value: Any) -> None:
    for key in keys[:-1]:
        data = data.setdefault(key, {})
    data[keys[-1]] = value


def _at(data: Any, keys: Any) -> Any:
    try:
        for key in keys:
            data = data[key]
    except (KeyError, TypeError):
        return None
    return data


#: Actions by name: their arguments, and the function that carries them out.
ACTIONS: Mapping[str, Operation[None]] = {
    "fail": operation(_fail),
    "log": operation(_log, "msg"),
    "set-attribute": operation(_set_attribute, "value"),
    "extend-attribute": operation(_extend_attribute, "value"),
    "del-attribute": operation(_delete_attribute),
    "set-capability": operation(_set_capability, "value"),
    "unset-capability": operation(_unset_capability),
    "add-trait": operation(_add_trait),
    "remove-trait": operation(_remove_trait),
    "set-plugin-data": operation(_set_plugin_data, "value"),
    "extend-plugin-data": operation(_extend_plugin_data, "value"),
    "unset-plugin-data": operation(_unset_plugin_data),
    "set-port-attribute": operation(_set_port_attribute, "value"),
    "extend-port-attribute": operation(_extend_port_attribute, "value"),
    "del-port-attribute": operation(_delete_port_attribute),
    "api-call": operation(webhooks.call, "url"),
}
