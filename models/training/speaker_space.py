"""Learns how voices differ between people and how one person's varies.

Guarantee: writes OUT.npz with `mean` [160], `axes` [160, 80] and `spread`
[80]: (embedding - mean) @ axes has variance 1 within a speaker and `spread`
between speakers in each dimension, widest first, all dimensions independent
(linear discriminant analysis; Fisher 1936, Rao 1948). Evaluation recordings
are never read; the same files give the same numbers.
Usage: speaker_space.py SPEAKER.pt HUMAN_PREFIX OUT.npz
"""

import collections
import random
import sys

import numpy as np
import torch
from scipy.linalg import eigh

from features import N_MELS
from speaker_model import DIMENSIONS, SpeakerNet

KEPT = 80
# Pieces of a conversation last about so many frames; of each length so many crops of a speaker.
LENGTHS, CROPS = (150, 250), 6


def crops(prefix):
    """Yields (speaker, [crops, N_MELS, frames]): raw log-mel, away from an utterance's ends where it is long enough."""
    rng = random.Random(1)
    mels = np.memmap(f"{prefix}.mel", dtype=np.float16, mode="r")
    clips = collections.defaultdict(list)
    with open(f"{prefix}.tsv", encoding="utf-8") as rows:
        for row in rows:
            who, start, count, _ = row.split("\t")
            clips[who].append((int(start), int(count)))
    for frames in LENGTHS:
        for who in sorted(clips):
            pieces = []
            for _ in range(CROPS):
                start, count = rng.choice(clips[who])
                if count < frames + 20:
                    start, count = max(clips[who], key=lambda clip: clip[1])
                if count < frames + 4:
                    continue
                edge = 20 if count > frames + 40 else 0
                at = start + rng.randint(edge, count - frames - edge)
                pieces.append(np.array(mels[at * N_MELS: (at + frames) * N_MELS]).reshape(frames, N_MELS).T)
            if len(pieces) > 1:
                yield who, np.stack(pieces).astype(np.float32)


def main():
    checkpoint, prefix, out = sys.argv[1:]
    torch.set_num_threads(1)
    model = SpeakerNet()
    model.load_state_dict(torch.load(checkpoint))
    model.eval()
    voices = collections.defaultdict(list)
    with torch.no_grad():
        for who, pieces in crops(prefix):
            voices[who].extend(model(torch.from_numpy(pieces)).numpy().astype(np.float64))
    mean = np.mean([v for own in voices.values() for v in own], axis=0)
    within, between, free = np.zeros((DIMENSIONS,) * 2), np.zeros((DIMENSIONS,) * 2), 0
    for own in voices.values():
        own = np.stack(own) - mean
        centre = own.mean(0)
        within += (own - centre).T @ (own - centre)
        between += np.outer(centre, centre)
        free += len(own) - 1
    spread, axes = eigh(between / len(voices), within / free + 1e-5 * np.eye(DIMENSIONS))
    widest = np.argsort(-spread)[:KEPT]
    # The sign of an axis is the solver's whim: the largest entry is positive.
    axes = axes[:, widest] * np.sign(axes[np.abs(axes[:, widest]).argmax(0), widest])
    np.savez(out, mean=mean, axes=axes, spread=spread[widest])
    print(len(voices), "speakers,", free + len(voices), "crops, spread", np.round(spread[widest][[0, 9, 39, 79]], 2))


if __name__ == "__main__":
    main()
