"""Validate the interfaces of a node."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.baremetal import errors
from fake_server.baremetal.conductor import deploying, steps
from fake_server.common import logs
from fake_server.db.store import RetryError

if TYPE_CHECKING:
    from fake_server.baremetal.conductor.task import Task

LOG = logs.logger(__name__)

#: Kinds in the order in which they are looked at.
_KINDS = (
    "boot",
    "deploy",
    "management",
    "network",
    "power",
    "bios",
    "console",
    "firmware",
    "inspect",
    "raid",
    "rescue",
    "storage",
)


def results(task: Task) -> dict[str, dict[str, Any]]:
    """Return for each kind of interface whether it is valid, and if not, the reason."""
    deploying.note_image_type(task)
    return {kind: _result(task, kind) for kind in _KINDS}


def _result(task: Task, kind: str) -> dict[str, Any]:
    try:
        task.driver.interface(kind).validate(task)
        if kind == "deploy":
            deploying.check_instance_traits(task)
            steps.check_deployment(task, None)
    except (errors.InvalidParameterValue, errors.UnsupportedDriverExtension) as exc:
        return {"result": False, "reason": str(exc)}
    except RetryError:
        raise
    except Exception as exc:
        if not isinstance(exc, errors.ApiError):
            LOG.exception("Validating %s of node %s crashed", kind, task.node["uuid"])
        return {
            "result": False,
            "reason": (
                "Unexpected exception, traceback saved into log by ironic conductor service that "
                f"is running on {task.host}: {exc}"
            ),
        }
    return {"result": True}
