import { readFileSync } from "node:fs"
import { OnnxModelError } from "../../onnx/OnnxSession.ts"

const escapes: Readonly<Record<string, string>> = {
  "0": "\0",
  a: "\x07",
  b: "\b",
  t: "\t",
  n: "\n",
  v: "\v",
  f: "\f",
  r: "\r",
  e: "\x1b",
  N: "\x85",
  _: "\xa0",
  L: "\u2028",
  P: "\u2029"
}

const ESCAPE = /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))/gsu

/** A scalar of YAML 1.2 on one line: plain, or in single or double quotes. */
const scalar = (text: string): string => {
  if (/^'.*'$/su.test(text) && text.length > 1) return text.slice(1, -1).replaceAll("''", "'")
  if (!/^".*"$/su.test(text) || text.length < 2) return text
  return text.slice(1, -1).replaceAll(ESCAPE, (_, x?: string, u?: string, U?: string, one?: string) => {
    const code = x ?? u ?? U
    return code === undefined ? escapes[one!] ?? one! : String.fromCodePoint(Number.parseInt(code, 16))
  })
}

/** The list `character_dict` of a recogniser's `inference.yml`, as PaddleOCR 3 writes it beside its networks. */
const listed = (text: string, file: string): ReadonlyArray<string> => {
  const lines = text.split(/\r?\n/u)
  const start = lines.findIndex((line) => /^ *character_dict: *$/u.test(line))
  if (start < 0) throw new OnnxModelError(`Model file ${file} has no character_dict`)
  const keys: Array<string> = []
  for (const line of lines.slice(start + 1)) {
    // Only spaces and tabs are white space in YAML: the ideographic space is a character like any other.
    const [, item] = /^ *- (.*?)[ \t]*$/u.exec(line) ?? []
    if (item === undefined) break
    keys.push(scalar(item))
  }
  return keys
}

/**
 * The characters of a recogniser in the order of its outputs, without the blank before and the space after them: of a file with
 * one on each line, or of an `inference.yml`. Throws `OnnxModelError` where a YAML file lists none.
 */
export const keysIn = (file: string): ReadonlyArray<string> => {
  const text = readFileSync(file, "utf8")
  return /\.ya?ml$/u.test(file)
    ? listed(text, file)
    : text.replace(/\n$/u, "").split("\n").map((line) => line.replace("\r", ""))
}
