import type { Material } from "../candidates/Mention.ts"
import { NAME_STOP_WORDS } from "../candidates/scan/ScanNames.ts"
import { HONORIFIC } from "../lexicon/Honorifics.ts"
import type { Leaf } from "../text/Plan.ts"
import { type Passage, quoteOf, type Span } from "../text/SourceDocument.ts"
import { identifierWords, normaliseValue } from "../text/Tokens.ts"
import { ownNameOf } from "./WhoPresents.ts"

/** Fields for whoever is served, taught or asked, by their whole name: "customer_company" is no such field. */
const SERVED =
  /^(?:customer|client|prospect|patient|guest|trainee|student|learner|pupil|renter|candidate|applicant|interviewee|participant)(?: (?:full )?name)?$/u

/** Of whom there is none where nobody offers help: the second voice of an interview buys nothing. */
const CUSTOMER = /\b(?:customer|client|prospect|patient|renter)\b/u
/** Whoever is only greeted may as well be a guest. */
const BUYER = /\b(?:customer|renter)\b/u
const HELPS =
  /\b(?:how (?:can|may|could) (?:i|we) help|what can (?:i|we) do for you|thank(?:s| you) for calling|what brings you)\b/iu

const NAME = String.raw`((?:${HONORIFIC}\s+)?\p{Lu}\p{Ll}[\p{L}'’-]+(?:\s\p{Lu}\p{Ll}[\p{L}'’-]+)?)`
/** "Hi Nadia, it's Owen", "So, Ignatz, how've you been?", "Nathaniel Brook, hello." */
const GREETED = [
  new RegExp(
    String
      .raw`(?:^|[.!?]\s+)(?:Hi|Hello|Hey|Ah|Okay|So|Right|Welcome|Thanks|Thank you|Morning|Good (?:morning|afternoon|evening))[, ]+${NAME}(?=[,.!?])`,
    "dgu"
  ),
  new RegExp(String.raw`(?:^|[.!?]\s+)${NAME}, (?:hello|hi|welcome)\b`, "dgu")
] as const
/** How many passages the greeting may take. */
const EARLY = 6

const greetingIn = (passages: ReadonlyArray<Passage>): Span | undefined =>
  passages.flatMap((passage) =>
    GREETED.flatMap((pattern) =>
      Array.from(passage.text.matchAll(pattern), ({ indices }): Span => {
        const [from, to] = indices![1]!
        return { passage, from, to }
      })
    )
  ).find(({ from, passage: { text }, to }) => !NAME_STOP_WORDS.has(text.slice(from, to).split(/\s/u)[0]!.toLowerCase()))

const textOf = (span: Span): string => normaliseValue(quoteOf(span))

/**
 * The name of whoever is served in the talk of two, by what the second voice calls itself or the first one calls it; undefined for a field that asks for
 * anybody else, for more voices, and where nobody is called by a name.
 */
export const whoIsServed = (material: Material, leaf: Leaf): Span | undefined => {
  const name = identifierWords(leaf.name).join(" ")
  if (!SERVED.test(name)) return undefined
  const heard = material.reading.passages.filter(({ modality }) => modality === "audio")
  const voices = Array.from(new Set(heard.map(({ speaker }) => speaker)))
  const [first, second] = voices
  if (voices.length !== 2 || first === null || second === null) return undefined
  const of = (voice: string | null | undefined): ReadonlyArray<Passage> =>
    heard.filter(({ speaker }) => speaker === voice)
  const helped = of(first).slice(0, EARLY).some(({ text }) => HELPS.test(text))
  const own = CUSTOMER.test(name) && !helped
    ? undefined
    : material.registry.speakers.get(second!)?.spans[0] ?? ownNameOf(of(second), material)
  const greeted = BUYER.test(name) && !helped ? undefined : greetingIn(of(first).slice(0, EARLY))
  const calledBack = greetingIn(of(second).slice(0, EARLY))
  // Whom both call by one name is somebody else.
  return own ??
    (greeted !== undefined && calledBack !== undefined && textOf(greeted) === textOf(calledBack) ? undefined : greeted)
}
