import { stem, type Token } from "../../text/Tokens.ts"

/**
 * Noun that a list is called by: verbs by which people begin to tell what is in it, without the noun. "It comes in black, green and white"
 * lists colours. Ordinary English by trades; a verb that announces anything ("have", "get", "go") is none.
 */
const ANNOUNCERS: ReadonlyArray<readonly [nouns: string, verbs: string]> = [
  ["languages", "speak speaks spoken speaking fluent"],
  ["colours colors shades finishes", "comes come available"],
  ["sizes flavours flavors versions variants editions models", "comes come available"],
  ["sponsors supporters donors backers", "sponsored supported funded backed financed"],
  ["investors", "invested invests"],
  ["instruments", "hear play plays played playing"],
  ["ppe gear clothing clothes protective", "wear wears wearing put"],
  ["tools equipment materials supplies utensils", "need needs bring"],
  ["topics subjects chapters themes modules", "cover covers covered covering discuss discusses discussed talk do"],
  ["stops stations halts", "stops stop stopping calls calling"],
  ["allergens", "contains contain"],
  ["symptoms complaints", "suffers suffering complains complained"],
  ["exports markets", "export exports exported ship ships sell sells delivers"],
  ["destinations cities countries places sights attractions", "visit visits visited visiting toured saw"],
  ["services", "offer offers provide provides"],
  ["products goods", "sell sells make makes produce produces manufactures"],
  ["crops vegetables plants flowers herbs trees", "grow grows grew planted sowed sow"],
  ["animals species birds", "spotted saw kept keeps"],
  ["dishes foods drinks courses", "ordered ate serve serves served drank"],
  ["components parts ingredients", "consists contains"],
  ["awards prizes medals titles", "won wins awarded"],
  ["medications medicines drugs", "takes prescribed taking"],
  ["payment methods payments", "accept accepts"],
  ["facilities amenities", "offers includes equipped"],
  ["sports hobbies", "plays play enjoys enjoy"],
  ["skills", "learn learned taught masters"],
  ["pros likes advantages positives strengths", "like likes love loved"],
  ["cons dislikes drawbacks negatives weaknesses disadvantages", "like dislike dislikes hate"],
  ["brands", "stock stocks carry carries"],
  ["included contents accessories extras", "get gets comes includes include contains"],
  ["partners", "collaborates collaborate partnered teamed"]
]

const verbsOf: ReadonlyMap<string, ReadonlySet<string>> = (() => {
  const out = new Map<string, Set<string>>()
  for (const [nouns, verbs] of ANNOUNCERS) {
    for (const noun of nouns.split(" ").map(stem)) {
      out.set(noun, new Set([...out.get(noun) ?? [], ...verbs.split(" ").map(stem)]))
    }
  }
  return out
})()

/** Stems of the verbs that announce a list of such a name. */
export const announcersOf = (names: Iterable<string>): ReadonlySet<string> =>
  new Set(Array.from(names).flatMap((name) => Array.from(verbsOf.get(name) ?? [])))

/** "Like" is a verb behind these alone: "it looked like gate four" likes nothing. */
const BEFORE_LIKE =
  /^(?:i|we|you|they|he|she|everybody|everyone|people|really|also|most|especially|particularly|not|\p{L}+n['’]t)$/u

/** The last word of these that announces a list by one of its verbs. */
export const announcerIn = (announcers: ReadonlySet<string>, tokens: ReadonlyArray<Token>): Token | undefined =>
  announcers.size === 0 ?
    undefined :
    tokens.findLast(({ norm }, at) =>
      announcers.has(stem(norm)) && (!norm.startsWith("lik") || BEFORE_LIKE.test(tokens[at - 1]?.norm ?? ""))
    )
