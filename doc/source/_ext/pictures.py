"""The directive ``picture``: drawings that take the colours of the page, light or dark."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import node_states
from docutils import nodes
from docutils.parsers.rst import Directive, directives
from drawing import Arrow, Box, Drawing

if TYPE_CHECKING:
    from collections.abc import Callable

    from sphinx.application import Sphinx


def _request_client() -> Drawing:
    middle, right = 220, 590
    boxes = [
        Box(middle, 30, ("a command, or your program",), 220),
        Box(middle, 110, ("manager", "checks arguments, makes the path"), 260),
        Box(middle, 205, ("microversion", "newest that both sides know"), 260),
        Box(middle, 300, ("send", "headers, token, time limit"), 260),
        Box(middle, 395, ("check the response", "JSON, list, next page"), 260),
        Box(middle, 480, ("resources, or an exception",), 220),
        Box(right, 205, ("cache", "range of the server"), 190, True),
        Box(right, 300, ("Ironic",), 120),
        Box(right, 395, ("wait", "growing, or Retry-After"), 190, True),
    ]
    arrows = [
        Arrow(((middle, 46), (middle, 85))),
        Arrow(((middle, 134), (middle, 181))),
        Arrow(((middle, 229), (middle, 276))),
        Arrow(((middle, 324), (middle, 371))),
        Arrow(((middle, 419), (middle, 464))),
        Arrow(((495, 198), (350, 198)), dashed=True),
        Arrow(((350, 293), (530, 293)), "request"),
        Arrow(((530, 310), (350, 310)), "response"),
        Arrow(((590, 284), (590, 229)), "406: its range"),
        Arrow(((350, 395), (495, 395)), "locked, 503, read lost", False, (422, 383)),
        Arrow(((590, 371), (590, 345), (300, 345), (300, 324)), "again"),
        Arrow(((90, 395), (30, 395), (30, 110), (90, 110)), "next page", False, (42, 250)),
    ]
    return Drawing(700, 510, boxes, arrows)


def _request_server() -> Drawing:
    chain = (
        "size of the body",
        "controls (/_fake/)",
        "faults, and the record",
        "retries after conflicts",
        "service, by the path",
        "authentication",
        "due work",
    )
    boxes = [Box(120, 30, ("listener (HTTP, TLS)",), 200)]
    boxes += [Box(120, 100 + 55 * number, (text,), 200) for number, text in enumerate(chain)]
    boxes += [
        Box(400, 100, ("Ironic",), 150),
        Box(400, 190, ("cache of responses", "transaction", "microversion"), 190),
        Box(400, 290, ("handler", "permissions, arguments"), 190),
        Box(400, 385, ("conductor", "task, drivers, agents"), 190),
        Box(630, 290, ("models",), 120),
        Box(630, 385, ("database", "nodes, due work"), 140, True),
        Box(
            630,
            100,
            ("other services", "Neutron, Cinder, Nova,", "Placement, Glance,", "Keystone"),
            170,
        ),
    ]
    arrows = [Arrow(((120, 46), (120, 84)))]
    arrows += [
        Arrow(((120, 116 + 55 * number), (120, 139 + 55 * number)))
        for number in range(len(chain) - 1)
    ]
    arrows += [
        Arrow(((220, 430), (270, 430), (270, 100), (325, 100))),
        Arrow(((270, 100), (270, 30), (630, 30), (630, 59))),
        Arrow(((400, 116), (400, 157))),
        Arrow(((400, 223), (400, 266))),
        Arrow(((400, 314), (400, 361)), "takes time"),
        Arrow(((495, 290), (570, 290))),
        Arrow(((495, 385), (560, 385))),
        Arrow(((630, 306), (630, 361))),
    ]
    return Drawing(720, 460, boxes, arrows)


def _boot_from_volume() -> Drawing:
    boxes = [
        Box(110, 50, ("you, or Nova",), 130),
        Box(370, 50, ("Ironic", "connector: who the node is", "target: what it boots"), 220),
        Box(640, 50, ("Cinder", "volume, attachment"), 160),
        Box(370, 220, ("node", "initiator iqn…:node-1"), 190),
        Box(640, 220, ("storage system", "exports the volume"), 170, True),
    ]
    arrows = [
        Arrow(((175, 50), (260, 50)), "1"),
        Arrow(((480, 42), (560, 42)), "2"),
        Arrow(((560, 60), (480, 60)), "3"),
        Arrow(((640, 74), (640, 195)), "2"),
        Arrow(((370, 83), (370, 195)), "4"),
        Arrow(((465, 220), (555, 220)), "5"),
    ]
    return Drawing(750, 260, boxes, arrows)


DRAWINGS: dict[str, Callable[[], Drawing]] = {
    "boot-from-volume": _boot_from_volume,
    "node-states": node_states.draw,
    "request-client": _request_client,
    "request-server": _request_server,
}


class Picture(Directive):
    """Show a drawing by its name."""

    required_arguments = 1
    option_spec: ClassVar[dict[str, object]] = {"alt": directives.unchanged_required}

    def run(self) -> list[nodes.Node]:
        """Return it as HTML; other formats get the text."""
        name, alt = self.arguments[0], self.options["alt"]
        drawing = DRAWINGS[name]().svg(name, alt)
        return [nodes.raw("", f"<p>{drawing}</p>", format="html")]


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the directive."""
    app.add_directive("picture", Picture)
    return {"parallel_read_safe": True}
