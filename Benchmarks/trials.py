#!/usr/bin/env python3
"""Writes every recorded trial that the heading study runs, with VQF's errors beside, into a folder.
Usage: Benchmarks/trials.py LODESTAR STUDY OUT [--only SET,SET]

Sets: broad (four azimuths), phones (the field as `LODESTAR calibrate fit` corrects it, the gyroscope's bias of the day
taken out), tstick, simulator (as `STUDY simulate` makes it), and stress: each variant of SHARED/tools/trouble.py on the trials of broad and tstick.
OUT/trials.csv lists file, group, set and VQF's figures; `heading-study sets OUT` reads it. What is there is kept.

A file holds "LODETRL1", the number of rows as 64 bits, and for each row 16 little-endian float64: time, rate, force,
field (NaN: none), truth (east-north-up, scalar first; NaN: none), move, 0. SHARED is $LODESTAR_SHARED or ../shared."""
import argparse, csv, glob, os, struct, subprocess, sys, tempfile, concurrent.futures, warnings
sys.dont_write_bytecode = True
here = os.path.dirname(os.path.abspath(__file__))
shared = os.path.abspath(os.environ.get("LODESTAR_SHARED") or os.path.join(here, "..", "..", "shared"))
tools = os.path.join(shared, "tools")
sys.path.insert(0, tools)
import numpy as np
import score_phones as scorer
import trouble

TURNS = (0, 90, 180, 270)
VARIANTS = [v for v in trouble.VARIANTS if v != "plain"]


def write(trial, path):
    n = len(trial["t"])
    rows = np.zeros((n, 16))
    rows[:, 0] = trial["t"]
    for first, key in ((1, "g"), (4, "a"), (7, "m"), (10, "q")):
        rows[:, first:first + trial[key].shape[1]] = trial[key]
    rows[:, 14] = trial["mv"] & np.isfinite(trial["q"]).all(1)
    with open(path, "wb") as f:
        f.write(b"LODETRL1" + struct.pack("<Q", n) + rows.astype("<f8").tobytes())


def read(path):
    with open(path, "rb") as f:
        assert f.read(8) == b"LODETRL1", path
        rows = np.frombuffer(f.read(), "<f8", offset=8).reshape(-1, 16)
    return dict(t=rows[:, 0], g=rows[:, 1:4], a=rows[:, 4:7], m=rows[:, 7:10], q=rows[:, 10:14], mv=rows[:, 14] > 0.5)


def calibrated(trial, row, calibration):
    import json
    c = json.load(open(calibration))
    bias = np.array([float(row["bias_" + k]) for k in "xyz"])
    return dict(trial, g=trial["g"] - bias, m=(trial["m"] - np.array(c["hardIron"])) @ np.array(c["softIron"]).T)


def make(job):
    kind, source, group, name, out, extra = job
    path = os.path.join(out, name + ".trial")
    if kind == "turn":
        turned = source
        with tempfile.TemporaryDirectory() as d:
            if extra:
                turned = os.path.join(d, "turned.bin")
                subprocess.run([sys.executable, os.path.join(tools, "turn.py"), source, turned, str(extra)], check=True)
            trial = scorer.load(turned)
    elif kind == "phone":
        trial = calibrated(scorer.load(source), *extra)
    elif kind == "plain":
        trial = scorer.load(source)
    elif kind == "simulated":
        trial = read(path)
    else:
        trial, _ = trouble.make(source, kind)
    if kind != "simulated":
        write(trial, path)
    v = dict(heading=float("nan"), incl=float("nan"), lost=[])
    if kind not in trouble.VARIANTS or trouble.VARIANTS[kind][2]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            v = scorer.figures(trial, scorer.vqf(trial))
    sets = dict(turn="broad", phone="phones", plain="tstick", simulated="simulator")
    return dict(file=name + ".trial", group=group, set=sets.get(kind, "stress"), heading="%.4f" % v["heading"], inclination="%.4f" % v["incl"],
                lost=int(bool(v["lost"])))


def jobs(lodestar, study, out, wanted):
    data = os.path.join(shared, "data")
    broad = sorted(glob.glob(os.path.join(data, "broad", "*.bin")))
    stick = scorer.listed(os.path.join(data, "tstick")) if os.path.isdir(os.path.join(data, "tstick")) else []
    stem = lambda p: os.path.basename(p).split(".")[0]
    if "broad" in wanted:
        for p in broad:
            for a in TURNS:
                yield "turn", p, "BROAD", "%s-%d" % (stem(p), a), out, a
    if "tstick" in wanted:
        for r in stick:
            yield "plain", os.path.join(r["folder"], r["file"]), r["group"], r["name"], out, None
    if "phones" in wanted and os.path.isdir(os.path.join(data, "phones")):
        rows = scorer.listed(os.path.join(data, "phones"))
        fits = {}
        for r in rows:
            key = r["calibration"]
            if key not in fits:
                fit = os.path.join(out, os.path.basename(key).split(".")[0] + ".json")
                fits[key] = fit if os.path.exists(fit) else scorer.fit(lodestar, os.path.join(r["folder"], key), fit)
            yield "phone", os.path.join(r["folder"], r["file"]), r["group"], r["name"], out, (r, fits[key])
    if "simulator" in wanted:
        made = subprocess.run([study, "simulate", out], check=True, stdout=subprocess.PIPE, text=True).stdout
        for line in made.splitlines():
            file, group = line.split(",", 1)
            yield "simulated", None, group, stem(file), out, None
    for v in VARIANTS:
        if "stress" in wanted:
            for p in broad:
                yield v, p, "stress BROAD " + v, v + "-" + stem(p), out, None
            for r in stick:
                if "saturated" not in r["group"]:
                    yield v, os.path.join(r["folder"], r["file"]), "stress T-stick " + v, v + "-" + r["name"], out, None


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("lodestar")
    p.add_argument("study")
    p.add_argument("out")
    p.add_argument("--only", default="broad,phones,tstick,simulator,stress")
    a = p.parse_args()
    os.makedirs(a.out, exist_ok=True)
    index = os.path.join(a.out, "trials.csv")
    have = {r["file"]: r for r in csv.DictReader(open(index))} if os.path.exists(index) else {}
    todo = [j for j in jobs(a.lodestar, a.study, a.out, a.only.split(",")) if j[3] + ".trial" not in have]
    with concurrent.futures.ProcessPoolExecutor(os.cpu_count()) as pool:
        for r in pool.map(make, todo):
            have[r["file"]] = r
    with open(index, "w", newline="") as f:
        w = csv.DictWriter(f, ["file", "group", "set", "heading", "inclination", "lost"])
        w.writeheader()
        w.writerows(have.values())


if __name__ == "__main__":
    main()
