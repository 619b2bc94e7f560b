"""What the versions of the Compute, Placement and Block Storage APIs show and take."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest
import yaml

from fake_server.tests.filled_cloud import Filled, said


def around(major, latest, *news):
    """Return the first and the last version of an API, and those around the news of others."""
    minors = {int(major == 2), latest, *news, *(minor - 1 for minor in news)}
    return [f"{major}.{minor}" for minor in sorted(minors)]


TABLES = yaml.safe_load(Path(__file__).with_name("versions.yaml").read_text("utf-8"))
VERSIONS = {service: around(*news) for service, news in TABLES["news"].items()}
VERSIONS["placement"] = [f"1.{minor}" for minor in range(40)]


@pytest.fixture(scope="module")
def cloud():
    return Filled("none")


def flat(value, at=""):
    """Yield the members of an answer with their values, as text."""
    if isinstance(value, dict) and value:
        for name, one in value.items():
            yield from flat(one, f"{at}.{name}")
    elif isinstance(value, list) and value:
        for one in value:
            yield from flat(one, at)
    else:
        shown = isinstance(value, int | str | None) and "<" not in str(value)
        yield f"{at[1:]}={value}" if shown and ".links." not in at else at[1:]


def changes(cloud, service, path):
    """Yield the versions in which an answer changes, and what comes and goes."""
    before = set()
    for version in VERSIONS[service]:
        status, answer = cloud.ask(service, "GET", path, None, version)
        inner = answer[next(iter(answer))] if len(answer) == 1 else answer
        now = set(flat(inner)) if status < 300 else {f"{status} {said(answer)[:44]}"}
        gone, new = sorted(before - now), sorted(now - before)
        if gone or new:
            names = [*new, *(f"-{name.partition('=')[0]}" for name in gone)]
            yield from textwrap.wrap(f"{version} {' '.join(names)}", 200, break_on_hyphens=False)
        before = now


@pytest.mark.rows
@pytest.mark.parametrize("service", VERSIONS)
def test_versions_show_what_is_recorded(cloud, recorded, service):
    recorded({path: list(changes(cloud, service, path)) for path in TABLES["paths"][service]})


@pytest.mark.rows
def test_fields_are_taken_since_the_recorded_versions(cloud, recorded):
    found = {}
    for what, (method, path, whole, news) in TABLES["requests"].items():
        ((key, base),) = whole.items()
        for field, value in TABLES["fields"].items():
            outcomes = {}
            for version in around(2, 105, *news):
                body = {key: {**base, field: value}}
                status, answer = cloud.ask("compute", method, path, body, version)
                text = f"{status} {said(answer)[:44]}" if status >= 400 else "taken"
                if "Additional properties" in str(answer):
                    text = "unknown"
                outcomes.setdefault(text, version)
                if status < 300:
                    cloud.restore()
            if set(outcomes) - {"404 The resource could not be found."} != {"unknown"}:
                found[f"{what}: {field}"] = [f"{one} {text}" for text, one in outcomes.items()]
    recorded(found)
