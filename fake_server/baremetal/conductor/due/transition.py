"""The work that a conductor has planned at a node, which it reserves until then."""

from __future__ import annotations

from fake_server.baremetal.conductor import work
from fake_server.baremetal.conductor.due.at_node import AtNode

KINDS = tuple(AtNode(name, work.resume, one.transition) for name, one in work.WORK.items())
