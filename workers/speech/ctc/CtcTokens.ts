import { readFileSync } from "node:fs"
import { OnnxModelError } from "../../onnx/OnnxSession.ts"

/** U+2581 at the start of a token says that a word begins there (SentencePiece, Kudo and Richardson 2018). */
export const WORD_MARK = "\u2581"

/** What a recogniser's outputs stand for, by index. */
export interface CtcTokens {
  readonly texts: ReadonlyArray<string>
  readonly blank: number
}

/** Whether a vocabulary has capitals and full stops: then what is recognised by it comes written as sentences. */
export const writesSentences = (texts: ReadonlyArray<string>): boolean =>
  texts.includes(".") && texts.some((text) => /^\u2581?\p{Lu}/u.test(text))

/** Parses lines of `token index`, the blank written `<blk>`. Throws `OnnxModelError` when the indices have a hole. */
export const parseTokens = (text: string): CtcTokens => {
  const texts: Array<string> = []
  for (const line of text.split("\n")) {
    const cut = line.lastIndexOf(" ")
    if (cut > 0) texts[Number(line.slice(cut + 1))] = line.slice(0, cut)
  }
  const blank = texts.indexOf("<blk>")
  if (blank === -1 || texts.includes(undefined as never)) {
    throw new OnnxModelError("A token table needs every index from 0 and one <blk>")
  }
  return { texts, blank }
}

/** Reads a token table. Throws `OnnxModelError` when it is absent or not one. */
export const readTokens = (path: string): CtcTokens => {
  let text: string
  try {
    text = readFileSync(path, "utf8")
  } catch (cause) {
    throw new OnnxModelError(`Token table ${path} cannot be read`, { cause })
  }
  return parseTokens(text)
}
