"""What the scripts with Debian's Prometheus share: promtool, a server with the alert rules, the queries of the dashboard."""
import json, os, re, subprocess, urllib.error, urllib.parse, urllib.request
from peers import free_port, until

packaging = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Packaging")
rules = os.path.join(packaging, "prometheus", "lodestar.rules.yml")
rule_tests = os.path.join(packaging, "prometheus", "lodestar.rules.test.yml")


def promtool(*arguments, **more):
    """The status of promtool, and what it prints."""
    done = subprocess.run(["promtool", *arguments], capture_output=True, text=True, timeout=300, **more)
    return done.returncode, (done.stdout + done.stderr).strip()


def dashboard():
    """The panels of the dashboard for Grafana, and the queries of each, for all boards."""
    with open(os.path.join(packaging, "grafana", "lodestar-fleet.json")) as file:
        panels = json.load(file)["panels"]
    return [(panel, [target["expr"].replace("$board", ".*").replace("$__rate_interval", "15s") for target in panel["targets"]])
            for panel in panels]


class Prometheus:
    """Prometheus at a port of this machine, which asks the boards of its configuration at an interval."""

    def __init__(self, folder, jobs, interval="1s"):
        self.port = free_port()
        # The waiting times of the alerts are checked by promtool.
        with open(rules) as source, open(f"{folder}/quick.rules.yml", "w") as target:
            target.write(re.sub(r"(?m)^ *for: .*\n", "", source.read()))
        with open(f"{folder}/prometheus.yml", "w") as file:
            json.dump({"global": {"scrape_interval": interval, "scrape_timeout": interval, "evaluation_interval": "1s"},
                       "rule_files": [f"{folder}/quick.rules.yml"], "scrape_configs": jobs}, file)
        self.process = subprocess.Popen(
            ["prometheus", f"--config.file={folder}/prometheus.yml", f"--storage.tsdb.path={folder}/data",
             f"--web.listen-address=127.0.0.1:{self.port}", "--log.level=error"])

    def ask(self, path, **query):
        address = f"http://127.0.0.1:{self.port}/api/v1/{path}?{urllib.parse.urlencode(query)}"
        try:
            return json.load(urllib.request.urlopen(address, timeout=10))["data"]
        except urllib.error.HTTPError as error:
            raise ValueError(f"{query}: {error.read().decode()[:300]}") from error

    def query(self, expression):
        return self.ask("query", query=expression)["result"]

    def wait(self, condition, seconds=60):
        """Whether a condition becomes true; Prometheus may not answer yet."""
        def holds():
            try:
                return condition()
            except OSError:
                return False

        return until(holds, seconds, pause=0.5)

    def firing(self):
        """The alerts that fire: the names with their boards' names and annotations."""
        return [(one["labels"]["alertname"], one["labels"]["instance"], one) for one in self.ask("alerts")["alerts"]
                if one["state"] == "firing"]

    def stop(self):
        self.process.terminate()
        self.process.wait(20)
