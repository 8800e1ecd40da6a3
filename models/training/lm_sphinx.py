"""Reads the language model of Debian's pocketsphinx-en-us, a back-off model in the trie format of CMU Sphinx.

Guarantee: `read(path)` gives the words and, for one, two and three words, their ids (first word first), ln p of the last
after the others and ln of what is handed to shorter contexts (None for the longest). Fails on a file of another order or format.
"""

import math
import struct

import numpy as np

HEADER = b"Trie Language Model"
# Scores are logarithms to this base.
BASE = math.log(1.0001)
QUANTISED = 65536


class _Bits:
    """Entries of a fixed number of bits, one after another, the lowest bit of a byte first."""

    def __init__(self, data, width):
        self.data, self.width = np.frombuffer(data, np.uint8), width

    def field(self, entries, at, size):
        bit = np.arange(entries, dtype=np.int64) * self.width + at
        value = np.zeros(entries, np.uint64)
        for i in range(5):
            value |= self.data[(bit >> 3) + i].astype(np.uint64) << np.uint64(8 * i)
        return (value >> (bit & 7).astype(np.uint64)).astype(np.int64) & (1 << size) - 1


def _bytes(entries, width):
    return ((1 + entries) * width + 7) // 8 + 8


def read(path):
    """(words, [(ids, ln p, ln back-off)] for one, two and three words)."""
    with open(path, "rb") as file:
        data = file.read()
    if not data.startswith(HEADER) or data[len(HEADER)] != 3:
        raise SystemExit(f"{path} is no trie language model of three words")
    at = len(HEADER) + 1
    one, two, three = struct.unpack_from("<3I", data, at)
    at += 12 + 4
    scores = np.frombuffer(data, "<f4", 3 * QUANTISED, at).reshape(3, QUANTISED) * BASE
    at += 12 * QUANTISED
    single = np.frombuffer(data, np.dtype([("p", "<f4"), ("back", "<f4"), ("next", "<u4")]), one + 1, at)
    at += 12 * (one + 1)
    word, pointer = one.bit_length(), three.bit_length()
    pairs = _Bits(data[at: at + _bytes(two, word + 32 + pointer)], word + 32 + pointer)
    at += _bytes(two, word + 32 + pointer)
    triples = _Bits(data[at: at + _bytes(three, word + 16)], word + 16)
    at += _bytes(three, word + 16)
    length, = struct.unpack_from("<i", data, at)
    words = data[at + 4: at + 4 + length].decode("ascii").split("\0")[:-1]
    assert len(words) == one
    # The trie begins with the last word.
    last = np.repeat(np.arange(one), np.diff(single["next"].astype(np.int64)))
    # There is room for a few pairs more than there are.
    two = len(last)
    before = pairs.field(two, 0, word)
    begins = pairs.field(two + 1, word + 32, pointer)
    above = np.repeat(np.arange(two), np.diff(begins))
    three = len(above)
    return words, [
        (np.arange(one)[:, None], single["p"][:one] * BASE, single["back"][:one] * BASE),
        (np.stack([before, last], 1), scores[0][pairs.field(two, word + 16, 16)], scores[1][pairs.field(two, word, 16)]),
        (np.stack([triples.field(three, 0, word), before[above], last[above]], 1), scores[2][triples.field(three, word, 16)], None),
    ]
