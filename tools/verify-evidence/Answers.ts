const set = (words: string): ReadonlySet<string> => new Set(words.split(" "))

const fillers = set("oh well um uh er ah hm hmm so and but wait sorry actually honestly alright ok okay")
const affirming = set(
  "yes great good fine yeah yep yup sure absolutely definitely certainly indeed exactly correct right true perfect please sounds works go"
)
const denying = set("no nope nah not never unfortunately sadly regrettably")
const turning = set("not never wrong incorrect false")
const who = set("it they we i you he she there that this these those which everything all")
const helping = set(
  "do does did is are am was were has have had can could will would should be sounds works like love think believe guess suppose want need afraid right correct true fine good great perfect"
)
/** What an answer may hold besides: how sure it is, and a word for what was asked. */
const besides = set(
  "not never actually certainly definitely really absolutely indeed sure both all also too so now already yet either anymore though sir please it that this one them those these some any to the thank thanks you wrong incorrect false nice okay ok wonderful awesome ideal lovely for me course afraid"
)

/** "It doesn't" and "it's" as the two words that they are. */
const plain = (text: string): string =>
  text.normalize("NFKC").toLowerCase().replaceAll(/[’`]/gu, "'")
    .replaceAll(/\bcannot\b/gu, "can not").replaceAll(/\bcan't\b/gu, "can not").replaceAll(/\bwon't\b/gu, "will not")
    .replaceAll(/n't\b|(?<=\b(?:do|does|did|is|are|was|were|have|has|had|would|could|should))nt\b/gu, " not")
    .replaceAll(/\s?'(?:s|re|m|ve|ll|d)\b|(?<=\bthat)s\b/gu, " is")

const wordsOf = (text: string): ReadonlyArray<string> => {
  const words = text.match(/\p{L}+/gu) ?? []
  const from = words.findIndex((word) => !fillers.has(word))
  return from < 0 ? [] : words.slice(from)
}

/**
 * Whether a quote that does not say what it speaks of says yes or no all the same: it begins with such a word, or its first
 * clause is one of who and whether ("it does", "we have not yet") with at most one word of its own. Undefined for any other.
 */
export const answers = (quote: string): boolean | undefined => {
  const text = plain(quote)
  const words = text.split(/[,.;:!?…–—]|\s-\s|\b(?:and|but|because|thanks?)\b/u).map(wordsOf).find(({ length }) =>
    length > 0
  )
  if (words === undefined) return /\bok(?:ay)?\b/u.test(text) ? true : undefined
  const [first] = words
  if (denying.has(first!)) return false
  if (affirming.has(first!) || (first === "of" && words[1] === "course")) {
    return !words.slice(1, 4).some((word) => turning.has(word))
  }
  if (!who.has(first!)) return undefined
  if (words.slice(0, 3).join(" ") === "i is afraid") {
    return /\b(?:not?|never|nope|nah)\b/u.test(text) ? false : words[3] === "so" ? true : undefined
  }
  const whether = words.slice(0, 6).findIndex((word) => helping.has(word))
  const own = words.filter((word) => !who.has(word) && !helping.has(word) && !besides.has(word) && !affirming.has(word))
  return whether < 0 || own.length > 1 ? undefined : !words.some((word) => turning.has(word))
}
