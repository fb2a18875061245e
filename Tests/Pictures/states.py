"""Writes a recording for each state of the sources: a boat that sails at 4 m/s while its heading wanders about north-east.
Sensor CSV for `lodestar serve --replay`; the same bytes every time. Standard library only."""
import math, random

columns = "t,gx,gy,gz,ax,ay,az,mx,my,mz,lat,lon,alt,hacc,vacc,speed,course"
rate = 25
# Of each state: seconds of the recording; from when no field, from when no fix.
never = 1e9
# Longer than all pictures take.
lasting = 1500
shapes = {
    "live": (lasting, never, never),
    "late": (lasting, never, never),
    "lost-compass": (lasting, 8, never),
    "lost-receiver": (lasting, never, 8),
    "both-lost": (lasting, 8, 8),
    "ended": (12, never, never),
    "contradicted": (lasting, never, never),
}
# The field of Kiel: north and down, microtesla; declination, degrees.
north, down, declination = 17.4, 47.0, 4.1


def heading(t):
    """Magnetic, radians."""
    return math.radians(45 + 12 * math.sin(0.25 * t))


def attitude(t):
    """The rows of the rotation from earth (north, east, down) to body (forward, right, down), in a sea."""
    h, pitch, roll = heading(t), math.radians(3 * math.sin(1.2 * t)), math.radians(7 * math.sin(1.5 * t + 1))
    ch, sh, cp, sp, cr, sr = (f(a) for a in (h, pitch, roll) for f in (math.cos, math.sin))
    return [(ch * cp, sh * cp, -sp), (ch * sp * sr - sh * cr, sh * sp * sr + ch * cr, cp * sr),
            (ch * sp * cr + sh * sr, sh * sp * cr - ch * sr, cp * cr)]


def along(rows, vector):
    return [sum(a * b for a, b in zip(row, vector)) for row in rows]


def write(path, state):
    seconds, no_field, no_fix = shapes[state]
    noise, east, northing = random.Random(5), 0.0, 0.0
    with open(path, "w") as file:
        file.write(columns + "\n")
        for n in range(seconds * rate):
            t = n / rate
            h, step = heading(t), 1e-4
            now, before, after = attitude(t), attitude(t - step), attitude(t + step)
            change = [[(q - p) / (2 * step) for p, q in zip(*pair)] for pair in zip(before, after)]
            # The rotation's derivative times its transpose is minus the cross product with the rate.
            turn = [sum(p * q for p, q in zip(change[i], now[j])) for i, j in ((1, 2), (2, 0), (0, 1))]
            # x forward, y left, z up.
            row = [f"{t:.9f}"] + [f"{s * v + noise.gauss(0, 0.002):.6f}" for s, v in zip((1, -1, -1), turn)]
            row += [f"{s * v + noise.gauss(0, 0.03):.5f}" for s, v in zip((1, -1, -1), along(now, (0, 0, -9.81)))]
            # A late compass: again and again silent for less than the time after which it is lost.
            has_field = t < no_field and (state != "late" or t < 8 or t % 4 < 1.2)
            field = [s * v for s, v in zip((1, -1, -1), along(now, (north, 0, down)))]
            row += [f"{v + noise.gauss(0, 0.1):.4f}" for v in field] if has_field else ["", "", ""]
            # The course over ground is true. Beside a compass that contradicts it the boat goes all round.
            course = math.radians(20 * t) if state == "contradicted" else h + math.radians(declination)
            northing += 4 * math.cos(course) / rate
            east += 4 * math.sin(course) / rate
            if n % rate == 0 and t < no_fix:
                row += [f"{54.45 + northing / 111320:.8f}", f"{10.2 + east / 64700:.8f}", "3.0", "2.5", "3.5", "4.00",
                        f"{math.degrees(course) % 360:.2f}"]
            else:
                row += [""] * 7
            file.write(",".join(row) + "\n")
