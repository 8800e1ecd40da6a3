import { sentenceAround, type Span } from "../../text/SourceDocument.ts"
import { stem, tokenise } from "../../text/Tokens.ts"

const BE = "(?:is|are|was|were|has been|have been|gets?|got)"
/** The first verb behind something, where it says that the thing is gone, left out, paid for apart or yet to come. */
const PREDICATE = new RegExp(
  String
    .raw`^(?:,?\s+(?!(?:is|are|was|were|has|have|gets?|got|will|costs?|but|while)\b)[\p{L}'’-]+){0,6}\s+(?:${BE}\s+(?:(?:now|already|all|both|currently|sadly|unfortunately|completely)\s+)*(sold out|out of stock|discontinued|cancell?ed|unavailable|excluded|withdrawn|gone|extra|on your own|at your own (?:expense|cost)|charged separately|coming (?:soon|later|next)|still to come|to follow)|will\s+(follow|come later|be (?:added|available) (?:later|soon|next))|costs?\s+(extra))\b`,
  "iu"
)
/** As far behind it as its verb may stand. */
const REACH = 120

/** Whether a sentence says of what stands in it that it is not there to be had, or not yet; not where that is what a list asks for. */
export const isUnavailable = (span: Span, words: string): boolean => {
  if (span.passage.modality !== "audio") return false
  const end = Math.min(sentenceAround(span).to, span.to + REACH)
  const said = PREDICATE.exec(span.passage.text.slice(span.to, end))?.slice(1).find((one) => one !== undefined)
  if (said === undefined) return false
  const asked = new Set(tokenise(words).map(({ norm }) => stem(norm)))
  return !tokenise(said).some(({ norm }) => asked.has(stem(norm)))
}
