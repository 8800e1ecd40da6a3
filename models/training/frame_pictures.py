"""Frames of photographs: scenes, people who face the camera; and what video does to any frame before it is seen."""

import glob
import io
import os

from PIL import Image, ImageDraw, ImageEnhance, ImageFilter, ImageOps

from frame_draw import SIZES, hsv, sentence


class Photos:
    """Photographs: `scenes` (anything but a person who fills the frame), `portraits` (head and shoulders), `things` (cut out)."""

    def __init__(self, folder):
        load = lambda name: [self._read(f) for f in sorted(glob.glob(f"{folder}/{name}/*"))]
        self.scenes, self.portraits = load("scenes"), load("portraits")
        self.things = [Image.open(f).convert("RGBA") for f in sorted(glob.glob(f"{folder}/things/*"))]
        if not self.scenes or not self.portraits or not self.things:
            raise SystemExit(f"no photographs in {folder}/scenes, {folder}/portraits and {folder}/things")

    @staticmethod
    def _read(file):
        image = Image.open(file)
        image.draft("RGB", (900, 900))
        image = image.convert("RGB")
        image.thumbnail((900, 900))
        image.info["name"] = os.path.basename(file)
        return image

    def crop(self, rng, size, least=0.35):
        """A part of any scene, `size` pixels large, mirrored half of the time."""
        image = rng.choice(self.scenes)
        scale = min(image.width / size[0], image.height / size[1]) * rng.uniform(least, 1)
        wide, tall = size[0] * scale, size[1] * scale
        x, y = rng.uniform(0, image.width - wide), rng.uniform(0, image.height - tall)
        image = image.resize(size, Image.BILINEAR, (x, y, x + wide, y + tall), 3)
        return ImageOps.mirror(image) if rng.random() < 0.5 else image


def _graded(rng, image):
    """Other light, other colours: the same photograph does not come twice."""
    for enhance, spread in ((ImageEnhance.Brightness, 0.35), (ImageEnhance.Contrast, 0.3), (ImageEnhance.Color, 0.6)):
        image = enhance(image).enhance(rng.uniform(1 - spread, 1 + spread))
    if rng.random() < 0.07:
        image = image.convert("L").convert("RGB")
    if rng.random() < 0.3:
        tint = Image.new("RGB", image.size, hsv(rng))
        image = Image.blend(image, tint, rng.uniform(0, 0.15))
    return image


def _things(rng, photos, size):
    """One to four things before a wall or a room: what stands in the middle of a frame need not be a person."""
    w, h = size
    if rng.random() < 0.6:
        image = photos.crop(rng, size).filter(ImageFilter.GaussianBlur(rng.uniform(0, 12)))
    else:
        image = Image.new("RGB", size, hsv(rng, saturation=(0, 0.6), value=(0.1, 1)))
        ramp = Image.linear_gradient("L").resize(size)
        image.paste(Image.new("RGB", size, hsv(rng, saturation=(0, 0.6), value=(0.1, 1))), (0, 0), ramp)
    for _ in range(rng.choice([1, 1, 2, 4])):
        thing = rng.choice(photos.things)
        scale = h * rng.uniform(0.3, 1.1) / max(thing.size)
        thing = thing.resize((max(1, int(thing.width * scale)), max(1, int(thing.height * scale))), Image.BICUBIC)
        if rng.random() < 0.5:
            thing = ImageOps.mirror(thing)
        image.paste(thing, (int(rng.uniform(-0.1, 0.9) * w), int(rng.uniform(-0.1, 0.7) * h)), thing)
    return image


def scene(rng, faces, photos):
    size = rng.choice(SIZES)
    kind = rng.random()
    if kind < 0.4:
        image = _graded(rng, photos.crop(rng, size, 0.12))
    elif kind < 0.65:  # put together as portraits are, so that this does not tell them apart
        wide = rng.randint(150, 500)
        image = _placed(rng, photos, photos.crop(rng, (wide, int(wide * rng.uniform(0.8, 1.3))), 0.15), size)
    else:
        image = _graded(rng, _things(rng, photos, size))
    if rng.random() < 0.35:
        image = image.filter(ImageFilter.GaussianBlur(rng.uniform(0.5, 6)))
    if rng.random() < 0.15:
        image = image.rotate(rng.uniform(-12, 12), Image.BILINEAR, expand=False, fillcolor=(0, 0, 0))
    return image


