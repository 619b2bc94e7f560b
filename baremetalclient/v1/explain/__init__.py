"""Explanations of nodes: their problems, and what to do about them.

``facts`` fetches the data, ``rules`` is the table of problems, and rules yield findings.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from baremetalclient.v1.explain.facts import Facts, gather
from baremetalclient.v1.explain.finding import SEVERITIES
from baremetalclient.v1.explain.rules import RULES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from baremetalclient.v1.explain.finding import Finding
    from baremetalclient.v1.objects import Explanation


def explain(
    nodes: Any, ident: object, call: Mapping[str, Any], *, all_findings: bool = False
) -> Explanation:
    """Return the explanation of a node; see :meth:`.NodeManager.explain`.

    :param nodes: the manager of nodes.
    :param ident: the UUID or name of the node, not yet checked.
    """
    return explanation_of(gather(nodes, ident, call), all_findings=all_findings)


def explanation_of(facts: Facts, *, all_findings: bool = False) -> Explanation:
    """Return the explanation that follows from facts."""
    found: list[tuple[str, Finding]] = [
        (name, finding)
        for name, rule in RULES.items()
        for finding in rule(facts)
        if all_findings or not finding.is_optional
    ]
    found.sort(key=lambda item: SEVERITIES.index(item[1].severity))
    commands = [finding.command for _, finding in found if finding.command is not None]
    return {
        "name": facts.node.get("name"),
        "uuid": facts.node["uuid"],
        "provision_state": facts.state,
        "since": facts.since.isoformat() if facts.since else None,
        "last_heartbeat": facts.heartbeat.isoformat() if facts.heartbeat else None,
        "step": facts.step,
        "findings": [
            {
                "rule": name,
                "severity": finding.severity,
                "text": finding.text,
                "quote": finding.quote,
                "checks": list(finding.checks),
                "command": finding.command.text if finding.command else None,
            }
            for name, finding in found
        ],
        "verbs": list(facts.verbs),
        "next": next((command.text for command in commands if command.is_step), None),
    }
