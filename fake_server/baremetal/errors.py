"""The errors of the API: exceptions with their statuses.

:class:`ApiError` ends up as a fault (``faultcode``, ``faultstring``, ``debuginfo``) with the
microversion headers; :class:`RoutingError` is raised while the address is looked up and ends up
as ``code``, ``title``, ``description`` without them. :mod:`.rendering` draws both.
"""

from __future__ import annotations

from typing import Any, Self

#: The description of a request with a malformed body or method.
MALFORMED = (
    "The server could not comply with the request since it is either malformed or otherwise "
    "incorrect."
)


class ApiError(Exception):
    """A refused request. ``code`` is its HTTP status, ``template`` the text of a plain one."""

    code = 400
    template = ""

    def __init__(self, message: str | None = None, **values: Any) -> None:
        super().__init__(self.template % values if message is None else message)

    def with_code(self, code: int) -> Self:
        """Return the error with another status than is usual for it."""
        self.code = code
        return self


class RoutingError(Exception):
    """An address, method or version that the API doesn't have.

    :param code: HTTP status.
    :param description: the explanation in the response.
    :param headers: additional headers of the response.
    """

    def __init__(
        self, code: int, description: str = "", headers: list[tuple[str, str]] | None = None
    ) -> None:
        super().__init__(description)
        self.code = code
        self.description = description
        self.headers = headers or []
        self.allow: list[str] | None = None


class Invalid(ApiError):
    template = "Unacceptable parameters."


class InvalidParameterValue(Invalid):
    template = "%(err)s"


class MissingParameterValue(InvalidParameterValue):
    pass


class NotJSON(Invalid):
    template = "The request body can't be read as JSON."


class MalformedRequestURI(Invalid):
    template = "Malformed request URI."


class InvalidInput(ApiError):
    template = "Invalid input for field/attribute %(fieldname)s. Value: '%(value)s'. "


class InvalidUuidOrName(Invalid):
    template = "Expected a logical name or UUID but received %(name)s."


class InvalidStateRequested(Invalid):
    template = (
        'The requested action "%(action)s" can not be performed on node "%(node)s" '
        'while it is in state "%(state)s".'
    )


class PatchError(Invalid):
    template = "Couldn't apply patch '%(patch)s'. Reason: %(reason)s"


class InterfaceNotFoundInEntrypoint(InvalidParameterValue):
    template = (
        "Could not find the following interface in the '%(entrypoint)s' entrypoint: %(iface)s. "
        "Valid interfaces are %(valid)s."
    )


class IncompatibleInterface(InvalidParameterValue):
    template = (
        "%(kind)s interface implementation '%(implementation)s' is not supported by hardware type "
        "%(hardware_type)s."
    )


class UnsupportedDriverExtension(Invalid):
    template = "Driver %(driver)s does not support %(extension)s (disabled or not implemented)."


class AgentAPIError(Invalid):
    template = (
        "Agent API for node %(node)s returned HTTP status code %(status)s with error: %(error)s"
    )


class AgentStepsInvalid(Invalid):
    """The agent didn't list its steps as it has to."""


class AgentInProgress(Invalid):
    template = 'Node %(node)s command "%(command)s" failed. Error: %(error)s'


class HardwareInspectionFailure(Invalid):
    template = "Failed to inspect hardware. Reason: %(error)s"


class InspectionRuleExecutionFailure(HardwareInspectionFailure):
    template = "Inspection rule execution failed. Reason: %(reason)s"


class RuleActionExecutionFailure(InspectionRuleExecutionFailure):
    template = "Inspection rule action execution failed. Reason: %(reason)s"


class RuleConditionCheckFailure(InspectionRuleExecutionFailure):
    template = "Inspection rule condition check failed. Reason: %(reason)s"


class InvalidNodeInventory(Invalid):
    template = "Inventory for node %(node)s is invalid: %(reason)s"


class NodeInMaintenance(Invalid):
    template = (
        "The %(op)s operation can't be performed on node %(node)s because it's in maintenance mode."
    )


class NodeConsoleNotEnabled(Invalid):
    template = "Console access is not enabled on node %(node)s"


class NoFreePhysicalPorts(Invalid):
    template = "Unable to attach VIF %(vif)s, not enough free physical ports."


class VifNotAttached(Invalid):
    template = "Unable to detach VIF %(vif)s from node %(node)s because it is not attached to it."


class InstanceDeployFailure(Invalid):
    template = "Failed to deploy instance: %(reason)s"


class DeployStepFailure(InstanceDeployFailure):
    """A deploy step that failed and says itself what that means for the node."""


class NetworkError(Invalid):
    template = "Network operation failure."


class FailedToUpdateMacOnPort(Invalid):
    template = "Update MAC address on port: %(port_id)s failed."


class StorageError(Invalid):
    template = "Storage operation failure."


class PortgroupPhysnetInconsistent(Invalid):
    template = (
        "Port group %(portgroup)s has member ports with inconsistent physical networks "
        "(%(physical_networks)s). All ports in a port group must have the same physical network."
    )


class NotAuthorized(ApiError):
    code = 403
    template = "Not authorized."


class NodeProtected(NotAuthorized):
    template = "Node %(node)s is protected and cannot be undeployed, rebuilt or deleted"


class NotFound(ApiError):
    code = 404
    template = "Resource could not be found."


class TemporaryFailure(ApiError):
    code = 503
    template = "Resource temporarily unavailable, please retry."


class ImageNotFound(NotFound):
    template = "Image %(image_id)s could not be found."


class ImageCreationFailed(ApiError):
    code = 500
    template = "Creating %(image_type)s image failed: %(error)s"


class HTTPForbidden(ApiError):
    code = 403
    template = "Access was denied to the following resource: %(resource)s"


class NodeNotFound(NotFound):
    template = "Node %(node)s could not be found."


class NodeTraitNotFound(NotFound):
    template = "Node %(node_id)s doesn't have a trait '%(trait)s'"


class NotAcceptable(ApiError):
    code = 406
    template = "Request not acceptable."


class Conflict(ApiError):
    code = 409
    template = "Conflict."


class InvalidState(Conflict):
    template = "Invalid resource state."


class NodeLocked(Conflict):
    template = (
        "Node %(node)s is locked by host %(host)s, please retry after the current operation is "
        "completed."
    )


class AlreadyExists(Conflict):
    template = "%(noun)s with %(field)s %(value)s already exists."


class NodeAssociated(InvalidState):
    template = "Node %(node)s is associated with instance %(instance)s."


class PowerStateFailure(InvalidState):
    template = "Failed to set node power state to %(pstate)s."


class RedfishError(ApiError):
    code = 500
    template = "Redfish exception occurred. Error: %(error)s"


class RedfishConnectionError(RedfishError):
    template = "Redfish connection failed for node %(node)s: %(error)s"


class IPMIFailure(ApiError):
    code = 500
    template = "IPMI call failed: %(cmd)s."


class VifAlreadyAttached(Conflict):
    template = (
        "Unable to attach VIF because VIF %(vif)s is already attached to Ironic %(object_type)s "
        "%(object_uuid)s"
    )


class InstanceAssociated(Conflict):
    template = (
        "Instance %(instance_uuid)s is already associated with a node, it cannot be associated "
        "with this other node %(node)s"
    )


class AllocationFailed(Conflict):
    template = "Failed to process allocation %(uuid)s: %(error)s."
