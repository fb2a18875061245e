#!/usr/bin/env python3
"""compass.py QEMU -M BOARD -kernel PROGRAM: runs the program `compass`, sets the field of QEMU's own model of the
LSM303DLHC by QMP, and checks that the printed heading follows. Status 1 where it does not."""
import json, math, os, queue, socket, subprocess, sys, tempfile, threading, time

# Of the printed heading, degrees: half a digit of the display, and half a count (0.09 microtesla) of a level field of 20.
TOLERANCE = 0.4
LEVEL, UP = 20_000, 45_000  # nanotesla
# QEMU 7.2 refuses negative fields (it multiplies them as unsigned numbers): one quarter of the circle is left.
HEADINGS = (0, 7, 30, 45, 61, 83, 90, 20)

with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "qmp")
    machine = subprocess.Popen(
        [*sys.argv[1:], "-display", "none", "-serial", "stdio", "-monitor", "none", "-semihosting-config", "enable=on,target=native",
         "-device", "lsm303dlhc_mag,id=magnetometer,bus=i2c,address=0x1e", "-qmp", f"unix:{path},server=on,wait=on"],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        for _ in range(200):
            if os.path.exists(path):
                break
            time.sleep(0.05)
        connection = socket.socket(socket.AF_UNIX)
        connection.settimeout(30)
        connection.connect(path)
        stream = connection.makefile("rw")

        def command(name, **arguments):
            stream.write(json.dumps({"execute": name, "arguments": arguments}) + "\n")
            stream.flush()
            while True:
                answer = json.loads(stream.readline())
                if "error" in answer:
                    sys.exit(f"compass: QMP refused {name}: {answer['error']['desc']}")
                if "return" in answer:
                    return answer["return"]

        def set_field(heading):
            # The chip's x points forward, y left, z up; north lies at minus the heading.
            angle = math.radians(heading)
            for axis, value in zip("xyz", (LEVEL * math.cos(angle), LEVEL * math.sin(angle), UP)):
                command("qom-set", path="/machine/peripheral/magnetometer", property=f"mag-{axis}", value=round(value))

        stream.readline()
        command("qmp_capabilities")
        set_field(0)
        lines = queue.Queue()
        threading.Thread(target=lambda: ([lines.put(line.strip()) for line in machine.stdout], lines.put(None)), daemon=True).start()
        wrong = 0
        for heading in HEADINGS:
            set_field(heading)
            end, shown = time.monotonic() + 20, None
            while time.monotonic() < end:
                line = lines.get(timeout=20)
                if line is None or line.startswith("failure"):
                    sys.exit(f"compass: the program ended: {line}")
                if not line.startswith("heading "):
                    continue
                shown = float(line.split()[1])
                if abs((shown - heading + 180) % 360 - 180) <= TOLERANCE:
                    break
            else:
                wrong += 1
                print(f"compass: the field is of heading {heading}, printed is {shown}", file=sys.stderr)
        print(f"{sys.argv[3]}: heading follows the field of QEMU's LSM303DLHC: {len(HEADINGS) - wrong} of {len(HEADINGS)}")
        sys.exit(1 if wrong else 0)
    finally:
        machine.kill()
        machine.wait()
