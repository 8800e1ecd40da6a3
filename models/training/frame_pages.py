"""Draws slides, title cards, program text and terminals."""

import re

from PIL import Image, ImageFilter

from frame_draw import NAMES, WORDS, Canvas, accent, dark, hsv, ink, light, luma, sentence
from frame_parts import diagram, furniture, ground, heading, illustration, plot


def slide(rng, faces, photos):
    canvas = Canvas(rng, faces, ground(rng))
    u, w, h = canvas.unit, canvas.width, canvas.height
    if rng.random() < 0.15:
        canvas.gradient(ground(rng, 1 if luma(canvas.ground) < 128 else 0))
    colour, text = accent(rng, canvas.ground), ink(rng, canvas.ground)
    furniture(canvas, colour)
    face = rng.choice(faces.text)
    body_face = face if rng.random() < 0.7 else rng.choice(faces.text)
    y = heading(canvas, face, colour if rng.random() < 0.5 else text, rng.uniform(5, 10))
    size = rng.uniform(2.8, 6)
    font = faces.open(body_face, size * u)
    left = rng.uniform(4, 12) * u
    aside = rng.random()
    width = w * (rng.uniform(0.4, 0.6) if aside < 0.4 else 0.9) - left
    if aside < 0.4:
        x, top = w * rng.uniform(0.6, 0.66), y + rng.uniform(0, 10) * u
        box = (int(w * 0.3), int(min(h - top - 8 * u, rng.uniform(25, 55) * u)))
        if box[1] > 40:
            if aside < 0.2:
                canvas.image.paste(photos.crop(rng, box), (int(x), int(top)))
            elif aside < 0.3:
                inset = plot(rng, faces, box, canvas.ground)
                canvas.image.paste(inset, (int(x), int(top)))
            elif rng.random() < 0.4:
                diagram(canvas, (x, top, x + box[0], top + box[1]))
            else:
                illustration(canvas, (x, top, x + box[0], top + box[1]))
    elif aside < 0.55:
        cards(canvas, y, font)
        return canvas.image
    elif aside < 0.6:
        callout(canvas, y, font)
        return canvas.image
    elif aside < 0.64:
        rated(canvas, y, font)
        return canvas.image
    elif aside < 0.7:
        illustration(canvas, (w * 0.1, h * rng.uniform(0.55, 0.7), w * 0.9, h * 0.95))
    mark = rng.choice(["• ", "– ", "▪ ", "", "", "1"])
    step = size * rng.uniform(1.3, 2.4) * u
    for n in range(rng.randint(1, 7) if rng.random() < 0.9 else rng.randint(8, 14)):
        indent = left + (4 * u if mark and n and rng.random() < 0.2 else 0)
        line = (f"{n + 1}. " if mark == "1" else mark) + sentence(rng, 2, 11)
        y = canvas.wrapped(indent, y, line, font, text, width, size * 1.25 * u) + step - size * 1.25 * u
        if y > h - 10 * u:
            break
    return canvas.image


def callout(canvas, y, font):
    """One statement in a box, and a remark below it."""
    rng, u, w = canvas.rng, canvas.unit, canvas.width
    left, right, tall = rng.uniform(4, 12) * u, w - rng.uniform(4, 25) * u, rng.uniform(12, 26) * u
    tint = light(rng) if rng.random() < 0.5 else tuple(int(0.85 * g + 0.15 * c) for g, c in zip(canvas.ground, accent(rng, canvas.ground)))
    canvas.pen.rectangle((left, y, right, y + tall), fill=tint)
    if rng.random() < 0.6:
        canvas.pen.rectangle((left, y, left + u, y + tall), fill=accent(rng, canvas.ground))
    canvas.wrapped(left + 4 * u, y + tall * 0.3, sentence(rng, 3, 8), font, ink(rng, tint), right - left - 6 * u, font.size * 1.3)
    for _ in range(rng.randint(0, 2)):
        y = canvas.wrapped(left, y + tall + 4 * u, sentence(rng, 3, 9), font, ink(rng, canvas.ground), w - left - 5 * u, font.size * 1.3) - tall


