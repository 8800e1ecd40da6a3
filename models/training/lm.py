"""The language model of the beam search: words after up to ORDER-1 others.

Interpolated modified Kneser-Ney (Chen and Goodman 1999) over all sources,
mixed with the model of CMU Sphinx, pruned by weighted difference (Seymore
and Rosenfeld 1996), one byte per probability. Guarantee: OUT, in the layout that workers/speech/ctc/WordModel.ts
reads (../lm/README.md), is the same byte for byte on every run.
Usage: lm.py HUMAN_TSV NPM_PACKAGES MANIFEST.json OUT.gz [--order N] [--prune X]
"""

import argparse
import collections
import gzip
import re
import struct

import numpy as np

import corpus
import lm_sphinx
import lm_text

MAGIC = b"FNLM1\n"
START, UNKNOWN = "<s>", "<unk>"
VOCABULARY = 65_000
# How much of a word's own probability comes from SCOWL's size (10 is the most common): a plain word that our text
# lacks must stay cheaper than a misspelling.
DICTIONARY, DICTIONARY_SHARE = {10: 24, 20: 8, 35: 4, 40: 2, 50: 1}, 0.03
# The Sphinx model's share in every probability; ../lm/README.md tells why.
SPHINX, SPHINX_SHARE = "/usr/share/pocketsphinx/model/en-us/en-us.lm.bin", 0.5
# Pruning weighs a gram by how often it would be read in so many words: as counted in our text, and as Sphinx' model expects.
READ = 10_000_000
# ln p of a word that the Sphinx model lacks, and the sentences per word.
NEVER, SENTENCES = -40.0, 0.06
# A sixteenth of a nat per step: coarser than the counts are sure of.
STEP = 16


def vocabulary(lines, sphinx):
    """Words by frequency, at most VOCABULARY, and the dictionary's weight of each; the Sphinx model's count with their share."""
    counts = collections.Counter(w for line in lines for w in line.split())
    words, ((_, logp, _), *_) = sphinx
    scale = counts.total() * SPHINX_SHARE / (1 - SPHINX_SHARE)
    counts.update({w: round(scale * p) for w, p in zip(words, np.exp(logp)) if re.fullmatch("[a-z]+(?:'[a-z]+)*", w)})
    prior = dict.fromkeys(corpus.scowl_names(), 1)
    for size, group in corpus.scowl_words().items():
        for word in group:
            prior[word] = max(prior.get(word, 0), DICTIONARY[size])
    prior.update({w: 24 for w in ("i", "a", "o")} | {w: 8 for w in corpus.contractions()})
    worth = {w: counts[w] + prior.get(w, 0) for w in set(counts) | set(prior)
             if w in prior or counts[w] >= 3 and len(w) > 1}
    words = sorted(worth, key=lambda w: (-worth[w], w))[:VOCABULARY]
    return words, np.array([prior.get(w, 0) for w in words], float)


def stream(lines, number):
    """Word ids of all lines one after another, START before each; UNKNOWN where not in the vocabulary."""
    return [i for line in lines for i in [number[START]] + [number.get(w, number[UNKNOWN]) for w in line.split()]]


def grams(ids, order, start, unknown):
    """Sorted keys (16 bits a word) and counts of all grams of an order that hold no UNKNOWN and no START but first."""
    count = len(ids) - order + 1
    key, good = np.zeros(count, np.uint64), np.ones(count, bool)
    for i in range(order):
        part = ids[i: i + count]
        key = key << np.uint64(16) | part.astype(np.uint64)
        good &= part != unknown
        if i > 0:
            good &= part != start
    return np.unique(key[good], return_counts=True)


def discounts(counts):
    """D1, D2, D3+ of modified Kneser-Ney."""
    n = [max(1, int((counts == i).sum())) for i in (1, 2, 3, 4)]
    y = n[0] / (n[0] + 2 * n[1])
    return [0.0] + [max(0.05, i - (i + 1) * y * n[i] / n[i - 1]) for i in (1, 2, 3)]


class Level:
    """Grams of one order: keys, adjusted counts, ln p of each, and ln of the weight it hands to the shorter ones."""

    def __init__(self, order, key, raw):
        self.order, self.key, self.raw = order, key, raw
        self.adjusted = raw
        self.context = key >> np.uint64(16)
        self.word = (key & np.uint64(0xFFFF)).astype(np.int64)
        self.suffix = key & np.uint64((1 << 16 * (order - 1)) - 1) if order > 1 else None

    def keep(self, mask):
        for name in ("key", "raw", "adjusted", "context", "word", "suffix", "logp"):
            if getattr(self, name, None) is not None:
                setattr(self, name, getattr(self, name)[mask])


def find(keys, wanted):
    at = np.searchsorted(keys, wanted)
    at = np.minimum(at, len(keys) - 1)
    return at, keys[at] == wanted


