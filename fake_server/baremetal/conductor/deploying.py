"""Deploying: from the verb to the last step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.baremetal import errors, states
from fake_server.baremetal.conductor import console, failures, steps
from fake_server.baremetal.conductor.flows import Flow
from fake_server.baremetal.conductor.task import Plan, Task
from fake_server.baremetal.drivers import images
from fake_server.baremetal.models import allocations
from fake_server.baremetal.models.node_properties import instance_capabilities
from fake_server.baremetal.step_flows import FLOWS
from fake_server.baremetal.task import history

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.baremetal.conductor.steps import StepRecord
    from fake_server.db.store import Record


def request(
    task: Task,
    event: str,
    configdrive: str | Mapping[str, Any] | None,
    wanted: list[dict[str, Any]] | None,
) -> None:
    """Start the requested deployment.

    :param event: ``deploy`` or ``rebuild``.
    :param configdrive: content of the instance's configuration drive.
    :param wanted: deploy steps that the user named.
    :raises ApiError: if the node can't be deployed.
    """
    node = task.node
    if node["maintenance"]:
        raise errors.NodeInMaintenance(op="provisioning", node=node["uuid"])
    if event == "rebuild" and node["protected"]:
        raise errors.NodeProtected(node=node["uuid"])
    if not states.accepts(node["provision_state"], event):
        raise errors.InvalidStateRequested(
            action=event, node=node["uuid"], state=node["provision_state"]
        )
    if event == "rebuild" and images.is_in_glance(node["instance_info"].get("image_source")):
        for key in ("kernel", "ramdisk", "boot_iso", "original_image_source"):
            node["instance_info"].pop(key, None)
    if event == "deploy":
        _set_lessee(node)
    if not note_image_type(task) and event == "rebuild":
        # Ironic fails here, and leaves the node as it is.
        raise errors.InvalidParameterValue(
            f"Node {node['uuid']} can't be rebuilt because nothing can be told about its image: "
            "its instance_info needs image_source and, where that is in Glance, image_type."
        )
    task.save()
    try:
        task.driver.deploy.switch_interface(task)
        task.driver.power.validate(task)
        task.driver.deploy.validate(task)
        _check_boot(task)
        check_instance_traits(task)
        steps.check_deployment(task, wanted)
    except errors.InvalidParameterValue as exc:
        raise errors.InstanceDeployFailure(
            f"Failed to validate deploy or power info for node {node['uuid']}: {exc}"
        ) from exc
    arguments = {"configdrive": configdrive, "wanted": wanted}
    task.process(event, work="do_node_deploy", arguments=arguments)


def _set_lessee(node: Record) -> None:
    """Make the instance's project the lessee; raise InvalidParameterValue if it is no text."""
    project = node["instance_info"].get("project_id")
    if not project or node["lessee"] is not None:
        return
    if isinstance(project, dict | list):
        raise errors.InvalidParameterValue(
            f"project_id in the instance_info of node {node['uuid']} must be text, not {project!r}."
        )
    node["lessee"] = str(project)
    node["driver_internal_info"]["automatic_lessee"] = True


def _check_boot(task: Task) -> None:
    """Raise InvalidParameterValue if the instance would boot over a tenant network."""
    if not task.session.dialect.switches_networks or task.interface_name("network") != "neutron":
        return
    if instance_capabilities(task.node).get("boot_option") == "netboot":
        raise errors.InvalidParameterValue(
            "boot_option netboot needs the provisioning network, which a node with network "
            "provider neutron leaves: deploy it with boot_option local"
        )


def do_node_deploy(
    task: Task,
    configdrive: str | dict[str, Any] | None = None,
    wanted: list[dict[str, Any]] | None = None,
) -> None:
    """Deploy the node."""
    failures.forget_flow(task, "deploy")
    if configdrive:
        task.node["instance_info"]["configdrive"] = configdrive
        task.save()
    try:
        FLOW.prepare_node(task)
    except errors.ApiError as exc:
        failures.deploying_error_handler(
            task, f"Failed to prepare to deploy: {exc}", clean_up=False
        )
        return
    if wanted:
        task.internal["user_deploy_steps"] = wanted
        task.save()
    found = steps.for_deployment(task, wanted)
    FLOW.set_steps(task, found)
    if not found:
        failures.deploying_error_handler(task, "No deploy steps returned by the driver")
        return
    history.record_flow_start(task, FLOW.recorded(task), found)
    FLOW.start_step(task, 0)


def abort(task: Task) -> None:
    """Abort a deployment that waits for its agent; a step that can't be aborted ends first."""
    if FLOW.ask_abort(task):
        task.forget("agent_url")
        task.process("abort", work="do_node_deploy_abort")


def take_status(task: Task) -> None:
    """Go on as the heartbeats of an installer say."""
    status, text = (task.internal.get(f"agent_status{end}") for end in ("", "_message"))
    if status == "start":
        task.restart_timeout()
    elif status == "end":
        task.process("resume")
        try:
            task.driver.deploy.boot_instance(task)
        except errors.ApiError as exc:
            text = (
                "An error occurred after deployment, while preparing to reboot the node "
                f"{task.node['uuid']}: {exc}"
            )
            failures.deploying_error_handler_with_power_off(task, text)
            return
        task.process("done")
    else:
        failures.deploying_error_handler_with_power_off(task, text or "None")


