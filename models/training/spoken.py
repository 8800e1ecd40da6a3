"""Generates modern spoken English with case and punctuation, one turn at a time, from templates of our own.

Guarantee: the same random state gives the same turn; marks are , . ? only and
names, acronyms, days and months carry their capitals. `turn(rng, held_out)`
draws from two template sets that share no template: the second is for tests.
"""

import re

import lexicon as lex
import numbers_spoken as num
import sentences

_TITLE = {"name": lex.PEOPLE, "sur": lex.SURNAMES, "place": lex.PLACES, "prod": lex.PRODUCTS, "day": lex.DAYS, "month": lex.MONTHS}
_PLAIN = {"sci": lex.SCIENCE, "math": lex.MATHS, "comp": lex.COMPUTING, "biz": lex.BUSINESS, "thing": lex.EVERYDAY,
          "adj": lex.ADJECTIVES, "adv": lex.ADVERBS, "unit": lex.UNITS, "colour": lex.COLOURS}
_FIRMS = ("Air Airlines Airways Bank Bakery Bar Bistro Cafe Capital Clinic Club College Company Dental Diner Energy Garage Gallery Grill "
          "Group Health Hospital Hotel House Inn Kitchen Labs Lounge Market Media Motors Museum Park Pharmacy Pizza Records Resort "
          "Restaurant Robotics Salon School Spa Station Studio Studios Suites Systems Tavern Technologies Theatre University Works").split()
_NATIONS = ("American British Canadian Chinese Dutch English European French German Greek Indian Irish Italian Japanese Korean Latin "
            "Mexican Polish Russian Spanish Swedish Thai Turkish Vietnamese African Asian Australian Brazilian Catholic Christian "
            "Jewish Muslim").split()
_BRANDS = ("Google Amazon Apple Microsoft Facebook Twitter Netflix Spotify Uber Slack Zoom Excel Python Java Linux Windows Android "
           "Docker Kubernetes Redis Oracle Salesforce Stripe Shopify Tesla Toyota Samsung Sony Intel Nvidia Adobe Photoshop Firefox "
           "Chrome Safari Ubuntu Debian Git Jira Notion Figma Instagram Reddit Wikipedia Walmart Starbucks Ikea Nike Honda Ford").split()
_ACRONYMS = sorted({a.upper() for a in lex.ACRONYMS} | set(
    "API GPU CPU SQL HTML CSS JSON XML HTTP PDF USB VPN DNS AWS IBM NASA FBI CIA BBC CNN NBA NFL CEO CTO CFO HR PR UK US USA EU UN "
    "ATM GPS TV DVD CD PC ID IP IT AI ML UI UX QA ROI KPI FAQ DIY DNA RNA MRI HIV LED LCD RAM ROM SSD SDK CLI IDE MIT UCLA NYU".split()))
_PLACES_MORE = ("Los Angeles,Las Vegas,San Diego,San Jose,Santa Clara,Palo Alto,New Orleans,Salt Lake City,St. Louis,Washington,Portland,"
                "Denver,Dallas,Houston,Austin,Phoenix,Atlanta,Miami,Philadelphia,Detroit,Minneapolis,Sacramento,Oakland,Berkeley,Toronto,"
                "Vancouver,Montreal,Mexico City,Buenos Aires,Rio de Janeiro,Sydney,Melbourne,Hong Kong,Shanghai,Beijing,Delhi,Mumbai,"
                "Dubai,Cairo,Nairobi,Cape Town,Lagos,Istanbul,Athens,Moscow,Prague,Warsaw,Budapest,Zurich,Geneva,Brussels,Amsterdam,"
                "Dublin,Edinburgh,Glasgow,Manchester,Liverpool,Oxford,Cambridge,California,Texas,Florida,Oregon,Nevada,Arizona,Ohio,"
                "Michigan,Virginia,New Jersey,North Carolina,South Dakota,West Virginia,Hawaii,Alaska,Europe,Asia,Africa,America,"
                "South America,North America,the United States,the United Kingdom,the Netherlands,Mount Rainier,the Grand Canyon,Lake Tahoe,"
                "Central Park,Times Square,the Golden Gate Bridge,Fifth Avenue,Main Street,Market Street,Highland Park").split(",")
_TITLE_WORDS = ("night day love story king queen road river house star moon sun light dark city summer winter last first lost little "
                "great big red blue green black white golden silver heart dream world life time man woman girl boy game storm shadow "
                "secret garden ghost train mountain island ocean sky fire ice stone dance song letter return rise fall end").split()
