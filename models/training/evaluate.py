"""Word and character error rates of a checkpoint.

Reads a manifest of recordings (JSON: files[] with path, kind "audio", split,
transcript) and eval-text.txt, which four flite voices read aloud. Decoding
is greedy, without word counts. References are lower case a-z and ' only; mr, mrs and dr are spelled out.
Usage: evaluate.py CHECKPOINT MANIFEST.json [--weights model|average] [--show N]
"""

import argparse
import collections
import json
import os
import re
import subprocess
import tempfile

import numpy as np
import soundfile
import torch
from scipy.signal import resample_poly

from ctc_model import Recogniser, greedy
from features import log_mel, normalise
from synthesise import read_wave

VOICES = ("slt", "rms", "awb", "kal16")


def reference(text):
    text = text.lower().replace("\u2019", "'").replace("-", " ")
    for short, full in (("mr", "mister"), ("mrs", "missus"), ("dr", "doctor")):
        text = re.sub(rf"\b{short}\b\.?", full, text)
    return " ".join(re.sub(r"[^a-z' ]", " ", text).split())


def distance(a, b):
    """Levenshtein distance of two sequences."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        last, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            last, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, last + (x != y))
    return row[-1]


def recording(path):
    """Any file libsndfile reads, as 16 kHz mono float."""
    data, rate = soundfile.read(path, dtype="float32", always_2d=True)
    common = np.gcd(rate, 16000)
    return resample_poly(data.mean(1), 16000 // common, rate // common)


def items(manifest, only=""):
    """(set, waveform, reference) of every transcribed recording and of the spoken eval text."""
    root = os.path.dirname(os.path.abspath(manifest))
    with open(manifest, encoding="utf-8") as file:
        files = json.load(file)["files"]
    for entry in files:
        if entry.get("kind") == "audio" and entry.get("split") == "dev" and isinstance(entry.get("transcript"), str):
            if entry.get("language", "en").startswith("en"):
                name = "/".join(entry["path"].split("/")[2:-1]) or os.path.basename(entry["path"])
                if only in name:
                    yield name, recording(os.path.join(root, entry["path"])), reference(entry["transcript"])
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "eval-text.txt"), encoding="utf-8") as lines:
        sentences = lines.read().splitlines()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "a.wav")
        for voice in VOICES:
            for text in sentences if only in "tts/" + voice else []:
                subprocess.run(["flite", "-voice", voice, "-t", text + " ", "-o", path], check=True, capture_output=True)
                yield "tts/" + voice, read_wave(path), reference(text)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("checkpoint")
    parser.add_argument("manifest")
    parser.add_argument("--weights", default="average")
    parser.add_argument("--show", type=int, default=2)
    parser.add_argument("--only", default="", help="sets whose name contains this")
    given = parser.parse_args()
    torch.set_num_threads(1)
    saved = torch.load(given.checkpoint)
    model = Recogniser(**saved["shape"])
    model.load_state_dict(saved[given.weights])
    model.eval()
    totals, shown = collections.defaultdict(lambda: [0, 0, 0, 0, 0]), collections.Counter()
    for name, wave, text in items(given.manifest, given.only):
        x = torch.from_numpy(normalise(log_mel(wave)))[None]
        with torch.no_grad():
            rows, _ = model(x, torch.tensor([x.shape[2]]))
        said = greedy(rows[0].argmax(-1).tolist())
        errors = (distance(text.split(), said.split()), len(text.split()), distance(text, said), len(text), 1)
        totals[name] = [a + b for a, b in zip(totals[name], errors)]
        if shown[name] < given.show:
            shown[name] += 1
            print("   ", text[:110], "|", said[:110])
    for name, (words, of_words, letters, of_letters, count) in totals.items():
        print(f"{name:32} {count:4} utterances  WER {100 * words / of_words:5.1f}  CER {100 * letters / of_letters:5.1f}")


if __name__ == "__main__":
    main()