def note_image_type(task: Task) -> bool:
    """Store the type of the instance's image; return whether it is known."""
    whole = images.is_whole_disk(task)
    if whole is None:
        return False
    task.internal["is_whole_disk_image"] = whole
    task.node["instance_info"]["image_type"] = images.WHOLE_DISK if whole else images.PARTITION
    return True


def check_instance_traits(task: Task) -> None:
    """Raise InvalidParameterValue for traits of the instance that the node doesn't have."""
    node = task.node
    wanted = node["instance_info"].get("traits")
    if not wanted:
        return
    if not isinstance(wanted, list) or not all(isinstance(trait, str) for trait in wanted):
        raise errors.InvalidParameterValue(
            f"Error parsing traits from Node {node['uuid']} instance_info field. A list of strings "
            "is expected."
        )
    missing = sorted(set(wanted) - set(task.traits))
    if missing:
        raise errors.InvalidParameterValue(
            "Cannot specify instance traits that are not also set on the node. Node "
            f"{node['uuid']} is missing traits {', '.join(missing)}"
        )


def request_tear_down(task: Task) -> None:
    """Start tearing the instance down."""
    node = task.node
    task.forget("agent_url")
    if node["protected"]:
        raise errors.NodeProtected(node=node["uuid"])
    task.process("delete", work="_do_node_tear_down")


def tear_down(task: Task) -> None:
    """Tear the instance down."""
    failure = _tear_down_instance(task)
    if failure is not None:
        _forget_instance(task)
        raise failure
    task.plan = Plan("finish_tear_down", {})


def finish_tear_down(task: Task) -> None:
    """Forget the instance, and clean the node."""
    _forget_instance(task)
    if task.node["allocation_id"] is not None:
        allocations.destroy(task.session, task.node["allocation_id"])
        task.refresh()
    task.process("clean")
    task.plan = Plan("do_node_clean", {})


def _forget_instance(task: Task) -> None:
    node = task.node
    node["instance_info"] = {}
    node["instance_uuid"] = None
    node["instance_name"] = None
    failures.forget_flow(task, "deploy")
    task.forget(
        "instance",
        "root_uuid_or_disk_id",
        "is_whole_disk_image",
        "is_source_a_path",
        "deploy_boot_mode",
    )
    if node["driver_internal_info"].get("automatic_lessee"):
        node["lessee"] = None
        task.forget("automatic_lessee")
    for vif in task.driver.network.vif_list(task):
        task.driver.network.vif_detach(task, vif["id"])
    task.save()


def _tear_down_instance(task: Task) -> errors.ApiError | None:
    try:
        if task.node["console_enabled"]:
            task.driver.console.stop(task)
        task.driver.deploy.switch_interface(task)
        task.driver.deploy.clean_up(task)
        task.driver.deploy.tear_down(task)
        if task.session.dialect.clears_targets:
            task.remove_volume_targets()
    except errors.ApiError as exc:
        text = f"Failed to tear down: {exc}"
        history.record(task, text, "unprovision", error=True)
        task.process("fail")
        return exc
    return None


def _start_console(task: Task) -> None:
    if reason := console.restore(task):
        uuid = task.node["uuid"]
        task.node["last_error"] = (
            f"Failed to start console while deploying the node {uuid}: {reason}."
        )
        task.save()


class _Deploying(Flow):
    names = FLOWS["deploy"]
    called = "deployment"
    error_handler = staticmethod(failures.deploying_error_handler)

    def recorded(self, task: Task) -> str:
        """Return what the node's history calls it."""
        return self.called

    def prepare_node(self, task: Task) -> bool:
        """Bring the node into the provisioning network; its agent is booted by a step."""
        task.driver.deploy.prepare(task)
        return False

    def undo(self, task: Task) -> None:
        """Remove what was prepared."""
        task.driver.deploy.clean_up(task)

    def fail(self, task: Task, step: StepRecord, exc: errors.ApiError) -> None:
        """Fail at a step, which may say itself what that means for the node."""
        found, name = self.steps(task), self.recorded(task)
        if isinstance(exc, errors.DeployStepFailure):
            failures.deploy_step_error_handler(task, str(exc))
            history.record_flow(task, name, self.steps(task), aborted_step=step["step"])
            task.refresh()
            return
        history.record_flow(task, name, found, aborted_step=step["step"])
        self.error_handler(task, f"Deploy step {steps.identify(step)} failed: {exc}.")

    def end(self, task: Task) -> None:
        """Start what was deployed."""
        history.record_flow(task, self.recorded(task), self.steps(task))
        self.clear(task)
        _start_console(task)
        task.process("done")

    def fail_abort(self, task: Task) -> None:
        """Note that what was prepared couldn't be removed."""
        text = "Failed to clean up deploying after aborting the operation"
        self.error_handler(task, text, clean_up=False)


FLOW = _Deploying()
