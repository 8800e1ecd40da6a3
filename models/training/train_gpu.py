"""Trains the recogniser on a GPU, with all of the augmentation there too.

Guarantees: ends by itself at --seconds of wall clock; the learning rate follows
a cosine over them; OUT/NAME.pt holds the average of the weights, written every
75 s and at the end, each time with the letter and word errors on people of
whom nothing is trained on (every eleventh speaker). Without a GPU it runs too,
some hundred times slower. HUMAN is what unpack.py writes, with heard.tsv (id,
text) for utterances without a transcript if there is one; SYNTHETIC holds
p0.pcm, p0.tsv (voice, first sample, samples, text), p1.pcm … and may be growing.
Usage: train_gpu.py NAME --seconds S --human HUMAN --synthetic SYNTHETIC --out OUT [--base CHECKPOINT] [--wide 352] [--middle 9] [--attend 3]
"""

import argparse
import glob
import math
import os
import random
import re
import time

import numpy as np
import torch
import torch.nn.functional as F

from batches import OTHER_VOICES, PEOPLE, VOICES
from ctc_model import BLANK, Recogniser, encode, greedy
from evaluate import distance
from features import HOP, N_FFT, N_MELS, PREEMPHASIS, SAMPLE_RATE, _HANN, mel_filters

DEVICE = torch.device("cuda" if torch.cuda.is_available() else "cpu")
FILTERS = torch.tensor(mel_filters(), dtype=torch.float32, device=DEVICE)
HANN = torch.tensor(_HANN, dtype=torch.float32, device=DEVICE)
# Utterances that are joined have this much silence between them.
GAP = SAMPLE_RATE // 5


def uniform(count, low, high):
    return torch.rand(count, device=DEVICE) * (high - low) + low


def chance(count, share):
    return torch.rand(count, device=DEVICE) < share


def within(count, lengths):
    return torch.arange(count, device=DEVICE)[None, :] < lengths[:, None]


class Pool:
    """PCM on the device, and the utterances in it: (chunk, first sample, samples, target, kind)."""

    def __init__(self):
        self.chunks, self.items, self.read = [], [], {}

    def add(self, pcm, rows):
        for kind, start, count, text in rows:
            target = encode(text)
            if text and 4800 <= count <= 272000 and count / 640 > 1.08 * len(target) + 2:
                self.items.append((len(self.chunks), start, count, target, kind))
        self.chunks.append(torch.from_numpy(pcm).to(DEVICE))

    def refresh(self, folder):
        """What synthesis has written since the last look."""
        for path in sorted(glob.glob(os.path.join(folder, "p*.tsv"))):
            with open(path, "rb") as file:
                file.seek(self.read.get(path, 0))
                data = file.read()
            data = data[: data.rfind(b"\n") + 1]
            if not data:
                continue
            self.read[path] = self.read.get(path, 0) + len(data)
            rows = [row.split("\t") for row in data.decode().splitlines()]
            first, last = int(rows[0][1]), int(rows[-1][1]) + int(rows[-1][2])
            pcm = np.fromfile(path[:-4] + ".pcm", "<i2", last - first, offset=2 * first)
            self.add(pcm, [(voice, int(start) - first, int(count), text) for voice, start, count, text in rows])


def people(folder):
    """The pool of people, and those held out: (origin, first sample, samples, text)."""
    heard, rows, held, speakers = {}, [], [], {}
    if os.path.exists(os.path.join(folder, "heard.tsv")):
        with open(os.path.join(folder, "heard.tsv"), encoding="utf-8") as lines:
            heard = dict(line.rstrip("\n").split("\t") for line in lines)
    with open(os.path.join(folder, "human.tsv"), encoding="utf-8") as lines:
        for line in lines:
            key, speaker, origin, start, count, text = line.rstrip("\n").split("\t")
            text = (text or heard.get(key, "")).lower().replace("\u2019", "'")
            text = " ".join(re.sub(r"[^a-z']", " ", text).split())
            name = origin.split()[0]
            order = speakers.setdefault((name, speaker), len(speakers))
            if text:
                out = name in ("speechocean762", "LibriSpeech") and order % 11 == 5
                (held if out else rows).append((name, int(start), int(count), text))
    pool = Pool()
    pool.add(np.fromfile(os.path.join(folder, "human.pcm"), "<i2"), rows)
    return pool, held


