"""Chromium without a window, by the DevTools protocol over a pair of pipes. Standard library only."""
import base64, json, os, queue, shutil, subprocess, tempfile, threading, time


class Browser:
    """A headless Chromium. Each page has a context of its own, without cookies and storage of another."""

    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_browser, self.output = os.pipe()
        self.input, from_browser = os.pipe()

        def pipes():
            # The browser reads descriptor 3 and writes 4. Copies above, so that none overwrites another.
            a, b = os.dup(to_browser), os.dup(from_browser)
            high = [os.dup2(a, 30), os.dup2(b, 31)]
            os.dup2(high[0], 3), os.dup2(high[1], 4)

        self.process = subprocess.Popen(
            [self.program, "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run",
             "--disable-dev-shm-usage", "--disable-background-networking", "--remote-debugging-pipe",
             "--user-data-dir=" + self.folder.name],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, close_fds=False,
            preexec_fn=pipes)
        os.close(to_browser), os.close(from_browser)
        self.number, self.answers, self.pages, self.lock = 0, {}, {}, threading.Lock()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        rest = b""
        while True:
            try:
                bytes_ = os.read(self.input, 1 << 16)
            except OSError:
                return
            if not bytes_:
                return
            *messages, rest = (rest + bytes_).split(b"\0")
            for text in messages:
                message = json.loads(text)
                if "id" in message:
                    self.answers[message["id"]].put(message)
                elif page := self.pages.get(message.get("sessionId")):
                    page.take(message["method"], message["params"])

    def send(self, method, session=None, seconds=30, **values):
        with self.lock:
            self.number += 1
            number = self.number
            self.answers[number] = queue.Queue()
            message = {"id": number, "method": method, "params": values}
            if session:
                message["sessionId"] = session
            os.write(self.output, json.dumps(message).encode() + b"\0")
        message = self.answers[number].get(timeout=seconds)
        del self.answers[number]
        if "error" in message:
            raise RuntimeError(f"{method}: {message['error']['message']}")
        return message["result"]

    def page(self, width, height, is_night, is_phone, is_calm=False):
        return Page(self, width, height, is_night, is_phone, is_calm)

    def close(self):
        try:
            self.send("Browser.close", seconds=5)
            self.process.wait(timeout=10)
        except (RuntimeError, queue.Empty, subprocess.TimeoutExpired, OSError):
            self.process.kill()
            self.process.wait()
        self.folder.cleanup()


class Page:
    def __init__(self, browser, width, height, is_night, is_phone, is_calm):
        self.browser, self.errors, self.requests = browser, [], []
        self.context = browser.send("Target.createBrowserContext")["browserContextId"]
        target = browser.send("Target.createTarget", url="about:blank", browserContextId=self.context)["targetId"]
        self.session = browser.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        browser.pages[self.session] = self
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(domain + ".enable")
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=2 if is_phone else 1,
                  mobile=is_phone)
        self.send("Emulation.setTouchEmulationEnabled", enabled=is_phone)
        features = [{"name": "prefers-color-scheme", "value": "dark" if is_night else "light"}]
        if is_calm:
            features.append({"name": "prefers-reduced-motion", "value": "reduce"})
        self.send("Emulation.setEmulatedMedia", features=features)
        # Everything that moves on the page without an action of the user.
        self.send("Page.addScriptToEvaluateOnNewDocument", source="""
            window.shifts = []; new PerformanceObserver((list) => { for (const e of list.getEntries()) if (!e.hadRecentInput)
            window.shifts.push([e.value, ...e.sources.map((s) => s.node?.id || s.node?.className || s.node?.nodeName)]); })
            .observe({ type: "layout-shift", buffered: true });""")

    def send(self, method, **values):
        return self.browser.send(method, session=self.session, **values)

    def take(self, method, values):
        if method == "Runtime.consoleAPICalled" and values["type"] in ("error", "warning", "assert"):
            self.errors.append(" ".join(str(a.get("value", a.get("description"))) for a in values["args"]))
        elif method == "Runtime.exceptionThrown":
            d = values["exceptionDetails"]
            self.errors.append(d["text"] + " " + str(d.get("exception", {}).get("description", "")))
        elif method == "Log.entryAdded" and values["entry"]["level"] in ("error", "warning"):
            self.errors.append(values["entry"]["text"] + " " + values["entry"].get("url", ""))
        elif method == "Network.requestWillBeSent":
            self.requests.append(values["request"]["url"])
        elif method == "Network.webSocketCreated":
            self.requests.append(values["url"])

    def open(self, url):
        self.send("Page.navigate", url=url)
        self.wait("document.readyState === 'complete'", 15)

    def value(self, expression):
        result = self.send("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True, userGesture=True)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"].get("exception", {}).get("description", expression))
        return result["result"].get("value")

    def wait(self, expression, seconds):
        """Whether the expression becomes true within some seconds."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.value(expression):
                return True
            time.sleep(0.1)
        return False

    def text(self, id_):
        return self.value(f"document.getElementById({json.dumps(id_)}).textContent")

    def click(self, id_):
        """A real click in the middle of an element, which fails where another one covers it."""
        box = self.value(f"""(() => {{ const n = document.getElementById({json.dumps(id_)});
            n.scrollIntoView({{ block: "center" }}); const b = n.getBoundingClientRect();
            const [x, y] = [b.x + b.width / 2, b.y + b.height / 2], top = document.elementFromPoint(x, y);
            return [x, y, top === n || n.contains(top)]; }})()""")
        if not box[2]:
            raise RuntimeError(f"#{id_} is covered or not displayed")
        for kind in ("mousePressed", "mouseReleased"):
            self.send("Input.dispatchMouseEvent", type=kind, x=box[0], y=box[1], button="left", clickCount=1)

    def picture(self, path, is_whole=False):
        if is_whole:
            self.value("scrollTo(0, 0)")
        picture = self.send("Page.captureScreenshot", format="png", captureBeyondViewport=is_whole)
        with open(path, "wb") as file:
            file.write(base64.b64decode(picture["data"]))

    def close(self):
        self.browser.send("Target.disposeBrowserContext", browserContextId=self.context)
