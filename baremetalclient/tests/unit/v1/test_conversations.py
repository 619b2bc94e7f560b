"""What becomes of calls of programs, for what they are given and what the server answers."""

import json
import re
import warnings
from threading import get_ident

import pytest

from baremetalclient import client as clients
from baremetalclient import exc
from baremetalclient._bulk.result import Result
from baremetalclient.microversion import CLIENT_MAX
from baremetalclient.tests.unit.osc.everything import sent
from baremetalclient.tests.unit.scripted import CUT, VERSIONS, Reply, fault, offering
from baremetalclient.v1.client import Client

# Durations, and what only newer versions of Python add.
VOLATILE = re.compile(r"\d+\.\d s\b|(?<=not JSON compliant)(: inf)?")
STAY = 0.1
FIELDS = re.compile("(uuid,name,)?provision_state,target_provision_state,last_error")
HOST = "http://u:p@other.test/v1/nodes?marker=b"
ANSWER = Reply({})
LIMITS = (None, 0, 1, 2, 3, "2", -1, "x", True, 1.5)


def page(*uuids, next_=None):
    return Reply({"nodes": [{"uuid": uuid, "name": uuid} for uuid in uuids], "next": next_})


def to(query):
    return f"URL/v1/nodes{query}"


def node(state, target=None, error=None, name="n", power="power on"):
    fields = {"provision_state": state, "target_provision_state": target, "last_error": error}
    fields |= {"power_state": power, "target_power_state": None}
    return Reply({"uuid": f"uuid-of-{name}", "name": name, **fields})


def waits(**more):
    def call(client):
        options = {"poll_interval": 0, "timeout": 9, **more}
        return client.node.wait_for_provision_state(options.pop("nodes", "n"), "active", **options)

    return call


def holds(condition, nodes="n", timeout=9):
    return lambda client: client.node.wait_for(nodes, condition, timeout=timeout)


def acts(nodes="n", verb="manage", **more):
    return lambda client: list(client.node.act_on(nodes, verb, parallel=1, **more))


def allocated(state, **more):
    return Reply({"uuid": "a", "name": "a", "state": state, "last_error": "No node.", **more})


def lists(**options):
    return lambda client: [vars(one) for one in client.node.list(**options)]


