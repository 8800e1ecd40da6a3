/**
 * Text of which every character is seen: what a terminal obeys (control characters, line ends, marks that turn the direction of
 * reading) is written by its number. Names of a stranger's files and keys could else wipe out what was said of them.
 */
export const visible = (text: string): string =>
  text.replaceAll(
    /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu,
    (sign) => String.raw`\u{${sign.codePointAt(0)!.toString(16).padStart(4, "0")}}`
  )
