import { Effect, Schema, SchemaTransformation } from "effect"
import type { IdPrefix } from "../identity/Id.ts"

const notOurs = "Not a cursor of this list"

/** How many entries a page of a list has. */
export const pageLimits = { default: 25, maximum: 100 } as const

/** The cursor of the page after the one that ends with this id. */
export const cursorAfter = (id: string): string => Buffer.from(id, "latin1").toString("base64url")

const idOf = (cursor: string) => Buffer.from(cursor, "base64url").toString("latin1")

const described = { description: "`next_cursor` of the page before; opaque." }

/**
 * A place in a list, newest first. It names the last id that was shown, and ids sort by creation, so rows inserted
 * meanwhile never shift a page. What cannot be a cursor of this list is refused.
 */
const cursorOf = (id: RegExp) =>
  Schema.String.annotate(described).check(
    // Decoding is lenient, also about the last character's spare bits: one place has one cursor.
    Schema.makeFilter((cursor) => id.test(idOf(cursor)) && cursorAfter(idOf(cursor)) === cursor ? undefined : notOurs)
  ).pipe(
    Schema.decodeTo(
      Schema.String.annotate(described),
      SchemaTransformation.transform({ decode: idOf, encode: cursorAfter })
    )
  )

const limit = Schema.Int.annotate({ description: "Page size, 1 to 100.", default: pageLimits.default }).check(
  Schema.isBetween({ minimum: 1, maximum: pageLimits.maximum })
).pipe(Schema.withDecodingDefaultKey(Effect.succeed(pageLimits.default)))

/** The query parameters of the list of one kind of things: a cursor of another list is none of this one. */
export const pageQueryOf = (prefix: IdPrefix) => ({
  limit,
  cursor: Schema.optionalKey(cursorOf(new RegExp(`^${prefix}_[0-9a-z_-]{1,76}$`, "u")))
})

/** What every list answers. */
export const page = <S extends Schema.Top>(item: S) =>
  Schema.Struct({ data: Schema.Array(item), next_cursor: Schema.NullOr(Schema.String) })

/** One page of `limit` rows out of `rows`, which were read with a limit of one more. */
export const toPage = <A extends { readonly id: string }>(rows: ReadonlyArray<A>, limit: number) => {
  const data = rows.slice(0, limit)
  const last = data.at(-1)
  return {
    data,
    next_cursor: rows.length > limit && last !== undefined ? cursorAfter(last.id) : null
  }
}
