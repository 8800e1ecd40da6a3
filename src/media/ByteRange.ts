/** Bytes `[from, to)` of a whole that has `size`. */
export interface ByteRange {
  readonly from: number
  readonly to: number
}

const single = /^bytes=\s*(\d*)-(\d*)\s*$/iu

/**
 * What a `Range` header asks for (RFC 9110, 14.1.2): one range of bytes. Undefined, which is the whole, for several ranges, another
 * unit and whatever is no range; `unsatisfiable` for one that has no byte in it.
 */
export const rangeOf = (header: string | undefined, size: number): ByteRange | "unsatisfiable" | undefined => {
  const [, first = "", last = ""] = single.exec(header ?? "") ?? []
  if (first === "") {
    if (last === "") return undefined
    const length = Math.min(Number(last), size)
    return length === 0 ? "unsatisfiable" : { from: size - length, to: size }
  }
  const from = Number(first)
  const to = last === "" ? size : Math.min(Number(last) + 1, size)
  if (last !== "" && Number(last) < from) return undefined
  return from < size ? { from, to } : "unsatisfiable"
}