def _person(rng, photos, size):
    return _placed(rng, photos, rng.choice(photos.portraits), size)


def _placed(rng, photos, image, size):
    """A picture filling a frame of another shape: cut to it, or as tall as the frame with its surroundings carried on."""
    if rng.random() < 0.5:
        image = ImageOps.mirror(image)
    image = _graded(rng, image)
    w, h = size
    if rng.random() < 0.4 and w <= 1.9 * h:  # cut: the face stands in the upper part of a portrait
        wide = image.width * rng.uniform(0.85, 1)
        tall = wide * h / w
        if tall <= image.height:
            x, y = rng.uniform(0, image.width - wide), rng.uniform(0, 0.35) * (image.height - tall)
            return image.resize(size, Image.BICUBIC, (x, y, x + wide, y + tall))
    side = h * rng.uniform(0.6, 1)
    person = image.resize((int(side * image.width / image.height), int(side)), Image.BICUBIC)
    kind = rng.random()
    if kind < 0.35:  # a room behind
        back = photos.crop(rng, size).filter(ImageFilter.GaussianBlur(rng.uniform(2, 25)))
    elif kind < 0.6:  # a wall in the colour of the portrait's corner
        back = Image.new("RGB", size, person.getpixel((2, 2)))
    else:  # the portrait's own surroundings, stretched
        back = person.resize(size).filter(ImageFilter.GaussianBlur(rng.uniform(15, 60)))
    mask = Image.new("L", person.size, 0)
    draw, (pw, ph) = ImageDraw.Draw(mask), person.size
    if kind < 0.35:  # cut out roughly: head and shoulders
        draw.ellipse((pw * 0.22, ph * 0.02, pw * 0.78, ph * 0.75), fill=255)
        draw.ellipse((pw * 0.02, ph * 0.6, pw * 0.98, ph * 1.7), fill=255)
        mask = mask.filter(ImageFilter.GaussianBlur(ph * 0.02))
    else:
        edge = int(pw * 0.12)
        draw.rectangle((edge, edge if side < h * 0.98 else 0, pw - edge, ph), fill=255)
        mask = mask.filter(ImageFilter.GaussianBlur(edge * 0.5))
    x = int((w - pw) * rng.choice([0.5, 0.5, rng.uniform(0.05, 0.95)]))
    back.paste(person, (x, int(h - ph)), mask)
    return back


