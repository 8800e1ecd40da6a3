/** `1:02:03.4`, `2:03.4`: minutes and seconds as a person reads them. */
export const clock = (seconds: number, decimals = 0): string => {
  const scale = 10 ** decimals
  const whole = Math.floor(Math.max(0, seconds) * scale + 1e-6) / scale
  const hours = Math.floor(whole / 3600)
  const minutes = Math.floor(whole / 60) % 60
  const rest = (whole % 60).toFixed(decimals).padStart(decimals === 0 ? 2 : 3 + decimals, "0")
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`
}

const counted = (count: number, one: string) => `${count} ${one}${count === 1 ? "" : "s"}`

/** The same for who hears it: `2 minutes 3 seconds`. */
export const spokenClock = (seconds: number): string => {
  const whole = Math.floor(Math.max(0, seconds))
  const parts = [
    [Math.floor(whole / 3600), "hour"],
    [Math.floor(whole / 60) % 60, "minute"],
    [whole % 60, "second"]
  ] as const
  const said = parts.filter(([count]) => count > 0).map(([count, unit]) => counted(count, unit))
  return said.length === 0 ? "0 seconds" : said.join(" ")
}

export interface Interval {
  readonly t_start: number
  readonly t_end: number
}

export const range = ({ t_end, t_start }: Interval): string => `${clock(t_start, 1)}–${clock(t_end, 1)}`

/** A part of the picture, in percent of it. */
export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

const XYWH = /xywh=percent:(\d+(?:\.\d+)?),(\d+(?:\.\d+)?),(\d+(?:\.\d+)?),(\d+(?:\.\d+)?)/u

/** The part of the picture that a media fragment names; null where it names the whole of it or sound. */
export const boxOf = (media_fragment: string): Box | null => {
  const found = XYWH.exec(media_fragment)
  if (found === null) return null
  const [x, y, width, height] = found.slice(1).map(Number) as [number, number, number, number]
  return { x, y, width, height }
}

/** The last of `times`, which are in order, that is not after `time`; -1 before the first. */
export const lastAt = (times: ReadonlyArray<number>, time: number): number => {
  let [low, high] = [0, times.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (times[middle]! <= time) low = middle + 1
    else high = middle
  }
  return low - 1
}