def samples_of(parts):
    return sum(item[2] for _, item in parts) + GAP * (len(parts) - 1)


def waves(batch):
    """Waveforms [B, N] of lists of utterances, zeros beyond, and their lengths."""
    counts = [samples_of(parts) for parts in batch]
    out = torch.zeros(len(batch), max(counts), device=DEVICE)
    for row, parts in zip(out, batch):
        to = 0
        for pool, (chunk, start, count, *_) in parts:
            row[to: to + count] = pool.chunks[chunk][start: start + count].float() / 32768
            to += count + GAP
    return out, torch.tensor(counts, device=DEVICE)


def between(x, at, dim):
    """Linear interpolation along a dimension at the places `at`, which are as many as there are to be."""
    low = at.long()
    high = (low + 1).clamp(max=x.shape[dim] - 1)
    return x.gather(dim, low) * (1 - (at - low)) + x.gather(dim, high) * (at - low)


def faster(x, lengths, factor):
    """Played faster by a factor per row; pitch and formants move along."""
    lengths = (lengths / factor).long()
    at = torch.arange(int(lengths.max()), device=DEVICE)[None, :] * factor[:, None]
    return between(x, at.clamp(max=x.shape[1] - 1.001), 1) * within(at.shape[1], lengths), lengths


def spoil(x, lengths, others):
    """Rooms, equalisers, band limits, hiss of any slope, and other voices behind."""
    rows, count = x.shape
    tail_length = SAMPLE_RATE // 2
    size = 1 << (count + tail_length - 1).bit_length()
    t = torch.arange(tail_length, device=DEVICE)[None, :] / SAMPLE_RATE
    tail = torch.randn(rows, tail_length, device=DEVICE) * torch.exp(-6.9 * t / uniform(rows, 0.12, 0.7)[:, None]) * (t > 0.002)
    tail = tail / tail.pow(2).sum(1, keepdim=True).sqrt() * (10 ** (-uniform(rows, 0, 14) / 20))[:, None]
    tail[:, 0] = 1
    spectrum = torch.fft.rfft(x, size)
    spectrum = torch.where(chance(rows, 0.35)[:, None], spectrum * torch.fft.rfft(tail, size), spectrum)
    bins = spectrum.shape[1]
    curve = F.interpolate(torch.randn(rows, 1, 7, device=DEVICE) * 4, size=bins, mode="linear", align_corners=True)[:, 0]
    curve = curve * chance(rows, 0.5)[:, None]
    hz = torch.linspace(0, SAMPLE_RATE / 2, bins, device=DEVICE)[None, :]
    top = torch.where(chance(rows, 0.12), uniform(rows, 2800, 6500), torch.full((rows,), 9000.0, device=DEVICE))[:, None]
    foot = torch.where(chance(rows, 0.12), uniform(rows, 100, 350), torch.full((rows,), -900.0, device=DEVICE))[:, None]
    curve = curve - 40 * torch.sigmoid((hz - top) / 60) - 30 * torch.sigmoid((foot - hz) / 30)
    y = torch.fft.irfft(spectrum * 10 ** (curve / 20), size)[:, :count]
    loud = (y.pow(2).sum(1) / lengths).sqrt()
    white = torch.fft.rfft(torch.randn(rows, size, device=DEVICE))
    slope = torch.linspace(0.01, 1, white.shape[1], device=DEVICE)[None, :] ** uniform(rows, -1.2, 0.3)[:, None]
    hiss = torch.fft.irfft(white * slope, size)[:, :count]
    hiss = hiss / hiss.pow(2).mean(1, keepdim=True).sqrt()
    y = y + hiss * (loud * 10 ** (-torch.where(chance(rows, 0.5), uniform(rows, 8, 30), uniform(rows, 25, 55)) / 20))[:, None]
    if others is not None:
        behind = F.pad(others, (0, max(0, count - others.shape[1])))[:, :count]
        level = loud / behind.pow(2).mean(1).clamp(min=1e-8).sqrt() * 10 ** (-uniform(rows, 8, 25) / 20)
        y = y + behind * (level * chance(rows, 0.2))[:, None]
    return y * within(count, lengths)


