"""Firefox for the tests of Python in the page, driven over WebDriver BiDi: no driver program is needed."""

import itertools
import json
import os
import re
import shutil
import subprocess
import time
from contextlib import contextmanager

import pytest
import websocket

#: No page but those on disk: whatever else is asked for goes to a door that nobody opens.
PREFERENCES = {
    "network.proxy.type": 1,
    "network.proxy.http": "127.0.0.1",
    "network.proxy.http_port": 9,
    "network.proxy.ssl": "127.0.0.1",
    "network.proxy.ssl_port": 9,
    "remote.active-protocols": 1,
    "datareporting.policy.dataSubmissionEnabled": False,
}
LISTENS = re.compile(r"WebDriver BiDi listening on (ws://\S+)")


def found():
    """Return the path of Firefox, or None."""
    return shutil.which("firefox-esr") or shutil.which("firefox")


def need():
    """Skip where there is no Firefox; with CLEARHEAD_REQUIRE_FIREFOX=1 that is a failure."""
    if found() is None:
        required = os.environ.get("CLEARHEAD_REQUIRE_FIREFOX") == "1"
        (pytest.fail if required else pytest.skip)("FIREFOX IS NOT TESTED: there is none on the path.")


class Firefox:
    """A running Firefox with one tab; another is opened by `tab`."""

    def __init__(self, folder):
        lines = (
            f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in PREFERENCES.items()
        )
        (folder / "user.js").write_text("\n".join(lines), "utf-8")
        command = [
            found(),
            "--headless",
            "--no-remote",
            "--profile",
            str(folder),
            "--remote-debugging-port",
            "0",
        ]
        address = self.start(command, folder / "messages.txt") or self.start(command, folder / "again.txt")
        if address is None:
            pytest.fail(
                f"Firefox did not start. It wrote: {(folder / 'again.txt').read_text('utf-8', 'replace')}"
            )
        self.socket = websocket.create_connection(f"{address}/session", timeout=400, suppress_origin=True)
        self.numbers = itertools.count(1)
        self.command("session.new", capabilities={})
        self.tab()

    def start(self, command, messages):
        """Start Firefox and return where it listens, or None if it does not say so within three minutes.

        It writes into a file, because a pipe that nobody reads would stop it.
        """
        with messages.open("w") as file:
            self.process = subprocess.Popen(command, stderr=file, stdout=subprocess.DEVNULL)
        end = time.monotonic() + 180
        while time.monotonic() < end and self.process.poll() is None:
            if listens := LISTENS.search(messages.read_text("utf-8", "replace")):
                return listens[1]
            time.sleep(0.1)
        self.process.kill()
        self.process.wait()
        return None

    def command(self, method, **parameters):
        """Return what Firefox answers to a command."""
        request_id = next(self.numbers)
        self.socket.send(json.dumps({"id": request_id, "method": method, "params": parameters}))
        while True:
            answer = json.loads(self.socket.recv())
            if answer.get("id") == request_id:
                assert answer["type"] == "success", answer
                return answer["result"]

    def tab(self):
        """Open a new tab, and work in it from now on."""
        self.context = self.command("browsingContext.create", type="tab")["context"]

    def close_tab(self):
        """Close the tab that is worked in, as a reader does."""
        self.command("browsingContext.close", context=self.context)

    def goto(self, address):
        """Load a page."""
        self.command("browsingContext.navigate", context=self.context, url=address, wait="complete")

    def evaluate(self, expression):
        """Return the value of a JavaScript expression, awaited."""
        wrapped = f"Promise.resolve({expression}).then((value) => JSON.stringify(value ?? null))"
        target = {"context": self.context}
        response = self.command("script.evaluate", expression=wrapped, target=target, awaitPromise=True)
        assert response["type"] == "success", response
        return json.loads(response["result"]["value"])

    def run(self, code, limit=30, skip_unavailable=False, cell="cell"):
        """Return what the page's Python says of some code."""
        how = json.dumps({"limit": limit, "skipUnavailable": skip_unavailable, "cell": cell})
        return self.evaluate(f"clearhead.run({json.dumps(code)}, {how})")

    def choose(self, selector, path):
        """Give a file to a file field."""
        found = self.command(
            "browsingContext.locateNodes",
            context=self.context,
            locator={"type": "css", "value": selector},
        )
        element = {"sharedId": found["nodes"][0]["sharedId"]}
        self.command("input.setFiles", context=self.context, element=element, files=[str(path)])

    def type(self, text):
        """Press the keys of a text."""
        keys = [{"type": kind, "value": letter} for letter in text for kind in ("keyDown", "keyUp")]
        self.command(
            "input.performActions",
            context=self.context,
            actions=[{"type": "key", "id": "k", "actions": keys}],
        )

    def close(self):
        """End Firefox."""
        self.socket.close()
        self.process.terminate()
        self.process.wait(60)


@contextmanager
def running(folder):
    """Give a running Firefox with a profile of its own in a folder."""
    firefox = Firefox(folder)
    try:
        yield firefox
    finally:
        firefox.close()
