"""The versions in the client's table of features, held against what the server does."""

from __future__ import annotations

import requests

from baremetalclient.v1.node import features

REFUSALS = (404, 405, 406)
READ = [
    (features.TRAITS, "traits"),
    (features.VIFS, "vifs"),
    (features.HISTORY, "history"),
    (features.CHILDREN, "children"),
    (features.BIOS, "bios"),
    (features.BIOS_DETAIL, "bios?detail=True"),
    (features.FIRMWARE, "firmware"),
]
CHANGED = [
    (features.SOFT_POWER, "PUT", "states/power", {"target": "soft power off"}),
    (features.POWER_TIMEOUT, "PUT", "states/power", {"target": "power off", "timeout": 60}),
    (features.BOOT_MODE, "PUT", "states/boot_mode", {"target": "uefi"}),
    (features.RAID, "PUT", "states/raid", {}),
    (features.NMI, "PUT", "management/inject_nmi", {}),
    (features.VMEDIA, "DELETE", "vmedia", None),
    (features.VMEDIA_LIST, "GET", "vmedia", None),
]


def test_features_are_there_since_their_versions(server_url, make_node, newest):
    problems = []

    def ask(feature, method, path, body=None):
        """Return the status in the version before the feature, and in that of the feature."""
        if feature.since > newest:
            return None
        url = f"{server_url}/v1/nodes/{make_node().uuid}/{path}"
        return [
            requests.request(
                method,
                url,
                json=body,
                headers={"X-OpenStack-Ironic-API-Version": f"1.{minor}"},
                timeout=60,
            ).status_code
            for minor in (feature.since.minor - 1, feature.since.minor)
        ]

    def check(name, statuses, before, since):
        if statuses and not (before(statuses[0]) and since(statuses[1])):
            problems.append((name, statuses))

    for verb, feature in features.PROVISION_VERBS.items():
        found = ask(feature, "PUT", "states/provision", {"target": verb})
        check(verb, found, lambda status: status in (400, 406), lambda status: status != 406)
    for feature, path in READ:
        found = ask(feature, "GET", path)
        check(path, found, lambda status: status >= 400, lambda status: status == 200)
    for feature, method, path, body in CHANGED:
        found = ask(feature, method, path, body)
        check(path, found, REFUSALS.__contains__, lambda status: status not in REFUSALS)
    assert problems == []
