"""Draws charts, tables, and what computers show besides: documents, applications, diagrams, test patterns."""

from frame_draw import WORDS, Canvas, accent, dark, hsv, ink, light, number, sentence
from frame_parts import diagram, furniture, ground, heading, plot


def chart(rng, faces, photos):
    canvas = Canvas(rng, faces, ground(rng, 0.25))
    u, w, h = canvas.unit, canvas.width, canvas.height
    top = 2 * u
    if rng.random() < 0.65:
        top = heading(canvas, rng.choice(faces.text), ink(rng, canvas.ground), rng.uniform(3, 7))
    if rng.random() < 0.3:
        furniture(canvas, accent(rng, canvas.ground))
    wide, tall = int(w * rng.uniform(0.66, 0.98)), int((h - top) * rng.uniform(0.8, 0.97))
    if rng.random() < 0.15 and w > h:
        for n in range(2):
            canvas.image.paste(plot(rng, faces, (w // 2 - 10, tall), canvas.ground), (n * w // 2 + 5, int(top)))
    else:
        left = int((w - wide) * rng.random())
        canvas.image.paste(plot(rng, faces, (wide, tall), canvas.ground), (left, int(top)))
    return canvas.image


def table(rng, faces, photos):
    canvas = Canvas(rng, faces, ground(rng, 0.2))
    u, w, h, pen = canvas.unit, canvas.width, canvas.height, canvas.pen
    text = ink(rng, canvas.ground)
    sheet = rng.random() < 0.4
    line = tuple(int(0.75 * g + 0.25 * c) for g, c in zip(canvas.ground, text))
    columns, rows = (rng.randint(6, 16), rng.randint(14, 34)) if sheet else (rng.randint(2, 8), rng.randint(3, 14))
    left, top, right, bottom = 0, 0, w, h
    if sheet:
        bar = hsv(rng, saturation=(0, 0.8), value=(0.3, 0.95))
        top = rng.uniform(4, 18) * u
        pen.rectangle((0, 0, w, top), fill=bar if rng.random() < 0.5 else light(rng))
        small = faces.open(rng.choice(faces.text), 2 * u)
        for n in range(rng.randint(4, 10)):
            canvas.text((2 + 9 * n) * u, u, rng.choice(WORDS).title(), small, (60, 60, 60))
    else:
        if rng.random() < 0.75:
            top = heading(canvas, rng.choice(faces.text), text, rng.uniform(4, 8))
        else:
            top = rng.uniform(4, 12) * u
        left, right = rng.uniform(3, 14) * u, w - rng.uniform(3, 14) * u
        bottom = min(h - 4 * u, top + rows * rng.uniform(5, 11) * u)
    step = (bottom - top) / rows
    font = faces.open(rng.choice(faces.text if rng.random() < 0.9 else faces.mono), min(step * rng.uniform(0.42, 0.62), 5 * u))
    edges = [left]
    for _ in range(columns):
        edges.append(edges[-1] + rng.uniform(0.6, 1.6))
    scale = (right - left) / (edges[-1] - left)
    edges = [left + (x - left) * scale for x in edges]
    head = accent(rng, canvas.ground) if rng.random() < 0.6 else canvas.ground
    stripe = tuple(int(0.92 * g + 0.08 * c) for g, c in zip(canvas.ground, text)) if rng.random() < 0.5 else canvas.ground
    verticals, horizontals = sheet or rng.random() < 0.5, sheet or rng.random() < 0.75
    numeric = [rng.random() < 0.65 for _ in range(columns)]
    numeric[0] = False
    filled = rng.uniform(0.3, 1) if sheet else 1
    for r in range(rows):
        y = top + r * step
        if r == 0 and not sheet:
            pen.rectangle((left, y, right, y + step), fill=head)
        elif r % 2:
            pen.rectangle((left, y, right, y + step), fill=stripe)
        colour = ink(rng, head) if r == 0 and not sheet else text
        for c in range(columns):
            a, b = edges[c], edges[c + 1]
            if sheet and (r > filled * rows or c > (0.4 + filled) * columns or rng.random() < 0.08):
                continue
            value = number(rng) if numeric[c] and r else (str(r) if sheet and c == 0 else sentence(rng, 1, 2))
            while font.getlength(value) > b - a - u and len(value) > 1:
                value = value[:-1]
            if numeric[c]:
                canvas.text(b - 0.6 * u, y + step / 2, value, font, colour, "rm")
            else:
                canvas.text(a + 0.6 * u, y + step / 2, value, font, colour, "lm")
        if horizontals:
            pen.line((left, y, right, y), fill=line)
    if horizontals:
        pen.line((left, bottom, right, bottom), fill=line)
    if verticals:
        for x in edges:
            pen.line((x, top, x, bottom), fill=line)
    return canvas.image


def _page(rng, faces, photos):
    """A document or an article: paragraphs, with or without a picture."""
    canvas = Canvas(rng, faces, light(rng) if rng.random() < 0.85 else dark(rng))
    u, w, h = canvas.unit, canvas.width, canvas.height
    text, columns = ink(rng, canvas.ground), rng.choice([1, 1, 1, 2, 3])
    size = rng.uniform(1.6, 3)
    font, y0 = faces.open(rng.choice(faces.text), size * u), 3 * u
    if rng.random() < 0.5:
        y0 = canvas.wrapped(6 * u, y0, sentence(rng, 3, 9), faces.open(rng.choice(faces.text), size * 2 * u), text, w - 12 * u, size * 2.5 * u) + u
    margin = rng.uniform(3, 24) * u
    wide = (w - 2 * margin) / columns
    for c in range(columns):
        y = y0
        while y < h:
            if rng.random() < 0.12:
                box = (int(wide * 0.9), int(rng.uniform(12, 30) * u))
                canvas.image.paste(photos.crop(rng, box), (int(margin + c * wide), int(y)))
                y += box[1] + 2 * u
            y = canvas.wrapped(margin + c * wide, y, sentence(rng, 25, 90), font, text, wide - 3 * u, size * 1.45 * u) + rng.uniform(0.5, 3) * u
    return canvas.image


def _application(rng, faces, photos):
    """Windows, forms, buttons, icons, tiles of pictures."""
    canvas = Canvas(rng, faces, ground(rng, 0.4))
    u, w, h, pen = canvas.unit, canvas.width, canvas.height, canvas.pen
    text, colour = ink(rng, canvas.ground), accent(rng, canvas.ground)
    font = faces.open(rng.choice(faces.text), rng.uniform(1.8, 3) * u)
    shade = tuple(min(255, max(0, c + rng.choice([-18, 15]))) for c in canvas.ground)
    if rng.random() < 0.8:
        pen.rectangle((0, 0, w, rng.uniform(5, 10) * u), fill=colour if rng.random() < 0.4 else shade)
        for n in range(rng.randint(2, 7)):
            canvas.text((4 + 14 * n) * u, 2 * u, rng.choice(WORDS).title(), font, text)
    left = 0
    if rng.random() < 0.6:
        left = rng.uniform(14, 30) * u
        pen.rectangle((0, 8 * u, left, h), fill=shade)
        for n in range(rng.randint(4, 14)):
            y = (12 + 5.5 * n) * u
            pen.rectangle((2 * u, y, 4 * u, y + 2 * u), fill=colour)
            canvas.text(5.5 * u, y, rng.choice(WORDS).title(), font, text)
    for _ in range(rng.randint(4, 18)):
        x, y, kind = rng.uniform(left, w * 0.85), rng.uniform(10 * u, h * 0.9), rng.random()
        wide, tall = rng.uniform(8, 34) * u, rng.uniform(4, 22) * u
        if kind < 0.3:
            pen.rounded_rectangle((x, y, x + wide, y + 5 * u), radius=u, outline=text, fill=canvas.ground)
            canvas.text(x + u, y + u, sentence(rng, 1, 3), font, text)
        elif kind < 0.5:
            pen.rounded_rectangle((x, y, x + wide * 0.6, y + 5 * u), radius=u, fill=colour)
            canvas.text(x + u, y + u, rng.choice(WORDS).title(), font, ink(rng, colour))
        elif kind < 0.7:
            canvas.image.paste(photos.crop(rng, (int(wide), int(tall))), (int(x), int(y)))
        else:
            pen.rounded_rectangle((x, y, x + wide, y + tall), radius=u, fill=shade, outline=text if rng.random() < 0.3 else None)
            canvas.wrapped(x + u, y + u, sentence(rng, 2, 10), font, text, wide - 2 * u, 3.2 * u)
    return canvas.image


def _marks(rng, faces, photos):
    """Logos, shapes, test patterns, diagrams: drawn, and none of the types."""
    canvas = Canvas(rng, faces, ground(rng, 0.5))
    u, w, h, pen = canvas.unit, canvas.width, canvas.height, canvas.pen
    kind = rng.random()
    if kind < 0.35:
        diagram(canvas, (3 * u, 3 * u, w - 12 * u, h - 8 * u))
        if rng.random() < 0.5:
            diagram(canvas, (3 * u, 3 * u, w - 12 * u, h - 8 * u))
    elif kind < 0.55:
        n = rng.randint(3, 9)
        for k in range(n):
            pen.rectangle((w * k / n, 0, w * (k + 1) / n, h), fill=hsv(rng))
    elif kind < 0.7:
        canvas.gradient(hsv(rng))
    else:
        for _ in range(rng.randint(1, 9)):
            x, y, r = rng.uniform(0, w), rng.uniform(0, h), rng.uniform(3, 35) * u
            fill = hsv(rng)
            rng.choice([pen.ellipse, pen.rectangle])((x - r, y - r, x + r, y + r), fill=fill)
    return canvas.image


def other(rng, faces, photos):
    return rng.choice([_page, _application, _marks])(rng, faces, photos)