def rated(canvas, y, font):
    """A few lines, each with a bar of its length or a mark beside it."""
    rng, u, w, h = canvas.rng, canvas.unit, canvas.width, canvas.height
    count, left = rng.randint(2, 4), rng.uniform(4, 10) * u
    step = min((h - y) / count, rng.uniform(12, 20) * u)
    for _ in range(count):
        canvas.text(left, y, sentence(rng, 1, 3), font, ink(rng, canvas.ground))
        x = left + w * 0.35
        fill = hsv(rng, saturation=(0.3, 1), value=(0.4, 1))
        canvas.pen.rectangle((x, y, x + rng.uniform(0.03, 0.5) * w, y + rng.uniform(0.8, 1.4) * font.size), fill=fill)
        y += step


def cards(canvas, y, font):
    rng, u, w = canvas.rng, canvas.unit, canvas.width
    count, colour = rng.randint(2, 4), accent(rng, canvas.ground)
    wide = (w - 10 * u) / count
    for n in range(count):
        x = 5 * u + n * wide
        tint = tuple(int(0.85 * g + 0.15 * c) for g, c in zip(canvas.ground, colour))
        canvas.pen.rounded_rectangle((x, y, x + wide - 3 * u, y + rng.uniform(20, 45) * u), radius=2 * u, fill=tint, outline=colour if rng.random() < 0.5 else None)
        canvas.wrapped(x + 2 * u, y + 3 * u, sentence(rng, 2, 9), font, ink(rng, tint), wide - 7 * u, font.size * 1.3)


def title_card(rng, faces, photos):
    canvas = Canvas(rng, faces, ground(rng, 0.6) if rng.random() < 0.7 else hsv(rng, saturation=(0.3, 1), value=(0.2, 0.9)))
    u, w, h = canvas.unit, canvas.width, canvas.height
    text, kind = ink(rng, canvas.ground), rng.random()
    if kind < 0.25:
        canvas.gradient(hsv(rng, saturation=(0.2, 1), value=(0.1, 0.6) if luma(canvas.ground) < 128 else (0.7, 1)))
    elif kind < 0.4:
        back = photos.crop(rng, (w, h)).filter(ImageFilter.GaussianBlur(rng.uniform(2, 13)))
        canvas.image.paste(Image.blend(back, Image.new("RGB", (w, h), canvas.ground), rng.uniform(0.45, 0.8)))
    elif kind < 0.55:
        for _ in range(rng.randint(1, 5)):
            x, y, r = rng.uniform(0, w), rng.choice([rng.uniform(0, 0.15), rng.uniform(0.85, 1)]) * h, rng.uniform(5, 25) * u
            canvas.pen.ellipse((x - r, y - r, x + r, y + r), fill=hsv(rng, saturation=(0.1, 0.9), value=(0.3, 1)))
    elif kind < 0.65:
        canvas.pen.rectangle((0, h * rng.uniform(0.6, 0.85), w, h), fill=hsv(rng, saturation=(0.1, 0.9), value=(0.2, 1)))
    elif kind < 0.75:
        illustration(canvas, (w * rng.uniform(0.6, 0.75), h * rng.uniform(0.1, 0.4), w * 0.98, h * rng.uniform(0.6, 0.95)))
    size = rng.uniform(7, 17)
    font = faces.open(rng.choice(faces.text), size * u)
    words = " ".join(rng.choice(WORDS) for _ in range(rng.randint(1, 5)))
    words = words.upper() if rng.random() < 0.25 else words.title()
    while font.getlength(words) > w * 1.7 and size > 4:
        size *= 0.85
        font = faces.open(font.path, size * u)
    centred = rng.random() < 0.75
    x, y = (w / 2, h * rng.uniform(0.28, 0.5)) if centred else (w * rng.uniform(0.06, 0.12), h * rng.uniform(0.3, 0.6))
    anchor = "ma" if centred else "la"
    if rng.random() < 0.15:
        canvas.pen.rectangle((w * 0.1, y - 3 * u, w * 0.9, y + size * 2.4 * u), outline=text, width=max(1, int(0.5 * u)))
    y = canvas.wrapped(x, y, words, font, text, w * 0.85, size * 1.2 * u, anchor)
    small = faces.open(rng.choice(faces.text), size * rng.uniform(0.3, 0.55) * u)
    for line in [sentence(rng, 2, 6), f"{rng.choice(NAMES)} {rng.choice(NAMES)}", str(rng.randint(1990, 2030))][: rng.choice([0, 1, 1, 2, 3])]:
        y += rng.uniform(0.5, 3) * u
        canvas.text(x, y, line, small, accent(rng, canvas.ground) if rng.random() < 0.3 else text, anchor)
        y += small.size * 1.3
    return canvas.image


