#!/usr/bin/env python3
"""generate-wmm.py WMM2025.COF: writes Sources/EarthModel/Magnetic/WMM2025.swift, the coefficients as a table.
The file is NOAA NCEI's and BGS's, public domain."""
import os, sys

lines = [l.split() for l in open(sys.argv[1])]
rows = [l for l in lines[1:] if len(l) == 6]
out = os.path.join(os.path.dirname(__file__), "..", "Sources", "EarthModel", "Magnetic", "WMM2025.swift")
with open(out, "w") as f:
    f.write(f"""// Made by Scripts/generate-wmm.py. Do not edit.

extension MagneticModel {{
  /// The World Magnetic Model 2025, valid from 2025.0 to 2030.0.
  /// - Source: NOAA NCEI and British Geological Survey, {lines[0][1]} of {lines[0][2]}, public domain.
  public static let wmm2025 = MagneticModel(
    name: "{lines[0][1]}", epoch: {float(lines[0][0])}, degree: {rows[-1][0]},
    table: WMM2025.coefficients)
}}

private enum WMM2025 {{
  /// g, h in nT and their rates in nT a year, by degree, then order.
  static let coefficients: [Double] = [
""")
    for r in rows:
        f.write("    " + ", ".join(str(float(x)) for x in r[2:]) + ",\n")
    f.write("  ]\n}\n")
