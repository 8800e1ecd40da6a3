import type { Selection } from "./Selection.ts"

/** The part of an address that names one place of one value: `/evidence/items/0/price?citation=2`. */
export const addressOf = (pointer: string, citation: number): string =>
  `/evidence${pointer.split("/").map(encodeURIComponent).join("/")}${citation === 0 ? "" : `?citation=${citation + 1}`}`

/** Behind whatever leads to it: `#t=12.3,15.8` of a report, `#/jobs/…?t=12.3` of a service. */
const moment = /(?:^|[/?&])t=(?:npt:)?(\d+(?:\.\d+)?)(?:,\d+(?:\.\d+)?)?(?:&|$)/u

/** Shows what an address names: one place of a value, or a moment as media fragments write it (`t=12.3,15.8`). */
export const openAddress = (selection: Selection, address: string): void => {
  const [path = "", query = ""] = address.split("?")
  const at = path.startsWith("/evidence") ? null : moment.exec(address)
  if (at !== null) return selection.playback.seek(Number(at[1]))
  if (!path.startsWith("/evidence")) return
  let pointer: string
  try {
    pointer = path.slice("/evidence".length).split("/").map(decodeURIComponent).join("/")
  } catch {
    return
  }
  const leaf = selection.leaves.find((one) => one.pointer === pointer)
  const citation = Math.max(0, Number(new URLSearchParams(query).get("citation") ?? 1) - 1)
  if (leaf === undefined || (leaf === selection.leaf.peek() && citation === selection.citation.peek())) return
  selection.lead(leaf, Number.isFinite(citation) ? citation : 0)
}
