"""Generates plain English sentences from templates of our own.

Guarantee: `sentence(rng)` returns lower case words with , . ? only; the same
random state gives the same sentence.
"""

import re

import lexicon as lex
import numbers_spoken as num

_LISTS = {
    "name": lex.PEOPLE, "sur": lex.SURNAMES, "place": lex.PLACES, "prod": lex.PRODUCTS, "biz": lex.BUSINESS,
    "sci": lex.SCIENCE, "math": lex.MATHS, "comp": lex.COMPUTING, "thing": lex.EVERYDAY, "adj": lex.ADJECTIVES,
    "adv": lex.ADVERBS, "unit": lex.UNITS, "colour": lex.COLOURS, "day": lex.DAYS, "month": lex.MONTHS,
}
_CALLS = {"n": num.any_number, "money": num.money, "date": num.date, "time": num.clock, "digits": num.digits,
          "small": lambda rng: num.cardinal(rng.randint(2, 12)), "ord": lambda rng: num.ordinal(rng.randint(1, 31)),
          "year": lambda rng: num.year(rng.randint(1600, 2040)),
          "acr": lambda rng: " ".join(rng.choice(lex.ACRONYMS)),
          "v": lambda rng: rng.choice(lex.VERBS)[0], "vs": lambda rng: rng.choice(lex.VERBS)[1],
          "ved": lambda rng: rng.choice(lex.VERBS)[2], "ving": lambda rng: rng.choice(lex.VERBS)[3],
          "x": lambda rng: rng.choice(_LISTS[rng.choice(["biz", "sci", "math", "comp", "thing"])])}

