#!/usr/bin/env python3
"""Boots an emulated board of the rig with a device tree of ours and runs a script in it; prints its console, and ends with
its status. The rig's own `run` has no devices on SPI, and does not watch the board's lines."""
import argparse, os, re, socket, subprocess, sys, threading, time

options = argparse.ArgumentParser(description=__doc__)
options.add_argument("rig_folder")
options.add_argument("machine", choices=["raspi3b", "imx8mp-evk"])
options.add_argument("tree", help="device tree")
options.add_argument("guest", help="shell script")
options.add_argument("--push", action="append", default=[], metavar="FILE", help="for the guest")
options.add_argument("--flash", metavar="MODEL", help="QEMU's model of a flash chip, on the first SPI bus")
options.add_argument("--gpio", metavar="CONTROLLER", help="whose lines are watched, in QEMU's /machine/soc")
options.add_argument("--select", type=int, metavar="LINE", help="selects the flash")
options.add_argument("--wires", metavar="SCK,MOSI,MISO,CS", help="lines of an SPI bus; its transfers are printed")
options.add_argument("--timeout", type=float, default=300, metavar="S")
options = options.parse_args()
sys.dont_write_bytecode = True
sys.path.insert(0, options.rig_folder)
import cpio

rig = os.environ.get("RIG") or os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "lodestar-rig")
tools = rig + "/tools"
INIT = """#!/bin/busybox sh
export PATH=/root:/bin:/sbin HOME=/root
/bin/busybox mkdir -p /proc /sys /dev /tmp; /bin/busybox --install -s /bin
mount -t proc proc /proc; mount -t sysfs sysfs /sys; mount -t devtmpfs dev /dev; dmesg -n 1
cd /root; sh guest.sh < /dev/null; echo "@RIG exit $?"; sleep 5; poweroff -f
"""


def say(*words):
    print(*words, flush=True)


def image():
    """The rig's base image, and an archive with what is ours."""
    files = {"init": (0o100755, INIT.encode()), "root/guest.sh": (0o100755, open(options.guest, "rb").read())}
    for path in options.push:
        files["root/" + os.path.basename(path)] = (0o100755, open(path, "rb").read())
    file = os.memfd_create("initrd")
    with os.fdopen(os.dup(file), "wb") as f:
        f.write(open(f"{rig}/boards/arm64/base.gz", "rb").read())
        f.write(b"\0" * (-f.tell() % 4))
        cpio.write(f, files)
    return file


class Flash:
    """The chip select of the flash, which QEMU leaves unconnected on these boards, in the state "selected".

    The line's changes arrive here later than the bytes in the chip. So only the end of a transfer is passed on, as a short
    deselection, for which the guest has to wait before the next."""

    def __init__(self, line):
        self.line = line

    def changed(self, line, level):
        if line != self.line:
            return
        say(f"    select: {'high' if level else 'low'}")
        if level:
            for value in (1, 0):
                tell(f"set_irq_in /machine/peripheral/flash ssi-gpio-cs 0 {value}")


class Wires:
    """Prints the bytes of each transfer as a chip in mode 3 sees them: the clock rests high, bits are read at its rising
    edges, highest first. MISO is low, from the second transfer on high: an answer bit by bit would come too late."""

    def __init__(self, lines):
        self.sck, self.mosi, self.miso, self.cs = lines
        self.levels = {self.sck: 0, self.mosi: 0, self.cs: 1}
        self.bits = ""

    def changed(self, line, level):
        if line not in self.levels or self.levels[line] == level:
            return
        self.levels[line] = level
        if line == self.cs and not level:
            self.bits, self.rest = "", self.levels[self.sck]
        elif line == self.cs:
            count = len(self.bits)
            text = " ".join(f"{int(self.bits[i:i + 8], 2):02x}" for i in range(0, count - count % 8, 8))
            say(f"    wires: {text}, {count} bits, the clock rested {'high' if self.rest else 'low'}")
            tell(f"set_irq_in /machine/soc/{options.gpio} unnamed-gpio-in {self.miso} 1")
        elif line == self.sck and level and not self.levels[self.cs]:
            self.bits += str(self.levels[self.mosi])


def tell(command):
    ends["qtest"].sendall(command.encode() + b"\n")


def watch():
    """Reports the changes of the controller's lines, by QEMU's protocol for tests."""
    watcher = Wires([int(line) for line in options.wires.split(",")]) if options.wires else Flash(options.select)
    tell(f"irq_intercept_out /machine/soc/{options.gpio}")
    for line in ends["qtest"].makefile("r"):
        words = line.split()
        if words[0] == "IRQ":
            watcher.changed(int(words[2]), int(words[1] == "raise"))
        elif words[0] != "OK":
            say("board: QEMU's test protocol:", line.strip())


theirs, ends = [], {}
def channel(name):
    ends[name], other = socket.socketpair()
    theirs.append(other)
    return ["-chardev", f"socket,id={name},fd={other.fileno()}"]


initrd = image()
console = {"raspi3b": "ttyS1", "imx8mp-evk": "ttymxc1"}[options.machine]
command = [
    tools + "/lib64/ld-linux-x86-64.so.2", "--library-path", tools + "/usr/lib/x86_64-linux-gnu",
    tools + "/usr/bin/qemu-system-aarch64", "-L", tools + "/usr/share/qemu", "-M", options.machine, "-accel",
    "tcg,thread=single", "-display", "none", "-audio", "none", "-monitor", "none", "-no-reboot", "-dtb", options.tree,
    "-kernel", rig + "/boards/arm64/vmlinuz", "-initrd", f"/proc/self/fd/{initrd}", "-append",
    f"console={console},115200 loglevel=3 panic=-1 rdinit=/init random.trust_cpu=on maxcpus=1", "-serial", "null",
    *channel("console"), "-serial", "chardev:console", *channel("qtest"), "-qtest", "chardev:qtest", "-qtest-log", "/dev/null"]
if options.machine == "imx8mp-evk":
    command += ["-m", "1G"]
if options.flash:
    command += ["-device", f"{options.flash},id=flash,bus=spi"]
qemu = subprocess.Popen(command, stdin=subprocess.DEVNULL, pass_fds=[initrd] + [t.fileno() for t in theirs])
for other in theirs:
    other.close()


def end(status):
    qemu.kill()
    qemu.wait()
    os._exit(status)


if options.gpio:
    threading.Thread(target=watch, daemon=True).start()
ends["console"].settimeout(1)
deadline, text = time.time() + options.timeout, b""
while time.time() < deadline:
    try:
        data = ends["console"].recv(65536)
    except TimeoutError:
        continue
    if not data:
        say("board: it stopped without a status")
        end(125)
    *complete, text = (text + data.replace(b"\r", b"")).split(b"\n")
    for line in complete:
        line = line.decode("utf8", "replace")
        if match := re.match(r"@RIG exit (\d+)$", line):
            end(int(match[1]))
        say(line)
say("board: timeout")
end(124)
