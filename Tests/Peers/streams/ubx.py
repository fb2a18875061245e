"""UBX streams as receivers of each generation send them. Layouts: as Sources/ReceiverProtocols/UBX names them."""
import math
import struct
import time

from receiver import DR, NONE, THREE, TWO, ecef, ecefVelocity, epochs, phases, random_, seconds

GPS_EPOCH = seconds(1980, 1, 6)


def frame(cls, ident, payload):
    body = bytes((cls, ident)) + struct.pack('<H', len(payload)) + payload
    a = b = 0
    for x in body:
        a = (a + x) & 255
        b = (b + a) & 255
    return b'\xb5\x62' + body + bytes((a, b))


class UBX:
    """Builds the messages of one epoch."""

    def __init__(self, e, leap, knowsTime, knowsLeap, defaultLeap):
        self.e, self.knowsTime, self.knowsLeap = e, knowsTime, knowsLeap
        self.leap = leap if knowsLeap else defaultLeap
        gps = e.t - GPS_EPOCH + leap
        self.week, self.tow = int(gps // 604800), round(gps % 604800 * 1000)
        # UTC by the receiver's own leap seconds.
        self.utc = e.t + leap - self.leap
        self.ok = e.mode != NONE
        self.fix = {NONE: 0, DR: 1, TWO: 2, THREE: 3}[e.mode]
        self.place = e.lat, e.lon, e.hae, e.msl

    def flags(self):
        f = (1 if self.ok else 0) | (2 if self.e.kind else 0)
        return f | (12 if self.knowsTime else 0)

    def sol(self):
        x, v = ecef(*self.place[:3]), ecefVelocity(self.e)
        return frame(1, 0x06, struct.pack(
            '<IihBB3iI3iIHBBI', self.tow, -123, self.week if self.knowsTime else 0, self.fix, self.flags(),
            *[round(c * 100) for c in x], 450 if self.ok else 4294967295,
            *[round(c * 100) for c in v], 30, 210 if self.ok else 9999, 2, self.e.sats, 0))

    def llh(self):
        return struct.pack('<iiii', round(self.place[1] * 1e7), round(self.place[0] * 1e7),
                           round(self.place[2] * 1000), round(self.place[3] * 1000))

    def posllh(self):
        acc = (3200, 5100) if self.ok else (4294967295, 4294967295)
        return frame(1, 0x02, struct.pack('<I', self.tow) + self.llh() + struct.pack('<II', *acc))

    def hpposllh(self):
        lat, lon = self.place[:2]
        la, lo = math.floor(lat * 1e7), math.floor(lon * 1e7)
        return frame(1, 0x14, struct.pack(
            '<BHBIiiiibbbbII', 0, 0, 0 if self.ok else 1, self.tow, lo, la, int(self.place[2] * 1000),
            int(self.place[3] * 1000), int((lon * 1e7 - lo) * 100), int((lat * 1e7 - la) * 100), 3, 4,
            140, 200))

    def velned(self):
        e = self.e
        return frame(1, 0x12, struct.pack(
            '<IiiiIIiII', self.tow, round(e.vn * 100), round(e.ve * 100), round(e.vd * 100),
            round(math.hypot(e.speed, e.vd) * 100), round(e.speed * 100), round(e.track * 1e5), 30, 120000))

    def dop(self):
        d = (230, 210, 120, 170, 110, 90, 70) if self.ok else (9999,) * 7
        return frame(1, 0x04, struct.pack('<I7H', self.tow, *d))

    def timegps(self):
        valid = (3 if self.knowsTime else 0) | (4 if self.knowsLeap else 0)
        return frame(1, 0x20, struct.pack('<IihbBI', self.tow, -123, self.week, self.leap, valid, 40))

    def clock(self):
        whole = math.floor(self.utc + 0.5) if self.utc % 1 > 0.7 else math.floor(self.utc)
        return time.gmtime(whole), round((self.utc - whole) * 1e9)

    def timeutc(self):
        c, nano = self.clock()
        valid = (3 if self.knowsTime else 0) | (4 if self.knowsLeap else 0)
        return frame(1, 0x21, struct.pack('<IIiHBBBBBB', self.tow, 40, nano - 123, c.tm_year, c.tm_mon,
                                          c.tm_mday, c.tm_hour, c.tm_min, c.tm_sec, valid))

    def status(self):
        return frame(1, 0x03, struct.pack('<IBBBBII', self.tow, self.fix, (self.flags() & 15), 0,
                                          {2: 0x40, 3: 0x80}.get(self.e.kind, 0), 27000, 90000))

    def svinfo(self):
        b = struct.pack('<IBBH', self.tow, self.e.sats, 4, 0)
        for i in range(self.e.sats):
            b += struct.pack('<BBBBBbhi', i, i + 1, 0x0d, 7, 40, 30, 20 * i, 0)
        return frame(1, 0x30, b)

    def sat(self):
        b = struct.pack('<IBBH', self.tow, 1, self.e.sats, 0)
        for i in range(self.e.sats):
            b += struct.pack('<BBBbhhI', 0, i + 1, 40, 30, 20 * i, 0, 0x191f)
        return frame(1, 0x35, b)

    def pvt(self, size=92):
        e, (c, nano) = self.e, self.clock()
        valid = (3 if self.knowsTime else 0) | (4 if self.knowsLeap else 0)
        flags = (1 if self.ok else 0) | (2 if e.kind else 0) | {2: 0x40, 3: 0x80}.get(e.kind, 0)
        acc = (3200, 5100) if self.ok else (4294967295, 4294967295)
        head = struct.pack('<IHBBBBBBIiBBBB', self.tow, c.tm_year, c.tm_mon, c.tm_mday, c.tm_hour, c.tm_min,
                           c.tm_sec, valid, 40, nano - 123, self.fix, flags, 0, e.sats)
        tail = struct.pack('<II5iII', *acc, round(e.vn * 1000), round(e.ve * 1000), round(e.vd * 1000),
                           round(e.speed * 1000), round(e.track * 1e5), 300, 120000)
        b = head + self.llh() + tail + struct.pack('<H', 210 if self.ok else 9999) + bytes(6)
        return frame(1, 0x07, b if size == 84 else b + struct.pack('<ihH', 0, 0, 0))

    def eoe(self):
        return frame(1, 0x61, struct.pack('<I', self.tow))


# Which messages, in which order, receivers send.
SETS = {
    'ubx6-full': ['sol', 'posllh', 'velned', 'dop', 'timegps', 'svinfo'],
    'ubx6-rotated': ['posllh', 'dop', 'sol', 'velned', 'timegps', 'svinfo'],
    'ubx6-sol': ['sol', 'dop', 'timegps', 'svinfo'],
    'ubx6-sol-only': ['sol'],
    'ubx7-pvt84': ['pvt84', 'dop', 'svinfo', 'timegps'],
    'ubx8-pvt': ['dop', 'pvt', 'sat', 'timegps'],
    'ubx8-pvt-eoe': ['pvt', 'dop', 'timegps', 'sat', 'eoe'],
    'ubx8-pvt-only': ['pvt'],
    'ubx8-timegps-first': ['timegps', 'pvt', 'dop', 'sat'],
    'ubx-posllh': ['posllh', 'status', 'velned', 'timeutc'],
    'ubx-posllh-gps': ['status', 'posllh', 'velned', 'timegps'],
    'ubx9-hp': ['pvt', 'hpposllh', 'dop', 'timegps', 'eoe'],
    'ubx9-hp-first': ['hpposllh', 'pvt', 'dop', 'sat', 'eoe'],
    'ubx8-leap-late': ['dop', 'pvt', 'sat', 'timegps'],
    'ubx8-pvt-sol': ['sol', 'pvt', 'dop', 'timegps'],
}


def cycle(names):
    """The cycle's function: epoch by epoch to the bytes."""
    def build(u):
        return b''.join(u.pvt(84) if n == 'pvt84' else getattr(u, n)() for n in names)
    return build


def series(name, seed, dt=None, start=None, course=None, leap=None):
    """Yields (epoch, builder) of a receiver that may learn time and leap seconds late."""
    r = random_(seed, name)
    leap = leap or r.choice([16, 18])
    day = seconds(2015, 6, 14) if leap == 16 else seconds(2021, 6, 14)
    dt = dt or r.choice([1, 1, 1, 0.2, 0.1])
    t = start or day + (86400 - 8 * dt if r.random() < 0.2 else r.randrange(0, 86000))
    old = 'ubx6' in name
    course = course or phases(r, deadReckoning=True, better=not old or r.random() < 0.4)
    late, lateLeap = r.choice([0, 0, 1, 3]), r.choice([5, 9]) if 'leap-late' in name else 0
    default = r.choice([15, 16, leap])
    for e in epochs(r, dt, t, course):
        yield e, UBX(e, leap, e.n >= late or e.isFix, e.n >= lateLeap, default)


def log(name, seed):
    build = cycle(SETS[name])
    return b''.join(build(u) for _, u in series(name, seed))
