"""Commands that send nodes through their provision states."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any, ClassVar

from baremetalclient import exc
from baremetalclient.osc import argument_types
from baremetalclient.osc.command import Command
from baremetalclient.osc.v1.node.crud import add_nodes
from baremetalclient.osc.waiting import add_wait, wait_for

if TYPE_CHECKING:
    from baremetalclient.osc.parser import ArgumentParser

_STEPS = (
    "JSON, the name of a file of JSON or YAML, or '-' for standard input: a list of objects with "
    "the keys 'interface' and 'step' and, optionally, 'args'"
)
_CONFIG_DRIVE = (
    "Configuration drive: gzipped and base64-encoded text, the name of a file that holds it, a "
    "directory to make it of, or a JSON object (or a file of one) with 'meta_data', 'user_data' "
    "and 'network_data' from which the service makes it."
)


class _Provision(Command):
    target: ClassVar[str]
    """What is asked of the node, as the API calls it."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the nodes."""
        add_nodes(parser)
        parser.add_argument(
            "--provision-state", choices=[self.target], default=self.target, help=argparse.SUPPRESS
        )

    def take_action(self, parsed_args: argparse.Namespace) -> int:
        """Ask it of each node."""
        return self.ask(parsed_args.nodes, self.details(parsed_args))[1]

    def details(self, parsed_args: argparse.Namespace) -> dict[str, Any]:
        """Return what goes along with the request."""
        return {}

    def ask(self, nodes: list[str], details: dict[str, Any]) -> tuple[list[str], int]:
        """Ask it of each node, and return those that accepted it and the exit code."""
        accepted = []

        def act(node: str) -> None:
            self.client.node.set_provision_state(node, self.target, **details)
            accepted.append(node)
            self.tell(f"Requested {self.target!r} of node {node}")

        failed = self.for_each(nodes, act, doing=f"Failed to request {self.target!r} of node {{}}")
        return accepted, failed


class _ProvisionAndWait(_Provision):
    expected: ClassVar[str]
    """The state in which the node arrives."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the nodes and ``--wait``."""
        super().add_arguments(parser)
        add_wait(parser, f"the node is {self.expected!r}")

    def take_action(self, parsed_args: argparse.Namespace) -> int:
        """Ask it of each node, and wait for those that accepted it."""
        accepted, failed = self.ask(parsed_args.nodes, self.details(parsed_args))
        if parsed_args.wait_timeout is None:
            return failed
        return failed | wait_for(self, accepted, self.expected, parsed_args.wait_timeout)


class AbortBaremetalNode(_Provision):
    """Abort cleaning, inspection, servicing or a wait for the deploy ramdisk."""

    target = "abort"


class AdoptBaremetalNode(_ProvisionAndWait):
    """Take over nodes that run already, without deploying them."""

    target = "adopt"
    expected = "active"


class _Steps(_ProvisionAndWait):
    kind: ClassVar[str]

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the nodes, the steps, and how to run them."""
        super().add_arguments(parser)
        group = parser.add_mutually_exclusive_group(required=True)
        group.add_argument(
            f"--{self.kind}-steps",
            dest="steps",
            metavar=f"<{self.kind}-steps>",
            type=argument_types.document,
            help=f"The {self.kind} steps. {_STEPS}.",
        )
        group.add_argument(
            "--runbook",
            metavar="<runbook>",
            type=argument_types.filled,
            help="Name or UUID of a runbook with the steps.",
        )
        parser.add_argument(
            "--disable-ramdisk",
            action="store_true",
            default=None,
            help="Run the steps without booting the ramdisk; only steps that can do without it.",
        )

    def details(self, parsed_args: argparse.Namespace) -> dict[str, Any]:
        """Return the steps or the runbook."""
        if parsed_args.runbook:
            if parsed_args.disable_ramdisk:
                raise exc.CommandError("--runbook and --disable-ramdisk cannot be used together.")
            return {"runbook": parsed_args.runbook}
        return {
            f"{self.kind}steps": parsed_args.steps,
            "disable_ramdisk": parsed_args.disable_ramdisk,
        }


class CleanBaremetalNode(_Steps):
    """Clean nodes by hand."""

    target = "clean"
    expected = "manageable"
    kind = "clean"


class ServiceBaremetalNode(_Steps):
    """Run steps on nodes that are in use."""

    target = "service"
    expected = "active"
    kind = "service"


class _Deploy(_ProvisionAndWait):
    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the nodes, the configuration drive and the steps."""
        super().add_arguments(parser)
        parser.add_argument("--config-drive", metavar="<config-drive>", help=_CONFIG_DRIVE)
        parser.add_argument(
            "--deploy-steps",
            metavar="<deploy-steps>",
            type=argument_types.document,
            help=f"The deploy steps. {_STEPS}.",
        )

    def details(self, parsed_args: argparse.Namespace) -> dict[str, Any]:
        """Return the configuration drive and the steps."""
        drive = parsed_args.config_drive
        if drive:
            given = argument_types.json_or_text(drive)
            drive = given if isinstance(given, dict) else drive
        return {"configdrive": drive, "deploysteps": parsed_args.deploy_steps}


class DeployBaremetalNode(_Deploy):
    """Deploy nodes."""

    target = "active"
    expected = "active"


class RebuildBaremetalNode(_Deploy):
    """Deploy nodes again, keeping what is on them where possible."""

    target = "rebuild"
    expected = "active"


class InspectBaremetalNode(_ProvisionAndWait):
    """Inspect the hardware of nodes."""

    target = "inspect"
    expected = "manageable"


class ManageBaremetalNode(_ProvisionAndWait):
    """Make nodes manageable."""

    target = "manage"
    expected = "manageable"


class ProvideBaremetalNode(_ProvisionAndWait):
    """Make nodes available, cleaning them if need be."""

    target = "provide"
    expected = "available"


class RescueBaremetalNode(_ProvisionAndWait):
    """Boot nodes into the rescue ramdisk."""

    target = "rescue"
    expected = "rescue"

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the nodes and the password."""
        super().add_arguments(parser)
        parser.add_argument(
            "--rescue-password",
            metavar="<rescue-password>",
            required=True,
            type=argument_types.secret,
            help="Password to log in to the ramdisk with; @file and @- read it from a file or "
            "standard input.",
        )

    def details(self, parsed_args: argparse.Namespace) -> dict[str, Any]:
        """Return the password."""
        return {"rescue_password": parsed_args.rescue_password}


class UndeployBaremetalNode(_ProvisionAndWait):
    """Tear nodes down and clean them."""

    target = "deleted"
    expected = "available"


class UnholdBaremetalNode(_Provision):
    """Let nodes go on that hold during cleaning, deployment or servicing."""

    target = "unhold"


class UnrescueBaremetalNode(_ProvisionAndWait):
    """Boot nodes back from the rescue ramdisk."""

    target = "unrescue"
    expected = "active"
