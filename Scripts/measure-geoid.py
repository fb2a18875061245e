#!/usr/bin/env python3
"""measure-geoid.py: how far an interpolation of Sources/CGeoidGrid/EGM96.bin is from EGM96 itself.

EGM96 ends at degree 360 and the grid has four points a degree, so that along meridians and parallels the
trigonometric interpolation of the grid is exact and serves as the model. Needs numpy and half a minute."""
import os

import numpy as np

path = os.path.join(os.path.dirname(__file__), "..", "Sources", "CGeoidGrid", "EGM96.bin")
grid = np.fromfile(path, "<i2").reshape(721, 1440) * 3.0  # mm
# On over the south pole and back to the north one on the far side: periodic both ways.
torus = np.vstack([grid, np.roll(grid[719:0:-1], 720, axis=1)])
wave = np.fft.fftfreq(1440, 1 / 1440)
# What lies beyond the model's degree, with room for the geodetic latitude, is rounding.
inside = (np.abs(wave) <= 420)[:, None] & (np.abs(wave) <= 362)[None, :]
spectrum = np.fft.fft2(torus) * inside


def linear(t):
    return {0: 1 - t, 1: t}


def cubic(t):
    return {
        -1: -t * (t - 1) * (t - 2) / 6,
        0: (t + 1) * (t - 1) * (t - 2) / 2,
        1: -(t + 1) * t * (t - 2) / 2,
        2: (t + 1) * t * (t - 1) / 6,
    }


area = np.cos(np.radians(90 - np.arange(720) / 4))[:, None]
for name, weights in (("bilinear", linear), ("cubic", cubic)):
    squares = total = worst = 0.0
    for south in range(4):
        for east in range(4):
            if south == east == 0:
                continue
            shift = np.exp(2j * np.pi * wave / 1440 * south / 4)[:, None]
            shift = shift * np.exp(2j * np.pi * wave / 1440 * east / 4)[None, :]
            truth = np.fft.ifft2(spectrum * shift).real[:720]
            found = sum(w * np.roll(torus, -k, 0) for k, w in weights(south / 4).items())
            found = sum(w * np.roll(found, -k, 1) for k, w in weights(east / 4).items())[:720]
            error = found - truth
            squares += (error**2 * area).sum()
            total += area.sum() * 1440
            worst = max(worst, np.abs(error).max())
    print(f"{name}: {np.sqrt(squares / total):.1f} mm root mean square, {worst:.0f} mm at worst")
