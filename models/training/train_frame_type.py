"""Trains the frame-type network and writes it as ONNX.

    train_frame_type.py MINUTES OUT.onnx --train A.npz… --held H.npz [--from CHECKPOINT]

Stops by wall clock. `--held` are frames with typefaces and photographs that training does not have: on them the
temperature is fitted, and the confusion matrix and each type's precision by confidence are printed.
"""

import argparse
import time

import numpy as np
import onnx
import torch
from torch import nn

from frame_types import HEIGHT, TYPES, WIDTH

BATCH = 64
DRAWN = torch.tensor([t not in ("talking_head", "scene") for t in TYPES])


def block(i, o, size, stride):
    return nn.Sequential(nn.Conv2d(i, o, size, stride, size // 2, bias=False), nn.BatchNorm2d(o), nn.ReLU())


class FrameTypeNet(nn.Module):
    """RGB planes from 0 to 1 in; one logit for each type out, from the mean and the maximum of the last maps."""

    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(
            block(3, 16, 5, 2), block(16, 24, 3, 2), block(24, 48, 3, 2), block(48, 64, 3, 2), block(64, 96, 3, 2), block(96, 96, 3, 1)
        )
        self.drop = nn.Dropout(0.2)
        self.head = nn.Linear(192, len(TYPES))

    def forward(self, frame):
        maps = self.body(frame)
        return self.head(self.drop(torch.cat((maps.mean((2, 3)), maps.amax((2, 3))), 1)))


class Exported(nn.Module):
    def __init__(self, net, temperature):
        super().__init__()
        self.net, self.temperature = net, temperature

    def forward(self, frame):
        return torch.softmax(self.net(frame) / self.temperature, 1)


def varied(frames, types):
    """Mirrored photographs; drawn frames in other colours and inverted; all in other light and a little off centre."""
    n = len(frames)
    drawn = DRAWN[types]
    mirrored = (torch.rand(n) < 0.5) & ~drawn
    frames[mirrored] = frames[mirrored].flip(3)
    for k in torch.nonzero(drawn & (torch.rand(n) < 0.3)).flatten():
        frames[k] = frames[k][torch.randperm(3)]
    inverted = drawn & (torch.rand(n) < 0.15)
    frames[inverted] = 1 - frames[inverted]
    gain = 1 + 0.2 * torch.randn(n, 1, 1, 1)
    frames = ((frames - 0.5) * gain + 0.5 + 0.06 * torch.randn(n, 3, 1, 1)).clamp(0, 1)
    return frames.roll((int(torch.randint(-6, 7, ())), int(torch.randint(-8, 9, ()))), (2, 3))


def logits_of(net, frames):
    net.eval()
    with torch.no_grad():
        return torch.cat([net(torch.from_numpy(frames[k : k + 128]).permute(0, 3, 1, 2) / 255) for k in range(0, len(frames), 128)])


def report(logits, types, temperature):
    sure, found = torch.softmax(logits / temperature, 1).max(1)
    print(f"right {(found == types).float().mean():.3f} at temperature {temperature:.2f}")
    print("true \\ found".ljust(14), *(t[:8].rjust(9) for t in TYPES))
    for k, name in enumerate(TYPES):
        print(name.ljust(14), *(str(int(((types == k) & (found == j)).sum())).rjust(9) for j in range(len(TYPES))))
    for k, name in enumerate(TYPES):
        parts = []
        for least in (0.0, 0.5, 0.6, 0.7, 0.8, 0.9):
            of = (found == k) & (sure >= least)
            right = (of & (types == k)).sum()
            parts.append(f"{least:.1f}: {right / max(1, of.sum()):.3f}/{right / max(1, (types == k).sum()):.3f}")
        print(name.ljust(14), "precision/recall from", "  ".join(parts))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("minutes", type=float)
    parser.add_argument("out")
    parser.add_argument("--train", nargs="+", required=True)
    parser.add_argument("--held", required=True)
    parser.add_argument("--from", dest="start")
    parser.add_argument("--rate", type=float, default=0.004)
    args = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(1)
    parts = [np.load(f) for f in args.train]
    frames = np.concatenate([p["frames"] for p in parts])
    types = torch.from_numpy(np.concatenate([p["types"] for p in parts]))
    held = np.load(args.held)
    held_types = torch.from_numpy(held["types"])
    net = FrameTypeNet().to(memory_format=torch.channels_last)
    if args.start:
        net.load_state_dict(torch.load(args.start))
    print(f"{len(frames)} frames, {sum(p.numel() for p in net.parameters())} parameters", flush=True)
    best = torch.optim.AdamW(net.parameters(), lr=args.rate, weight_decay=0.02)
    loss_of = nn.CrossEntropyLoss(label_smoothing=0.03)
    began, step, mean = time.time(), 0, 0.0
    while (done := (time.time() - began) / (60 * args.minutes)) < 1:
        net.train()
        for group in best.param_groups:
            group["lr"] = args.rate * min(1, (step + 1) / 50) * 0.5 * (1 + np.cos(np.pi * done))
        some = torch.randint(len(frames), (BATCH,))
        batch = torch.from_numpy(frames[some.numpy()]).permute(0, 3, 1, 2).float() / 255
        batch = varied(batch, types[some]).contiguous(memory_format=torch.channels_last)
        with torch.autocast("cpu", torch.bfloat16):
            loss = loss_of(net(batch).float(), types[some])
        best.zero_grad()
        loss.backward()
        best.step()
        mean += (loss.item() - mean) * max(0.02, 1 / (step + 1))
        step += 1
        if step % 50 == 0:
            print(step, f"{step * BATCH / len(frames):.1f} epochs, loss {mean:.3f}, {time.time() - began:.0f} s", flush=True)
    torch.save(net.state_dict(), args.out.replace(".onnx", ".pt"))
    logits = logits_of(net, held["frames"])
    temperatures = np.linspace(0.5, 3, 51)
    temperature = float(min(temperatures, key=lambda t: nn.functional.cross_entropy(logits / t, held_types).item()))
    report(logits, held_types, temperature)
    torch.onnx.export(
        Exported(net, temperature).eval(), torch.zeros(1, 3, HEIGHT, WIDTH), args.out, input_names=["frame"], output_names=["types"], opset_version=17, dynamo=False
    )
    model = onnx.load(args.out)
    for key, value in {"types": ",".join(TYPES), "temperature": f"{temperature:.3f}"}.items():
        entry = model.metadata_props.add()
        entry.key, entry.value = key, value
    onnx.save(model, args.out)


if __name__ == "__main__":
    main()
