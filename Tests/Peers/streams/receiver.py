"""A synthetic receiver: its position and its state of fix for each epoch, generated from a seed."""
import calendar
import math
import random

A = 6378137.0
E2 = 0.00669437999014
SEPARATION = 47.1
NONE, DR, TWO, THREE = 1, 0, 2, 3


def seconds(year, month, day):
    return calendar.timegm((year, month, day, 0, 0, 0))


class Epoch:
    """One instant: time (UTC, seconds since 1970), the fix and its kind."""

    def __init__(self, **values):
        self.__dict__.update(values)

    @property
    def isFix(self):
        return self.mode != NONE


def phases(r, deadReckoning=False, better=False):
    """A plausible course: none, a first fix, 3D, perhaps 2D, 3D, a loss, 3D again."""
    s = [NONE] * r.randrange(0, 4) + [r.choice([TWO, THREE])] * 2 + [THREE] * 6
    s += [TWO] * r.randrange(0, 4) + [THREE] * 4
    if deadReckoning and r.random() < 0.5:
        s += [DR] * 3
    s += [NONE] * r.randrange(0, 3) + [r.choice([TWO, THREE])] * 3 + [THREE] * 3
    kinds = [0] * len(s)
    if better:
        start, kind = r.randrange(6, 12), r.choice([1, 2, 3])
        for i in range(start, min(start + 5, len(s))):
            kinds[i] = kind if s[i] == THREE else 0
    return list(zip(s, kinds))


def epochs(r, dt, start, course):
    lat, lon = r.choice([1, 1, -1]) * (48 + r.random()), r.choice([1, 1, -1]) * (11 + r.random())
    speed, track, t = r.choice([0.02, 5.0, 20.0]), r.random() * 360, start
    for n, (mode, kind) in enumerate(course):
        now = speed * (1 + 0.05 * r.random())
        vn, ve = now * math.cos(math.radians(track)), now * math.sin(math.radians(track))
        lat += vn * dt / 111200
        lon += ve * dt / (111320 * math.cos(math.radians(lat)))
        msl = 500 + n * 0.3 + r.random()
        yield Epoch(
            n=n, t=t, mode=mode, kind=kind, lat=lat, lon=lon, msl=msl, hae=msl + SEPARATION,
            speed=now, track=track, vn=vn, ve=ve, vd=r.uniform(-0.3, 0.3),
            sats={NONE: r.choice([0, 0, 2]), DR: 0, TWO: 3}.get(mode, r.randrange(5, 12)))
        t = round(t + dt, 3)
        track = (track + r.uniform(-3, 3)) % 360


def ecef(lat, lon, h):
    p, l = math.radians(lat), math.radians(lon)
    n = A / math.sqrt(1 - E2 * math.sin(p) ** 2)
    return ((n + h) * math.cos(p) * math.cos(l), (n + h) * math.cos(p) * math.sin(l),
            (n * (1 - E2) + h) * math.sin(p))


def ecefVelocity(e):
    p, l = math.radians(e.lat), math.radians(e.lon)
    sp, cp, sl, cl = math.sin(p), math.cos(p), math.sin(l), math.cos(l)
    return (-sp * cl * e.vn - sl * e.ve - cp * cl * e.vd, -sp * sl * e.vn + cl * e.ve - cp * sl * e.vd,
            cp * e.vn - sp * e.vd)


def random_(seed, name):
    return random.Random('%s %d' % (name, seed))
