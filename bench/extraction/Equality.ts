import { sameValue } from "./ExtractionData.ts"

const MOMENT =
  /^(?:(\d{4}-\d{2}(?:-\d{2})?)(?:[T ](?=\d)|$))?(?:(\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d+))?)?(Z|[+-]\d{2}:?\d{2})?)?$/iu
/** What begins as a day or a month but tells more than a time with it. */
const DATED = /^\d{4}-\d{2}(?:-\d{2})?(?:[T ].*)?$/u

const offsetMinutes = (zone: string): number => {
  if (zone.toUpperCase() === "Z") return 0
  const minutes = 60 * Number(zone.slice(1, 3)) + Number(zone.slice(-2))
  return zone.startsWith("-") ? -minutes : minutes
}

/** A day, a moment or a time of day in the one form that all ways of writing it share; undefined for anything else. */
const momentOf = (text: string): string | undefined => {
  const found = text === "" ? null : MOMENT.exec(text)
  if (found === null) return undefined
  const [, day, hour, minute, second = "00", part = "", zone] = found
  if (hour === undefined) return day
  const fraction = part.replace(/0+$/u, "")
  const minutes = 60 * Number(hour) + Number(minute) - (zone === undefined ? 0 : offsetMinutes(zone))
  // A day with a time of another zone may be the day before or after; a time of day alone begins anew at midnight.
  const days = day === undefined || day.length < 10 ? 0 : Date.parse(`${day}T00:00Z`) / 60_000
  const at = day === undefined ? (minutes + 1440) % 1440 : days + minutes
  return [day === undefined ? "time" : day.length < 10 ? day : "", at, second, fraction, zone === undefined ? "" : "Z"]
    .join(" ")
}

/** One code or number of digits and letters, however it is grouped: "0800 55 21 90" is 0800552190. */
const CODE = /^(?=.*\d)\+?[\p{L}\d](?:[\s./+-]?[\p{L}\d])*$/u

/** A number that is dialled or read off in groups, not one whose signs between digits mean something: "1.5", "1/2", "2-1". */
const isGrouped = (code: string): boolean => {
  const groups = code.split(/\D+/u).filter((group) => group !== "")
  const digits = groups.reduce((sum, { length }) => sum + length, 0)
  const noneAlone = groups.every(({ length }) => length > 1)
  if (digits < 7 || /\d\+\d/u.test(code)) return false
  // Decimals, versions and addresses of machines have points too, but end in few digits.
  return /\d\.\d/u.test(code)
    ? !/\d[\s/-]\d/u.test(code) && groups.length > 2 && noneAlone && groups.at(-1)!.length > 3
    // Up to eight digits it may be a day of a month.
    : noneAlone || digits > 8
}

const ungrouped = (text: string): string => {
  const code = text.toUpperCase().replaceAll(/(?<!\d)[\s./+-]|[\s./+-](?!\d)/gu, "")
  return !/\d[./+-]\d/u.test(code) || isGrouped(code) ? code.replaceAll(/[^\p{L}\d]/gu, "") : code
}

/**
 * A text is right where it is the other but for case and marks, or four of five words are the same; moments as the same
 * instant, codes however they are grouped, numbers and yes or no only as they are.
 */
export const equal = (left: unknown, right: unknown): boolean => {
  if (typeof left !== "string" || typeof right !== "string" || left === right) return left === right
  const moment = momentOf(right)
  if (moment !== undefined) return momentOf(left) === moment
  if (DATED.test(right)) return false
  return sameValue(left, [right]) || (CODE.test(left) && CODE.test(right) && ungrouped(left) === ungrouped(right))
}
