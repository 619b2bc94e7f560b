"""Commands about labs that files declare."""

from __future__ import annotations

from argparse import BooleanOptionalAction
from typing import TYPE_CHECKING

from baremetalclient import exc
from baremetalclient._http.escapes import printable
from baremetalclient.osc import files
from baremetalclient.osc.bounds import add_bounds, max_failures
from baremetalclient.osc.command import Command
from baremetalclient.osc.options import add_format
from baremetalclient.osc.report.report import add_report, page_of
from baremetalclient.osc.terminal.confirmation import add_yes, confirm
from baremetalclient.osc.terminal.interrupts import Interrupts
from baremetalclient.osc.terminal.progress import add_wait
from baremetalclient.osc.v1 import lab_steps

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Sequence

    from baremetalclient.declare import Plan, PlannedStep, StepResult
    from baremetalclient.osc.parser import ArgumentParser
    from baremetalclient.osc.report.page import ReportPage

FILE_HELP = (
    "File of YAML or JSON with the lists 'chassis', 'nodes', 'deploy_templates', 'runbooks', "
    "'inspection_rules' and 'allocations', or some of them; a folder with such files; or '-' for "
    "standard input."
)
"""What a file of a lab is."""

FORM = """
A file::

    nodes:
    - name: "node-{index:03d}"           # or uuid, identifies it
      count: 20                          # stands for node-000 to node-019
      driver: redfish
      driver_info:
        redfish_address: "https://192.0.2.{index}"
        redfish_password: !secret env:BMC_PASSWORD
      resource_class: gold
      traits: [CUSTOM_GOLD]
      provision_state: [available, active]   # each will do; the first if new
      ports:
      - address: "52:54:00:{index:mac}"  # quoted, or YAML reads a number
      volume_connectors:
      - {type: iqn, connector_id: "iqn.2026-01.com.example:{index}"}

A node has the fields of the API, and 'ports', 'portgroups', 'volume_connectors',
'volume_targets', 'traits', 'vifs', 'bios_settings', 'target_raid_config',
'provision_state' and 'power_state'. Nodes can also be in a chassis, ports in a port
group. What a file doesn't name stays as it is; null unsets a field.
"""
"""The form of a file, for help."""

DIFFERENT = 2
"""The exit code of ``diff`` where something differs."""


def add_allow_secrets(parser: ArgumentParser) -> None:
    """Add ``--allow-secrets``."""
    parser.add_argument(
        "--allow-secrets",
        metavar="<pattern>",
        action="append",
        default=[],
        help="Read secrets that '!secret' refers to and that are neither a variable of the "
        "environment nor in the folder of the file: 'cmd:pass *' for the output of some "
        "commands, 'file:/etc/ironic/*' for files. Repeat it for several.",
    )


class _LabCommand(Command):
    def get_epilog(self) -> str:
        return "\n\n".join([FORM.strip(), super().get_epilog()])

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "files",
            metavar="<file>",
            nargs="+",
            help=FILE_HELP,
        )
        parser.add_argument(
            "--prune",
            action="store_true",
            help="Of the nodes that --select selects, delete those that no file names; from the "
            "others, remove the ports, traits and so on that a list in their file leaves out.",
        )
        parser.add_argument(
            "--select",
            dest="selections",
            metavar="<expression>",
            action="append",
            help="Nodes that --prune may delete or change, for example 'conductor-group=rack1'. "
            "Repeat it to select nodes that match one of several.",
        )
        parser.add_argument(
            "--refresh-secrets",
            action="store_true",
            help="Send all secrets: the service masks them, so they can't be compared.",
        )
        add_allow_secrets(parser)
        parser.add_argument(
            "--summary",
            action=BooleanOptionalAction,
            help="Print one line for all resources of a kind that are added, changed or removed; "
            f"by default for those that are added, with more than {lab_steps.MANY} new nodes. What "
            "interrupts a machine or is refused has its own line in any case.",
        )

    def plan(self, parsed_args: argparse.Namespace) -> Plan:
        """Return the plan for the files.

        :raises UsageError: if the arguments contradict each other.
        """
        from baremetalclient.declare import plan
        from baremetalclient.declare.lab import read_lab
        from baremetalclient.v1.expressions import selection
        from baremetalclient.v1.resources import resource_type

        if parsed_args.prune != bool(parsed_args.selections):
            raise exc.UsageError("--prune and --select can only be used together.")
        try:
            selection(resource_type("node"), parsed_args.selections or ())
        except exc.ValidationError as error:
            raise exc.UsageError(str(error)) from None
        lab = read_lab(parsed_args.files, parsed_args.allow_secrets)
        if lab.variables:
            self.report(f"Secrets are read from the environment: {', '.join(lab.variables)}.")
        if lab.left_out:
            self.print_error(
                f"Left out, because Ironic does not accept it: {', '.join(lab.left_out)}"
            )
        return plan(
            self.client,
            lab,
            prune=parsed_args.selections,
            refresh_secrets=parsed_args.refresh_secrets,
        )

    def tell_secrets(self, plan: Plan) -> None:
        """Say on stderr how many secrets may differ."""
        if number := plan.secrets_not_compared:
            noun, them = ("secret", "it") if number == 1 else ("secrets", "them")
            self.report(f"{number} {noun} can't be compared; --refresh-secrets sends {them}.")

    def show(
        self, steps: Iterable[PlannedStep], *, as_json: bool, summary: bool | None = False
    ) -> None:
        """Print steps on stdout.

        :param summary: whether to summarize what several steps have in common; None to summarize
            what is new, if it is much.
        """
        steps = list(steps)
        if as_json:
            self.retry_notices.finish()
            print(lab_steps.as_json(steps), file=self.app.stdout, flush=True)
            return
        for group in lab_steps.groups_of(steps, summary=summary):
            lines = lab_steps.lines_of(group[0]) if len(group) == 1 else [lab_steps.together(group)]
            self.print_coloured(group[0], "\n".join(lines))
        planned = lab_steps.counted(lab_steps.look_of(step).planned for step in steps)
        self.report(planned or "Nothing differs.")

    def print_coloured(self, step: PlannedStep, text: str) -> None:
        """Print a text about a step on stdout, in the colour of its action on a terminal."""
        from baremetalclient.osc.terminal.tables import takes_colours

        self.retry_notices.finish()
        shown = printable(text)
        if takes_colours(self.app.stdout):
            shown = f"{lab_steps.look_of(step).colour}{shown}\x1b[0m"
        print(shown, file=self.app.stdout, flush=True)