# Generic ones ("the mobile app") are no names.
_NAMED, _PLACED = ([n for n in names if not n.startswith("the ")] for names in (lex.PRODUCTS, lex.PLACES))
_names = {"first": [], "last": []}


def load_names(first, last):
    """First names and surnames in lower case that templates take besides the lexicon's own."""
    _names["first"], _names["last"] = sorted(first), sorted(last)


def _caps(text):
    small = {"of", "de", "the", "and", "le", "la", "in", "a", "to"}
    return " ".join(w if w in small and i else w[:1].upper() + w[1:] for i, w in enumerate(text.split()))


_SYLLABLES = ("an ar ba be bi cho da de di el en er fa gi ha hi in ja ji ka ke ki ko la le li lo ma mi mo na ni no o ra ri ro sa se shi "
              "si ta te ti to u va vi wa xi ya yo za zhe").split()


def _unheard(rng):
    """A name that no list has."""
    return "".join(rng.choice(_SYLLABLES) for _ in range(rng.randint(2, 4))).capitalize() + rng.choice(["", "", "n", "r", "sh", "k", "j"])


def _first(rng):
    if rng.random() < 0.1:
        return _unheard(rng)
    return _caps(rng.choice(_names["first"]) if _names["first"] and rng.random() < 0.6 else rng.choice(lex.PEOPLE))


def _last(rng):
    if rng.random() < 0.15:
        return _unheard(rng)
    return _caps(rng.choice(_names["last"]) if _names["last"] and rng.random() < 0.6 else rng.choice(lex.SURNAMES))


def _place(rng):
    return rng.choice(_PLACES_MORE) if rng.random() < 0.6 else _caps(rng.choice(_PLACED))


def _firm(rng):
    kind = rng.choice(_FIRMS)
    roll = rng.random()
    if roll < 0.25:
        return f"{_last(rng)} {kind}"
    if roll < 0.4:
        return f"{_first(rng)}'s {kind}"
    if roll < 0.6:
        return f"the {_caps(rng.choice(_TITLE_WORDS))} {_caps(rng.choice(_TITLE_WORDS))} {kind}"
    if roll < 0.75:
        return f"{_place(rng).removeprefix('the ')} {kind}"
    if roll < 0.85:
        return f"{_caps(rng.choice(lex.COLOURS))} {_caps(rng.choice(lex.EVERYDAY))} {kind}"
    return f"{_last(rng)} and {_last(rng)}"


def _work(rng):
    a, b = _caps(rng.choice(_TITLE_WORDS)), _caps(rng.choice(_TITLE_WORDS))
    return rng.choice([f"The {a} {b}", f"The {a}", f"{a} of {b}", f"The {a} of the {b}", f"{a} and {b}", f"A {a} in the {b}", f"{a} {b}"])


def _acronym(rng):
    return rng.choice(_ACRONYMS)


def _upper_months(text):
    return " ".join(w.capitalize() if w in lex.MONTHS or w in lex.DAYS else w for w in text.split())


_CALLS = {"n": num.any_number, "money": num.money, "time": num.clock, "digits": num.digits,
          "date": lambda rng: _upper_months(num.date(rng)),
          "small": lambda rng: num.cardinal(rng.randint(2, 12)), "ord": lambda rng: num.ordinal(rng.randint(1, 31)),
          "year": lambda rng: num.year(rng.randint(1900, 2040)), "acr": _acronym, "name": _first, "sur": _last, "place": _place,
          "firm": _firm, "work": _work, "nation": lambda rng: rng.choice(_NATIONS),
          "prod": lambda rng: rng.choice(_BRANDS) if rng.random() < 0.5 else _caps(rng.choice(_NAMED)),
          "v": lambda rng: rng.choice(lex.VERBS)[0], "vs": lambda rng: rng.choice(lex.VERBS)[1],
          "ved": lambda rng: rng.choice(lex.VERBS)[2], "ving": lambda rng: rng.choice(lex.VERBS)[3],
          "x": lambda rng: rng.choice(_PLAIN[rng.choice(["biz", "sci", "math", "comp", "thing"])])}

