import type { Material } from "../candidates/Mention.ts"
import type { Leaf } from "../text/Plan.ts"
import type { Span } from "../text/SourceDocument.ts"
import { identifierWords } from "../text/Tokens.ts"

/** How a field asks for what is worked out of other numbers, by its name or its description, and how speech says that a number is that. */
const WORKED_OUT: ReadonlyArray<readonly [named: RegExp, described: RegExp, said: RegExp]> = [
  [
    /\b(?:total|totals|sum|altogether|combined)\b/u,
    /\b(?:(?:sum|total) (?:of|over)|in total|, total$|added up|all (?:\p{L}+ ){0,3}(?:together|combined))\b/u,
    /\b(?:total(?:s|led|ling)?|altogether|overall|combined|together|sum|added?|adds|(?:that|it|this|which|everything) (?:makes|made|comes|came)|all|whole|entire|bill|grand)\b/iu
  ],
  [
    /\b(?:difference|gap|gain|increase|reduction|decrease|deficit|left over|remaining|balance due|still needed)\b/u,
    /\b(?:difference|minus|by how much|how (?:much|many) (?:more|less|fewer|longer)|(?:is|are) left)\b/u,
    /\b(?:differ\p{L}*|gap|more|less|fewer|higher|lower|longer|shorter|up|down|by|increas\p{L}*|ris\p{L}*|rose|reduc\p{L}*|drop\p{L}*|fell|fall\p{L}*|gain\p{L}*|sav\p{L}*|off|ahead|behind|short|left|remain\p{L}*|still|owe\p{L}*|due|need\p{L}*|extra|another|cut)\b/iu
  ]
]

/**
 * Why a number is not what a field asks for that has to be worked out of several: a total or a difference is taken only from words that say that
 * it is one, since what is said of its parts is a part. Undefined for every other field, and where they do.
 */
export const isPartOf = ({ sentences }: Material, leaf: Leaf, { from, passage }: Span): string | undefined => {
  if (leaf.type !== "number" && leaf.type !== "integer") return undefined
  const name = identifierWords(leaf.name).join(" ")
  const described = String(leaf.schema["description"] ?? "").toLowerCase()
  const asked = WORKED_OUT.find(([named, words]) => named.test(name) || words.test(described))
  if (asked === undefined) return undefined
  const at = sentences.findIndex((one) => one.passage === passage && one.from <= from && from < one.to)
  // "And altogether? Nine hundred."
  return sentences.slice(Math.max(0, at - 1), at + 1).some(({ text }) => asked[2].test(text))
    ? undefined
    : "It has to be worked out, and nothing says that this number is more than a part of it."
}
