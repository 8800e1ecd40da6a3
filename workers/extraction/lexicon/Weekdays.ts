import { DAYS, WEEKDAY } from "./Dates.ts"

const NAMED = new RegExp(`^(?:(?:on|this|next|every|each) )?(${WEEKDAY})s?$`, "iu")
const FROM_TODAY = /^(?:today|tonight|tomorrow|yesterday|(?:the )?(?:this|next|last|other) \p{L}+)$/iu
const REPEATED = new RegExp(`\\b${WEEKDAY}s\\b`, "giu")

const capitalised = (day: string): string => `${day[0]!.toUpperCase()}${day.slice(1)}`

/** Whether a text names a day of the week and nothing else. */
export const isWeekday = (text: string): boolean => NAMED.test(text)

/** The day that "Mondays" are; undefined for what is told from today, and the text itself for anything else. */
export const weekdayNamed = (text: string): string | undefined => {
  const day = NAMED.exec(text)?.[1]?.toLowerCase()
  if (day !== undefined) return capitalised(day)
  return FROM_TODAY.test(text) ? undefined : text
}

const SHORT = /^(?:mon|tues?|wed|thu(?:rs?)?|fri|sat|sun)\.?$/iu

/** The day that "Wed" or "Thurs." is short for; undefined for any other text. */
export const weekdayWritten = (text: string): string | undefined => {
  const day = SHORT.test(text) ? DAYS.find((one) => one.startsWith(text.slice(0, 3).toLowerCase())) : undefined
  return day === undefined ? undefined : capitalised(day)
}

/** Where a text names days of the week as they come again: a date is none of them. */
export const repeatedWeekdays = (text: string): ReadonlyArray<{ readonly from: number; readonly text: string }> =>
  Array.from(text.matchAll(REPEATED), ({ 0: found, index }) => ({ from: index, text: found }))
