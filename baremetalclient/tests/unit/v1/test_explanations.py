"""What ``node explain`` says about nodes in all states and with each kind of trouble."""

from datetime import UTC, datetime, timedelta
from types import MappingProxyType

import pytest

from baremetalclient import exc
from baremetalclient.microversion import CLIENT_MAX, v1
from baremetalclient.v1.explain import explanation_of
from baremetalclient.v1.explain.facts import Facts, in_words
from baremetalclient.v1.provision_states import STATES

UNTOLD = object()
NOW = datetime(2026, 1, 2, tzinfo=UTC)
UUID = "00000000-0000-4000-8000-000000000001"
NODE = {
    "uuid": UUID,
    "name": "n",
    "driver": "ipmi",
    "conductor": "here",
    "resource_class": "gold",
    "network_interface": "flat",
    "traits": ["CUSTOM_A"],
    "provision_state": "available",
    "power_state": "power on",
    "provision_updated_at": NOW.isoformat(),
    "created_at": "2026-01-01T00:00:00+00:00",
}
CONDUCTORS = [
    {"hostname": "here", "alive": True, "updated_at": NOW.isoformat()},
    {"hostname": "slow", "alive": True, "updated_at": "2026-01-01T23:59:00+00:00"},
    {"hostname": "down", "alive": False, "updated_at": "2026-02-02T00:00:00+00:00"},
]
NETWORK = {"pxe_enabled": True, "local_link_connection": {"port_id": "1"}}
PORT = {"uuid": "p1", "address": "52:54:00:00:00:01", **NETWORK}
OTHER_PORT = {"uuid": "p2", "address": "52:54:00:00:00:02", **NETWORK}
GROUP = {"uuid": "g", "standalone_ports_supported": False}
VIF = {"internal_info": {"tenant_vif_port_id": "v1"}}
EMPTY = {"portgroups": [], "connectors": [], "targets": [], "vifs": [], "history": []}
ALL = {"ports": [PORT], "conductors": CONDUCTORS, "validation": {}, **EMPTY}


def explained(node=MappingProxyType({}), **facts):
    given = {"version": CLIENT_MAX, "newest": CLIENT_MAX, **ALL, **facts}
    fields = {name: value for name, value in {**NODE, **node}.items() if value is not UNTOLD}
    found = explanation_of(Facts(fields, **given))
    state = f"'{fields['provision_state']}'"
    told = [
        f"{one['rule']} {one['severity']}: {one['text'].replace(state, 'STATE')}"[:56].strip()
        + "".join(f" | {one[key]}"[:44] for key in ("quote", "command") if one.get(key))
        for one in found["findings"]
    ]
    return [*told, f"{', '.join(found['verbs'])} -> {found['next']}"]


def compared(usual, found):
    """Return the lines that differ from the usual ones."""
    more = [line for line in found if line not in usual]
    return more + [f"no {line.split()[0]}" for line in usual[:-1] if line not in found] or "usual"


def ago(**age):
    return {"provision_updated_at": (NOW - timedelta(**age)).isoformat()}


CIRCUMSTANCES = {
    "at once": {},
    "after a while": ago(minutes=30, seconds=-1),
    "for long": ago(minutes=30),
    "after an error": {"last_error": "Broken"},
    "locked": {"reservation": "here"},
    "locked for long": {"reservation": "here", "updated_at": "2026-01-01T23:30:00"},
    "off": {"power_state": "power off"},
    "in maintenance": {"maintenance": True, "maintenance_reason": "Moved"},
    "retired": {"retired": True, "retired_reason": "Old"},
    "protected": {"protected": True, "protected_reason": "Mine"},
}


@pytest.mark.parametrize("circumstance", CIRCUMSTANCES)
def test_states_are_explained_as_recorded(recorded, circumstance):
    fields = CIRCUMSTANCES[circumstance]
    found = {state: explained({**fields, "provision_state": state}) for state in STATES}
    if fields:
        found = {
            state: compared(explained({"provision_state": state}), told)
            for state, told in found.items()
        }
        # The other states are explained as usual.
        found = {state: told for state, told in found.items() if told != "usual"}
    recorded(found)


