import type { Json } from "./ResultData.ts"

/** JSON in the form of RFC 8785: members by UTF-16, numbers and texts as ECMAScript writes them. */
export const canonicalJson = (value: Json): string => {
  if (Array.isArray(value)) return `[${value.map((entry: Json) => canonicalJson(entry)).join(",")}]`
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value as { readonly [name: string]: Json })
      .toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(",")}}`
  }
  return JSON.stringify(value)
}
