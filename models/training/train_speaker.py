"""Trains the speaker network for a given number of seconds of wall clock.

Guarantees: writes OUT/speaker.pt, and starts from its weights where it
exists; speakers are the human ones and the flite voices, each also as two
more speakers with shifted formants; the evaluation recordings are never
trained on.
Usage: train_speaker.py OUT SECONDS MANIFEST.json HUMAN_PREFIX TTS_PREFIX...
"""

import collections
import json
import math
import multiprocessing
import os
import random
import sys
import time

import numpy as np
import torch
import torch.nn.functional as F

from batches import add_noise, resize
from evaluate import recording
from features import N_MELS, log_mel
from speaker_model import DIMENSIONS, SpeakerNet

PEAK, PER_BATCH, SCALE, MARGIN = 1.5e-3, 48, 24.0, 0.2
WARPS = (1.0, 0.92, 1.09)
VOICES = ("slt", "rms", "awb", "kal16")


def load(human, synthetic):
    """{speaker: [raw log-mel as float16 frames]}; a few minutes per speaker at most."""
    found = collections.defaultdict(list)
    for prefix, limit in [(human, 60)] + [(p, 120) for p in synthetic]:
        mels = np.memmap(f"{prefix}.mel", dtype=np.float16, mode="r")
        with open(f"{prefix}.tsv", encoding="utf-8") as rows:
            for row in rows:
                if not row.endswith("\n"):
                    break
                who, start, count, _ = row.split("\t")
                keep = ":" in who or who in VOICES
                if keep and int(count) >= 120 and len(found[who]) < limit:
                    part = mels[int(start) * N_MELS: (int(start) + int(count)) * N_MELS]
                    found[who].append(np.array(part).reshape(-1, N_MELS))
    return {who: clips for who, clips in found.items() if clips}