def log_mel(x, lengths):
    """FEATURES.md over a batch: [B, 80, T] and the frames of each."""
    y = torch.cat([x[:, :1], x[:, 1:] - PREEMPHASIS * x[:, :-1]], 1) * within(x.shape[1], lengths)
    frames = F.pad(y, (N_FFT // 2, N_FFT // 2)).unfold(1, N_FFT, HOP)
    power = torch.fft.rfft(frames * HANN, dim=2).abs().pow(2)
    return torch.log(power @ FILTERS.T + 2.0**-24).transpose(1, 2), 1 + lengths // HOP


def normalised(mel, frames):
    keep, count = within(mel.shape[2], frames)[:, None, :].float(), frames[:, None, None].float()
    mean = (mel * keep).sum(2, keepdim=True) / count
    std = (((mel - mean) * keep).pow(2).sum(2, keepdim=True) / (count - 1)).sqrt()
    return (mel - mean) / (std + 1e-5) * keep


def masked(x, frames, strength):
    """SpecAugment (Park et al. 2019): bands and stretches of zeros."""
    rows = len(x)
    bands, times = (torch.arange(n, device=DEVICE) for n in x.shape[1:])
    keep = torch.ones_like(x)
    for _ in range(2):
        width = torch.rand(rows, device=DEVICE) * 22 * strength
        at = torch.rand(rows, device=DEVICE) * (N_MELS - width)
        keep = keep * ~((bands >= at[:, None]) & (bands < (at + width)[:, None]))[:, :, None]
    for _ in range(max(1, x.shape[2] // 90)):
        width, at = torch.rand(rows, device=DEVICE) * 18 * strength, torch.rand(rows, device=DEVICE) * frames
        keep = keep * ~((times >= at[:, None]) & (times < (at + width)[:, None]))[:, None, :]
    return x * keep


@torch.no_grad()
def prepared(batch, human, rng):
    rows = len(batch)
    x, lengths = waves([parts for parts, _ in batch])
    one = torch.ones(rows, device=DEVICE)
    x, lengths = faster(x, lengths, torch.where(chance(rows, 0.8), uniform(rows, 0.87, 1.16), one))
    others = waves([[(human, rng.choice(human.items))] for _ in batch])[0] if rng.random() < 0.5 else None
    mel, frames = log_mel(spoil(x, lengths, others), lengths)
    warp = torch.where(chance(rows, 0.8), uniform(rows, 0.86, 1.15), one)
    at = (torch.arange(N_MELS, device=DEVICE)[None, :] * warp[:, None]).clamp(0, N_MELS - 1.001)
    mel = between(mel, at[:, :, None].expand(-1, -1, mel.shape[2]), 1)
    strength = torch.tensor([1.3 if of_people else 0.8 for _, of_people in batch], device=DEVICE)
    return masked(normalised(mel, frames), frames, strength), frames


def batches(human, synthetic, folder, share, seconds, rng):
    """Lists of (utterances, of people) of about `seconds` of sound, of like lengths; a third are joined, up to 24 s."""
    weights = np.array([PEOPLE.get(kind, 1.0) for *_, kind in human.items])
    refreshed = 0.0
    while True:
        if time.time() - refreshed > 20:
            synthetic.refresh(folder)
            refreshed = time.time()
        picks = []
        for pick in np.random.choice(len(human.items), 4096, p=weights / weights.sum()):
            if not synthetic.items or rng.random() < share:
                picks.append(((human, human.items[pick]), True))
                continue
            item = rng.choice(synthetic.items)
            while rng.random() > VOICES.get(item[4], OTHER_VOICES):
                item = rng.choice(synthetic.items)
            picks.append(((synthetic, item), False))
        joined = []
        while picks:
            utterance, of_people = picks.pop()
            parts, longest = [utterance], rng.uniform(6, 24) * SAMPLE_RATE if rng.random() < 0.3 else 0
            while picks and samples_of(parts) + picks[-1][0][1][2] < longest:
                parts.append(picks.pop()[0])
            joined.append((parts, of_people))
        joined.sort(key=lambda one: samples_of(one[0]))
        groups, size = [[]], 0.0
        for one in joined:
            groups[-1].append(one)
            size += samples_of(one[0]) / SAMPLE_RATE
            if size > seconds:
                groups.append([])
                size = 0.0
        rng.shuffle(groups)
        yield from (group for group in groups if group)


@torch.no_grad()
def errors(model, pool, held):
    """Percent of letters and of words that are wrong, by origin."""
    model.eval()
    totals = {}
    for at in range(0, len(held), 40):
        part = held[at: at + 40]
        rows = [[(pool, (0, start, count))] for _, start, count, _ in part]
        x, lengths = waves(rows)
        mel, frames = log_mel(x, lengths)
        logprobs, counts = model(normalised(mel, frames), frames)
        for (name, _, _, text), best, count in zip(part, logprobs.argmax(-1).cpu(), counts):
            said, total = greedy(best[:count].tolist()), totals.setdefault(name, [0, 0, 0, 0])
            for i, (a, b) in enumerate(((text, said), (text.split(), said.split()))):
                total[2 * i] += distance(a, b)
                total[2 * i + 1] += len(a)
    return {name: (round(100 * a / b, 1), round(100 * c / d, 1)) for name, (a, b, c, d) in totals.items()}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("name")
    parser.add_argument("--seconds", type=float, required=True)
    for name in ("--human", "--synthetic", "--out"):
        parser.add_argument(name, required=True)
    parser.add_argument("--base")
    for name, value in (("--wide", 352), ("--middle", 9), ("--attend", 3), ("--seed", 1)):
        parser.add_argument(name, type=int, default=value)
    for name, value in (("--peak", 1e-3), ("--share", 0.55), ("--batch", 600), ("--dropout", 0.15)):
        parser.add_argument(name, type=float, default=value)
    given = parser.parse_args()
    began = time.time()
    torch.manual_seed(given.seed)
    np.random.seed(given.seed)
    rng = random.Random(given.seed)
    human, held = people(given.human)
    synthetic = Pool()
    shape = dict(wide=given.wide, middle=given.middle, attend=given.attend)
    model, mean = (Recogniser(**shape, dropout=given.dropout).to(DEVICE) for _ in range(2))
    if given.base:
        model.load_state_dict(torch.load(given.base, map_location=DEVICE)["average"], strict=False)
    mean.load_state_dict(model.state_dict())
    optimiser = torch.optim.AdamW(model.parameters(), lr=given.peak, betas=(0.9, 0.98), weight_decay=2e-2)
    step, heard, scored = 0, 0.0, time.time()

    def keep():
        print(f"{given.name} step {step} heard {heard / 3600:.0f}h held out (letters, words): {errors(mean, human, held)}", flush=True)
        path = os.path.join(given.out, f"{given.name}.pt")
        torch.save({"shape": model.shape, "average": mean.state_dict()}, path + ".part")
        os.replace(path + ".part", path)

    for group in batches(human, synthetic, given.synthetic, given.share, given.batch, rng):
        spent = (time.time() - began) / (given.seconds - 14)
        if spent > 1:
            break
        for parameters in optimiser.param_groups:
            parameters["lr"] = given.peak * min(1.0, (step + 1) / 300) * max(0.004, 0.5 * (1 + math.cos(math.pi * spent)))
        audio, lengths = prepared(group, human, rng)
        targets = [[token for _, item in parts for token in item[3]] for parts, _ in group]
        sizes = torch.tensor([len(target) for target in targets], device=DEVICE)
        flat = torch.tensor([token for target in targets for token in target], device=DEVICE)
        with torch.autocast(DEVICE.type, dtype=torch.bfloat16):
            logprobs, frames, early = model(audio, lengths)
        loss, half_way = (F.ctc_loss(guess.float().transpose(0, 1), flat, frames, sizes, blank=BLANK, reduction="sum",
                                     zero_infinity=True) / sizes.sum() for guess in (logprobs, early))
        optimiser.zero_grad(set_to_none=True)
        (0.7 * loss + 0.3 * half_way).backward()
        if torch.isfinite(torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)):
            optimiser.step()
        step += 1
        with torch.no_grad():
            for old, new in zip(mean.parameters(), model.parameters()):
                old.lerp_(new, 1 - min(0.999, step / (step + 100)))
        heard += sum(samples_of(parts) for parts, _ in group) / SAMPLE_RATE
        if step % 50 == 0:
            speed = heard / (time.time() - began)
            print(f"{given.name} {spent:.0%} step {step} loss {loss.item():.3f} x{speed:.0f} of {len(synthetic.items)} synthetic", flush=True)
        if time.time() - scored > 75:
            keep()
            scored = time.time()
    keep()


if __name__ == "__main__":
    main()
