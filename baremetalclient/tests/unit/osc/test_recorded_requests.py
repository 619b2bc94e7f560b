"""What each command sends and prints, with each of its options."""

import json
import logging
import os
from pathlib import Path

import pytest

from baremetalclient import shell
from baremetalclient.osc.command_table import COMMANDS
from baremetalclient.tests.unit.osc.test_recorded_commands import CLIFF, parser_of
from baremetalclient.tests.unit.osc.test_requests import ARGUMENTS, UUID
from baremetalclient.tests.unit.recorded import check
from baremetalclient.tests.unit.scripted import Reply, ScriptedServer

RECORD = Path(__file__).with_name("requests.json")
# They read files, or go on until something happens.
ELSEWHERE = {"apply", "create", "diff", "node watch", "node inventory save"}
ELSEWHERE |= {name for name in COMMANDS if name.endswith(" wait")}
WAITS = {"wait_timeout", "timeout", "wait", "watch", "parallel", "max_failures", "report", "file"}
WAITS |= {"volume_endpoint", "compute_endpoint"}
# They ask for several things at once.
AT_ONCE = ("export", "node explain", "volume attach", "volume detach")
MORE = {
    "server create": "x --flavor f --image i",
    "server add volume": "x v",
    "server remove volume": "x v",
    "server volume set": "x v --new-volume w",
    "volume attach": "x v",
    "volume detach": "x v",
}
VALUES = {
    "positive_int": "3",
    "non_negative_int": "2",
    "key_value": "k=v",
    "json_or_yaml": '[{"a": 1}]',
    "boolean": "true",
    "_selection": "driver=d",
    "float": "1.5",
    "block_device": "uuid=v,source_type=volume,boot_index=0",
    "nic": f"net-id={UUID}",
    "secret": "password",
}
ITEM = {
    "id": UUID,
    "uuid": UUID,
    "name": "x",
    "status": "ACTIVE",
    "provision_state": "available",
    "power_state": "power off",
    "driver": "d",
    "node_uuid": UUID,
    "created_at": "2026-01-01T00:00:00+00:00",
    "extra": {"k": "v"},
    "properties": {"k": "v"},
    "traits": ["CUSTOM_A"],
    "hostname": "h",
    "volumeId": "v",
    "volume_id": "v",
    "attachments": [],
    "type": "ip",
    "connector_id": "c",
    "volume_type": "iscsi",
    "boot_index": 0,
    "instance_uuid": None,
    "state": "active",
    "actions": [{"op": "fail", "args": {"msg": "m"}}],
    "steps": [{"interface": "bios", "step": "s", "args": {}, "order": 1}],
    "shard": "s",
    "count": 1,
    "links": [],
}
LISTS = (
    *("allocations", "chassis", "nodes", "conductors", "deploy_templates", "drivers", "bios"),
    *("inspection_rules", "ports", "portgroups", "runbooks", "shards", "connectors", "targets"),
    *("history", "firmware", "indicators", "servers", "volumes", "flavors", "volumeAttachments"),
)
EVERYTHING = {
    **ITEM,
    **{key: [ITEM] for key in LISTS},
    "vifs": [{"id": "v"}],
    "boot_device": "pxe",
    "supported_boot_devices": ["pxe"],
    "children": [UUID],
    "server": ITEM,
    "volume": ITEM,
    "flavor": ITEM,
    "attachment": ITEM,
    "volumeAttachment": ITEM,
    "reservation_id": "r",
    "version": {"min_version": "2.1", "version": "2.105"},
    "x": {"name": "x", "links": []},
    "a": {"name": "a", "links": []},
}


class Everything(ScriptedServer):
    """Answers every request with all that any command looks for."""

    def reply_to(self, request):
        if request.path.endswith(("/methods", "/validate")):
            return Reply({"boot": {"result": False, "reason": "r", "http_methods": ["GET"]}})
        if "vmedia" in request.path:
            return Reply([ITEM])
        if request.path.endswith("vifs") and request.method == "GET":
            return Reply({"vifs": EVERYTHING["vifs"]})
        return Reply(EVERYTHING)


@pytest.fixture(scope="module")
def server():
    with Everything() as made:
        yield made


def base(name):
    if name in ARGUMENTS or name in MORE:
        return [*name.split(), *(ARGUMENTS.get(name) or MORE[name]).split()]
    required = [a for a in parser_of(name)._actions if not a.option_strings and a.nargs != "*"]
    return [*name.split(), *("x" for _ in required)]


def values(action):
    if action.nargs == 0:
        return []
    if action.choices:
        return [str(next(iter(action.choices)))]
    return [VALUES.get(getattr(action.type, "__name__", ""), "text")]


def variants(name):
    """Yield the words of a command, alone and with each option once, and with its fields chosen."""
    words = base(name)
    yield words
    parser = parser_of(name)
    fields = ["--fields", "uuid"] if "--fields" in parser._option_string_actions else []
    for group in parser._action_groups:
        if group.title in CLIFF:
            continue
        for action in group._group_actions:
            flags = [flag for flag in action.option_strings if flag not in words]
            if len(flags) == len(action.option_strings) > 0 and action.dest not in {"help", *WAITS}:
                yield [*words, flags[0], *values(action)]
                if fields and action.dest not in {"fields", "detail"}:
                    yield [*words, flags[0], *values(action), *fields]


def lines(text):
    """Return the lines of a text without what a table only has for its looks."""
    found = (" ".join(line.split()) for line in text.splitlines())
    return [line[:400] for line in found if line.strip("+-")]


def sent(request):
    body = request.body.decode()
    version = request.headers.get("openstack-api-version", request.version)
    return " ".join(filter(None, (request.method, request.target, version, body)))


@pytest.mark.parametrize("name", [name for name in COMMANDS if name not in ELSEWHERE])
def test_requests_are_as_recorded(server, request, capsys, monkeypatch, tmp_path, name):
    for variable in list(os.environ):
        if variable.startswith("OS_"):
            monkeypatch.delenv(variable)
    monkeypatch.chdir(tmp_path)
    entries = {}
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    for variable in ("OS_ENDPOINT", "OS_VOLUME_ENDPOINT", "OS_COMPUTE_ENDPOINT"):
        monkeypatch.setenv(variable, server.url)
    for words in variants(name):
        Path("text").write_text("content")
        server.all_requests.clear()
        capsys.readouterr()
        try:
            code = shell.main(words)
        except SystemExit as stop:
            code = stop.code
        finally:
            root.handlers[:] = handlers
            root.setLevel(level)
        printed = capsys.readouterr()
        asked = [sent(each) for each in server.all_requests]
        found = {"code": code or 0, "sent": sorted(asked) if name in AT_ONCE else asked}
        if not entries:
            found["out"] = lines(printed.out)
        if code or not entries:
            found["err"] = lines(printed.err)
        entries[" ".join(words)] = found
    check(request, RECORD, name, json.loads(json.dumps(entries).replace(server.url, "URL")))
