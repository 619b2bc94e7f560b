"""Provoke every kind of failure, and print which classes catch each; a program like the others."""

# fake_server: {"auth": "keystone"}

import json
import logging
import os
import warnings

import requests
from keystoneauth1 import loading, session

from baremetalclient import client, exc

NODE = "7a1e7ad1-7c2e-4b6d-9d53-0b2f1b8a5e01"
OTHER = "7a1e7ad1-7c2e-4b6d-9d53-0b2f1b8a5e02"
AUTH_URL = os.environ["OS_AUTH_URL"]
SERVER = AUTH_URL.removesuffix("/identity/v3")
PASSWORD = {
    "auth_url": AUTH_URL,
    "username": "admin",
    "password": "secret",
    "user_domain_name": "Default",
    "project_name": "admin",
    "project_domain_name": "Default",
}
NOWHERE = "http://127.0.0.1:9"
NODE_PATH = f"/v1/nodes/{NODE}"


def make_session(**options):
    timeout = options.pop("timeout", 30)
    plugin = loading.get_plugin_loader("password").load_from_options(**{**PASSWORD, **options})
    return session.Session(auth=plugin, timeout=timeout)


def connect(version="1.80", **options):
    given = {"session": None if "auth_url" in options else make_session(), **options}
    return client.get_client(1, os_ironic_api_version=version, max_retries=0, **given)


def at(url, **options):
    return connect(session=make_session(**options), endpoint=url).node.list()


def with_fault(do, call, method="GET"):
    address = f"{SERVER}/_fake/faults"
    fault = {"match": {"method": method, "path": "/v1/*"}, "do": do}
    requests.post(address, json=fault, timeout=30).raise_for_status()
    try:
        return call()
    finally:
        requests.delete(address, headers={"Content-Type": "application/json"}, timeout=30)


def get():
    return connect().node.get(NODE)


def create():
    return connect().node.create(driver="fake-hardware")


def rename():
    return connect().node.update(NODE, [{"op": "add", "path": "/extra/a", "value": 1}])


def as_reader():
    return connect(session=make_session(username="project-reader", project_name="demo"))


def wait(state, **options):
    return connect().node.wait_for_provision_state(NODE, state, poll_interval=0.1, **options)


def status(number, headers=None):
    fault = {"status": number, "message": "no", **({"headers": headers} if headers else {})}
    return lambda: with_fault(fault, get)


def at_1_20(call):
    return lambda: call(connect("1.20"))


