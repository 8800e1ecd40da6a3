import type { Candidate } from "../../text/Candidate.ts"
import type { Passage } from "../../text/SourceDocument.ts"
import { NAME_STOP_WORDS } from "./ScanNames.ts"

/** Words of conversations that are hardly ever part of a name; what is left may be one. */
const ORDINARY: ReadonlySet<string> = new Set(
  ("able about add adding additional address again ahead allow allowed allows already another anyone appreciate appointment area around assist available away back bad because been before begin best " +
    "better bit book booked booking bring business buy buying call called calling came care change charge cheap check checking city close come coming confirm confirmed contact correct cost costs could couldn't couple " +
    "currently date day days decide departing details different directed do does doing done don't each early either else end enough event events every everything exactly expensive favorite feel few flight " +
    "flights follow following found four free friend full fun further gave getting give given go goes going gonna gotta got great had half happen happy hard hear heard help hear high hold home hope hotel hours how however " +
    "i'm idea included including information interested it'd it'll job just keep kind know last late later least leave leaving left like liked listen little live located location long longer looks lot love " +
    "made mail make makes making many may mean meet meeting method mind minute minutes moderately month more morning most move movie much must music name named near need needed needs never nice night none number " +
    "of off often ok old once open option options order other our out over own paid part party pay people per percent phone pick place places plan planning play playing please possible prefer price problem provide purchase put " +
    "question quite rate rating rather ready really recommend rent request reservation reserve reserved rest restaurant restaurants return returning review ride right room rooms said same saw say schedule scheduled search searching second see seen send serve " +
    "service set several share she should shouldn't similar since sir some someone something somewhere song soon sort sounds speak specific spend stand star start starting starts stay staying still stop suggest suits sure table take taking talk tell than thanks that'll " +
    "then they they're thing things think thought through ticket tickets till time times title told too total town toward transfer travel traveling traveler try trying turn type under until up upcoming use used using usually verify very visit wait wanna want " +
    "wanted wants watch watching way we'll we've week weekend welcome well went were whatever when whenever whether while why will wish with within without wonderful won't work working works worth would wouldn't wrong year yet you'd you'll you've yours")
    .split(" ")
)
const JOINERS = /^(?:of|the|and|de|la|le|del|vs)$/u
const LONGEST = 5

/**
 * What may be a name in speech that was written down without capitals: runs of words that are neither ordinary nor numbers, their
 * parts, and two runs around a word that joins names. Far more than there are names; the ranker has weights of its own for them.
 */
export const scanUncased = (passage: Passage): ReadonlyArray<Candidate> => {
  const { text, tokens } = passage
  const telling = tokens.map(({ norm, text: word }) =>
    /^\p{L}{2}/u.test(word) && !NAME_STOP_WORDS.has(norm) && !ORDINARY.has(norm)
  )
  const adjacent = (at: number): boolean =>
    at > 0 && at < tokens.length && /^[\s&'’-]+$/u.test(text.slice(tokens[at - 1]!.to, tokens[at]!.from))
  const runs: Array<readonly [from: number, end: number]> = []
  for (let at = 0; at < tokens.length; at++) {
    if (!telling[at]) continue
    const from = at
    while (telling[at + 1] === true && adjacent(at + 1)) at++
    runs.push([from, at + 1])
  }
  const candidate = (from: number, end: number, whole: boolean): Candidate => {
    const [start, to] = [tokens[from]!.from, tokens[end - 1]!.to]
    const said = text.slice(start, to).replace(/['’]s$/u, "")
    return { kind: "name", passage, from: start, to: start + said.length, text: said, value: said, whole }
  }
  return runs.flatMap(([from, end], at) => {
    const found: Array<Candidate> = []
    for (let start = from; start < end; start++) {
      for (let stop = start + 1; stop <= Math.min(end, start + LONGEST - 1); stop++) {
        found.push(candidate(start, stop, start === from && stop === end))
      }
    }
    const next = runs[at + 1]
    if (next !== undefined && next[1] - from <= LONGEST) {
      const between = Array.from({ length: next[0] - end + 1 }, (_, offset) => end + offset)
      const joined = between.every(adjacent) && between.slice(0, -1).every((one) => JOINERS.test(tokens[one]!.norm))
      if (joined) found.push(candidate(from, next[1], true))
    }
    return found
  })
}

/** Fewer capitals among spoken words than this, and the recogniser writes none. */
const CAPITALS = 0.01

/** Whether what was said is written without capitals. */
export const isUncased = (passages: ReadonlyArray<Passage>): boolean => {
  const words = passages.filter(({ modality }) => modality === "audio").flatMap(({ tokens }) => tokens)
  const capitals = words.filter((token) =>
    /^\p{Lu}/u.test(token.text) && token.norm !== "i" && !token.norm.startsWith("i'")
  )
  return words.length > 0 && capitals.length < words.length * CAPITALS
}
