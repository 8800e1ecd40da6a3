/** What a document or an event is called, whoever it is of. */
const NOUN =
  /^(?:results|handbook|brochure|newsletter|prospectus|agenda|roadmap|catalogue|catalog|timetable|webinar|workshop|presentation|overview|briefing|keynote)$/iu
/** Words that end names as well ("Doris Day"): they call a document or an event only behind a word of its kind, or before a year. */
const WEAK_NOUN =
  /^(?:report|day|evening|week|round|review|update|summary|plan|strategy|menu|programme|program|schedule|policy|proposal|deck|conference|meeting|training|session|tour|demo|manual|guide|minutes|launch|forecast|budget|call)$/iu
const KIND =
  /^(?:annual|quarterly|monthly|weekly|first|second|third|fourth|half|q[1-4]|h[12]|year|quarter|interim|final|full|investors?|shareholders?|staff|patient|employee|user|customer|visitors?|members?|product|open|seed|series|funding|sales|financial|earnings|safety|welcome|project|board|general|status|progress|team|induction|onboarding)$/iu
const YEAR = /^(?:19|20)\d\d$/u
const OF_A_HOUSE = /^((?:dr|prof|professor)\.? .+?) (?:department|faculty|division|institute|school|chair) of\b/iu

/**
 * The name before what calls a document, an event or a department in a line of capitalised words: "Acme Robotics" of "Acme Robotics Annual
 * Report 2024". Undefined where there is none, or nothing but it.
 */
export const nameBeforeDocument = (line: string): string | undefined => {
  const housed = OF_A_HOUSE.exec(line)?.[1]
  if (housed !== undefined) return housed
  const words = line.split(" ")
  const dated = YEAR.test(words.at(-1) ?? "")
  let at = dated ? words.length - 2 : words.length - 1
  const noun = words[at] ?? ""
  if (!NOUN.test(noun) && !WEAK_NOUN.test(noun)) return undefined
  const last = at
  while (at > 0 && KIND.test(words[at - 1]!)) at--
  if (at === 0 || (at === last && !dated && !NOUN.test(noun))) return undefined
  if (/^(?:of|the|and|for|&)$/iu.test(words[at - 1]!)) return undefined
  const name = words.slice(0, at).join(" ").replace(/[\s,:|·–—-]+$/u, "")
  return name === "" ? undefined : name
}

/** Whether a phrase begins with what calls a document or an event and nobody: "Seed round", "Annual Report 2024". */
export const startsDocument = (phrase: string): boolean => {
  const words = phrase.trim().split(/\s+/u).slice(0, 4)
  const at = words.findIndex((word) => !KIND.test(word))
  return at > 0 && (NOUN.test(words[at]!) || WEAK_NOUN.test(words[at]!))
}