_SERVICE = """
Hi, I'd like to (book|reserve) a table (at|in) [firm] (please|tonight|for [small] people).
Hello, I need (a hotel|a flight|a taxi|a train ticket|an appointment) in [place].
I'm looking for (a place to eat|a restaurant|something to do|a dentist|a good doctor) in [place].
Can you (help me find|find me|look for|search for) (a|some) [thing] (near|in|around) [place]?
Which city (should I search in|would you like|are you in)?
What time would you like (to leave|the reservation|to meet)?
What day (are you leaving|works for you|should it be)?
For how many (people|nights|tickets|days)?
How many (seats|rooms|people) do you need?
(Sure|Okay|Great|Alright), (what|which) (city|date|day|time) (do you prefer|would you like|works best)?
I found [small] (places|options|results) for you. (One|The first one|There) is [firm] (in|on) [place].
There's a [nation] restaurant called [firm] in [place].
How about [firm] in [place]? It has (an average rating of|a rating of) [small] point [small].
How does [firm] sound?
Would you like to (make a reservation|book it|hear more|see the details|try another one)?
Do you (have|want|need|know) (any preference|something else|a phone number|their address)?
Does it have (live music|outdoor seating|free parking|a pool)?
Is (it|that) (expensive|far|open on [day]|close to [place])?
What's (the address|their phone number|the price|the rating|the weather like)?
The (address|street address) is [n] [sur] Street, and (the phone number|their number) is [digits].
It's at [n] [place] Avenue in [place].
Please confirm the following, a table for [small] at [firm] in [place] on [month] [ord] at [time].
Please confirm, (leaving|departing) from [place] to [place] on [day] at [time] for [small] people.
Yes, that (works|sounds good|is correct|would be great). (Thank you|Thanks|Please book it).
Yes please. (Thanks so much|That's right|Go ahead).
No, that's (all|it|everything|not right). (Thank you|Thanks a lot|I'd like [time] instead).
No thanks. Can you (tell me|check) (if|whether) they (serve alcohol|take cards|are open late)?
Actually, (make it|change it to|I would prefer) [small] people (at|on) [time].
Your (reservation|appointment|ticket|booking) (is confirmed|has been made|was successful). (Anything else|Do you need anything else)?
I'm sorry, (I couldn't do that|that failed|there are no tables at that time). (Would you like another time|Should I try [time])?
Is there anything else I can (help you with|do for you)?
Thank you, (have a great day|goodbye|enjoy your trip).
I want to (see|watch) a (movie|film|play) (tonight|on [day]|this weekend). (Something|Maybe a comedy) (with|by|directed by) [name] [sur].
[work] (is playing|starts|is showing) at [firm] at [time].
What about [work]? It's (a drama|a comedy|a documentary) (starring|by|directed by) [name] [sur].
Have you (seen|heard|read) [work] by [name] [sur]?
Play [work] by [name] [sur] (in the kitchen|on the TV|please).
The album is called [work], and it came out in [year].
The ticket costs [money] (per person|each). (Shall I book it|Is that okay)?
The flight leaves [place] at [time] and (arrives|lands) in [place] at [time].
It's with [firm], the price is [money], and there (is one stop|are no stops).
I'd like to fly to [place] (next [day]|on [month] [ord]|in [month]) and come back (a week later|on the [ord]).
I need to transfer [money] to [name] from my (checking|savings) account.
Set (an alarm|a timer) for [time], and call it [work].
The weather in [place] (will be|is) about [n] degrees with a [small] percent chance of rain.
I need a (cab|ride) to [place] for [small] people. (A shared ride is fine|Make it a luxury one).
My name is [name] [sur], (and I'm calling about|I have) an (appointment|order) with (Doctor|Mister|Missus) [sur].
Hi, is this [firm]? I'd like to speak to [name], please.
When is it, and where does it (start|take place)?
(Okay|Great|Yes|Good|Hello|Hi|Thanks|No|Sure|Perfect|Alright). (Now, I'd like|I'd like|I want|I need|Can you help me|Could you please help me|What is|When is|Where is) (to [v] my account|to find a bus|with a transfer|the price|the [thing]|to go to [place]).
Thank you. (What is|What about|Where is|Can I see|Could you send) (my balance|their number|the [thing]|a cheaper one)?
You're welcome. (Have a nice day|Enjoy your day|Goodbye|Is there anything else).
I found [small] (buses|trains|flights|hotels|movies|songs|events). (One leaves|The first leaves|There is one) (at [time]|for [money]), and (it costs [money]|it arrives at [time]).
You have [money] in your (checking|savings) account.
Please (send|transfer) [money] to [name]. It (needs to|should) go to (her|his|their) (savings|checking) account.
From [place] to [place] on [month] [ord], please. (We'll be|There are|It's for) [small] people.
Okay, so you want to (travel|go|send it) from [place] to [place]. Is that (correct|right)?
That is correct. (Go ahead|Please proceed|Where is the bus leaving from)?
That's (correct|right|fine), (go ahead|please do that|thanks).
What (time|day|place) would you like, and how many (tickets|seats|people)?
Would you prefer (economy or business class|a window seat|something cheaper)?
The bus (leaves|departs) from [place] Station and arrives at [firm].
I'd prefer [firm], please. (Is there a pool|What's their address|How many stars does it have)?
(Who's|What's|Where's) the (recipient|amount|destination)? And (which|what) (account|date) should I use?
I (will|would like to) (leave|travel|check in) on [day], and (come back|check out) on [day].
[name] [sur] is (the director|a singer|my doctor|the stylist). (Would you like|Do you want) to (see|book) (her|him)?
It (got|has) a rating of [n]. It's on [sur] (Street|Road|Avenue), and they (do|don't) have [thing]s.
The song is [work] by [name] [sur] from the album [work].
I'm (traveling|leaving|calling) from [place]. (Any type|Either one|Whatever is cheapest) is (fine|all right).
"""
_SERVICE_HELD = """
Could you reserve me a room at [firm] for [small] nights?
I was thinking of [place], if there's something cheap.
The next available slot is [day] at [time]. Does that work for you?
Their stylist is [name] [sur], and the salon is called [firm].
I'd rather go to [place]. Are there any [nation] places around there?
That'll be [money]. Shall I go ahead and pay with your card?
Okay, so that's [small] tickets for [work] at [firm], right?
Got it. Where are you coming from, and when do you want to get there?
Great, thanks. What else is on at [firm] that evening?
"""
_VLOG = """
Hey everyone, welcome back to my channel. (Today I'm going to|In this video we'll|This week I want to) (show you|talk about|talk to you about) (my trip to [place]|how I [v] a [thing]|[prod]).
Hi guys, my name is [name], and (I'm from [place]|today we're in [place]|I work for [firm]).
So (first of all|before we start|the first thing), I just want to say thank you for all the (comments|messages|support).
If you (like|enjoy) this video, please (subscribe|leave a comment|hit the like button) and let me know what you think.
I've been (living|working|studying) in [place] for (about|almost) [small] years now, and I (really love it|still get lost|have learned a lot).
We went to [place] with [name] and [name], and it was (amazing|so much fun|really [adj]).
You know, (I think|I feel like|I guess) people don't [v] the [thing] because it's [adj].
I mean, it's (not that bad|pretty good|kind of weird), but (I wouldn't do it again|you get used to it).
And then (we|they|I) (went|drove|walked) to [firm], which is (right next to|not far from) [place].
It's one of my favorite (places|things|spots) in [place], so (if you're ever there|when you visit), you should (go|check it out).
The best part was the [thing], (because|since) I had never seen one before.
Alright, so (let's|we can) (get started|move on|take a look).
Um, (so|yeah), that's (basically it|what happened|how it works).
I don't know (if|why) you've (heard of|seen|tried) [prod], but it's (really|super|quite) [adj].
It took me about [n] [unit], (which is a lot|so be patient|but it was worth it).
What do you think? (Let me know|Tell me) in the comments.
Have you ever been to [place]? (I haven't|We went there last [month]).
Why did (I|we|they) do that? (Well|Honestly), I don't really know.
(Anyway|Okay), I hope this helps, and I'll see you in the next one.
I was born in [place], I grew up in [place], and I moved to [place] when I was [n].
My (mom|dad|sister|brother|friend) [name] (came|flew in|drove) from [place] (on [day]|last week).
Oh my gosh, you guys, this [thing] is so [adj].
There's (this|a) (little|great) [nation] (place|bakery|cafe) called [firm], and they have the best [thing]s.
So, um, (we|I) started (in|on) [day], and by [day] (we were done|it was too late).
But (honestly|to be fair|in my opinion), [prod] is better than [prod].
"""
_VLOG_HELD = """
Good morning from [place]. It's [day], it's raining, and I'm having coffee at [firm].
I'd never heard of [prod] until [name] told me about it, and now I use it every day.
Okay, what's next? Oh right, the [thing].
If I had to choose between [place] and [place], I'd probably pick the second one.
She said it was [adj], but I didn't believe her. It really is, though.
"""
_TALK = """
Good (morning|afternoon|evening), everyone. My name is [name] [sur], and I (work at|am a professor at|come from) [firm].
Today (we'll|we will|I want to) (talk about|look at|discuss) the [sci], (which|and how it) [vs] the [sci].
Let's (start with|begin with|consider) a (simple|small|real) example. Suppose that the [math] is [n].
So what does this mean? It means that the [x] is [adv] [adj].
Now, why is that (important|interesting|true)? (Because|Well, because) the [x] [vs] the [x].
As you can see (here|on this slide), there are [small] (parts|steps|kinds), the [x], the [x], and the [x].
In [year], [name] [sur] (showed|proved|discovered) that [sci]s [v] the [sci].
According to [sur], the [x] [vs] the [x] (in most cases|when it is [adj]).
First, we [v] the [comp]. Second, we [v] the [comp]. Finally, we [v] it again.
If the [comp] is [adj], then we (can|have to|should) [v] it, otherwise it (fails|stops|waits).
The [acr] (returns|gives you|sends) a [comp], and then the [comp] [vs] it.
You can (call|use) the [acr] from [prod] or from [prod].
We use [prod] for the [comp], [prod] for the [comp], and [prod] for (everything else|the rest).
Our (team|company|customers) in [place] (use|uses|love) [prod] every day.
Any questions so far? (Yes, please|No|Okay, let's go on).
That's a (great|good|fair) question. (The short answer is|I would say) that it depends on the [x].
Can you (explain|repeat|say more about) (that|why the [x] is [adj]|the [adj] part)?
Does (that|this) make sense? (Good|Okay), let's (continue|move on).
To (summarize|sum up), the [x] is [adj], the [x] is [adj], and you (shouldn't|can always) [v] both.
How (many|much) [x]s (do we need|are there) if the [x] is [adj]?
The (chapter|book|paper) (is called|by [name] [sur] is called) [work].
Professor [sur], (what|how) (would you|do you) [v] the [sci]?
The [nation] (government|economy|language|word) (has|was|is) [adv] [adj].
In [nation], we (say|write|call) it the [thing].
On the (left|right), you (see|have) the [x], and (below|next to it|behind it) the [x].
Click (on|the) [comp], type your (name|password), and press enter.
It (only takes|takes about) [n] [unit], (so|and) you don't have to [v] the [comp] (anymore|yourself).
"""
_TALK_HELD = """
Let me ask you something. What would happen if we [ved] the [sci] twice?
This slide shows the work of [name] [sur] at [firm], published in [year].
So the [acr] talks to [prod], [prod] talks to the [comp], and nobody else does.
Remember that [sur]'s law holds only when the [math] is [adj].
Is it [adj]? In theory yes, but in practice no.
"""
_MEETING = """
Okay, (let's get started|shall we start|so let's begin). (Is everyone here|Can everybody see my screen|Who's missing)?
[name], (can|could|would) you (give us an update|start|take notes|share your screen)?
Yeah, (so|sure), we [ved] the [biz] (on [day]|last week|yesterday), and (it looks good|it's [adj]|there were no problems).
I (think|believe|guess) we should [v] the [biz] (before [day]|by [date]|first).
[name] will [v] the [biz] by [day], and [name] (will|is going to) [v] the [biz].
(What|How) about the [biz]? (Is it|Are we) (done|ready|on track)?
Who (owns|is responsible for|can take) the [biz]? (I can do it|[name] does|That would be [name]).
We decided to (go with|use|drop) [prod], because it's (cheaper|faster|more [adj]).
The deadline is [date], so we (have|still have) [small] weeks (left|to go).
I (talked to|met with|called) [name] (from|at) [firm] (on [day]|this morning), and (she|he) (agreed|said no|wants more time).
Mm-hmm. (Yeah|Right|Okay), (I see|that makes sense|fair enough).
Well, (I'm not sure|I don't know|it depends). (Maybe|Perhaps) we could (ask [name]|wait until [day]).
Sorry, I (missed|didn't hear) that. (Could you say it again|What was the number)?
The budget (is|was) [money], but we (spent|need|have) [money] (already|so far).
Do we (need|have|want) (a|another) [biz] (for|in) [place]?
Don't you think (that|it) (is|would be) too [adj]?
Let's (move on|go) to the next (item|point|topic), (the|which is the) [biz].
Sales in [place] (went up|fell) (by|to) [n] percent, (while|and) [place] (stayed flat|lost [small] customers).
All right, (that's it for today|any other business). (Thanks everyone|See you on [day]).
(Minister|Mister|Chair|Doctor) [sur], (thank you for|could you comment on|what about) the [biz]?
Thank you, (Mister|Madam) Chair. (Canadians|Families|People in [place]) (need|want|expect) a [adj] [biz].
Are you (sure|saying|suggesting) that we (have to|shouldn't) [v] the [biz]?
"""
_MEETING_HELD = """
Before we finish, does anyone have something to add? No? Then we're done.
[name] and [name] are in [place] until [day], so we'll meet again on [date].
The client, [firm], asked for [small] changes. Two of them are easy, the third one isn't.
Hang on, are we talking about the [biz] or the [biz]?
"""

