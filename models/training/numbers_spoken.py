"""Numbers, dates and amounts of money spelled as they are spoken.

Guarantee: every function returns lower case words only.
"""

from lexicon import DAYS, MONTHS

_ONES = ("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
         "sixteen seventeen eighteen nineteen").split()
_TENS = "zero ten twenty thirty forty fifty sixty seventy eighty ninety".split()
_IRREGULAR = {"one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth",
              "nine": "ninth", "twelve": "twelfth"}


def cardinal(n, with_and=False):
    """Words for 0 <= n < 10**12."""
    if n < 20:
        return _ONES[n]
    if n < 100:
        return _TENS[n // 10] + (" " + _ONES[n % 10] if n % 10 else "")
    if n < 1000:
        rest = n % 100
        joint = " and " if with_and else " "
        return _ONES[n // 100] + " hundred" + (joint + cardinal(rest) if rest else "")
    for size, name in ((10**9, "billion"), (10**6, "million"), (1000, "thousand")):
        if n >= size:
            rest = n % size
            return cardinal(n // size, with_and) + " " + name + (" " + cardinal(rest, with_and) if rest else "")
    raise ValueError(n)


def ordinal(n):
    """Words for the n-th."""
    head, _, last = cardinal(n).rpartition(" ")
    if last in _IRREGULAR:
        last = _IRREGULAR[last]
    elif last.endswith("y"):
        last = last[:-1] + "ieth"
    else:
        last += "th"
    return (head + " " + last).strip()


def year(n):
    """A year as it is usually read: nineteen eighty four, two thousand six."""
    high, low = divmod(n, 100)
    if n % 1000 < 10:
        return cardinal(n)
    if low == 0:
        return cardinal(high) + " hundred"
    return cardinal(high) + (" oh " if low < 10 else " ") + cardinal(low)


def any_number(rng):
    """A number of a size people say, seldom a very long one."""
    kind = rng.random()
    if kind < 0.3:
        return cardinal(rng.randint(2, 20))
    if kind < 0.6:
        return cardinal(rng.randint(20, 99))
    if kind < 0.75:
        return cardinal(rng.randint(1, 99) * 10 ** rng.randint(1, 3))
    if kind < 0.9:
        return cardinal(rng.randint(100, 999), rng.random() < 0.5)
    if kind < 0.95:
        return cardinal(rng.randint(1, 99)) + " point " + " ".join(_ONES[rng.randint(0, 9)] for _ in range(rng.randint(1, 3)))
    return cardinal(rng.randint(1000, 999999))


def money(rng):
    """An amount with its currency."""
    currency = rng.choice(["dollars"] * 6 + ["euros", "euros", "pounds", "dollars a month", "dollars per seat", "cents"])
    kind = rng.random()
    if kind < 0.15:
        dollars = rng.randint(1, 99)
        cents = rng.choice([25, 50, 75, 95, 99, rng.randint(2, 99)])
        return f"{cardinal(dollars)} dollars and {cardinal(cents)} cents"
    if kind < 0.3:
        return f"{cardinal(rng.randint(2, 900))} {rng.choice(['million', 'thousand', 'billion'])} {currency.split()[0]}"
    return any_number(rng) + " " + currency


def date(rng):
    """A day of the calendar in one of the usual orders."""
    month, day = rng.choice(MONTHS), ordinal(rng.randint(1, 31))
    kind = rng.random()
    if kind < 0.35:
        return f"{month} {day}"
    if kind < 0.55:
        return f"{rng.choice(DAYS)}, {month} {day}"
    if kind < 0.7:
        return f"the {day} of {month}"
    if kind < 0.85:
        return f"{month} {day}, {year(rng.randint(1700, 2035))}"
    return f"{month} {year(rng.randint(1900, 2035))}"


def clock(rng):
    """A time of day."""
    hour = rng.randint(1, 12)
    minute = rng.choice([0, 0, 15, 30, 45, rng.randint(1, 59)])
    tail = rng.choice(["", "", " in the morning", " in the afternoon", " o'clock"] if minute == 0 else ["", " a m", " p m"])
    if minute == 0:
        return cardinal(hour) + tail
    return cardinal(hour) + " " + ("oh " if minute < 10 else "") + cardinal(minute) + tail


def digits(rng):
    """A run of digits as in an order number."""
    return " ".join(_ONES[rng.randint(0, 9)] for _ in range(rng.randint(3, 8)))
