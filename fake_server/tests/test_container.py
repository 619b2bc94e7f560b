"""The files of the container: they parse, and set only options that there are."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from fake_server.cli.defaults import PREFIX
from fake_server.cli.options import parse, settings

ROOT = Path(__file__).parents[2]
DOCKERFILE = ROOT / "Dockerfile"
COMPOSE = ROOT / "compose.yaml"


def of_the_image():
    return dict(re.findall(rf"({PREFIX}\w+)=(\S+)", DOCKERFILE.read_text()))


def of_the_service():
    given = yaml.safe_load(COMPOSE.read_text())["services"]["baremetal"]["environment"]
    return {name: re.sub(r"\$\{\w+:-(.*?)\}", r"\1", value) for name, value in given.items()}


@pytest.mark.parametrize("variables", [of_the_image, of_the_service])
def test_the_variables_are_options(monkeypatch, variables):
    found = variables()
    assert found
    for name, value in found.items():
        monkeypatch.setenv(name, value)
    options = vars(parse([]))
    for name, value in found.items():
        assert str(options[name.removeprefix(PREFIX).lower()]) == value
    settings(parse([]))


def test_nobody_is_root_and_what_is_copied_is_there():
    text = DOCKERFILE.read_text()
    assert re.findall(r"^USER (\S+)$", text, re.MULTILINE)[-1].isdecimal()
    for line in re.findall(r"^COPY (?!--from)(.*)$", text, re.MULTILINE):
        assert all((ROOT / name).exists() for name in line.split()[:-1])
