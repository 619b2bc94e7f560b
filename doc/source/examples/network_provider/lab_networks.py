"""A network provider that keeps a diary of a node's networks in the node's extra."""

from fake_server.baremetal.networks.base import NetworkProvider


class LabNetwork(NetworkProvider):
    """Writes down what it is asked for."""

    def add_provisioning_network(self, task):
        """Connect the node to the provisioning network."""
        self._write(task, "provisioning")

    def remove_provisioning_network(self, task):
        """Disconnect the node from the provisioning network."""
        self._write(task, "no provisioning")

    def configure_tenant_networks(self, task):
        """Connect the node to the networks of its VIFs."""
        vifs = [vif["id"] for vif in self.vif_list(task)]
        self._write(task, f"tenant {', '.join(vifs)}")

    def unconfigure_tenant_networks(self, task):
        """Disconnect the node from the networks of its VIFs."""
        self._write(task, "no tenant")

    def _write(self, task, line):
        task.node["extra"] = {**task.node["extra"], "diary": [*self._diary(task), line]}
        task.save()

    def _diary(self, task):
        return task.node["extra"].get("diary", [])
