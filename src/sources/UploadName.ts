const longest = 255

/** A name for a person to read: one line, no path, no characters that are not seen; null where nothing of it is left. */
const readable = (text: string): string | null => {
  const name = text.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu, "").replace(/^.*[/\\]/su, "").trim()
  return name === "" ? null : Array.from(name).slice(0, longest).join("")
}

/** The file's name in `Upload-Metadata` of tus: what clients call `filename`, or `name`. */
export const filenameIn = (metadata: string | null): string | null => {
  const pairs = (metadata ?? "").split(",").map((pair) => pair.trim().split(" "))
  const valueOf = (name: string) => pairs.find(([called]) => called === name)?.[1]
  const value = valueOf("filename") ?? valueOf("name")
  return value === undefined ? null : readable(Buffer.from(value, "base64").toString("utf8"))
}

/** `Content-Disposition` as RFC 6266 has it: `filename*` with its encoding is preferred to `filename`. */
const extended = /(?:^|;)\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/iu
const plain = /(?:^|;)\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s"]+))/iu

const decoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** The same in the words of tus, where the header names a file. */
export const metadataOf = (contentDisposition: string | undefined): string | undefined => {
  const header = contentDisposition ?? ""
  const [, quoted, bare] = plain.exec(header) ?? []
  const name = readable(
    decoded(extended.exec(header)?.[1] ?? "") || (quoted?.replaceAll(/\\(.)/gu, "$1") ?? bare ?? "")
  )
  return name === null ? undefined : `filename ${Buffer.from(name).toString("base64")}`
}
