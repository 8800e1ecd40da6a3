/** What a browser is told of a source by its container, as it was found in the bytes. Nothing here can run as a page. */
const types: ReadonlyMap<string, readonly [video: string, audio: string]> = new Map([
  ["mp4", ["video/mp4", "audio/mp4"]],
  ["mov", ["video/quicktime", "audio/mp4"]],
  ["3gp", ["video/3gpp", "audio/3gpp"]],
  ["webm", ["video/webm", "audio/webm"]],
  ["matroska", ["video/x-matroska", "audio/x-matroska"]],
  ["ogg", ["video/ogg", "audio/ogg"]],
  ["avi", ["video/x-msvideo", "video/x-msvideo"]],
  ["asf", ["video/x-ms-asf", "audio/x-ms-wma"]],
  ["flv", ["video/x-flv", "video/x-flv"]],
  ["mpeg", ["video/mpeg", "video/mpeg"]],
  ["mpegts", ["video/mp2t", "video/mp2t"]],
  ["mxf", ["application/mxf", "application/mxf"]],
  ["mp3", ["audio/mpeg", "audio/mpeg"]],
  ["aac", ["audio/aac", "audio/aac"]],
  ["flac", ["audio/flac", "audio/flac"]],
  ["wav", ["audio/wav", "audio/wav"]],
  ["amr", ["audio/amr", "audio/amr"]]
])

/** The media type of a source; `application/octet-stream` where its container has none that browsers know. */
export const mediaTypeOf = (container: string | undefined, has_video: boolean): string =>
  types.get(container ?? "")?.[has_video ? 0 : 1] ?? "application/octet-stream"

/** The last dot of a name and what is behind it, as far as it is plain. */
const extension = /\.[A-Za-z0-9]{1,8}$/u

/**
 * `Content-Disposition` for showing (RFC 6266): the name in ASCII, without what ends a quoted string, and where it has more
 * letters than that once more in full. A name that has none of it left gives way to `otherwise`.
 */
export const inlineAs = (name: string | null, otherwise: string): string => {
  const plain = (name ?? "").replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}/\\]/gu, "").trim()
  const ascii = plain.replaceAll(/[^\x20-\x7e]|["%;]/gu, "_")
  if (!/[A-Za-z0-9]/u.test(ascii)) {
    return `inline; filename="${otherwise}${extension.exec(ascii)?.[0] ?? ""}"${extended(plain, ascii)}`
  }
  return `inline; filename="${ascii}"${extended(plain, ascii)}`
}

const extended = (plain: string, ascii: string): string =>
  plain === ascii || plain === ""
    ? ""
    : `; filename*=UTF-8''${encodeURIComponent(plain).replaceAll(/['()*]/gu, escaped)}`

const escaped = (letter: string): string => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`
