"""What each command sends, with each of its options."""

import json
import re
import textwrap
from collections import Counter, defaultdict
from pathlib import Path

import pytest

from baremetalclient.microversion import CLIENT_MAX
from baremetalclient.osc.command_table import COMMANDS
from baremetalclient.tests.unit.osc.everything import (
    UUID,
    Everything,
    change,
    lines,
    own_actions,
    parser_of,
    parts,
    run_here,
    sent,
    words_of,
)
from baremetalclient.tests.unit.scripted import offering
from tools.rows import some

# They read files, or go on until something happens.
ELSEWHERE = {"apply", "create", "diff", "lab graph", "node watch", "node inventory save"}
ELSEWHERE |= {name for name in COMMANDS if name.endswith(" wait")}
WAITS = {"wait_timeout", "timeout", "wait", "watch", "parallel", "max_failures", "file"}
WAITS |= {"volume_endpoint", "compute_endpoint"}
# Many commands have them from the same class: they are tried with some commands.
SHARED = {"show_secrets", "on_error", "selections", "everything", "nodes_file", "retry_failed"}
SHARED |= {"report_format", "report_file", "format", "sort", "yes", "dry_run"}
SHARED |= {"provision_state"}
WITH_SHARED = {"node list", "node show", "node delete", "node boot device set", "export"}
WITH_SHARED |= {"node power on", "volume detach"}
# They ask for several things at once.
AT_ONCE = ("export", "node explain", "volume attach", "volume detach")
SEVERAL = (*AT_ONCE, "server")
VALUES = {
    "positive_int": "3",
    "positive_duration": "3",
    "non_negative_int": "2",
    "key_value": "k=v",
    "plain_key_value": "k=v",
    "json_or_yaml": '[{"a": 1}]',
    "boolean": "true",
    "checked": "driver=d",
    "provision_state": "active",
    "float": "1.5",
    "block_device": "uuid=v,source_type=volume,boot_index=0",
    "nic": f"net-id={UUID}",
    "secret": "password",
}
NEWEST = str(CLIENT_MAX)
PREVIOUS = f"1.{CLIENT_MAX.minor - 1}"
NAMES = [name for name in COMMANDS if name not in ELSEWHERE]
# These have the most options.
LARGE = ("node create", "node set", "node unset")


def group_of(name):
    return "fields of nodes" if name in LARGE else name.split()[0]


GROUPS = sorted({group_of(name) for name in NAMES})


@pytest.fixture(scope="module")
def server():
    with Everything() as made:
        yield made


@pytest.fixture(autouse=True)
def environment(monkeypatch, tmp_path, server):
    for variable in ("OS_ENDPOINT", "OS_VOLUME_ENDPOINT", "OS_COMPUTE_ENDPOINT"):
        monkeypatch.setenv(variable, server.url)
    monkeypatch.chdir(tmp_path)


def values(action):
    if action.nargs == 0:
        return []
    if action.choices:
        return [str(next(iter(action.choices)))]
    return [VALUES.get(getattr(action.type, "__name__", ""), "text")]


def options(name):
    """Yield each option of a command that can be added to what it needs."""
    words = words_of(name)
    for action in own_actions(parser_of(name)):
        flags = [flag for flag in action.option_strings if flag not in words]
        left_out = WAITS if name in WITH_SHARED else WAITS | SHARED
        if len(flags) == len(action.option_strings) > 0 and action.dest not in left_out:
            yield [flags[0], *values(action)]


def run(server, words, capsys):
    """Return how a command ended if it failed, the requests, and the first line it printed."""
    Path("text").write_text("content")
    server.all_requests.clear()
    code, out, err = run_here(words, capsys)
    failure = [f"{code}: {lines(err)[-1][:60].strip()}"] if code else []
    return failure, list(server.all_requests), [*lines(out)[:1], *lines(err)[:1]]


@pytest.mark.rows
@pytest.mark.parametrize("group", GROUPS)
def test_requests_are_as_recorded(server, recorded, capsys, group):
    found = {}
    for name in (name for name in NAMES if group_of(name) == group):
        words = words_of(name)
        failure, requests, printed = run(server, words, capsys)
        asked = [sent(each).replace(f" {NEWEST}", "") for each in requests]
        base = Counter(part for each in requests for part in parts(each))
        changes = defaultdict(list)
        for option in options(name):
            option_failure, requests, _ = run(server, [*words, *option], capsys)
            result = " ".join(option_failure) or change(base, requests)
            field = option[0].strip("-").replace("-", "_")
            changes[re.sub(rf"(?<=[/?]){field}\b", "FIELD", result)].append(" ".join(option))
        found[" ".join(words)] = [
            *failure,
            *(sorted(asked) if name in AT_ONCE else asked),
            *(line for line in printed if "Field | Value" not in line),
            *(
                line
                for result, given in changes.items()
                for line in textwrap.wrap(f"{', '.join(given)}: {result}", 150)
            ),
        ]
    recorded(json.loads(json.dumps(found).replace(server.url, "URL")))


def test_an_older_server_costs_a_command_one_request_more(monkeypatch, capsys, tmp_path):
    problems = []
    with Everything(versions=offering(PREVIOUS)) as server:
        monkeypatch.setenv("OS_ENDPOINT", server.url)
        others = (*SEVERAL, "version show")
        for name in some([name for name in NAMES if not name.startswith(others)]):
            failure, requests, _ = run(server, words_of(name), capsys)
            versions = [request.version for request in requests]
            targets = {request.target for request in requests}
            if failure or versions != [NEWEST, PREVIOUS] or len(targets) != 1:
                problems.append((name, failure, versions, targets))
    assert problems == []
