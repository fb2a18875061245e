"""NMEA streams: a random but plausible choice of sentences, and the oddities of receivers."""
import time

from receiver import NONE, SEPARATION, THREE, TWO, epochs, phases, random_, seconds

DAY = seconds(2015, 6, 14)
ORDERS = [
    'GGA GSA GSV RMC VTG', 'GGA GLL GSA GSV RMC VTG ZDA', 'RMC VTG GGA GSA GSV GLL', 'RMC GGA GSA GSV',
    'GGA VTG RMC', 'GGA RMC', 'RMC GSA', 'RMC', 'GGA GSA VTG ZDA', 'GLL GGA RMC VTG GSA GSV',
    'GGA GSA RMC GSV']
SHARES = dict(GGA=.85, RMC=.85, GLL=.45, GNS=.15, GSA=.75, GSV=.6, VTG=.6, ZDA=.25, GST=.15, GBS=.1)
# The name of an oddity, the order of its sentences ('' is a usual one), and what is odd.
ODDITIES = {
    'gll-first': ('GLL GGA GSA RMC VTG', {}), 'rmc-only': ('RMC', {}), 'gga-zda': ('GGA ZDA', {}),
    'zda-gga': ('ZDA GGA GSA', {}), 'gns': ('GNS GSA RMC VTG', {}), 'gns-rmc': ('RMC GNS GSA', {}),
    'rmc-d': ('', dict(statusD=True)), 'v-with-time': ('', dict(posNoFix=True, dateNoFix=True)),
    'no-checksum': ('', dict(noSum=1.0)), 'some-checksums': ('', dict(noSum=0.3)),
    'gst-first': ('GST GGA RMC GSA', {}), 'gbs-first': ('GBS GGA RMC GSA', {}),
    'time-back': ('', dict(back=True)), 'midnight': ('', dict(midnight=True)),
    'midnight-gga-first': ('GGA GSA RMC', dict(midnight=True)), 'no-date': ('', dict(noDate=True)),
    'gga-only': ('GGA GSA', {}), 'date-late': ('', dict(dateLate=True)),
    'instruments': ('', dict(instruments=True)), 'garmin': ('RMC GGA GSA GSV PGRME GLL PGRMZ', {}),
    'garmin-f': ('PGRMF', {}), 'garmin-f-mix': ('GGA GSA PGRMF PGRME RMC', {}),
    'garmin-z-only': ('RMC PGRMZ GSA', {}), 'pubx': ('PUBX', {}), 'pubx-mix': ('GGA RMC GSA PUBX', {}),
    'pubx-first': ('PUBX RMC GGA GSA GSV', {}), 'pashr': ('GGA RMC PASHR GSA', {}),
    'sats-blank': ('', dict(satBlank=True)), 'decimals-2': ('', dict(decimals=2)),
    'decimals-7': ('', dict(decimals=7)), 'many-gsa': ('GGA GSA GSV RMC', dict(talkers='ALL')),
    'gsv-between': ('GGA GSV1 GSA GSV2 RMC VTG', {}), 'gsa-twice': ('GGA GSA RMC GSA VTG', {}),
    'rmc-vtg-vtg': ('VTG RMC GGA VTG', {}), 'vtg-only-speed': ('GGA GSA ZDA VTG', {}),
    'dgps': ('', dict(better=True)), 'rtk-10hz': ('GGA RMC VTG GST GSA', dict(better=True, dt=.1)),
    'slow-gga': ('RMC GSA', dict(every=('GGA', 5))), 'ten-hz': ('GGA RMC GSA', dict(dt=.1)),
    'estimated': ('GGA GSA RMC VTG', dict(estimated=True)), 'gsa-lags': ('GGA RMC GSA', dict(gsaLags=True)),
    'no-time-no-fix': ('', dict(timeNoFix=False)), 'gll-only-zda': ('ZDA GLL', {}),
    'gga-empty': ('RMC GGA', dict(emptyGGA=True)), 'lower-case': ('', dict(lower=True))}


def sentence(text, lower=False):
    x = 0
    for c in text:
        x ^= ord(c)
    return '$%s*%s\r\n' % (text, ('%02x' if lower else '%02X') % x)


