"""What Benchmarks/run and Benchmarks/heading share: building, and the heading filter's time beside vqf's."""
import json, os, shutil, subprocess, sys, tempfile, time

here = os.path.dirname(os.path.abspath(__file__))
root = os.path.dirname(here)
shared = os.environ.get("LODESTAR_SHARED", os.path.join(root, "..", "shared"))
timed_trial = os.path.join(shared, "data", "broad", "07_undisturbed_fast_rotation_B.bin")


def say(text):
    print(text, file=sys.stderr, flush=True)


def build(package, product):
    """Builds for release and gives the program's path."""
    command = ["swift", "build", "-c", "release", "--package-path", package]
    subprocess.run([*command, "--product", product], check=True, stdout=sys.stderr)
    out = subprocess.run([*command, "--show-bin-path"], check=True, capture_output=True, text=True).stdout
    return os.path.join(out.strip(), product)


def read_trial(path):
    """Rate in hertz; gyroscope, accelerometer and magnetometer as vqf wants them."""
    import numpy as np
    raw = open(path, "rb").read()
    n, c = np.frombuffer(raw, "<u4", 2, 8)
    x = np.frombuffer(raw, "<f4", n * c, 32).reshape(n, c).astype(float)
    return np.frombuffer(raw, "<f8", 1, 16)[0], [np.ascontiguousarray(x[:, i:i + 3]) for i in (1, 4, 7)]


def heading_times(bench, trial, rounds, peer=True):
    """The two take turns: nanoseconds a sample of each of our runs and of vqf's, our heap blocks a sample."""
    ours, theirs, blocks = [], [], 0
    if peer:
        import vqf
        rate, (g, a, m) = read_trial(trial)
    for _ in range(rounds):
        r = json.loads(subprocess.run([bench, "heading", trial], check=True, capture_output=True, text=True).stdout)
        ours.append(r["nanosecondsFastest"])
        blocks = r["allocations"]
        if peer:
            for _ in range(5):
                f = vqf.VQF(1 / rate)
                t = time.perf_counter_ns()
                f.updateBatch(g, a, m)
                theirs.append((time.perf_counter_ns() - t) / len(g))
    return ours, theirs, blocks


def vqf_blocks(trial):
    """Heap blocks a sample of vqf's updateBatch, counted as ours are; None without a C compiler."""
    compiler = shutil.which("cc") or shutil.which("clang")
    if not compiler:
        return None
    source = os.path.join(here, "Sources", "CAllocationCounter")
    program = """
import ctypes, sys
sys.path.insert(0, sys.argv[1])
import vqf, sidebyside
count = ctypes.CDLL(None).allocation_count
count.restype = ctypes.c_uint64
rate, samples = sidebyside.read_trial(sys.argv[2])
for _ in range(2):
    f = vqf.VQF(1 / rate)
    before = count()
    f.updateBatch(*samples)
    blocks = count() - before
print(blocks / len(samples[0]))
"""
    with tempfile.TemporaryDirectory() as scratch:
        counter = os.path.join(scratch, "counter.so")
        subprocess.run([compiler, "-O2", "-shared", "-fPIC", "-I", os.path.join(source, "include"),
                        os.path.join(source, "allocation_counter.c"), "-o", counter], check=True)
        out = subprocess.run([sys.executable, "-c", program, here, trial], check=True, capture_output=True, text=True,
                             env=dict(os.environ, LD_PRELOAD=counter)).stdout
    return float(out)
