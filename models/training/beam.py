"""Prefix beam search over CTC output with the word counts of lm.py.

A reference for other implementations. Guarantee: without counts it returns the
most probable transcript the beam sees, summed over alignments; with counts,
each finished word adds `alpha * ln p(word | two words before) + beta`.
"""

import collections
import gzip
import math

import numpy as np

from ctc_model import BLANK, TOKENS

BACKOFF = math.log(0.4)
NEVER = float("-inf")


class Counts:
    """Stupid backoff over triples, pairs and words; unknown words by length."""

    def __init__(self, path):
        self.table = {}
        with gzip.open(path, "rt", encoding="utf-8") as rows:
            for row in rows:
                count, gram = row.rstrip("\n").split("\t")
                self.table[gram] = int(count)
        self.total = sum(n for gram, n in self.table.items() if " " not in gram)

    def score(self, first, second, word):
        table, penalty = self.table, 0.0
        for context in (f"{first} {second}", second):
            seen = table.get(f"{context} {word}")
            if seen:
                return penalty + math.log(seen / table[context])
            penalty += BACKOFF
        if word in table:
            return penalty + math.log(table[word] / self.total)
        return penalty + math.log(table["<unk>"] / self.total) - 2.0 - 1.5 * len(word)


def _add(a, b):
    if a == NEVER:
        return b
    if b == NEVER:
        return a
    top = max(a, b)
    return top + math.log(math.exp(a - top) + math.exp(b - top))


def search(logprobs, counts=None, alpha=0.7, beta=2.0, width=24, cut=-7.0):
    """Text of log probabilities [T, 29]; `cut` drops tokens that unlikely in a frame."""
    mark = TOKENS[0]
    words_score = {"": 0.0}

    def finished(prefix):
        """Language score of all words in `prefix` but a last unfinished one."""
        if prefix not in words_score:
            before = prefix[: -1] if prefix[-1] == mark else prefix
            head = before.rfind(mark)
            base = finished(before[: head + 1]) if head > 0 else 0.0
            if prefix[-1] == mark and before.strip(mark):
                words = ["<s>", "<s>"] + before.split(mark)
                words = [w for w in words if w]
                base += alpha * counts.score(words[-3], words[-2], words[-1]) + beta
            words_score[prefix] = base
        return words_score[prefix]

    beams = {"": (0.0, NEVER)}
    for row in np.asarray(logprobs, dtype=np.float64):
        likely = [i for i in np.nonzero(row > cut)[0].tolist() if i != BLANK]
        following = collections.defaultdict(lambda: (NEVER, NEVER))
        for prefix, (blank, other) in beams.items():
            both = _add(blank, other)
            b, o = following[prefix]
            b = _add(b, both + row[BLANK])
            if prefix:
                o = _add(o, other + row[TOKENS.index(prefix[-1])])
            following[prefix] = (b, o)
            for i in likely:
                token = TOKENS[i]
                if token == mark and prefix.endswith(mark):
                    continue
                arrived = blank if prefix.endswith(token) else both
                if arrived == NEVER:
                    continue
                b, o = following[prefix + token]
                following[prefix + token] = (b, _add(o, arrived + row[i]))
        def rank(item):
            return _add(*item[1]) + (finished(item[0]) if counts and item[0] else 0.0)

        beams = dict(sorted(following.items(), key=rank, reverse=True)[:width])

    def final(item):
        prefix = item[0]
        done = finished(prefix.rstrip(mark) + mark) if counts and prefix.strip(mark) else 0.0
        return _add(*item[1]) + done

    best = max(beams.items(), key=final)[0]
    return " ".join(best.replace(mark, " ").split())