KEYWORDS = re.compile(
    r"\b(?:def|class|return|if|else|elif|for|while|import|from|const|let|var|function|export|type|interface|new|struct|int|"
    r"char|void|static|public|private|async|await|try|catch|except|raise|throw|in|not|and|or|None|null|true|false|self|this|"
    r"fn|pub|use|impl|func|package|select|where|insert|into|readonly|as|with|yield|enum|switch|case|break|continue)\b"
)
TOKENS = re.compile(r"(?P<comment>#.*|//.*|/\*.*?\*/|^\s*\*.*)|(?P<string>\"[^\"]*\"|'[^']*'|`[^`]*`)|(?P<number>\b\d[\w.]*)|(?P<word>\w+)|(?P<other>\s+|.)")


def write_code(canvas, x, y, lines, font, leading, bottom, theme, right):
    advance = font.getlength("m")
    most = max(1, int((right - x) / advance))
    for line in lines:
        if y > bottom:
            return
        at = 0
        for token in TOKENS.finditer(line[:most]):
            text, kind = token.group(), token.lastgroup
            if kind == "word":
                kind = "keyword" if KEYWORDS.fullmatch(text) else "call" if line[token.end() : token.end() + 1] == "(" else "plain"
            if text.strip():
                canvas.text(x + at * advance, y, text, font, theme.get(kind, theme["plain"]))
            at += len(text)
        y += leading


