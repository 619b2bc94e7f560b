"""A cloud with something of everything, for tests that compare its answers with recorded ones."""

from __future__ import annotations

import json
import re

import yaml

from fake_server.sweep import state
from fake_server.tests.compute.conftest import Cloud

UUID = re.compile(r"[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}")
CHANGING = re.compile(
    r"fa:16:3e(:[0-9a-f]{2}){3}|\br-[0-9a-z]{8}\b|gAAAA[\w-]+"
    r"|(?<=\"adminPass\": \")[^\"]+|(?<=\"secret\": \")[^\"]+"
    r"|(?<=\"auth_password\": \")[^\"]+|(?<=\"auth_username\": \")[^\"]+"
)
IMAGE = "3a8b6a6b-0b2d-4d7c-9b8b-6f9c0a5c1d11"
CONSUMER = "8b6a6b0e-0b2d-4d7c-9b8b-6f9c0a5c1d11"
NEW_CONSUMER = "8b6a6b0e-0b2d-4d7c-9b8b-6f9c0a5c1d22"
AGGREGATE = "4e8e5957-649f-477b-9e5b-f1f75b21c03c"
PUBLIC = {"id": "flavor-public", "name": "gold", "ram": 1024, "vcpus": 1, "disk": 10}
PRIVATE = {
    "id": "flavor-private",
    "name": "private",
    "ram": 1,
    "vcpus": 1,
    "disk": 1,
    "os-flavor-access:is_public": False,
}
OWNER = {"project_id": "p", "user_id": "u", "consumer_generation": None}
PARTS = (
    ("inventories", {"inventories": {"VCPU": {"total": 8}, "MEMORY_MB": {"total": 4096}}}),
    ("traits", {"traits": ["HW_CPU_X86_AVX"]}),
    ("aggregates", {"aggregates": [AGGREGATE]}),
)
#: Accounts and their projects, by what records call them.
ACCOUNTS = {
    "other": ("other-member", "other"),
    "reader": ("project-reader", "demo"),
    "system": ("system-reader", None),
    "member": ("project-member", "demo"),
    "lead": ("project-admin", "demo"),
    "operator": ("system-member", None),
    "nova": ("nova", "service"),
    "admin": ("admin", "admin"),
}
#: What the members of a project make: a name for its id, the service, the path, and the body.
OWN = yaml.safe_load("""
- [NETWORK, network, /networks, {network: {name: net}}]
- [SUBNET, network, /subnets, {subnet: {network_id: NETWORK, ip_version: 4, cidr: 10.2.0.0/24}}]
- [PORT, network, /ports, {port: {network_id: NETWORK}}]
- [SECOND, network, /ports, {port: {network_id: NETWORK}}]
- [GROUP, network, /security-groups, {security_group: {name: g}}]
- [RULE, network, /security-group-rules,
   {security_group_rule: {security_group_id: GROUP, direction: ingress}}]
- [VOLUME, volume, /volumes, {volume: {size: 1, name: v}}]
- [SPARE, volume, /volumes, {volume: {size: 1, name: w}}]
- [SERVER, compute, /servers,
   {server: {name: s, flavorRef: FLAVOR, imageRef: IMAGE, networks: none}}]
""")


def said(answer):
    """Return the sentences of an error of any of the services, and its type, as one text."""
    found = []

    def collect(value):
        if isinstance(value, dict):
            for name, one in sorted(value.items()):
                if name in ("message", "detail", "type", "faultstring") and isinstance(one, str):
                    lines = [line for line in one.strip().splitlines() if line]
                    # Placement says what kind of error it is, and then what was wrong.
                    found.append(lines[1] if name == "detail" and lines[1:] else "".join(lines[:1]))
                collect(one)
        elif isinstance(value, list):
            for one in value:
                collect(one)

    collect(answer)
    return " ".join(dict.fromkeys(text.strip() for text in found))


