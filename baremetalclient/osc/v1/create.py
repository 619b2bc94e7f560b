"""The command that creates resources from files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from baremetalclient import exc
from baremetalclient.osc.bounds import add_bounds, max_failures
from baremetalclient.osc.command import Command
from baremetalclient.osc.terminal.interrupts import Interrupts

if TYPE_CHECKING:
    import argparse

    from baremetalclient.declare import StepResult
    from baremetalclient.osc.parser import ArgumentParser

_SUFFIXES = (".json", ".yaml", ".yml")


class CreateBaremetal(Command):
    """Create a lab from files: nodes with their ports, chassis, deploy templates and so on."""

    examples = ("baremetal create lab.yaml",)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "resource_files",
            metavar="<file>",
            nargs="+",
            help="File of JSON or YAML (.json or .yaml) with lists of 'chassis', 'nodes', "
            "'deploy_templates', 'runbooks', 'inspection_rules' and 'allocations', or some of "
            "them. Seeds of the fake server are such files; values that a real Ironic does not "
            "accept are left out.",
        )
        # One after the other, so that lists have the order of the file.
        add_bounds(parser, parallel=1)

    def take_action(self, parsed_args: argparse.Namespace) -> int:
        """Read all files, then create the resources; if one fails, go on with the others.

        :raises CommandError: if anything in any file is wrong; nothing is created.
        """
        from baremetalclient.declare import lab, plan

        for name in parsed_args.resource_files:
            if not name.endswith(_SUFFIXES):
                raise exc.CommandError(
                    f"Invalid file name {name!r}: it has to end with .json or .yaml."
                )
        try:
            wanted = lab.read_new(parsed_args.resource_files)
            planned = plan(self.client, wanted, new=True)
        except exc.ValidationError as error:
            raise exc.CommandError(f"{error}\nNothing was created.") from None
        if wanted.left_out:
            self.report(
                f"Left out, because Ironic does not accept it: {', '.join(wanted.left_out)}"
            )
        with Interrupts(self.app) as interrupted:
            results = planned.apply(
                parallel=parsed_args.parallel,
                wait=False,
                max_failures=max_failures(parsed_args),
                stop=interrupted,
            )
        for one in results:
            self._tell(one)
        return interrupted.exit_code or int(any(one.result != "done" for one in results))

    def _tell(self, one: StepResult) -> None:
        if one.result == "done":
            self.report(f"Created {one.kind} {one.uuid}")
        else:
            action = "complete" if one.uuid else "create"
            why = one.error or "not begun"
            self.print_error(f"Failed to {action} {one.kind} {one.id}: {why}")
