"""Commands about deploy templates."""

from __future__ import annotations

from baremetalclient.osc import argument_types
from baremetalclient.osc.delete_command import Delete
from baremetalclient.osc.options import Argument, KeyValueOption, Option
from baremetalclient.osc.resource import Create, List, ResourceCommand, Set, Show, Unset

STEPS = Option(
    "steps",
    required=True,
    parse=argument_types.json_or_yaml,
    help="Deploy steps: JSON, the name of a file with JSON or YAML, or '-' for standard input; "
    "a list of objects with the keys 'interface', 'step', 'args' and 'priority'.",
)
EXTRA = KeyValueOption("extra")


class _DeployTemplateCommand(ResourceCommand):
    manager_name = "deploy_template"
    identifiers = "Name or UUID"


class CreateBaremetalDeployTemplate(_DeployTemplateCommand, Create):
    """Create a deploy template."""

    examples = (
        "baremetal deploy template create CUSTOM_RAID1 --steps raid.json --extra owner=storage",
    )
    options = (
        Argument("name", help="Name of the deploy template, which is a trait."),
        Option("uuid"),
        EXTRA,
        STEPS,
    )


class DeleteBaremetalDeployTemplate(_DeployTemplateCommand, Delete):
    """Delete deploy templates."""

    examples = ("baremetal deploy template delete CUSTOM_RAID1",)


class ListBaremetalDeployTemplate(_DeployTemplateCommand, List):
    """List deploy templates."""

    examples = ("baremetal deploy template list --long",)


class SetBaremetalDeployTemplate(_DeployTemplateCommand, Set):
    """Set fields of a deploy template."""

    examples = ("baremetal deploy template set CUSTOM_RAID1 --extra team=shop",)
    options = (Option("name"), STEPS, EXTRA)


class ShowBaremetalDeployTemplate(_DeployTemplateCommand, Show):
    """Show a deploy template."""

    examples = ("baremetal deploy template show CUSTOM_RAID1",)


class UnsetBaremetalDeployTemplate(_DeployTemplateCommand, Unset):
    """Remove fields of a deploy template."""

    examples = ("baremetal deploy template unset CUSTOM_RAID1 --extra owner",)
    options = (EXTRA,)
