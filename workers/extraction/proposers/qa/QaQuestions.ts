import type { Leaf } from "../../text/Plan.ts"
import { identifierWords } from "../../text/Tokens.ts"

const ASKS = /^(?:what|which|who|whom|whose|when|where|why|how)\b/iu
const MOST_WORDS = 25

const firstSentence = (text: string): string =>
  text.split(/(?<=[.?!])\s/u)[0]!.split(/\s+/u).slice(0, MOST_WORDS).join(" ")

/**
 * The question that a leaf is, in the words of its schema: its description where there is one, else its title, else its
 * name. `Year the house was built` asks "What is the year the house was built?".
 */
export const questionOf = ({ name, schema }: Leaf): string => {
  const [description, title] = [schema["description"], schema["title"]].map((text) =>
    typeof text === "string" ? firstSentence(text.trim()).replace(/[.?!:]+$/u, "") : ""
  ) as [string, string]
  const words = description !== "" ? description : title !== "" ? title : identifierWords(name).join(" ")
  if (ASKS.test(words)) return `${words}?`
  // A name keeps its capital: "USB port" is no "uSB port".
  const plain = words.replace(/^(?:the|an?)\s+/iu, "").replace(/^\p{Lu}(?=\p{Ll})/u, (letter) => letter.toLowerCase())
  return `What is the ${plain}?`
}