class Filled:
    """A cloud with something of everything.

    :param auth: how its server knows who asks.
    :param options: other settings of the server.
    """

    def __init__(self, auth, **options):
        self.cloud = Cloud(auth=auth, **options)
        self.uses_accounts = auth == "keystone"
        self._rows = None, {}
        #: The ids of what there is, by what paths call it.
        self.ids = {
            "IMAGE": IMAGE,
            "CONSUMER": CONSUMER,
            "NEW": NEW_CONSUMER,
            "AGGREGATE": AGGREGATE,
        }
        self.log_in("admin", "admin")
        self._add_shared()
        self.log_in("project-member", "demo")
        self._add_own()
        self.cloud.app.control.snapshots.take("filled")

    def log_in(self, name, project):
        """Let requests come from an account, with the rights on the whole cloud for no project."""
        if not self.uses_accounts:
            return
        self.ids["MYSELF"] = self.cloud.log_in(name, project)["user"]["id"]

    def ask(self, service, method, path, body=None, version=None):
        """Return status and body of an answer, with names for ids."""
        status, answer = self.send(service, method, path, body, version)
        #: The last answer, with ids.
        self.answer = answer
        text = json.dumps(answer)
        for name, ident in self.ids.items():
            text = text.replace(ident, f"<{name}>")
        return status, json.loads(CHANGING.sub("<own>", UUID.sub("<id>", text)))

    def send(self, service, method, path, body=None, version=None):
        """Return status and body of an answer to a request with names for ids."""
        return self.cloud.send(service, method, self._path(path), self._with_ids(body), version)

    def restore(self):
        """Undo what requests have done since the cloud was filled."""
        self.cloud.app.control.snapshots.restore("filled")
        self._rows = None, {}

    def rows(self):
        """Return the rows of each table, read again only if something may have been written.

        When a node was locked is left out: as in Ironic, it was, even by a request that is refused.
        """
        store = self.cloud.app.store
        written = store.state()
        if written is None or written != self._rows[0]:
            rows = state.fetch(store).rows
            nodes = [{**row, "updated_at": None} for row in rows["nodes"]]
            self._rows = written, {**rows, "nodes": nodes}
        return self._rows[1]

    def _path(self, path):
        for name, ident in self.ids.items():
            path = path.replace(name, ident)
        return path

    def _with_ids(self, body):
        text = json.dumps(body)
        for name, ident in self.ids.items():
            text = text.replace(f'"{name}"', f'"{ident}"')
        return json.loads(text)

    def add(self, name, service, path, body, *keys):
        body = self._with_ids(body)
        status, found = self.cloud.send(service, "POST", self._path(path), body)
        assert status < 300, found
        for key in keys:
            found = found[key]
        self.ids[name] = found.get("id") or found.get("uuid")
        # Lists have an order.
        self.cloud.clock.advance(1)

    def _add_shared(self):
        for number in (1, 2):
            uuid = f"11111111-1111-4111-8111-11111111111{number}"
            self.ids["NODE"] = self.cloud.node(f"n{number}", uuid=uuid)
        self.add("FLAVOR", "compute", "/flavors", {"flavor": PUBLIC}, "flavor")
        specs = {"extra_specs": {"resources:CUSTOM_GOLD": "1"}}
        self.cloud("POST", f"/flavors/{PUBLIC['id']}/os-extra_specs", specs)
        self.add("PRIVATE", "compute", "/flavors", {"flavor": PRIVATE}, "flavor")
        self.add("TYPE", "volume", "/types", {"volume_type": {"name": "fast"}}, "volume_type")
        body = {"name": "p", "uuid": "22222222-2222-4222-8222-222222222222"}
        self.add("PROVIDER", "placement", "/resource_providers", body)
        path = f"/resource_providers/{self.ids['PROVIDER']}"
        for number, (part, value) in enumerate(PARTS):
            body = {"resource_provider_generation": number, **value}
            status, answer = self.cloud.send("placement", "PUT", f"{path}/{part}", body)
            assert status == 200, answer
        answer = self.cloud.send("placement", "PUT", f"/allocations/{CONSUMER}", self._claim())
        assert answer[0] == 204, answer

    def _claim(self):
        resources = {self.ids["PROVIDER"]: {"resources": {"VCPU": 2, "MEMORY_MB": 512}}}
        return {"allocations": resources, **OWNER, "consumer_type": "INSTANCE"}

    def _add_own(self):
        if self.uses_accounts:
            self.ids["MEMBER"] = self.ids["MYSELF"]
            credential = {"application_credential": {"name": "c", "secret": "s3cret"}}
            path = "/users/MEMBER/application_credentials"
            self.add("CREDENTIAL", "identity", path, credential, "application_credential")
        for name, service, path, body in OWN:
            self.add(name, service, path, body, *body)
        key = {"keypair": {"name": "k", "public_key": "ssh-rsa AAAAB3NzaC1yc2E= x"}}
        assert self.cloud("POST", "/os-keypairs", key)[0] < 300
        self.cloud.send("compute", "GET", "/servers/detail")
        body = {"volumeAttachment": {"volumeId": self.ids["VOLUME"]}}
        path = f"/servers/{self.ids['SERVER']}/os-volume_attachments"
        assert self.cloud.send("compute", "POST", path, body)[0] < 300