_GROUPS = [[line.strip() for line in block.strip().splitlines()] for block in (_SERVICE, _VLOG, _TALK, _MEETING)]
_HELD = [[line.strip() for line in block.strip().splitlines()] for block in (_SERVICE_HELD, _VLOG_HELD, _TALK_HELD, _MEETING_HELD)]
_OPENERS = ["So", "And", "But", "Well,", "Okay,", "Now,", "Yeah,", "Um,", "Then", "And then", "Also,", "Actually,", "However,", "You know,",
            "For example,", "Right,", "Oh,", "I mean,", "Of course,"]
_SLOT, _CHOICE = re.compile(r"\[(\w+)\]"), re.compile(r"\(([^()]*\|[^()]*)\)")


def _fill(text, rng):
    text = _CHOICE.sub(lambda m: rng.choice(m.group(1).split("|")), text)

    def slot(match):
        key = match.group(1)
        if key in _CALLS:
            return _CALLS[key](rng)
        value = rng.choice(_PLAIN[key] if key in _PLAIN else _TITLE[key])
        return value if key in _PLAIN else _caps(value)
    text = _SLOT.sub(slot, text)
    text = re.sub(r"\ba (?=[aeioAEIO]|un[^i]|up)", "an ", text)
    text = re.sub(r"([^aeiou ])ys\b", r"\1ies", text)
    text = re.sub(r"(ss|x|ch|sh)s\b", r"\1es", text)
    return re.sub(r"(^|[.?] )([a-z])", lambda m: m.group(1) + m.group(2).upper(), text)


