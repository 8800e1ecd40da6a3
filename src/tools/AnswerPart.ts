import { Schema } from "effect"
import { Seconds } from "../artifacts/Moment.ts"
import { TimeRange } from "../artifacts/TimeRange.ts"

/** Tokens of an answer, rather too many: three bytes of JSON each, as its numbers are dense, and four of words. */
export const tokensOf = (answer: object, ofWords = false): number =>
  Math.ceil(Buffer.byteLength(JSON.stringify(answer)) / (ofWords ? 4 : 3))

/** A part of a long answer: between two moments, and of that as much as is asked for. */
export const PartOf = Schema.Struct({
  ...TimeRange.fields,
  max_tokens: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 1000, maximum: 1_000_000 })).annotate({
      description:
        "About the most that the answer may take. What has no room is cut off at the end: then `truncated` is true, and "
        + "`next_from` is the `from` to go on with. Left out, nothing is cut."
    })
  )
})
export type PartOf = typeof PartOf.Type

/** Told of an answer that was cut; what they say is said of `max_tokens`. */
export const cutFields = {
  truncated: Schema.optionalKey(Schema.Boolean),
  next_from: Schema.optionalKey(Seconds)
}

type Cut = { readonly [F in keyof typeof cutFields]?: (typeof cutFields)[F]["Type"] }

/** A range that ends before it begins has nothing in it. */
export const inOrder = Schema.makeFilter(({ from = 0, to = Number.POSITIVE_INFINITY }: TimeRange) =>
  from < to ? undefined : { path: ["to"], issue: "Must be after from" }
)

/**
 * What `read` gives of a part: all of it, or with `max_tokens` as much of its begin as they have room for, cut at one of the
 * `moments` at which something begins. What begins first is always there, so that whoever goes on comes to the end.
 */
export const partOf = <A extends object>(
  { max_tokens = Number.POSITIVE_INFINITY, ...range }: PartOf,
  { moments, read, tokens = tokensOf }: {
    readonly moments: ReadonlyArray<number>
    readonly read: (range: TimeRange) => A
    readonly tokens?: (answer: A) => number
  }
): A & Cut => {
  const whole = read(range)
  if (tokens(whole) <= max_tokens) return whole
  const first = Math.max(range.from ?? 0, Math.min(...moments))
  const ends = [...new Set(moments)]
    .filter((moment) => moment > first && moment < (range.to ?? Number.POSITIVE_INFINITY)).toSorted((a, b) => a - b)
  if (ends[0] === undefined) return whole
  let [fits, tooMuch] = [0, ends.length]
  while (tooMuch - fits > 1) {
    const middle = Math.floor((fits + tooMuch) / 2)
    if (tokens(read({ ...range, to: ends[middle]! })) <= max_tokens) fits = middle
    else tooMuch = middle
  }
  return { ...read({ ...range, to: ends[fits]! }), truncated: true, next_from: ends[fits]! }
}
