const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

const tuning = {
  /** Mean probability of a line's characters below which nothing was read. */
  least: 0.6,
  /**
   * A few characters are easily seen in texture, and no word around them tells a slip: lettering 7 pixels high on a
   * photograph was misread at 0.82. Short lines of drawn slides are read above 0.95.
   */
  short: 4,
  least_short: 0.85,
  /** Of a few characters all are right this probably: lettering read as `AAHA` had a mean of 0.86 and this of 0.50. */
  least_whole: 0.6,
  /** Brackets alone on a line, as in code; texture may look like one. */
  least_bracket: 0.95
} as const

/** Signs that are only wider or smaller than the plain ones; NFKC of all would make `10²` 102, `2½` 21⁄2 and `Acme™` AcmeTM. */
const widths = /[\uFF01-\uFF5E\uFFE0-\uFFE6\u3000\uFE50-\uFE6B]/gu

/** A sign that has its degree sign already, where the ring was read by itself as well. */
const degrees = /[°º˚] ?([℃℉])/gu

/** A zero between small letters of a word of four characters or more, without other digits. */
const withoutZero = (word: string): string =>
  /^\p{L}*\p{Ll}0\p{Ll}\p{L}*$/u.test(word) && word.length >= 4 ? word.replace("0", "o") : word

/**
 * What a recognised line says: full-width and small signs of the Chinese key list as plain ones where the line is not Chinese or
 * Japanese, a degree sign that was read twice once, a zero among letters as the letter, single spaces. `confidence` is the mean probability of its characters,
 * `whole` their product. Undefined where the reading is too doubtful or has neither a letter nor a digit nor a sign that
 * means something alone.
 */
export const lineText = (raw: string, confidence: number, whole: number): string | undefined => {
  const plain = CJK.test(raw) ? raw : raw.replaceAll(widths, (sign) => sign.normalize("NFKC")).normalize("NFC")
  const text = plain.replaceAll(/\s+/gu, " ").trim()
    .replaceAll(degrees, (_, sign: string) => sign.normalize("NFKC"))
    .replaceAll(/(?<=\p{Lu}{2})0(?=\p{Lu})(?![\p{L}]*\d)/gu, "O")
    .replaceAll(/[\p{L}\p{N}]+/gu, withoutZero)
  if (text === "" || confidence < tuning.least) return undefined
  const short = Array.from(text).length <= tuning.short
  if (short && (confidence < tuning.least_short || whole < tuning.least_whole)) return undefined
  if (/^[(){}[\]]+[;,]?$/u.test(text)) return confidence >= tuning.least_bracket ? text : undefined
  return /[\p{L}\p{N}=+%$€£?]/u.test(text) && !/^[一丨丶—ー]+$/u.test(text) ? text : undefined
}
