import type { Citation } from "./Artifacts.ts"

/** The grammar of Media Fragments URI 1.0 as far as evidence uses it: seconds in npt, whole percent of the picture. */
const grammar = /^#t=(\d+(?:\.\d+)?),(\d+(?:\.\d+)?)(?:&xywh=percent:(\d+),(\d+),(\d+),(\d+))?$/u

/** Left, top, right and bottom in percent; null for the whole picture and for sound. */
export type Region = readonly [number, number, number, number] | null

/** What a citation's fragment says, or why it says nothing or something else than its seconds. */
export const readFragment = ({ media_fragment, t_end, t_start }: Citation): { readonly region: Region } | string => {
  const match = grammar.exec(media_fragment)
  if (match === null) return `${media_fragment} is no media fragment`
  const [from, to, ...area] = match.slice(1).filter((part) => part !== undefined).map(Number) as [number, number]
  if (from >= to) return `${media_fragment} has no length`
  // An instant is written as the shortest interval that begins with it.
  const end = t_end > t_start ? t_end : t_start + 0.001
  if (Math.abs(from - t_start) > 0.0015 || Math.abs(to - end) > 0.0015) {
    return `${media_fragment} is not ${t_start}–${t_end} s`
  }
  if (area.length === 0) return { region: null }
  const [x, y, width, height] = area as unknown as [number, number, number, number]
  if (width < 1 || height < 1 || x + width > 100 || y + height > 100) return `${media_fragment} is not in the picture`
  return { region: [x, y, x + width, y + height] }
}

/** Whether a box in fractions of the frame lies in the region, give or take a rounding. */
export const inRegion = (region: Region, box: ReadonlyArray<number>): boolean => {
  if (region === null) return true
  const [x, y, width, height] = box as [number, number, number, number]
  const [left, top, right, bottom] = region
  const slack = 0.01
  return x * 100 >= left - slack && y * 100 >= top - slack && (x + width) * 100 <= right + slack &&
    (y + height) * 100 <= bottom + slack
}
