"""Draws training frames for the frame-type network.

    frame_type_data.py PHOTOS FONTS… --programs DIR… --count N --seed S --out FILE.npz [--held]

Gives `FILE.npz` with `frames` uint8 [N, 144, 256, 3] and `types` int64 [N]: every one of `--types` equally often. `--held` uses the
typefaces that training does not.
"""

import argparse
import random
import time

import numpy as np
from PIL import Image

import frame_figures
import frame_pages
import frame_pictures
from frame_draw import Faces, sources
from frame_types import HEIGHT, TYPES, WIDTH


def draw(rng, kind, faces, photos, programs):
    if kind == "code":
        return frame_pages.code(rng, faces, photos, programs)
    maker = next(getattr(m, kind) for m in (frame_pages, frame_figures, frame_pictures) if hasattr(m, kind))
    return maker(rng, faces, photos)


def made(seed, index, faces, photos, programs, types=TYPES):
    """Frame `index` of a seed as pixels and type: depends on nothing else."""
    rng = random.Random(f"{seed}/{index}")
    kind = types[index % len(types)]
    image = draw(rng, kind, faces, photos, programs)
    image = frame_pictures.filmed(rng, faces, photos, image, kind not in ("talking_head", "scene"))
    return image, TYPES.index(kind)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("photos")
    parser.add_argument("fonts", nargs="+")
    parser.add_argument("--programs", nargs="+", required=True)
    parser.add_argument("--count", type=int, default=9000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", required=True)
    parser.add_argument("--types", nargs="+", default=TYPES, choices=TYPES)
    parser.add_argument("--held", action="store_true")
    parser.add_argument("--show", help="also draws a sheet of the first 90 here")
    args = parser.parse_args()
    faces, photos = Faces(args.fonts, args.held), frame_pictures.Photos(args.photos)
    programs = sources(args.programs, 800)
    print(f"{len(faces.text)} + {len(faces.mono)} typefaces, {len(programs)} programs", flush=True)
    frames = np.zeros((args.count, HEIGHT, WIDTH, 3), np.uint8)
    types = np.zeros(args.count, np.int64)
    began = time.time()
    sheet = Image.new("RGB", (9 * WIDTH, 10 * HEIGHT))
    for index in range(args.count):
        image, types[index] = made(args.seed, index, faces, photos, programs, args.types)
        frames[index] = np.asarray(image.resize((WIDTH, HEIGHT), Image.LANCZOS))
        if args.show and index < 90:
            sheet.paste(Image.fromarray(frames[index]), (index % 9 * WIDTH, index // 9 * HEIGHT))
            if index == min(89, args.count - 1):
                sheet.save(args.show)
        if index % 500 == 499:
            print(index + 1, f"{time.time() - began:.0f} s", flush=True)
    np.savez(args.out, frames=frames, types=types)


if __name__ == "__main__":
    main()
