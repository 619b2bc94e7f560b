"""A long walk through all services with known secrets: none is in what is kept to be shown.

Searched are the log of the server, which has everything at level DEBUG, what ``baremetal --debug``
prints, the log of requests in both forms, the report, and what the page gets.
"""

from __future__ import annotations

import base64
import io
import json
import logging
import os
import random
from urllib.parse import quote

import pytest
import requests

from baremetalclient.tests.functional.cli import run_in_process
from fake_server.baremetal.models.nodes import NODES
from fake_server.server import FakeServer
from fake_server.settings import Settings

_STEPS = 100


class Walk:
    """Sends requests with secrets, and notes those that the services make.

    :param server: one with Keystone.
    """

    def __init__(self, server, seed):
        self.random = random.Random(seed)
        self.server = server
        self.secrets = {"secret"}
        self.session = requests.Session()
        self.session.headers["X-OpenStack-Ironic-API-Version"] = "1.115"
        self.session.headers["OpenStack-API-Version"] = "compute 2.37"
        identity = {
            "methods": ["password"],
            "password": {"user": self.user("secret")},
        }
        answer = self.send(
            "POST",
            "/identity/v3/auth/tokens",
            {"auth": {"identity": identity, "scope": {"system": {"all": True}}}},
        )
        self.token = answer.headers["X-Subject-Token"]
        self.secrets.add(self.token)
        self.session.headers["X-Auth-Token"] = self.token
        self.nodes = []

    def secret(self):
        """Return a new secret, some with characters that are quoted in URLs or JSON."""
        made = (
            f"s3c-{self.random.getrandbits(64):x}{self.random.choice(['', '/+', ' =&', chr(34)])}"
        )
        self.secrets.add(made)
        return made

    def user(self, password):
        return {"name": "admin", "domain": {"id": "default"}, "password": password}

    def send(self, method, path, body=None, **more):
        data = body if isinstance(body, str | bytes) else None
        content = None if data is not None else body
        return self.session.request(
            method, f"{self.server.url}{path}", json=content, data=data, timeout=30, **more
        )

    def learn(self, found, *names):
        """Note the values of these names in an answer, at any depth."""
        waiting = [found.json()] if found.ok else []
        while waiting:
            value = waiting.pop()
            if isinstance(value, dict):
                for name in names:
                    if isinstance(value.get(name), str):
                        self.secrets.add(value[name])
                waiting += value.values()
            elif isinstance(value, list):
                waiting += value

    def node(self):
        if not self.nodes or self.random.random() < 0.1:
            info = {
                name: self.secret()
                for name in (
                    *("ipmi_password", "redfish_password", "snmp_auth_key", "snmp_priv_key"),
                    *("snmp_community", "snmp_community_read", "ipmi_hex_kg_key"),
                )
            }
            made = self.send("POST", "/v1/nodes", {"driver": "fake-hardware", "driver_info": info})
            self.nodes.append(made.json()["uuid"])
        return self.random.choice(self.nodes)

    def patch_node(self):
        field = self.random.choice(["/driver_info/ipmi_password", "/driver_info/snmp_priv_key"])
        operations = [{"op": "add", "path": field, "value": self.secret()}]
        self.send("PATCH", f"/v1/nodes/{self.node()}", operations)

    def chap(self):
        properties = {"auth_method": "CHAP", "auth_username": "u", "auth_password": self.secret()}
        target = {"volume_type": "iscsi", "volume_id": "v", "boot_index": len(self.secrets)}
        node = {"node_uuid": self.node(), "properties": properties}
        made = self.send("POST", "/v1/volume/targets", target | node)
        patch = [{"op": "add", "path": "/properties/auth_password", "value": self.secret()}]
        self.send("PATCH", f"/v1/volume/targets/{made.json().get('uuid')}", patch)

    def deploy(self):
        body = {"target": "active", "configdrive": self.secret()}
        self.send("PUT", f"/v1/nodes/{self.node()}/states/provision", body)
        body = {"target": "rescue", "rescue_password": self.secret()}
        self.send("PUT", f"/v1/nodes/{self.node()}/states/provision", body)

    def temporary_url(self):
        url = (
            f"http://swift/v1/a/c/i?temp_url_sig={quote(self.secret(), safe='')}&temp_url_expires=1"
        )
        patch = [{"op": "add", "path": "/instance_info/image_source", "value": url}]
        self.send("PATCH", f"/v1/nodes/{self.node()}", patch)
        self.send("GET", f"/image/v2/images?temp_url_sig={quote(self.secret(), safe='')}")
        for place in ("/instance_info/kernel", "/extra/a", "/driver_info/redfish_address"):
            url = f"https://user:{self.quoted()}@host/i?x=1&sig={self.quoted()}"
            patch = [{"op": "add", "path": place, "value": url}]
            self.send("PATCH", f"/v1/nodes/{self.node()}", patch)
            self.send("GET", f"/v1/nodes?owner={quote(url)}")

    def quoted(self):
        """Return a new secret as a URL has it."""
        made = quote(self.secret(), safe="")
        self.secrets.add(made)
        return made

    def agent(self):
        found = self.send("GET", f"/v1/lookup?node_uuid={self.node()}")
        self.learn(found, "agent_token")
        body = {"callback_url": "http://agent", "agent_token": self.secret()}
        self.send("POST", f"/v1/heartbeat/{self.node()}", body)

    def wrong_password(self):
        identity = {"methods": ["password"], "password": {"user": self.user(self.secret())}}
        self.send("POST", "/identity/v3/auth/tokens", {"auth": {"identity": identity}})
        totp = {"user": {**self.user(""), "passcode": self.secret()}}
        identity = {"methods": ["totp"], "totp": totp}
        self.send("POST", "/identity/v3/auth/tokens", {"auth": {"identity": identity}})

    def account(self):
        made = self.send(
            "POST",
            "/identity/v3/users",
            {"user": {"name": f"u{self.random.getrandbits(60)}", "password": self.secret()}},
        )
        ident = made.json()["user"]["id"]
        self.send("PATCH", f"/identity/v3/users/{ident}", {"user": {"password": self.secret()}})
        change = {"user": {"original_password": self.secret(), "password": self.secret()}}
        self.send("POST", f"/identity/v3/users/{ident}/password", change)
        blob = json.dumps({"access": "a", "secret": self.secret()})
        for kind, text in (("ec2", blob), ("totp", self.secret())):
            credential = {"type": kind, "blob": text, "user_id": ident}
            self.send("POST", "/identity/v3/credentials", {"credential": credential})

    def keys_of_the_caller(self):
        me = self.send("GET", "/identity/v3/auth/tokens", headers={"X-Subject-Token": self.token})
        ident = me.json()["token"]["user"]["id"]
        users = f"/identity/v3/users/{ident}"
        projects = self.send("GET", "/identity/v3/auth/projects").json()["projects"]
        made = self.send("POST", f"{users}/credentials/OS-EC2", {"tenant_id": projects[0]["id"]})
        self.learn(made, "secret")
        name = f"a{self.random.getrandbits(60)}"
        credential = {"application_credential": {"name": name, "secret": self.secret()}}
        self.send("POST", f"{users}/application_credentials", credential)

    def server_of_nova(self):
        made = self.send(
            "POST",
            "/compute/v2.1/servers",
            {
                "server": {
                    "name": "s",
                    "flavorRef": "1",
                    "networks": "none",
                    "adminPass": self.secret(),
                }
            },
        )
        self.learn(made, "adminPass")
        self.send(
            "POST",
            "/compute/v2.1/servers/x/action",
            {"rescue": {"adminPass": self.secret()}},
        )
        pair = {"keypair": {"name": f"k{self.random.getrandbits(60)}"}}
        self.learn(self.send("POST", "/compute/v2.1/os-keypairs", pair), "private_key")

    def volume(self):
        info = {"data": {"auth_password": self.secret(), "auth_username": "u"}}
        self.send("PUT", "/volume/v3/attachments/x", {"attachment": {"connector": info}})
        accept = {"accept": {"auth_key": self.secret()}}
        self.send("POST", "/volume/v3/volume-transfers/x/accept", accept)

    def object_storage(self):
        account, sig = "/object-store/v1/AUTH_x", quote(self.secret(), safe="")
        key = {"X-Account-Meta-Temp-URL-Key": quote(self.secret())}
        self.secrets.add(key["X-Account-Meta-Temp-URL-Key"])
        self.send("POST", account, headers=key)
        self.send("GET", f"{account}/c/o?temp_url_sig={sig}&temp_url_expires=1")

    def download(self):
        identity = {"methods": ["password"], "password": {"user": self.user("secret")}}
        scope = {"project": {"name": "admin", "domain": {"id": "default"}}}
        body = {"auth": {"identity": identity, "scope": scope}}
        token = self.send("POST", "/identity/v3/auth/tokens", body).headers["X-Subject-Token"]
        self.secrets.add(token)
        headers = {"X-Auth-Token": token}
        formats = {"disk_format": "raw", "container_format": "bare"}
        image = self.send("POST", "/image/v2/images", formats, headers=headers).json()["id"]
        sig = quote(self.secret(), safe="")
        url = f"{self.server.url}/object-store/v1/AUTH_x/c/o?temp_url_sig={sig}&temp_url_expires=1"
        if self.random.random() < 0.5:
            url = f"http://user:{self.quoted()}@127.0.0.1:1/x"
        method = {"name": "web-download", "uri": url}
        path = f"/image/v2/images/{image}/import"
        found = self.send("POST", path, {"method": method}, headers=headers)
        assert found.status_code == 202

    def broken(self):
        """Send what can't be read, or isn't there, with secrets in it."""
        service = self.random.choice(["/v1/nodes", "/image/v2/images", "/networking/v2.0/networks"])
        self.send("POST", service, f'{{"password": "{self.secret()}"')
        self.send("POST", service, f"password={quote(self.secret())}")
        self.send("GET", f"{service}?password={quote(self.secret(), safe='')}")
        self.send("GET", service, headers={"X-Auth-Token": quote(self.secret())})
        plain = f"u:{self.secret()}"
        encoded = base64.b64encode(plain.encode()).decode()
        self.secrets.add(encoded)
        self.send("GET", service, headers={"Authorization": f"Basic {encoded}"})

    def crash(self, monkeypatch):
        """Have the server fail in the middle, with the values of the request in its exception."""
        with monkeypatch.context() as patched:

            def fail(_session, values):
                raise ValueError(f"can't store {values!r}")

            patched.setattr(NODES, "create", fail)
            info = {"ipmi_password": self.secret(), "snmp_auth_key": self.secret()}
            body = {"driver": "fake-hardware", "driver_info": info}
            assert self.send("POST", "/v1/nodes", body).status_code == 500

    def go(self):
        acts = [
            *(self.patch_node, self.chap, self.deploy, self.temporary_url, self.agent),
            *(self.wrong_password, self.account, self.keys_of_the_caller, self.server_of_nova),
            *(self.volume, self.object_storage, self.download, self.broken),
        ]
        for act in [*acts, *self.random.choices(acts, k=_STEPS)]:
            act()