def code(rng, faces, photos, programs):
    theme_dark = rng.random() < 0.6
    ground = dark(rng) if theme_dark else light(rng)
    canvas = Canvas(rng, faces, ground)
    u, w, h, pen = canvas.unit, canvas.width, canvas.height, canvas.pen
    plain = ink(rng, ground)
    theme = {k: accent(rng, ground) for k in ("string", "number", "keyword", "call")} | {"plain": plain, "other": plain}
    theme["comment"] = tuple(int(0.5 * a + 0.5 * b) for a, b in zip(ground, plain)) if rng.random() < 0.7 else accent(rng, ground)
    if rng.random() < 0.1:
        theme = dict.fromkeys(theme, plain)
    size = rng.choice([rng.uniform(1.7, 2.6), rng.uniform(2.2, 3.6), rng.uniform(3.6, 5.5)])
    font = faces.open(rng.choice(faces.mono), size * u)
    leading = font.size * rng.uniform(1.15, 1.6)
    lines = rng.choice(programs)
    start = rng.randrange(max(1, len(lines) - 40))
    lines = lines[start:]
    left = top = 0
    bottom, right = h, w
    shade = tuple(min(255, max(0, c + rng.choice([-14, 12]))) for c in ground)
    window = rng.random()
    if window < 0.6:  # an editor: side bar, tabs, status line, panel
        small = faces.open(rng.choice(faces.text), 2 * u)
        if rng.random() < 0.6:
            left = rng.uniform(12, 30) * u
            pen.rectangle((0, 0, left, h), fill=shade)
            for n in range(rng.randint(4, 22)):
                canvas.text(rng.choice([2, 4, 6]) * u, (8 + n * 3.6) * u, rng.choice(WORDS) + rng.choice([".py", ".ts", "", ".md", ".json"]), small, theme["plain"])
        if rng.random() < 0.7:
            top = rng.uniform(4, 7) * u
            pen.rectangle((left, 0, w, top), fill=shade)
            for n in range(rng.randint(1, 4)):
                canvas.text(left + (2 + n * 18) * u, 1.5 * u, rng.choice(WORDS) + rng.choice([".py", ".ts", ".c"]), small, theme["plain"])
        if rng.random() < 0.6:
            bottom = h - 4 * u
            pen.rectangle((0, bottom, w, h), fill=accent(rng, ground) if rng.random() < 0.5 else shade)
        if rng.random() < 0.2:
            bottom = h * rng.uniform(0.6, 0.8)
            pen.line((left, bottom, w, bottom), fill=theme["comment"])
            console = faces.open(font.path, font.size * 0.9)
            for n in range(3):
                canvas.text(left + 2 * u, bottom + (2 + 3 * n) * u, f"$ {rng.choice(WORDS)} {rng.choice(WORDS)}", console, theme["plain"])
        if rng.random() < 0.15:
            right = w * rng.uniform(0.82, 0.92)
            write_code(canvas, right + u, top + u, lines[:90], faces.open(font.path, 6), 5, bottom, theme, w)
    elif window < 0.75:  # program text on a slide
        top = heading(canvas, rng.choice(faces.text), plain, rng.uniform(4, 7))
        left, right, bottom = 6 * u, w - 6 * u, h - 8 * u
        if rng.random() < 0.6:
            box = dark(rng) if rng.random() < 0.4 else shade
            if (luma(box) > 128) == (luma(ground) > 128):
                pen.rectangle((left - 2 * u, top - u, right, bottom), fill=box)
    x = left + rng.uniform(1, 3) * u
    if rng.random() < 0.65:  # line numbers
        gutter = font.getlength("0000 ")
        for n in range(int((bottom - top) / leading)):
            canvas.text(x + gutter - font.getlength(" "), top + u + n * leading, str(start + n + 1), font, theme["comment"], "ra")
        x += gutter
    if rng.random() < 0.25:
        n = rng.randint(0, 20)
        pen.rectangle((x, top + u + n * leading, right, top + u + (n + 1) * leading), fill=shade)
    write_code(canvas, x, top + u, lines, font, leading, bottom - leading, theme, right)
    if right < w and window >= 0.75:
        pen.line((right, top, right, bottom), fill=shade)
    return canvas.image


def terminal_lines(rng, count):
    user, host = rng.choice(NAMES).lower(), rng.choice(WORDS)
    prompt = rng.choice([f"{user}@{host}:~$ ", f"[{user}@{host} {rng.choice(WORDS)}]$ ", "$ ", "# ", "➜  ~ ", "PS C:\\> ", ">>> ", f"{host}% "])
    command = lambda: prompt + rng.choice(["ls -la", "git log --oneline", "npm install", "make", "python3 run.py", "docker ps", "ping 10.0.0.1", f"cd {rng.choice(WORDS)}", "cat notes.txt", "top", "kubectl get pods", "cargo build", "ssh " + host, "grep -rn error ."]) + rng.choice(["", "", " --all", f" {rng.choice(WORDS)}"])
    word = lambda: rng.choice(WORDS)
    makers = [
        lambda: f"{rng.choice(['-rw-r--r--', 'drwxr-xr-x'])} {rng.randint(1, 9)} {user} {user} {rng.randint(100, 999999):>8} Nov {rng.randint(1, 30):>2} {rng.randint(0, 23):02}:{rng.randint(0, 59):02} {word()}.{word()[:3]}",
        lambda: f"{rng.getrandbits(28):07x} {sentence(rng, 3, 8)}",
        lambda: f"[{rng.randint(0, 99):>2}%] Building {rng.choice(['C', 'CXX'])} object {word()}/{word()}.o",
        lambda: f"2025-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}T{rng.randint(0, 23):02}:{rng.randint(0, 59):02}:00 {rng.choice(['INFO', 'WARN', 'ERROR', 'DEBUG'])} {word()}: {sentence(rng, 3, 9)}",
        lambda: f"64 bytes from 10.0.0.{rng.randint(1, 254)}: icmp_seq={rng.randint(1, 99)} ttl=64 time={rng.uniform(0, 90):.1f} ms",
        lambda: f"{rng.randint(1, 32000):>6} {user:<8} {rng.randint(0, 20):>3} 0 {rng.uniform(0, 99):>5.1f} {rng.uniform(0, 9):>4.1f} {word()}",
        lambda: f"  {rng.choice(['✓', 'ok', 'PASS', '-'])} {sentence(rng, 3, 8)} ({rng.randint(1, 900)} ms)",
        lambda: sentence(rng, 2, 14),
        lambda: f"{word()}/{word()}/{word()}.ts:{rng.randint(1, 400)}: {sentence(rng, 2, 7)}",
    ]
    lines, maker = [], rng.choice(makers)
    while len(lines) < count:
        lines.append((command(), True))
        maker = rng.choice(makers)
        lines += [(maker(), False) for _ in range(rng.choice([0, 1, 3, 8, 20]))]
    lines = lines[:count]
    lines.append((prompt, True))
    return prompt, lines


