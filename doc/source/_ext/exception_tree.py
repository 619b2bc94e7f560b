"""The directive ``exception-tree``: the exceptions of the client, each below its base."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docutils import nodes
from docutils.parsers.rst import Directive
from docutils.statemachine import StringList

from baremetalclient import exc

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sphinx.application import Sphinx


class ExceptionTree(Directive):
    """Show ``exc.ClientException`` and what is below it."""

    def run(self) -> list[nodes.Node]:
        """Return nested lists."""
        content = nodes.container()
        lines = StringList(list(_lines(exc.ClientException, "")), exc.__name__)
        self.state.nested_parse(lines, 0, content)
        return content.children


def _lines(found: type[BaseException], indent: str) -> Iterator[str]:
    summary = (found.__doc__ or "").partition("\n")[0]
    also = [base.__name__ for base in found.__bases__[1:]]
    more = f" Also: {', '.join(f'``{name}``' for name in also)}." if also else ""
    yield f"{indent}* :class:`~baremetalclient.exc.{found.__name__}`: {summary}{more}"
    yield ""
    for below in found.__subclasses__():
        if below.__bases__[0] is found and getattr(exc, below.__name__, None) is below:
            yield from _lines(below, f"{indent}  ")


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the directive."""
    app.add_directive("exception-tree", ExceptionTree)
    return {"parallel_read_safe": True}
