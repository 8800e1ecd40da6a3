"""Decodes the packed human training speech into one 16 kHz int16 array.

Input: train.opuspack (concatenated Ogg Opus files) and train.tsv (columns id,
speaker, origin, offset, bytes, transcript). Output in OUT: human.pcm (raw
int16, utterances one after another) and human.tsv (id, speaker, origin, start
sample, samples, transcript). Needs opusdec (opus-tools).
Usage: unpack.py TRAIN_DIR OUT_DIR
"""

import csv
import os
import subprocess
import sys


def main():
    source, target = sys.argv[1], sys.argv[2]
    os.makedirs(target, exist_ok=True)
    with open(os.path.join(source, "train.tsv"), encoding="utf-8") as table:
        rows = list(csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE))
    start = 0
    with open(os.path.join(source, "train.opuspack"), "rb") as pack, \
            open(os.path.join(target, "human.pcm"), "wb") as pcm, \
            open(os.path.join(target, "human.tsv"), "w", encoding="utf-8") as index:
        for row in rows:
            pack.seek(int(row["offset"]))
            done = subprocess.run(
                ["opusdec", "--quiet", "--rate", "16000", "-", "-"],
                input=pack.read(int(row["bytes"])), capture_output=True, check=True)
            data = done.stdout
            if data[:4] == b"RIFF":
                data = data[data.index(b"data") + 8:]
            data = data[: len(data) // 2 * 2]
            pcm.write(data)
            count = len(data) // 2
            fields = [row["id"], row["speaker"], row["origin"], start, count, row["transcript"]]
            index.write("\t".join(map(str, fields)) + "\n")
            start += count
    print(len(rows), "utterances,", round(start / 16000 / 3600, 2), "h")


if __name__ == "__main__":
    main()
