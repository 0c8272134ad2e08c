"""A real Chromium, driven over the pipe of its DevTools protocol: no library, no port, no driver.

--remote-debugging-pipe: commands go in on descriptor 3, answers come out on 4, JSON, each ended
by a zero byte.
"""

import base64
import fcntl
import json
import os
import select
import shutil
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Self

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
PATIENCE = 20.0
"""Seconds until a browser that does not answer has failed."""
QUIET = ("--headless=new", "--disable-gpu", "--hide-scrollbars", "--no-first-run", "--mute-audio")
ALONE = ("--disable-background-networking", "--disable-component-update", "--disable-sync")
KEYS = {" ": "Space", "Home": "Home", "End": "End", "Tab": "Tab", "Enter": "Enter"}
CODES = {" ": 32, "Tab": 9, "Enter": 13, "End": 35, "Home": 36, "ArrowLeft": 37, "ArrowRight": 39}


def find_chromium() -> str | None:
    """Its program, if there is one here."""
    return next(filter(None, map(shutil.which, NAMES)), None)


class Broken(AssertionError):
    """The page, or the browser, did something that it should not."""


@dataclass
class Browser:
    """One process; its pages share nothing but that."""

    program: str
    profile: Path
    _number: int = 0
    _buffer: bytes = b""
    _events: list[dict[str, Any]] = field(default_factory=list)

    def __enter__(self) -> Self:
        (low, self._to), (self._from, high) = os.pipe(), os.pipe()
        # Above 3 and 4, which the shell is about to give away.
        commands, answers = (fcntl.fcntl(one, fcntl.F_DUPFD, 10) for one in (low, high))
        root = ("--no-sandbox",) if os.geteuid() == 0 else ()
        flags = [*QUIET, *ALONE, *root, f"--user-data-dir={self.profile}"]
        # The two ends become 3 and 4 in a shell, which then becomes the browser.
        script = f'exec "$@" 3<&{commands} 4>&{answers} {commands}<&- {answers}>&-'
        command = ["bash", "-c", script, "chromium", self.program, *flags]
        command += ["--remote-debugging-pipe", "about:blank"]
        self._process = subprocess.Popen(
            command,
            pass_fds=(commands, answers),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for one in (low, high, commands, answers):
            os.close(one)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        try:
            self.send("Browser.close")
        except (Broken, OSError):
            self._process.kill()
        try:
            self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        os.close(self._to)
        os.close(self._from)

    def page(self, *, width: int = 1280, height: int = 900) -> "Page":
        target = self.send("Target.createTarget", {"url": "about:blank"})["targetId"]
        told = self.send("Target.attachToTarget", {"targetId": target, "flatten": True})
        page = Page(self, told["sessionId"], target)
        for domain in ("Page", "Runtime", "Log"):
            page.send(f"{domain}.enable")
        page.resize(width, height)
        return page

    def send(
        self, method: str, params: Mapping[str, Any] | None = None, session: str = ""
    ) -> dict[str, Any]:
        """The result of one command. Raises `Broken` for an error."""
        self._number += 1
        number = self._number
        told = {"id": number, "method": method, "params": dict(params or {})}
        if session:
            told["sessionId"] = session
        os.write(self._to, json.dumps(told).encode() + b"\0")
        until = time.monotonic() + PATIENCE
        while True:
            message = self._read(until)
            if message.get("id") == number:
                if "error" in message:
                    raise Broken(f"{method}: {message['error']}")
                result: dict[str, Any] = message["result"]
                return result
            self._events.append(message)

    def events(self, session: str) -> list[dict[str, Any]]:
        """What one page told since it was last asked."""
        found = [one for one in self._events if one.get("sessionId") == session]
        self._events = [one for one in self._events if one.get("sessionId") != session]
        return found

    def _read(self, until: float) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            left = until - time.monotonic()
            if left <= 0 or not select.select([self._from], [], [], left)[0]:
                raise Broken("the browser does not answer")
            part = os.read(self._from, 1 << 16)
            if not part:
                raise Broken("the browser is gone")
            self._buffer += part
        text, _, self._buffer = self._buffer.partition(b"\0")
        message: dict[str, Any] = json.loads(text)
        return message


@dataclass
class Page:
    """One tab."""

    browser: Browser
    session: str
    target: str
    faults: list[str] = field(default_factory=list)
    """Errors of the console, exceptions, and whatever the page's own policy refused."""

    def send(self, method: str, params: Mapping[str, Any] | None = None) -> dict[str, Any]:
        return self.browser.send(method, params, self.session)

    def open(self, address: str) -> None:
        """Go somewhere and wait until the site has drawn it."""
        self.send("Page.navigate", {"url": address})
        hash_ = "#" + address.partition("#")[2] if "#" in address else "#/"
        self.until(f"document.documentElement.dataset.shown === {json.dumps(hash_)}")

    def go(self, hash_: str) -> None:
        """To another page of the site."""
        self.run(f"window.location.hash = {json.dumps(hash_)}")
        self.until(f"document.documentElement.dataset.shown === {json.dumps(hash_)}")

    def run(self, script: str) -> Any:
        """The value of an expression in the page."""
        params = {"expression": script, "returnByValue": True, "awaitPromise": True}
        told = self.send("Runtime.evaluate", params)
        if "exceptionDetails" in told:
            raise Broken(f"{script}: {told['exceptionDetails']}")
        return told["result"].get("value")

    def until(self, script: str) -> Any:
        """Wait until an expression is true; its value. Asked again by the page's own frames."""
        wait = (
            f"new Promise((done, failed) => {{ const until = Date.now() + {int(PATIENCE * 500)};"
            f" const ask = () => {{ let v; try {{ v = {script}; }} catch (e) {{ v = false; }}"
            " if (v) done(v); else if (Date.now() > until) failed(new Error('not so in time'));"
            " else setTimeout(ask, 20); }; ask(); })"
        )
        return self.run(wait)

    def text(self, selector: str) -> str:
        found: str = self.run(f"document.querySelector({json.dumps(selector)}).innerText")
        return found

    def texts(self, selector: str) -> list[str]:
        script = f"[...document.querySelectorAll({json.dumps(selector)})].map(e => e.innerText)"
        found: list[str] = self.run(script)
        return found

    def click(self, selector: str) -> None:
        self.run(f"document.querySelector({json.dumps(selector)}).click()")

    def key(self, key: str, *, shift: bool = False) -> None:
        """Press and let go of one key, as a keyboard does."""
        code = KEYS.get(key, key if key.startswith("Arrow") else f"Key{key.upper()}")
        number = CODES.get(key, ord(key.upper()[0]))
        common = {"key": key, "code": code, "windowsVirtualKeyCode": number}
        common["modifiers"] = 8 if shift else 0
        text = {"text": key} if len(key) == 1 else {}
        self.send("Input.dispatchKeyEvent", {"type": "keyDown", **common, **text})
        self.send("Input.dispatchKeyEvent", {"type": "keyUp", **common})

    def write(self, text: str) -> None:
        """Into whatever has the focus."""
        self.send("Input.insertText", {"text": text})

    def resize(self, width: int, height: int = 900) -> None:
        told = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.send("Emulation.setDeviceMetricsOverride", told)

    def seen_as(self, *, media: str = "", scheme: str = "") -> None:
        """As print, or by somebody whose system is dark."""
        features = [{"name": "prefers-color-scheme", "value": scheme}] if scheme else []
        self.send("Emulation.setEmulatedMedia", {"media": media, "features": features})

    def picture(self, path: Path, *, full: bool = False) -> None:
        """A screenshot, for people to look at; it is no part of any test."""
        told = self.send("Page.captureScreenshot", {"captureBeyondViewport": full})
        path.write_bytes(base64.b64decode(told["data"]))

    def pdf(self) -> bytes:
        told = self.send("Page.printToPDF", {"printBackground": True})
        return base64.b64decode(told["data"])

    def accessible(self) -> Sequence[dict[str, Any]]:
        """The tree that a screen reader is given."""
        nodes: list[dict[str, Any]] = self.send("Accessibility.getFullAXTree")["nodes"]
        return [node for node in nodes if not node.get("ignored")]

    def complaints(self) -> list[str]:
        """Everything the page complained of so far."""
        self.send("Runtime.evaluate", {"expression": "0"})
        for event in self.browser.events(self.session):
            self.faults += _complaint(event)
        return self.faults

    def close(self) -> None:
        self.browser.send("Target.closeTarget", {"targetId": self.target})


def _complaint(event: Mapping[str, Any]) -> list[str]:
    params: Mapping[str, Any] = event.get("params", {})
    match event.get("method"):
        case "Runtime.exceptionThrown":
            details = params["exceptionDetails"]
            said = details.get("exception", {}).get("description", details["text"])
            return [f"{said} {details.get('url', '')}:{details.get('lineNumber')}"]
        case "Runtime.consoleAPICalled" if params["type"] in ("error", "warning", "assert"):
            return [" ".join(str(one.get("value", one)) for one in params["args"])]
        case "Log.entryAdded" if params["entry"]["level"] in ("error", "warning"):
            return [f"{params['entry']['text']} {params['entry'].get('url', '')}"]
    return []