def talking_head(rng, faces, photos):
    size = rng.choice(SIZES)
    if rng.random() < 0.2:  # a call: two to nine people in a grid
        w, h = size
        columns, rows = rng.choice([(2, 1), (2, 1), (2, 2), (3, 2), (3, 3), (1, 2)])
        gap = rng.choice([0, 4, 16])
        image = Image.new("RGB", size, hsv(rng, saturation=(0, 0.3), value=(0, 0.3)))
        cell = ((w - gap * (columns + 1)) // columns, (h - gap * (rows + 1)) // rows)
        for c in range(columns):
            for r in range(rows):
                image.paste(_person(rng, photos, cell), (gap + c * (cell[0] + gap), gap + r * (cell[1] + gap)))
        return image
    image = _person(rng, photos, size)
    if rng.random() < 0.15:
        image = image.filter(ImageFilter.GaussianBlur(rng.uniform(0.5, 3)))
    return image


def _caption(rng, faces, image):
    """Burnt-in captions, lower thirds and channel marks do not change what a frame is."""
    draw, (w, h) = ImageDraw.Draw(image), image.size
    font = faces.open(rng.choice(faces.text), h * rng.uniform(0.03, 0.06))
    if rng.random() < 0.6:
        text = sentence(rng, 3, 8)
        y, half = h * rng.uniform(0.82, 0.92), font.getlength(text) / 2
        if rng.random() < 0.5:
            draw.rectangle((w / 2 - half - 8, y - 4, w / 2 + half + 8, y + font.size * 1.3), fill=(0, 0, 0))
        draw.text((w / 2, y), text, font=font, fill=(255, 255, 255), anchor="ma", stroke_width=2, stroke_fill=(0, 0, 0))
    else:
        y, fill = h * rng.uniform(0.72, 0.85), hsv(rng)
        draw.rectangle((w * 0.05, y, w * rng.uniform(0.3, 0.6), y + font.size * 2.8), fill=fill)
        draw.text((w * 0.07, y + 6), sentence(rng, 1, 3), font=font, fill=(255, 255, 255) if sum(fill) < 380 else (0, 0, 0))
    return image


def _inset(rng, photos, image):
    """The speaker's camera in a corner of what is shown."""
    w, h = image.size
    side = h * rng.uniform(0.16, 0.28)
    box = (int(side * rng.choice([1, 1.33, 1.78])), int(side))
    person = _person(rng, photos, box) if rng.random() < 0.8 else photos.crop(rng, box)
    gap = rng.choice([0, int(h * 0.03)])
    at = (rng.choice([gap, w - box[0] - gap]), rng.choice([gap, h - box[1] - gap, h - box[1] - gap]))
    if rng.random() < 0.3:
        mask = Image.new("L", box, 0)
        ImageDraw.Draw(mask).ellipse((0, 0, *box), fill=255)
        image.paste(person, at, mask)
    else:
        image.paste(person, at)
    return image


def filmed(rng, faces, photos, image, drawn):
    """What recording and encoding do: insets, captions, bars, a filmed screen, scaling, compression, noise."""
    if drawn and rng.random() < 0.22:
        image = _inset(rng, photos, image)
    if not drawn and rng.random() < 0.2:
        image = _caption(rng, faces, image)
    if drawn and rng.random() < 0.1:  # a screen in a room, filmed
        w, h = image.size
        room = _graded(rng, photos.crop(rng, image.size)).filter(ImageFilter.GaussianBlur(rng.uniform(1, 20)))
        share = rng.uniform(0.65, 0.9)
        small = image.resize((int(w * share), int(h * share)), Image.BILINEAR)
        angle = rng.uniform(-5, 5)
        mask = Image.new("L", small.size, 255).rotate(angle, expand=True)
        room.paste(small.rotate(angle, Image.BILINEAR, expand=True), (int(w * rng.uniform(0, 1.02 - share)), int(h * rng.uniform(0, 1.02 - share))), mask)
        image = room
    if rng.random() < 0.1:  # bars
        w, h = image.size
        wide, tall = rng.choice([(int(h * 16 / 9) + 1, h), (w, int(w * 9 / 16)), (w, int(h * 1.2)), (int(w * 1.25), h)])
        wide, tall = max(wide, w), max(tall, h)
        framed = Image.new("RGB", (wide, tall), (0, 0, 0))
        framed.paste(image, ((wide - w) // 2, (tall - h) // 2))
        image = framed
    if rng.random() < 0.12:
        w, h = image.size
        keep = rng.uniform(0.92, 1)
        x, y = rng.uniform(0, w * (1 - keep)), rng.uniform(0, h * (1 - keep))
        image = image.crop((int(x), int(y), int(x + w * keep), int(y + h * keep)))
    if rng.random() < 0.5:
        tall = rng.choice([180, 240, 288, 360])
        image = image.resize((max(64, image.width * tall // image.height), tall), rng.choice([Image.BILINEAR, Image.BICUBIC, Image.LANCZOS]))
    if rng.random() < 0.15:
        noise = Image.effect_noise(image.size, rng.uniform(5, 30)).convert("RGB")
        image = Image.blend(image, noise, rng.uniform(0.03, 0.12))
    if rng.random() < 0.15:
        image = ImageEnhance.Brightness(image).enhance(rng.uniform(0.6, 1.1))
    if rng.random() < 0.8:
        packed = io.BytesIO()
        image.save(packed, "JPEG", quality=rng.choice([25, 40, 60, 75, 85, 92]))
        image = Image.open(packed).convert("RGB")
    return image
