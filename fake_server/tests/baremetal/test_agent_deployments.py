"""How an agent with a server of its own writes an image, and what it is told about booting it."""

from __future__ import annotations

import pytest

from fake_server.tests.baremetal.test_agent_failures import FIELDS, Waiting, agent

__all__ = ["agent"]

IMAGE = FIELDS["instance_info"]
PARTITION = {**IMAGE, "image_type": "partition", "kernel": "http://k", "ramdisk": "http://r"}
DISKS = {"root uuid": "the root", "efi system partition uuid": "the partition"}
LOADER = "image.install_bootloader"


class Deployment(Waiting):
    """A node whose agent is asked to write its image.

    :param partitions: what the agent says of the partitions of the disk.
    """

    def __init__(self, agent, partitions, **fields):
        agent.answers["get_partition_uuids"] = (200, partitions)
        super().__init__(agent, "deploy", **{"management_interface": "noop", **fields})
        self._agent = agent
        assert self.beat() == ("wait call-back", "")

    def end(self):
        """Have the agent end its step; return the node's state and error."""
        step = self.api.node()["deploy_step"]
        done = {"command_status": "SUCCEEDED", "command_result": {"deploy_step": step}}
        self._agent.commands = [{"command_name": "execute_deploy_step", **done}]
        return self.beat()


def loader(root, partition, mode):
    """Return what the agent is to be told about the boot loader."""
    return {
        "root_uuid": root,
        "efi_system_part_uuid": partition,
        "prep_boot_part_uuid": None,
        "target_boot_mode": mode,
    }


@pytest.mark.parametrize(
    ("image", "mode", "partitions", "told"),
    [
        (IMAGE, "", {}, loader(None, None, "uefi")),
        (IMAGE, "boot_mode:bios", {}, None),
        (
            {**IMAGE, "capabilities": {"secure_boot": "true"}},
            "boot_mode:bios",
            {},
            loader(None, None, "uefi"),
        ),
        (IMAGE, "", DISKS, loader("the root", None, "uefi")),
        (PARTITION, "", DISKS, loader("the root", "the partition", "uefi")),
        (PARTITION, "boot_mode:bios", DISKS, loader("the root", None, "bios")),
        (PARTITION, "", {}, None),
    ],
)
def test_the_agent_installs_a_boot_loader_where_it_has_to(agent, image, mode, partitions, told):
    fields = {"instance_info": image, "properties": {"capabilities": mode}}
    deployment = Deployment(agent, partitions, **fields)
    assert agent.asked[-1] == "deploy.execute_deploy_step"
    assert deployment.end() == ("active", "")
    assert agent.parameters.get(LOADER) == told


def test_the_root_of_the_disk_is_noted(agent):
    deployment = Deployment(agent, DISKS)
    deployment.end()
    internal = deployment.api.node()["driver_internal_info"]
    assert internal["root_uuid_or_disk_id"] == "the root"


@pytest.mark.parametrize(
    ("management", "answer", "problem"),
    [
        (
            "noop",
            {"command_status": "FAILED", "command_error": "no room"},
            "Failed to install a bootloader when deploying node UUID: no room",
        ),
        # This management interface boots from the network only.
        (
            "fake",
            {"command_status": "SUCCEEDED"},
            "Failed to change the boot device to disk when deploying node UUID: Invalid boot "
            "device disk specified.",
        ),
    ],
)
def test_an_instance_that_can_not_be_booted_fails_the_deployment(
    agent, management, answer, problem
):
    agent.answers["install_bootloader"] = (200, answer)
    assert Deployment(agent, {}, management_interface=management).end() == (
        "deploy failed",
        f"Deploy step deploy.prepare_instance_boot failed: {problem}",
    )
