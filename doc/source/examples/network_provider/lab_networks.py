"""A network provider that keeps a diary of a node's networks in the node's extra."""


class LabNetwork:
    """Writes down what it is asked for."""

    def add_provisioning_network(self, task):
        """Connect the node to the provisioning network."""
        self._write(task, "provisioning")

    def remove_provisioning_network(self, task):
        """Disconnect the node from the provisioning network."""
        self._write(task, "no provisioning")

    def configure_tenant_networks(self, task):
        """Connect the node to the networks of its VIFs."""
        vifs = [port.extra["vif_port_id"] for port in task.ports if "vif_port_id" in port.extra]
        self._write(task, f"tenant {', '.join(vifs)}")

    def unconfigure_tenant_networks(self, task):
        """Disconnect the node from the networks of its VIFs."""
        self._write(task, "no tenant")

    def _write(self, task, line):
        node = task.node
        node.extra = {**node.extra, "diary": [*node.extra.get("diary", []), line]}
        node.save()