PLAIN = (300, 400, 401, 402, 403, 405, 406, 408, 409, 410, 415, 418, 422, 500, 501, 502, 504, 599)
LACKING = {
    "the path: volumes": lambda ironic: ironic.volume_target.list(),
    "the path: VIFs": lambda ironic: ironic.node.vif_list(NODE),
    "the path: allocations": lambda ironic: ironic.allocation.get("x"),
    "the method: allocations": lambda ironic: ironic.allocation.create(resource_class="x"),
    "the method: templates": lambda ironic: ironic.deploy_template.delete("x"),
    "traits: list": lambda ironic: ironic.node.get_traits(NODE),
    "traits: set": lambda ironic: ironic.node.set_traits(NODE, ["CUSTOM_A"]),
    "traits: remove": lambda ironic: ironic.node.remove_all_traits(NODE),
    "the field: create": lambda ironic: ironic.node.create(driver="fake-hardware", description="x"),
    "the field: list": lambda ironic: ironic.node.list(fields=["description"]),
    "the filter": lambda ironic: ironic.node.list(owner="x"),
}
SITUATIONS = {
    # The connection
    "Nothing listens at the endpoint": lambda: at(NOWHERE),
    "The name of the host is unknown": lambda: at("http://ironic.invalid:6385"),
    "TLS is expected, but the port is a plain one": lambda: at(SERVER.replace("http", "https")),
    "No answer within the time-out": lambda: with_fault(
        {"delay": 5},
        lambda: connect(session=make_session(timeout=0.3), endpoint=SERVER).node.list(),
    ),
    "The connection is lost while reading": lambda: with_fault({"drop": "before"}, get),
    # Nobody can tell one node without a name from another.
    "The connection is lost during a change": lambda: with_fault({"drop": "after"}, create, "POST"),
    "The endpoint is no URL": lambda: at("ironic:6385"),
    # Authentication
    "Wrong password, endpoint from the catalog": lambda: connect(
        **{**PASSWORD, "password": "wrong"}
    ).node.list(),
    "Wrong password, endpoint given": lambda: at(SERVER, password="wrong"),
    "Nothing listens at the auth_url": lambda: connect(
        **{**PASSWORD, "auth_url": f"{NOWHERE}/v3"}
    ).node.list(),
    "Nothing listens at the auth_url, endpoint given": lambda: at(SERVER, auth_url=f"{NOWHERE}/v3"),
    "Keystone is not at the auth_url": lambda: connect(
        **{**PASSWORD, "auth_url": f"{SERVER}/v1"}
    ).node.list(),
    "Keystone is not at the auth_url, endpoint given": lambda: at(SERVER, auth_url=f"{SERVER}/v1"),
    "No credentials and no endpoint": lambda: client.get_client(1).node.list(),
    "No password": lambda: client.get_client(1, auth_url=AUTH_URL, username="a").node.list(),
    "An unknown type of authentication": lambda: client.get_client(
        1, auth_type="bogus", **PASSWORD
    ).node.list(),
    "The session has no authentication plugin": lambda: connect(
        session=session.Session()
    ).node.list(),
    "The region is not in the catalog": lambda: connect(region_name="nowhere").node.list(),
    "The service is not in the catalog": lambda: connect(service_type="bogus").node.list(),
    "No token": lambda: client.get_client(1, endpoint=SERVER).node.list(),
    "A wrong token": lambda: client.get_client(1, endpoint=SERVER, token="wrong").node.list(),
    # Answers
    "The role may not do it": lambda: as_reader().node.create(driver="fake-hardware"),
    "The node does not exist": lambda: connect().node.get("nope"),
    "The name is taken": lambda: connect().node.create(driver="fake-hardware", name="taken"),
    "The state of the node forbids it": lambda: connect().node.set_provision_state(NODE, "active"),
    "The node is locked": lambda: with_fault({"locked": True}, rename, "PATCH"),
    **{f"HTTP {number}": status(number) for number in PLAIN},
    **{f"HTTP {number}": status(number, {"Retry-After": "7"}) for number in (413, 429)},
    "HTTP 503": status(503, {"Retry-After": "0"}),
    "The answer is cut": lambda: with_fault({"truncate": 20}, get),
    "The answer is empty": lambda: with_fault({"status": 204}, get),
    "The answer is JSON, but is called HTML": lambda: with_fault(
        {"content_type": "text/html"}, get
    ),
    # Versions
    **{f"The version lacks {what}": at_1_20(call) for what, call in LACKING.items()},
    "The version lacks the verb": lambda: connect("1.30").node.set_provision_state(
        NODE, "rescue", rescue_password="x"
    ),
    "The server lacks the version": lambda: connect("1.999").node.list(),
    "The server has none of the versions": lambda: connect(["1.998", "1.999"]).node.list(),
    "The major version is unknown": lambda: client.get_client(2, endpoint=SERVER),
    # Arguments
    "An unknown attribute": lambda: connect().node.create(driver="fake-hardware", bogus=1),
    "No identifier": lambda: connect().node.get(None),
    "detail and fields": lambda: connect().node.list(detail=True, fields=["uuid"]),
    "An unknown state of maintenance": lambda: connect().node.set_maintenance(NODE, "bogus"),
    "soft for power on": lambda: connect().node.set_power_state(NODE, "on", soft=True),
    "A time-out that is not above 0": lambda: connect().node.set_power_state(
        NODE, "off", timeout=0
    ),
    "A file of a config drive that does not exist": lambda: connect().node.set_provision_state(
        NODE, "active", configdrive="/nope"
    ),
    "An HTTP method that vendor methods lack": lambda: connect().node.vendor_passthru(
        NODE, "m", http_method="BOGUS"
    ),
    "No instance": lambda: connect().node.get_by_instance_uuid(OTHER),
    "No port with this address": lambda: connect().port.get_by_address("52:54:00:00:00:09"),
    # Waiting
    "Another state was reached": lambda: wait("active", timeout=5),
    "The state was not reached in time": lambda: with_fault(
        {"delay": 0.2}, lambda: wait("available", timeout=0.3, fail_on_unexpected_state=False)
    ),
    "A negative time-out": lambda: wait("active", timeout=-1),
}


def name_of(kind):
    """Return a name under which programs know a class."""
    if issubclass(kind, exc.ClientException) or kind.__module__.startswith("baremetalclient"):
        return f"exc.{kind.__name__}"
    package = kind.__module__.partition(".")[0]
    return kind.__name__ if package == "builtins" else f"{package}.exceptions.{kind.__name__}"


def public_classes(kind):
    """Return a class, or the public classes that it combines."""
    if "._" not in kind.__module__:
        return [kind]
    return [public for base in kind.__bases__ for public in public_classes(base)]


def main():
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    setup = connect()
    setup.node.create(uuid=NODE, driver="fake-hardware", name="taken")
    setup.node.set_provision_state(NODE, "manage")
    seen = {}
    for name, provoke in SITUATIONS.items():
        try:
            provoke()
        except Exception as error:
            seen[name] = {
                "raised": " and ".join(map(name_of, public_classes(type(error)))),
                "caught by": sorted(map(name_of, type(error).__mro__[:-1])),
                "http_status": getattr(error, "http_status", None),
            }
        else:
            seen[name] = {"raised": "nothing", "caught by": [], "http_status": None}
    print(json.dumps(seen))


main()