class DiffBaremetal(_LabCommand):
    """Show how a lab differs from what files declare.

    The exit code is 0 if there is no difference, 2 if there is one, and 1 after an error.
    """

    usage_exit_code = 1
    examples = ("baremetal diff lab.yaml",)

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        add_format(parser, "report_format", "Print the differences as JSON.")

    def take_action(self, parsed_args: argparse.Namespace) -> int:
        plan = self.plan(parsed_args)
        as_json = parsed_args.report_format == "json"
        self.show(plan.steps, as_json=as_json, summary=parsed_args.summary)
        self.tell_secrets(plan)
        return DIFFERENT if plan.steps else 0


class ApplyBaremetal(_LabCommand):
    """Change a lab into what files declare.

    Only what the files name is changed. Applying them again changes nothing.
    """

    examples = (
        "baremetal apply rack1/ --wait",
        "baremetal apply rack1/ --dry-run --prune --select conductor-group=rack1",
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--dry-run", action="store_true", help="Only print what 'baremetal diff' prints."
        )
        add_wait(parser, "the last transition of each node is complete, too")
        add_bounds(parser)
        add_report(parser)
        add_yes(parser)

    def take_action(self, parsed_args: argparse.Namespace) -> int:
        from baremetalclient._bulk.kinds import NODE
        from baremetalclient.osc.terminal.printing_listener import PrintingListener

        as_json = parsed_args.report_format == "json"
        page = page_of(parsed_args.report_file)
        if parsed_args.report_file:
            files.check_writable(parsed_args.report_file)
        plan = self.plan(parsed_args)
        if parsed_args.dry_run:
            self.show(plan.steps, as_json=as_json, summary=parsed_args.summary)
            self.tell_secrets(plan)
            return 0
        marked = [
            f"{lab_steps.name_of(step)}: {step.interrupts}"
            for step in plan.steps
            if step.interrupts
        ]
        if marked and not confirm(self, parsed_args, "apply", marked, "interrupting step"):
            return 1
        several_nodes = len({step.node or step.id for step in plan.steps}) > 1
        console = PrintingListener(self, NODE.name, NODE.state, live=several_nodes)
        with Interrupts(self.app) as interrupted:
            results = plan.apply(
                parallel=parsed_args.parallel,
                wait=parsed_args.wait_timeout is not None,
                timeout=parsed_args.wait_timeout or 0,
                max_failures=max_failures(parsed_args),
                stop=interrupted,
                listener=page.listener(console, NODE.state, ()) if page else console,
                allow_interruptions=True,
            )
        # The results below say more than the states that were waited for.
        console.erase()
        self._report(results, parsed_args, page, as_json=as_json)
        self.tell_secrets(plan)
        return interrupted.exit_code or int(any(one.result != "done" for one in results))

    def _report(
        self,
        results: Sequence[StepResult],
        parsed_args: argparse.Namespace,
        page: ReportPage | None,
        *,
        as_json: bool,
    ) -> None:
        if not as_json:
            for one in results:
                if one.result == "done":
                    self.print_coloured(one, lab_steps.name_of(one))
        for one in results:
            if one.result != "done":
                why = one.error or "not begun"
                self.print_error(f"{one.result.capitalize()}: {lab_steps.name_of(one)}: {why}")
        if parsed_args.report_file:
            text = lab_steps.page_text(page, results) if page else lab_steps.as_json(results) + "\n"
            files.write_whole(parsed_args.report_file, text)
        if as_json or not results:
            self.show(results, as_json=as_json)
            return
        self.report(lab_steps.counted(map(lab_steps.outcome_of, results)))
