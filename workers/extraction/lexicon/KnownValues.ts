/** Subjects whose values are a closed list: a field about one of them takes its words, a field about anything else does not. */
export type Subject = "city" | "cuisine" | "genre" | "language" | "sport" | "seat"

const LISTS: Readonly<Record<Subject, string>> = {
  city:
    "abu dhabi|accra|addis ababa|adelaide|albuquerque|alexandria|algiers|almaty|amman|amsterdam|anaheim|anchorage|ankara|antwerp|athens|atlanta|atlantic city|auckland|austin|" +
    "baghdad|baku|bali|baltimore|bangalore|bangkok|barcelona|basel|baton rouge|beijing|beirut|belfast|belgrade|bergen|berkeley|berlin|bern|birmingham|boise|bogota|bologna|bordeaux|boston|" +
    "boulder|bratislava|bremen|brisbane|bristol|brno|brooklyn|brussels|bucharest|budapest|buenos aires|buffalo|burlington|cairo|calgary|cambridge|canberra|cape town|caracas|cardiff|" +
    "casablanca|charleston|charlotte|chennai|chicago|christchurch|cincinnati|cleveland|cologne|colombo|columbus|copenhagen|cork|dakar|dallas|damascus|delhi|denver|detroit|dhaka|doha|" +
    "dortmund|dresden|dubai|dublin|durban|dusseldorf|edinburgh|edmonton|el paso|florence|fort worth|frankfurt|fremont|fresno|gdansk|geneva|genoa|ghent|glasgow|gothenburg|graz|" +
    "guadalajara|guangzhou|hague|halifax|hamburg|hanoi|hanover|harare|havana|helsinki|ho chi minh city|hobart|hong kong|honolulu|houston|hyderabad|indianapolis|istanbul|jacksonville|" +
    "jakarta|jerusalem|johannesburg|kabul|kampala|kansas city|karachi|kathmandu|kiev|kyiv|kingston|kobe|kolkata|krakow|kuala lumpur|kyoto|lagos|lahore|las vegas|lausanne|leeds|leipzig|" +
    "lille|lima|lisbon|liverpool|ljubljana|london|long beach|los angeles|louisville|luxembourg|lyon|madrid|malaga|manchester|manila|marrakesh|marseille|medellin|melbourne|memphis|" +
    "mexico city|miami|milan|milwaukee|minneapolis|minsk|monterey|montevideo|montreal|moscow|mumbai|munich|nairobi|nantes|naples|nashville|new delhi|new orleans|new york|new york city|" +
    "newark|nice|nottingham|nuremberg|oakland|odessa|oklahoma city|omaha|orlando|osaka|oslo|ottawa|oxford|palo alto|panama city|paris|perth|philadelphia|phoenix|pittsburgh|porto|portland|" +
    "prague|providence|quebec city|quito|raleigh|reno|reykjavik|richmond|riga|rio de janeiro|riyadh|rome|rotterdam|sacramento|saint petersburg|salt lake city|salzburg|san antonio|" +
    "san diego|san francisco|san jose|san mateo|santa barbara|santa fe|santa monica|santa rosa|santiago|sao paulo|sapporo|sarajevo|savannah|seattle|seoul|seville|shanghai|sheffield|" +
    "shenzhen|singapore|sofia|st louis|stockholm|strasbourg|stuttgart|sunnyvale|sydney|taipei|tallinn|tampa|tashkent|tbilisi|tehran|tel aviv|thessaloniki|tirana|tokyo|toronto|toulouse|" +
    "trieste|tucson|tunis|turin|utrecht|valencia|vancouver|venice|verona|vienna|vilnius|warsaw|washington|washington dc|wellington|winnipeg|yokohama|zagreb|zurich|la|nyc|ny|sf|sd|dc|lax|" +
    "san fran|vegas|philly",
  cuisine:
    "african|american|argentinian|asian|bakery|barbecue|bbq|bistro|brazilian|breakfast|british|buffet|burger|burgers|burmese|cajun|californian|cantonese|caribbean|chinese|coffee|creole|cuban|deli|" +
    "dessert|dim sum|ethiopian|european|fast food|filipino|fish|french|fusion|georgian|german|greek|halal|hawaiian|hot pot|hungarian|ice cream|indian|indonesian|irish|israeli|italian|" +
    "japanese|korean|kosher|latin|lebanese|malaysian|mediterranean|mexican|middle eastern|mongolian|moroccan|nepalese|noodles|pakistani|persian|peruvian|pizza|pizzeria|polish|" +
    "portuguese|ramen|russian|salad|sandwich|sandwiches|scandinavian|seafood|singaporean|spanish|steak|steakhouse|sushi|swedish|swiss|szechuan|taiwanese|tapas|tex-mex|thai|tibetan|turkish|ukrainian|" +
    "vegan|vegetarian|vietnamese",
  genre:
    "action|adventure|afrobeat|alternative|ambient|animated|animation|anime|bluegrass|blues|biography|biopic|chamber|children's|cartoon|classical|comedy|country|crime|cult|dance|disco|" +
    "documentary|drama|dubstep|edm|electronic|electronica|electropop|epic|erotic|experimental|family|fantasy|fiction|film noir|flamenco|folk|funk|funny|garage|gospel|grunge|hip hop|hip-hop|historical|history|" +
    "horror|house|imaginative|imaginative fiction|indie|jazz|k-pop|latin|life history|melodrama|metal|motown|music|musical|mystery|noir|nonfiction|offbeat|opera|orchestral|orchestra|pop|post-punk|" +
    "psychedelic|punk|rap|reggae|reggaeton|r&b|rnb|rock|rock and roll|romance|romantic|romantic comedy|salsa|satire|scary|sci-fi|science fiction|ska|social|soul|soundtrack|sports|superhero|supernatural|" +
    "suspense|swing|synthpop|techno|thriller|trance|trap|true crime|war|western|world",
  language:
    "arabic|bengali|bulgarian|cantonese|catalan|chinese|croatian|czech|danish|dutch|english|estonian|finnish|french|german|greek|hebrew|hindi|hungarian|indonesian|italian|japanese|korean|" +
    "latvian|lithuanian|malay|mandarin|norwegian|persian|polish|portuguese|punjabi|romanian|russian|serbian|slovak|spanish|swahili|swedish|tagalog|tamil|telugu|thai|turkish|ukrainian|urdu|vietnamese",
  sport:
    "badminton|baseball|basketball|biathlon|bowling|boxing|cricket|curling|cycling|darts|diving|fencing|football|golf|gymnastics|handball|hockey|ice hockey|judo|karate|lacrosse|polo|rowing|rugby|sailing|" +
    "skating|skiing|snooker|soccer|softball|squash|surfing|swimming|table tennis|tennis|volleyball|water polo|wrestling",
  seat: "economy|premium economy|premium|business|business class|first class|coach|standard"
}

