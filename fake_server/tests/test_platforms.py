"""Client and fake server on a system that lacks what Windows and macOS lack of Linux.

What is missing is taken away after the packages of others are loaded, which know both.
"""

from __future__ import annotations

import subprocess
import sys

import pytest

pytestmark = pytest.mark.slow("starts interpreters that lack modules")
WITHOUT = """
import multiprocessing, os, select, signal, socket, subprocess, sys, tempfile
import cliff.app, cliff.formatters.table, cliff.lister, cliff.show, cryptography.x509, jsonpatch
import jsonschema, keystoneauth1.loading, keystoneauth1.session, openstack.config, os_traits
import oslo_utils.secretutils, requests, sqlalchemy.dialects.sqlite, stevedore, yaml

for name in ("fcntl", "grp", "pty", "pwd", "resource", "termios", "tty"):
    sys.modules[name] = None
for module, *names in (
    (os, "fork", "forkpty", "getuid", "geteuid", "killpg", "pread", "pwrite", "setsid", "wait"),
    (os, "mkfifo", "O_NOFOLLOW", "O_CLOEXEC"),
    (select, "epoll", "poll"),
    (signal, "SIGKILL", "SIGPIPE", "SIGWINCH", "SIGHUP", "SIGALRM", "SIGUSR1", "pthread_sigmask"),
    (socket, "SO_REUSEPORT", "MSG_DONTWAIT", "TCP_KEEPIDLE"),
):
    for name in names:
        if hasattr(module, name):
            delattr(module, name)
"""
IMPORT = """
import importlib, pkgutil
package = importlib.import_module(sys.argv[1])
names = [found.name for found in pkgutil.walk_packages(package.__path__, sys.argv[1] + ".")]
# They are for several processes, which --workers refuses there.
skipped = (".tests", ".__main__", "fake_server.cli.workers", "fake_server.control.shared_log")
names = [name for name in names if not any(part in name for part in skipped)]
assert len(names) > 100
for name in names:
    importlib.import_module(name)
"""
USE = """
from baremetalclient import client
from baremetalclient.shell import main
from fake_server.server import FakeServer

with FakeServer() as server:
    os.name = "posix"  # for pathlib, which would look for files as on Windows
    ironic = client.get_client(1, endpoint=server.url)
    node = ironic.node.create(driver="fake-hardware", name="node-1")
    ironic.node.set_provision_state(node.uuid, "manage")
    ironic.node.wait_for_provision_state(node.uuid, "manageable", timeout=60)
    words = ["--os-endpoint", server.url, "node", "list", "-f", "value", "-c", "Name"]
    code = main(words)
sys.exit(code)
"""
WORKERS = """
from fake_server.cli import main
sys.exit(main(["--port", "0", "--workers", "2", "--db", "sqlite:///" + sys.argv[1]]))
"""


def run(script, *words):
    command = [sys.executable, "-c", WITHOUT + script, *words]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)


@pytest.mark.parametrize("package", ["baremetalclient", "fake_server"])
def test_modules_can_be_imported(package):
    done = run(IMPORT, package)
    assert (done.returncode, done.stderr) == (0, "")


def test_they_work_together():
    done = run(USE)
    assert (done.returncode, done.stdout) == (0, "node-1\n"), done.stderr


def test_workers_are_refused(tmp_path):
    done = run(WORKERS, str(tmp_path / "lab.sqlite"))
    assert done.returncode == 2
    says = "--workers: It needs os.fork(), which this system lacks."
    assert done.stderr == f"baremetal-fake-server: {says}\n"
    assert list(tmp_path.iterdir()) == []
