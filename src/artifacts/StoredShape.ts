import { Effect, Schema, SchemaGetter } from "effect"

export interface StoredShape<A> {
  /** From what lies in the blob store, in any shape that was ever written, to today's; anything else is a `SchemaError`. */
  readonly codec: Schema.Codec<A, any>
  /** The bytes to store: today's shape, and its number in the member `shape`, which no reader shows. */
  readonly bytes: (value: A) => Uint8Array
}

/**
 * An artifact that can be read whichever version wrote it. `earlier` has a reader for each shape before today's, newest
 * first, so the shape that was written first is number 1. What has no number was written before there were numbers, and a
 * number above ours by a version that comes after this one and only added to it.
 */
export const storedShape = <A extends object>(
  today: Schema.Codec<A, any>,
  earlier: ReadonlyArray<Schema.Codec<A, any>> = []
): StoredShape<A> => {
  const readers = [today, ...earlier]
  const shape = readers.length
  const readersOf = (number: unknown) => typeof number === "number" ? [readers[shape - number] ?? today] : readers
  return {
    codec: Schema.Record(Schema.String, Schema.Unknown).pipe(
      Schema.decodeTo(Schema.toType(today), {
        decode: SchemaGetter.transformEffect((stored) =>
          Effect.firstSuccessOf(
            readersOf(stored["shape"]).map((reader) => Schema.decodeEffect(reader)(stored))
          ).pipe(Effect.mapError(({ issue }) => issue))
        ),
        encode: SchemaGetter.transform((value) => ({ shape, ...value }))
      })
    ),
    bytes: (value) => Buffer.from(JSON.stringify({ shape, ...value }))
  }
}
