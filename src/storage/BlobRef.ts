import { Schema } from "effect"

/** Where bytes lie in the blob store and how to know them again. Only references travel through PostgreSQL. */
export const BlobRef = Schema.Struct({
  key: Schema.String,
  size_bytes: Schema.Int,
  sha256: Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/u))
}).annotate({ identifier: "BlobRef" })
export type BlobRef = typeof BlobRef.Type
