"""Labs as graphs: nodes with their ports, port groups, networks and volumes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from baremetalclient._http.escapes import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping

    from baremetalclient.declare.lab import Lab, LabItem


class _Shape(NamedTuple):
    """How a kind of vertex looks.

    :param dot: the shape in Graphviz.
    :param mermaid: what comes before and after the label in Mermaid.
    """

    dot: str
    mermaid: tuple[str, str]


_SHAPES: Mapping[str, _Shape] = {
    "chassis": _Shape("folder", ("[[", "]]")),
    "node": _Shape("box", ("[", "]")),
    "portgroup": _Shape("hexagon", ("{{", "}}")),
    "port": _Shape("ellipse", ("(", ")")),
    "network": _Shape("octagon", ("([", "])")),
    "volume_connector": _Shape("note", (">", "]")),
    "volume_target": _Shape("cylinder", ("[(", ")]")),
}
_MERMAID_CODES = str.maketrans(
    {character: f"#{ord(character)};" for character in '"#&;<>`\\'} | {"\n": "<br>"}
)
"""What its labels can't have as it is."""


@dataclass
class Graph:
    """Vertices and what connects them.

    :ivar vertices: the kind and the lines of the label of each vertex by its name.
    :ivar edges: the names of the two vertices of each edge.
    """

    vertices: dict[str, tuple[str, tuple[str, ...]]] = field(default_factory=dict)
    edges: list[tuple[str, str]] = field(default_factory=list)
    _names: dict[Hashable, str] = field(default_factory=dict)

    def add(self, key: Hashable, kind: str, *lines: str) -> str:
        """Return the name of a vertex, which is added if it is new.

        :param key: what identifies it.
        :param lines: the lines of its label; those that are empty are left out. What can't be
            shown is escaped.
        """
        name = self._names.setdefault(key, f"v{len(self._names) + 1}")
        self.vertices.setdefault(name, (kind, tuple(map(printable, filter(None, lines)))))
        return name


def graph_of(lab: Lab) -> Graph:
    """Return the graph of a lab."""
    graph = Graph()
    chassis = {item.fields.get("uuid"): item for item in lab.all("chassis")}
    for item in chassis.values():
        graph.add(id(item), "chassis", item.id)
    for node in lab.all("nodes"):
        fields = node.fields
        states = fields.get("provision_state") or ""
        label = states if isinstance(states, str) else " or ".join(states)
        name = graph.add(id(node), "node", node.id, label)
        around = node.parent("chassis") or chassis.get(fields.get("chassis_uuid"))
        if around is not None:
            graph.edges.append((graph.add(id(around), "chassis", around.id), name))
        for item in node.below():
            _ADDERS[item.kind.manager](graph, name, item)
        for vif in fields.get("vifs") or ():
            graph.edges.append((name, graph.add(("vif", vif), "network", "VIF", vif)))
    return graph


def _add_port(graph: Graph, node: str, item: LabItem) -> None:
    port, group = graph.add(id(item), "port", item.id), item.portgroup
    above = node if group is None else graph.add(id(group), "portgroup", group.id)
    graph.edges.append((above, port))
    if network := item.fields.get("physical_network"):
        key = ("physical", network)
        graph.edges.append((port, graph.add(key, "network", "physical network", network)))


def _add_portgroup(graph: Graph, node: str, item: LabItem) -> None:
    graph.edges.append((node, graph.add(id(item), "portgroup", item.id)))


def _add_connector(graph: Graph, node: str, item: LabItem) -> None:
    graph.edges.append((node, graph.add(id(item), "volume_connector", item.id)))


def _add_target(graph: Graph, node: str, item: LabItem) -> None:
    fields = item.fields
    volume = f"{fields['volume_type']} {fields['volume_id']}"
    label = (f"boot index {fields['boot_index']}", volume)
    graph.edges.append((node, graph.add(id(item), "volume_target", *label)))


_ADDERS: Mapping[str, Callable[[Graph, str, LabItem], None]] = {
    "port": _add_port,
    "portgroup": _add_portgroup,
    "volume_connector": _add_connector,
    "volume_target": _add_target,
}


def dot(graph: Graph) -> str:
    """Return a graph in the language of Graphviz."""
    lines = ["graph lab {", "    rankdir=LR;"]
    for name, (kind, label) in graph.vertices.items():
        quoted = "\\n".join(_escaped(line) for line in label)
        lines.append(f'    {name} [shape={_SHAPES[kind].dot}, label="{quoted}"];')
    lines += [f"    {one} -- {other};" for one, other in graph.edges]
    return "\n".join([*lines, "}", ""])


def mermaid(graph: Graph) -> str:
    """Return a graph in the language of Mermaid."""
    lines = ["flowchart LR"]
    for name, (kind, label) in graph.vertices.items():
        before, after = _SHAPES[kind].mermaid
        quoted = "\n".join(label).translate(_MERMAID_CODES)
        lines.append(f'    {name}{before}"{quoted}"{after}')
    lines += [f"    {one} --- {other}" for one, other in graph.edges]
    return "\n".join([*lines, ""])


FORMATS: Mapping[str, Callable[[Graph], str]] = {"dot": dot, "mermaid": mermaid}
"""The languages of graphs."""


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