def estimate(ids, order, words, prior, number):
    levels = [None] + [Level(n, *grams(ids, n, number[START], number[UNKNOWN])) for n in range(1, order + 1)]
    # Shorter grams count by how many words come before them; what begins a sentence has none before and keeps its count.
    for n in range(1, order):
        low, high = levels[n], levels[n + 1]
        at, _ = find(low.key, high.suffix)
        low.adjusted = np.bincount(at, minlength=len(low.key))
        first = low.key >> np.uint64(16 * (n - 1)) == number[START]
        # One at least: a gram that only ever follows unknown words has been read all the same.
        low.adjusted = np.maximum(1, np.where(first, low.raw, low.adjusted))
    one = levels[1]
    p = np.zeros(len(words))
    p[one.word] = one.adjusted
    p[number[START]] = p[number[UNKNOWN]] = 0
    p = (1 - DICTIONARY_SHARE) * p / p.sum() + DICTIONARY_SHARE * prior / prior.sum()
    p[number[START]] = p[number[UNKNOWN]] = 0
    # Words that the Sphinx model alone knows.
    p = np.maximum(p, 1e-9)
    one.key, one.word = np.arange(len(words), dtype=np.uint64), np.arange(len(words))
    one.raw = np.bincount(ids, minlength=len(words))
    one.logp = np.log(p)
    for n in range(2, order + 1):
        level, low = levels[n], levels[n - 1]
        d = np.array(discounts(level.adjusted))
        contexts, group = np.unique(level.context, return_inverse=True)
        total = np.bincount(group, level.adjusted)
        cut = d[np.minimum(level.adjusted, 3)]
        gamma = np.bincount(group, np.minimum(cut, level.adjusted)) / total
        at, found = find(low.key, level.suffix)
        assert found.all()
        seen = np.maximum(level.adjusted - cut, 0) / total[group]
        level.logp = np.log(seen + gamma[group] * np.exp(low.logp[at]))
    return levels


def reweigh(levels):
    """ln of what each gram hands to shorter ones, so that its words sum to one."""
    for n in range(1, len(levels)):
        levels[n].back = np.zeros(len(levels[n].key))
    for n in range(2, len(levels)):
        level, low = levels[n], levels[n - 1]
        shorter = backoff_logp(levels, level)
        contexts, group = np.unique(level.context, return_inverse=True)
        left = 1 - np.bincount(group, np.exp(level.logp))
        rest = 1 - np.bincount(group, np.exp(shorter))
        at, found = find(low.key, contexts)
        assert found.all()
        low.back[at] = np.log(np.maximum(left, 1e-6) / np.maximum(rest, 1e-6))


def backoff_logp(levels, level):
    """ln p of each gram's word after the same words less the first, by the shorter grams that are left."""
    return look_up(levels, level.order - 1, level.suffix)


def look_up(levels, order, key):
    at, found = find(levels[order].key, key)
    out = np.where(found, levels[order].logp[at], 0.0)
    if order > 1 and not found.all():
        miss = ~found
        context, context_found = find(levels[order - 1].key, key[miss] >> np.uint64(16))
        back = np.where(context_found, levels[order - 1].back[context], 0.0)
        out[miss] = back + look_up(levels, order - 1, key[miss] & np.uint64((1 << 16 * (order - 1)) - 1))
    return out


def borrowed(sphinx, number):
    """The Sphinx model as levels: what it says of words that are numbered."""
    words, tables = sphinx
    ids = np.array([number.get(w, -1) for w in words])
    levels = [None]
    for n, (grams_, logp, back) in enumerate(tables, 1):
        at = ids[grams_]
        good = (at >= 0).all(1) & (at[:, -1] != number[START] if n > 1 else True)
        key = np.zeros(good.sum(), np.uint64)
        for i in range(n):
            key = key << np.uint64(16) | at[good, i].astype(np.uint64)
        order = np.argsort(key)
        level = Level(n, key[order], None)
        level.logp = logp[good][order].astype(float)
        level.back = (back[good][order] if back is not None else np.zeros(len(key))).astype(float)
        levels.append(level)
    one, missing = levels[1], np.setdiff1d(np.arange(len(number), dtype=np.uint64), levels[1].key)
    at = np.searchsorted(one.key, missing)
    one.logp, one.back = np.insert(one.logp, at, NEVER), np.insert(one.back, at, 0.0)
    one.key = np.insert(one.key, at, missing)
    one.word = one.key.astype(np.int64)
    return levels


def reading(levels, number):
    """How likely each gram is to be read, by level: of the first word of a sentence as often as sentences begin."""
    found = [None]
    for n in range(1, len(levels)):
        level = levels[n]
        if n == 1:
            p = np.exp(level.logp)
            p[number[START]] = SENTENCES
        else:
            at, _ = find(levels[n - 1].key, level.context)
            p = found[-1][at] * np.exp(level.logp)
        found.append(p)
    return found


