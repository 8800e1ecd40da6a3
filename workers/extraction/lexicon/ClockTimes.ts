const UNITS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
const TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(" ")
const TENS: Readonly<Record<string, number>> = { twenty: 20, thirty: 30, forty: 40, fifty: 50 }

const UNIT = `(?:${UNITS.join("|")})`
const NUMBER = `(?:(?:${Object.keys(TENS).join("|")})(?:[ -]${UNIT})?|${TEENS.join("|")}|${UNIT}|zero|\\d{1,2})`
const MINUTE = `(?:(?:oh|o|zero)[ -]${UNIT}|(?:${Object.keys(TENS).join("|")})(?:[ -]${UNIT})?|${
  TEENS.join("|")
}|hundred)`

/** The number below 100 that such words or digits say; "oh five" is 5 and "hundred" no minutes past the hour. */
const numberOf = (said: string): number => {
  if (/^\d+$/u.test(said)) return Number(said)
  if (said === "hundred") return 0
  return said.split(/[ -]/u).reduce(
    (sum, word) => sum + (TENS[word] ?? (TEENS.includes(word) ? 10 + TEENS.indexOf(word) : UNITS.indexOf(word) + 1)),
    0
  )
}

/** A time of day that a text says: minutes after midnight, and whether it says which half of the day. */
export interface ClockTime {
  readonly from: number
  readonly to: number
  readonly minutes: number
  readonly settled: boolean
  /** The hour as it stands in figures with no half of the day beside it: "9:30". */
  readonly hour?: number
}

interface Form {
  readonly pattern: RegExp
  readonly read: (groups: ReadonlyArray<string | undefined>) => readonly [hour: number, minute: number] | undefined
}

const HALF_OF_DAY = "(?:\\s*([ap])\\.?m\\b\\.?)"

/** Hours that have a name of their own. */
const NAMED_HOURS: Readonly<Record<string, number>> = { noon: 12, midday: 12, midnight: 24 }
const HOUR_NAME = Object.keys(NAMED_HOURS).join("|")

/** What is numbered so and no time: "room four-oh-one", "line eleven thirty". */
const NUMBERED =
  "\\b(?:rooms?|numbers?|no|flat|unit|apartment|bus|line|route|flight|train|platform|gate|bay|extension|code|lot|paddle|page|item)[ -]"

/** Before "five to six" it is a range: opening hours, or how many. */
const RANGED = "\\b(?:from|open|between|of|hours?|opening|work|works|working|takes?|for|with|only|about|around) "
/** What follows a time of day; "five to six people" are no time. */
const TIME_ENDS =
  "(?=[^\\p{L}\\s\\d-]|$|\\n| (?:in|at|on|tomorrow|tonight|today|sharp|and|or|when|so|but|then|this|every|until|till|we|i|they|he|she|the|a\\.?m|p\\.?m)\\b)"
/** "Nine to five" are two times, "ten to five" is one: people say minutes before the hour by the five. */
const MINUTES_TO =
  `(?:(?:a )?quarter|${NUMBER} minutes?|(?<!${RANGED})(?:five|ten|twenty|twenty[ -]five)(?= to (?:${NUMBER}\\b${TIME_ENDS}|(?:${HOUR_NAME})\\b)))`

const pastOrTo = (past: string): string =>
  `(?:(half|(?:a )?quarter|${NUMBER}(?: minutes?)?) (${past})|(${MINUTES_TO}) (to)) (${NUMBER}|${HOUR_NAME})\\b`
