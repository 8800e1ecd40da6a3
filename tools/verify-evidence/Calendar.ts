import { numbersSaid } from "./Numerals.ts"
import { saysTimeInWords } from "./Spelling.ts"

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
const days = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]

/**
 * Whether a text names this day (`YYYY-MM-DD`): in digits, by month and day of the month, by its weekday, or relative to
 * the day of the recording, which the artifacts do not tell.
 */
export const datesSaid = (text: string, value: string): boolean => {
  const lower = text.toLowerCase()
  if (lower.includes(value)) return true
  const [year, month, day] = value.split("-").map(Number) as [number, number, number]
  for (const match of lower.matchAll(/\b(\d{1,2})\/(\d{1,2})\/(\d{4})\b/gu)) {
    const [a, b, y] = match.slice(1).map(Number)
    if (y === year && ((a === month && b === day) || (b === month && a === day))) return true
  }
  const named = months.findIndex((name) => new RegExp(`\\b${name}`, "u").test(lower))
  if (named >= 0) {
    const numbers = numbersSaid(lower)
    const otherYear = /\b\d{4}\b/u.exec(lower)
    return named + 1 === month && numbers.includes(day) && (otherYear === null || Number(otherYear[0]) === year)
  }
  const weekday = days.findIndex((name) => lower.includes(name))
  if (weekday >= 0) return new Date(Date.UTC(year, month - 1, day)).getUTCDay() === weekday
  return /\b(?:today|tonight|tomorrow|yesterday)\b/u.test(lower)
}

/** Whether a text names this time of day (`HH:MM` or `HH:MM:SS`). */
export const saysTime = (text: string, value: string): boolean => {
  const lower = text.toLowerCase()
  const [hour, minute] = value.split(":").map(Number) as [number, number]
  if (/\bnoon\b/u.test(lower) && hour === 12 && minute === 0) return true
  if (/\bmidnight\b/u.test(lower) && hour === 0 && minute === 0) return true
  if (saysTimeInWords(lower, hour, minute)) return true
  return [...lower.matchAll(/\b(\d{1,2})(?:[:.](\d{2}))?(?::\d{2})?\s*([ap]\.?m)?/gu)].some(([, h, m, half]) => {
    if (m === undefined && half === undefined) return false
    const said = half === undefined ? Number(h) % 24 : (Number(h) % 12) + (half.startsWith("p") ? 12 : 0)
    return said === hour && Number(m ?? 0) === minute
  })
}
