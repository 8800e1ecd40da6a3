"""Canvas, typefaces, colours and words that the drawn frames of `frame_pages.py` share."""

import glob
import os
import random
import re

from PIL import Image, ImageDraw, ImageFont

WORDS = """data model system time result value market growth energy water plant cell light speed distance method sample
test group team plan goal cost price revenue customer product service network memory process thread error signal noise
measure table figure history region city country climate carbon rate index policy budget quarter review summary overview
introduction conclusion question answer example definition theorem proof step change effect cause risk benefit design
build release version update user account security access key request response queue worker storage database schema
field record evidence source frame video audio speech language word sentence student teacher course chapter lesson
health patient study trial treatment dose factory machine material force mass field wave particle star planet orbit the
of and to in for with on by from is are we can how why what more less than over under between during first next last
new old large small high low fast slow simple complex open closed early late""".split()
NAMES = """Anna Berg Ben Ortiz Carla Stone David Lang Emma Reed Farid Noor Grace Kim Hugo Silva Ines Moreau Jack Hill
Karin Vogel Liam Walsh Mia Rossi Noah Clark Olga Petrova Paul Meyer""".split()


def sentence(rng, low, high):
    text = " ".join(rng.choice(WORDS) for _ in range(rng.randint(low, high)))
    return text[:1].upper() + text[1:]


def number(rng):
    kind = rng.random()
    if kind < 0.4:
        return str(rng.randint(0, 9999))
    if kind < 0.7:
        return f"{rng.uniform(0, 999):.{rng.randint(1, 3)}f}"
    if kind < 0.85:
        return f"{rng.randint(0, 99)}%"
    return f"${rng.randint(1, 999):,}.{rng.randint(0, 99):02d}"


class Faces:
    """Typefaces by family kind. `held` keeps those for evaluation only, otherwise they are left out."""

    HELD = re.compile(r"inter|caladea|comic|terminus|anonymous|mononoki|cantarell", re.I)
    MONO = re.compile(r"mono|code|hack|inconsolata|courier|terminus|anonymous|cursor", re.I)
    UNFIT = re.compile(r"italic|oblique|math|symbol|emoji|variable|smallcaps|nl-|icons?|wght|\[", re.I)

    def __init__(self, folders, held):
        files = sorted({f for d in folders for e in ("ttf", "otf") for f in glob.glob(f"{d}/**/*.{e}", recursive=True)})
        files = [f for f in files if not self.UNFIT.search(os.path.basename(f))]
        files = [f for f in files if bool(self.HELD.search(os.path.basename(f))) == held]
        self.mono = [f for f in files if self.MONO.search(os.path.basename(f))]
        self.text = [f for f in files if f not in self.mono]
        self.cache = {}
        if not self.mono or not self.text:
            raise SystemExit(f"no typefaces in {folders}")

    def open(self, file, size):
        size = max(6, int(size))
        if (file, size) not in self.cache:
            if len(self.cache) > 400:
                self.cache.clear()
            self.cache[(file, size)] = ImageFont.truetype(file, size)
        return self.cache[(file, size)]


def hsv(rng, hue=None, saturation=(0, 1), value=(0, 1)):
    import colorsys

    h = rng.random() if hue is None else hue
    return tuple(int(255 * c) for c in colorsys.hsv_to_rgb(h, rng.uniform(*saturation), rng.uniform(*value)))


def light(rng):
    kind = rng.random()
    if kind < 0.5:
        return (255, 255, 255)
    return hsv(rng, saturation=(0, 0.15), value=(0.86, 1))


def dark(rng):
    if rng.random() < 0.3:
        v = rng.randint(0, 45)
        return (v, v, v)
    return hsv(rng, saturation=(0.1, 0.9), value=(0.04, 0.3))


def luma(colour):
    return 0.299 * colour[0] + 0.587 * colour[1] + 0.114 * colour[2]


def ink(rng, ground):
    """A text colour that can be read on a ground."""
    if luma(ground) > 128:
        return hsv(rng, saturation=(0, 1), value=(0, 0.35)) if rng.random() < 0.5 else (rng.randint(0, 70),) * 3
    return hsv(rng, saturation=(0, 0.2), value=(0.85, 1))


def accent(rng, ground):
    return hsv(rng, saturation=(0.5, 1), value=(0.3, 0.75) if luma(ground) > 128 else (0.7, 1))


SIZES = [(704, 396)] * 8 + [(528, 396), (560, 420), (640, 400), (720, 360), (396, 704), (440, 440), (880, 366)]


class Canvas:
    """A picture with a pen. Lengths are in pixels, `unit` is a hundredth of its height or width, whichever is less."""

    def __init__(self, rng, faces, ground, size=None):
        self.rng, self.faces = rng, faces
        self.width, self.height = size or rng.choice(SIZES)
        self.image = Image.new("RGB", (self.width, self.height), ground)
        self.pen = ImageDraw.Draw(self.image)
        self.ground = ground
        self.unit = min(self.width * 0.6, self.height) / 100

    def gradient(self, to):
        ramp = Image.linear_gradient("L")
        if self.rng.random() < 0.5:
            ramp = ramp.rotate(90)
        ramp = ramp.resize((self.width, self.height))
        self.image.paste(Image.new("RGB", (self.width, self.height), to), (0, 0), ramp)

    def text(self, x, y, text, font, fill, anchor="la"):
        self.pen.text((x, y), text, font=font, fill=fill, anchor=anchor)

    def wrapped(self, x, y, text, font, fill, width, leading, anchor="la"):
        """Writes words in lines of at most `width`; gives the y below them."""
        line = ""
        for word in text.split():
            if line and font.getlength(f"{line} {word}") > width:
                self.text(x, y, line, font, fill, anchor)
                y += leading
                line = word
            else:
                line = f"{line} {word}".strip()
        self.text(x, y, line, font, fill, anchor)
        return y + leading


def sources(folders, limit=3000):
    """Lines of real program text, by file."""
    files = []
    for folder in folders:
        for end in ("py", "ts", "js", "mjs", "h", "c", "sh", "sql", "java", "go", "rs", "css"):
            files += sorted(glob.glob(f"{folder}/**/*.{end}", recursive=True))[:limit]
    random.Random(5).shuffle(files)
    kept = []
    for file in files:
        try:
            with open(file, encoding="utf-8") as stream:
                lines = stream.read(200_000).replace("\t", "    ").splitlines()
        except (OSError, UnicodeDecodeError):
            continue
        if len(lines) > 30 and max(map(len, lines)) < 220:
            kept.append(lines)
        if len(kept) >= limit:
            break
    return kept
