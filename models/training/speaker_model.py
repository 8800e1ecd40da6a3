"""The speaker network: raw log-mel [B, 80, T] -> embedding [B, 160].

Guarantees: the mean of each mel bin over time is subtracted inside, so a
constant gain or channel does not matter; embeddings are of unit length; any
T >= 8 works (all rows of a batch are taken to be T frames long).
"""

import torch
import torch.nn as nn
import torch.nn.functional as F

from ctc_model import Block

DIMENSIONS = 160


class SpeakerNet(nn.Module):
    """Stem at 20 ms frames, residual blocks, attentive mean and deviation."""

    def __init__(self, channels=208, blocks=4, wide=416):
        super().__init__()
        self.stem = nn.Linear(4 * 80, channels)
        self.blocks = nn.ModuleList(Block(channels, 9, True) for _ in range(blocks))
        self.norm = nn.LayerNorm(channels)
        self.widen = nn.Linear(channels, wide)
        self.attention = nn.Sequential(nn.Linear(wide, 64), nn.Tanh(), nn.Linear(64, wide))
        self.embed = nn.Linear(2 * wide, DIMENSIONS)
        self.centre = nn.BatchNorm1d(DIMENSIONS, affine=False)

    def forward(self, features):
        batch, pairs = features.size(0), features.size(2) // 2
        x = features - features.mean(2, keepdim=True)
        # Log-mel of speech has a spread of about 2; bring it near 1.
        x = F.pad(x.transpose(1, 2) * 0.5, (0, 0, 1, 2))[:, : pairs * 2 + 2]
        groups = x.reshape(batch, -1, 160)
        x = self.stem(torch.cat([groups[:, :-1], groups[:, 1:]], 2)).float()
        mask = torch.ones_like(x[:, :, :1])
        for block in self.blocks:
            x = block(x, mask)
        x = F.relu(self.widen(self.norm(x)))
        weight = torch.softmax(self.attention(x).float(), 1)
        x = x.float()
        mean = (x * weight).sum(1)
        spread = ((x * x * weight).sum(1) - mean * mean).clamp(min=1e-4).sqrt()
        with torch.autocast("cpu", enabled=False):
            y = self.centre(self.embed(torch.cat([mean, spread], 1)))
        return y / y.norm(dim=1, keepdim=True)
