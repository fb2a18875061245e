#!/usr/bin/env python3
"""inputs.py DATA FOLDER: writes the programs' inputs, FOLDER/trial.bin, wmm.bin and logs.bin (Runtime/firmware.h), from
the reference data. The trial is a part of one: five seconds at rest, then slow turns about all axes."""
import os, struct, sys

TRIAL, BEGIN, SECONDS = "04_undisturbed_slow_rotation_with_breaks_A.bin", 105, 35

data, folder = sys.argv[1:]
with open(os.path.join(data, "broad", TRIAL), "rb") as f:
    content = f.read()
rows, columns = struct.unpack_from("<II", content, 8)
hertz, = struct.unpack_from("<d", content, 16)
assert content[:6] == b"BROAD1" and columns == 14, TRIAL
with open(os.path.join(folder, "trial.bin"), "wb") as f:
    f.write(struct.pack("<d", hertz))
    for row in range(int(BEGIN * hertz), min(rows, int((BEGIN + SECONDS) * hertz))):
        first = 32 + 4 * (columns * row + 1)
        f.write(content[first:first + 36])
with open(os.path.join(data, "wmm", "WMM2025_TEST_VALUES.txt")) as table, \
        open(os.path.join(folder, "wmm.bin"), "wb") as f:
    for line in table:
        if line.startswith("#") or not line.strip():
            continue
        v = [float(word) for word in line.split()]
        # Year, height, latitude, longitude, declination, inclination, strength.
        f.write(struct.pack("<7d", v[0], v[1], v[2], v[3], v[4], v[5], v[10]))
# Each receiver's log behind its length.
logs = sorted(name for name in os.listdir(os.path.join(data, "gnss")) if name.endswith(".log"))
with open(os.path.join(folder, "logs.bin"), "wb") as f:
    for name in logs:
        with open(os.path.join(data, "gnss", name), "rb") as log:
            content = log.read()
        f.write(struct.pack("<I", len(content)) + content)
