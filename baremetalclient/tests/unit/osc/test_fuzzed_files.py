"""Whatever a file of a lab says, commands end with a sentence, and what is refused is not begun."""

from __future__ import annotations

import json

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from baremetalclient import client as clients
from baremetalclient.tests.unit.hostile import TEXTS, unprintable
from baremetalclient.tests.unit.osc.everything import run_here
from fake_server.server import FakeServer

LAB = {
    "chassis": [{"description": "c", "extra": {"rack": 1}}],
    "nodes": [
        {
            "name": "n-{index}",
            "count": 2,
            "driver": "fake-hardware",
            "driver_info": {"a": "b"},
            "extra": {"a": [1, None, {"b": True}]},
            "properties": {"cpus": 4, "capabilities": "a:b"},
            "resource_class": "gold",
            "traits": ["CUSTOM_A"],
            "maintenance": True,
            "provision_state": ["manageable", "available"],
            "power_state": "power on",
            "ports": [{"address": "52:54:00:00:{index:mac}", "pxe_enabled": True}],
            "portgroups": [{"name": "g-{index}", "mode": "802.3ad", "ports": []}],
            "volume_connectors": [{"type": "iqn", "connector_id": "iqn.{index}"}],
            "volume_targets": [{"volume_type": "iscsi", "volume_id": "v", "boot_index": 0}],
            "vifs": ["00000000-0000-4000-8000-000000000001"],
            "target_raid_config": {"logical_disks": [{"size_gb": "MAX", "raid_level": "1"}]},
            "bios_settings": [{"name": "a", "value": "b"}],
        }
    ],
    "deploy_templates": [
        {
            "name": "CUSTOM_T",
            "steps": [{"interface": "bios", "step": "s", "args": {}, "priority": 1}],
        }
    ],
    "runbooks": [
        {
            "name": "CUSTOM_R",
            "steps": [{"interface": "bios", "step": "s", "args": {}, "order": 1}],
        }
    ],
    "inspection_rules": [{"actions": [{"op": "fail", "args": {"msg": "m"}}], "priority": 1}],
    "allocations": [{"name": "a", "resource_class": "gold", "traits": []}],
}
WORDS = [
    *(
        "on",
        "null",
        "012",
        "0x1F",
        "1e999",
        ".inf",
        ".nan",
        "2026-01-01",
        "12:30:45",
        "~",
        "!",
        "- a",
    ),
    *("{index}", "{index:99d}", "{0.__class__}", "{", "n-{index:mac}", "52:54:00:00:00:00"),
    *("available", "deleted", "power off", "CUSTOM_A", "fake-hardware", "../../x", "*a", "&a"),
]
values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-2, 3)
    | st.integers(-(10**40), 10**40)
    | st.floats()
    | st.dates()
    | st.sampled_from([*WORDS, *(one for one in TEXTS if len(one) < 100)])
    | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(max_size=3) | st.integers() | st.sampled_from(WORDS), inner)
    ),
    max_leaves=6,
)


def places_in(value, path=()):
    """Return the paths of all values in decoded JSON."""
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    found = [path]
    for key, item in inner:
        own = (*path, key)
        found += places_in(item, own) if isinstance(item, dict | list) else [own]
    return found


PLACES = [path for path in places_in(LAB) if path]


def spoilt(places):
    """Return the lab with values put in other places; None removes what is there."""
    lab = json.loads(json.dumps(LAB))
    for (*path, last), remove, value in places:
        target = lab
        for key in path:
            try:
                target = target[key]
            except (KeyError, IndexError, TypeError):
                break
        try:
            if remove:
                del target[last]
            else:
                target[last] = value
        except (KeyError, IndexError, TypeError):
            continue
    return lab


labs = st.lists(st.tuples(st.sampled_from(PLACES), st.booleans(), values), max_size=4).map(spoilt)


def written(lab, as_json):
    if as_json:
        return json.dumps(lab, default=str)
    return yaml.safe_dump(lab, allow_unicode=True, sort_keys=False)


#: What is put into a text, or in place of a part of it.
PIECES = st.text(max_size=3) | st.sampled_from(
    [
        *(
            "\t",
            "\x00",
            "\ufeff",
            "---\n",
            "...\n",
            "&a",
            "*a",
            "<<: *a\n",
            "? ",
            "!secret ",
            "!!set ",
        ),
        *("!secret env:PATH", "!secret cmd:id", "!!python/object:os.system ", "[" * 300, "{" * 300),
        *("%YAML 9.9\n", "#", "'", '"', "\r", "\u2028", "%s", "|", ">", "- " * 300, "\ud800"),
    ]
)


@st.composite
def texts(draw):
    text = draw(st.one_of(st.builds(written, labs, st.booleans()), st.text(max_size=30)))
    for _ in range(draw(st.integers(0, 2))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.integers(0, 5)))
        text = text[:start] + draw(PIECES) + text[end:]
    return text


@pytest.fixture
def server():
    with FakeServer() as running:
        yield running


def stored(server):
    """Return how many resources of each kind there are, as the last part of a lab's state."""
    client = clients.get_client(1, endpoint=server.url)
    kinds = ("chassis", "node", "port", "portgroup", "volume_connector", "volume_target")
    kinds += ("deploy_template", "runbook", "inspection_rule", "allocation")
    return {kind: len(getattr(client, kind).list(limit=0)) for kind in kinds}


@settings(suppress_health_check=list(HealthCheck))
@given(text=texts(), name=st.sampled_from(["lab.yaml", "lab.json"]))
def test_files_are_read_or_refused(server, tmp_path, capsys, text, name):
    path = tmp_path / name
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    server.reset()
    empty = stored(server)
    line = ["--os-endpoint", server.url, "--max-retries", "0"]
    for words in (
        ["diff", str(path)],
        ["apply", str(path), "--dry-run"],
        ["lab", "graph", str(path)],
        ["create", str(path)],
    ):
        code, out, err = run_here([*line, *words], capsys)
        told = f"{words[0]} {code} {out[-300:]!r} {err[-300:]!r}"
        assert code in (0, 1, 2), told
        assert "Traceback" not in err, told
        assert "Error(" not in err, told
        assert "recursion" not in err, told
        assert not unprintable(out + err), told
        assert not code or err or out, told
        if words[0] != "create" or "Nothing was created" in err:
            assert stored(server) == empty, told
    code, out, err = run_here([*line, "apply", str(path), "--wait", "5", "--yes"], capsys)
    assert "Traceback" not in err
    assert not unprintable(out + err)