AGES = (
    *(timedelta(), timedelta(seconds=-9), timedelta(seconds=1), timedelta(seconds=2)),
    *(timedelta(seconds=119), timedelta(seconds=120), timedelta(minutes=119)),
    *(timedelta(hours=2), timedelta(hours=47, minutes=59), timedelta(days=2), timedelta(days=99)),
)


def test_times_are_told_as_recorded(recorded):
    cleaning = {"provision_state": "cleaning"}
    found = {
        str(age): explained({**cleaning, "provision_updated_at": str(NOW - age)}) for age in AGES
    }
    found["unknown"] = explained({**cleaning, "provision_updated_at": None, "created_at": "x"})
    found["by another field"] = explained({**cleaning, "provision_updated_at": None})
    recorded({age: told[0].partition(", but")[0] for age, told in found.items()})


def invalid(**reasons):
    found = {name: {"result": False, "reason": reason} for name, reason in reasons.items()}
    return {"validation": {"raid": {"result": True}, "rescue": {"result": None}, **found}}


INTERFACES = ("power", "management", "boot", "deploy", "network", "storage", "bios", "console")
NO_PORT = "Node does not have any port associated with it."


def test_validations_are_explained_as_recorded(recorded):
    cases = {name: invalid(**{name: "Broken"}) for name in INTERFACES}
    cases |= {
        "same reason": invalid(boot="Broken", power="Broken", bios="Broken"),
        "no reason": invalid(power=None),
        "one value": invalid(boot="Missing: ['instance_info.image_source', 'deploy_kernel']"),
        "for the instance": invalid(deploy="'image_source' is missing in instance_info"),
        "for the driver": invalid(power="Missing: ['ipmi_address']."),
        "not supported": invalid(
            bios="Driver ipmi does not support bios (disabled or not implemented)."
        ),
        "no port": {**invalid(network=NO_PORT), "ports": []},
        "no port any more": invalid(network=NO_PORT),
    }
    active, enroll = {}, {}
    for name, facts in cases.items():
        for state, found in (("active", active), ("enroll", enroll)):
            node = {"provision_state": state}
            found[name] = compared(explained(node), explained(node, **facts))
    recorded(active, "active")
    recorded({name: told for name, told in enroll.items() if told != active[name]}, "enroll")