_LECTURE = """
today we will talk about [x] and why it matters
in this lecture we look at the [adj] [sci] and the [adj] [sci]
welcome back everyone, this is lecture [small] of the course
welcome to this short lecture on [x]
hello everyone, my name is [name] [sur] and today i want to explain how the [sci] works
let us begin with a simple definition
a [x] is a [adj] [x] that [vs] the [x]
the [x] is defined as the [math] of the [x] and the [x]
by definition, a [math] is a [adj] [math] with [small] [math]s
as you can see on this slide, the [sci] [vs] the [sci]
the next slide shows the [adj] [x]
on the left you see the [x], and on the right you see the [x]
there are [small] main parts: the [x], the [x] and the [x]
there are [small] reasons for this
the first reason is that the [sci] [vs] the [adj] [sci]
the second step is to [v] the [x]
the third example is about the [adj] [x]
for example, the [x] can [v] the [x] in [n] [unit]
for example, if the [math] is [n], then the [math] is [n]
in other words, the [x] [vs] the [x]
this means that the [x] is [adv] [adj]
this is why the [x] is so [adj]
what happens if we [v] the [x]?
why does the [sci] [v] the [sci]?
how do we know that the [x] is [adj]?
the answer is that the [x] [ved] the [x]
in [year], [name] [sur] [ved] the first [x]
in [year] a scientist called [sur] discovered that the [sci] [vs] the [sci]
the speed of the [x] is about [n] [unit] per second
the temperature of the [sci] is [n] degrees
the [sci] has a mass of [n] [unit]
water boils at one hundred degrees celsius and freezes at zero
light travels at about three hundred thousand kilometers per second
energy equals mass times the speed of light squared
the area of a circle equals pi times the radius squared
force equals mass times acceleration
[n] plus [n] equals [n]
[n] minus [n] is [n]
[n] times [n] equals [n]
[n] divided by [small] is [adv] [n]
[small] squared is [n] and [small] cubed is [n]
x plus y equals z
the [math] of x is [small] times x plus [small]
plants use sunlight to turn carbon dioxide and water into sugar and oxygen
the [sci] takes place inside the [sci]
when the [sci] [vs] the [sci], energy is released
during the day the [sci] [vs] [sci], and during the night it [vs] [sci]
the process needs [small] steps and takes about [n] [unit]
the [comp] [vs] each [comp] only once
a [comp] lets you [v] the [comp] in constant time
the worst case takes [n] steps
binary search cuts the list in half at every step
sorting a list of [n] items takes about [n] comparisons
to sum up, the [x] is [adj] because it [vs] the [x]
in summary, we have seen the [x], the [x] and the [x]
let us recap the main points
remember the key idea: the [x] must be [adj]
that is all for today, thank you for listening
next time we will study the [adj] [sci]
please read chapter [small] of the book before next [day]
are there any questions?
the reference for this part is a book by [name] [sur]
this result was published in [year] by [sur] and [sur]
now let us look at a [adj] example
so far we have talked about the [x]
the graph shows that the [x] grows as the [x] falls
about [n] percent of the [sci] is made of [sci]
it takes light about eight minutes to reach the earth from the sun
the [ord] century changed the way people [ved] the [x]
the important thing to notice here is that the [x] is not a [x]
if you double the [math], the [math] becomes [small] times as [adj]
this idea is called the [adj] [x]
we call this the law of [x]
the opposite of a [adj] [x] is a [adj] [x]
"""
_DEMO = """
welcome to this short demo of [prod]
hi, i am [name], and in this video i will show you how [prod] works
in the next [small] minutes i will show you the [small] main features of [prod]
let me show you how to [v] a [adj] [comp]
first, we open the [comp] and click on the [colour] button
click the [adj] button in the top right corner
click on settings and choose [comp]s from the menu
now select the [comp] and press enter
type your name and your email address, then click continue
as you can see, the [comp] [vs] the [comp] [adv]
you can drag the [comp] to the [comp]
on this screen you can see all your [biz]s
the [comp] on the left shows the [biz]
here we have [n] [biz]s from last [month]
[prod] [vs] your [biz] in less than [small] seconds
[prod] costs [money]
the starter plan costs [money] and the team plan costs [money]
the price starts at [money] for up to [n] users
pricing starts at [money], and there is a free trial of [n] days
the enterprise plan includes [biz], [biz] and [biz]
it comes in [colour], [colour] and [colour]
the battery lasts [n] hours and charges in [n] minutes
it weighs only [n] grams
it works with [prod], [prod] and [prod]
you do not need to install anything
you can try it for free today
version [small] point [small] adds [small] new features
the new version is available from [date]
the biggest new feature is the [adj] [comp]
one of my favorite features is the [adj] [comp]
this saves our customers about [n] [unit] every week
with one click you can export the [biz] as a [comp]
the [acr] sends a [comp] to your [comp]
you can call the [acr] from any [comp]
upload a video and get a [comp] with evidence for every [comp]
every value has a time stamp that links back to the moment in the video
unlike [prod], [prod] [vs] the [biz] for you
our customers use it to [v] the [biz] and to [v] the [biz]
if something goes wrong, you will see a [colour] warning
you can undo any change with a single click
go to our web site to learn more
sign up today and get [n] percent off
thanks for watching, and see you next time
let's take a look at the [adj] [comp]
let's start with the [comp]
that's it, your [comp] is ready
it's that simple
don't forget to save your [comp]
you'll see a [adj] message when the [comp] is done
we've added a [adj] [comp] for [biz]s
you're now ready to [v] your first [comp]
"""
_MEETING = """
good morning everyone, let's get started
okay, so the first item on the agenda is the [biz]
can everybody hear me?
[name], can you give us an update on the [biz]?
sure, we [ved] the [biz] last [day]
i think we should [v] the [biz] before [day]
i will send the [biz] to [name] by [day]
[name] will [v] the [biz] by [date]
[name] and [name] agreed to [v] the [adj] [biz]
we decided to [v] the [biz] and to [v] the [biz]
the deadline for the [biz] is [date]
the meeting with [sur] is on [day] at [time]
let's meet again on [date] at [time]
the budget for this project is [money]
we spent [money] on [biz] last [month]
our revenue grew by [n] percent to [money]
sales in [place] went up [n] percent in the [adj] quarter
we have [n] open [biz]s and [n] closed [biz]s
the customer in [place] reported [small] problems with the [comp]
we lost [small] customers and won [n] new ones
the main risk is that the [biz] is [adj]
what is the status of the [biz]?
who owns the [biz]?
that is a good question
i don't think that's a problem
i don't know yet, but i'll find out
i agree with [name]
i'm not sure about that
could you [v] the [biz], please?
would it be possible to [v] the [biz] by [day]?
yes, i can do that
no, we can't do that before [month]
the action item for [name] is to [v] the [biz]
next steps: [name] will [v] the [biz], and [name] will [v] the [biz]
the order number is [digits]
please call me at [digits]
my address is [n] [sur] street in [place]
dear [name], thank you for your letter of [date]
the train to [place] leaves at [time] from platform [small]
the flight from [place] to [place] takes [small] hours
we moved from [place] to [place] in [year]
she bought [small] [thing]s and a [adj] [thing] for [money]
he said that the [thing] was in the [thing]
they went to the [thing] with a [thing] and a [thing]
there was a [adj] [thing] near the [thing]
i have never seen such a [adj] [thing]
the [thing] was [adj], but the [thing] was [adj]
she [adv] [ved] the [thing] and [ved] the [thing]
they are [ving] the [thing] while we are [ving] the [thing]
we have been [ving] the [x] since [month]
he has [adv] [ved] a [adj] [x]
it would have been better to [v] the [x] first
do you want to [v] the [thing] or the [thing]?
the [x] of the [x] is in the [x]
the [adj] [x] and the [adj] [x] were [adv] [adj]
some of the [x]s are [adj], while others are [adj]
most people [v] a [x] because they [v] the [x]
when you [v] the [x], you also [v] the [x]
if the [x] is [adj], we [v] the [x]
after [ving] the [x], [name] [ved] the [x]
before you [v] the [x], make sure that it is [adj]
instead of [ving] the [x], we could [v] the [x]
neither the [x] nor the [x] [ved] the [x]
[name] [sur] works for [prod] in [place]
mister [sur] and doctor [sur] arrived from [place] on [day]
"""
TEMPLATES = [line.strip() for block in (_LECTURE, _DEMO, _MEETING) for line in block.strip().splitlines()]
_SLOT = re.compile(r"\[(\w+)\]")


def _articles(text):
    return re.sub(r"\ba (?=[aeio]|un[^i]|up)", "an ", text)


def _plurals(text):
    """Slots followed by s: query -> queries, box -> boxes; the rest keep s."""
    text = re.sub(r"([^aeiou ])ys\b(?<!days)", r"\1ies", text)
    return re.sub(r"(ss|x|ch|sh)s\b", r"\1es", text)


def sentence(rng):
    """One sentence, now and then two joined ones."""
    def fill(match):
        key = match.group(1)
        return _CALLS[key](rng) if key in _CALLS else rng.choice(_LISTS[key])
    text = _SLOT.sub(fill, rng.choice(TEMPLATES))
    text = _plurals(_articles(text))
    roll = rng.random()
    if roll < 0.08:
        return text.rstrip("?.") + rng.choice([", and ", ", but ", ", so ", ", because ", " and then "]) + sentence(rng)
    if roll < 0.2:
        return rng.choice(["so ", "now, ", "well, ", "okay, ", "however, ", "therefore, ", "also, ", "of course, ", "in fact, ",
                           "for instance, ", "as a result, ", "at first, ", "finally, ", "then ", "and "]) + text
    return text
