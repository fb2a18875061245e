"""What the scripts of this folder share: the daemon, its ports, the output of clients, the lines PASS, FAIL and SKIP."""
import os, re, shutil, signal, socket, subprocess, sys, tempfile, threading, time

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


def report(name, faults, shown=()):
    """Prints whether a check has no faults, and lines that show what it has found."""
    print(f"{'FAIL' if faults else 'PASS'} {name}" + "".join(f"\n     {one}" for one in faults), flush=True)
    for line in list(shown)[:6]:
        print("     " + line.rstrip()[:150], flush=True)
    if faults:
        failed.append(name)


def until(condition, seconds=15, pause=0.05):
    """Whether a condition becomes true within some seconds."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(pause)
    return False


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


class Broker:
    """mosquitto at a port of this machine, with the lines of its configuration."""

    def __init__(self, folder, *lines, port=None):
        self.port = port or free_port()
        self.path = f"{folder}/broker-{self.port}"
        with open(self.path + ".conf", "w") as file:
            # Otherwise mosquitto, started by root, changes to a user who cannot read the folder.
            file.write("\n".join(("user root", f"listener {self.port} 127.0.0.1", *lines)) + "\n")
        self.start()

    def start(self):
        self.process = subprocess.Popen(["mosquitto", "-c", self.path + ".conf"], stdout=open(self.path + ".log", "a"),
                                        stderr=subprocess.STDOUT)
        if not until(self.answers, 5):
            sys.exit("mosquitto does not start: " + open(self.path + ".log").read())

    def answers(self):
        try:
            socket.create_connection(("127.0.0.1", self.port), 1).close()
            return True
        except OSError:
            return False

    def stop(self, how=signal.SIGTERM):
        self.process.send_signal(how)
        self.process.wait(10)


def sentence(text):
    """A sentence of NMEA 0183 with its checksum."""
    total = 0
    for byte in text.encode():
        total ^= byte
    return f"${text}*{total:02X}\r\n".encode()


def fix(seconds):
    """GGA and RMC of a vessel at anchor, by the civil time."""
    clock, date = (time.strftime(form, time.gmtime(seconds)) + tail for form, tail in (("%H%M%S", f".{int(seconds % 1 * 10)}0"), ("%d%m%y", "")))
    return (sentence(f"GPGGA,{clock},5427.0000,N,01015.0000,E,1,09,0.9,12.0,M,40.0,M,,")
            + sentence(f"GPRMC,{clock},A,5427.0000,N,01015.0000,E,0.0,,{date},,,A"))


def no_fix(seconds):
    """GGA and RMC of a receiver that knows the time and no place."""
    clock, date = (time.strftime(form, time.gmtime(seconds)) for form in ("%H%M%S.00", "%d%m%y"))
    return sentence(f"GPGGA,{clock},,,,,0,00,99.9,,,,,,") + sentence(f"GPRMC,{clock},V,,,,,,,{date},,,N")


def heading(_):
    """HDG of a compass that points to 120 degrees."""
    return sentence("HCHDG,120.0,,,4.0,E")


class Feed:
    """A device at a TCP port of this machine: sends what a function of the civil time makes, while `sends` is true."""

    def __init__(self, make, hertz):
        self.make, self.hertz, self.sends = make, hertz, True
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"tcp://127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            threading.Thread(target=self.send, args=(self.listener.accept()[0],), daemon=True).start()

    def send(self, connection):
        try:
            while True:
                if self.sends:
                    connection.sendall(self.make(time.time()))
                time.sleep(1 / self.hertz)
        except OSError:
            pass


class Daemon:
    """'lodestar serve' with a state folder of its own, in the block of a `with` statement."""

    def __init__(self, program, *options, policy="", state=None, **keys):
        """Options, such as --simulate, and keys of the daemon's file, such as gpsd_port; each server is off without its key.

        policy is the text of the access policy, by default none; state is a folder that outlives the daemon."""
        self.program, self.options, self.policy, self.state = program, options, policy, state
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
        command = [self.program, "serve", *self.options, "--state", self.state or self.folder + "/state", "--config",
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
