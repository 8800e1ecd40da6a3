"""Writes the text the synthetic voices read, one line per utterance.

Sources: sentences.py (our own), transcripts of the human training set, random
word strings from Debian's SCOWL lists, and, where the packages are installed,
WordNet's glosses and examples (WordNet licence) and the Jargon File (public
domain). Guarantee: a line has 1-32 words of a-z and ' plus , . ? ; for the
rhythm; nothing a voice would expand by itself (no digits, no abbreviations).
Usage: corpus.py HUMAN_TSV OUT.txt COUNT [SEED]
"""

import glob
import gzip
import os
import random
import re
import sys

import sentences
from books import wordnet_entries

SCOWL = "/usr/share/dict/scowl"
JARGON = "/usr/share/doc/jargon-text/jargon.txt.gz"
# Voices read these otherwise than spelled.
_EXPANDED = set("mr mrs ms dr st jr sr vs etc ie eg no fig vol ave blvd rd ft hr min sec lb oz km kg cm mm mg ml pm am "
                "jan feb mar apr jun jul aug sep sept oct nov dec mon tue wed thu fri sat inc ltd co corp dept prof gen "
                "col capt lt sgt rev hon gov sen rep mt pp ii iii iv vi vii viii ix xi xii usu esp adj adv esq".split())


def scowl_words():
    """{size: [words]} of plain lower case words."""
    found = {}
    for size in (10, 20, 35, 40, 50):
        words = []
        for name in ("english", "american"):
            for path in glob.glob(f"{SCOWL}/{name}-words.{size}"):
                with open(path, encoding="latin-1") as lines:
                    words += [w for w in lines.read().split() if re.fullmatch(r"[a-z]{2,}", w)]
        found[size] = [w for w in words if w not in _EXPANDED and re.search("[aeiouy]", w)]
    return found


def scowl_names():
    """Proper names of the common list, lower case."""
    names = []
    for path in glob.glob(f"{SCOWL}/english-proper-names.[1-5]?") + glob.glob(f"{SCOWL}/american-*.[1-5]?"):
        with open(path, encoding="latin-1") as lines:
            names += [w.lower() for w in lines.read().split() if re.fullmatch(r"[A-Z][a-z]{2,}", w)]
    return sorted(set(names))


def contractions():
    return set("don't can't won't it's that's i'm i'll you'll we'll they're we're you're let's what's there's isn't wasn't "
               "doesn't didn't couldn't shouldn't wouldn't i've we've he's she's haven't aren't who's".split())


def clean(text):
    """Lower case words and , . ? ; or None where something would not be read as spelled."""
    text = text.lower().replace("\u2019", "'").replace("\u2018", " ").replace("-", " ").replace("/", " or ")
    text = re.sub(r"[\"\u201c\u201d()`:!\u2014]", " ", text)
    text = re.sub(r"\s+([,.?;])", r"\1", re.sub(r"\s+", " ", text)).strip(" ,;.'")
    if re.search(r"[^a-z' ,.?;]", text):
        return None
    words = re.findall(r"[a-z']+", text)
    if not 2 <= len(words) or any(w in _EXPANDED or (len(w) == 1 and w not in "aio") for w in words):
        return None
    if any(not re.search("[aeiouy]", w) or w.startswith("'") or w.endswith("'") for w in words):
        return None
    return text


def split_long(text, limit, rng):
    """Pieces of at most `limit` words, cut at a comma where there is one."""
    words = text.split()
    while len(words) > limit:
        cuts = [i + 1 for i, w in enumerate(words[:limit]) if w[-1] in ",;." and i > 2]
        at = rng.choice(cuts) if cuts else rng.randint(limit // 2, limit)
        yield " ".join(words[:at]).strip(" ,;.")
        words = words[at:]
    if words:
        yield " ".join(words).strip(" ,;.")


def wordnet_lines(known):
    """Glosses and quoted examples whose words are all common enough."""
    for gloss, examples in wordnet_entries():
        for part in [*examples, gloss]:
            for piece in part.split(";"):
                text = clean(piece)
                if text and len(text.split()) > 2 and all(w in known for w in re.findall(r"[a-z']+", text)):
                    yield text


def jargon_lines(known):
    if not os.path.exists(JARGON):
        return
    with gzip.open(JARGON, "rt", encoding="utf-8") as file:
        body = file.read()
    for paragraph in body.split("\n\n"):
        flat = re.sub(r"[{}_]|\[[^]]*\]", "", " ".join(paragraph.split()))
        for part in re.split(r"(?<=[.?!]) ", flat):
            text = clean(part)
            if text and len(text.split()) > 3 and sum(w not in known for w in re.findall(r"[a-z']+", text)) == 0:
                yield text


def salad(words, rng):
    """Random words, common ones more often, with glue so that it flows."""
    def pick():
        return rng.choice(words[rng.choices((10, 20, 35, 40, 50), (3, 4, 6, 2, 3))[0]])

    glue = ["the", "a", "of the", "and the", "in the", "to", "is", "was", "with", "for the", "and", "that", "are", "not"]
    out = []
    for _ in range(rng.randint(2, 7)):
        if rng.random() < 0.6:
            out.append(rng.choice(glue))
        out.append(pick())
    return " ".join(out)


def main():
    human, target, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    rng = random.Random(int(sys.argv[4]) if len(sys.argv) > 4 else 1)
    words = scowl_words()
    known = {w for group in words.values() for w in group} | {"i", "a", "o"}
    known |= contractions()
    with open(human, encoding="utf-8") as rows:
        spoken = sorted({row.rstrip("\n").split("\t")[5].lower() for row in rows} - {""})
    spoken = [t for t in map(clean, spoken) if t]
    pools = {"wordnet": sorted(set(wordnet_lines(known))), "jargon": sorted(set(jargon_lines(known))), "human": spoken}
    for name, pool in pools.items():
        print(name, len(pool), "lines", sum(len(p.split()) for p in pool), "words")
        rng.shuffle(pool)
    weights = {"own": 0.40, "wordnet": 0.32 if pools["wordnet"] else 0, "jargon": 0.09 if pools["jargon"] else 0,
               "human": 0.04, "salad": 0.15}
    at = {name: 0 for name in pools}
    with open(target, "w", encoding="utf-8") as out:
        written = 0
        while written < count:
            kind = rng.choices(list(weights), list(weights.values()))[0]
            if kind == "own":
                text = sentences.sentence(rng)
            elif kind == "salad":
                text = salad(words, rng)
            else:
                text = pools[kind][at[kind] % len(pools[kind])]
                at[kind] += 1
                if kind == "wordnet" and len(text.split()) < 5 and rng.random() < 0.7:
                    text += ", " + pools[kind][at[kind] % len(pools[kind])]
                    at[kind] += 1
            for piece in split_long(text, 24, rng):
                out.write(piece + "\n")
                written += 1


if __name__ == "__main__":
    main()
