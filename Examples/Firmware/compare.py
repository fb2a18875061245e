#!/usr/bin/env python3
"""compare.py FOLDER TARGET...: compares what the program `replay` printed on each target with this machine's, and
prints what differs and what the program costs. Status 1: a difference beyond TOLERANCE, or an unfinished run."""
import math, os, re, struct, subprocess, sys

# Degrees of attitude, and the relative difference of any other number, between libraries of mathematics. With one
# library all bits must agree.
TOLERANCE = 1e-6

folder, targets = sys.argv[1], sys.argv[2:]


def results(path):
    with open(path) as f:
        lines = f.read().split("\n")
    costs = [line[2:] for line in lines if line.startswith("# ")]
    return [line for line in lines if line and not line.startswith("#")], costs


def number(word):
    return struct.unpack(">d", bytes.fromhex(word))[0]


def difference(a, b):
    """Degrees between attitudes, and the largest relative difference of other numbers."""
    degrees = relative = 0.0
    for x, y in zip(a, b):
        x, y = x.split(), y.split()
        if x[:2] != y[:2] or len(x) != len(y) or not all(re.fullmatch("[0-9a-f]{16}", w) for w in x[2:] + y[2:]):
            if x != y:
                return math.inf, math.inf
            continue
        if len(x) < 3:
            continue
        p, q = [[number(w) for w in line[2:]] for line in (x, y)]
        if x[0] == "attitude":
            # The angle of the rotation between the two, from the chord: exact for small angles.
            sign = 1 if sum(i * j for i, j in zip(p, q)) > 0 else -1
            chord = math.sqrt(sum((i - sign * j) ** 2 for i, j in zip(p, q)))
            degrees = max(degrees, math.degrees(4 * math.asin(min(1, chord / 2))))
        else:
            # A vector is judged as one: a small component may have few correct digits.
            scale = max(map(abs, p)) or 1
            relative = max(relative, max(abs(i - j) for i, j in zip(p, q)) / scale)
    return degrees, relative


def size(path):
    """Bytes of flash without the inputs, and of RAM without heap and stack; None where there is neither."""
    listing = subprocess.run(["size", "-A", path], capture_output=True, text=True, check=True).stdout
    sections = {m[1]: int(m[2]) for m in re.finditer(r"^(\.\S+)\s+(\d+)", listing, re.M)}
    if ".heap" not in sections:
        return None
    inputs = sum(os.path.getsize(os.path.join(folder, "inputs", n)) for n in ("trial.bin", "wmm.bin"))
    flash = sections[".text"] + sections[".rodata"] + sections[".data"] - inputs
    return flash, sections[".data"] + sections[".bss"]


status = 0
own, _ = results(os.path.join(folder, "host", "replay.txt"))
platform, _ = results(os.path.join(folder, "host", "replay-platform.txt"))
rows = []
for target in targets:
    lines, costs = results(os.path.join(folder, target, "replay.txt"))
    if lines[-1:] != ["end"] or len(lines) != len(own):
        print(f"firmware: {target}: {len(lines)} lines, {len(own)} expected", file=sys.stderr)
        status = 1
    differing = [i for i, (a, b) in enumerate(zip(lines, own)) if a != b]
    for i in differing[:3]:
        print(f"firmware: {target}: {lines[i]}\nfirmware: {'host':>{len(target)}}: {own[i]}", file=sys.stderr)
    if differing:
        status = 1
    values = {}
    for line in costs:
        words = line.split()
        values[" ".join(words[:-1])] = words[-1]
        if "instructions" in words:
            values[words[0]], values[words[0] + " most"] = words[2], words[4]
    def whole(name):
        return f"{int(values[name]):,}" if name in values and int(values[name]) else "-"
    memory = size(os.path.join(folder, target, "replay"))
    rows.append([target, "identical" if not differing else f"{len(differing)} of {len(own)} lines differ",
                 whole("filter"), whole("filter most"), whole("ellipsoid"), whole("forward"), whole("field"),
                 whole("filter stack"), whole("stack"), values.get("filter blocks", "-"), whole("heap"),
                 *([f"{n:,}" for n in memory] if memory else ["-", "-"])])
degrees, relative = difference(own, platform)
same = sum(a == b for a, b in zip(own, platform))
print(f"this machine's own library of mathematics: {same} of {len(own)} lines identical; attitude differs by at most "
      f"{degrees:.1e} degrees, other results by {relative:.1e} of their size")
if max(degrees, relative) > TOLERANCE:
    status = 1
print("instructions as QEMU counts them (one nanosecond each): no cycles, no waiting for memory\n")
names = ["target", "results", "filter a step", "longest step", "ellipsoid fit", "forward fit", "field model",
         "stack, filter", "stack", "blocks, filter", "heap", "flash", "RAM"]
widths = [max(len(row[i]) for row in [names, *rows]) for i in range(len(names))]
for row in [names, *rows]:
    print("  ".join(word.ljust(width) if i < 2 else word.rjust(width) for i, (word, width) in enumerate(zip(row, widths))))
sys.exit(status)