def mixed(own, other, number):
    """Both models as one: every gram of either, its probability by both."""
    reweigh(own)
    levels, keys = [None], None
    for n in range(len(own) - 1, 0, -1):
        longer = np.zeros(0, np.uint64) if keys is None else keys >> np.uint64(16)
        keys = np.unique(np.concatenate([own[n].key, other[n].key, longer]))
        level = Level(n, keys, None)
        level.logp = np.logaddexp(np.log(SPHINX_SHARE) + look_up(other, n, keys), np.log(1 - SPHINX_SHARE) + look_up(own, n, keys))
        levels.insert(1, level)
    total = own[1].raw.sum()
    for level, seen, read, likely in zip(levels[1:], own[1:], other[1:], reading(other, number)[1:]):
        level.raw = np.zeros(len(level.key))
        for part, times in ((seen, (1 - SPHINX_SHARE) * seen.raw / total), (read, SPHINX_SHARE * likely)):
            level.raw[np.searchsorted(level.key, part.key)] += READ * times
    return levels


def prune(levels, least):
    """Drops grams that move ln p of what was read by less than `least` in all, longest first."""
    reweigh(levels)
    for n in range(len(levels) - 1, 1, -1):
        level, low = levels[n], levels[n - 1]
        shorter = backoff_logp(levels, level)
        at, _ = find(low.key, level.context)
        gain = level.raw * (level.logp - low.back[at] - shorter)
        keep = gain >= least
        if n + 1 < len(levels):
            needed = np.unique(levels[n + 1].context)
            keep |= find(needed, level.key)[1] if len(needed) else False
        level.keep(keep)
        reweigh(levels)


def perplexity(levels, lines, number):
    """Per word over lines; words that are not known are left out and told as a share."""
    order = len(levels) - 1
    total, count, unknown = 0.0, 0, 0
    for line in lines:
        ids = [number[START]] + [number.get(w, number[UNKNOWN]) for w in line.split()]
        for i in range(1, len(ids)):
            if ids[i] == number[UNKNOWN]:
                unknown += 1
                continue
            history = ids[max(0, i - order + 1): i + 1]
            while number[UNKNOWN] in history:
                history = history[history.index(number[UNKNOWN]) + 1:]
            key = 0
            for w in history:
                key = key << 16 | w
            total += look_up(levels, len(history), np.array([key], np.uint64))[0]
            count += 1
    return np.exp(-total / max(1, count)), unknown / max(1, count + unknown)


def planes(values):
    """Two bytes each, all high bytes before all low ones: packs better."""
    values = np.asarray(values)
    assert values.min(initial=0) >= 0 and values.max(initial=0) < 65536
    return (values >> 8).astype(np.uint8).tobytes() + (values & 255).astype(np.uint8).tobytes()


def packed(levels, words):
    """The table as bytes; ../lm/README.md tells the layout."""
    order = len(levels) - 1
    text = "\n".join(words).encode("ascii")
    out = [MAGIC, struct.pack("<BBI", order, STEP, len(text)), text,
           struct.pack(f"<{order}I", *(len(level.key) for level in levels[1:]))]
    for n in range(1, order + 1):
        level = levels[n]
        if n > 1:
            low = levels[n - 1]
            at, _ = find(low.key, level.context)
            out.append(planes(np.bincount(at, minlength=len(low.key))))
            first = np.r_[True, level.context[1:] != level.context[:-1]] if len(level.key) else np.zeros(0, bool)
            step = np.diff(level.word, prepend=0)
            out.append(planes(np.where(first, level.word, step)))
        out.append(np.clip(np.round(-level.logp * STEP), 0, 255).astype(np.uint8).tobytes())
        if n < order:
            out.append(np.clip(np.round(level.back * STEP), -128, 127).astype(np.int8).tobytes())
    return b"".join(out)


def build(found, order, least, path=SPHINX):
    lines = [line for group in found.values() for line in group]
    sphinx = lm_sphinx.read(path)
    words, prior = vocabulary(lines, sphinx)
    words = [START, UNKNOWN] + words
    prior = np.r_[0, 0, prior]
    number = {w: i for i, w in enumerate(words)}
    ids = np.array(stream(lines, number), np.int64)
    levels = mixed(estimate(ids, order, words, prior, number), borrowed(sphinx, number), number)
    full = [len(level.key) for level in levels[1:]]
    prune(levels, least)
    print("grams", full, "kept", [len(level.key) for level in levels[1:]])
    return words, number, levels


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("human")
    parser.add_argument("packages")
    parser.add_argument("manifest")
    parser.add_argument("target")
    parser.add_argument("--order", type=int, default=3)
    parser.add_argument("--prune", type=float, default=0.9)
    parser.add_argument("--own", type=int, default=30000, help="sentences from our templates")
    given = parser.parse_args()
    found = lm_text.without(lm_text.sources(given.human, given.packages, given.own), given.manifest)
    for name, lines in found.items():
        print(f"{name:12} {len(lines):7} sentences {sum(len(line.split()) for line in lines):8} words")
    words, _, levels = build(found, given.order, given.prune)
    # The name of the file would be written into it.
    with open(given.target, "wb") as file, gzip.GzipFile("", "wb", compresslevel=9, fileobj=file, mtime=0) as out:
        out.write(packed(levels, words))


if __name__ == "__main__":
    main()
