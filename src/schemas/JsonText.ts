/** Where the string that begins at `start` ends. */
const endOfString = (json: string, start: number): number => {
  let at = start + 1
  while (at < json.length && json.charCodeAt(at) !== 34) at += json.charCodeAt(at) === 92 ? 2 : 1
  return at
}

/**
 * The members of the object, or the items of the array by their number, that a JSON text is: each as it is written, with its
 * spaces, number spellings and order, none of which a parsed value has. One pass without recursion. What is no JSON gives
 * parts that are none; a value that has no parts gives none.
 */
export const textsOfParts = (json: string): ReadonlyMap<string, string> => {
  const parts = new Map<string, string>()
  let depth = 0
  let inArray = false
  let name: string | undefined
  let start = 0
  const close = (at: number) => {
    const text = json.slice(start, at).trim()
    if (text !== "" && (inArray || name !== undefined)) parts.set(inArray ? String(parts.size) : name!, text)
    name = undefined
    start = at + 1
  }
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at)
    if (code === 34) {
      const end = endOfString(json, at)
      if (depth === 1 && !inArray && name === undefined) {
        name = String(JSON.parse(json.slice(at, end + 1)))
        start = json.indexOf(":", end) + 1
      }
      at = end
    } else if (code === 123 || code === 91) {
      if (++depth === 1) {
        inArray = code === 91
        start = at + 1
      }
    } else if (code === 125 || code === 93) {
      if (--depth === 0) close(at)
    } else if (code === 44 && depth === 1) close(at)
  }
  return parts
}
