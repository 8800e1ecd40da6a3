import { domainToASCII, domainToUnicode } from "node:url"

/** RFC 5892: what else is allowed in a label beside letters, digits and marks, and what of those is not. */
const allowed =
  /^[\p{Ll}\p{Lo}\p{Lm}\p{Mn}\p{Mc}\p{Nd}\-\u{B7}\u{375}\u{5F3}\u{5F4}\u{30FB}\u{200C}-\u{200D}\u{DF}\u{3C2}\u{6FD}\u{6FE}\u{F0B}\u{3007}]+$/u
const disallowed = /[\u{302E}-\u{302F}\u{3031}-\u{3035}\u{303B}\u{640}\u{7FA}]/u

/** RFC 5892, appendix A: characters that are allowed beside certain others only. */
const outOfContext: ReadonlyArray<RegExp> = [
  /(?<!l)\u{B7}|\u{B7}(?!l)/u,
  /\u{375}(?!\p{Script=Greek})/u,
  /(?<!\p{Script=Hebrew})[\u{5F3}\u{5F4}]/u,
  /^(?=.*\u{30FB})[^\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]*$/u,
  /^(?=.*[\u{660}-\u{669}])(?=.*[\u{6F0}-\u{6F9}])/u
]

/** One label as written; ASCII goes by RFC 1123, the rest by IDNA 2008 over what Node's UTS 46 lets pass. */
const isLabel = (label: string, international: boolean): boolean => {
  if (label.length === 0 || label.startsWith("-") || label.endsWith("-")) return false
  if (/^[a-z\d-]+$/iu.test(label) && !/[^\0-\x7F]/u.test(label)) {
    if (label.length > 63) return false
    if (!/^xn--/iu.test(label)) return !international || label.slice(2, 4) !== "--"
    const decoded = domainToUnicode(label.toLowerCase())
    // What does not decode comes back as it was or empty; what decodes otherwise than it encodes is no A-label.
    return decoded !== "" && /[^\0-\x7F]/u.test(decoded) && domainToASCII(decoded) === label.toLowerCase() &&
      isLabel(decoded, true)
  }
  return international && allowed.test(label) && !disallowed.test(label) && !/^\p{M}/u.test(label) &&
    label.slice(2, 4) !== "--" && outOfContext.every((rule) => !rule.test(label)) &&
    label === label.normalize("NFC") && lengthInAscii(label) <= 63
}

const joiner = /[\u{200C}\u{200D}]/gu

/** Infinity where Node finds the label invalid: a joiner out of context, directions mixed. */
const lengthInAscii = (label: string): number => {
  // Of several joiners Node looks at one, so that each is shown to it alone.
  const alone = Array.from(
    label.matchAll(joiner),
    ({ 0: kept, index }) =>
      label.slice(0, index).replaceAll(joiner, "") + kept + label.slice(index + 1).replaceAll(joiner, "")
  )
  return [label, ...alone].every((text) => domainToASCII(text) !== "") ? domainToASCII(label).length : Infinity
}

/** Hebrew, Arabic and what else is written from right to left. */
const fromTheRight =
  /[\u{590}-\u{6EF}\u{6FA}-\u{8FF}\u{FB1D}-\u{FDFF}\u{FE70}-\u{FEFC}\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u

const isDomain = (labels: ReadonlyArray<string>, international: boolean): boolean =>
  labels.every((label) => isLabel(label, international))

/** RFC 1123, with RFC 5890's rules for labels that begin with `xn--`. */
export const isHostname = (text: string): boolean => text.length <= 253 && isDomain(text.split("."), false)

/** RFC 5890, with the four separators of RFC 3490. */
export const isInternationalHostname = (text: string): boolean => {
  const labels = text.split(/[.\u{3002}\u{FF0E}\u{FF61}]/u)
  if (!isDomain(labels, true)) return false
  // RFC 5893: beside such a label none may begin with a digit.
  if (fromTheRight.test(text) && labels.some((label) => /^\p{Nd}/u.test(label))) return false
  const ascii = labels.map((label) => label.toLowerCase()).join(".")
  const encoded = domainToASCII(ascii)
  return encoded !== "" && encoded.length <= 253
}
