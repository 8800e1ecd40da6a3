import type { Precision } from "../../../src/jobs/model/Precision.ts"
import type { GroundedDraft } from "../grounding/Grounding.ts"
import { confidenceIn } from "../ranking/Confidence.ts"
import type { Passage } from "../text/SourceDocument.ts"
import { isCertain } from "./Certainty.ts"
import { tooUnlikely, type Verdict } from "./Judge.ts"
import { JUDGE_FEATURES } from "./JudgeFeatures.ts"
import { thresholds } from "./JudgeWeights.ts"

/**
 * From which confidence on a strict result has what a rule reads from a form of speech, whoever says it and of whichever field: of 163 such values of clips by writers whom
 * no tree had seen 159 are right. A screen's labels and headings are told of several things (10 of 12 headings are right).
 */
const STRICT_BY_FORM = 0.7
/** The same of talks, where 48 of 54 were right from 0.7 on, 36 of 40 from here. */
const STRICT_BY_FORM_IN_TALK = 0.8
/** From which on it has cells of a table that explains itself. */
const STRICT_BY_TABLE = 0.8
const BY_FORM =
  /^rules:(?:own-name|introduction|welcome|apposition|caption|assertion|number-of|noun-number|name-kind|only-currency|said-plainly)$/u

type Found = Pick<GroundedDraft, "checks" | "modality" | "pointer_template" | "proposed_by" | "support" | "value">

/** One word of letters and figures, "P/24/0317", "TX40": nothing else looks like it. */
const CODE = /^(?=\S*\d)(?=\S*\p{L})\S+$/u

/**
 * Whether a text is as it was said or shown, and chosen among others like it: of 20 such values in 48 clips by four writers whom no rule had seen 9 were right, of
 * numbers, days and whatever else its form ties to its field 45 of 51.
 */
const isChosenText = ({ proposed_by, support, value }: Found): boolean =>
  proposed_by === "ranker" && support === "verbatim" && typeof value === "string" && !CODE.test(value)

/**
 * Whether it is from a table on the screen whose header names its columns, or whose rows are made alike with a number that only one property takes: in 468
 * open videos all 37 such values are right from that confidence on.
 */
const isTabled = ({ modality, proposed_by }: Found): boolean => proposed_by === "list:table" && modality !== "audio"

const isOfForm = (found: Found): boolean => BY_FORM.test(found.proposed_by) || isTabled(found)

/** Of more spoken words footage is a talk, a tour or a meeting, in which people correct themselves minutes later. */
const WORDS_OF_A_CLIP = 300

/** Whether so much is said that a value is easily another's, or is no more. */
export const isTalk = (passages: ReadonlyArray<Passage>): boolean => {
  const spoken = passages.filter(({ modality }) => modality === "audio")
  return spoken.reduce((sum, { text }) => sum + text.split(/\s+/u).length, 0) > WORDS_OF_A_CLIP
}

/**
 * From which likelihood on a strict result has a value of a talk. The one threshold for all footage is that of clips, which hold most values: of talks by writers whom
 * no tree had seen 158 of 189 were right from there on, 116 of 135 from 0.84, 76 of 86 from 0.88 (of clips 549 of 564 from 0.79).
 */
const STRICT_IN_TALK = 0.88

/** Another value of the kind comes later where the field is named, or the value is a cell of a row. */
const MOVING: ReadonlyArray<(typeof JUDGE_FEATURES)[number]> = ["later_tied", "row"]
const isMoving = (features: ReadonlyArray<number>): boolean =>
  MOVING.some((name) => features[JUDGE_FEATURES.indexOf(name)]! > 0)

/** How likely a value is, and how sure that and what it was heard or read by make it. */
export interface Sure {
  /** Its proposer set the likelihood by hand, not the judge by what is cited. */
  readonly told: boolean
  readonly confidence: number
}

/** What the judge's word on a value is worth, who was fitted on footage of every sort: over writers whom no tree has seen it is off by 0.04 to 0.08. */
export const sureOf = (
  { checks: { judged_by }, span }: Pick<GroundedDraft, "checks" | "span">,
  answers: number
): Sure => ({
  told: judged_by !== null,
  confidence: confidenceIn(answers, span)
})

/** Whether everything holds that a verified span promises: a balanced result gives less likely values too, and says so. */
export const isVerified = (found: Found, precision: Precision): boolean => {
  const { answers, derivable, quoted } = found.checks
  const least = precision === "balanced" ? 0.5 : isOfForm(found) ? STRICT_BY_FORM : thresholds.strict
  return quoted && derivable !== false && answers !== null && answers >= least
}

/**
 * Whether it is one of several values of a list that were each chosen by what is said around them: of 9 such days and times in 84 videos by eight writers whom no
 * rule had seen 3 were right, of those of single fields 22 of 23.
 */
const isChosenEntry = ({ pointer_template, proposed_by }: Found): boolean =>
  proposed_by === "ranker" && pointer_template.split("/").includes("*")

/**
 * Lists whose entries are told by what stands alike or under a heading, or by likelihood: a strict result has none of them. In 72 clips by six writers whom no rule had
 * seen 37 of 68 such entries that were sure enough for it were right, of all its other values 138 of 171.
 */
const BY_ARRANGEMENT = /^list:(?:records|entries|headed-lines|echoed-lines|needed|strung)$/u

const unsettled = (because: string): Verdict["hold"] => ({ reason: "below_threshold", because })

/** Why a strict result does not have a value that a balanced one has, by its likelihood, how surely its words were heard, and its sort; undefined where it has it. */
export const heldFromStrict = (
  found: Found,
  features: () => ReadonlyArray<number>,
  { confidence, told }: Sure,
  talk: boolean
): Verdict["hold"] => {
  const { checks: { answers }, proposed_by } = found
  const said = answers ?? 0
  if (talk && isMoving(features())) {
    return unsettled("Another value comes later where its field is named, or it is a cell of a row, in a talk.")
  }
  if (BY_FORM.test(proposed_by)) {
    const least = talk ? STRICT_BY_FORM_IN_TALK : STRICT_BY_FORM
    return confidence >= least ? undefined : tooUnlikely(confidence, least)
  }
  if (isTabled(found) && !told && confidence >= STRICT_BY_TABLE) return undefined
  const least = talk ? Math.max(STRICT_IN_TALK, thresholds.strict) : thresholds.strict
  if (said < least) return tooUnlikely(said, least)
  if (isChosenText(found)) {
    return unsettled("It is a text that is chosen among others: no form says that it is the one that is asked for.")
  }
  if (isChosenEntry(found)) {
    return unsettled("It is one of several entries that were each chosen among others: no form says that it is one.")
  }
  if (BY_ARRANGEMENT.test(proposed_by)) {
    return unsettled("It is an entry by how it is arranged: nothing names what it is one of.")
  }
  return isCertain(proposed_by, features())
    ? undefined
    : unsettled("It is chosen by meaning, or another field or value has a like claim to these words.")
}
