"""Words that nodes can be told, for programs written for python-ironicclient."""

from __future__ import annotations

from baremetalclient._resource.arguments import HTTP_VERBS
from baremetalclient._resource.fields import words_of
from baremetalclient.v1.provision_states import VERBS

_QUICK = ("adopt", "inspect", "manage")

PROVISION_ACTIONS = {
    name: verb.to and {"expected_state": verb.to, "poll_interval": 2 if name in _QUICK else 10}
    for name, verb in VERBS.items()
    if name not in ("deploy", "undeploy")
}
"""The provision verbs, with arguments of ``wait_for_provision_state()`` where one can wait."""

PROVISION_STATES = list(PROVISION_ACTIONS)
"""The provision verbs, by the name that python-ironicclient has for them."""

BOOT_DEVICES = list(words_of("baremetalclient.v1.types", "BootDevice", closed=False))
"""The devices that a node can boot from."""

HTTP_METHODS = list(HTTP_VERBS)
"""The HTTP methods of vendor methods."""