class Maker:
    """One receiver's habits, and the sentences of one epoch."""

    def __init__(self, r, odd):
        self.r, self.odd = r, odd
        self.talkers = odd.get('talkers') or r.choice(['GP', 'GP', 'GN', 'MIX'])
        self.pos = 'GP' if self.talkers == 'GP' else 'GN'
        self.hasMode = r.random() < .6 or 'estimated' in odd
        self.decimals = odd.get('decimals') or r.choice([3, 4, 5])
        self.blankTrack, self.alt2D = r.random() < .3, r.random() < .6
        self.posNoFix = odd.get('posNoFix', r.random() < .3)
        self.dateNoFix = odd.get('dateNoFix', r.random() < .6)
        self.timeNoFix = odd.get('timeNoFix', r.random() < .8)
        self.satBlank = odd.get('satBlank', r.random() < .04)
        self.noSeparation = r.random() < .3
        self.lastMode = NONE

    def begin(self, e, digits):
        r, self.e, self.has = self.r, e, e.mode != NONE
        c = time.gmtime(int(e.t))
        s = e.t % 60
        self.clock = '%02d%02d' % (c.tm_hour, c.tm_min) + (
            '%02d' % s if digits == 0 else '%0*.*f' % (3 + digits, digits, s))
        self.day = '%02d%02d%02d' % (c.tm_mday, c.tm_mon, c.tm_year % 100)
        self.zday = '%02d,%02d,%04d' % (c.tm_mday, c.tm_mon, c.tm_year)
        self.tm = self.clock if self.has or self.timeNoFix else ''
        a = lambda x, w: '%0*d%0*.*f' % (w, int(x), 3 + self.decimals, self.decimals, (x - int(x)) * 60)
        self.place = ',,,'
        if self.has or self.posNoFix:
            self.place = '%s,%s,%s,%s' % (a(abs(e.lat), 2), 'N' if e.lat > 0 else 'S', a(abs(e.lon), 3),
                                          'E' if e.lon > 0 else 'W')
        shown = e.mode == THREE or (e.mode == TWO and self.alt2D) or (not self.has and self.posNoFix)
        self.alt = '%.1f' % e.msl if shown else ''
        self.sep = '' if self.noSeparation else '%.1f' % SEPARATION
        self.used = '' if self.satBlank else '%02d' % e.sats
        self.kn = '%.2f' % (e.speed / .514444) if self.has else ''
        self.kmh = '%.2f' % (e.speed * 3.6) if self.has else ''
        self.track = '%.1f' % e.track if self.has and not (self.blankTrack and e.speed < 1) else ''
        est = 'estimated' in self.odd and e.mode == TWO
        self.quality = 6 if est else {0: 1, 1: 2, 2: 5, 3: 4}[e.kind] if self.has else 0
        letter = 'E' if est else {0: 'A', 1: 'D', 2: 'F', 3: 'R'}[e.kind] if self.has else 'N'
        self.letter = ',' + letter if self.hasMode else ''
        self.posLetter = letter
        self.showDate = 'noDate' not in self.odd and not ('dateLate' in self.odd and e.n < 6)

    def GGA(self):
        if 'emptyGGA' in self.odd and not self.has:
            return self.pos + 'GGA,,,,,,0,,,,M,,M,,'
        return '%sGGA,%s,%s,%d,%s,%s,%s,M,%s,M,,' % (
            self.pos, self.tm, self.place, self.quality, self.used, '1.1' if self.has else '99.9', self.alt,
            self.sep)

    def RMC(self):
        status = ('D' if 'statusD' in self.odd and self.e.n % 3 else 'A') if self.has else 'V'
        date = self.day if (self.has or self.dateNoFix) and self.showDate else ''
        return '%sRMC,%s,%s,%s,%s,%s,%s,,%s' % (
            self.pos, self.tm, status, self.place, self.kn, self.track, date, self.letter)

    def GLL(self):
        return '%sGLL,%s,%s,%s%s' % (self.pos, self.place, self.tm, 'A' if self.has else 'V', self.letter)

    def GNS(self):
        letters = self.posLetter * (1 if self.talkers == 'GP' else 2)
        return '%sGNS,%s,%s,%s,%s,1.1,%s,%s,,%s' % (
            self.pos, self.tm, self.place, letters, self.used, self.alt, self.sep,
            ',V' if self.hasMode else '')

    def GSA(self):
        mode = self.lastMode if 'gsaLags' in self.odd else self.e.mode
        ids = list(range(1, 1 + (self.e.sats if mode != NONE else 0)))
        h = len(ids) // 2
        parts = {'GP': [('GP', ids, '')], 'GN': [('GN', ids[:h], ''), ('GN', [64 + i for i in ids[h:]], '')],
                 'MIX': [('GP', ids[:h], ''), ('GL', [64 + i for i in ids[h:]], '')],
                 'ALL': [('GN', ids[:h], ',1'), ('GN', [64 + i for i in ids[h:]], ',2'), ('GN', [], ',3'),
                         ('GN', [], ',4')]}[self.talkers]
        return ['%sGSA,A,%d,%s,2.0,1.1,1.7%s' % (
            t, mode, ','.join(['%02d' % i for i in p] + [''] * (12 - len(p))), tail) for t, p, tail in parts]

    def GSV1(self):
        return 'GPGSV,2,1,07,01,40,083,46,02,17,308,41,12,07,344,39,14,22,228,45'

    def GSV2(self):
        return 'GPGSV,2,2,07,03,40,083,46,04,17,308,41,05,07,344,39'

    def GSV(self):
        return [self.GSV1(), self.GSV2()]

    def VTG(self):
        return '%sVTG,%s,T,,M,%s,N,%s,K%s' % (self.pos, self.track, self.kn, self.kmh, self.letter)

    def ZDA(self):
        return '%sZDA,%s,%s,00,00' % (self.pos, self.clock, self.zday) if self.tm and self.showDate else []

    def GST(self):
        return '%sGST,%s,1.0,2.0,1.0,90.0,1.5,1.2,3.3' % (self.pos, self.clock) if self.has else []

    def GBS(self):
        return '%sGBS,%s,1.5,1.2,3.3,,,,' % (self.pos, self.clock) if self.has else []

    def PGRME(self):
        return 'PGRME,4.2,M,6.1,M,7.4,M' if self.has else 'PGRME,,M,,M,,M'

    def PGRMZ(self):
        return 'PGRMZ,%d,f,%d' % (round(self.e.msl / .3048), {TWO: 2, THREE: 3}.get(self.e.mode, 1))

    def PGRMF(self):
        gps = self.e.t + 16 - seconds(1980, 1, 6)
        return 'PGRMF,%d,%d,%s,%s,16,%s,A,%d,%s,%s,2,1' % (
            gps // 604800 - 1024, gps % 604800, self.day, self.clock, self.place,
            {TWO: 1, THREE: 2}.get(self.e.mode, 0), self.kmh.split('.')[0], self.track.split('.')[0])

    def PUBX(self):
        state = {NONE: 'NF', TWO: 'G2', THREE: 'D3' if self.e.kind else 'G3'}[self.e.mode]
        return 'PUBX,00,%s,%s,%.3f,%s,%.1f,%.1f,%s,%s,%.3f,,1.1,1.7,1.2,%d,0,0' % (
            self.clock, self.place, self.e.hae, state, 3.2, 5.1, self.kmh or '0.00', self.track or '0.0',
            self.e.vd, self.e.sats)

    def PASHR(self):
        return 'PASHR,%s,%05.1f,T,-02.10,+01.30,+00.00,0.250,0.250,0.100,1,0' % (self.clock, self.e.track)

    def instruments(self):
        h = self.e.track
        return ['HEHDT,%.1f,T' % h, 'GNTHS,%.1f,A' % h, 'HCHDG,%.1f,,,2.1,E' % h, 'TIROT,1.2,A',
                'VWVHW,%.1f,T,,M,5.2,N,9.6,K' % h, 'SDDPT,12.4,0.3', 'WIMWV,120.0,R,8.3,N,A']

    def cycle(self, order, every):
        for k in order:
            if self.e.n % every.get(k, 1):
                continue
            lines = getattr(self, k)()
            yield from [lines] if isinstance(lines, str) else lines
            if 'instruments' in self.odd:
                yield from self.r.sample(self.instruments(), 2)
        self.lastMode = self.e.mode