/** What a field's words must hold for it to be about a subject; several subjects may fit. */
const FIELDS: Readonly<Record<Subject, RegExp>> = {
  city: /\b(?:city|town|location|area|origin|destination|place|from|to|where|venue|hometown)\b/u,
  cuisine: /\b(?:cuisine|food|dish|restaurant type|restaurants?)\b/u,
  genre: /\b(?:genre|style|subcategory|category|kind|type)\b/u,
  language: /\blanguages?\b/u,
  sport: /\b(?:sports?|subcategory|discipline)\b/u,
  seat: /\b(?:class|fare)\b/u
}

const known = new Map<string, ReadonlyArray<Subject>>()
for (const [subject, list] of Object.entries(LISTS) as ReadonlyArray<[Subject, string]>) {
  for (const value of list.split("|")) known.set(value, [...(known.get(value) ?? []), subject])
}

/** The closed lists that hold a value, spelling and a trailing state or country aside ("Paris, France"). */
export const subjectsOf = (value: string): ReadonlyArray<Subject> =>
  known.get(value.toLowerCase().replace(/,.*$/u, "").replaceAll(/[.’']/gu, "").trim()) ?? []

/** The subjects that a field's name, or else its description, is about. */
export const fieldSubjects = (name: string, words: string): ReadonlyArray<Subject> => {
  const of = (text: string): ReadonlyArray<Subject> =>
    (Object.keys(FIELDS) as ReadonlyArray<Subject>).filter((subject) => FIELDS[subject].test(text))
  const named = of(name)
  return named.length > 0 ? named : of(words)
}
