"""Writes where the words of LibriSpeech test-other are, by PocketSphinx.

Guarantee: OUT maps the name of every transcribed recording of the set to its
words as [word, start, end] in seconds, silence left out; a recording whose
transcript PocketSphinx cannot follow is named and left out. The aligner shares
nothing with the models that are scored against it. Words that its dictionary
lacks are pronounced by flite's letter-to-sound rules.
Usage: align.py MANIFEST.json SET OUT.json (Debian: pocketsphinx, pocketsphinx-en-us, flite, python3-soundfile)
"""

import json
import os
import re
import subprocess
import sys
import tempfile

import soundfile

DICTIONARY = "/usr/share/pocketsphinx/model/en-us/cmudict-en-us.dict"
WORD = re.compile(r"^([a-z'][a-z'()0-9]*)\s+(\d+)\s+(\d+)\s")
# Wide beams: the only path there is must survive to the end.
BEAMS = ["-beam", "1e-80", "-wbeam", "1e-60", "-pbeam", "1e-80"]


def pronounced(word):
    phones = subprocess.run(["flite", "-t", word, "-ps", "none"], capture_output=True, text=True, check=True).stdout
    return " ".join({"ax": "AH"}.get(p, p.upper()) for p in phones.split() if p != "pau")


def align(path, text, lines):
    """Words of one recording; empty when there is no path."""
    words = re.sub(r"[^a-z' ]", " ", text.lower()).split()
    known = {line.split()[0] for line in lines}
    with tempfile.TemporaryDirectory() as folder:
        wave, grammar, dictionary = (os.path.join(folder, name) for name in ("a.wav", "a.jsgf", "a.dict"))
        data, rate = soundfile.read(path)
        assert rate == 16000
        soundfile.write(wave, data, rate, "PCM_16")
        with open(grammar, "w", encoding="utf-8") as file:
            file.write("#JSGF V1.0;\ngrammar g;\npublic <s> = " + " ".join(words) + " ;\n")
        with open(dictionary, "w", encoding="utf-8") as file:
            file.writelines(lines)
            file.writelines(f"{word} {pronounced(word)}\n" for word in sorted(set(words) - known))
        told = subprocess.run(
            ["pocketsphinx_continuous", "-infile", wave, "-jsgf", grammar, "-dict", dictionary, "-backtrace", "yes",
             "-fsgusefiller", "yes", "-remove_silence", "no", "-vad_threshold", "0", *BEAMS],
            capture_output=True, text=True, check=True).stderr
    found = [match.groups() for match in map(WORD.match, told.splitlines()) if match]
    return [[word.split("(")[0], int(start) / 100, (int(end) + 1) / 100] for word, start, end in found]


def main():
    manifest, wanted, out = sys.argv[1:]
    root = os.path.dirname(os.path.abspath(manifest))
    with open(manifest, encoding="utf-8") as file:
        entries = [e for e in json.load(file)["files"] if f"/{wanted}/" in e["path"] and e.get("transcript")]
    with open(DICTIONARY, encoding="utf-8") as file:
        lines = file.readlines()
    found = {}
    for entry in entries:
        name = os.path.basename(entry["path"]).rsplit(".", 1)[0]
        words = align(os.path.join(root, entry["path"]), entry["transcript"], lines)
        if words:
            found[name] = words
        else:
            print("no alignment", name)
    with open(out, "w", encoding="utf-8") as file:
        file.write("{\n" + ",\n".join(f"{json.dumps(n)}: {json.dumps(w)}" for n, w in sorted(found.items())) + "\n}\n")


if __name__ == "__main__":
    main()