def terminal(rng, faces, photos):
    desktop = rng.random() < 0.3
    ground = dark(rng) if rng.random() < 0.85 else light(rng)
    if rng.random() < 0.4 and luma(ground) < 128:
        ground = rng.choice([(0, 0, 0), (12, 12, 12), (48, 10, 36), (0, 43, 54), (30, 30, 30)])
    canvas = Canvas(rng, faces, ground)
    u, w, h, pen = canvas.unit, canvas.width, canvas.height, canvas.pen
    left, top, right, bottom = 0, 0, w, h
    if desktop:
        canvas.image.paste(photos.crop(rng, (w, h)) if rng.random() < 0.6 else Image.new("RGB", (w, h), hsv(rng)))
        left, top, right, bottom = rng.uniform(3, 18) * u, rng.uniform(3, 14) * u, w - rng.uniform(3, 18) * u, h - rng.uniform(3, 14) * u
        pen.rectangle((left, top, right, bottom), fill=ground)
    if desktop or rng.random() < 0.4:
        bar = hsv(rng, saturation=(0, 0.2), value=(0.15, 0.95))
        pen.rectangle((left, top, right, top + 4 * u), fill=bar)
        canvas.text((left + right) / 2, top + u, rng.choice(["bash", "zsh", "Terminal", "cmd", "ssh"]), faces.open(rng.choice(faces.text), 2.2 * u), ink(rng, bar), "ma")
        if rng.random() < 0.6:
            for n in range(3):
                x = left + (2 + 3 * n) * u
                pen.ellipse((x, top + 1.2 * u, x + 1.7 * u, top + 2.9 * u), fill=[(255, 95, 86), (255, 189, 46), (39, 201, 63)][n])
        top += 4 * u
    font = faces.open(rng.choice(faces.mono), rng.choice([rng.uniform(1.7, 2.6), rng.uniform(2.4, 4.2)]) * u)
    leading = font.size * rng.uniform(1.1, 1.35)
    rows = int((bottom - top - u) / leading)
    plain = ink(rng, ground) if rng.random() < 0.8 else accent(rng, ground)
    mark = accent(rng, ground) if rng.random() < 0.6 else plain
    prompt, lines = terminal_lines(rng, rng.choice([rng.randint(1, 6), rows - 2, rows - 2, rng.randint(3, max(4, rows))]))
    most = int((right - left) / font.getlength("m")) - 1
    y = top + 0.7 * u
    for text, is_prompt in lines[: max(1, rows)]:
        x = left + 0.8 * u
        if is_prompt:
            canvas.text(x, y, prompt, font, mark)
            canvas.text(x + font.getlength(prompt), y, text[len(prompt) :][:most], font, plain)
        else:
            canvas.text(x, y, text[:most], font, accent(rng, ground) if rng.random() < 0.08 else plain)
        y += leading
    if rng.random() < 0.6:
        x = left + 0.8 * u + font.getlength(prompt)
        pen.rectangle((x, y - leading, x + font.getlength("m"), y - 0.1 * leading), fill=plain)
    return canvas.image
