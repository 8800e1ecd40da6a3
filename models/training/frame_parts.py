"""Parts that drawn frames are put together from: grounds, headings, templates' furniture, diagrams, plots."""

import math

from PIL import Image, ImageDraw

from frame_draw import WORDS, accent, dark, hsv, ink, light, sentence


def ground(rng, dark_share=0.35):
    return dark(rng) if rng.random() < dark_share else light(rng)


def furniture(canvas, colour):
    """Bars, footers, page numbers and logos that templates put on slides."""
    rng, pen, w, h, u = canvas.rng, canvas.pen, canvas.width, canvas.height, canvas.unit
    if rng.random() < 0.3:
        pen.rectangle((0, h - rng.uniform(2, 7) * u, w, h), fill=colour)
    if rng.random() < 0.15:
        pen.rectangle((0, 0, rng.uniform(1, 5) * u, h), fill=colour)
    if rng.random() < 0.4:
        font = canvas.faces.open(rng.choice(canvas.faces.text), rng.uniform(1.8, 2.8) * u)
        grey = tuple(int(0.5 * a + 0.5 * b) for a, b in zip(canvas.ground, ink(rng, canvas.ground)))
        canvas.text(w - 5 * u, h - 5 * u, str(rng.randint(1, 90)), font, grey)
        if rng.random() < 0.6:
            canvas.text(5 * u, h - 5 * u, sentence(rng, 2, 6), font, grey)
    if rng.random() < 0.15:
        x, y = w - rng.uniform(10, 16) * u, rng.uniform(2, 5) * u
        pen.ellipse((x, y, x + 7 * u, y + 7 * u), fill=colour)


def heading(canvas, face, colour, size):
    """A slide's heading, on a bar of its own in some templates; gives the y below it."""
    rng, u, w = canvas.rng, canvas.unit, canvas.width
    font = canvas.faces.open(face, size * u)
    top = rng.uniform(3, 9) * u
    if rng.random() < 0.2:
        canvas.pen.rectangle((0, 0, w, top + size * 1.6 * u), fill=colour)
        colour = ink(rng, colour)
    text = sentence(rng, 1, 6)
    if rng.random() < 0.25:
        canvas.text(w / 2, top, text, font, colour, "ma")
    else:
        canvas.text(rng.uniform(4, 9) * u, top, text, font, colour)
    below = top + size * 1.5 * u
    if rng.random() < 0.3:
        canvas.pen.line((5 * u, below, w * rng.uniform(0.3, 0.95), below), fill=accent(rng, canvas.ground), width=max(1, int(rng.uniform(0.2, 0.8) * u)))
    return below + rng.uniform(2, 8) * u


def diagram(canvas, box):
    rng, pen, u = canvas.rng, canvas.pen, canvas.unit
    spots = [(rng.uniform(box[0], box[2] - 8 * u), rng.uniform(box[1], max(box[1] + 1, box[3] - 6 * u))) for _ in range(rng.randint(3, 6))]
    line = ink(rng, canvas.ground)
    for (ax, ay), (bx, by) in zip(spots, spots[1:]):
        pen.line((ax + 5 * u, ay + 3 * u, bx + 5 * u, by + 3 * u), fill=line, width=max(1, int(0.3 * u)))
    font = canvas.faces.open(rng.choice(canvas.faces.text), 2.2 * u)
    for x, y in spots:
        fill = hsv(rng, saturation=(0.2, 0.8), value=(0.5, 1))
        shape = pen.rectangle if rng.random() < 0.6 else pen.ellipse
        shape((x, y, x + 11 * u, y + 6 * u), fill=fill, outline=line)
        canvas.text(x + 5.5 * u, y + 3 * u, rng.choice(WORDS), font, ink(rng, fill), "mm")


