#!/usr/bin/env python3
"""compare.py FOLDER TARGET...: compares what the programs `replay` and `receivers` printed on each target with this
machine's, and prints what differs and what `replay` costs. Status 1: a difference, beyond TOLERANCE between libraries
of mathematics, or an unfinished run."""
import itertools, math, os, re, struct, subprocess, sys

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
decoded, _ = results(os.path.join(folder, "host", "receivers.txt"))


def differing(target, program, own):
    """How many of a program's lines are not this machine's; the first of them are printed."""
    lines, costs = results(os.path.join(folder, target, program + ".txt"))
    if lines[-1:] != ["end"] or len(lines) != len(own) or len(own) < 2:
        print(f"firmware: {program} on {target}: {len(lines)} lines, {len(own)} expected", file=sys.stderr)
        return len(lines) or 1, costs
    pairs = [pair for pair in itertools.zip_longest(lines, own, fillvalue="") if pair[0] != pair[1]]
    for line, expected in pairs[:3]:
        print(f"firmware: {target}: {line}\nfirmware: {'host':>{len(target)}}: {expected}", file=sys.stderr)
    return len(pairs), costs


rows = []
for target in targets:
    (count, costs), (count_decoded, _) = differing(target, "replay", own), differing(target, "receivers", decoded)
    if count or count_decoded:
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
    rows.append([target, *(f"{n} of {len(lines)} lines differ" if n else f"{len(lines)} lines identical"
                           for n, lines in ((count, own), (count_decoded, decoded))),
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
names = ["target", "replay", "receivers", "filter a step", "longest step", "ellipsoid fit", "forward fit", "field model",
         "stack, filter", "stack", "blocks, filter", "heap", "flash", "RAM"]
widths = [max(len(row[i]) for row in [names, *rows]) for i in range(len(names))]
for row in [names, *rows]:
    print("  ".join(word.ljust(width) if i < 3 else word.rjust(width) for i, (word, width) in enumerate(zip(row, widths))))
sys.exit(status)
