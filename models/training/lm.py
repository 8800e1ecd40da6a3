"""Counts of words, pairs and triples of words for a beam search decoder.

Guarantee: OUT is gzip of UTF-8 lines `count<TAB>word[ word[ word]]`, sorted by
length and then alphabetically, byte for byte the same on every run; `<s>` and
`</s>` mark the ends of a sentence, `<unk>` stands for all words not listed.
Usage: lm.py HUMAN_TSV OUT.gz [OWN_SENTENCES]
"""

import collections
import gzip
import random
import re
import sys

import corpus
import sentences

WORD_AT_LEAST, PAIR_AT_LEAST, TRIPLE_AT_LEAST = 2, 2, 3
# Words of the dictionary count at least this often, by SCOWL's size (10 is
# the most common): an unseen plain word must stay cheaper than a misspelling.
DICTIONARY = {10: 24, 20: 8, 35: 4, 40: 2, 50: 1}


def lines(human, own):
    """Every sentence once, then as many of our own; punctuation ends a stretch."""
    rng = random.Random(7)
    known = {w for group in corpus.scowl_words().values() for w in group} | {"i", "a", "o"}
    known |= corpus.contractions()
    with open(human, encoding="utf-8") as rows:
        spoken = sorted({row.rstrip("\n").split("\t")[5].lower() for row in rows} - {""})
    yield from (t for t in map(corpus.clean, spoken) if t)
    yield from sorted(set(corpus.wordnet_lines(known)))
    yield from sorted(set(corpus.jargon_lines(known)))
    yield from (sentences.sentence(rng) for _ in range(own))


def main():
    human, target, own = sys.argv[1], sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 60000
    text = [["<s>"] + re.findall(r"[a-z']+", line) + ["</s>"] for line in lines(human, own)]
    words = collections.Counter(w for line in text for w in line)
    dictionary = set(corpus.scowl_names())
    for size, group in corpus.scowl_words().items():
        dictionary.update(group)
        for word in group:
            words[word] = max(words[word], DICTIONARY[size])
    kept = {w for w, n in words.items() if n >= WORD_AT_LEAST or w in dictionary}
    counts = [collections.Counter(), collections.Counter(), collections.Counter()]
    for line in text:
        line = [w if w in kept else "<unk>" for w in line]
        for size in (1, 2, 3):
            counts[size - 1].update(tuple(line[i: i + size]) for i in range(len(line) - size + 1))
    for word in dictionary:
        counts[0][(word,)] = max(1, words[word])
    # Whatever else is heard is likelier a misspelling than a word: as rare as can be.
    counts[0][("<unk>",)] = 1
    least = (1, PAIR_AT_LEAST, TRIPLE_AT_LEAST)
    with gzip.GzipFile(target, "wb", compresslevel=9, mtime=0) as out:
        for size, table in enumerate(counts):
            rows = sorted((" ".join(gram), n) for gram, n in table.items() if n >= least[size])
            print(size + 1, len(rows))
            out.write("".join(f"{n}\t{gram}\n" for gram, n in rows).encode("utf-8"))


if __name__ == "__main__":
    main()