def illustration(canvas, box):
    """Things out of a few plain shapes, as templates and explainers draw them."""
    rng, pen = canvas.rng, canvas.pen
    wide, tall = box[2] - box[0], box[3] - box[1]
    for _ in range(rng.randint(2, 9)):
        w, h = wide * rng.uniform(0.1, 0.9), tall * rng.uniform(0.08, 0.8)
        x, y = box[0] + rng.uniform(0, wide - w), box[1] + rng.uniform(0, tall - h)
        fill = hsv(rng, saturation=(0.1, 0.9), value=(0.3, 1))
        kind = rng.random()
        if kind < 0.4:
            pen.rounded_rectangle((x, y, x + w, y + h), radius=min(w, h) * rng.uniform(0.05, 0.4), fill=fill)
        elif kind < 0.75:
            pen.ellipse((x, y, x + w, y + h), fill=fill)
        else:
            pen.polygon([(x, y + h), (x + w * rng.random(), y), (x + w, y + h)], fill=fill)


def plot(rng, faces, size, ground):
    """One chart of a random kind on a ground, `size` pixels large."""
    w, h = size
    image = Image.new("RGB", size, ground)
    big = Image.new("RGB", (w * 2, h * 2), ground)
    pen, line = ImageDraw.Draw(big), ink(rng, ground)
    w2, h2 = w * 2, h * 2
    kind = rng.choice(["bar", "bar", "line", "line", "pie", "scatter", "area", "barh", "stack", "heat", "box"])
    colours = [hsv(rng, saturation=(0.3, 1), value=(0.4, 1)) for _ in range(8)]
    if rng.random() < 0.3:
        colours = [colours[0]] * 8
    font = faces.open(rng.choice(faces.text), rng.uniform(0.03, 0.05) * min(w2, h2) + 4)
    left, top, right, bottom = w2 * rng.uniform(0.06, 0.14), h2 * 0.05, w2 * rng.uniform(0.8, 0.97), h2 * rng.uniform(0.82, 0.92)
    if kind == "pie":
        r = min(right - left, bottom - top) / 2
        cx, cy = (left + right) / 2, (top + bottom) / 2
        at, parts = rng.uniform(0, 360), rng.randint(2, 7)
        shares = [rng.uniform(0.3, 1) for _ in range(parts)]
        fills = [hsv(rng, saturation=(0.3, 1), value=(0.4, 1)) for _ in range(parts)]
        for n, share in enumerate(shares):
            to = at + 360 * share / sum(shares)
            pen.pieslice((cx - r, cy - r, cx + r, cy + r), at, to, fill=fills[n], outline=ground if rng.random() < 0.5 else None, width=3)
            middle = math.radians((at + to) / 2)
            pen.text((cx + 1.12 * r * math.cos(middle), cy + 1.08 * r * math.sin(middle)), rng.choice(WORDS), font=font, fill=line, anchor="mm")
            at = to
        if rng.random() < 0.3:
            pen.ellipse((cx - r / 2, cy - r / 2, cx + r / 2, cy + r / 2), fill=ground)
        return big.resize(size, Image.LANCZOS)
    grid = tuple(int(0.8 * g + 0.2 * c) for g, c in zip(ground, line))
    stroke = rng.choice([1, 2, 3])
    ticks, ruled = rng.randint(3, 9), rng.random()
    for n in range(ticks + 1):
        y = top + (bottom - top) * n / ticks
        if ruled < 0.7:
            pen.line((left, y, right, y), fill=grid, width=stroke)
        pen.text((left - 8, y), str((ticks - n) * rng.choice([1, 5, 10])), font=font, fill=line, anchor="rm")
    bare = rng.random() < 0.3
    if not bare and rng.random() < 0.8:
        pen.line((left, top, left, bottom), fill=line, width=stroke)
    if not bare and rng.random() < 0.85:
        pen.line((left, bottom, right, bottom), fill=line, width=stroke)
    if rng.random() < 0.3:
        pen.rectangle((left, top, right, bottom), outline=line, width=3)
    columns, named = rng.randint(3, 16), rng.random() < 0.8
    for n in range(columns):
        if named and n % max(1, columns // 7) == 0:
            label = str(2000 + n) if columns > 9 else rng.choice(WORDS)[:8]
            pen.text((left + (right - left) * (n + 0.5) / columns, bottom + 8), label, font=font, fill=line, anchor="ma")
    tall = bottom - top
    if kind in ("bar", "stack", "box"):
        series = rng.choice([1, 1, 2, 3]) if kind == "bar" else 1
        cell = (right - left) / columns
        for n in range(columns):
            for s in range(series):
                x = left + cell * (n + 0.12 + 0.76 * s / series)
                wide = cell * 0.76 / series
                if kind == "stack":
                    base = bottom
                    for k in range(3):
                        up = base - tall * rng.uniform(0.05, 0.3)
                        pen.rectangle((x, up, x + wide, base), fill=colours[k])
                        base = up
                elif kind == "box":
                    a, b = sorted((rng.uniform(0.1, 0.9), rng.uniform(0.1, 0.9)))
                    pen.line((x + wide / 2, top + tall * a * 0.7, x + wide / 2, top + tall * min(1, b * 1.2)), fill=line, width=3)
                    pen.rectangle((x, top + tall * a, x + wide, top + tall * b), fill=colours[0], outline=line, width=3)
                else:
                    pen.rectangle((x, bottom - tall * rng.uniform(0.05, 0.98), x + wide, bottom), fill=colours[s])
    elif kind == "barh":
        cell = tall / columns
        for n in range(columns):
            y = top + cell * (n + 0.15)
            pen.rectangle((left, y, left + (right - left) * rng.uniform(0.05, 0.98), y + cell * 0.7), fill=colours[0])
    elif kind == "heat":
        rows, hue = rng.randint(4, 12), rng.random()
        for i in range(rows):
            for j in range(columns):
                fill = hsv(rng, hue=(hue + rng.uniform(0, 0.12)) % 1, saturation=(0.2, 0.9), value=(0.3, 1))
                pen.rectangle((left + (right - left) * j / columns, top + tall * i / rows, left + (right - left) * (j + 1) / columns, top + tall * (i + 1) / rows), fill=fill)
    elif kind == "scatter":
        for s in range(rng.randint(1, 3)):
            cx, cy, slope = rng.uniform(0.3, 0.7), rng.uniform(0.3, 0.7), rng.uniform(-1, 1)
            r = rng.uniform(4, 12)
            for _ in range(rng.randint(20, 200)):
                dx, dy = rng.gauss(0, 0.15), rng.gauss(0, 0.08)
                x = left + (right - left) * min(1, max(0, cx + dx))
                y = top + tall * min(1, max(0, cy + dy + slope * dx))
                pen.ellipse((x - r, y - r, x + r, y + r), fill=colours[s])
    else:
        for s in range(rng.randint(1, 5)):
            points, value, steps = [], rng.uniform(0.1, 0.9), rng.choice([6, 12, 40, 120])
            pull = rng.uniform(-0.6, 0.6) / steps
            for n in range(steps + 1):
                points.append((left + (right - left) * n / steps, bottom - tall * value))
                value = min(0.98, max(0.02, value + pull + rng.gauss(0, 0.6 / steps**0.6)))
            if kind == "area":
                pen.polygon([(left, bottom), *points, (right, bottom)], fill=colours[s])
            pen.line(points, fill=colours[s] if kind == "line" else line, width=rng.choice([1, 2, 3, 5, 8]), joint="curve")
            if steps < 15 and rng.random() < 0.5:
                for x, y in points:
                    pen.ellipse((x - 8, y - 8, x + 8, y + 8), fill=colours[s])
    if rng.random() < 0.4:
        x, y = right - w2 * 0.2, top + 6
        for s in range(rng.randint(1, 4)):
            pen.rectangle((x, y, x + font.size, y + font.size), fill=colours[s])
            pen.text((x + font.size * 1.4, y), rng.choice(WORDS), font=font, fill=line)
            y += font.size * 1.5
    image.paste(big.resize(size, Image.LANCZOS))
    return image
