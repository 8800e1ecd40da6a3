import { Result, Schema } from "effect"
import { readFile } from "node:fs/promises"

/** Reads a JSON file that an earlier stage left. Rejects where it is not what the schema says, naming the place, not the value. */
export const readJsonAs = async <A>(schema: Schema.Codec<A, any>, path: string): Promise<A> => {
  const value: unknown = JSON.parse(await readFile(path, "utf8"))
  // The value itself goes on, not a copy of it: what is made of it keeps its order of members.
  if (Schema.is(schema)(value)) return value
  const decoded = Schema.decodeUnknownResult(Schema.toType(schema))(value)
  throw new TypeError(
    `An intermediate file is not as it should be: ${Result.isFailure(decoded) ? decoded.failure.message : ""}`
  )
}
