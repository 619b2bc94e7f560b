"""A network interface as it is written for Ironic: nothing of the fake server is imported.

It knows the names of Ironic's ``NetworkInterface`` alone.
"""

KEY = "tenant_vif_port_id"


class InvalidParameterValue(Exception):
    """Stands for the exception of this name in ``ironic.common.exception``."""


class NoFreePhysicalPorts(Exception):
    """Stands for the exception of this name in ``ironic.common.exception``."""


class RackNetwork:
    """Keeps VIFs in ``internal_info`` of ports, and a diary in ``extra`` of the node."""

    interface_type = "network"
    capabilities = ("metadata",)

    def __init__(self):
        self.supported = True

    def get_properties(self):
        return {}

    def validate(self, task):
        if not task.node.driver_info.get("rack"):
            raise InvalidParameterValue(f"Node {task.node.uuid} is in no rack.")

    def validate_inspection(self, task):
        self.validate(task)

    def validate_rescue(self, task):
        self.validate(task)

    def port_changed(self, task, port_obj):
        if "address" in port_obj.obj_what_changed():
            port_obj.extra = dict(port_obj.extra, before=task.ports[0].address)

    def portgroup_changed(self, task, portgroup_obj):
        if "name" in portgroup_obj.obj_what_changed():
            raise RuntimeError("Port groups of racks keep their names.")

    def vif_attach(self, task, vif_info):
        for port in task.ports:
            internal_info = port.internal_info
            if KEY not in internal_info:
                internal_info[KEY] = vif_info["id"]
                port.internal_info = internal_info
                port.save()
                return
        raise NoFreePhysicalPorts(f"No port of {task.node.name} is free.")

    def vif_detach(self, task, vif_id):
        for port in task.ports:
            if port.internal_info.get(KEY) == vif_id:
                internal_info = port.internal_info
                del internal_info[KEY]
                port.internal_info = internal_info
                port.save()

    def vif_list(self, task):
        for port in task.ports + task.portgroups:
            if KEY in port.internal_info:
                yield {"id": port.internal_info[KEY]}

    def get_current_vif(self, task, p_obj):
        return p_obj.internal_info.get(KEY)

    def add_provisioning_network(self, task):
        self._write(task, "provisioning")
        return {port.uuid: "neutron port" for port in task.ports}

    def remove_provisioning_network(self, task):
        self._write(task, "no provisioning")

    def configure_tenant_networks(self, task):
        self._write(task, f"tenant on {task.ports[0].address}")

    def unconfigure_tenant_networks(self, task):
        self._write(task, "no tenant")

    def add_cleaning_network(self, task):
        assert task.context.is_admin
        self._write(task, f"cleaning in {task.node.driver_info['rack']}")

    def remove_cleaning_network(self, task):
        self._write(task, "no cleaning")

    def need_power_on(self, task):
        return False

    def get_node_network_data(self, task):
        return task.node.network_data or {}

    def _write(self, task, line):
        node = task.node
        diary = node.driver_internal_info.get("rack_diary", [])
        node.set_driver_internal_info("rack_diary", [*diary, line])
        node.save()
