/** A calendar month in UTC, in which a quota is counted: `[from, to)`. */
export interface Period {
  /** `YYYY-MM`. */
  readonly name: string
  readonly from: Date
  readonly to: Date
}

const month = (year: number, index: number): Period => {
  const from = new Date(Date.UTC(year, index))
  return { name: from.toISOString().slice(0, 7), from, to: new Date(Date.UTC(year, index + 1)) }
}

/** The month that a moment, in milliseconds, lies in. */
export const periodAt = (millis: number): Period => {
  const at = new Date(millis)
  return month(at.getUTCFullYear(), at.getUTCMonth())
}

/** What `YYYY-MM` names. */
export const periodNamed = (name: string): Period => {
  const [year, index] = name.split("-").map(Number)
  return month(year!, index! - 1)
}
