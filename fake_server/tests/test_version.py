"""The version is that of the installed distribution, which has both packages."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

import pytest

import fake_server

ROOT = Path(fake_server.__file__).parents[1]


@pytest.fixture(params=["baremetalclient", "fake_server"])
def package(request):
    return import_module(request.param)


def test_version(package):
    assert package.__version__ == version("baremetalclient")
    assert "__version__" in package.__all__


def test_other_names_are_not_there(package):
    with pytest.raises(AttributeError, match="has no attribute 'version'"):
        _ = package.version


def test_it_is_read_when_it_is_asked_for():
    code = "import sys, fake_server; print('importlib.metadata' in sys.modules)"
    command = [sys.executable, "-S", "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout == "False\n"
