"""Transcripts for the untranscribed training speech, as PocketSphinx hears it.

Every utterance of HUMAN_DIR without a transcript (one from each of 251 native
speakers) is decoded by Debian's pocketsphinx with its own English models;
about three words in four are right, which teaches the recogniser those voices.
Output: PREFIX.tsv in extract.py's layout, and PREFIX.mel, a link to its features.
Needs pocketsphinx and pocketsphinx-en-us.
Usage: heard.py HUMAN_DIR MEL_PREFIX PREFIX
"""

import os
import re
import subprocess
import sys
import tempfile
import wave

import numpy as np

MODELS = "/usr/share/pocketsphinx/model/en-us"


def main():
    source, mel, prefix = sys.argv[1:4]
    pcm = np.memmap(os.path.join(source, "human.pcm"), dtype="<i2", mode="r")
    with open(os.path.join(source, "human.tsv"), encoding="utf-8") as rows:
        spoken = [row.rstrip("\n").split("\t") for row in rows]
    with open(f"{mel}.tsv", encoding="utf-8") as rows:
        features = [row.rstrip("\n").split("\t") for row in rows]
    with tempfile.TemporaryDirectory() as folder:
        wanted = [i for i, row in enumerate(spoken) if row[5] == ""]
        for i in wanted:
            start, count = int(spoken[i][3]), int(spoken[i][4])
            with wave.open(os.path.join(folder, f"{i}.wav"), "wb") as file:
                file.setparams((1, 2, 16000, 0, "NONE", ""))
                file.writeframes(pcm[start: start + count].tobytes())
        control, heard = os.path.join(folder, "list"), os.path.join(folder, "heard")
        with open(control, "w", encoding="utf-8") as file:
            file.writelines(f"{i}\n" for i in wanted)
        subprocess.run(["pocketsphinx_batch", "-hmm", f"{MODELS}/en-us", "-lm", f"{MODELS}/en-us.lm.bin",
                        "-dict", f"{MODELS}/cmudict-en-us.dict", "-adcin", "yes", "-adchdr", "44", "-cepdir", folder,
                        "-cepext", ".wav", "-ctl", control, "-hyp", heard], check=True, stderr=subprocess.DEVNULL)
        with open(heard, encoding="utf-8") as rows, open(f"{prefix}.tsv", "w", encoding="utf-8") as index:
            for row in rows:
                text, number = re.fullmatch(r"(.*?) ?\((\S+) -?\d+\)", row.rstrip("\n")).groups()
                voice, start, count, _ = features[int(number)]
                said = " ".join(re.sub(r"[^a-z']", " ", re.sub(r"\(\d+\)", "", text.lower())).split())
                index.write(f"{voice}\t{start}\t{count}\t{said}\n")
    if not os.path.lexists(f"{prefix}.mel"):
        os.symlink(os.path.abspath(f"{mel}.mel"), f"{prefix}.mel")


if __name__ == "__main__":
    main()
