"""Trains the recogniser for a given number of seconds of wall clock.

Guarantees: resumes from OUT/ctc.pt where it exists (weights, optimiser, time
spent); writes it every few minutes, with an average of the weights beside
them; the learning rate follows a cosine over the whole budget.
Usage: train_ctc.py OUT SECONDS HUMAN_PREFIX TTS_PREFIX...
"""

import math
import multiprocessing
import os
import sys
import time

import torch
import torch.nn.functional as F

import batches
from ctc_model import BLANK, Recogniser

PEAK, WARMUP, SHARE = 2e-3, 300, 0.05
SAVE_EVERY = 180


def feed(queue, synthetic, human, seed):
    torch.set_num_threads(1)
    for batch in batches.stream(synthetic, human, SHARE, seed):
        queue.put(batch)


def save(path, model, average, optimiser, spent, step):
    torch.save({"shape": model.shape, "model": model.state_dict(), "average": average, "optimiser": optimiser.state_dict(),
                "spent": spent, "step": step}, path + ".part")
    os.replace(path + ".part", path)


def main():
    out, budget, human, synthetic = sys.argv[1], float(sys.argv[2]), sys.argv[3], sys.argv[4:]
    torch.set_num_threads(1)
    torch.manual_seed(0)
    model = Recogniser()
    print("parameters", sum(p.numel() for p in model.parameters()), flush=True)
    optimiser = torch.optim.AdamW(model.parameters(), lr=PEAK, betas=(0.9, 0.98), weight_decay=1e-3, foreach=True)
    average = {k: v.clone() for k, v in model.state_dict().items()}
    path, spent, step = os.path.join(out, "ctc.pt"), 0.0, 0
    if os.path.exists(path):
        saved = torch.load(path)
        model.load_state_dict(saved["model"])
        optimiser.load_state_dict(saved["optimiser"])
        average, spent, step = saved["average"], saved["spent"], saved["step"]
    queue = multiprocessing.Queue(8)
    multiprocessing.Process(target=feed, args=(queue, synthetic, human, 1 + step), daemon=True).start()
    began, last_save, heard, running = time.time() - spent, time.time(), 0.0, None
    while time.time() - began < budget:
        elapsed = time.time() - began
        rate = PEAK * min(1.0, (step + 1) / WARMUP) * max(0.003, 0.5 * (1 + math.cos(math.pi * elapsed / budget)))
        for group in optimiser.param_groups:
            group["lr"] = rate
        audio, lengths, targets, target_lengths = (torch.from_numpy(a) for a in queue.get())
        with torch.autocast("cpu", dtype=torch.bfloat16):
            logprobs, frames = model(audio, lengths)
        losses = F.ctc_loss(logprobs.transpose(0, 1), targets, frames, target_lengths, blank=BLANK,
                            reduction="none", zero_infinity=True)
        loss = losses.sum() / target_lengths.sum()
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        step += 1
        decay = min(0.998, step / (step + 200))
        with torch.no_grad():
            for name, value in model.state_dict().items():
                average[name].lerp_(value, 1 - decay)
        heard += lengths.sum().item() / 100
        running = loss.item() if running is None else 0.98 * running + 0.02 * loss.item()
        if step % 50 == 0:
            speed = heard / (time.time() - began - spent)
            print(f"{time.time() - began:.0f}s step {step} loss {running:.3f} lr {rate:.5f} "
                  f"heard {heard / 3600:.1f}h x{speed:.0f}", flush=True)
        if time.time() - last_save > SAVE_EVERY:
            save(path, model, average, optimiser, time.time() - began, step)
            last_save = time.time()
    save(path, model, average, optimiser, time.time() - began, step)


if __name__ == "__main__":
    main()
