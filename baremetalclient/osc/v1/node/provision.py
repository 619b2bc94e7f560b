"""Commands that change the provision state of nodes."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any, ClassVar

from baremetalclient import exc
from baremetalclient._resource.arguments import json_or_text
from baremetalclient.osc import argument_types
from baremetalclient.osc.node_command import StateCommand
from baremetalclient.osc.options import Option

if TYPE_CHECKING:
    from baremetalclient._resource.resource import Item
    from baremetalclient.osc.parser import ArgumentParser
    from baremetalclient.v1.provision_states import ProvisionVerb

_STEPS = (
    "JSON, the name of a file with JSON or YAML, or '-' for standard input: a list of objects with "
    "the keys 'interface' and 'step' and, optionally, 'args'"
)
_CONFIG_DRIVE = (
    "Configuration drive: gzipped and base64-encoded text, a file with it, a directory to build it "
    "from, or a JSON object (or a file with one) with 'meta_data', 'user_data' and 'network_data' "
    "from which the service builds it."
)


class _Provision(StateCommand):
    action = "request {self.verb!r} of"
    verb: ClassVar[ProvisionVerb]

    @property
    def _target(self) -> ProvisionVerb:
        """The name that all versions of the API know."""
        from baremetalclient.v1.provision_states import FIRST_NAMES

        return FIRST_NAMES.get(self.verb, self.verb)

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--provision-state",
            choices=[self._target],
            default=self._target,
            help=argparse.SUPPRESS,
        )

    def check(self, parsed_args: argparse.Namespace) -> None:
        self.arguments(parsed_args)

    def already(self, item: Item) -> str | None:
        from baremetalclient.v1.provision_states import find_state

        # A node that is active can be rebuilt.
        accepted = self.verb in find_state(item["provision_state"]).verbs
        return None if accepted else super().already(item)

    def refusal(self, item: Item) -> str | None:
        from baremetalclient.v1.provision_states import STATES, VERBS, find_state, possible_verbs

        state = item["provision_state"]
        possible = possible_verbs(item, self.client.negotiated_version)
        if state not in STATES or self.verb in possible:
            return None
        if self.verb not in find_state(state).verbs:
            others = ", ".join(possible) or "nothing"
            return f"{self.verb!r} is not possible in {state!r}; possible: {others}"
        # For "abort", that depends on the state.
        flags = VERBS[self._target].refused_by or ("maintenance",)
        named = " and ".join(name for name in flags if item.get(name))
        reason = f"the node is {named}" if named else "the version of the API is too old"
        return f"{self.verb!r} is not possible: {reason.replace('maintenance', 'in maintenance')}"

    def act(self, node: str, label: str, parsed_args: argparse.Namespace) -> list[str]:
        self.client.node.set_provision_state(node, self._target, **self.arguments(parsed_args))
        return [f"Requested {self.verb!r} of node {label}"]


class AbortBaremetalNode(_Provision):
    """Abort cleaning, inspection, servicing or a wait for the deploy ramdisk."""

    examples = ("baremetal node abort node-1",)
    verb = "abort"


class AdoptBaremetalNode(_Provision):
    """Adopt nodes that are deployed already, without deploying them again."""

    examples = ("baremetal node adopt node-1 --wait",)
    verb = "adopt"


class _StepsCommand(_Provision):
    kind: ClassVar[str]

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        group = parser.add_mutually_exclusive_group(required=True)
        group.add_argument(
            f"--{self.kind}-steps",
            dest="steps",
            metavar=f"<{self.kind}-steps>",
            type=argument_types.json_or_yaml,
            help=f"The {self.kind} steps. {_STEPS}.",
        )
        group.add_argument(
            "--runbook",
            metavar="<runbook>",
            type=argument_types.non_empty,
            help="Name or UUID of a runbook with the steps.",
        )
        parser.add_argument(
            "--disable-ramdisk",
            action="store_true",
            default=None,
            help="Run the steps without booting the ramdisk; not all steps can do without it.",
        )

    def arguments(self, parsed_args: argparse.Namespace) -> dict[str, Any]:
        if parsed_args.runbook:
            if parsed_args.disable_ramdisk:
                raise exc.CommandError("--runbook and --disable-ramdisk cannot be used together.")
            return {"runbook": parsed_args.runbook}
        return {
            f"{self.kind}steps": parsed_args.steps,
            "disable_ramdisk": parsed_args.disable_ramdisk,
        }


class CleanBaremetalNode(_StepsCommand):
    """Clean nodes manually."""

    examples = ("baremetal node clean node-1 --clean-steps clean.json --wait 3600",)
    verb = "clean"
    kind = "clean"


class ServiceBaremetalNode(_StepsCommand):
    """Run service steps on active nodes."""

    examples = ("baremetal node service node-1 --runbook CUSTOM_FIRMWARE --wait 3600",)
    verb = "service"
    kind = "service"


class _Deploy(_Provision):
    options = (
        Option("configdrive", flag="--config-drive", parse=str, help=_CONFIG_DRIVE),
        Option(
            "deploysteps",
            flag="--deploy-steps",
            parse=argument_types.json_or_yaml,
            help=f"The deploy steps. {_STEPS}.",
        ),
    )

    def arguments(self, parsed_args: argparse.Namespace) -> dict[str, Any]:
        given = super().arguments(parsed_args)
        drive = json_or_text(given.get("configdrive", ""))
        return {**given, "configdrive": drive} if isinstance(drive, dict) else given


class DeployBaremetalNode(_Deploy):
    """Deploy nodes."""

    examples = ("baremetal node deploy --select trait=CUSTOM_WEB --max-failures 3 --wait 3600",)
    verb = "deploy"


class RebuildBaremetalNode(_Deploy):
    """Rebuild nodes: deploy them again, and keep the ephemeral partition if configured so."""

    examples = ("baremetal node rebuild node-1 --wait 3600",)
    verb = "rebuild"


class InspectBaremetalNode(_Provision):
    """Inspect the hardware of nodes."""

    examples = ("baremetal node inspect node-1 node-2 --wait 1800",)
    verb = "inspect"


class ManageBaremetalNode(_Provision):
    """Make nodes manageable."""

    examples = (
        "baremetal node manage --select state=enroll,driver=redfish --wait --report manage.json",
        "baremetal node manage --retry-failed manage.json --wait",
    )
    verb = "manage"


class ProvideBaremetalNode(_Provision):
    """Make nodes available, after cleaning them if that is enabled."""

    examples = ("baremetal node provide --select 'state=manageable,name~=rack1-.*' --wait",)
    verb = "provide"


class RescueBaremetalNode(_Provision):
    """Boot nodes into the rescue ramdisk."""

    examples = ("baremetal node rescue node-1 --rescue-password @password.txt --wait",)
    verb = "rescue"

    options = (
        Option(
            "rescue_password",
            required=True,
            parse=argument_types.secret,
            help="Password for logging in to the ramdisk; @file and @- read it from a file or "
            "standard input.",
        ),
    )


class UndeployBaremetalNode(_Provision):
    """Undeploy nodes: tear them down and clean them."""

    examples = ("baremetal node undeploy node-1 --wait 3600",)
    verb = "undeploy"


class UnholdBaremetalNode(_Provision):
    """Continue cleaning, deployment or servicing of nodes on hold."""

    examples = ("baremetal node unhold node-1",)
    verb = "unhold"


class UnrescueBaremetalNode(_Provision):
    """Boot nodes in the rescue ramdisk back into their operating system."""

    examples = ("baremetal node unrescue node-1 --wait",)
    verb = "unrescue"
