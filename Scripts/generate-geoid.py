#!/usr/bin/env python3
"""generate-geoid.py: writes Sources/CGeoidGrid/EGM96.bin, the EGM96 geoid on its 15-minute grid.

Needs `pip install geomaglib==1.2.4`, which carries the grid in millimetres. The values are NIMA's and NASA
GSFC's (file WW15MGH.GRD), public domain. Sources/CGeoidGrid/README.md describes the file."""
import array, hashlib, importlib.metadata, os, sys

from geomaglib import geoid

ROWS, COLUMNS = 721, 1440
OFFSET_MM, UNIT_MM = -10_800, 3

if importlib.metadata.version("geomaglib") != "1.2.4":
    sys.exit("generate-geoid: the grid was taken from geomaglib 1.2.4: pip install geomaglib==1.2.4")
source = geoid.geoid
if (source["rows"], source["cols"], source["scale_factor"]) != (ROWS, COLUMNS + 1, 4):
    sys.exit("generate-geoid: geomaglib's grid is not 721 by 1441 points, 4 a degree")

points = array.array("h")
for row in range(ROWS):
    line = source["height_buffer"][row * (COLUMNS + 1) : (row + 1) * (COLUMNS + 1)]
    if line[0] != line[-1]:
        sys.exit(f"generate-geoid: row {row} does not close at 360 degrees")
    points.extend(round((round(metres * 1000) - OFFSET_MM) / UNIT_MM) for metres in line[:-1])
if sys.byteorder != "little":
    points.byteswap()

out = os.path.join(os.path.dirname(__file__), "..", "Sources", "CGeoidGrid", "EGM96.bin")
with open(out, "wb") as f:
    f.write(points.tobytes())
print(hashlib.sha256(points.tobytes()).hexdigest(), len(points) * 2, "bytes")