def _lecture_line(rng):
    """A line of sentences.py with its capitals."""
    text = _fill(rng.choice(sentences.TEMPLATES).replace("mister [sur]", "Mister [sur]").replace("doctor [sur]", "Doctor [sur]"), rng)
    text = re.sub(r"\bi\b(?=[ ']|$)", "I", text[:1].upper() + text[1:])
    return text if text.endswith("?") else text + "."


def _line(rng, group, held_out):
    if not held_out and group == 2 and rng.random() < 0.5 or not held_out and rng.random() < 0.15:
        text = _lecture_line(rng)
    else:
        text = _fill(rng.choice((_HELD if held_out else _GROUPS)[group]), rng)
    if not held_out and rng.random() < 0.15:
        opener = rng.choice(_OPENERS)
        first = text.split()[0]
        keep = first in ("I", "I'm", "I'd", "I've", "I'll") or first in _ACRONYMS or text[:len(first)] != first or first[:1] == "["
        text = f"{opener} {text if keep or first.strip(',.?') in _proper() else text[0].lower() + text[1:]}"
    return text


_known = set()


def _proper():
    if not _known:
        for values in (_TITLE["name"], _TITLE["sur"], _TITLE["prod"], _TITLE["place"]):
            _known.update(w.capitalize() for value in values for w in value.split())
        _known.update(w.capitalize() for w in _names["first"] + _names["last"])
        _known.update(_BRANDS + _NATIONS + [w for p in _PLACES_MORE for w in p.split() if w != "the"])
        _known.update(w.capitalize() for w in lex.MONTHS + lex.DAYS)
    return _known


def turn(rng, held_out=False):
    """What one speaker says before another does: mostly one to six lines."""
    group = rng.randrange(4)
    lines = rng.choice((1, 1, 1, 2, 2, 3)) if group in (0, 3) else rng.choice((1, 2, 3, 4, 6, 9))
    return " ".join(_line(rng, group, held_out) for _ in range(lines)).replace("Mm-hmm", "Mm")
