import type { Material } from "./Found.ts"
import type { Leaf } from "./Plan.ts"
import type { Ranked } from "./Rank.ts"
import { apposition } from "./RankFeatures.ts"
import { PRESENTING, stated } from "./ScreenFields.ts"
import { identifierWords } from "./Tokens.ts"

/** Below what the screen says plainly, above what is only likely. */
const SCORES = { introduced: 0.9, apposition: 0.88 } as const

/**
 * What speech says plainly: "I'm Lena Okafor" for who presents, in order of introduction, and "Dana Whitfield, our chief
 * executive officer" for the field `ceo`.
 */
export const spokenFields = ({ cast, reading }: Material, leaves: ReadonlyArray<Leaf>): ReadonlyArray<Ranked> =>
  leaves.filter((leaf) => leaf.type === "string").flatMap((leaf) => {
    if (PRESENTING.test(identifierWords(leaf.name).join(" "))) {
      return Array.from(
        cast.speakers.values(),
        ({ spans }, at) => stated(leaf, spans[0]!, SCORES.introduced - at / 1000)
      )
    }
    return reading.candidates
      .filter(({ kind, passage, to }) =>
        kind === "name" && passage.modality === "audio" && apposition(leaf, passage.text.slice(to, to + 30))
      )
      .map((name) => stated(leaf, name, SCORES.apposition))
  })