DISABLED = {**PORT, "pxe_enabled": False}
UNPLUGGED = {**PORT, "local_link_connection": {}}
CASES = {
    "no ports": {"ports": []},
    "no ports of a child": {"node": {"parent_node": UUID}, "ports": []},
    "ports not fetched": {"ports": None},
    "port groups not fetched": {"ports": [{**PORT, **VIF}], "portgroups": None},
    "no port for booting": {"ports": [DISABLED]},
    "some port for booting": {"ports": [DISABLED, OTHER_PORT]},
    "no port for booting, enroll": {"node": {"provision_state": "enroll"}, "ports": [DISABLED]},
    "no port for booting, broken network": {
        "node": {"maintenance": True},
        "ports": [DISABLED],
        **invalid(network="Broken"),
    },
    "no switch": {
        "node": {"network_interface": "neutron"},
        "ports": [UNPLUGGED, {**UNPLUGGED, "address": "other"}, OTHER_PORT],
    },
    "no switch of a port that does not boot": {
        "node": {"network_interface": "neutron"},
        "ports": [PORT, {**UNPLUGGED, "pxe_enabled": False}],
    },
    "no switch, ironic": {"node": {"network_interface": "ironic-networking"}, "ports": [UNPLUGGED]},
    "no switch, flat": {"ports": [UNPLUGGED]},
    "all ports used": {"ports": [{**PORT, **VIF}], "vifs": [{"id": "v1"}]},
    "a port free": {"ports": [{**PORT, **VIF}, OTHER_PORT]},
    "a group used, its port not": {
        "ports": [{**PORT, "portgroup_uuid": "g"}],
        "portgroups": [{**GROUP, **VIF}],
    },
    "a group used, its port free": {
        "ports": [{**PORT, "portgroup_uuid": "g"}],
        "portgroups": [{**GROUP, **VIF, "standalone_ports_supported": True}],
    },
    "VIFs lost": {"vifs": [{"id": "v1"}, {"id": "v2"}, {"id": "v1"}]},
    "a VIF at a port of a group": {
        "ports": [{**PORT, **VIF, "portgroup_uuid": "g"}],
        "portgroups": [GROUP],
    },
    "iSCSI without connector": {"targets": [{"volume_type": "iscsi"}]},
    "Fibre Channel without connector": {"targets": [{"volume_type": "fibre_channel"}]},
    "Fibre Channel with one": {
        "targets": [{"volume_type": "fibre_channel"}],
        "connectors": [{"type": "wwnn"}, {"type": "ip"}],
    },
    "other volumes": {"targets": [{"volume_type": "local"}], "connectors": [{"type": "mac"}]},
    "connectors without volume": {"connectors": [{"type": "iqn"}, {"type": "wwpn"}]},
    "another connector": {
        "targets": [{"volume_type": "iscsi"}],
        "connectors": [{"type": "iqn"}, {"type": "wwpn"}],
    },
    "connectors not fetched": {"connectors": None, "targets": [{"volume_type": "iscsi"}]},
    "targets not fetched": {"connectors": [{"type": "iqn"}], "targets": None},
    "traits missing": {"node": {"instance_info": {"traits": ["CUSTOM_A", "CUSTOM_B", 1]}}},
    "traits unknown": {"node": {"instance_info": {"traits": ["CUSTOM_B"]}, "traits": None}},
    "traits not a list": {"node": {"instance_info": {"traits": "CUSTOM_B"}}},
    "no class": {"node": {"resource_class": None}},
    "health OK": {"node": {"health": "OK"}},
    "health Warning": {"node": {"health": "Warning"}},
    "health Critical": {"node": {"health": "Critical"}},
    "going to be on": {
        "node": {
            "provision_state": "active",
            "power_state": "power off",
            "target_power_state": "power on",
        }
    },
    "off, storage broken": {
        "node": {"provision_state": "active", "power_state": "power off"},
        **invalid(storage="Broken"),
    },
    "name for no shell": {"node": {"name": "N 1", "provision_state": "enroll"}},
    "no name": {"node": {"name": None, "provision_state": "enroll"}},
    "everything at once": {
        "node": {
            "provision_state": "clean failed",
            "last_error": "Broken",
            "maintenance": True,
            "fault": "clean failure",
            "resource_class": None,
            "retired": True,
            "health": "Critical",
        },
        "ports": [],
        **invalid(power="Broken", bios="No"),
    },
}
CASES |= {
    f"fault {name}": {"node": {"fault": name, "maintenance": True, "last_error": "Broken"}}
    for name in (
        *("power failure", "clean failure", "rescue abort failure", "service failure", "other"),
    )
}


def test_parts_are_explained_as_recorded(recorded):
    recorded({name: compared(explained(), explained(**facts)) for name, facts in CASES.items()})


def unavailable(message):
    return {"errors": {"validation": exc.ServiceUnavailable(message)}, "validation": None}


ACCESS = {
    "no conductor": {"node": {"conductor": None}},
    "no conductor of the group": {"node": {"conductor": None, "conductor_group": "rack"}},
    "no conductor known": {"node": {"conductor": None}, "conductors": []},
    "conductors not fetched": {"node": {"conductor": None}, "conductors": None},
    "conductor not told by this version": {"node": {"conductor": UNTOLD}},
    "unavailable": unavailable("Nobody there"),
    "refused by name": {
        "errors": {"validation": exc.BadRequest("No valid host was found. Reason: none")}
    },
    "locked by one that is down": {"node": {"reservation": "down"}},
    "locked by one that nobody knows": {"node": {"reservation": "gone"}},
    "locked, conductors not fetched": {
        "node": {"reservation": "gone", "created_at": None},
        "conductors": None,
    },
    "locked since an unknown moment": {
        "node": {"reservation": "here", "created_at": None, "provision_state": "cleaning"}
    },
    "old version of a new server": {"version": v1(40)},
    "old version of an old server": {"version": v1(40), "newest": v1(40)},
    "old version of a server that has not told": {"version": v1(1), "newest": None},
    "version before verbs": {"version": v1(5), "node": {"provision_state": "available"}},
    "abort is later, inspect wait": {
        "version": v1(40),
        "node": {"provision_state": "inspect wait"},
    },
    "abort is later, wait call-back": {
        "version": v1(109),
        "node": {"provision_state": "wait call-back"},
    },
    "a part that needs a version": {
        "errors": {"history": exc.UnsupportedVersion("No", feature="history", required=v1(78))},
        "history": None,
    },
}
PARTS = ("ports", "portgroups", "connectors", "targets", "history", "conductors", "vifs")
ACCESS |= {
    f"{name} not allowed": {name: None, "errors": {name: exc.Forbidden("No")}} for name in PARTS
}


