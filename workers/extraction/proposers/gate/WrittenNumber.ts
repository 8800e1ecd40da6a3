/** More is no number and no sum of money. */
const LONGEST = 200

const DASH = /^([^\d\s]{0,3}\s?)[−–—‐‑﹣－-]\s*(?=[^\d\s]{0,3}\s?\d)/u
/** A sign, a currency or a word before it, the figures, and what stands behind. */
const FIGURES = /^(-?)(?:[^\d\-.,()]{1,4}|[^\d\-.,()]{1,3}\.\s)?(-?)(\d[\d.,'’\s]*)(.*)$/su

/** What is written behind a number for thousands of thousands. Beside these "m" may be metres, and "k" is read with its number. */
const MAGNITUDES: ReadonlyMap<string, number> = new Map([
  ["mio", 1e6],
  ["mln", 1e6],
  ["mn", 1e6],
  ["b", 1e9],
  ["bn", 1e9],
  ["bln", 1e9],
  ["mrd", 1e9],
  ["tn", 1e12]
])

/** Figures with separators as a number: what stands before three figures each time parts thousands, and once otherwise the decimals. */
const valueOf = (figures: string): number | undefined => {
  if (/^\d+(?:\.\d+)?$/u.test(figures)) return Number(figures)
  if (/^[1-9]\d{0,2}(?:,\d{2,3})*,\d{3}(?:\.\d+)?$/u.test(figures)) return Number(figures.replaceAll(",", ""))
  if (/^\d+,\d+$/u.test(figures)) return Number(figures.replace(",", "."))
  const apart = /^([1-9]\d{0,2}(?:['’\s]\d{3})+)(?:[.,](\d+))?$/u.exec(figures) ??
    /^([1-9]\d{0,2}(?:\.\d{3})+),(\d+)$/u.exec(figures) ?? /^([1-9]\d{0,2}(?:\.\d{3}){2,})$/u.exec(figures)
  return apart === null ? undefined : Number(`${apart[1]!.replaceAll(/\D/gu, "")}.${apart[2] ?? "0"}`)
}

/** A number that is written in figures. */
export interface WrittenNumber {
  readonly value: number
  /** The words behind it; empty where it stands alone. */
  readonly rest: string
}

/**
 * A number as models write it, with any of the signs for minus, of the separators and of the magnitudes: "−5", "US$ 1,200", "1,5 m",
 * "3 Mio. €". `"unclear"` where its figures can be read in no way or in two, as a number in brackets; undefined where it begins with none.
 */
export const writtenNumber = (text: string): WrittenNumber | "unclear" | undefined => {
  if (text.length > LONGEST || text.startsWith("(")) return "unclear"
  const [, before, after, spaced, behind] = FIGURES.exec(text.replace(DASH, "$1-")) ?? []
  if (spaced === undefined || behind === undefined) return /^[^\p{L}]*\d/u.test(text) ? "unclear" : undefined
  const figures = spaced.replace(/[.,'’\s]+$/u, "")
  const plain = valueOf(figures)
  if (plain === undefined) return "unclear"
  const signed = before === "-" || after === "-" ? -plain : plain
  const rest = behind.trim()
  // "5-10" and "1/2" are no number of their own.
  if (/^[-−–—/]\s*\d/u.test(rest)) return "unclear"
  const scale = MAGNITUDES.get(/^\p{L}+/u.exec(rest)?.[0].toLowerCase() ?? "")
  return scale === undefined ? { value: signed, rest } : { value: signed * scale, rest: "" }
}
