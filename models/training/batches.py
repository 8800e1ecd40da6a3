"""Training batches for the recogniser: sampling and augmentation.

Guarantee: `stream(...)` yields (audio [B, 80, T] float32 normalised and zero
padded, lengths, flat targets, target lengths) without end; utterances whose
text cannot fit their frames are left out. New utterances appearing in the
source files (synthesis may still be running) are picked up as it goes.
"""

import itertools
import random
import time

import numpy as np

from ctc_model import encode
from features import N_MELS

FLOOR = np.log(2.0**-24)


class Source:
    """Utterances of one PREFIX.mel / PREFIX.tsv pair that may be growing."""

    def __init__(self, prefix):
        self.prefix, self.seen, self.items = prefix, 0, []

    def refresh(self):
        with open(f"{self.prefix}.tsv", "rb") as file:
            file.seek(self.seen)
            data = file.read()
        data = data[: data.rfind(b"\n") + 1]
        self.seen += len(data)
        for row in data.decode("utf-8").splitlines():
            voice, start, count, text = row.split("\t")
            target = encode(text) if text else []
            if text and 30 <= int(count) <= 1700 and int(count) / 4 > 1.08 * len(target) + 2:
                self.items.append((self, voice, int(start), int(count), target))

    def read(self, start, count):
        with open(f"{self.prefix}.mel", "rb") as file:
            file.seek(start * N_MELS * 2)
            data = file.read(count * N_MELS * 2)
        return np.frombuffer(data, dtype=np.float16).reshape(count, N_MELS).astype(np.float32)


def resize(mel, tempo, warp):
    """Linear interpolation in time (tempo) and over the mel axis (formants)."""
    if tempo != 1.0:
        at = np.minimum(np.arange(int(len(mel) / tempo)) * tempo, len(mel) - 1.001)
        low = at.astype(int)
        part = (at - low)[:, None].astype(np.float32)
        mel = mel[low] * (1 - part) + mel[low + 1] * part
    if warp != 1.0:
        at = np.clip(np.arange(N_MELS) * warp, 0, N_MELS - 1.001)
        low = at.astype(int)
        part = (at - low).astype(np.float32)
        mel = mel[:, low] * (1 - part) + mel[:, low + 1] * part
    return mel


def add_noise(mel, rng, noise):
    """Adds stationary noise of a random spectral slope in the power domain."""
    level = np.percentile(mel.mean(1), 90)
    snr = rng.uniform(*noise)
    slope = rng.uniform(-3.0, 1.0) * np.linspace(-0.5, 0.5, N_MELS)
    bumps = np.interp(np.arange(N_MELS), np.linspace(0, N_MELS - 1, 6), [rng.gauss(0, 0.7) for _ in range(6)])
    base = level - snr * np.log(10) / 10 + slope + bumps
    jitter = np.random.randn(*mel.shape).astype(np.float32) * np.linspace(0.9, 0.35, N_MELS, dtype=np.float32)
    return np.logaddexp(mel, (base + jitter).astype(np.float32))


def reverberate(mel, rng):
    """A room: each band keeps a tail that falls by 60 dB in 0.15 to 0.7 s, highs sooner, 3 to 15 dB below the sound."""
    seconds = rng.uniform(0.15, 0.7) * np.linspace(1.2, 0.7, N_MELS)
    keep = 10.0 ** (-6.0 / (100 * seconds))
    power = np.exp(mel.astype(np.float64))
    tail, total = np.zeros(N_MELS), np.empty_like(power)
    level = 10 ** (-rng.uniform(3, 15) / 10)
    for i, row in enumerate(power):
        total[i] = row + level * tail
        tail = keep * tail + (1 - keep) * row
    return np.log(total).astype(np.float32)


