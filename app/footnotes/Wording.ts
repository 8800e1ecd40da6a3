/** What the closed words of evidence mean, in sentences for people. */
export const reasons: Readonly<Record<string, string>> = {
  not_found: "The footage does not say.",
  not_stated: "The field wants a value only if it is stated, and it is not.",
  below_threshold: "Something was found that is not sure enough for the precision of this job.",
  refused: "A value was proposed that its quote or the schema does not carry.",
  conflicting: "The footage says several values and none of them prevails.",
  source_unclear: "Speech or picture are too unclear here to rely on.",
  unsupported: "Nothing here can answer a field of this shape.",
  budget: "The tokens, the time or the room of the job did not suffice.",
  does_not_fit: "What was found does not fit the schema.",
  placeholder: "The schema forbids leaving it out; the smallest value that it allows stands here.",
  default: "The schema's own default stands here.",
  constant: "The schema's own constant stands here.",
  rejected: "A person said in a review that what was found here is wrong."
}

export const grades: Readonly<Record<string, string>> = {
  stated: "its own words are said or shown",
  classified: "a label by what the quote means",
  computed: "counted, summed or a moment",
  generated: "new words that sum up their citations",
  default: "the schema's own, the footage says nothing of it"
}

export const roles: Readonly<Record<string, string>> = {
  value: "says the value",
  subject: "says whom or what it is about",
  question: "what it answers",
  input: "enters the formula",
  support: "carries one sentence"
}

export const channels: Readonly<Record<string, string>> = {
  asr: "heard",
  captions: "in the captions",
  ocr: "read on screen",
  vision: "seen",
  metadata: "from the file"
}

export const modalities: Readonly<Record<string, string>> = {
  audio: "heard",
  visual: "on screen",
  both: "heard and on screen",
  none: "from the schema"
}

const judges: Readonly<Record<string, string>> = {
  rules: "by rules",
  reader: "by a reading model",
  model: "by a language model in a call of its own",
  person: "by a person"
}

export const percent = (fraction: number): string => `${Math.round(fraction * 100)} %`

export interface Check {
  readonly holds: boolean | null
  readonly says: string
}

/** Why a value counts as verified, or why it does not, check by check. */
export const checksInWords = (span: {
  readonly grade: string
  readonly verified: boolean
  readonly checks: {
    readonly quoted: boolean
    readonly derivable: boolean | null
    readonly answers: number | null
    readonly judged_by: string | null
  }
}): ReadonlyArray<Check> => {
  const { answers, derivable, judged_by, quoted } = span.checks
  const judge = judged_by === null ? "" : `, judged ${judges[judged_by] ?? judged_by}`
  return [
    {
      holds: quoted,
      says: quoted
        ? "Every quote is in its source, word for word, at its moment."
        : "A quote is not in its source word for word."
    },
    {
      holds: derivable,
      says: derivable === null
        ? "No rule can say whether it follows: it goes by what the quote means."
        : derivable
        ? "The value follows from the quotes by rule."
        : "The value does not follow from the quotes by rule."
    },
    {
      holds: answers === null ? null : quoted && derivable !== false ? span.verified : null,
      says: answers === null
        ? "Nobody judged whether the quotes answer this field."
        : `The quotes answer this field with ${percent(answers)} likelihood${judge}.`
    }
  ]
}
