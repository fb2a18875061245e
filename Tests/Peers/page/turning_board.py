"""Writes a recording of a board with iron on it that is turned and tilted by hand, as a calibration needs it: sensor CSV for
`lodestar serve --replay`. The same bytes every time. Standard library only."""
import math, random

columns = "t,gx,gy,gz,ax,ay,az,mx,my,mz,pressure,temperature,lat,lon,alt,hacc,vacc,speed,course"


def attitude(t):
    """The rows of the rotation from earth (north, east, down) to body (forward, right, down)."""
    heading, pitch, roll = 0.7 * t, 0.8 * math.sin(0.37 * t), 0.7 * math.sin(0.55 * t + 1)
    ch, sh, cp, sp, cr, sr = (f(a) for a in (heading, pitch, roll) for f in (math.cos, math.sin))
    return [(ch * cp, sh * cp, -sp), (ch * sp * sr - sh * cr, sh * sp * sr + ch * cr, cp * sr),
            (ch * sp * cr + sh * sr, sh * sp * cr - ch * sr, cp * cr)]


def along(rows, vector):
    return [sum(a * b for a, b in zip(row, vector)) for row in rows]


def write(path, seconds=300):
    """The field of Kiel, 50 inertial and 25 field samples a second; x forward, y left, z up."""
    noise, step = random.Random(18), 1e-4
    north, down = 17.4, 47.0
    with open(path, "w") as file:
        file.write(columns + "\n")
        for n in range(seconds * 50):
            t = n / 50
            now, before, after = attitude(t), attitude(t - step), attitude(t + step)
            change = [[(b - a) / (2 * step) for a, b in zip(*pair)] for pair in zip(before, after)]
            # The rotation's derivative times its transpose is minus the cross product with the rate.
            rate = [sum(p * q for p, q in zip(change[i], now[j])) for i, j in ((1, 2), (2, 0), (0, 1))]
            force = along(now, (0, 0, -9.81))
            row = [f"{t:.9f}"]
            row += [f"{s * v + noise.gauss(0, 0.002):.7f}" for s, v in zip((1, -1, -1), rate)]
            row += [f"{s * v + noise.gauss(0, 0.03):.6f}" for s, v in zip((1, -1, -1), force)]
            if n % 2 == 0:
                x, y, z = (s * v for s, v in zip((1, -1, -1), along(now, (north, 0, down))))
                raw = 1.04 * x + 0.02 * y + 14, 0.02 * x + 0.97 * y - 9, 1.01 * z + 6
                row += [f"{v + noise.gauss(0, 0.2):.5f}" for v in raw]
            else:
                row += ["", "", ""]
            row += ["1013.25000", "15.00"] if n % 10 == 0 else ["", ""]
            row += ["54.450000000", "10.200000000", "3.0", "2.5", "2.6", "0.0", ""] if n % 50 == 0 else [""] * 7
            file.write(",".join(row) + "\n")
