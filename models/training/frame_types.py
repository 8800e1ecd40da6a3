"""What the frame-type network tells apart, in the order of its outputs, and the size that it sees."""

TYPES = ["slide", "title_card", "code", "terminal", "chart", "table", "talking_head", "scene", "other"]
WIDTH, HEIGHT = 256, 144
