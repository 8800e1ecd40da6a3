"""The recogniser's network: convolutions over log-mel frames, CTC output.

Guarantees: `forward(audio_signal [B, 80, T], length [B])` returns log
probabilities [B, 2 * ceil(T / 8), 29] and lengths ceil(length / 4); what lies
beyond `length` does not change what lies before it. The same module is
trained, on a CPU or a GPU, and exported.
"""

import torch
import torch.nn as nn
import torch.nn.functional as F

TOKENS = ["\u2581"] + list("abcdefghijklmnopqrstuvwxyz'")
BLANK = len(TOKENS)
# Without it, letter errors on known human speech fell to 14 to 28 % while those on unknown speech stayed at 26 to 41 %.
DROPOUT = 0.1


class Depthwise(nn.Module):
    """Convolution over time, one filter per channel, on [B, T, C]."""

    def __init__(self, channels, kernel):
        super().__init__()
        # A 2-d convolution in channels-last layout is ten times faster here
        # than Conv1d, and [B, T, C] is that layout without a copy.
        self.conv = nn.Conv2d(channels, channels, (kernel, 1), padding=(kernel // 2, 0), groups=channels)
        self.conv.to(memory_format=torch.channels_last)

    def forward(self, x):
        if x.is_cuda:
            # As shifts and sums: the library's backward pass in bfloat16 took seven eighths of a step on an H200.
            half, frames = self.conv.padding[0], x.size(1)
            wide, y = F.pad(x, (0, 0, half, half)), self.conv.bias.expand_as(x)
            for k in range(2 * half + 1):
                y = y + wide[:, k: k + frames] * self.conv.weight[:, 0, k, 0]
            return y
        if torch.onnx.is_in_onnx_export():
            y = F.conv1d(x.transpose(1, 2), self.conv.weight[:, :, :, 0], self.conv.bias,
                         padding=self.conv.padding[0], groups=self.conv.groups)
            return y.transpose(1, 2)
        with torch.autocast("cpu", enabled=False):
            return self.conv(x.float().permute(0, 2, 1).unsqueeze(3)).squeeze(3).permute(0, 2, 1)


class Squeeze(nn.Module):
    """Scales channels by what the whole utterance looks like."""

    def __init__(self, channels):
        super().__init__()
        self.down = nn.Linear(channels, channels // 4)
        self.up = nn.Linear(channels // 4, channels)

    def forward(self, x, mask):
        mean = (x * mask).sum(1, keepdim=True) / mask.sum(1, keepdim=True)
        return x * torch.sigmoid(self.up(F.relu(self.down(mean)))).to(x.dtype)


class Block(nn.Module):
    """Depthwise convolution, layer norm, two-layer perceptron, residual."""

    def __init__(self, channels, kernel, squeeze, dropout):
        super().__init__()
        self.dropout = dropout
        self.depthwise = Depthwise(channels, kernel)
        self.norm = nn.LayerNorm(channels)
        self.expand = nn.Linear(channels, 2 * channels)
        self.project = nn.Linear(2 * channels, channels)
        self.squeeze = Squeeze(channels) if squeeze else None

    def forward(self, x, mask):
        h = self.norm(self.depthwise(x * mask))
        h = F.dropout(F.relu(self.expand(h)), self.dropout, self.training)
        h = F.dropout(self.project(h), self.dropout, self.training)
        if self.squeeze is not None:
            h = self.squeeze(h, mask)
        return x + h


class Attention(nn.Module):
    """Every frame looks at all frames of its utterance (Vaswani et al. 2017); where they lie, the convolutions have told."""

    HEADS = 4

    def __init__(self, channels, dropout):
        super().__init__()
        self.norm, self.dropout = nn.LayerNorm(channels), dropout
        self.ask, self.give = nn.Linear(channels, 3 * channels), nn.Linear(channels, channels)
        # It begins as nothing, so that trained weights without it can be gone on from.
        nn.init.zeros_(self.give.weight)
        nn.init.zeros_(self.give.bias)

    def forward(self, x, mask):
        batch, frames, channels = x.size(0), x.size(1), x.size(2)
        each = channels // self.HEADS
        q, k, v = self.ask(self.norm(x)).reshape(batch, frames, 3, self.HEADS, each).permute(2, 0, 3, 1, 4).unbind(0)
        scores = q @ k.transpose(2, 3) * each**-0.5 + (mask.reshape(batch, 1, 1, frames) - 1) * 1e4
        weights = F.dropout(torch.softmax(scores.float(), -1), self.dropout, self.training).to(v.dtype)
        seen = (weights @ v).transpose(1, 2).reshape(batch, frames, channels)
        return x + F.dropout(self.give(seen), self.dropout, self.training)


class Recogniser(nn.Module):
    """40 ms frames (narrow) -> 80 ms frames (wide, most blocks) -> 40 ms frames."""

    def __init__(self, narrow=256, wide=352, before=2, middle=9, after=1, kernel=11, attend=0, dropout=DROPOUT):
        super().__init__()
        self.shape = dict(narrow=narrow, wide=wide, before=before, middle=middle, after=after, kernel=kernel, attend=attend)
        self.stem = nn.Linear(8 * 80, narrow)
        self.before = nn.ModuleList(Block(narrow, kernel, False, dropout) for _ in range(before))
        self.down = nn.Linear(2 * narrow, wide)
        self.middle = nn.ModuleList(Block(wide, kernel, i % 2 == 1, dropout) for i in range(middle))
        # After which wide block each stands: from the last one down, over the upper two thirds.
        self.at = {middle - 1 - i * max(1, 2 * middle // 3 // max(1, attend)): i for i in range(attend)}
        self.attention = nn.ModuleList(Attention(wide, dropout) for _ in range(attend))
        self.up = nn.Linear(wide, 2 * narrow)
        self.after = nn.ModuleList(Block(narrow, kernel, False, dropout) for _ in range(after))
        self.norm = nn.LayerNorm(narrow)
        self.out = nn.Linear(narrow, BLANK + 1)
        # Guesses half-way through, which training scores too (intermediate CTC, Lee and Watanabe 2021); not exported.
        self.early = nn.Linear(wide, 2 * (BLANK + 1))

    def forward(self, audio_signal, length):
        batch, frames = audio_signal.size(0), audio_signal.size(2)
        eighths = (frames + 7) // 8
        # A frame of the stem sees 8 feature frames, 2 to the left, 2 to the right of its own 4.
        keep = (torch.arange(frames, device=length.device)[None, :] < length[:, None]).to(audio_signal.dtype)
        x = (audio_signal * keep[:, None, :]).transpose(1, 2)
        x = F.pad(x, (0, 0, 2, 9))[:, : eighths * 8 + 4]
        groups = x.reshape(batch, -1, 320)
        x = self.stem(torch.cat([groups[:, :-1], groups[:, 1:]], 2)).float()
        fine = (torch.arange(eighths * 2, device=length.device)[None, :] < ((length + 3) // 4)[:, None]).to(x.dtype)[:, :, None]
        coarse = (torch.arange(eighths, device=length.device)[None, :] < ((length + 7) // 8)[:, None]).to(x.dtype)[:, :, None]
        for block in self.before:
            x = block(x, fine)
        x = x * fine
        y = self.down(x.reshape(batch, eighths, -1)).float()
        early = None
        for i, block in enumerate(self.middle):
            y = block(y, coarse)
            if i in self.at:
                y = self.attention[self.at[i]](y, coarse)
            if self.training and i == len(self.middle) // 2:
                early = self.early(y).float().reshape(batch, eighths * 2, -1).log_softmax(-1)
        x = x + self.up(y).reshape(batch, eighths * 2, -1)
        for block in self.after:
            x = block(x, fine)
        logits = self.out(self.norm(x)).float()
        found = torch.log_softmax(logits, -1), (length + 3) // 4
        return (*found, early) if self.training else found


def encode(text):
    """Token ids of a transcript; a word starts with the mark U+2581."""
    return [TOKENS.index("\u2581" if c == " " else c) for c in " " + text]


def greedy(rows):
    """Text of the best token per frame."""
    out, last = [], BLANK
    for token in rows:
        if token != last and token != BLANK:
            out.append(TOKENS[token])
        last = token
    return " ".join("".join(out).replace("\u2581", " ").split())