@pytest.fixture
def log():
    """Everything that is logged in this process, as text."""
    text = io.StringIO()
    handler = logging.StreamHandler(text)
    root, level = logging.getLogger(), logging.getLogger().level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    logging.getLogger("urllib3").setLevel(logging.INFO)  # the client of this test itself
    yield text
    logging.getLogger("urllib3").setLevel(logging.NOTSET)
    root.removeHandler(handler)
    root.setLevel(level)


def spellings(secret):
    return {secret, quote(secret, safe=""), json.dumps(secret)[1:-1]}


@pytest.mark.rows
@pytest.mark.parametrize("seed", range(2))
def test_no_secret_is_in_what_is_shown(log, seed, monkeypatch):
    settings = Settings(auth="keystone")
    with FakeServer(settings) as server:
        walk = Walk(server, seed)
        walk.go()
        walk.crash(monkeypatch)
        shown = {
            form: requests.get(f"{server.url}/_fake/{form}", timeout=30).text
            for form in (
                "requests",
                "requests?format=har",
                "unmet",
                "overview",
                "report",
                "timeline",
            )
        }
        shown["report"] = server.report()
    shown["log"] = log.getvalue()
    assert "POST /v1/nodes failed" in shown["log"]
    assert len(json.loads(shown["requests"])["requests"]) > 200
    # The password of the accounts is an ordinary word.
    known = {one for secret in walk.secrets - {"secret"} for one in spellings(secret)}
    assert len(known) > 150
    found = {place: [one for one in known if one in text] for place, text in shown.items()}
    assert {place: one for place, one in found.items() if one} == {}