TWO = (page("a", next_=to("?marker=a")), page("b"))
THREE = (page("a", "b", next_=to("?marker=b")), page("c", next_=to("?marker=c")), page("d"))
UNKNOWN = fault("Unknown argument: owner")
OWNED = Reply({"nodes": [{"uuid": "a", "owner": "o"}, {"uuid": "b", "owner": "p"}]})
TWELVE = Reply({"nodes": [node("active", name=f"n{at}").body for at in range(12)]})
BUSY = node("verifying", "manageable")
CASES = {
    "detail and fields": ((), lists(detail=True, fields=["uuid"])),
    "no detail, and fields": ((page("a"),), lists(detail=False, fields=["uuid"])),
    **{f"a limit of {limit!r}": (TWO, lists(limit=limit)) for limit in LIMITS},
    **{f"three pages, {limit!r}": (THREE, lists(limit=limit)) for limit in LIMITS[:5]},
    "all pages": (THREE, lambda client: [one.uuid for one in client.node.iterate()]),
    "an empty page and a next one": ((page(next_=to("?marker=a")), page("b")), lists(limit=0)),
    "a link that is a number": ((page("a", next_=7),), lists()),
    "a link that is empty": ((page("a", next_=""),), lists()),
    "a link to another server": ((page("a", next_=HOST),), lists()),
    "a link without a marker": ((page("a", next_=to("?limit=1")),), lists()),
    "a link with two markers": ((page("a", next_=to("?marker=1&marker=2")),), lists()),
    "a list without an end": ((page("a", next_=to("?marker=a")),), lists(limit=0)),
    "a list that goes back": (
        (*THREE[:2], page("d", next_=to("?marker=b"))),
        lists(limit=0, marker="z"),
    ),
    "a filter that is refused": ((UNKNOWN, OWNED), lists(owner="o", limit=1)),
    "a filter that is refused, with fields": ((UNKNOWN, OWNED), lists(owner="o", fields=["uuid"])),
    "another argument is refused": ((fault("Unknown argument: colour"),), lists(owner="o")),
    "a refusal for other reasons": ((fault("Wrong."),), lists(owner="o")),
    "a field that was not sent": ((page("a"),), lambda client: client.node.list()[0].driver),
    "a field that does not exist": ((page("a"),), lambda client: client.node.list()[0].colour),
    "a private field": ((page("a"),), lambda client: getattr(client.node.list()[0], "_x", "none")),
    "a resource as text": ((page("a"),), lambda client: repr(client.node.list())),
    **{
        f"the name {name!r}": (
            (node("active"),),
            lambda client, name=name: client.node.get(name).uuid,
        )
        for name in ("a\\b", ".", "a..b", "a.b", "a\x7f", "a\tb", "a b", "a\ud800")
    },
    "a filter that is not Unicode": ((), lists(owner="a\ud800")),
    "a filter that is": ((page("a"),), lists(owner="é")),
    "values that are not JSON": ((), lambda client: client.node.create(driver="d", extra={1, 2})),
    "a value that is no number": (
        (),
        lambda client: client.node.create(driver="d", extra=float("inf")),
    ),
    "active": ((node("active"),), waits()),
    "active at last": ((node("deploying", "active"), node("active")), waits()),
    "failed": ((node("deploy failed", "active", "Broken"),), waits()),
    "failed without a reason": ((node("deploy failed", "active"),), waits()),
    "error": ((node("error", "active", "Broken"),), waits()),
    "elsewhere": ((node("available"),), waits()),
    "elsewhere, which is right": (
        (node("available"),),
        waits(fail_on_unexpected_state=False, timeout=STAY),
    ),
    "never active": ((node("deploying", "active"),), waits(timeout=STAY)),
    "unreachable twice": ((fault("Busy.", 503), CUT, node("active")), waits()),
    "unreachable again": (
        (fault("Busy.", 503), node("deploying", "active"), CUT, node("active")),
        waits(),
    ),
    **{
        f"a wait with {wrong}": ((), waits(**wrong))
        for wrong in (
            *({"nodes": 7}, {"timeout": -1}, {"timeout": "1"}, {"timeout": True}),
            *({"poll_interval": -1}, {"poll_delay_function": 7}),
        )
    },
    "a delay": ((node("deploying", "active"), node("active")), waits(poll_delay_function=id)),
    "a condition that holds": ((node("active"),), holds("name=n")),
    "a condition that does not hold": ((node("active"),), holds("name=m", timeout=STAY)),
    "a condition for twelve": ((TWELVE,), holds("name=m", [f"n{at}" for at in range(12)], STAY)),
    "a condition for a failed node": ((node("clean failed", None, "Broken"),), holds("name=m")),
    "a condition for a node without a reason": ((node("clean failed"),), holds("name=m")),
    "a condition for no node": ((fault("No.", 404),), holds("name=m")),
    "a condition for a deleted node": ((node("active"), fault("No.", 404)), holds("name=m")),
    "a condition for a number": ((), holds("name=m", 7)),
    "a condition that is a function": ((node("active"),), holds(lambda one: one.name == "n")),
    "a watch of both": ((), lambda client: client.node.watch(["n"], select="name=n")),
    "actions": ((node("enroll"), Reply({}, 202)), acts()),
    "actions with a number": ((), acts(7)),
    "actions with numbers": ((), acts([7])),
    "actions with blank names": ((), acts(["n", " "])),
    "actions with no nodes": ((), acts([])),
    "actions with a list": ((node("enroll"), ANSWER, ANSWER), acts(["n", "n"])),
    "actions with an unknown verb": ((), acts(verb="mange")),
    "actions after errors": ((node("enroll"), fault("No.")), acts(["n", "m"], on_error="stop")),
    "actions that may fail": ((node("enroll"), fault("No.")), acts(["n", "m"], on_error="ask")),
    "actions to wait for": ((node("enroll"), ANSWER, BUSY, node("manageable")), acts(wait=True)),
    "actions that last": ((node("enroll"), ANSWER, BUSY), acts(wait=True, timeout=STAY)),
    "actions that last, with an error": (
        (node("enroll"), ANSWER, node("verifying", "manageable", "Broken")),
        acts(wait=True, timeout=STAY),
    ),
    "actions that fail": (
        (node("enroll"), ANSWER, node("enroll", None, "Broken")),
        acts(wait=True),
    ),
    "actions on a node that goes": ((node("enroll"), ANSWER, fault("No.", 404)), acts(wait=True)),
    "actions on the power": (
        (node("enroll"), ANSWER, node("enroll", power="power off")),
        acts(verb="power off", wait=True),
    ),
    "actions without a state": ((), acts(verb="set", patch=[], wait=True)),
    "a VIF with an id": ((), lambda client: client.node.vif_attach("n", "v", id="w")),
    "a VIF for a port": ((ANSWER,), lambda client: client.node.vif_attach("n", "v", port_uuid="p")),
    "a long trait": ((ANSWER,), lambda client: client.node.add_trait("n", "CUSTOM_" + "A" * 248)),
    "a trait that is too long": (
        (fault("Too long."),),
        lambda client: client.node.add_trait("n", "CUSTOM_" + "A" * 249),
    ),
    "an allocation": ((allocated("active"),), lambda client: client.allocation.wait("a").name),
    "an allocation that fails": ((allocated("error"),), lambda client: client.allocation.wait("a")),
    "an allocation that lasts": (
        (allocated("allocating"),),
        lambda client: client.allocation.wait("a", timeout=STAY, poll_interval=0),
    ),
    "a lock": (
        (fault("Node n is locked by host h.", 409), node("active")),
        lambda client: client.node.get("n").uuid,
    ),
    "a lock that stays": (
        (fault("Node n is locked by host h.", 409),),
        lambda client: client.node.get("n").uuid,
    ),
    "a body that is cut, with a deadline": (
        (Reply({"uuid": "u"}, truncated=True),),
        lambda client: client.node.get("n", deadline=60).uuid,
    ),
    "a change whose answer is cut": (
        (Reply({"uuid": "u"}, truncated=True),),
        lambda client: client.node.create(driver="d", deadline=60).uuid,
    ),
    "a deadline that is over": ((), lambda client: client.node.get("n", deadline=1e-9)),
}


