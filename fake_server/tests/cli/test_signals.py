"""A signal ends each command in a sentence, and a second one at once."""

from __future__ import annotations

import signal
import socket
import threading

import pytest

from fake_server.tests.cli import running

ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@pytest.fixture
def silent():
    """The URL of a server that never responds; what asks it gets a signal, which is chosen."""
    chosen = [signal.SIGINT]
    connections = []

    def interrupt():
        connection, _ = listening.accept()
        connections.append(connection)
        connection.recv(1)
        signal.pthread_kill(main, chosen[0])

    main = threading.get_ident()
    before = {one: signal.getsignal(one) for one in ENDING}
    with socket.create_server(("127.0.0.1", 0)) as listening:
        threading.Thread(target=interrupt, daemon=True).start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}", chosen
    for one, handler in before.items():
        signal.signal(one, handler)
    for each in connections:
        each.close()


@pytest.mark.parametrize(
    "words",
    [
        ("capture", "{}"),
        ("compare", "{}"),
        ("twin", "--url={}", "--port=0"),
        ("twin", "--url={}", "--", "true"),
        ("ctl", "--url={}", "health"),
        ("ctl", "--url={}", "requests", "list"),
        ("ctl", "--url={}", "clock", "advance", "5"),
    ],
    ids=" ".join,
)
def test_ctrl_c_while_a_server_does_not_respond(silent, words):
    done = running.run(*(word.format(silent[0]) for word in words))
    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr == "baremetal-fake-server: interrupted\n"
    # Where Python would go on, another one ends the process.
    assert signal.getsignal(signal.SIGINT) is signal.SIG_DFL


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_comparison_may_have_written_something_when_it_ends(silent, number):
    silent[1][0] = number
    done = running.run("compare", silent[0], "--write")
    assert (done.returncode, done.stdout) == (128 + number, "")
    assert done.stderr == "baremetal-fake-server: interrupted\n"