def test_no_secret_is_in_what_the_client_prints():
    with FakeServer(Settings(auth="keystone")) as server:
        environment = {
            **os.environ,
            **{"OS_AUTH_URL": f"{server.url}/identity/v3", "OS_SYSTEM_SCOPE": "all"},
            **{"OS_USERNAME": "admin", "OS_PASSWORD": "secret", "OS_USER_DOMAIN_ID": "default"},
        }
        walk = Walk(server, 7)
        words = ["node", "create", "--driver", "fake-hardware", "--name", "n"]
        for name in ("ipmi_password", "snmp_auth_key", "snmp_priv_key", "snmp_community"):
            words += ["--driver-info", f"{name}={walk.secret()}"]
        text = ""
        target = ["--type", "iscsi", "--boot-index", "0", "--volume-id", "v", "--node", "{node}"]
        chap = ["--property", f"auth_password={walk.secret()}"]
        commands = [
            words,
            ["node", "show", "n"],
            ["node", "set", "n", "--driver-info", f"redfish_password={walk.secret()}"],
            ["volume", "target", "create", *target, *chap],
            ["node", "list", "--long"],
        ]
        for command in commands:
            node = server.nodes["n"].uuid if "{node}" in command else ""
            given = [node if word == "{node}" else word for word in command]
            done = run_in_process(["--debug", *given], environment)
            assert done.code == 0, done.err[-500:]
            text += done.out + done.err
        tokens = {dict(one.answer_headers).get("X-Subject-Token") for one in server.requests.find()}
    assert "POST" in text
    known = {
        one for secret in (walk.secrets | tokens) - {"secret", None} for one in spellings(secret)
    }
    assert [one for one in known if one in text] == []
    assert "'secret'" not in text