def told_of(value):
    """Return what JSON has instead of a result, or of anything else."""
    if isinstance(value, Result):
        return [value.name, value.uuid, value.result, value.state, value.error]
    return repr(value)


def outcome(call, client):
    try:
        found = call(client)
    except (exc.ClientException, TypeError, AttributeError) as error:
        return f"{type(error).__name__}: {error}"
    return found if isinstance(found, str) else json.loads(json.dumps(found, default=told_of))


def conversation(call, made, server, caplog):
    """Return what becomes of a call, what was warned of and logged, and what was sent."""
    caplog.clear()
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        found = outcome(call, made)
    logged = [
        f"{one.levelname} {one.getMessage()}"
        for one in caplog.records
        if one.thread == get_ident() and one.name.startswith("baremetalclient")
    ]
    dull = ("REQ: ", "RESP: ", "is in state", "is in use, the newest that")
    logged = [one for one in logged if not any(word in one for word in dull)]
    asked = [sent(each) for each in server.all_requests]
    text = json.dumps([found, [str(one.message) for one in told], logged, asked])
    text = text.replace(server.url, "URL").replace(server.url[7:], "HOST")
    found, told, logged, asked = json.loads(VOLATILE.sub("...", text))
    # Waits may be longer or shorter; what they repeat is told once.
    text = found if isinstance(found, str) else json.dumps(found)
    lines = [text[:84], *told, *dict.fromkeys(logged)]
    short = [FIELDS.sub("STATE", one).removesuffix(f" {CLIENT_MAX}") for one in asked]
    return [line[:76].strip() for line in [*lines, *dict.fromkeys(short)]]


