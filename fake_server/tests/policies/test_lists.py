"""No list shows a member what another project has, whatever its query asks for.

That projects don't see each other's resources is what all policies that the services publish begin
with; ``all_tenants`` and the like are for administrators, as the API references say.
"""

from __future__ import annotations

import json

import pytest

from fake_server.control import services
from fake_server.networking.kinds import KINDS
from fake_server.tests.policies import test_references

filled = test_references.filled
#: What could widen a list to other projects, of any of the services.
QUERIES = (
    *("", "all_tenants=1", "all_tenants=True", "all_tenants", "all_projects=1", "deleted=true"),
    *("project_id=DEMO", "tenant_id=DEMO", "all_tenants=1&project_id=DEMO", "owner=DEMO"),
    *("visibility=private", "visibility=all", "visibility=shared", "member_status=all"),
    *("owner=DEMO&visibility=private", "target_tenant=DEMO", "shared=false", "is_public=None"),
    "changes-since=2000-01-01T00:00:00Z",
)
#: What only the project "demo" has.
HIDDEN = (
    *("NETWORK", "SUBNET", "PORT", "SECOND", "GROUP", "RULE", "VOLUME", "SPARE", "SERVER", "QOS"),
    *("AFFINE", "SNAPSHOT", "BACKUP", "POOL", "SCOPE", "ADDRESSES", "SECRET", "HIDDEN"),
)


def lists(service):
    """Yield the addresses that can be read and name nothing but a collection."""
    for address, methods in services.addresses(service).items():
        kinds = [kind.replace("_", "-") for kind in KINDS] if "{kind}" in address else [""]
        for path in [address.replace("{kind}", kind) for kind in kinds]:
            if "GET" in methods and "{" not in path:
                yield path


@pytest.fixture(scope="module")
def other(filled):
    filled.log_in("other-member", "other")
    filled.ids["OTHER"] = filled.cloud.log_in("other-member", "other")["project"]["id"]
    return filled


@pytest.mark.parametrize("service", ["volume", "compute", "networking", "image"])
def test_no_list_shows_what_another_project_has(other, service):
    hidden = {name: other.ids[name] for name in HIDDEN}
    name = {"networking": "network"}.get(service, service)
    shown, answered = [], set()
    for path in lists(service):
        for query in QUERIES:
            asked = f"{path.removeprefix('/v2.0').removeprefix('/v2')}?{query}".removesuffix("?")
            status, answer = other.send(name, "GET", asked)
            text = json.dumps(answer)
            answered.add((path, status))
            shown += [f"{asked}: {what}" for what, ident in hidden.items() if ident in text]
    assert shown == []
    assert sum(status == 200 for _, status in answered) > 3
