import type { ChatAnswer } from "../../workers/extraction/proposers/llm/LlmDialect.ts"
import { type OracleProposal, readPrompt } from "./Oracle.ts"

/** How a model puts what it knows: what it changes in each proposal, and what it writes in the end. */
interface Manner {
  readonly say?: (proposal: OracleProposal, prompt: string) => OracleProposal
  readonly write?: (json: string) => string
  readonly finish?: ChatAnswer["finish"]
}

const numeral = (value: number): string => value >= 1000 ? `$${value.toLocaleString("en-US")}` : `${value} units`

/** The same words in another order, as where a model tells a thing in its own way. */
const reworded = (value: OracleProposal["value"]): OracleProposal["value"] => {
  if (typeof value !== "string" || !/\p{L} \p{L}/u.test(value)) return value
  return `${value.split(" ").toReversed().join(" ")} (approx.)`
}

const twoLines = (proposal: OracleProposal, prompt: string): OracleProposal => {
  const { shown } = readPrompt(prompt)
  const next = shown[shown.findIndex(({ text }) => text === proposal.quote) + 1]
  return next === undefined
    ? proposal
    : { ...proposal, quote: `${proposal.quote} ${next.text}`, refs: [...proposal.refs, next.number] }
}

const decorated = (proposal: OracleProposal): OracleProposal => {
  const { value } = proposal
  return {
    ...proposal,
    value: typeof value === "number" ? numeral(value) : value === true ? "yes" : value === false ? "no" : value
  }
}

/** Ten manners of speaking of one model that is always right. */
export const manners: Readonly<Record<string, Manner>> = {
  whole_lines: {},
  fenced: { write: (json) => `\`\`\`json\n${json}\n\`\`\`` },
  prose: { write: (json) => `Here is what I found:\n\n${json}\n\nLet me know if {anything} is missing!` },
  thinking: { write: (json) => `<think>The form wants {name, price}, line [3] says it ...</think>\n${json}` },
  decorated: { say: decorated },
  two_lines: { say: twoLines },
  tidied: {
    say: (proposal) => ({
      ...proposal,
      quote: proposal.quote.replaceAll(/\b(?:um|uh|like|you know|well|so|just|really)\b,? ?/giu, "")
    })
  },
  reworded: { say: (proposal) => ({ ...proposal, value: reworded(proposal.value) }) },
  refused: { write: () => "I'm sorry, but I can't help with that." },
  cut: { write: (json) => json.slice(0, Math.floor(json.length / 2)), finish: "length" }
}

/** A model's whole answer in a manner. */
export const spoken = (
  { finish = "stop", say = (one) => one, write = (json) => json }: Manner,
  proposals: ReadonlyArray<OracleProposal>,
  prompt: string
): ChatAnswer => {
  const text = write(JSON.stringify({ proposals: proposals.map((one) => say(one, prompt)) }))
  return {
    text,
    finish,
    input_tokens: Math.ceil(prompt.length / 4),
    output_tokens: Math.ceil(text.length / 4)
  }
}
