"""Writes golden-features.json: a short waveform and its features.

Guarantee: the waveform is integer and made by integer or plain sine
arithmetic, so the file is the same on every run.
Usage: golden.py OUT.json
"""

import json
import sys

import numpy as np

from features import SAMPLE_RATE, log_mel, normalise


def waveform(count=4800):
    """0.3 s: a rising tone, a step in level, pseudo-random noise, silence."""
    t = np.arange(count) / SAMPLE_RATE
    tone = 6000 * np.sin(2 * np.pi * (200 * t + 4500 * t * t))
    hum = 2500 * np.sin(2 * np.pi * 120 * t)
    state, noise = 12345, np.zeros(count)
    for i in range(count):
        state = (1103515245 * state + 12345) % 2147483648
        noise[i] = (state >> 16) % 801 - 400
    wave = np.where(t < 0.12, tone + hum, 0.25 * tone) + noise
    wave[-480:] = 0
    return np.round(wave).astype(int)


def main():
    pcm = waveform()
    raw = log_mel(pcm / 32768.0)

    def rounded(rows):
        return [[round(float(v), 4) for v in row] for row in rows]

    golden = {
        "sample_rate": SAMPLE_RATE,
        "pcm": pcm.tolist(),
        "shape": list(raw.shape),
        "log_mel": rounded(raw),
        "normalised": rounded(normalise(raw)),
    }
    with open(sys.argv[1], "w", encoding="utf-8") as out:
        json.dump(golden, out, separators=(",", ":"))
        out.write("\n")


if __name__ == "__main__":
    main()