def crop(clip, frames, warp, rng):
    """A random piece of `frames` frames, repeated where the clip is short."""
    clip = clip.astype(np.float32)
    if len(clip) < frames:
        clip = np.tile(clip, (frames // len(clip) + 1, 1))
    at = rng.randint(0, len(clip) - frames)
    piece = resize(clip[at: at + frames], 1.0, warp)
    if rng.random() < 0.6:
        piece = add_noise(piece, rng, (5, 40))
    if rng.random() < 0.5:
        low, width = rng.randint(0, N_MELS - 12), rng.randint(2, 12)
        piece = piece.copy()
        piece[:, low: low + width] = piece.mean(0)[low: low + width]
    return piece.T


def trials(manifest):
    """{set: [(speaker, raw log-mel)]} of the evaluation recordings."""
    sets = collections.defaultdict(list)
    root = os.path.dirname(os.path.abspath(manifest))
    with open(manifest, encoding="utf-8") as file:
        for entry in json.load(file)["files"]:
            parts = entry["path"].split("/")
            if parts[0] == "audio" and parts[1] == "dev" and parts[2] in ("librispeech-test-other", "speechocean762"):
                who = entry.get("speaker") or parts[-1].split("-")[0]
                sets[parts[2]].append((who, log_mel(recording(os.path.join(root, entry["path"])))[:, :1000]))
    return sets


def equal_error(model, clips):
    """Equal error rate of all pairs, and the cosine where it is reached."""
    model.eval()
    with torch.no_grad():
        vectors = torch.cat([model(torch.from_numpy(mel)[None]) for _, mel in clips]).numpy()
    model.train()
    names = np.array([who for who, _ in clips])
    upper = np.triu_indices(len(names), 1)
    scores, same = (vectors @ vectors.T)[upper], (names[:, None] == names[None])[upper]
    at = min(np.quantile(scores, np.linspace(0, 1, 400)),
             key=lambda t: abs(np.mean(scores[same] < t) - np.mean(scores[~same] >= t)))
    return 50 * (np.mean(scores[same] < at) + np.mean(scores[~same] >= at)), at


def feed(queue, data, names):
    """Puts batches into the queue without end: two crops of one length of each of PER_BATCH speakers, and their classes."""
    torch.set_num_threads(1)
    np.random.seed(11)
    rng = random.Random(11)
    while True:
        frames, batch, labels = rng.randint(130, 280), [], []
        for who in rng.sample(range(len(names)), PER_BATCH):
            warp = rng.choices(range(len(WARPS)), (3, 1, 1))[0]
            for _ in range(2):
                batch.append(crop(rng.choice(data[names[who]]), frames, WARPS[warp], rng))
                labels.append(who * len(WARPS) + warp)
        queue.put((np.stack(batch).astype(np.float32), labels))


def means(model, data, names):
    """Where each class lies for a trained network, the mean of two crops: a start that does not undo what it has learnt."""
    np.random.seed(5)
    rng = random.Random(5)
    model.eval()
    found = torch.zeros(len(names) * len(WARPS), DIMENSIONS)
    with torch.no_grad():
        for at, who in enumerate(names):
            crops = [crop(rng.choice(data[who]), 200, warp, rng) for warp in WARPS for _ in range(2)]
            vectors = model(torch.from_numpy(np.stack(crops).astype(np.float32)))
            found[at * len(WARPS): (at + 1) * len(WARPS)] = vectors.reshape(len(WARPS), 2, -1).mean(1)
    model.train()
    return found


def main():
    out, budget, manifest, human, synthetic = sys.argv[1], float(sys.argv[2]), sys.argv[3], sys.argv[4], sys.argv[5:]
    torch.set_num_threads(1)
    torch.manual_seed(0)
    data, tests = load(human, synthetic), trials(manifest)
    names = sorted(data)
    classes = len(names) * len(WARPS)
    model = SpeakerNet()
    centres = torch.nn.Parameter(torch.randn(classes, DIMENSIONS) * 0.05)
    if os.path.exists(os.path.join(out, "speaker.pt")):
        model.load_state_dict(torch.load(os.path.join(out, "speaker.pt")))
        centres.data.copy_(means(model, data, names))
    print(len(names), "speakers,", sum(p.numel() for p in model.parameters()), "parameters", flush=True)
    parameters = list(model.parameters()) + [centres]
    optimiser = torch.optim.AdamW(parameters, lr=PEAK, weight_decay=2e-2, foreach=True)
    queue = multiprocessing.Queue(6)
    multiprocessing.Process(target=feed, args=(queue, data, names), daemon=True).start()
    began, step, running, told = time.time(), 0, None, 0.0
    while time.time() - began < budget:
        part = (time.time() - began) / budget
        rate = PEAK * min(1.0, (step + 1) / 100) * max(0.005, 0.5 * (1 + math.cos(math.pi * part)))
        for group in optimiser.param_groups:
            group["lr"] = rate
        batch, labels = queue.get()
        labels = torch.tensor(labels)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            vectors = model(torch.from_numpy(batch))
        cosine = vectors.float() @ F.normalize(centres, dim=1).t()
        angle = torch.acos(cosine.clamp(-0.999, 0.999))
        own = F.one_hot(labels, classes).bool()
        logits = torch.where(own, torch.cos(angle + MARGIN * min(1.0, 2.5 * part)), cosine) * SCALE
        loss = F.cross_entropy(logits, labels)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(parameters, 2.0)
        optimiser.step()
        step += 1
        running = loss.item() if running is None else 0.98 * running + 0.02 * loss.item()
        if part - told > 0.099:
            told = part
            results = {name: "%.1f%% at %.2f" % equal_error(model, clips) for name, clips in tests.items()}
            print(f"{part * budget:.0f}s step {step} loss {running:.3f} {results}", flush=True)
            torch.save(model.state_dict(), os.path.join(out, "speaker.pt"))
    torch.save(model.state_dict(), os.path.join(out, "speaker.pt"))
    print(step, "steps", {name: equal_error(model, clips) for name, clips in tests.items()})


if __name__ == "__main__":
    main()
