"""Debian's chromium, driven through a pipe by its DevTools protocol."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
import warnings
from itertools import count
from typing import Any

import pytest

_SECONDS = 30


class Browser:
    """A page in a browser of its own.

    :param directory: of its profile.
    """

    def __init__(self, directory: str) -> None:
        program = shutil.which("chromium")
        if program is None:
            if os.environ.get("FAKE_SERVER_BROWSER") == "required":
                raise FileNotFoundError("chromium isn't installed")
            warnings.warn("NOT TESTED: chromium is missing", stacklevel=2)
            pytest.skip("NOT TESTED: chromium is missing")
        ours, theirs = os.pipe(), os.pipe()
        command = [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run"]
        command += ["--disable-dev-shm-usage", "--remote-debugging-pipe"]
        command += [f"--user-data-dir={directory}", "about:blank"]
        # It reads its third descriptor and writes to its fourth.
        shell = f'exec "$@" 3<&{ours[0]} 4>&{theirs[1]}'
        self._process = subprocess.Popen(
            ["bash", "-c", shell, "chromium", *command],
            pass_fds=(ours[0], theirs[1]),
            stderr=subprocess.DEVNULL,
        )
        os.close(ours[0])
        os.close(theirs[1])
        self._to, self._from = ours[1], theirs[0]
        self._numbers = count(1)
        self._read = b""
        self._session: str | None = None
        self.events: list[dict[str, Any]] = []
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        attached = self.send("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(f"{domain}.enable")

    def send(self, method: str, **params: Any) -> Any:
        """Send a command and return its result."""
        number = next(self._numbers)
        message: dict[str, Any] = {"id": number, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._receive()
            if answer.get("id") == number:
                assert "error" not in answer, answer
                return answer["result"]
            self.events.append(answer)

    def open(self, url: str) -> None:
        """Go to a page."""
        self.send("Page.navigate", url=url)
        self.wait_for(f"location.href == {url!r} && document.readyState == 'complete'")

    def run(self, script: str) -> Any:
        """Run a script in the page and return its value."""
        result = self.send("Runtime.evaluate", expression=script, returnByValue=True)
        assert "exceptionDetails" not in result, result
        return result["result"].get("value")

    def wait_for(self, script: str) -> None:
        """Wait until a script has a true value."""
        end = time.monotonic() + _SECONDS
        while time.monotonic() < end:
            # What it is about may not be there yet.
            if self.run(f"(() => {{ try {{ return Boolean({script}) }} catch {{ }} }})()"):
                return
            time.sleep(0.05)
        raise AssertionError(f"{script} isn't true: {self.run('document.body.innerText')}")

    def complaints(self) -> list[str]:
        """Return what the browser complained of: errors in scripts, and what CSP refused."""
        self.run("0")
        found = [event for event in self.events if event.get("method") == "Runtime.exceptionThrown"]
        for event in self.events:
            entry = event.get("params", {}).get("entry", {})
            # It also notes every answer that is an error, which isn't the page's fault.
            if entry.get("level") in ("error", "warning") and entry["source"] != "network":
                found.append(event)
        return [json.dumps(event) for event in found]

    def close(self) -> None:
        """End the browser."""
        self._process.terminate()
        self._process.wait(timeout=_SECONDS)
        os.close(self._to)
        os.close(self._from)

    def _receive(self) -> dict[str, Any]:
        while b"\0" not in self._read:
            piece = os.read(self._from, 65536)
            if not piece:
                raise AssertionError("chromium has gone")
            self._read += piece
        text, _, self._read = self._read.partition(b"\0")
        return dict(json.loads(text))
