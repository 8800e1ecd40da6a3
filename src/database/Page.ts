import { Effect, Schema, SchemaTransformation } from "effect"

const notOurs = "Not a cursor of this API"

/**
 * A place in a list, newest first. It names the last id that was shown, and ids sort by creation, so rows inserted
 * meanwhile never shift a page. What cannot be a cursor of ours is refused.
 */
const Cursor = Schema.String.annotate({ description: "`next_cursor` of the page before; opaque." }).check(
  Schema.isPattern(/^[A-Za-z0-9_-]{1,120}$/u, { message: notOurs })
).pipe(
  Schema.decodeTo(
    Schema.String.check(Schema.isPattern(/^[a-z]{3}_[0-9a-z_-]{1,76}$/u, { message: notOurs })),
    SchemaTransformation.transform({
      decode: (cursor) => Buffer.from(cursor, "base64url").toString("latin1"),
      encode: (id) => cursorAfter(id)
    })
  )
)

/** The query parameters of every list. */
export const pageQuery = {
  limit: Schema.Int.annotate({ description: "Page size, 1 to 100.", default: 25 }).check(
    Schema.isBetween({ minimum: 1, maximum: 100 })
  ).pipe(Schema.withDecodingDefaultKey(Effect.succeed(25))),
  cursor: Schema.optionalKey(Cursor)
}

/** What every list answers. */
export const page = <S extends Schema.Top>(item: S) =>
  Schema.Struct({ data: Schema.Array(item), next_cursor: Schema.NullOr(Schema.String) })

/** The cursor of the page after the one that ends with this id. */
export const cursorAfter = (id: string): string => Buffer.from(id, "latin1").toString("base64url")

/** One page of `limit` rows out of `rows`, which were read with a limit of one more. */
export const toPage = <A extends { readonly id: string }>(rows: ReadonlyArray<A>, limit: number) => {
  const data = rows.slice(0, limit)
  const last = data.at(-1)
  return {
    data,
    next_cursor: rows.length > limit && last !== undefined ? cursorAfter(last.id) : null
  }
}
