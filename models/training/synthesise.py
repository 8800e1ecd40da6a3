"""Reads a text file aloud with free voices and stores the log-mel features.

Guarantee: PREFIX.mel holds raw log-mel as float16 frames of 80, one utterance
after another; PREFIX.tsv has voice, first frame, frames, transcript for each,
written after its frames, so a file being written can be read up to its last
complete line. With --pcm PREFIX.pcm holds the sound itself, int16 at 16 kHz, and
PREFIX.tsv counts samples, for train_gpu.py. Needs flite and espeak-ng.
Usage: synthesise.py TEXT PREFIX PART PARTS [SEED] [--pcm]   (line i goes to part i mod PARTS)
"""

import io
import os
import random
import re
import subprocess
import sys
import wave

import numpy as np
from scipy.signal import resample_poly

from features import log_mel

FLITE = ["slt"] * 32 + ["rms"] * 32 + ["awb"] * 12 + ["kal16"] * 8
ESPEAK_DIALECTS = ["en-us", "en-us", "en-gb", "en-gb-scotland", "en-gb-x-rp"]
ESPEAK_VARIANTS = ["", "+f1", "+f2", "+f3", "+f4", "+f5", "+m1", "+m2", "+m3", "+m4", "+m5", "+m6", "+m7", "+klatt2",
                   "+Andy", "+Annie", "+Michael", "+linda", "+steph", "+adam"]


def transcript(text):
    return " ".join(re.sub(r"[^a-z']", " ", text.lower()).split())


def written(text, joint):
    """Spelled letters in capitals: flite spells "A P I", espeak-ng "API"."""
    return re.sub(r"\b[a-z](?: [a-z])+\b(?!')", lambda m: m.group(0).replace(" ", joint).upper(), text)


def read_wave(path):
    """Float waveform at 16 kHz; tolerates the data size espeak-ng leaves open."""
    with open(path, "rb") as file:
        data = file.read()
    with wave.open(io.BytesIO(data)) as header:
        rate = header.getframerate()
    body = data[data.index(b"data") + 8:]
    pcm = np.frombuffer(body[: len(body) // 2 * 2], dtype="<i2").astype(np.float32) / 32768
    if rate == 16000:
        return pcm
    common = np.gcd(rate, 16000)
    return resample_poly(pcm, 16000 // common, rate // common).astype(np.float32)


def speak(text, path, rng):
    """Writes PATH and returns the name of the voice."""
    end = "." if text[-1] not in ".?" and rng.random() < 0.8 else ""
    if rng.random() < 0.84:
        voice = rng.choice(FLITE)
        stretch = 1.0 if rng.random() < 0.45 else rng.uniform(0.85, 1.2)
        text = written(text, " ") + end
        command = ["flite", "-voice", voice, "--setf", f"duration_stretch={stretch:.2f}", "-t", text + " ", "-o", path]
    else:
        voice = rng.choice(ESPEAK_DIALECTS) + rng.choice(ESPEAK_VARIANTS)
        text = written(text, "") + end
        command = ["espeak-ng", "-v", voice, "-s", str(rng.randint(130, 200)), "-p", str(rng.randint(20, 80)), "-w", path, text]
    subprocess.run(command, check=True, capture_output=True)
    return voice


def main():
    given = [word for word in sys.argv[1:] if word != "--pcm"]
    form = "pcm" if "--pcm" in sys.argv else "mel"
    source, prefix, part, parts = given[0], given[1], int(given[2]), int(given[3])
    rng = random.Random(1000 * (int(given[4]) if len(given) > 4 else 1) + part)
    with open(source, encoding="utf-8") as file:
        lines = file.read().splitlines()[part::parts]
    path, frame = f"{prefix}.wav", 0
    with open(f"{prefix}.{form}", "wb") as sounds, open(f"{prefix}.tsv", "w", encoding="utf-8") as index:
        for line in lines:
            voice = speak(line, path, rng)
            pcm = read_wave(path)
            if len(pcm) < 4000:
                continue
            sound = (np.clip(pcm, -1, 1) * 32767).astype("<i2") if form == "pcm" else log_mel(pcm).T.astype(np.float16)
            sounds.write(sound.tobytes())
            sounds.flush()
            index.write(f"{voice}\t{frame}\t{len(sound)}\t{transcript(line)}\n")
            index.flush()
            frame += len(sound)
    os.remove(path)


if __name__ == "__main__":
    main()
