"""The commands about nodes are found under the same topics as the calls of the SDK."""

from __future__ import annotations

from pathlib import Path

import baremetalclient

ROOT = Path(baremetalclient.__file__).parent


def topics(folder):
    return {path.name for path in (ROOT / folder).glob("*.py")}


def test_commands_about_nodes_have_the_topics_of_the_sdk():
    assert len(topics("osc/v1/node")) > 8
    assert topics("osc/v1/node") <= topics("v1/node")


def test_the_other_services_have_the_same_modules():
    assert topics("block_storage") == topics("compute") >= {"service.py", "lookup.py", "waiting.py"}
