"""What the commands say on standard error."""

from __future__ import annotations

from fake_server.cli.messages import tell


def test_what_controls_a_terminal_is_escaped(capsys):
    tell("a\x1b[2J\u202eé\u200b\nb")
    assert capsys.readouterr().err == "baremetal-fake-server: a\\x1b[2J\\u202eé\\u200b\nb\n"
