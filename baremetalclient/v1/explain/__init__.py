"""Explanations of nodes: their problems, and what to do about them.

``facts`` fetches the data, ``rules`` is the table of problems, and rules yield findings;
``known_errors`` tells the usual cause of an error.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from baremetalclient.v1.explain.finding import SEVERITIES, command
from baremetalclient.v1.explain.known_errors import cause_of
from baremetalclient.v1.explain.rules import RULES
from baremetalclient.v1.provision_states import find_state

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from baremetalclient.v1.explain.facts import Facts
    from baremetalclient.v1.explain.finding import RuleFinding
    from baremetalclient.v1.objects import Explanation

_STOPS = re.compile(r"(?<!\.)\.\.$")
"""The end of a message that quotes a sentence, and ends as one itself."""
# The address of the documentation, which doc/source/contributing/releasing.rst tells of.
_FINDINGS = "https://baremetalclient.readthedocs.io/en/latest/reference/findings.html"


def explanation_of(facts: Facts, *, all_findings: bool = False) -> Explanation:
    """Return the explanation that follows from facts; see :meth:`.NodeManager.explain`."""
    found: list[tuple[str, RuleFinding]] = [
        (name, finding)
        for name, rule in RULES.items()
        for finding in rule(facts)
        if all_findings or not finding.is_optional
    ]
    found.sort(key=lambda item: SEVERITIES.index(item[1].severity))
    commands = [finding.command for _, finding in found if finding.command is not None]
    step = next((command.text for command in commands if command.is_step), None)
    age = facts.age(facts.since)
    return {
        "name": facts.node.get("name"),
        "uuid": facts.node["uuid"],
        "provision_state": facts.state,
        "since": _shown(facts.since),
        "seconds": None if age is None else int(age.total_seconds()),
        "last_heartbeat": _shown(facts.heartbeat),
        "step": facts.step,
        "findings": [
            {
                "rule": name,
                "link": f"{_FINDINGS}#{name}",
                "severity": finding.severity,
                "text": finding.text,
                "quote": finding.quote and _STOPS.sub(".", finding.quote),
                "cause": cause_of(finding.quote, facts.node.get("driver_info")),
                "checks": list(finding.checks),
                "command": finding.command.text if finding.command else None,
                "blanks": [
                    {"word": word, "name": blank}
                    for word, blank in (finding.command.blanks if finding.command else ())
                ],
            }
            for name, finding in found
        ],
        "verbs": list(facts.verbs),
        "next": step,
        "advice": step or _advice(facts, [finding for _, finding in found]),
    }


def _advice(facts: Facts, findings: Sequence[RuleFinding]) -> str:
    """Return what to do where no command of the findings can be run as it is."""
    state = find_state(facts.state)
    first = next((one for one in findings if one.command is not None), None)
    busy = state.is_moving or facts.node.get("reservation")
    if busy and (first is None or first.severity != "error"):
        target = facts.node.get("target_provision_state")
        goal = f"provision_state={target}" if target else f"provision_state!={facts.state}"
        goal = goal if state.is_moving else "not reservation"
        return command("node", "wait", facts.ident, "--for", goal, "--timeout", "30m").text
    if first is not None and first.command is not None:
        return first.command.advice
    if facts.state == "available":
        return f"{command('node', 'deploy', facts.ident).text} (once the node is to be used)"
    return f"no need to act: {state.meaning or 'the node is in a stable state'}"


def _shown(time: datetime | None) -> str | None:
    return None if time is None else time.isoformat(timespec="seconds")
