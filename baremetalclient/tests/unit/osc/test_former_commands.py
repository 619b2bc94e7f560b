"""Commands of the former program ``ironic``: what they are today, which the parsers take."""

from __future__ import annotations

import shlex

import pytest

from baremetalclient.osc.app import Commands
from baremetalclient.osc.former_commands import command_of_today

TODAY = {
    "chassis-node-list c": "node list --chassis c",
    "chassis-show c": "chassis show c",
    "driver-properties ipmi": "driver property list ipmi",
    "driver-get-vendor-passthru-methods d": "driver passthru list d",
    "driver-raid-logical-disk-properties d": "driver raid property list d",
    "driver-vendor-passthru d m a=b --http-method GET": (
        "driver passthru call d m --arg=a=b --http-method GET"
    ),
    "node-create -d fake-hardware -n n -i a=b -p c=d --chassis_uuid u": (
        "node create --driver fake-hardware --name n --driver-info a=b --property c=d "
        "--chassis-uuid u"
    ),
    "node-delete n m": "node delete n m",
    "node-get-boot-device n": "node boot device show n",
    "node-get-console n": "node console show n",
    "node-get-supported-boot-devices n": "node boot device show n --supported",
    "node-get-vendor-passthru-methods n": "node passthru list n",
    "node-inject-nmi n": "node inject nmi n",
    "node-list --detail --limit 3": "node list --long --limit 3",
    "node-port-list n": "port list --node n",
    "node-set-boot-device n pxe -p": "node boot device set n pxe --persistent",
    "node-set-console-mode n False": "node console disable n",
    "node-set-maintenance n on --reason 'Moved to rack 7'": (
        "node maintenance set n --reason 'Moved to rack 7'"
    ),
    "node-set-maintenance n false": "node maintenance unset n",
    "node-set-power-state n off --soft": "node power off n --soft",
    "node-set-power-state n reboot": "node reboot n",
    "node-set-provision-state n active": "node deploy n",
    "node-set-provision-state n deleted": "node undeploy n",
    "node-set-provision-state n provide": "node provide n",
    "node-set-target-raid-config n raid.json": "node set n --target-raid-config raid.json",
    "node-show n": "node show n",
    "node-show-states n": "node show n --fields power_state provision_state last_error",
    "node-update n add driver_info/ipmi_address=bmc extra/a=1": (
        "node set n --driver-info ipmi_address=bmc --extra a=1"
    ),
    "node-update n replace name=m properties/cpus=2": "node set n --name m --property cpus=2",
    "node-update n remove /driver_info/ipmi_port instance_uuid": (
        "node unset n --driver-info ipmi_port --instance-uuid"
    ),
    "node-validate n": "node validate n",
    "node-vendor-passthru n m a=b": "node passthru call n m --arg=a=b",
    "port-create -a 52:54:00:00:00:01 -n u": "port create 52:54:00:00:00:01 --node u",
    "port-create --address=52:54:00:00:00:01 --node_uuid=u -e a=b": (
        "port create 52:54:00:00:00:01 --node u --extra a=b"
    ),
    "port-update p replace node_uuid=u": "port set p --node u",
    "portgroup-create --node_uuid u --address 52:54:00:00:00:01": (
        "port group create --node u --address 52:54:00:00:00:01"
    ),
    "portgroup-port-list g": "port list --port-group g",
}


@pytest.mark.parametrize("line", TODAY)
def test_they_are_named_with_their_arguments(run, monkeypatch, tmp_path, line):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "raid.json").write_text("{}")
    done = run(*shlex.split(line))
    told = f"baremetal: Unknown command '{line.split()[0]}'. Today it is: baremetal {TODAY[line]}\n"
    assert (done.code, done.out, done.err, done.requests) == (2, "", told, [])
    command, name, arguments = Commands().find_command(shlex.split(TODAY[line]))
    command(None, None).get_parser(name).parse_args(arguments)


def test_values_that_are_secret_are_not_repeated():
    told = command_of_today(["node-update", "n", "add", "driver_info/ipmi_password=geheim"])
    assert told == "baremetal node set n --driver-info ipmi_password=******"


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("node-update", "baremetal node set"),
        ("node-update n", "baremetal node set n"),
        ("node-set-power-state n", "baremetal node power on, node power off, node reboot"),
        (
            "node-set-maintenance n maybe",
            "baremetal node maintenance set, node maintenance unset",
        ),
        ("node-dance n", None),
        ("node", None),
        ("", None),
    ],
)
def test_words_that_are_missing_or_unknown(line, told):
    assert command_of_today(line.split()) == told
