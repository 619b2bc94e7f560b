"""The results of a sweep as JUnit's XML, which CI systems show."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from fake_server.sweep.judge import VERDICTS

if TYPE_CHECKING:
    from collections.abc import Collection

    from fake_server.sweep.results import Case, Results

#: What XML 1.0 can't hold.
_INVALID = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def text(results: Results, allowed: Collection[str]) -> str:
    """Return the results, a test case for each case.

    :param allowed: verdicts that are no failures.
    """
    failed = [case for case in results.cases if case.verdict not in allowed]
    skipped = [case for case in results.cases if case.verdict == "not-reached"]
    suite = ET.Element(
        "testsuite",
        name="sweep",
        tests=str(len(results.cases)),
        failures=str(len(failed)),
        skipped=str(len(skipped)),
        time=f"{sum(case.seconds for case in results.cases):.3f}",
    )
    for case in results.cases:
        element = ET.SubElement(
            suite,
            "testcase",
            classname=_valid(case.request),
            name=case.kind,
            time=f"{case.seconds:.3f}",
        )
        if case in failed:
            message = f"{case.verdict}: {VERDICTS[case.verdict]}"
            ET.SubElement(element, "failure", message=message).text = _valid(told(case))
        elif case in skipped:
            ET.SubElement(element, "skipped", message=VERDICTS[case.verdict])
    ET.indent(suite)
    return ET.tostring(suite, encoding="unicode", xml_declaration=True)


def told(case: Case) -> str:
    """Return what differs, and what the program printed."""
    lines = [
        f"{one.path}: {json.dumps(one.found)} instead of {json.dumps(one.expected)}"
        for one in case.difference
    ]
    return "\n".join([*lines, *(["It printed:", case.output_tail] if case.output_tail else [])])


def _valid(value: str) -> str:
    return _INVALID.sub("\N{REPLACEMENT CHARACTER}", value)