@pytest.fixture(autouse=True)
def _polls_without_pauses(monkeypatch):
    monkeypatch.setattr("baremetalclient._bulk.poller.SHORTEST", 0)


def placed(reply, url):
    if isinstance(reply.body, dict) and isinstance(reply.body.get("next"), str):
        return Reply({**reply.body, "next": reply.body["next"].replace("URL", url)})
    return reply


def test_conversations_are_as_recorded(recorded, scripted, caplog):
    caplog.set_level("DEBUG", "baremetalclient")
    found = {}
    for name, (script, call) in CASES.items():
        client, server = scripted(max_retries=1)
        server.script = [placed(reply, server.url) for reply in script] or server.script
        found[name] = conversation(call, client, server, caplog)
    recorded(found)


AFTER = f"1.{CLIENT_MAX.minor + 1}"
VALID = (
    *(None, "latest", "1.50", str(CLIENT_MAX), AFTER, "1.1", "1.0", "2.1", (1, 67)),
    *(["1.50", "1.60"], [(1, 50), AFTER], [AFTER, "1.999"]),
)
INVALID = ("1", "x", "", " 1.50 ", 7, 1.67, (1, -1), (1,), (1, 2, 3), [], ["latest", "1.50"])
INVALID += (["1.50", "x"], {"1.50": 1})
OFFERED = {
    "all": VERSIONS,
    "old ones": offering("1.40"),
    "newer ones": {
        "X-OpenStack-Ironic-API-Minimum-Version": "1.200",
        "X-OpenStack-Ironic-API-Maximum-Version": "1.300",
    },
    "none": {},
}


@pytest.mark.parametrize("offered", OFFERED)
def test_versions_are_chosen_as_recorded(recorded, scripted, offered, caplog):
    found = {}
    for requested in (*VALID, *(INVALID if offered == "all" else ())):
        for lower in (False, True):
            client, server = None, None

            def call(_, requested=requested, lower=lower):
                nonlocal client, server
                client, server = scripted(
                    node("active"),
                    versions=OFFERED[offered],
                    os_ironic_api_version=requested,
                    allow_api_version_downgrade=lower,
                )
                return client.node.get("n").uuid

            told = outcome(call, None)
            asked = [sent(each) for each in server.all_requests] if server else []
            key = f"{requested!r}{' or lower' if lower else ''}".replace(AFTER, "AFTER")
            text = str(told).replace(AFTER, "AFTER")
            lines = [text.replace(server.url, "URL") if server else text, *asked]
            found[key] = " ".join(line.partition(". ")[0][:56].strip() for line in lines)
    recorded(found)


MADE = {
    **{f"version {one!r}": ((one,), {}) for one in (1, "1", "v1", "V1", 2, "2", "", None, 1.5)},
    "a timeout of 0": ((1,), {"timeout": 0}),
    "a short timeout": ((1,), {"timeout": 0.001}),
    "no retries": ((1,), {"max_retries": 0}),
    "fewer retries": ((1,), {"max_retries": -1}),
    "a deadline": ((1,), {"deadline": 1}),
    "a deadline in the past": ((1,), {"deadline": -1}),
    "an unknown argument": ((1,), {"colour": "red"}),
    "a typing error": ((1,), {"usrename": "u"}),
    "a plugin that does not exist": ((1,), {"auth_type": "bogus", "auth_url": "http://k"}),
}


def test_clients_are_made_as_recorded(recorded):
    found = {}
    for name, (arguments, options) in MADE.items():
        given = {"endpoint": "http://e", **options}
        found[name] = outcome(
            lambda _, arguments=arguments, given=given: (
                type(clients.get_client(*arguments, **given)).__name__
            ),
            None,
        ).partition(" Known ")[0]
    found["no session"] = outcome(lambda _: Client(), None)
    recorded(found)