def test_access_is_explained_as_recorded(recorded):
    recorded({name: compared(explained(), explained(**facts)) for name, facts in ACCESS.items()})


def event(text, day, **fields):
    when = f"2026-01-0{day}T00:00:00+00:00"
    return {"severity": "ERROR", "event": text, "created_at": when, **fields}


HISTORIES = {
    "none": [],
    "one": [event("First", 1)],
    "two, not in order": [event("Second", 2, state="cleaning"), event("First", 1)],
    "one, then success": [event("First", 1), event("Done", 2, severity="INFO")],
    "the last error": [event("Broken", 1)],
    "the last error, and another": [event("First", 1), event("Broken", 2)],
}
TROUBLES = {
    "enroll": {},
    "manageable": {},
    "available": {},
    "clean failed": {"last_error": "Broken"},
    "active": {"maintenance": True},
    "error": {},
}


def test_histories_are_explained_as_recorded(recorded):
    found = {}
    for state, trouble in TROUBLES.items():
        node = {"provision_state": state, **trouble}
        usual = explained(node)
        for name, events in HISTORIES.items():
            found[f"{name}, {state}"] = compared(usual, explained(node, history=events))
    recorded(found)


def test_the_meanings_of_states_are_as_recorded(recorded):
    recorded({name: state.meaning for name, state in STATES.items()})


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0, "a moment"), (1, "1 second"), (2, "2 seconds"), (119, "119 seconds"), (120, "2 minutes")],
)
def test_times_in_words(seconds, words):
    assert in_words(timedelta(seconds=seconds)) == words


REDFISH = "Failed to prepare to deploy: Redfish connection failed for node n: "
AGENT = "Deploy step deploy.write_image failed: "
#: What Ironic 39 and its agent say, and the beginning of the usual cause.
ERRORS = {
    f"{REDFISH}Unable to connect to https://192.0.2.1/redfish/v1/.": "The management controller at "
    "https://192.0.2.1 does not respond.",
    f"{REDFISH}HTTP GET https://192.0.2.1/redfish/v1/Systems/1 returned code 401.": "The management"
    " controller at https://192.0.2.1 refuses the user name or the password",
    "IPMI call failed: power status.": "The management controller at https://192.0.2.1 does not",
    "Timeout reached while waiting for callback for node n": "The ramdisk did not report in time.",
    "Timeout reached while cleaning the node. Please check if the ramdisk responsible for the "
    "cleaning is running on the node.": "The ramdisk did not report in time.",
    "Connection to agent failed: Failed to connect to the agent": "The ramdisk stopped responding.",
    f"{AGENT}Error downloading image: no route to host": "The image cannot be fetched.",
    "Image 0f could not be found.": "The image cannot be fetched.",
    f"{AGENT}Image failed to verify against checksum. location: x": "The image is not the one",
    f"{AGENT}[Errno 28] No space left on device": "The image does not fit on the disk.",
    f"{AGENT}No suitable device was found for deployment using these hints": "No disk of the",
    "Failed to set node power state to power on.": "The machine does not reach the power state",
    "cleaning network with name or UUID x was not found": "Neutron has no such network.",
    'image_source\'s "image_checksum" must be provided in instance_info for node n': None,
    "Failed to prepare to deploy: The request you have made requires authentication. "
    "(HTTP 401) Unauthorized": None,
    "Something else.": None,
}


@pytest.mark.parametrize(("message", "cause"), ERRORS.items())
def test_the_usual_cause_of_an_error_is_told(message, cause):
    driver_info = {"redfish_address": "https://admin:secret@192.0.2.1"}
    node = {**NODE, "last_error": message, "driver_info": driver_info}
    (finding,) = [
        one
        for one in explanation_of(Facts(node, version=CLIENT_MAX, **ALL))["findings"]
        if one["rule"] == "last-error"
    ]
    assert (finding["cause"] or "")[: len(cause or "")] == (cause or "")
    assert bool(finding["cause"]) == bool(cause)
    assert "secret" not in str(finding["cause"])
