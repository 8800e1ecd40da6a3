"""Our own word lists for the sentence generator in sentences.py.

Guarantee: every entry is lower case letters, apostrophes and spaces only, so
what a voice reads and what the transcript says are the same words.
"""


def _words(block):
    """One entry per comma or line."""
    return [w.strip() for w in block.replace("\n", ",").split(",") if w.strip()]


PEOPLE = _words("""
alice, bob, carol, david, emma, frank, grace, henry, irene, jack, karen, liam, maria, nathan, olivia,
peter, rachel, samuel, teresa, victor, wendy, james, john, robert, michael, william, richard, thomas,
mary, patricia, jennifer, linda, elizabeth, barbara, susan, jessica, sarah, nancy, lisa, daniel, paul,
mark, steven, andrew, joshua, kevin, brian, george, edward, ronald, anthony, laura, amy, anna, helen,
priya, ahmed, chen, yuki, carlos, sofia, ivan, olga, fatima, kofi, ingrid, lars, pierre, claire, diego,
marta, tom, kate, ben, lucy, max, nina, oscar, ruth, simon, tina, walter, ada, alan, isaac, marie, albert
""")
SURNAMES = _words("""
smith, johnson, williams, brown, jones, miller, davis, wilson, anderson, taylor, moore, martin, lee,
thompson, white, harris, clark, lewis, walker, hall, young, king, wright, scott, green, baker, adams,
nelson, carter, mitchell, roberts, turner, phillips, campbell, parker, evans, edwards, collins, stewart,
garcia, martinez, rodriguez, hernandez, lopez, patel, singh, khan, kim, park, wong, tanaka, mueller,
newton, einstein, darwin, turing, curie, lovelace, shannon, fourier, gauss, euler, bayes, hooper, reed
""")
PLACES = _words("""
london, paris, berlin, new york, boston, chicago, san francisco, seattle, tokyo, singapore, madrid, rome,
vienna, oslo, stockholm, dublin, toronto, sydney, mumbai, cairo, lisbon, amsterdam, brussels, zurich,
texas, california, europe, asia, africa, america, germany, france, japan, india, china, canada, spain,
italy, england, scotland, ireland, australia, brazil, mexico, the warehouse, the north office, building b,
the main campus, the harbor, the valley, the west coast, the data center, the second floor, the lab
""")
PRODUCTS = _words("""
acme, orbit, beacon, harbor, lantern, summit, atlas, nimbus, quartz, falcon, meridian, pixel, ledger,
notebook pro, cloud desk, flow board, task hub, pay point, data lens, smart cart, swift mail, photon,
the mobile app, the web client, the control panel, the dashboard, the command line tool, the widget,
the plugin, the sensor kit, the camera, the speaker, the watch, the tablet, the router, the starter plan,
the team plan, the enterprise plan, the free plan, the premium plan, the standard edition, northwind,
bluebird, redwood, footnote, paper trail, open shelf, green line, silver oak, the kettle, the blender
""")
BUSINESS = _words("""
budget, invoice, contract, revenue, profit, margin, customer, supplier, vendor, order, refund, discount,
deadline, milestone, roadmap, feature, release, launch, campaign, forecast, quarter, market, segment,
subscription, renewal, price, cost, estimate, proposal, report, spreadsheet, meeting, agenda, decision,
action item, owner, stakeholder, manager, team, department, policy, risk, issue, ticket, bug, backlog,
sprint, review, audit, compliance, security, privacy, license, shipment, delivery, warehouse, inventory,
payment, account, balance, transfer, loan, interest rate, tax, salary, bonus, hiring plan, headcount,
support request, feedback, survey, rating, conversion rate, churn, growth, target, goal, metric, result
""")
SCIENCE = _words("""
cell, membrane, protein, enzyme, molecule, atom, electron, proton, neutron, nucleus, photon, wave, particle,
energy, force, mass, velocity, acceleration, momentum, gravity, pressure, temperature, heat, entropy,
volume, density, current, voltage, resistance, circuit, magnet, field, charge, orbit, planet, star, galaxy,
comet, telescope, microscope, crystal, mineral, rock, soil, ocean, river, glacier, climate, atmosphere,
carbon dioxide, oxygen, nitrogen, hydrogen, water vapor, sunlight, chlorophyll, photosynthesis, leaf, root,
plant, animal, species, evolution, gene, mutation, chromosome, bacteria, virus, vaccine, antibody, tissue,
organ, muscle, nerve, brain, neuron, synapse, heart, lung, blood, hormone, diet, vitamin, glucose, starch,
reaction, catalyst, acid, base, salt, solution, equilibrium, hypothesis, experiment, theory, measurement
""")
MATHS = _words("""
number, fraction, equation, variable, function, graph, slope, derivative, integral, limit, matrix, vector,
sum, product, ratio, percentage, probability, distribution, average, median, variance, standard deviation,
sample, estimate, error, proof, theorem, axiom, set, sequence, series, triangle, circle, square, angle,
radius, diameter, polygon, sphere, cube, prime number, square root, logarithm, exponent, polynomial
""")
COMPUTING = _words("""
algorithm, array, list, stack, queue, tree, graph, hash table, loop, recursion, pointer, memory, cache,
processor, thread, process, kernel, file system, database, index, query, transaction, table, column, row,
key, record, server, client, network, packet, protocol, router, port, request, response, header, token,
password, encryption, certificate, firewall, backup, log file, container, cluster, queue worker, job,
scheduler, pipeline, model, training data, neural network, layer, weight, gradient, loss function, label,
feature vector, embedding, classifier, search engine, web page, browser, link, button, menu, form, screen,
window, tab, keyboard, mouse, printer, video, audio, transcript, caption, subtitle, frame, schema, field,
evidence, time stamp, speaker, quote, webhook, endpoint, interface, library, compiler, interpreter, test
""")
EVERYDAY = _words("""
house, door, window, kitchen, garden, street, car, bicycle, train, bus, ticket, station, airport, flight,
hotel, beach, mountain, forest, bridge, road, map, city, village, school, teacher, student, book, page,
letter, newspaper, picture, story, song, music, film, game, dinner, breakfast, coffee, tea, bread, cheese,
apple, orange, potato, tomato, chicken, fish, rice, sugar, cake, bottle, glass, cup, plate, knife, table,
chair, bed, lamp, clock, phone, shirt, coat, shoe, hat, bag, money, bank, shop, doctor, hospital, medicine,
dog, cat, horse, bird, tree, flower, grass, rain, snow, wind, cloud, storm, summer, winter, spring, autumn,
morning, afternoon, evening, night, week, month, year, birthday, holiday, friend, family, mother, father,
brother, sister, child, neighbor, uncle, aunt, cousin, baby, boy, girl, woman, man, people, world, country
""")
ADJECTIVES = _words("""
new, old, big, small, large, little, long, short, high, low, fast, slow, early, late, good, bad, better,
best, easy, hard, simple, complex, clear, common, rare, different, similar, important, useful, possible,
available, free, open, closed, full, empty, hot, cold, warm, cool, dry, wet, bright, dark, strong, weak,
heavy, light, deep, shallow, wide, narrow, thick, thin, clean, dirty, safe, dangerous, quiet, loud, public,
private, local, global, internal, external, manual, automatic, digital, modern, ancient, natural, chemical,
physical, mental, social, economic, political, legal, financial, technical, practical, total, average,
typical, special, general, specific, main, final, first, second, third, next, previous, single, double,
stable, reliable, accurate, approximate, exact, random, linear, constant, negative, positive, equal, green,
red, blue, yellow, white, black, round, flat, sharp, smooth, rough, expensive, cheap, popular, powerful
""")
ADVERBS = _words("""
quickly, slowly, carefully, easily, usually, often, sometimes, never, always, really, probably, clearly,
simply, directly, immediately, finally, recently, already, still, only, almost, nearly, exactly, roughly,
automatically, manually, gradually, suddenly, certainly, generally, actually, basically, together, again
""")
# base, third person, past, ing
VERBS = [tuple(v.split()) for v in _words("""
show shows showed showing, use uses used using, make makes made making, find finds found finding,
give gives gave giving, tell tells told telling, ask asks asked asking, need needs needed needing,
keep keeps kept keeping, move moves moved moving, change changes changed changing, help helps helped helping,
start starts started starting, stop stops stopped stopping, open opens opened opening,
close closes closed closing, build builds built building, send sends sent sending,
check checks checked checking, measure measures measured measuring, compare compares compared comparing,
explain explains explained explaining, describe describes described describing, follow follows followed following,
reach reaches reached reaching, carry carries carried carrying, hold holds held holding,
store stores stored storing, save saves saved saving, load loads loaded loading, read reads read reading,
write writes wrote writing, draw draws drew drawing, choose chooses chose choosing, select selects selected selecting,
add adds added adding, remove removes removed removing, replace replaces replaced replacing,
review reviews reviewed reviewing, approve approves approved approving, reject rejects rejected rejecting,
discuss discusses discussed discussing, update updates updated updating, create creates created creating,
deliver delivers delivered delivering, reduce reduces reduced reducing, increase increases increased increasing,
improve improves improved improving, support supports supported supporting, test tests tested testing,
produce produces produced producing, absorb absorbs absorbed absorbing, release releases released releasing,
convert converts converted converting, transport transports transported transporting, control controls controlled controlling,
connect connects connected connecting, protect protects protected protecting, replace replaces replaced replacing,
buy buys bought buying, sell sells sold selling, pay pays paid paying, ship ships shipped shipping,
call calls called calling, meet meets met meeting, see sees saw seeing, watch watches watched watching,
learn learns learned learning, teach teaches taught teaching, study studies studied studying,
solve solves solved solving, calculate calculates calculated calculating, predict predicts predicted predicting,
observe observes observed observing, detect detects detected detecting, record records recorded recording,
search searches searched searching, filter filters filtered filtering, sort sorts sorted sorting,
share shares shared sharing, export exports exported exporting, import imports imported importing
""")]
MONTHS = _words("january, february, march, april, may, june, july, august, september, october, november, december")
DAYS = _words("monday, tuesday, wednesday, thursday, friday, saturday, sunday")
UNITS = _words("""
seconds, minutes, hours, days, weeks, months, years, meters, kilometers, miles, feet, inches, grams,
kilograms, pounds, tons, liters, gallons, degrees, degrees celsius, percent, volts, watts, hertz, pixels,
bytes, megabytes, gigabytes, people, users, customers, orders, units, pages, points, steps, times, frames
""")
COLOURS = _words("red, blue, green, yellow, orange, purple, black, white, gray, silver, brown, pink")
ACRONYMS = _words("api, url, html, css, sql, cpu, gpu, usb, pdf, http, dna, rna, ai, ui, pc, tv, id, csv, xml, ip, uk, us, ceo, kpi, sla, sdk")
