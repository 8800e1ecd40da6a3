const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

const tuning = {
  /** Mean probability of a line's characters below which nothing was read. */
  least: 0.6,
  /**
   * A few characters are easily seen in texture, and no word around them tells a slip: lettering 7 pixels high on a
   * photograph was misread at 0.82. Short lines of drawn slides are read above 0.95.
   */
  short: 4,
  least_short: 0.85
} as const

/**
 * What a recognised line says: full-width signs of the Chinese key list as plain ones where the line is not Chinese or
 * Japanese, a zero between capital letters as the letter, single spaces. Undefined where the reading is too doubtful or
 * has neither a letter nor a digit nor a sign that means something alone.
 */
export const lineText = (raw: string, confidence: number): string | undefined => {
  const plain = CJK.test(raw) ? raw : raw.normalize("NFKC")
  const text = plain.replaceAll(/\s+/gu, " ").trim().replaceAll(/(?<=\p{Lu}{2})0(?=\p{Lu})(?![\p{L}]*\d)/gu, "O")
  if (text === "" || confidence < tuning.least) return undefined
  if (Array.from(text).length <= tuning.short && confidence < tuning.least_short) return undefined
  return /[\p{L}\p{N}=+%$€£?]/u.test(text) && !/^[一丨丶—ー]+$/u.test(text) ? text : undefined
}
