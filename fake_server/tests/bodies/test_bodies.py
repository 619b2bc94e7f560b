"""Bodies are accepted or refused as Cinder's and Nova's schemas say, and none does half of it."""

from __future__ import annotations

import re

import pytest
import sqlalchemy as sa

from fake_server.tests.bodies import published
from fake_server.tests.policies.test_matrix import Everything
from fake_server.tests.wsgi import request

pytestmark = pytest.mark.night("sends some ten thousand bodies")
SERVICES = {"cinder": "volume", "nova": "compute"}
#: What is said of a body that its schema refuses.
_REFUSED = re.compile(
    r"^Invalid input for (field/attribute|query)|is a required property|is not of type"
    r"|Additional properties are not|does not have enough properties|has too many properties"
    r"|is not valid under|not match any of the regexes|should be non-empty"
)
#: Bodies that aren't the JSON that they say.
_BROKEN = {
    "nothing": b"",
    "no JSON": b"{",
    "NaN": b'{"%s": NaN}',
    "an infinity": b'{"%s": {"size": 1e999}}',
    "no UTF-8": b'{"%s": "\xff\xfe"}',
    "half a surrogate pair": b'{"%s": {"name": "\\ud800"}}',
    "a list": b"[]",
    "null": b"null",
    "deep": b'{"%s": ' + b"[" * 20_000 + b"]" * 20_000 + b"}",
}


#: What a schema accepts that makes the service itself fail; it is refused instead.
_FAILING = {
    "PUT /default-types/DEMO": ["default_type = absent"],
    "POST /servers": ["server/min_count = digits", "server/max_count = digits"],
    "POST /servers/SERVER/action": ["createBackup/rotation = digits"],
    "POST /os-server-groups": ["server_group/rules/max_server_per_host = digits"],
}


class Cloud(Everything):
    """A cloud with what the bodies name, as an administrator has it."""

    def __init__(self):
        super().__init__()
        self._be("admin")
        self.add(
            "SPECS", "volume", "/qos-specs", {"qos_specs": {"name": "s", "a": "b"}}, "qos_specs"
        )
        # To list groups makes the one of a project.
        self.cloud.get("network", "/security-groups")
        self.cloud.app.control.snapshots.take("filled")
        self.state = self.cloud.app.store.state
        self.filled = self.contents()

    def contents(self):
        """Return all that the database has, but what is noted of requests that failed."""
        store = self.cloud.app.store
        with store.transaction(write=False) as tx:
            tables = store.metadata.sorted_tables
            kept = [table for table in tables if table.name != "compute_actions"]
            return {table.name: tx.all(sa.select(table)) for table in kept}

    def asked(self, row, version, body):
        """Return status and message of an answer, and whether anything has changed."""
        before = self.state()
        service = SERVICES[row.place.partition(".")[0]]
        status, answer = self.send(service, row.method, row.path, body, version)
        changed = self.state() != before and (status < 400 or self.contents() != self.filled)
        if changed:
            self.restore()
        (fault,) = answer.values() if isinstance(answer, dict) and len(answer) == 1 else ({},)
        return status, str(fault.get("message", "")) if isinstance(fault, dict) else "", changed


ROWS = [
    pytest.param(row, version, id=f"{row.place}@{version}")
    for service in SERVICES
    for row in published.read(service)
    for version in dict.fromkeys(row.versions)
    if version != "first"
]


@pytest.fixture(scope="module")
def cloud():
    return Cloud()


@pytest.mark.parametrize(("row", "version"), ROWS)
def test_bodies_are_accepted_as_published(cloud, row, version):
    wrong = []
    for called, body, accepted in published.bodies(row):
        status, message, changed = cloud.asked(row, version, body)
        if called in _FAILING.get(f"{row.method} {row.path}", ()):
            accepted = False
        refused = status == 400 and _REFUSED.search(message)
        fits = not refused if accepted else status == 400
        if (status >= 500 and status != 501) or not fits or (changed and status >= 400):
            verdict = "accepted" if accepted else "refused"
            wrong.append(f"{called}: to be {verdict}, is answered {status} {message[:200]}")
    assert not wrong, f"{row.method} {row.path}\n" + "\n".join(wrong)


@pytest.mark.parametrize("kind", _BROKEN)
@pytest.mark.parametrize("service", SERVICES)
def test_no_body_that_is_not_json_is_taken(cloud, service, kind):
    wrong = []
    newest = {(row.method, row.path, *row.body): row for row in published.read(service)}
    for row in newest.values():
        key = next(iter(row.body), "x").encode()
        body = _BROKEN[kind].replace(b"%s", key)
        path = cloud._path(f"/{'volume/v3' if service == 'cinder' else 'compute/v2.1'}{row.path}")
        versions = f"volume {row.versions[1]}, compute {row.versions[1]}"
        headers = {
            "HTTP_X_AUTH_TOKEN": cloud.cloud.token,
            "HTTP_OPENSTACK_API_VERSION": versions,
            "CONTENT_TYPE": "application/json",
        }
        before = cloud.state()
        answer = cloud.cloud.app.answer(request(row.method, path, body, **headers))
        changed = cloud.state() != before and cloud.contents() != cloud.filled
        if answer.status != 400 or changed:
            wrong.append(f"{row.method} {row.path} {key!r}: {answer.status} {answer.body[:200]!r}")
    assert not wrong, "\n".join(wrong)
