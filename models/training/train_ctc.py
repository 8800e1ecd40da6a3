"""Trains the recogniser for a given number of seconds of wall clock.

Guarantees: resumes from OUT/ctc.pt where it exists (weights, optimiser, time
spent); writes it every few minutes, with an average of the weights beside
them; the learning rate follows a cosine over the whole budget. With --from it
starts from another run's average instead of from nothing.
Usage: train_ctc.py OUT SECONDS [--from CHECKPOINT] [--peak RATE] [--share OF_HUMAN] --human PREFIX... --synthetic PREFIX...
"""

import argparse
import math
import multiprocessing
import os
import time

import torch
import torch.nn.functional as F

import batches
from ctc_model import BLANK, Recogniser

WARMUP, EARLY = 300, 0.3
SAVE_EVERY = 180


def feed(queue, synthetic, human, share, seed):
    torch.set_num_threads(1)
    for batch in batches.stream(synthetic, human, share, seed):
        queue.put(batch)


def save(path, model, average, optimiser, spent, step):
    torch.save({"shape": model.shape, "model": model.state_dict(), "average": average, "optimiser": optimiser.state_dict(),
                "spent": spent, "step": step}, path + ".part")
    os.replace(path + ".part", path)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("out")
    parser.add_argument("seconds", type=float)
    parser.add_argument("--from", dest="base")
    parser.add_argument("--peak", type=float, default=2e-3)
    parser.add_argument("--share", type=float, default=0.5)
    parser.add_argument("--human", nargs="+", required=True)
    parser.add_argument("--synthetic", nargs="+", required=True)
    given = parser.parse_args()
    out, budget = given.out, given.seconds
    torch.set_num_threads(1)
    torch.manual_seed(0)
    model = Recogniser()
    print("parameters", sum(p.numel() for p in model.parameters()), flush=True)
    optimiser = torch.optim.AdamW(model.parameters(), lr=given.peak, betas=(0.9, 0.98), weight_decay=1e-3, foreach=True)
    if given.base:
        model.load_state_dict(torch.load(given.base)["average"])
    average = {k: v.clone() for k, v in model.state_dict().items()}
    path, spent, step = os.path.join(out, "ctc.pt"), 0.0, 0
    if os.path.exists(path):
        saved = torch.load(path)
        model.load_state_dict(saved["model"])
        optimiser.load_state_dict(saved["optimiser"])
        average, spent, step = saved["average"], saved["spent"], saved["step"]
    queue = multiprocessing.Queue(8)
    multiprocessing.Process(target=feed, args=(queue, given.synthetic, given.human, given.share, 1 + step), daemon=True).start()
    began, last_save, heard, running = time.time() - spent, time.time(), 0.0, None
    while time.time() - began < budget:
        elapsed = time.time() - began
        rate = given.peak * min(1.0, (step + 1) / WARMUP) * max(0.003, 0.5 * (1 + math.cos(math.pi * elapsed / budget)))
        for group in optimiser.param_groups:
            group["lr"] = rate
        audio, lengths, targets, target_lengths = (torch.from_numpy(a) for a in queue.get())
        with torch.autocast("cpu", dtype=torch.bfloat16):
            logprobs, frames, early = model(audio, lengths)
        loss, half_way = (F.ctc_loss(guess.transpose(0, 1), targets, frames, target_lengths, blank=BLANK,
                                     reduction="sum", zero_infinity=True) / target_lengths.sum()
                          for guess in (logprobs, early))
        optimiser.zero_grad(set_to_none=True)
        ((1 - EARLY) * loss + EARLY * half_way).backward()
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