def order(r, odd, text):
    every = {k: 1 if r.random() < .8 else r.choice([2, 5]) for k in SHARES} if text is None else {}
    if text:
        return text.split() + ([odd['every'][0]] if 'every' in odd else []), dict([odd['every']] if 'every' in odd else [])
    if text == '' or r.random() < .5:
        return r.choice(ORDERS).split(), {}
    chosen = [k for k, p in SHARES.items() if r.random() < p]
    if not set(chosen) & {'RMC', 'ZDA'}:
        chosen.append('RMC')
    if not set(chosen) & {'GGA', 'RMC', 'GLL', 'GNS'}:
        chosen.append('GGA')
    r.shuffle(chosen)
    for k in ('GGA', 'RMC', 'GLL', 'GNS'):
        if r.random() < .9:
            every[k] = 1
    return chosen, every


def log(name, seed):
    r = random_(seed, name)
    text, odd = ODDITIES.get(name[5:], (None, {}))
    chosen, every = order(r, odd, text)
    maker = Maker(r, odd)
    dt = odd.get('dt') or r.choice([1, 1, 1, 1, .2, .5, 5])
    digits = 2 if dt < 1 else r.choice([0, 2, 3, 1])
    start = DAY + r.randrange(0, 86000)
    if 'midnight' in odd or r.random() < .2:
        start = DAY + 86400 - 8 * dt
    out = []
    for e in epochs(r, dt, start, phases(r, better=odd.get('better', r.random() < .2))):
        if 'back' in odd and e.n >= 9:
            e.t -= 4 * dt
        maker.begin(e, digits)
        for s in maker.cycle(chosen, every):
            bare = r.random() < odd.get('noSum', 0)
            out.append('$%s\r\n' % s if bare else sentence(s, 'lower' in odd))
    return ''.join(out).encode()