const withoutGroups = (pattern: string): string => pattern.replaceAll(/\((?!\?)/gu, "(?:")

/** "Twenty past four", "ten to six": these are times by themselves. */
export const PAST_OR_TO = withoutGroups(pastOrTo("past"))
/** "Twenty after four", "four thirty-five": these are times where they name the half or the part of the day. */
export const WITH_MINUTES = `(?:${withoutGroups(pastOrTo("past|after"))}|${NUMBER}[ -]${MINUTE}\\b)`

/** The most special first: what one has read is not read again. */
const FORMS: ReadonlyArray<Form> = [
  {
    pattern: new RegExp(`\\b(\\d{1,2})[:h](\\d{2})(?::\\d{2})?(?!\\d|:)${HALF_OF_DAY}?`, "giu"),
    read: ([h, m]) => [Number(h), Number(m)]
  },
  {
    pattern: new RegExp(
      `\\b(\\d{1,2})\\.(\\d{2})(?:(?=\\s?[–-]\\s?\\d{1,2}\\.\\d{2}\\b)|${HALF_OF_DAY})|(?<=\\d\\.\\d{2}\\s?[–-]\\s?)(\\d{1,2})\\.(\\d{2})\\b`,
      "giu"
    ),
    read: ([h, m, , h2, m2]) => [Number(h ?? h2), Number(m ?? m2)]
  },
  {
    pattern: new RegExp(`\\b${pastOrTo("past|after")}${HALF_OF_DAY}?`, "giu"),
    read: ([after, , before, which, hour]) => {
      const part = after ?? before
      const past = /^half$/u.test(part!)
        ? 30
        : part!.endsWith("quarter")
        ? 15
        : numberOf(part!.replace(/ minutes?$/u, ""))
      const whole = NAMED_HOURS[hour!] ?? numberOf(hour!)
      // "A quarter to one" is before one at noon or at night.
      return which === "to" ? [whole - 1 || 12, 60 - past] : [whole % 24, past]
    }
  },
  {
    pattern: new RegExp(`\\bhalf (${NUMBER})\\b(?! (?:hours?|minutes?|percent|a)\\b)`, "giu"),
    read: ([h]) => [numberOf(h!), 30]
  },
  {
    pattern: new RegExp(
      `(?<!${NUMBERED})\\b(?:zero )?(${NUMBER})[ -](${MINUTE})\\b(?:(?! and\\b)|(?<=\\bat ${NUMBER}[ -]${MINUTE}))(?:\\s?(?:hours|([ap])\\.?m\\b\\.?))?`,
      "giu"
    ),
    read: ([h, m]) => [numberOf(h!), numberOf(m!.replace(/^(?:oh|o|zero)[ -]/u, ""))]
  },
  {
    pattern: new RegExp(
      `\\b(${NUMBER})(?:\\s*([ap])\\.?m\\b\\.?|\\s+o['’]?clock\\b|\\s(?:in the (?:morning|afternoon|evening)|at night)\\b)`,
      "giu"
    ),
    read: ([h]) => [numberOf(h!), 0]
  },
  {
    pattern: new RegExp(
      `(?<=\\b(?:at|till|until|from|by|before|after) )(${NUMBER})(?=[.,;!?]|$| (?:on|tomorrow|tonight|sharp|today|till|until|to)\\b)`,
      "giu"
    ),
    read: ([h]) => [numberOf(h!), 0]
  },
  { pattern: /\b(noon|midday)\b/giu, read: () => [12, 0] },
  { pattern: /\b(midnight)\b/giu, read: () => [0, 0] }
]

/** "Two-oh-nine" is a number that is read out. */
const SPELLED = /^\p{L}+-(?:oh|o|zero)-\p{L}+$/iu
/** "Twenty twenty-six": as good a year as a time. */
export const YEAR_AS_SPOKEN = new RegExp(`^twenty[ -](?:twenty|thirty)(?:[ -]${UNIT})?$`, "iu")
/** "Four hundred" is an hour only where something begins or ends then. */
const HUNDRED = new RegExp(`^(?:${UNITS.join("|")})[ -]hundred$`, "iu")
/** The words before a bare hour that make it one: "at seven". */
const LEADING = "(?:at|till|until|from|by|before|after)"
export const LEADS = new RegExp(`\\b${LEADING}\\s$`, "iu")
/** Whether a text begins with such a word. */
export const LED = new RegExp(`^${LEADING}\\s`, "iu")

const MORNING = /\b(?:mornings?|breakfast|dawn|sunrise|sun rises)\b/iu
const LATER = /\b(?:afternoon|evenings?|tonight|dinner|supper|sunset|sun sets|dusk)\b/iu
const AT_NIGHT = /^,? at night\b/iu
/** As far around a time as the part of the day that it is of is named. */
const NEAR = 32
/** "In the morning" right after a time is of that one and of none that comes after it. */
const OWN_PART =
  /^,? (?:(?:in|at|on) (?:the )?|this |tomorrow |\p{L}+day )?(?:mornings?|afternoons?|evenings?|night|tonight)\b/iu

/** "Three in the afternoon": a whole hour that is one by its part of the day. */
const PART_INSIDE = /\s(?:in the (?:morning|afternoon|evening)|at night)$/iu

/** What links two times that the same part of the day is said of. */
const JOINED = /^\W*(?:(?:to|until|till|and|or|through|then)\s)?(?:at\s)?$/iu

/** Every time of day that a text says, in digits or as people say it, from left to right. Hours that may be of either half of the day are as said. */
export const clockTimesIn = (text: string): ReadonlyArray<ClockTime> => {
  const found: Array<ClockTime> = []
  const places = FORMS.flatMap(({ pattern }) =>
    Array.from(text.matchAll(pattern), ({ 0: said, index }) => ({ from: index, to: index + said.length }))
  )
  const ended = places.flatMap(({ to }) => {
    const part = OWN_PART.exec(text.slice(to))?.[0]
    return part === undefined
      ? (PART_INSIDE.test(text.slice(Math.max(0, to - NEAR), to)) ? [to] : [])
      : [to + part.length]
  })
  // "From six to eight in the evening" is of one evening; "rises at six and sets at eight in the evening" is not.
  const nextOf = (to: number): number =>
    Math.min(
      text.length,
      ...places.flatMap(({ from }) => from > to && from - to < NEAR && !JOINED.test(text.slice(to, from)) ? [from] : [])
    )
  for (const { pattern, read } of FORMS) {
    for (const match of text.matchAll(pattern)) {
      const [from, to] = [match.index, match.index + match[0].length]
      if (found.some((one) => one.from < to && from < one.to)) continue
      const groups = match.slice(1).map((group) => group?.toLowerCase())
      const [hour, minute] = read(groups) ?? [99, 99]
      if (hour < 0 || hour > 23 || minute > 59) continue
      // "Twenty twenty-five" is a year but where something is at that time.
      if (YEAR_AS_SPOKEN.test(match[0]) && !/\b(?:at|by|until|till|around|about)\s$/iu.test(text.slice(0, from))) {
        continue
      }
      if (SPELLED.test(match[0]) || (HUNDRED.test(match[0]) && !LEADS.test(text.slice(0, from)))) continue
      const half = /([ap])\.?m\b\.?$/iu.exec(match[0])?.[1]?.toLowerCase()
      // A part of the day that stands right behind a time is its own: "from ten in the morning until six in the evening".
      const itsPart = PART_INSIDE.exec(match[0])?.[0] ?? OWN_PART.exec(text.slice(to, to + NEAR))?.[0]
      const around = itsPart ?? text.slice(
        Math.max(0, from - NEAR, ...ended.filter((end) => end <= from)),
        Math.min(to + NEAR, nextOf(to))
      )
      const part = half ?? (AT_NIGHT.test(text.slice(to)) || /\sat night$/iu.test(match[0])
        ? (hour % 12 < 6 ? "a" : "p")
        : MORNING.test(around) === LATER.test(around)
        ? undefined
        : MORNING.test(around)
        ? "a"
        : "p")
      const fixed = hour === 0 || hour > 12 || /\b(?:noon|midday)\b/iu.test(match[0]) || /^zero|^0\d/iu.test(match[0])
      const settled = fixed || (part !== undefined && hour <= 12)
      const own = fixed || part === undefined ? hour : (hour % 12) + (part === "p" ? 12 : 0)
      const figures = half === undefined && /^\d{1,2}[:h]\d{2}/iu.test(match[0])
      found.push({ from, to, minutes: own * 60 + minute, settled, ...(figures ? { hour } : {}) })
    }
  }
  return found.toSorted((a, b) => a.from - b.from)
}

/** Times of which one is written by the day's twenty-four hours, "9:30–19:00": then each in figures is as it stands. */
export const byOneClock = (times: ReadonlyArray<ClockTime>): ReadonlyArray<ClockTime> =>
  times.some(({ hour }) => hour !== undefined && hour > 12)
    ? times.map((one) =>
      one.hour === undefined || one.settled ? one : { ...one, minutes: one.hour * 60 + one.minutes % 60, settled: true }
    )
    : times

/** Whether "to" between two numbers can mean minutes before an hour, wherever it stands: "nine to five" cannot. */
export const saysMinutesTo = (minutes: number): boolean => minutes <= 25 && minutes % 5 === 0

const HALF_DAY = 720
const isNight = ({ minutes }: ClockTime): boolean => minutes >= 1080 || minutes < 360

/** Whether a text says a time of day (`HH:MM`), in the half of the day that it names, if it names one. */
export const saysClock = (text: string, time: string): boolean => {
  const [hour, minute] = time.split(":").map(Number) as [number, number]
  const wanted = hour * 60 + minute
  return clockTimesIn(text).some(({ minutes, settled }) =>
    minutes === wanted || (!settled && (minutes + HALF_DAY) % (2 * HALF_DAY) === wanted)
  )
}

/**
 * The minutes after midnight that are meant where a text leaves the half of the day open: what other times of the same footage leave no
 * doubt about, else the hours in which most people are about, seven to half past six.
 */
export const meantMinutes = ({ minutes, settled }: ClockTime, others: ReadonlyArray<ClockTime>): number => {
  if (settled) return minutes
  const known = others.filter((one) => one.settled)
  const [early, late] = [known.filter((one) => one.minutes < HALF_DAY), known.filter((one) => one.minutes >= HALF_DAY)]
  const am = minutes % HALF_DAY
  // "Twenty to one" comes after half past ten at night, not ten hours before it.
  if (am < 60 && known.length > 0 && known.every(isNight)) return am
  if (early.length > 0 && late.length === 0 && am >= 300) return am
  if (late.length > 0 && early.length === 0) return am + HALF_DAY
  return am < 420 ? am + HALF_DAY : am
}

export const asClock = (minutes: number): string =>
  [Math.floor(minutes / 60) % 24, minutes % 60].map((part) => String(part).padStart(2, "0")).join(":")
