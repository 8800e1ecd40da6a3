"""Log-mel features of the unpacked human speech, in synthesise.py's layout.

Guarantee: PREFIX.mel / PREFIX.tsv as written by synthesise.py; the first
column is `origin:speaker`; transcripts are a-z and ' only and may be empty.
Usage: extract.py HUMAN_DIR PREFIX
"""

import os
import re
import sys

import numpy as np

from features import log_mel


def main():
    source, prefix = sys.argv[1], sys.argv[2]
    pcm = np.memmap(os.path.join(source, "human.pcm"), dtype="<i2", mode="r")
    frame = 0
    with open(os.path.join(source, "human.tsv"), encoding="utf-8") as rows, \
            open(f"{prefix}.mel", "wb") as mels, open(f"{prefix}.tsv", "w", encoding="utf-8") as index:
        for row in rows:
            _, speaker, origin, start, count, text = row.rstrip("\n").split("\t")
            wave = pcm[int(start): int(start) + int(count)].astype(np.float32) / 32768
            mel = log_mel(wave).T.astype(np.float16)
            mels.write(mel.tobytes())
            said = " ".join(re.sub(r"[^a-z']", " ", text.lower().replace("\u2019", "'")).split())
            index.write(f"{origin.split()[0]}:{speaker}\t{frame}\t{len(mel)}\t{said}\n")
            frame += len(mel)


if __name__ == "__main__":
    main()
