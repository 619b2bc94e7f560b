"""The arguments of conditions and actions: their names, and the forms they may be given in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from inspect import Parameter, signature
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from fake_server.baremetal.errors import Invalid

if TYPE_CHECKING:
    from collections.abc import Sequence

PLUGIN_DATA = "plugin_data"
ResultT = TypeVar("ResultT")


@dataclass(frozen=True, slots=True)
class Signature:
    """The arguments of one operation, in the order in which a list gives them.

    :param required: names of those that must be there.
    :param optional: names of the others.
    :param filled: those in which variables are replaced by what was found.
    """

    required: Sequence[str]
    optional: Sequence[str] = ()
    filled: Sequence[str] = ()

    def named(self, args: Any) -> dict[str, Any]:
        """Return arguments by their names, whichever form they were given in.

        The place of the plugin data is kept in what was given, which Ironic stores with the rule.

        :param args: a list or an object, as the schema of rules has it.
        :raises Invalid: for a list that is too short.
        """
        if isinstance(args, dict):
            if PLUGIN_DATA in self.required:
                args[PLUGIN_DATA] = {}
            return args
        if PLUGIN_DATA in self.required:
            args.append({})
        missing = self.required[len(args) :]
        if missing:
            raise Invalid(
                f"Inspection rule arguments are missing: {', '.join(missing)}. They are, in this "
                f"order: {', '.join([*self.required, *self.optional])}."
            )
        return dict(zip([*self.required, *self.optional], args, strict=False))

    def check(self, op: str, args: Any) -> None:
        """Refuse arguments that the operation can't take.

        :param op: name of the operation.
        :raises Invalid: naming those that are missing or unknown.
        """
        given = self.named(args).keys()
        missing = [name for name in self.required if name not in given]
        unknown = sorted(given - {*self.required, *self.optional})
        if missing or unknown:
            problems = [f"missing {name}" for name in missing]
            problems += [f"unexpected {name}" for name in unknown]
            raise Invalid(
                f"Inspection rule operation {op} has wrong arguments: {', '.join(problems)}."
            )


#: The arguments of an operation, and the function that carries it out.
Operation: TypeAlias = tuple[Signature, Callable[..., ResultT]]


def operation(function: Callable[..., ResultT], *filled: str) -> Operation[ResultT]:
    """Return an operation with the arguments that a function takes besides a task.

    :param filled: those in which variables are replaced by what was found.
    """
    found = [one for one in signature(function).parameters.values() if one.name != "task"]
    required = [one.name for one in found if one.default is Parameter.empty]
    optional = [one.name for one in found if one.default is not Parameter.empty]
    return Signature(required, optional, filled), function
