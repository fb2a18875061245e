"""What the scripts of this folder share: the daemon, its ports, the output of clients, the lines PASS, FAIL and SKIP."""
import os, re, shutil, socket, subprocess, sys, tempfile, time

failed, skipped = [], []


def built(program):
    """The absolute path of the built program."""
    path = os.path.abspath(program)
    if not os.access(path, os.X_OK):
        name = os.path.basename(sys.argv[0])
        sys.exit(f"{name}: {path} cannot be run: build it with 'swift build -c release --product lodestar'")
    return path


def free_port(kind=socket.SOCK_STREAM):
    with socket.socket(socket.AF_INET, kind) as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def output(command, seconds, **options):
    """What a command prints, which is ended after some seconds."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                               **options)
    try:
        return process.communicate(timeout=seconds)[0]
    except subprocess.TimeoutExpired:
        process.terminate()
        return process.communicate()[0]


def missing(needs, root="/"):
    """The programs of a list that are not installed in a root."""
    folders = ":".join(root + one for one in ("/usr/bin", "/usr/sbin"))
    return [one for one in needs if not shutil.which(one, path=folders if root != "/" else None)]


def skip(name, reason):
    skipped.append(name)
    print(f"SKIP {name}: {reason}", flush=True)


def check(name, needs, show, *patterns, root="/"):
    """Prints whether the output of a client has all patterns, and its first lines that have one."""
    absent = missing(needs, root)
    if absent:
        return skip(name, "not installed: " + ", ".join(absent))
    text = show()
    absent = [one for one in patterns if not re.search(one, text)]
    print(f"{'FAIL' if absent else 'PASS'} {name}" + "".join(f"\n     without {one}" for one in absent))
    shown = [line for line in text.splitlines() if re.search("|".join(patterns), line)] or text.splitlines()
    for line in shown[:20 if absent else 6]:
        print("     " + line.rstrip()[:150])
    sys.stdout.flush()
    if absent:
        failed.append(name)


def finish():
    """Ends the script with the status 1 where a client failed."""
    print(f"{len(failed)} failed{': ' + ', '.join(failed) if failed else ''}; {len(skipped)} skipped")
    sys.exit(1 if failed else 0)


def install_packages(folder, *names):
    """Whether pip could install packages of PyPI to a folder."""
    with tempfile.TemporaryDirectory() as environment:
        commands = [[sys.executable, "-m", "venv", environment],
                    [environment + "/bin/pip", "-q", "install", "--target", folder, *names]]
        return not any(subprocess.run(one, capture_output=True).returncode for one in commands)


class Daemon:
    """'lodestar serve' with a state folder of its own, in the block of a `with` statement."""

    def __init__(self, program, *options, policy="", **keys):
        """Options, such as --simulate, and keys of the daemon's file, such as gpsd_port; each server is off without its key.

        policy is the text of the access policy, by default none."""
        self.program, self.options, self.policy = program, options, policy
        self.keys = {"gpsd_port": 0, "http_port": 0, **keys}

    def __enter__(self):
        self.place = tempfile.TemporaryDirectory()
        self.folder = self.place.name
        with open(self.folder + "/serve.yaml", "w") as file:
            file.writelines(f"{key.replace('_', '-')}: {value}\n" for key, value in self.keys.items())
        with open(self.folder + "/policy.yaml", "w") as file:
            file.write(self.policy)
        self.environment = dict(os.environ, LODESTAR_SOCKET=self.folder + "/s",
                                LODESTAR_POLICY=self.folder + "/policy.yaml" if self.policy else "")
        command = [self.program, "serve", *self.options, "--state", self.folder + "/state", "--config",
                   self.folder + "/serve.yaml"]
        self.process = subprocess.Popen(command, env=self.environment, stderr=open(self.folder + "/log", "w"))
        return self

    def await_fix(self, seconds=20):
        """Returns with the first fix of the source."""
        end = time.monotonic() + seconds
        while not os.path.exists(self.folder + "/s") and self.process.poll() is None and time.monotonic() < end:
            time.sleep(0.02)
        output([self.program, "location", "--count", "1"], seconds, env=self.environment)

    def log(self):
        with open(self.folder + "/log") as file:
            return file.read()

    def stop(self):
        self.process.terminate()
        return self.process.wait(timeout=10)

    def __exit__(self, *_):
        status = self.process.returncode if self.process.poll() is not None else self.stop()
        if status != 0:
            failed.append(f"the daemon: status {status}")
            print(self.log()[-500:])
        self.place.cleanup()
