"""JSON and YAML that users write."""

from __future__ import annotations

import argparse
import json

import pytest

from baremetalclient import _documents, _yaml, configdrive, declare, exc
from baremetalclient._resource import arguments
from baremetalclient.declare.secrets import Reference, SecretError, resolved
from baremetalclient.declare.yaml_format import LabLoader, dumped
from baremetalclient.osc import argument_types
from baremetalclient.tests.unit.hostile import unprintable
from baremetalclient.tests.unit.osc.everything import run_here
from baremetalclient.tests.unit.scripted import Reply

BOMB = "a: &a [x, x]\n" + "".join(
    f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]\n"
    for before, name in zip("abcdefghij", "bcdefghijk", strict=True)
)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('{"a": [1, null]}', {"a": [1, None]}),
        ("a: &x {b: 1}\nc: *x\n", {"a": {"b": 1}, "c": {"b": 1}}),
        (
            "a: &x {size: 1}\nb: &y {<<: *x, size: 2}\nc: {<<: *y}",
            {"a": {"size": 1}, "b": {"size": 2}, "c": {"size": 2}},
        ),
        ("1: a\n'1': b\n", {1: "a", "1": "b"}),
        ('"' + "[" * 300 + '"', "[" * 300),
        ("", None),
    ],
)
def test_what_a_text_says(text, found):
    assert _documents.decode(text) == found


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("a: 1\nb: 2\na: 3\n", "the key 'a' is there twice, first in line 1 in line 3, column 1"),
        ('{"a": 1,\n "a": 2}', "the key 'a' is there twice, first in line 1 in line 2, column 2"),
        ("- nodes: []\n  nodes: [{name: x}]\n", "the key 'nodes' is there twice"),
        (BOMB, "aliases repeat more than 1,000,000 values"),
        ("a: &a [*a]", "aliases repeat more than 1,000,000 values"),
        ("[" * 300, "it is nested more than 200 levels deep"),
        ("[" * 100_000, "it is nested more than 200 levels deep|exceeded maximum nesting depth"),
        ("a: [", "while parsing|did not find|expected the node content"),
    ],
)
def test_what_is_refused(text, why):
    with pytest.raises(_documents.DocumentError, match=why):
        _documents.decode(text)


def test_only_json_may_have_very_many_values(monkeypatch, tmp_path):
    monkeypatch.setattr(_yaml, "MOST_VALUES", 1000)
    assert _documents.decode(f"[{'1, ' * 998}1]") == [1] * 999
    lab = tmp_path / "lab.yaml"
    lab.write_text("nodes: " + "\n- name: n" * 400)
    with pytest.raises(exc.ValidationError, match="more than 1,000 values, which only valid JSON"):
        declare.plan(None, str(lab))
    # Nor are the lines of what is wrong looked for.
    lab.write_text(json.dumps({"nodes": [1] * 1000}))
    with pytest.raises(exc.ValidationError, match="nodes has to be a list of objects"):
        declare.plan(None, str(lab))


def test_a_thousand_aliases_of_a_small_object_are_fine():
    text = "base: &base {driver: fake-hardware}\nnodes:\n" + "- *base\n" * 1000
    assert len(_documents.decode(text, lambda: LabLoader)["nodes"]) == 1000


def test_entries_are_counted_together(tmp_path):
    lab = tmp_path / "lab.yaml"
    lab.write_text("nodes: [{count: 1000000, ports: [{count: 1000000}]}]")
    with pytest.raises(exc.ClientException, match="more than 1,000,000 entries in all"):
        declare.plan(None, str(lab))


@pytest.mark.parametrize(
    ("reference", "why"),
    [
        ("cmd:yes", "it is longer than 1,000,000 bytes"),
        ("file:/dev/zero", "it is no regular file"),
        ("cmd:false", "exit code 1"),
        ("cmd:printf '\\377'", "it is not UTF-8 text"),
        ("cmd:/nowhere/at-all", "No such file or directory"),
    ],
)
def test_secrets_have_a_limit(tmp_path, reference, why):
    with pytest.raises(SecretError, match=why):
        resolved(Reference(reference), tmp_path, ["*"])


@pytest.mark.parametrize(
    "text", ["a\x85b", "a\u2028b", "a\u2029b\nc", "tab\tand\r", "'quoted'", "\u202ea\xad"]
)
def test_texts_survive_export(text):
    written = dumped({"name": text})
    assert _documents.decode(written) == {"name": text}
    assert unprintable(written) == set()


def test_json_may_be_nested_as_deeply_as_yaml():
    """Python 3.13 would decode thousands of levels."""
    text = '{"a]": ' + "[" * 199 + '"[{"' + "]" * 199 + "}"
    assert _documents.from_json(text.encode()) == _documents.decode(text)
    with pytest.raises(ValueError, match="it is nested too deeply"):
        _documents.from_json(f"[{text}]")


def test_json_that_is_nested_too_deeply_is_refused_wherever_it_comes_from(scripted, tmp_path):
    deep = "[" * 200_000
    with pytest.raises(ValueError, match="it is nested too deeply"):
        _documents.from_json(deep)
    assert arguments.json_or_text(deep) == deep
    with pytest.raises(argparse.ArgumentTypeError, match="it is nested too deeply"):
        argument_types.json_or_yaml(deep)
    drive = tmp_path / "drive.json"
    drive.write_text('{"a":' + deep)
    with pytest.raises(exc.ValidationError, match="it is nested too deeply"):
        configdrive.prepared(drive)
    client, _ = scripted(Reply(deep.encode()))
    assert client.node.vendor_passthru("n", "m") == deep.encode()


def test_an_argument_may_be_longer_than_the_name_of_a_file():
    assert argument_types.json_or_yaml('["' + "x" * 9000 + '"]') == ["x" * 9000]


@pytest.mark.parametrize(
    "report",
    [
        '{"verb": "node manage", "nodes": [{"name": "a", "uuid": ["x"], "result": "failed"}]}',
        '{"verb": "node manage", "nodes": ' + "[" * 100_000,
        '{"verb": "node manage", "nodes": 1}',
        "[]",
    ],
)
def test_a_file_that_is_no_report_is_refused(capsys, tmp_path, report):
    file = tmp_path / "report.json"
    file.write_text(report)
    words = ["--os-endpoint", "http://127.0.0.1:1", "node", "manage", "--retry-failed", str(file)]
    code, _, err = run_here(words, capsys)
    assert (code, err.endswith("is not a report written by --report.\n")) == (2, True)