def augment(mel, human, rng):
    """One random variant of an utterance; raw log-mel in and out."""
    tempo = rng.uniform(0.87, 1.18) if rng.random() < (0.8 if human else 0.5) else 1.0
    warp = rng.uniform(0.86, 1.16) if rng.random() < (0.85 if human else 0.6) else 1.0
    mel = resize(mel, tempo, warp)
    if rng.random() < (0.25 if human else 0.15):
        mel = reverberate(mel, rng)
    if rng.random() < 0.15:
        mel = np.concatenate([np.repeat(mel[:1], rng.randint(0, 25), 0), mel, np.repeat(mel[-1:], rng.randint(0, 25), 0)])
    if rng.random() < 0.04:
        mel = mel.copy()
        mel[:, rng.randint(52, 70):] = FLOOR + 3 if rng.random() < 0.5 else mel.min()
    if rng.random() < (0.45 if human else 0.6):
        mel = add_noise(mel, rng, (8, 35) if human or rng.random() < 0.15 else (20, 55))
    return mel


def spec_augment(x, rng, strength):
    """Zero bands and stretches of normalised features, in place."""
    for _ in range(2):
        width = rng.randint(0, int(16 * strength))
        at = rng.randint(0, N_MELS - width)
        x[:, at: at + width] = 0
    for _ in range(max(1, int(len(x) * strength / 120))):
        width = rng.randint(0, 16)
        at = rng.randint(0, max(0, len(x) - width))
        x[at: at + width] = 0


def finish(mel):
    """Per-feature normalisation, frames first."""
    mean, std = mel.mean(0), mel.std(0, ddof=1)
    return (mel - mean) / (std + 1e-5)


def collate(group):
    longest = max(len(x) for x, _ in group)
    audio = np.zeros((len(group), N_MELS, longest), np.float32)
    for row, (x, _) in enumerate(group):
        audio[row, :, : len(x)] = x.T
    lengths = np.array([len(x) for x, _ in group])
    return audio, lengths, np.concatenate([t for _, t in group]), np.array([len(t) for _, t in group])


# How often an utterance of a source is drawn against others: people by origin, synthetic voices by name.
PEOPLE = {"speechocean762": 1.0, "dataset-voice-kathleen": 0.8, "LJSpeech": 1.2, "LibriSpeech": 3.5}
VOICES, OTHER_VOICES = {"slt": 0.8, "rms": 0.7, "awb": 0.7}, 0.5


def stream(synthetic, human, share, seed, frames=7000):
    """Batches of about `frames` feature frames; `share` of utterances human, from the PREFIXes of `human`."""
    rng = random.Random(seed)
    np.random.seed(seed)
    made, people = [Source(p) for p in synthetic], [Source(p) for p in human]
    refreshed, deck = 0.0, []
    while True:
        if time.time() - refreshed > 60:
            for source in made + people:
                source.refresh()
            spoken = [item for source in people for item in source.items]
            weights = list(itertools.accumulate(PEOPLE.get(item[1].split(":")[0], 1.0) for item in spoken))
            refreshed = time.time()
        pool = []
        while len(pool) < 384:
            is_human = rng.random() < share
            if is_human:
                item = rng.choices(spoken, cum_weights=weights)[0]
            else:
                if not deck:
                    deck = [i for source in made for i in source.items]
                    rng.shuffle(deck)
                item = deck.pop()
                if rng.random() > VOICES.get(item[1], OTHER_VOICES):
                    continue
            source, _, start, count, target = item
            mel = augment(source.read(start, count), is_human, rng)
            if pool and rng.random() < 0.15 and len(mel) + len(pool[-1][0]) < 1800:
                before = pool.pop()
                mel, target = np.concatenate([before[0], mel]), before[1] + target
            if len(mel) / 4 > 1.05 * len(target) + 1:
                pool.append((mel, target, is_human))
        pool.sort(key=lambda item: len(item[0]))
        groups, group, size = [], [], 0
        for mel, target, is_human in pool:
            x = finish(mel)
            spec_augment(x, rng, 1.4 if is_human else 0.7)
            group.append((x, target))
            size += len(x)
            if size > frames:
                groups.append(group)
                group, size = [], 0
        rng.shuffle(groups)
        for group in groups:
            yield collate(group)
