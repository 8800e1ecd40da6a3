import type { EntityRegistry } from "../candidates/EntityRegistry.ts"
import { honorificAtEnd } from "../lexicon/Honorifics.ts"
import { soughtType } from "../lexicon/NameTypes.ts"
import { identifierWords } from "../text/Tokens.ts"
import type { Draft } from "./Draft.ts"

/** Fields that ask for a part of a name. */
const ASKS_PART = /\b(?:first|last|given|family|sur|nick|short|maiden)(?: ?name)?\b|\bsurname\b/u
const ONE_WORD = /^\p{Lu}[\p{L}'’-]+$/u

/** What a model answers stays as it answers: it has read who is meant. */
const BUILTIN = /^(?:ranker$|rules:)/u

/**
 * Somebody who is called by one word, as the source calls him in full: by the only name of the screen that begins with it ("I'm Tobias" over "Tobias
 * Renner"), else with the honorific that stands before it. Undefined where the field asks for a part of a name, or for nobody.
 */
export const inFull = (draft: Draft, { people }: Pick<EntityRegistry, "people">): Draft | undefined => {
  const { derived, item_key, leaf, proposed_by, span, value } = draft
  if (!BUILTIN.test(proposed_by)) return undefined
  if (typeof value !== "string" || !ONE_WORD.test(value) || derived !== undefined || item_key !== undefined) {
    return undefined
  }
  const name = identifierWords(leaf.name).join(" ")
  if (leaf.type !== "string" || soughtType(leaf) !== "person" || ASKS_PART.test(name)) return undefined
  if (leaf.schema["pattern"] !== undefined || leaf.schema["maxLength"] !== undefined) return undefined
  const [full, ...others] = people.filter((one) => one.name.startsWith(`${value} `))
  const shown = others.length === 0 ? full?.spans.find(({ passage }) => passage.modality === "visual") : undefined
  if (shown !== undefined) return { ...draft, value: full!.name, span: shown }
  const { from, passage, to } = span
  const honorific = honorificAtEnd(passage.text.slice(Math.max(0, from - 12), from))
  if (honorific === undefined || passage.text.slice(from, to) !== value) return undefined
  const start = from - honorific.length
  return { ...draft, value: passage.text.slice(start, to), span: { passage, from: start, to } }
}
