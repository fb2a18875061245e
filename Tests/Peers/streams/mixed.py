"""NMEA and UBX of one receiver in one stream."""
import nmea
import ubx
from receiver import random_

ORDERS = ['RMC GGA GSA GSV', 'GGA RMC', 'RMC VTG GGA GSA GLL', 'GGA GSA ZDA', 'RMC']
SETS = {
    'mixed-pvt-after': (['pvt', 'dop'], False), 'mixed-pvt-before': (['pvt', 'sat', 'timegps'], True),
    'mixed-ubx6': (['sol', 'posllh', 'velned', 'timegps', 'svinfo'], False),
    'mixed-sol': (['sol', 'timegps'], True), 'mixed-timegps': (['timegps'], False),
    'mixed-sky': (['dop', 'sat'], False)}


def log(name, seed):
    names, isBefore = SETS[name]
    r = random_(seed, name + ' sentences')
    chosen, maker = r.choice(ORDERS).split(), nmea.Maker(r, {})
    build, out, leap = ubx.cycle(names), [], r.choice([16, 18])
    for e, u in ubx.series(name, seed, leap=leap, course=nmea.phases(r, better=r.random() < .3)):
        # The receiver reports the same time in both.
        e.t = u.utc
        maker.begin(e, 2)
        text = ''.join(nmea.sentence(s) for s in maker.cycle(chosen, {})).encode()
        out += [build(u), text] if isBefore else [text, build(u)]
    return b''.join(out)
