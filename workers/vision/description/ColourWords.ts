import type { FrameColours } from "../picture/FrameColours.ts"

const tuning = {
  /** Share of a frame, or of its third, that a colour has which is said of it. */
  most: 0.5,
  second: 0.2,
  third: 0.55,
  /** Of a hue's pixels so many are light, or dark, where it is called so. */
  tone: 0.6,
  /** Share of a colour that stands out where there is hardly another: a red motorcycle in a garage has 0.07. */
  accent: 0.05
} as const

type Shares = FrameColours["named"]

interface Hue {
  readonly name: string
  readonly share: number
}

const hueOf = (name: string): string => name.replace(/^(?:light|dark) /u, "")

/** Hues with their shares, largest first: light blue beside blue is blue, and light blue where most of it is light. */
const huesOf = (named: Shares): ReadonlyArray<Hue> =>
  [...Map.groupBy(named, ({ name }) => hueOf(name))].map(([hue, tones]) => {
    const share = tones.reduce((sum, tone) => sum + tone.share, 0)
    return { name: tones[0]!.share >= tuning.tone * share ? tones[0]!.name : hue, share }
  }).toSorted((a, b) => b.share - a.share || (a.name < b.name ? -1 : 1))

/** What walls, streets and old photographs have. */
const quiet: ReadonlySet<string> = new Set(["white", "grey", "black", "brown", "beige"])

/** The colour that stands out between quiet ones, which a person remembers a picture by. */
const accentIn = (hues: ReadonlyArray<Hue>, said: ReadonlyArray<Hue>): string => {
  if (said.some(({ name }) => !quiet.has(hueOf(name)))) return ""
  const accent = hues.find(({ name, share }) => !quiet.has(hueOf(name)) && share >= tuning.accent)
  return accent === undefined ? "" : ` with ${accent.name}`
}

/** The colour of most of an upper or lower third. */
const mostOf = (third: Shares): string | undefined => {
  const [first] = huesOf(third)
  return first !== undefined && first.share >= tuning.third ? first.name : undefined
}

/** What colours a view has, as the end of a sentence: “, mostly blue and white”, or “, blue above and green below” where it is so. */
export const colouring = ({ lower, named, upper }: FrameColours): string => {
  const [above, below] = [mostOf(upper), mostOf(lower)]
  if (above !== undefined && below !== undefined && hueOf(above) !== hueOf(below)) {
    return `, ${above} above and ${below} below`
  }
  const hues = huesOf(named)
  const [first, second] = hues
  if (first === undefined) return ""
  const alone = second === undefined || (first.share >= tuning.most && second.share < tuning.second)
  const said = alone ? [first] : [first, second]
  return `, mostly ${said.map(({ name }) => name).join(" and ")}${accentIn(hues, said)}`
}
