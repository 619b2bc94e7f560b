"""Where the packages of the extra ``server`` aren't installed, one line says how to get them."""

from __future__ import annotations

import subprocess
import sys

import pytest

SAYS = "pip install 'baremetalclient[server]'"
WITHOUT = "import sys\nsys.modules['{}'] = None\n"


def run(module, script):
    command = [sys.executable, "-c", WITHOUT.format(module) + script]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=30)


MAIN = "from fake_server.cli import main\nsys.exit(main([{}]))"
START = "'--port', '0', '--db', '{}://me@127.0.0.1:1/lab'"


@pytest.mark.parametrize(
    ("module", "words", "says"),
    [
        *(
            ("sqlalchemy", words, f"The fake server needs sqlalchemy: {SAYS}")
            for words in ("'--port', '0'", "'exec', 'true'", "'capture', 'http://x'")
        ),
        ("sqlalchemy", "'--help'", None),
        (
            *("cryptography", "'--port', '0', '--tls', 'auto'"),
            f"The fake server needs cryptography: {SAYS}",
        ),
        *(
            (
                *(driver, START.format(scheme)),
                f"can't be used: {driver} isn't installed; pip install "
                f"'baremetalclient[{extra}]' installs the driver of {works}://…",
            )
            for driver, scheme, extra, works in (
                ("psycopg", "postgresql+psycopg", "postgresql", "postgresql+psycopg"),
                ("psycopg2", "postgresql+psycopg2", "postgresql", "postgresql+psycopg"),
                ("pymysql", "mariadb+pymysql", "mariadb", "mariadb+pymysql"),
                ("MySQLdb", "mysql", "mariadb", "mysql+pymysql"),
            )
        ),
    ],
)
@pytest.mark.slow("starts interpreters that lack modules")
def test_the_command(module, words, says):
    done = run(module, MAIN.format(words))
    if says is None:
        assert (done.returncode, done.stderr) == (0, "")
    else:
        assert (done.returncode, done.stderr.count("\n")) == (1, 1)
        assert done.stderr.startswith("baremetal-fake-server: ")
        assert done.stderr.endswith(f"{says}\n")


def test_python():
    done = run("sqlalchemy", "from fake_server.server import FakeServer")
    assert done.stderr.splitlines()[-1].endswith(f"The fake server needs sqlalchemy: {SAYS}")
    assert "MissingExtraError" in done.stderr
    assert "During handling" not in done.stderr


@pytest.mark.slow("starts interpreters that lack modules")
def test_the_fixture(tmp_path):
    (tmp_path / "conftest.py").write_text(WITHOUT.format("sqlalchemy"))
    (tmp_path / "test_it.py").write_text("def test_it(baremetal_server): pass\n")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path)]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, cwd=tmp_path, timeout=60
    )
    assert done.returncode == 1
    assert f"The fake server needs sqlalchemy: {SAYS}" in done.stdout
    assert "Traceback" not in done.stdout


@pytest.mark.slow("starts interpreters that lack modules")
def test_a_module_of_its_own_that_is_missing_is_a_fault():
    done = run("fake_server.clock", "from fake_server.server import FakeServer")
    assert SAYS not in done.stderr
