#!/usr/bin/env python3
"""generate-geodesics.py: writes Tests/EarthModelTests/Geodesics.txt by PyPI's geographiclib (C. F. F. Karney's own
implementation): lat1 lon1 lat2 lon2 distance azimuth1 azimuth2, degrees and metres."""
import os, random
from geographiclib.geodesic import Geodesic

random.seed(20130101)
W, u, n = Geodesic.WGS84, random.uniform, random.gauss
pairs = []
for _ in range(60):
    a = (u(-90, 90), u(-180, 180))
    pairs.append((*a, u(-90, 90), u(-180, 180)))                                   # anywhere
    e = 10 ** u(-9, 0.3)
    pairs.append((*a, -a[0] + n(0, e), a[1] + 180 + n(0, e)))                      # nearly antipodal
    e = 10 ** u(-8, 0)
    pairs.append((*a, a[0] + n(0, e), a[1] + n(0, e)))                             # near
    pairs.append((0, a[1], 0, a[1] + u(0, 180)))                                   # on the equator
    pairs.append((0, a[1], n(0, 10 ** u(-9, 0)), a[1] + 180 - u(0, 1.2)))          # equator, nearly antipodal
    pairs.append((a[0], a[1], u(-90, 90), random.choice([a[1], a[1] + 180])))      # along a meridian
    pairs.append((random.choice([90, -90]), a[1], u(-90, 90), u(-180, 180)))       # from a pole
    pairs.append((a[0], a[1], random.choice([a[0], -a[0]]), u(-180, 180)))         # same or opposite latitude
pairs += [(0, 0, 0, 180), (90, 0, -90, 0), (30, 10, -30, -170), (45, 0, 45, 0), (0, 0, 0.5, 179.5), (0, 0, 0.5, 179.7)]
out = os.path.join(os.path.dirname(__file__), "..", "Tests", "EarthModelTests", "Geodesics.txt")
with open(out, "w") as f:
    f.write("# By Scripts/generate-geodesics.py: lat1 lon1 lat2 lon2 distance_m azimuth1 azimuth2\n")
    for p in pairs:
        p = (max(-90, min(90, p[0])), p[1], max(-90, min(90, p[2])), (p[3] + 180) % 360 - 180)
        g = W.Inverse(*p)
        f.write("%.17g %.17g %.17g %.17g %.9f %.12f %.12f\n" % (*p, g["s12"], g["azi1"], g["azi2"]))
